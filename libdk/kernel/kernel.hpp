// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "kernel/engine/workspace.hpp"
#include "matrix/feature_rows.hpp"

namespace dk {

/// A kernel bound to two datasets: computes tiles. One virtual call a tile, none a pair.
template <typename T>
class Evaluator {
  public:
    Evaluator() = default;
    virtual ~Evaluator() = default;
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;

    /// The values of the workspace's block, rows at the given stride.
    virtual void evaluate(Workspace<T>& workspace, T* out, Index stride) const = 0;

    /// k(x, x) of every row of one side.
    virtual std::vector<double> self(Side side) const = 0;

    /// out(i, :) += sum_j coefficients(i, j) grad_x k(x_i, z_j) over all columns of the data; `coefficients`
    /// has the block's shape. Only of differentiable kernels of dense rows.
    virtual void add_gradient(Workspace<T>&, const double* coefficients, double* out, Index stride) const {
        static_cast<void>(coefficients), static_cast<void>(out), static_cast<void>(stride);
        fail(Status::internal, "this kernel has no gradient");
    }

    /// out = K v without tiles, where there is a way; false where there is none.
    virtual bool product(const double*, Index, double*, Control&) const { return false; }

    /// The rows of one side as features whose products are the values; none where it has none, or only sparse
    /// ones.
    virtual FeatureRows features(Side) const { return {}; }
};

/// What a kernel learned from the training rows beyond the numbers in its text, as a model file keeps it.
struct KernelState {
    std::vector<Dataset> rows = {};  // none or one: landmarks, reference rows
    std::vector<Index> shape = {};
    std::vector<double> numbers = {};
};

class FeatureMap;

/// A kernel function with all its parameters, immutable.
class Kernel {
  public:
    Kernel() = default;
    virtual ~Kernel() = default;
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    /// Its specification with all parameters as numbers; parses back to the same kernel.
    virtual std::string text() const = 0;
    virtual bool works_on(DataKind kind) const = 0;
    virtual bool positive_semidefinite() const = 0;
    /// Whether k(x, x) is the same for every x.
    virtual bool constant_diagonal() const = 0;
    /// Whether k(x, x) = 1, so that cosine normalisation changes nothing.
    virtual bool unit_diagonal() const { return false; }
    /// Whether it has a gradient everywhere that add_gradient() gives.
    virtual bool differentiable() const { return false; }
    /// Whether it is c x.z + constant over all columns, c > 0, so that its feature space is the input space.
    virtual bool linear() const { return false; }

    /// Whether its matrix is a product of factors, so that its products with vectors cost no pairs.
    virtual bool factored() const { return false; }

    /// Whether its values depend on which rows x and z are, beyond what is in them. Nothing can be learned
    /// around such a kernel: it does not know rows that come later.
    virtual bool knows_rows() const { return false; }
    /// Appends the states of this kernel's parts, inner ones first, in the order of its text.
    virtual void collect_states(std::vector<const KernelState*>&) const {}
    /// `count` random features whose products approximate the kernel; null where it has none.
    virtual std::shared_ptr<const FeatureMap> random_features(Index count, std::uint64_t seed,
                                                              const Dataset& data) const {
        static_cast<void>(count), static_cast<void>(seed), static_cast<void>(data);
        return nullptr;
    }

    virtual std::unique_ptr<Evaluator<double>> bind(Operands<double>& operands) const = 0;
    virtual std::unique_ptr<Evaluator<float>> bind(Operands<float>& operands) const = 0;
};

using KernelPointer = std::shared_ptr<const Kernel>;
/// One or more base kernels.
using Bank = std::vector<KernelPointer>;

/// Implements both bindings by one template of the derived class:
///     template <typename T> std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>&) const;
template <typename Derived>
class BindableKernel : public Kernel {
  public:
    std::unique_ptr<Evaluator<double>> bind(Operands<double>& operands) const final {
        return static_cast<const Derived&>(*this).make_evaluator(operands);
    }
    std::unique_ptr<Evaluator<float>> bind(Operands<float>& operands) const final {
        return static_cast<const Derived&>(*this).make_evaluator(operands);
    }
};

/// A kernel of feature vectors that looks at some of the columns.
template <typename Derived>
class ColumnKernel : public BindableKernel<Derived> {
  public:
    explicit ColumnKernel(Columns columns) : columns_(std::move(columns)) {}
    bool works_on(DataKind kind) const override {
        return kind == DataKind::dense || kind == DataKind::sparse;
    }
    std::string text() const final;

  protected:
    const Columns& columns() const { return columns_; }

  private:
    Columns columns_;
};

/// "on(columns, text)", or the text alone for all columns.
std::string text_on_columns(const Columns& columns, const std::string& text);

template <typename Derived>
std::string ColumnKernel<Derived>::text() const {
    return text_on_columns(columns_, static_cast<const Derived&>(*this).function_text());
}

}  // namespace dk
