// SPDX-License-Identifier: Apache-2.0
#include "kernel/algebra.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "kernel/maps.hpp"

namespace dk {

namespace {

template <typename T>
using EvaluatorPointer = std::unique_ptr<Evaluator<T>>;

/// Runs body(row of out, row of other) for every row of the block.
template <typename T, typename Body>
void for_rows(const Block& block, T* out, Index stride, const T* other, Body body) {
    for (Index i = 0; i < block.rows(); ++i) body(out + i * stride, other + i * block.cols);
}

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
        for (Index i = 0; i < block.rows(); ++i) {
            std::fill(out + i * stride, out + i * stride + block.cols, static_cast<T>(offset_));
        }
        auto scratch = workspace.scratch();
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            terms_[k]->evaluate(workspace, scratch.data(), block.cols);
            const T weight = static_cast<T>(weights_[k]);
            for_rows(block, out, stride, scratch.data(), [&](T* sum, const T* values) {
                for (Index j = 0; j < block.cols; ++j) sum[j] += weight * values[j];
            });
        }
    }

    std::vector<double> self(Side side) const override {
        std::vector<double> sum(unsigned_of(operands_.data(side).rows()), offset_);
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
        : terms_(std::move(terms)), offset_(offset) {}

    std::string text() const override {
        std::vector<std::string> parts;
        for (const auto& [weight, kernel] : terms_) {
            parts.push_back(weight == 1 ? kernel->text() : dk::text(weight, "*", factor_text(*kernel)));
        }
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
    bool linear() const override {
        return !terms_.empty() && std::ranges::all_of(terms_, [](const auto& term) {
            return term.weight > 0 && term.kernel->linear();
        });
    }

    /// As a factor of a product: in brackets when it is a sum.
    static std::string factor_text(const Kernel& kernel) {
        const auto* sum = dynamic_cast<const Combination*>(&kernel);
        return sum != nullptr ? "(" + kernel.text() + ")" : kernel.text();
    }

    template <typename T>
    EvaluatorPointer<T> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<CombinationEvaluator<T>>(operands, terms_, offset_);
    }

  private:
    std::vector<WeightedKernel> terms_;
    double offset_;
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
        auto scratch = workspace.scratch();
        for (std::size_t k = 1; k < factors_.size(); ++k) {
            factors_[k]->evaluate(workspace, scratch.data(), block.cols);
            for_rows(block, out, stride, scratch.data(), [&](T* product, const T* values) {
                for (Index j = 0; j < block.cols; ++j) product[j] *= values[j];
            });
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

template <typename T>
class PowerEvaluator final : public Evaluator<T> {
  public:
    PowerEvaluator(EvaluatorPointer<T> base, int exponent) : base_(std::move(base)), exponent_(exponent) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        auto scratch = workspace.scratch();
        base_->evaluate(workspace, scratch.data(), block.cols);
        tile_maps<T>().power(scratch.data(), 1, 0, exponent_, block.rows(), block.cols, out, stride);
    }
    std::vector<double> self(Side side) const override {
        auto values = base_->self(side);
        for (double& v : values) v = std::pow(v, exponent_);
        return values;
    }

  private:
    EvaluatorPointer<T> base_;
    int exponent_;
};

class Power final : public BindableKernel<Power> {
  public:
    Power(KernelPointer base, int exponent) : base_(std::move(base)), exponent_(exponent) {}

    std::string text() const override { return dk::text("(", base_->text(), ")^", exponent_); }
    bool works_on(DataKind kind) const override { return base_->works_on(kind); }
    bool positive_semidefinite() const override { return base_->positive_semidefinite(); }
    bool constant_diagonal() const override { return base_->constant_diagonal(); }
    bool unit_diagonal() const override { return base_->unit_diagonal(); }
    void collect_states(std::vector<const KernelState*>& states) const override {
        base_->collect_states(states);
    }

    template <typename T>
    EvaluatorPointer<T> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<PowerEvaluator<T>>(base_->bind(operands), exponent_);
    }

  private:
    KernelPointer base_;
    int exponent_;
};

template <typename T>
class ExponentialEvaluator final : public Evaluator<T> {
  public:
    explicit ExponentialEvaluator(EvaluatorPointer<T> inner) : inner_(std::move(inner)) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        inner_->evaluate(workspace, out, stride);
        tile_maps<T>().exponential(out, 1, workspace.block().rows(), workspace.block().cols, stride, out,
                                   stride);
    }
    std::vector<double> self(Side side) const override {
        auto values = inner_->self(side);
        for (double& v : values) v = std::exp(v);
        return values;
    }

  private:
    EvaluatorPointer<T> inner_;
};

class Exponential final : public BindableKernel<Exponential> {
  public:
    explicit Exponential(KernelPointer inner) : inner_(std::move(inner)) {}

    std::string text() const override { return "exp(" + inner_->text() + ")"; }
    bool works_on(DataKind kind) const override { return inner_->works_on(kind); }
    bool positive_semidefinite() const override { return inner_->positive_semidefinite(); }
    void collect_states(std::vector<const KernelState*>& states) const override {
        inner_->collect_states(states);
    }
    bool constant_diagonal() const override { return inner_->constant_diagonal(); }

    template <typename T>
    EvaluatorPointer<T> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<ExponentialEvaluator<T>>(inner_->bind(operands));
    }

  private:
    KernelPointer inner_;
};

template <typename T>
class NormalisedEvaluator final : public Evaluator<T> {
  public:
    NormalisedEvaluator(const Operands<T>& operands, EvaluatorPointer<T> inner)
        : operands_(operands), inner_(std::move(inner)) {
        for (const Side side : {Side::left, Side::right}) {
            auto& factors = factors_[static_cast<std::size_t>(side)];
            factors = inner_->self(side);
            for (double& v : factors) v = v > 0 ? 1 / std::sqrt(v) : 0.0;
        }
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        inner_->evaluate(workspace, out, stride);
        const double* right = factors_[1].data() + block.right_row;
        for (Index i = 0; i < block.rows(); ++i) {
            const double left = factors_[0][unsigned_of(block.left_rows[unsigned_of(i)])];
            T* row = out + i * stride;
            if (left == 0) {
                for (Index j = 0; j < block.cols; ++j) row[j] = right[j] == 0 ? T{1} : T{0};
            } else {
                for (Index j = 0; j < block.cols; ++j) row[j] = static_cast<T>(row[j] * (left * right[j]));
            }
        }
    }
    std::vector<double> self(Side side) const override {
        return std::vector<double>(unsigned_of(operands_.data(side).rows()), 1.0);
    }

  private:
    const Operands<T>& operands_;
    EvaluatorPointer<T> inner_;
    std::array<std::vector<double>, 2> factors_;
};

class Normalised final : public BindableKernel<Normalised> {
  public:
    explicit Normalised(KernelPointer inner) : inner_(std::move(inner)) {}

    std::string text() const override { return "normalize(" + inner_->text() + ")"; }
    bool unit_diagonal() const override { return true; }
    bool works_on(DataKind kind) const override { return inner_->works_on(kind); }
    bool positive_semidefinite() const override { return inner_->positive_semidefinite(); }
    void collect_states(std::vector<const KernelState*>& states) const override {
        inner_->collect_states(states);
    }
    bool constant_diagonal() const override { return true; }

    template <typename T>
    EvaluatorPointer<T> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<NormalisedEvaluator<T>>(operands, inner_->bind(operands));
    }

  private:
    KernelPointer inner_;
};

}  // namespace

KernelPointer linear_combination(std::vector<WeightedKernel> terms, double offset) {
    if (terms.size() == 1 && terms.front().weight == 1 && offset == 0) return terms.front().kernel;
    return std::make_shared<Combination>(std::move(terms), offset);
}

KernelPointer product_of(std::vector<KernelPointer> factors) {
    return std::make_shared<Product>(std::move(factors));
}

KernelPointer power_of(KernelPointer kernel, int exponent) {
    if (exponent == 1) return kernel;
    return std::make_shared<Power>(std::move(kernel), exponent);
}

KernelPointer exponential_of(KernelPointer kernel) {
    return std::make_shared<Exponential>(std::move(kernel));
}

KernelPointer normalised(const KernelPointer& kernel) {
    if (kernel->unit_diagonal()) return kernel;
    if (const auto* normalisable = dynamic_cast<const Normalisable*>(kernel.get()))
        return normalisable->normalised();
    return std::make_shared<Normalised>(kernel);
}

KernelPointer combine(const Bank& bank, const std::vector<double>& weights) {
    std::vector<WeightedKernel> terms;
    for (std::size_t k = 0; k < bank.size(); ++k) {
        if (weights[k] != 0) terms.push_back({weights[k], bank[k]});
    }
    return linear_combination(std::move(terms), 0);
}

}  // namespace dk
