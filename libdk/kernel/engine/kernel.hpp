// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "kernel/engine/row_search.hpp"
#include "kernel/engine/workspace.hpp"
#include "matrix/feature_rows.hpp"

namespace dk {

/// A kernel bound to two datasets, which computes tiles of its matrix. Virtual calls are made for tiles,
/// never for pairs of rows.
template <typename T>
class Evaluator {
  public:
    Evaluator() = default;
    virtual ~Evaluator() = default;
    Evaluator(const Evaluator&) = delete;
    Evaluator& operator=(const Evaluator&) = delete;

    /// Computes the values of the workspace's block. The rows of `out` are `stride` values apart.
    virtual void evaluate(Workspace<T>& workspace, T* out, Index stride) const = 0;

    /// Gives k(x, x) for every row x of one side.
    virtual std::vector<double> self(Side side) const = 0;

    /// Gives a bound r for every row of one side such that the value of a left row i and a right row j is
    /// within r_i + r_j of what exact arithmetic makes of the data; none where no such bounds are known.
    virtual std::vector<double> rounding_bounds(Side) const { return {}; }

    /// Adds out(i, :) += sum_j coefficients(i, j) grad_x k(x_i, z_j) over the block's right rows z_j.
    /// `coefficients` has the block's shape, and `out` all columns of the data. Only differentiable kernels
    /// of dense rows have it.
    virtual void add_gradient(Workspace<T>&, const double* coefficients, double* out, Index stride) const {
        static_cast<void>(coefficients), static_cast<void>(out), static_cast<void>(stride);
        fail(Status::internal, "this kernel has no gradient");
    }

    /// Computes out = K v from factors of K, without tiles, and returns true; or does nothing and returns
    /// false, where K has no factors in double precision.
    virtual bool product(const double*, Index, double*, Control&) const { return false; }

    /// Gives the rows of one side as features in double precision whose products are the kernel's values.
    /// They have no rows where the kernel has no such features.
    virtual FeatureRows features(Side) const { return {}; }
};

/// What a kernel learned from the training rows beyond the numbers in its text. A model file keeps it.
struct KernelState {
    std::vector<Dataset> rows = {};  // none, or one of landmarks or reference rows
    std::vector<Index> shape = {};
    std::vector<double> numbers = {};
};

class FeatureMap;
struct WeightedKernel;

/// A kernel function with all its parameters. It never changes, so that any number of threads may use it.
class Kernel {
  public:
    Kernel() = default;
    virtual ~Kernel() = default;
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    /// Gives the kernel's text with all parameters as numbers, which parses back to the same kernel.
    virtual std::string text() const = 0;
    virtual bool works_on(DataKind kind) const = 0;
    virtual bool positive_semidefinite() const = 0;
    /// Tells whether k(x, x) is the same for every x.
    virtual bool constant_diagonal() const = 0;
    /// Tells whether k(x, x) = 1 for every x, so that cosine normalisation changes nothing.
    virtual bool unit_diagonal() const { return false; }
    /// Tells whether the kernel has a gradient everywhere, which Evaluator::add_gradient() computes.
    virtual bool differentiable() const { return false; }
    /// Tells whether a value costs hardly more than the product of the two rows.
    virtual bool cheap() const { return false; }
    /// Tells whether the kernel is c x.z + constant over all columns with c > 0, so that its feature space is
    /// the input space.
    virtual bool linear() const { return false; }

    /// Tells whether the kernel matrix is a product of factors, so that its products with vectors need no
    /// values of pairs.
    virtual bool factored() const { return false; }

    /// Tells whether values depend on which training rows x and z are, beyond the numbers in them. What an
    /// operator learns from such values does not hold for rows that come later.
    virtual bool knows_rows() const { return false; }
    /// Tells whether the caller computes the values, and knows them for the rows of the left side alone. Then
    /// there are none between two points that libdk has made.
    virtual bool asks_caller() const { return false; }
    /// Appends the states of this kernel and its parts, inner ones first, in the order of the text.
    virtual void collect_states(std::vector<const KernelState*>&) const {}
    /// Gives the kernels of which this one is a weighted sum, without its constant; none where it is no sum.
    virtual std::vector<WeightedKernel> terms() const;
    /// Gives the map phi of a kernel k(x, z) = phi(x).phi(z) whose features can be computed, or null.
    virtual const FeatureMap* feature_map() const { return nullptr; }
    /// Makes a search for those of some rows that are nearest in feature space, or gives null where that
    /// takes the kernel's values for all of them.
    virtual std::unique_ptr<const RowSearch> row_search(const Dataset& rows, Control& control) const {
        static_cast<void>(rows), static_cast<void>(control);
        return nullptr;
    }
    /// Makes `count` random features whose products approximate the kernel, or gives null where it has none.
    virtual std::shared_ptr<const FeatureMap> random_features(Index count, std::uint64_t seed,
                                                              const Dataset& data) const {
        static_cast<void>(count), static_cast<void>(seed), static_cast<void>(data);
        return nullptr;
    }

    /// Makes the evaluator of this kernel on the rows of `operands`, of which it requests what it will read.
    virtual std::unique_ptr<Evaluator<double>> bind(Operands<double>& operands) const = 0;
    virtual std::unique_ptr<Evaluator<float>> bind(Operands<float>& operands) const = 0;
};

using KernelPointer = std::shared_ptr<const Kernel>;
/// One or more base kernels.
using Bank = std::vector<KernelPointer>;

/// A kernel and its weight in a sum.
struct WeightedKernel {
    double weight;
    KernelPointer kernel;
};

/// Implements both bindings by one template that the derived class has:
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

/// A kernel that looks at some columns of the data. The derived class has function_text(), the kernel's text
/// without the columns.
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

/// Makes "on(columns, text)", or gives the text alone where the kernel looks at all columns.
std::string text_on_columns(const Columns& columns, const std::string& text);

template <typename Derived>
std::string ColumnKernel<Derived>::text() const {
    return text_on_columns(columns_, static_cast<const Derived&>(*this).function_text());
}

}  // namespace dk
