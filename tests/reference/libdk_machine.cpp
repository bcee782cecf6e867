// SPDX-License-Identifier: Apache-2.0
#include "libdk_machine.hpp"

#include <charconv>
#include <cmath>

namespace dk_reference {
namespace {

struct ParamsFree {
    void operator()(dk_params* params) const { dk_params_free(params); }
};
using Params = std::unique_ptr<dk_params, ParamsFree>;

void require(dk_status status, const char* call) {
    if (status != DK_OK) throw CallFailed(status, call);
}

std::string text_of(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

Data make_data(const std::vector<double>& values, std::size_t cols) {
    dk_data* data = nullptr;
    const auto width = static_cast<std::int64_t>(cols);
    const auto rows = static_cast<std::int64_t>(values.size() / cols);
    require(dk_data_from_dense(&data, values.data(), rows, width, width, DK_ROW_MAJOR), "dk_data_from_dense");
    return Data(data);
}

Params make_params(const char* machine, const Kernel& kernel) {
    dk_params* raw = nullptr;
    require(dk_params_create(&raw, machine), "dk_params_create");
    Params params(raw);
    require(dk_params_set(raw, "kernel", kernel.specification().c_str()), "dk_params_set kernel");
    require(dk_params_set(raw, "scale", "none"), "dk_params_set scale");  // LIBSVM scales nothing.
    return params;
}

Params make_params(const Problem& problem, const std::string& more) {
    Params params = make_params("svm", problem.kernel);
    dk_params* raw = params.get();
    require(dk_params_set_double(raw, "C", problem.cost), "dk_params_set_double C");
    if (problem.weighted()) {
        const std::string weights =
            "-1:" + text_of(problem.negative_weight) + ",1:" + text_of(problem.positive_weight);
        require(dk_params_set(raw, "class_weight", weights.c_str()), "dk_params_set class_weight");
    }
    require(dk_params_parse(raw, more.c_str()), "dk_params_parse");
    return params;
}

Params make_params(const MarginProblem& problem, const std::string& more) {
    Params params = make_params(name_of(problem.machine).c_str(), problem.input.kernel);
    dk_params* raw = params.get();
    if (problem.regression())
        require(dk_params_set_double(raw, "C", problem.input.cost), "dk_params_set_double C");
    if (problem.has_nu()) {
        require(dk_params_set_double(raw, "nu", problem.nu), "dk_params_set_double nu");
    } else {
        require(dk_params_set_double(raw, "epsilon", problem.epsilon), "dk_params_set_double epsilon");
    }
    require(dk_params_parse(raw, more.c_str()), "dk_params_parse");
    return params;
}

}  // namespace

LibdkMachine::LibdkMachine(const Problem& problem, const std::string& more)
    : cols_(problem.cols), data_(make_data(problem.values, problem.cols)) {
    const auto rows = static_cast<std::int64_t>(problem.rows());
    require(dk_data_set_labels(data_.get(), problem.labels.data(), rows), "dk_data_set_labels");
    train(make_params(problem, more).get());
}

LibdkMachine::LibdkMachine(const MarginProblem& problem, const std::string& more)
    : cols_(problem.input.cols), data_(make_data(problem.input.values, problem.input.cols)) {
    const auto rows = static_cast<std::int64_t>(problem.input.rows());
    if (problem.machine == MarginMachine::nu_svm)
        require(dk_data_set_labels(data_.get(), problem.input.labels.data(), rows), "dk_data_set_labels");
    if (problem.regression())
        require(dk_data_set_targets(data_.get(), problem.targets.data(), rows), "dk_data_set_targets");
    if (!problem.weights.empty())
        require(dk_data_set_sample_weights(data_.get(), problem.weights.data(), rows),
                "dk_data_set_sample_weights");
    train(make_params(problem, more).get());
}

void LibdkMachine::train(const dk_params* params) {
    dk_model* model = nullptr;
    require(dk_train(&model, data_.get(), params, nullptr), "dk_train");
    model_.reset(model);
}

nlohmann::json LibdkMachine::info() const {
    std::int64_t needed = 0;
    require(dk_model_info(nullptr, 0, &needed, model_.get()), "dk_model_info");
    std::string text(static_cast<std::size_t>(needed), '\0');
    require(dk_model_info(text.data(), needed, &needed, model_.get()), "dk_model_info");
    text.pop_back();  // the terminating zero
    return nlohmann::json::parse(text);
}

std::vector<double> LibdkMachine::decisions(const std::vector<double>& values) const {
    const Data data = make_data(values, cols_);
    const std::int64_t length = dk_data_rows(data.get()) * dk_model_decision_count(model_.get());
    std::vector<double> out(static_cast<std::size_t>(length));
    require(dk_decision(out.data(), length, model_.get(), data.get(), nullptr), "dk_decision");
    return out;
}

std::vector<std::int64_t> LibdkMachine::predict(const std::vector<double>& values) const {
    const std::vector<double> out = predicted_values(values);
    return {out.begin(), out.end()};
}

std::vector<double> LibdkMachine::predicted_values(const std::vector<double>& values) const {
    const Data data = make_data(values, cols_);
    const std::int64_t rows = dk_data_rows(data.get());
    std::vector<double> out(static_cast<std::size_t>(rows));
    require(dk_predict(out.data(), rows, model_.get(), data.get(), nullptr), "dk_predict");
    return out;
}

std::vector<long double> LibdkMachine::multipliers(const Matrix& kernel) const {
    std::vector<long double> alpha = coefficients(kernel);
    for (long double& value : alpha) value = std::abs(value);
    return alpha;
}

std::vector<long double> LibdkMachine::coefficients(const Matrix& kernel) const {
    const std::size_t rows = kernel.size();
    std::vector<double> prototypes(2 * rows);
    require(
        dk_model_prototype_coefficients(prototypes.data(), static_cast<std::int64_t>(2 * rows), model_.get()),
        "dk_model_prototype_coefficients");
    const long double t = scale(prototypes, kernel);
    std::vector<long double> result(rows);
    // No row is in both prototypes.
    for (std::size_t i = 0; i < rows; ++i) {
        if (prototypes[i] != 0 && prototypes[rows + i] != 0)
            throw std::logic_error("row " + std::to_string(i) + " is in both prototypes");
        result[i] = (static_cast<long double>(prototypes[i]) - prototypes[rows + i]) / t;
    }
    return result;
}

long double LibdkMachine::scale(const std::vector<double>& prototypes, const Matrix& kernel) const {
    const std::size_t rows = kernel.size();
    std::vector<double> said(2 * rows);
    require(dk_explain(said.data(), static_cast<std::int64_t>(2 * rows), model_.get(), data_.get(), nullptr),
            "dk_explain");
    // The mean over all rows evens out the rounding of single ones.
    long double distances = 0;
    long double entries = 0;
    std::vector<long double> inner(rows, 0);  // of each row with p+
    long double self = 0;                     // of p+ with itself
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < rows; ++j) inner[i] += prototypes[j] * kernel(i, j);
    }
    for (std::size_t i = 0; i < rows; ++i) self += prototypes[i] * inner[i];
    for (std::size_t i = 0; i < rows; ++i) {
        distances += kernel(i, i) - 2 * inner[i] + self;
        entries -= said[2 * i];
    }
    return distances / (2 * entries);
}

double LibdkMachine::shift() const {
    std::vector<double> shifts(static_cast<std::size_t>(dk_model_decision_count(model_.get())));
    require(dk_model_prototype_offsets(shifts.data(), nullptr, static_cast<std::int64_t>(shifts.size()),
                                       model_.get()),
            "dk_model_prototype_offsets");
    return shifts.front();
}

}  // namespace dk_reference
