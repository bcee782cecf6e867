// SPDX-License-Identifier: Apache-2.0
// This file has sums and products of kernels, sum_m w_m k_m(x, z) + c and prod_m k_m(x, z). They are positive
// semidefinite where the kernels are, and the weights and c are at least 0.
//
//   formula     code
//   w_m, k_m    WeightedKernel of the terms
//   c           offset
//
// Shawe-Taylor, Cristianini, Kernel methods for pattern analysis, 2004.
#include "kernel/algebra/algebra.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "kernel/engine/gradient.hpp"
#include "kernel/lowrank/combined_maps.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

template <typename T>
using EvaluatorPointer = std::unique_ptr<Evaluator<T>>;

template <typename T>
class CombinationEvaluator final : public Evaluator<T> {
  public:
    CombinationEvaluator(Operands<T>& operands, const std::vector<WeightedKernel>& terms, double offset)
        : operands_(operands), offset_(offset) {
        for (const auto& term : terms) {
            weights_.push_back(term.weight);
            terms_.push_back(term.kernel->bind(operands));
        }
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        auto K = view(out, block.rows(), block.cols, stride);
        K.setConstant(static_cast<T>(offset_));
        auto scratch = workspace.scratch();
        const auto values = view(scratch.data(), block.rows(), block.cols);
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            terms_[k]->evaluate(workspace, scratch.data(), block.cols);
            const T weight = static_cast<T>(weights_[k]);
            for (Index i = 0; i < block.rows(); ++i) {
                T* sum = &K(i, 0);
                const T* term = &values(i, 0);
                for (Index j = 0; j < block.cols; ++j) sum[j] += weight * term[j];
            }
        }
    }

    void add_gradient(Workspace<T>& workspace, const double* coefficients, double* out,
                      Index stride) const override {
        const auto count = workspace.block().rows() * workspace.block().cols;
        std::vector<double> weighted(count);
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            for (Index e = 0; e < count; ++e) weighted[e] = weights_[k] * coefficients[e];
            terms_[k]->add_gradient(workspace, weighted.data(), out, stride);
        }
    }

    std::vector<double> self(Side side) const override {
        std::vector<double> sum(operands_.data(side).rows(), offset_);
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            const auto values = terms_[k]->self(side);
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weights_[k] * values[i];
        }
        return sum;
    }

  private:
    const Operands<T>& operands_;
    double offset_;
    std::vector<double> weights_;
    std::vector<EvaluatorPointer<T>> terms_;
};

class Combination final : public BindableKernel<Combination> {
  public:
    Combination(std::vector<WeightedKernel> terms, double offset)
        : terms_(std::move(terms)), offset_(offset), map_(joined()) {}

    std::string text() const override {
        std::vector<std::string> parts;
        for (const auto& [weight, kernel] : terms_) {
            parts.push_back(weight == 1 ? kernel->text() : dk::text(weight, "*", factor_text(*kernel)));
        }
        // A number is no argument of an operator, and the kernel constant is.
        if (terms_.empty() && offset_ > 0) return dk::text("constant(value=", offset_, ")");
        if (offset_ != 0 || terms_.empty()) parts.push_back(format_number(offset_));
        return join(parts, " + ");
    }
    bool works_on(DataKind kind) const override {
        return std::ranges::all_of(terms_, [&](const auto& term) { return term.kernel->works_on(kind); });
    }
    bool positive_semidefinite() const override {
        return offset_ >= 0 && std::ranges::all_of(terms_, [](const auto& term) {
                   return term.weight >= 0 && term.kernel->positive_semidefinite();
               });
    }
    bool constant_diagonal() const override {
        return std::ranges::all_of(terms_, [](const auto& term) { return term.kernel->constant_diagonal(); });
    }
    void collect_states(std::vector<const KernelState*>& states) const override {
        for (const auto& term : terms_) term.kernel->collect_states(states);
    }
    bool knows_rows() const override {
        return std::ranges::any_of(terms_, [](const auto& term) { return term.kernel->knows_rows(); });
    }
    bool asks_caller() const override {
        return std::ranges::any_of(terms_, [](const auto& term) { return term.kernel->asks_caller(); });
    }
    bool differentiable() const override {
        return std::ranges::all_of(terms_, [](const auto& term) { return term.kernel->differentiable(); });
    }
    bool cheap() const override {
        return std::ranges::all_of(terms_, [](const auto& term) { return term.kernel->cheap(); });
    }
    bool linear() const override {
        return !terms_.empty() && std::ranges::all_of(terms_, [](const auto& term) {
            return term.weight > 0 && term.kernel->linear();
        });
    }

    bool factored() const override { return map_ != nullptr; }
    const FeatureMap* feature_map() const override { return map_.get(); }
    std::vector<WeightedKernel> terms() const override { return terms_; }

    /// The text of a kernel that is a factor of a product, in brackets when the kernel is a sum.
    static std::string factor_text(const Kernel& kernel) {
        const bool sum = dynamic_cast<const Combination*>(&kernel) != nullptr || !kernel.terms().empty();
        return sum ? dk::text("(", kernel.text(), ")") : kernel.text();
    }

    template <typename T>
    EvaluatorPointer<T> make_evaluator(Operands<T>& operands) const {
        if (map_) return make_feature_evaluator(operands, *map_);
        return std::make_unique<CombinationEvaluator<T>>(operands, terms_, offset_);
    }

  private:
    /// Gives the features of all terms as one map, or null where some term has none.
    std::shared_ptr<const FeatureMap> joined() const {
        std::vector<WeightedMap> maps;
        for (const auto& [weight, kernel] : terms_) {
            auto map = map_of(kernel);
            if (!map || !(weight >= 0)) return nullptr;
            maps.push_back({weight, std::move(map)});
        }
        return maps.empty() || !(offset_ >= 0) ? nullptr : joined_map(std::move(maps), offset_);
    }

    std::vector<WeightedKernel> terms_;
    double offset_;
    std::shared_ptr<const FeatureMap> map_;  // null where some term has no features
};

template <typename T>
class ProductEvaluator final : public Evaluator<T> {
  public:
    ProductEvaluator(Operands<T>& operands, const std::vector<KernelPointer>& factors) {
        for (const auto& factor : factors) factors_.push_back(factor->bind(operands));
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        factors_.front()->evaluate(workspace, out, stride);
        auto K = view(out, block.rows(), block.cols, stride);
        auto scratch = workspace.scratch();
        const auto values = view(scratch.data(), block.rows(), block.cols);
        for (std::size_t k = 1; k < factors_.size(); ++k) {
            factors_[k]->evaluate(workspace, scratch.data(), block.cols);
            for (Index i = 0; i < block.rows(); ++i) {
                T* product = &K(i, 0);
                const T* factor = &values(i, 0);
                for (Index j = 0; j < block.cols; ++j) product[j] *= factor[j];
            }
        }
    }

    /// The gradient of a product adds up the gradient of each factor times the values of the others.
    void add_gradient(Workspace<T>& workspace, const double* coefficients, double* out,
                      Index stride) const override {
        std::vector<std::vector<T>> values;
        for (const auto& factor : factors_) values.push_back(values_of(*factor, workspace));
        for (std::size_t k = 0; k < factors_.size(); ++k) {
            std::vector<double> weighted(coefficients, coefficients + values[k].size());
            for (std::size_t other = 0; other < factors_.size(); ++other) {
                for (std::size_t e = 0; other != k && e < weighted.size(); ++e)
                    weighted[e] *= values[other][e];
            }
            factors_[k]->add_gradient(workspace, weighted.data(), out, stride);
        }
    }

    std::vector<double> self(Side side) const override {
        std::vector<double> product = factors_.front()->self(side);
        for (std::size_t k = 1; k < factors_.size(); ++k) {
            const auto values = factors_[k]->self(side);
            for (std::size_t i = 0; i < product.size(); ++i) product[i] *= values[i];
        }
        return product;
    }

  private:
    std::vector<EvaluatorPointer<T>> factors_;
};

class Product final : public BindableKernel<Product> {
  public:
    explicit Product(std::vector<KernelPointer> factors) : factors_(std::move(factors)) {}

    std::string text() const override {
        std::vector<std::string> parts;
        for (const auto& factor : factors_) parts.push_back(Combination::factor_text(*factor));
        return join(parts, "*");
    }
    bool works_on(DataKind kind) const override {
        return std::ranges::all_of(factors_, [&](const auto& factor) { return factor->works_on(kind); });
    }
    bool positive_semidefinite() const override {
        return std::ranges::all_of(factors_,
                                   [](const auto& factor) { return factor->positive_semidefinite(); });
    }
    bool constant_diagonal() const override {
        return std::ranges::all_of(factors_, [](const auto& factor) { return factor->constant_diagonal(); });
    }
    bool knows_rows() const override {
        return std::ranges::any_of(factors_, [](const auto& factor) { return factor->knows_rows(); });
    }
    bool asks_caller() const override {
        return std::ranges::any_of(factors_, [](const auto& factor) { return factor->asks_caller(); });
    }
    bool differentiable() const override {
        return std::ranges::all_of(factors_, [](const auto& factor) { return factor->differentiable(); });
    }
    void collect_states(std::vector<const KernelState*>& states) const override {
        for (const auto& factor : factors_) factor->collect_states(states);
    }

    template <typename T>
    EvaluatorPointer<T> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<ProductEvaluator<T>>(operands, factors_);
    }

  private:
    std::vector<KernelPointer> factors_;
};

}  // namespace

KernelPointer linear_combination(std::vector<WeightedKernel> terms, double offset) {
    if (terms.size() == 1 && terms.front().weight == 1 && offset == 0) return terms.front().kernel;
    return std::make_shared<Combination>(std::move(terms), offset);
}

KernelPointer product_of(std::vector<KernelPointer> factors) {
    return std::make_shared<Product>(std::move(factors));
}

KernelPointer combine(const Bank& bank, const std::vector<double>& weights) {
    std::vector<WeightedKernel> terms;
    for (std::size_t k = 0; k < bank.size(); ++k) {
        if (weights[k] != 0) terms.push_back({weights[k], bank[k]});
    }
    return linear_combination(std::move(terms), 0);
}

}  // namespace dk
