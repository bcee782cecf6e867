// SPDX-License-Identifier: Apache-2.0
#include "exchange/adopted_model.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/report.hpp"
#include "kernel/language/bank.hpp"
#include "model/archive/kernel_archive.hpp"

namespace dk {

AscendingClasses order_of_classes(const std::vector<Index>& labels, const std::vector<std::string>& names) {
    const Index count = std::ssize(labels);
    std::vector<Index> order(count);
    std::iota(order.begin(), order.end(), Index{0});
    // Names that are the digits of integers beyond 2^53 ascend as these do, like those of the library's own.
    const std::vector<std::int64_t> positions(order.begin(), order.end());
    const auto integers = integers_of({.of_rows = {}, .values = positions, .names = names});
    const bool digits = integers != positions;
    const auto by_name = [&](Index a, Index b) {
        return digits ? integers[a] < integers[b] : names[a] < names[b];
    };
    const auto by_number = [&](Index a, Index b) { return labels[a] < labels[b]; };
    AscendingClasses found;
    found.positions.resize(count);
    if (names.empty()) {
        std::ranges::sort(order, by_number);
    } else {
        std::ranges::sort(order, by_name);
    }
    for (Index c = 0; c < count; ++c) {
        const Index i = order[c];
        found.positions[i] = c;
        const bool again =
            c > 0 && (names.empty() ? labels[i] == labels[order[c - 1]] : names[i] == names[order[c - 1]]);
        if (again)
            fail(Status::model_format, "class ", names.empty() ? std::to_string(labels[i]) : names[i],
                 " stands twice among the labels");
        found.classes.values.push_back(names.empty() ? labels[i] : c);
        if (!names.empty()) found.classes.names.push_back(names[i]);
    }
    return found;
}

PairFunction function_of_pair(Index positive, Index negative, Index classes) {
    // One function of two classes is positive for the second, and that of a pair for the first of them.
    if (classes == 2) return {0, positive == 1 ? 1.0 : -1.0};
    const auto [a, b] = std::minmax(positive, negative);
    return {a * (2 * classes - a - 1) / 2 + (b - a - 1), positive == a ? 1.0 : -1.0};
}

Dataset stored_rows(SparseMatrix rows, const ImportOptions& options, Control& control) {
    constexpr Index most_dense_columns = 4096;
    if (options.features > 0) rows.cols = std::max(rows.cols, options.features);
    const bool full = 4.0 * std::ssize(rows.values) >= 1.0 * rows.rows * rows.cols;
    const bool dense =
        options.data == "dense" || (options.data == "auto" && full && rows.cols <= most_dense_columns);
    Dataset sparse(std::move(rows));
    require_memory_for_columns(sparse, control.memory());
    return dense ? with_dense_rows(sparse, 1, control.memory()) : sparse;
}

namespace {

/// Makes the predictor. Precomputed similarities of the rows with each other are not in the file, without
/// which prototypes have no lengths.
std::unique_ptr<Predictor> predictor_of(const AdoptedModel& adopted, const KernelPointer& kernel,
                                        Control& control) {
    if (adopted.rows.kind() != DataKind::gram) {
        return make_kernel_expansion(kernel, adopted.rows, adopted.functions, adopted.groups,
                                     Precision::real64, adopted.neighbours, control);
    }
    const GramMatrices& gram = adopted.rows.gram();
    auto learned =
        support_functions(kernel, adopted.rows, adopted.functions, adopted.groups, Precision::real64);
    learned.support = kept_rows(*kernel, learned.support, control);
    for (Index& id : learned.support_ids) id = gram.column(id);
    learned.training_rows = gram.cols;
    return make_expansion_without_lengths(std::move(learned), adopted.functions, control);
}

/// Lists the parameters that the file tells of. It does not say how the model was trained.
Assignments parameters_of(const AdoptedModel& adopted) {
    Assignments parameters{{"kernel", adopted.kernel},
                           {"weights", "uniform"},
                           {"scale", adopted.scaler.shift.empty() ? "none" : "standard"},
                           {"impute", adopted.scaler.fill.empty() ? "none" : "mean"},
                           {"probability", adopted.calibration.empty() ? "no" : "yes"},
                           {"elect", adopted.calibration.empty() ? "decision" : "probability"},
                           {"neighbours", std::to_string(adopted.neighbours)}};
    if (!adopted.loss.empty()) parameters.emplace_back("loss", adopted.loss);
    return parameters;
}

}  // namespace

Model adopt(AdoptedModel adopted, Control& control) {
    const KernelPointer kernel = make_kernel(adopted.kernel, adopted.rows, &control);
    Model model;
    model.predictor = predictor_of(adopted, kernel, control);
    adopted.kernel = kernel->text();
    model.machine = adopted.machine;
    model.task = adopted.task;
    model.parameters = parameters_of(adopted);
    model.kernel = adopted.kernel;
    model.kernels = {adopted.kernel};
    model.kernel_weights = {1.0};
    model.classes = std::move(adopted.classes);
    model.rule = adopted.rule;
    model.calibration = std::move(adopted.calibration);
    model.kind = adopted.rows.kind();
    model.features = adopted.rows.cols();
    model.feature_names = std::move(adopted.feature_names);
    model.training_rows = model.kind == DataKind::gram ? adopted.rows.gram().cols : adopted.rows.rows();
    model.preparation.scaler = std::move(adopted.scaler);
    Report origin;
    origin.add("program", adopted.program).add("type", adopted.type);
    Report report;
    report.add("imported", std::move(origin));
    model.training_report = json_text(report);
    return model;
}

}  // namespace dk
