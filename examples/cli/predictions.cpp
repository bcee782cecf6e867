// SPDX-License-Identifier: Apache-2.0
#include "predictions.hpp"

namespace command {

Predictions predict(Control& control, Columns columns, const Model& model, const Data& data,
                    const ClassNames& classes) {
    const int64_t rows = dk_data_rows(data.get());
    Predictions result;
    result.labels = control.values_of(dk_predict, rows, model.get(), data.get());
    if (columns == Columns::probabilities) result.columns = classes.all();
    if (columns == Columns::decisions) result.columns = function_names(model, classes);
    if (columns == Columns::contributions) result.columns = prototype_names(model, classes);
    if (columns == Columns::features) {
        for (int64_t f = 0; f < dk_model_transform_count(model.get()); ++f)
            result.columns.push_back("feature " + std::to_string(f));
    }
    if (columns == Columns::reconstructions) {
        for (int64_t f = 0; f < dk_model_feature_count(model.get()); ++f)
            result.columns.push_back("column " + std::to_string(f));
    }
    const int64_t length = rows * static_cast<int64_t>(result.columns.size());
    if (columns == Columns::probabilities) {
        result.values = control.values_of(dk_probability, length, model.get(), data.get());
    } else if (columns == Columns::decisions) {
        result.values = control.values_of(dk_decision, length, model.get(), data.get());
    } else if (columns == Columns::contributions) {
        result.values = control.values_of(dk_explain, length, model.get(), data.get());
    } else if (columns == Columns::features) {
        result.values = control.values_of(dk_transform, length, model.get(), data.get());
    } else if (columns == Columns::reconstructions) {
        result.values = control.values_of(dk_reconstruct, length, model.get(), data.get());
    }
    return result;
}

void write_csv(const std::string& path, const Predictions& predictions, const ClassNames& classes) {
    Output output(path);
    output.text("prediction");
    for (const std::string& column : predictions.columns) {
        output.text(",");
        output.field(column);
    }
    output.text("\n");
    auto value = predictions.values.begin();
    for (const double label : predictions.labels) {
        if (classes.empty()) {
            output.number(label);
        } else {
            output.field(classes.of_prediction(label).get_ref<const std::string&>());
        }
        for (size_t c = 0; c < predictions.columns.size(); ++c) {
            output.text(",");
            output.number(*value++);
        }
        output.text("\n");
    }
    output.commit();
}

}  // namespace command
