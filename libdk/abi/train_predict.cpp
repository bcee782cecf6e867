// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "abi/guard.hpp"
#include "base/unicode.hpp"
#include "data/describing/data_warnings.hpp"
#include "data/metrics/metrics.hpp"
#include "data/resize.hpp"
#include "data/verification_curve.hpp"
#include "model/file/model_file.hpp"
#include "pipeline/choice/choose.hpp"
#include "pipeline/in_use/deviations.hpp"
#include "pipeline/in_use/drift.hpp"
#include "pipeline/in_use/update.hpp"
#include "pipeline/prediction_sets.hpp"
#include "pipeline/prepare.hpp"
#include "pipeline/prototypes/compress.hpp"
#include "pipeline/score.hpp"
#include "pipeline/search/cross_validate.hpp"
#include "pipeline/threshold.hpp"
#include "pipeline/train.hpp"

using namespace dk;
using namespace dk::abi;

namespace {

template <typename Train>
dk_status create_model(dk_model** out, const dk_data* data, const dk_params* params, dk_control* control,
                       Train train) {
    return guarded_create(out, [&] {
        const Dataset& value = required(data, "data").value;
        const MachineSpecification& specification = required(params, "params").value;
        if (specification.machine->task == Task::classification)
            require_repeated_classes(value, specification);
        Call call(control, "training");
        // Folds and rows that are held out are training rows too, with what is known of these.
        const auto trained = [&](const Dataset& rows) { return train(rows, specification, call.control()); };
        Model model = value.kind() == DataKind::gram ? trained(with_self_similarities(value, call.control()))
                                                     : trained(value);
        require_finite_numbers(model);
        for (Warning& warning : training_warnings(value, model.task == "classification", call.control()))
            model.warnings.emplace_back(std::move(warning.about), made_plain(warning.sentence));
        call.finish();
        return model;
    });
}

/// Checks the arguments of a function that fills rows x width values, runs work(model, data, control) and
/// copies its result out.
template <typename Width, typename Work>
dk_status fill_rows(double* out, int64_t length, const dk_model* model, const dk_data* data,
                    dk_control* control, Width width, Work work) {
    return guarded([&] {
        const Model& known = required(model, "model").value;
        const Dataset& value = required(data, "data").value;
        const auto result = required_array(out, "out", length, value.rows() * width(known));
        Call call(control, "predicting");
        std::ranges::copy(work(known, value, call.control()), result.begin());
        call.finish();
    });
}

void require_count(int64_t count, const char* name) {
    if (count < 1 || count > largest_size)
        fail(Status::invalid_argument, name, " is ", count, "; it must be 1 to 2^40");
}

/// Reads the claims of a verification system and checks them.
Claims checked_claims(std::span<const double> scores, std::span<const int64_t> genuine) {
    Claims claims{.scores = scores};
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (!std::isfinite(scores[i]))
            fail(Status::invalid_data, "score of row ", i, " is ", scores[i], "; it must be finite");
        if (genuine[i] != 0 && genuine[i] != 1)
            fail(Status::invalid_data, "genuine of row ", i, " is ", genuine[i], "; it must be 0 or 1");
        claims.genuine.push_back(genuine[i] == 1);
    }
    return claims;
}

}  // namespace

dk_status dk_train(dk_model** out, const dk_data* data, const dk_params* params, dk_control* control) {
    const auto train_one = [](const Dataset& rows, const MachineSpecification& specification, Control& own) {
        if (is_automatic(specification)) return choose(rows, specification, own);
        if (!specification.parameters[parameter::tune].empty())
            return cross_validate(rows, specification, own);
        require_no_search(specification);
        return train(rows, specification, own);
    };
    return create_model(out, data, params, control, train_one);
}

dk_status dk_cross_validate(dk_model** out, const dk_data* data, const dk_params* params,
                            dk_control* control) {
    const auto validate = [](const Dataset& rows, const MachineSpecification& specification, Control& own) {
        return is_automatic(specification) ? choose_and_validate(rows, specification, own)
                                           : cross_validate(rows, specification, own);
    };
    return create_model(out, data, params, control, validate);
}

dk_status dk_mkl_compare(dk_model** out, const dk_data* data, const dk_params* params, dk_control* control) {
    const auto compare = [](const Dataset& rows, const MachineSpecification& specification, Control& own) {
        require_named_machine(specification, "comparing ways to weigh kernels");
        return compare_weights(rows, specification, own);
    };
    return create_model(out, data, params, control, compare);
}

dk_status dk_compress(dk_model** out, const dk_model* model, const dk_data* data, const dk_params* params,
                      dk_control* control) {
    return guarded_create(out, [&] {
        const Model& known = required(model, "model").value;
        const Dataset& value = required(data, "data").value;
        const MachineSpecification& specification = required(params, "params").value;
        require_named_machine(specification, "compressing a model");
        Call call(control, "compressing");
        Model compressed = compress(known, value, specification, call.control());
        require_finite_numbers(compressed);
        call.finish();
        return compressed;
    });
}

dk_status dk_predict(double* out, int64_t length, const dk_model* model, const dk_data* data,
                     dk_control* control) {
    return fill_rows(
        out, length, model, data, control, [](const Model& known) { return known.targets; }, predictions);
}

dk_status dk_decision(double* out, int64_t length, const dk_model* model, const dk_data* data,
                      dk_control* control) {
    return fill_rows(
        out, length, model, data, control,
        [](const Model& known) { return known.predictor->decision_count(); }, decisions);
}

dk_status dk_probability(double* out, int64_t length, const dk_model* model, const dk_data* data,
                         dk_control* control) {
    return fill_rows(
        out, length, model, data, control, [](const Model& known) { return known.classes.classes(); },
        [](const Model& known, const Dataset& value, Control& inner) {
            return probabilities(known, value, inner);
        });
}

dk_status dk_predict_set(double* out, int64_t length, const dk_model* model, const dk_data* data,
                         double confidence, dk_control* control) {
    return fill_rows(out, length, model, data, control, prediction_set_width,
                     [confidence](const Model& known, const Dataset& value, Control& inner) {
                         if (!(confidence >= 0 && confidence < 1)) {
                             fail(Status::invalid_argument, "confidence is ", confidence,
                                  "; it must be above 0 and below 1, or 0 for that of the training");
                         }
                         return prediction_sets(known, value, confidence, inner);
                     });
}

dk_status dk_calibrate(dk_model** out, const dk_model* model, const dk_data* data, int32_t by_class,
                       dk_control* control) {
    return guarded_create(out, [&] {
        const Model& known = required(model, "model").value;
        const Dataset& value = required(data, "data").value;
        if (by_class != 0 && by_class != 1)
            fail(Status::invalid_argument, "by_class is ", by_class, "; it must be 0 or 1");
        Call call(control, "calibrating");
        Model calibrated = calibrated_on(known, value, by_class == 1, call.control());
        require_finite_numbers(calibrated);
        call.finish();
        return calibrated;
    });
}

dk_status dk_move_threshold(dk_model** out, const dk_model* model, const dk_data* data, const char* goal,
                            dk_control* control) {
    return guarded_create(out, [&] {
        const Model& known = required(model, "model").value;
        const Dataset& value = required(data, "data").value;
        const ThresholdGoal wanted = threshold_goal(required_text(goal, "goal"));
        Call call(control, "moving the threshold");
        Model made = with_threshold(known, value, wanted, call.control());
        require_finite_numbers(made);
        call.finish();
        return made;
    });
}

dk_status dk_novelty(double* out, int64_t length, const dk_model* model, const dk_data* data,
                     dk_control* control) {
    return fill_rows(
        out, length, model, data, control, [](const Model&) { return Index{2}; },
        [](const Model& known, const Dataset& value, Control& inner) {
            std::vector<double> values;
            for (const RowNovelty& row : novelty(known, value, inner)) {
                values.push_back(row.distance);
                values.push_back(row.p);
            }
            return values;
        });
}

dk_status dk_deviation(double* out, int64_t length, const dk_model* model, const dk_data* data,
                       dk_control* control) {
    return fill_rows(
        out, length, model, data, control, [](const Model&) { return Index{1}; }, deviations);
}

dk_status dk_model_update(dk_model** out, const dk_model* model, const dk_data* further,
                          const int64_t* forget, int64_t forget_count, dk_control* control) {
    return guarded_create(out, [&] {
        const Model& known = required(model, "model").value;
        const Dataset* rows = further == nullptr ? nullptr : &further->value;
        if (rows == nullptr && forget_count == 0)
            fail(Status::invalid_argument,
                 "there is nothing to update: further is NULL and forget_count is 0; give rows that join the "
                 "model, or numbers of rows that leave it");
        if (forget_count < 0)
            fail(Status::invalid_argument, "forget_count is ", forget_count, "; it must be 0 or more");
        std::vector<Index> gone;
        if (forget_count > 0) {
            const auto given = required_array(forget, "forget", forget_count, forget_count);
            gone.assign(given.begin(), given.end());
        }
        Call call(control, "updating");
        Model made = updated(known, rows, gone, call.control());
        require_finite_numbers(made);
        call.finish();
        return made;
    });
}

dk_status dk_model_drift(double* out_distance, double* out_usual, double* out_p, const dk_model* model,
                         const dk_data* data, const dk_data* reference, uint64_t seed, dk_control* control) {
    return guarded([&] {
        const Model& known = required(model, "model").value;
        const Dataset& value = required(data, "data").value;
        Call call(control, "testing for drift");
        const Drift found =
            drift(known, value, reference == nullptr ? nullptr : &reference->value, seed, call.control());
        call.finish();
        if (out_distance != nullptr) *out_distance = found.distance;
        if (out_usual != nullptr) *out_usual = found.usual;
        if (out_p != nullptr) *out_p = found.p;
    });
}

dk_status dk_explain(double* out, int64_t length, const dk_model* model, const dk_data* data,
                     dk_control* control) {
    return fill_rows(
        out, length, model, data, control,
        [](const Model& known) { return known.predictor->prototypes().count(); },
        [](const Model& known, const Dataset& value, Control& inner) {
            std::vector<double> values;
            resize_in_steps(values, value.rows() * known.predictor->prototypes().count(), inner);
            explain(known, value, values.data(), inner);
            return values;
        });
}

dk_status dk_transform(double* out, int64_t length, const dk_model* model, const dk_data* data,
                       dk_control* control) {
    return fill_rows(
        out, length, model, data, control, [](const Model& known) { return required_transform_count(known); },
        [](const Model& known, const Dataset& value, Control& inner) {
            std::vector<double> values;
            resize_in_steps(values, value.rows() * required_transform_count(known), inner);
            transform(known, value, values.data(), inner);
            return values;
        });
}

dk_status dk_reconstruct(double* out, int64_t length, const dk_model* model, const dk_data* data,
                         dk_control* control) {
    return fill_rows(
        out, length, model, data, control, [](const Model& known) { return known.features; },
        [](const Model& known, const Dataset& value, Control& inner) {
            std::vector<double> values;
            resize_in_steps(values, value.rows() * known.features, inner);
            reconstruct(known, value, values, inner);
            return values;
        });
}

dk_status dk_score(double* out, const dk_model* model, const dk_data* data, const char* metric,
                   dk_control* control) {
    return guarded([&] {
        double& result = required(out, "out");
        const Model& known = required(model, "model").value;
        const Dataset& value = required(data, "data").value;
        const Metric measure = metric_named(required_text(metric, "metric"));
        Call call(control, "predicting");
        const double measured = score(known, value, measure, call.control());
        if (std::isnan(measured))
            fail(Status::invalid_data, "metric ", measure.name,
                 " is not defined: the data hold one class, or one value, only, or no label");
        if (std::isinf(measured))
            fail(Status::numerical, "metric ", measure.name, " overflows: predictions are too large for it");
        result = measured;
        call.finish();
    });
}

dk_status dk_verification_curve(double* out, const double* far, int64_t points, const double* scores,
                                const int64_t* genuine, const int64_t* clients, int64_t rows,
                                dk_control* control) {
    return guarded([&] {
        require_count(points, "points");
        require_count(rows, "rows");
        const auto result = required_array(out, "out", points, points);
        const auto rates = required_array(far, "far", points, points);
        for (std::size_t p = 0; p < rates.size(); ++p) {
            if (!(rates[p] >= 0 && rates[p] <= 1))
                fail(Status::invalid_argument, "far of point ", p, " is ", rates[p], "; it must be 0 to 1");
        }
        const auto values = required_array(scores, "scores", rows, rows);
        Claims claims = checked_claims(values, required_array(genuine, "genuine", rows, rows));
        if (clients != nullptr) claims.clients = required_array(clients, "clients", rows, rows);
        Call call(control, "verification");
        std::ranges::copy(verification_curve(claims, rates, call.control()), result.begin());
        call.finish();
    });
}

dk_status dk_confusion(int64_t* out, int64_t length, const dk_model* model, const dk_data* data,
                       dk_control* control) {
    return guarded([&] {
        const Model& known = required(model, "model").value;
        const Dataset& value = required(data, "data").value;
        const Index classes = known.classes.classes();
        const auto counts = required_array(out, "out", length, classes * classes);
        Call call(control, "predicting");
        std::ranges::copy(confusion(known, value, call.control()), counts.begin());
        call.finish();
    });
}
