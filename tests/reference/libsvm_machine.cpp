// SPDX-License-Identifier: Apache-2.0
#include "libsvm_machine.hpp"

#include <svm.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace dk_reference {
namespace {

std::vector<svm_node> make_nodes(const double* row, std::size_t cols) {
    std::vector<svm_node> nodes;
    for (std::size_t j = 0; j < cols; ++j) nodes.push_back({static_cast<int>(j) + 1, row[j]});
    nodes.push_back({-1, 0});
    return nodes;
}

int kernel_type(KernelKind kind) {
    switch (kind) {
        case KernelKind::linear:
            return LINEAR;
        case KernelKind::rbf:
            return RBF;
        case KernelKind::poly:
            return POLY;
    }
    throw std::logic_error("unknown kernel");
}

int machine_type(MarginMachine machine) {
    switch (machine) {
        case MarginMachine::nu_svm:
            return NU_SVC;
        case MarginMachine::svr:
            return EPSILON_SVR;
        case MarginMachine::nu_svr:
            return NU_SVR;
        case MarginMachine::one_class_svm:
            return ONE_CLASS;
    }
    throw std::logic_error("unknown machine");
}

// LIBSVM prints through a plain function.
std::string& printed_text() {
    static std::string text;
    return text;
}

struct ModelFree {
    void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

}  // namespace

class LibsvmMachine::Implementation {
  public:
    Implementation(const Problem& problem, double tolerance) : rows_(problem.rows()), cols_(problem.cols) {
        targets_.assign(problem.labels.begin(), problem.labels.end());
        set_parameters(problem, tolerance);
        train(problem);
    }

    Implementation(const MarginProblem& problem, double tolerance)
        : rows_(problem.input.rows()), cols_(problem.input.cols) {
        if (problem.regression()) {
            targets_ = problem.targets;
        } else {
            targets_.assign(problem.input.labels.begin(), problem.input.labels.end());
        }
        set_parameters(problem.input, tolerance);
        parameters_.svm_type = machine_type(problem.machine);
        parameters_.nu = problem.nu;
        parameters_.p = problem.epsilon;
        train(problem.input);
    }

    // +1 when LIBSVM's decision is positive for the larger of two labels. LIBSVM's is positive for the label
    // it saw first. Regressions and one-class machines have no labels.
    int sign() const { return labels_.empty() || labels_[0] > labels_[1] ? 1 : -1; }

    std::vector<long double> coefficients() const {
        std::vector<long double> result(rows_, 0);
        for (int s = 0; s < model_->l; ++s) {
            const auto row = static_cast<std::size_t>(model_->sv_indices[s] - 1);
            result[row] = static_cast<long double>(model_->sv_coef[0][s]) * sign();
        }
        return result;
    }

    std::vector<double> decisions(const double* row) const {
        const std::size_t classes = labels_.empty() ? 2 : labels_.size();
        std::vector<double> values(classes * (classes - 1) / 2);
        svm_predict_values(model_.get(), make_nodes(row, cols_).data(), values.data());
        if (classes == 2) {
            values[0] *= sign();
            return values;
        }
        if (!std::is_sorted(labels_.begin(), labels_.end()))
            throw std::logic_error("labels must first occur in order");
        return values;
    }

    std::int64_t predict(const double* row) const {
        return static_cast<std::int64_t>(svm_predict(model_.get(), make_nodes(row, cols_).data()));
    }

    double printed(const std::string& name) const {
        const std::size_t at = log_.find(name + " = ");
        if (at == std::string::npos) throw std::logic_error("LIBSVM printed no " + name + " in: " + log_);
        return std::stod(log_.substr(at + name.size() + 3));
    }

  private:
    void train(const Problem& problem) {
        for (std::size_t i = 0; i < rows_; ++i) nodes_.push_back(make_nodes(problem.row(i), cols_));
        for (std::vector<svm_node>& nodes : nodes_) pointers_.push_back(nodes.data());
        const svm_problem input{static_cast<int>(rows_), targets_.data(), pointers_.data()};
        if (const char* message = svm_check_parameter(&input, &parameters_))
            throw std::runtime_error(message);
        printed_text().clear();
        svm_set_print_string_function([](const char* text) { printed_text() += text; });
        model_.reset(svm_train(&input, &parameters_));
        log_ = printed_text();
        if (parameters_.svm_type != C_SVC && parameters_.svm_type != NU_SVC) return;
        labels_.resize(static_cast<std::size_t>(svm_get_nr_class(model_.get())));
        svm_get_labels(model_.get(), labels_.data());
    }

    void set_parameters(const Problem& problem, double tolerance) {
        parameters_.svm_type = C_SVC;
        parameters_.kernel_type = kernel_type(problem.kernel.kind);
        parameters_.degree = problem.kernel.degree;
        parameters_.gamma = problem.kernel.gamma;
        parameters_.coef0 = problem.kernel.coef0;
        parameters_.cache_size = 200;
        parameters_.eps = tolerance;
        parameters_.C = problem.cost;
        parameters_.shrinking = 1;
        if (problem.weighted()) {
            weights_ = {problem.negative_weight, problem.positive_weight};
            parameters_.nr_weight = 2;
            parameters_.weight_label = weight_labels_.data();
            parameters_.weight = weights_.data();
        }
    }

    std::size_t rows_;
    std::size_t cols_;
    // The model points into these.
    std::vector<std::vector<svm_node>> nodes_;
    std::vector<svm_node*> pointers_;
    std::vector<double> targets_;
    std::array<int, 2> weight_labels_{-1, 1};
    std::array<double, 2> weights_{1, 1};
    svm_parameter parameters_{};
    std::unique_ptr<svm_model, ModelFree> model_;
    std::vector<int> labels_;
    std::string log_;
};

LibsvmMachine::LibsvmMachine(const Problem& problem, double tolerance)
    : implementation_(std::make_unique<Implementation>(problem, tolerance)) {}
LibsvmMachine::LibsvmMachine(const MarginProblem& problem, double tolerance)
    : implementation_(std::make_unique<Implementation>(problem, tolerance)) {}
LibsvmMachine::~LibsvmMachine() = default;

std::vector<long double> LibsvmMachine::multipliers() const {
    std::vector<long double> result = coefficients();
    for (long double& value : result) value = std::abs(value);
    return result;
}
std::vector<long double> LibsvmMachine::coefficients() const {
    return implementation_->coefficients();
}
std::vector<double> LibsvmMachine::decisions(const double* row) const {
    return implementation_->decisions(row);
}
std::int64_t LibsvmMachine::predict(const double* row) const {
    return implementation_->predict(row);
}
double LibsvmMachine::printed(const std::string& name) const {
    return implementation_->printed(name);
}

}  // namespace dk_reference
