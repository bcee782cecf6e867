// SPDX-License-Identifier: Apache-2.0
#include "report/report_page.hpp"

#include <optional>

#include "abi/guard.hpp"
#include "base/files/files.hpp"
#include "pipeline/prepare.hpp"
#include "report/explanation/explanation.hpp"

using namespace dk;
using namespace dk::abi;

namespace {

/// Gives the training rows, which may be null, and throws unless they may be the model's.
const Dataset* training_of(const Model& model, const dk_data* training) {
    if (training == nullptr) return nullptr;
    require_training_rows(model, training->value);
    return &training->value;
}

void write_page(const std::string& path, std::string_view page) {
    replace_file(path, {reinterpret_cast<const std::uint8_t*>(page.data()), page.size()});
}

std::vector<const Model*> models_of(const dk_model* const* models, int64_t count) {
    constexpr int64_t most_models = 100;
    if (count < 1 || count > most_models)
        fail(Status::invalid_argument, "count is ", count, "; a report is of 1 to ", most_models, " models");
    required(models, "models");
    std::vector<const Model*> all;
    for (int64_t m = 0; m < count; ++m) {
        if (models[m] == nullptr) fail(Status::invalid_argument, "model ", m, " is NULL");
        all.push_back(&models[m]->value);
        if (all.back()->task != all.front()->task)
            fail(Status::invalid_argument, "model ", m, " is of ", all.back()->task, ", the first one of ",
                 all.front()->task, "; models that are compared learned the same");
    }
    return all;
}

}  // namespace

dk_status dk_explain_row(char* out, int64_t capacity, int64_t* needed, const dk_model* model,
                         const dk_data* data, int64_t row, const dk_data* training, dk_control* control) {
    return guarded([&] {
        const Model& known = required(model, "model").value;
        const Dataset& rows = required(data, "data").value;
        if (row < 0 || row >= rows.rows())
            fail(Status::invalid_argument, "row is ", row, "; allowed is 0 to ", rows.rows() - 1);
        const Dataset* const given = training_of(known, training);
        Call call(control, "explaining");
        const Dataset one = rows_for_model(known, rows.select(std::vector<Index>{row}), call.control());
        std::optional<TrainingRows> training_rows;
        if (given != nullptr)
            training_rows = training_rows_of(
                known, rows_for_model(known, with_self_similarities(*given, call.control()), call.control()),
                call.control());
        const TrainingRows* const known_rows = training_rows ? &*training_rows : nullptr;
        const RowExplanation explanation =
            explanation_of(known, one, known_rows, ExplanationDepth::influences, call.control());
        write_text(explanation_text(known, explanation, one, row, known_rows ? &known_rows->rows : nullptr),
                   out, capacity, needed);
        call.finish();
    });
}

dk_status dk_report(const char* path, const dk_model* const* models, int64_t count, const dk_data* data,
                    const dk_data* training, const char* options, dk_control* control) {
    return guarded([&] {
        const std::string file(required_text(path, "path"));
        const std::vector<const Model*> all = models_of(models, count);
        const Dataset& rows = required(data, "data").value;
        const ReportOptions chosen = report_options(options == nullptr ? std::string_view() : options);
        Call call(control, "report");
        if (count > 1) {
            write_page(file, comparison_page(all, rows, chosen, call.control()));
        } else {
            const Model& model = *all.front();
            const Dataset* const given = training_of(model, training);
            const auto known = [&](const Dataset& one) {
                return rows_for_model(model, with_self_similarities(one, call.control()), call.control());
            };
            const Dataset shown = given == &rows ? known(rows) : rows_for_model(model, rows, call.control());
            std::optional<Dataset> training_rows;
            if (given != nullptr && given != &rows) training_rows = known(*given);
            const ReportedModel reported{model, shown,
                                         given == &rows  ? &shown
                                         : training_rows ? &*training_rows
                                                         : nullptr,
                                         chosen};
            write_page(file, report_page(reported, call.control()));
        }
        call.finish();
    });
}
