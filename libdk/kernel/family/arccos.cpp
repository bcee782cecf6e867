// SPDX-License-Identifier: Apache-2.0
// A layer of infinitely many rectifiers of degree n, each max(w.x, 0)^n for a normal direction w, turns x and
// z into features. The inner product of these features is the arc-cosine kernel of degree n:
//   k_n(x, z) = 1/pi |x|^n |z|^n J_n(theta),   cos theta = x.z / (|x| |z|).
// A kernel of several layers is k_n of the features of the layers before. Each layer takes the cosine and the
// lengths of the layer before it, and |x|^2 becomes k_n(x, x) = (2 n - 1)!! |x|^2n.
//
//   paper          code
//   n              an element of degrees, which has one for each layer
//   J_n            the maps of kernel/engine/arc_cosine_maps.cpp
//   |x|, |z|       1 / Rows::reciprocals
//   cos theta      1 - |gap| with the sign of the gap (find_gaps)
//
// Cho, Saul, Kernel methods for deep learning, NIPS 2009.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "kernel/both_sides.hpp"
#include "kernel/engine/arc_cosine_maps.hpp"
#include "kernel/language/registry.hpp"
#include "kernel/lowrank/random_features.hpp"
#include "kernel/operator/algebra.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

constexpr double smallest_gap = 1e-300;                      // is not 0, because its sign tells blunt angles
constexpr std::array<double, 4> odd_factorial{1, 1, 3, 15};  // J_n(0) / pi = (2 n - 1)!!

/// Computes sqrt(k(x, x)) of the last layer from |x|^2: every layer maps q to (2 n - 1)!! q^n. The function
/// works with logarithms, because two layers of degree 3 make |x|^18 of |x|^2, which can overflow.
double layer_scale(double squared_norm, const std::vector<int>& degrees) {
    double log_self = squared_norm > 0 ? std::log(squared_norm) : -infinity;
    for (const int degree : degrees) {
        log_self = degree == 0 ? 0.0 : std::log(odd_factorial[degree]) + degree * log_self;
    }
    return std::exp(0.5 * log_self);
}

template <typename T>
class ArcCosineEvaluator final : public Evaluator<T> {
  public:
    ArcCosineEvaluator(Operands<T>& operands, const Columns& columns, const std::vector<int>& degrees,
                       bool normalised)
        : operands_(operands), product_(operands.request_product(columns)), degrees_(degrees) {
        for (const Side side : {Side::left, Side::right}) {
            const auto& norms = operands.panel(side, product_).squared_norms;
            auto& rows = rows_[side];
            for (const double norm : norms) {
                rows.reciprocals.push_back(norm > 0 ? 1 / std::sqrt(norm) : 0.0);
                rows.scales.push_back(normalised ? 1.0 : layer_scale(norm, degrees));
            }
            rows.reciprocals.resize(norms.size() + arc_cosine_padding);
            rows.scales.resize(rows.reciprocals.size());
        }
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        const auto& left = rows_.left;
        const auto& right = rows_.right;
        const double* right_reciprocals = right.reciprocals.data() + block.right_row;
        const double* right_scales = right.scales.data() + block.right_row;
        const auto products = view(workspace.inner_products(product_), block.rows(), block.cols);
        auto K = view(out, block.rows(), block.cols, stride);
        for (Index i = 0; i < block.rows(); ++i) {
            const auto id = block.left_rows[i];
            const ArcCosineRow row{left.reciprocals[id], right_reciprocals, left.scales[id], right_scales,
                                   degrees_};
            auto& gaps = workspace.row_of_doubles();
            if (row.left_reciprocal != 0 &&
                arc_cosine_of_products(&products.coeffRef(i, 0), row, block.cols, gaps.data(), &K(i, 0)))
                continue;
            find_gaps(block, i, products, row, gaps);
            arc_cosine_of_gaps(gaps.data(), row, block.cols, &K(i, 0));
        }
    }

    std::vector<double> self(Side side) const override {
        std::vector<double> values = rows_[side].scales;
        values.resize(values.size() - arc_cosine_padding);
        for (double& v : values) v *= v;
        return values;
    }

  private:
    /// What the maps need of the rows of one side. The vectors are longer than the number of rows, because
    /// the maps read whole registers.
    struct Rows {
        std::vector<double> reciprocals;  // 1 / |x|, or 0 for the zero vector
        std::vector<double> scales;       // sqrt(k(x, x))
    };

    /// Computes 1 - |cosine|, with the sign of the cosine. Where two rows are nearly parallel, the difference
    /// cancels, and half the squared distance of their unit vectors replaces it (for a negative cosine, of
    /// one unit vector and the opposite of the other). A zero vector counts as a direction of its own, which
    /// is orthogonal to every other row and equal to other zero vectors.
    void find_gaps(const Block& block, Index i, const ConstMatrixViewOf<T>& products, const ArcCosineRow& row,
                   std::vector<double>& gaps) const {
        for (Index j = 0; j < block.cols; ++j) {
            const double reciprocal = row.right_reciprocals[j];
            if (row.left_reciprocal == 0) {
                gaps[j] = reciprocal == 0 ? 0.0 : 1.0;
                continue;
            }
            const double cosine = products(i, j) * (row.left_reciprocal * reciprocal);
            const double side = cosine < 0 ? -1 : 1;
            double gap = 1 - std::abs(cosine);
            if (gap < close_gap) {
                gap = 0.5 * squared_distance(operands_.panel(Side::left, product_), block.left_rows[i],
                                             operands_.panel(Side::right, product_), block.right_row + j,
                                             row.left_reciprocal, side * reciprocal);
            }
            gaps[j] = side * std::max(gap, smallest_gap);
        }
    }

    const Operands<T>& operands_;
    std::size_t product_;
    std::vector<int> degrees_;
    BothSides<Rows> rows_;
};

/// The multilayer arc-cosine kernel. The cosines and the lengths pass through the layers separately, so that
/// its cosine-normalised form leaves the lengths out.
class ArcCosine final : public ColumnKernel<ArcCosine>, public Normalisable {
  public:
    ArcCosine(Columns columns, std::vector<int> degrees, bool normalised)
        : ColumnKernel(std::move(columns)), degrees_(std::move(degrees)), normalised_(normalised) {}

    std::string function_text() const {
        std::vector<std::string> parts;
        for (const int degree : degrees_) parts.push_back(std::to_string(degree));
        const std::string name = "arccos(" + join(parts, ", ") + ")";
        return normalised_ ? "normalize(" + name + ")" : name;
    }
    bool positive_semidefinite() const override { return true; }
    bool constant_diagonal() const override {
        return normalised_ || std::ranges::find(degrees_, 0) != degrees_.end();
    }
    bool unit_diagonal() const override { return normalised_; }
    KernelPointer normalised() const override {
        return std::make_shared<ArcCosine>(columns(), degrees_, true);
    }

    std::shared_ptr<const FeatureMap> random_features(Index count, std::uint64_t seed,
                                                      const Dataset& data) const override {
        return normalised_ ? nullptr : make_rectifier_map(columns(), count, degrees_, seed, data);
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<ArcCosineEvaluator<T>>(operands, columns(), degrees_, normalised_);
    }

  private:
    std::vector<int> degrees_;
    bool normalised_;
};

KernelPointer make_arc_cosine(const KernelArguments& arguments) {
    std::vector<int> degrees;
    for (const double value : arguments.positional) {
        if (value != 0 && value != 1 && value != 2 && value != 3) {
            fail(Status::invalid_kernel, "arccos: degree ", value, " of layer ", degrees.size() + 1,
                 " is not allowed; degrees are 0, 1, 2 and 3");
        }
        degrees.push_back(static_cast<int>(value));
    }
    if (degrees.size() > 64) {
        fail(Status::invalid_kernel, "arccos: ", degrees.size(), " layers; at most 64 are allowed");
    }
    if (degrees.empty()) degrees.push_back(1);
    return std::make_shared<ArcCosine>(arguments.columns, std::move(degrees), false);
}

}  // namespace

KernelEntry arccos_kernel() {
    return {
        .name = "arccos",
        .doc =
            "The multilayer arc-cosine kernel is a network of infinite width that has one layer for each "
            "degree.",
        .reference = "Cho and Saul, Kernel methods for deep learning, NIPS 2009",
        .facts = {.data = {DataKind::dense, DataKind::sparse},
                  .positive_semidefinite = "always",
                  .constant_diagonal = "when a degree is 0 or normalised",
                  .differentiable = "never"},
        .positional =
            "The degrees of the layers are each 0, 1, 2 or 3; without them there is one layer of degree 1.",
        .make = make_arc_cosine};
}

}  // namespace dk
