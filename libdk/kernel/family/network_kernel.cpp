// SPDX-License-Identifier: Apache-2.0
// A layer of infinitely many rectifiers of degree n, each max(w.x + b, 0)^n for normal weights w and a normal
// bias b, turns x and z into features. The inner product of these features is the arc-cosine kernel of degree
// n:
//   k_n(x, z) = 1/pi |x|^n |z|^n J_n(theta),   cos theta = x.z / (|x| |z|),
// where each row has the bias as one more column. A kernel of several layers is k_n of the features of the
// layers before. Each layer takes the cosine and the lengths of the layer before it, and |x|^2 becomes
// k_n(x, x) = (2 n - 1)!! |x|^2n. The tangent kernel is the inner product of the gradients of such a
// network's output by all its weights and biases.
//
//   paper          code
//   n              an element of degrees, which has one for each layer
//   J_n            the maps of kernel/maps/arc_cosine_maps.cpp
//   |x|, |z|       1 / Rows::reciprocals
//   cos theta      1 - |gap| with the sign of the gap (find_gaps)
//   |x|^2 of a layer, without and with its bias     log_self, log_seen
//
// Cho, Saul, Kernel methods for deep learning, NIPS 2009; Jacot, Gabriel, Hongler, Neural tangent kernel,
// NeurIPS 2018.
#include "kernel/family/network_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernel/algebra/algebra.hpp"
#include "kernel/engine/both_sides.hpp"
#include "kernel/lowrank/random_features.hpp"
#include "kernel/maps/arc_cosine_maps.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

constexpr double smallest_gap = 1e-300;                      // is not 0, because its sign tells blunt angles
constexpr std::array<double, 4> odd_factorial{1, 1, 3, 15};  // J_n(0) / pi = (2 n - 1)!!

/// Computes log(exp(a) + exp(b)).
double log_sum(double a, double b) {
    const double larger = std::max(a, b);
    return larger == -infinity ? larger : larger + std::log1p(std::exp(std::min(a, b) - larger));
}

/// What becomes of one row's length from layer to layer. Lengths are logarithms, because two layers of degree
/// 3 make |x|^18 of |x|^2, which can overflow.
struct RowPassage {
    double scale = 0;   // the kernel is the cosine, or the tangent's A, times the scales of both rows
    double cosine = 1;  // the cosine, or A, of the row with itself
    /// The shares of weights and biases in what each layer sees, empty where there are no biases.
    std::vector<double> weights = {};
    std::vector<double> biases = {};
};

RowPassage pass_row(double squared_norm, const InfiniteNetwork& network) {
    RowPassage row;
    const double log_weight = std::log(network.weight_variance);
    const double log_bias = network.bias_variance > 0 ? std::log(network.bias_variance) : -infinity;
    double log_self = squared_norm > 0 ? std::log(squared_norm) : -infinity;
    const auto log_seen = [&] {
        const double from_weights = log_weight + log_self;
        const double seen = log_sum(from_weights, log_bias);
        if (network.bias_variance > 0) {
            row.weights.push_back(std::exp(0.5 * (from_weights - seen)));
            row.biases.push_back(std::exp(0.5 * (log_bias - seen)));
        }
        return seen;
    };
    if (!network.tangent) {
        for (const int degree : network.degrees) {
            const double seen = log_seen();
            log_self = degree == 0 ? 0.0 : std::log(odd_factorial[degree]) + degree * seen;
        }
        row.scale = std::exp(0.5 * log_self);
        return row;
    }
    log_self = log_seen();
    for (std::size_t layer = 0; layer < network.degrees.size(); ++layer) {
        log_self = log_seen();
        const double weight = row.weights.empty() ? 1.0 : row.weights.back();
        row.cosine = weight * weight * row.cosine + 1;
    }
    row.scale = std::exp(0.5 * log_self);
    return row;
}

template <typename T>
class NetworkEvaluator final : public Evaluator<T> {
  public:
    NetworkEvaluator(Operands<T>& operands, const Columns& columns, const InfiniteNetwork& network,
                     bool normalised)
        : operands_(operands), product_(operands.request_product(columns)), network_(network) {
        for (const Side side : {Side::left, Side::right})
            rows_[side] = Rows(operands.panel(side, product_).squared_norms, network, normalised);
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        const auto& left = rows_.left;
        const auto& right = rows_.right;
        const auto products = view(workspace.inner_products(product_), block.rows(), block.cols);
        auto K = view(out, block.rows(), block.cols, stride);
        std::vector<LayerMix> mixes(left.weights.size());
        for (Index i = 0; i < block.rows(); ++i) {
            const auto id = block.left_rows[i];
            for (std::size_t l = 0; l < mixes.size(); ++l)
                mixes[l] = {left.weights[l][id], left.biases[l][id],
                            right.weights[l].data() + block.right_row,
                            right.biases[l].data() + block.right_row};
            const ArcCosineRow row{left.reciprocals[id], right.reciprocals.data() + block.right_row,
                                   left.scales[id],      right.scales.data() + block.right_row,
                                   network_.degrees,     mixes};
            auto& gaps = workspace.row_of_doubles();
            if (row.left_reciprocal != 0 && !network_.tangent &&
                arc_cosine_of_products(&products.coeffRef(i, 0), row, block.cols, gaps.data(), &K(i, 0)))
                continue;
            find_gaps(block, i, products, row, gaps);
            if (network_.tangent) {
                tangent_of_gaps(gaps.data(), row, block.cols, &K(i, 0));
            } else {
                arc_cosine_of_gaps(gaps.data(), row, block.cols, &K(i, 0));
            }
        }
    }

    std::vector<double> self(Side side) const override { return rows_[side].selves; }

  private:
    /// What the maps need of the rows of one side. The vectors but `selves` are longer than the number of
    /// rows, because the maps read whole registers.
    struct Rows {
        std::vector<double> reciprocals;           // 1 / |x|, or 0 for the zero vector
        std::vector<double> scales;                // RowPassage::scale
        std::vector<double> selves;                // k(x, x)
        std::vector<std::vector<double>> weights;  // RowPassage::weights of every row, by layer
        std::vector<std::vector<double>> biases;

        Rows() = default;
        Rows(const std::vector<double>& squared_norms, const InfiniteNetwork& network, bool normalised) {
            const std::size_t padded = squared_norms.size() + arc_cosine_padding;
            reciprocals.resize(padded);
            scales.resize(padded);
            selves.resize(squared_norms.size());
            for (std::size_t i = 0; i < squared_norms.size(); ++i) {
                const double norm = squared_norms[i];
                const RowPassage row = pass_row(norm, network);
                reciprocals[i] = norm > 0 ? 1 / std::sqrt(norm) : 0.0;
                scales[i] = normalised ? 1 / std::sqrt(row.cosine) : row.scale;
                selves[i] = normalised ? 1 : row.cosine * row.scale * row.scale;
                weights.resize(row.weights.size(), std::vector<double>(padded));
                biases.resize(row.biases.size(), std::vector<double>(padded));
                for (std::size_t l = 0; l < row.weights.size(); ++l) {
                    weights[l][i] = row.weights[l];
                    biases[l][i] = row.biases[l];
                }
            }
        }
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
    InfiniteNetwork network_;
    BothSides<Rows> rows_;
};

/// The kernel of a network. The cosines and the lengths pass through the layers separately, so that the
/// cosine-normalised form of an arc-cosine kernel leaves the lengths out.
class NetworkKernel final : public ColumnKernel<NetworkKernel>, public Normalisable {
  public:
    NetworkKernel(Columns columns, InfiniteNetwork network, std::string text, bool normalised)
        : ColumnKernel(std::move(columns)),
          network_(std::move(network)),
          text_(std::move(text)),
          normalised_(normalised) {}

    std::string function_text() const { return normalised_ ? "normalize(" + text_ + ")" : text_; }
    bool positive_semidefinite() const override { return true; }
    bool constant_diagonal() const override {
        return normalised_ || std::ranges::find(network_.degrees, 0) != network_.degrees.end();
    }
    bool unit_diagonal() const override { return normalised_; }
    KernelPointer normalised() const override {
        return std::make_shared<NetworkKernel>(columns(), network_, text_, true);
    }

    std::shared_ptr<const FeatureMap> random_features(Index count, std::uint64_t seed,
                                                      const Dataset& data) const override {
        const bool plain =
            !normalised_ && !network_.tangent && network_.weight_variance == 1 && network_.bias_variance == 0;
        return plain ? make_rectifier_map(columns(), count, network_.degrees, seed, data) : nullptr;
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<NetworkEvaluator<T>>(operands, columns(), network_, normalised_);
    }

  private:
    InfiniteNetwork network_;
    std::string text_;
    bool normalised_;
};

}  // namespace

KernelPointer make_network_kernel(Columns columns, InfiniteNetwork network, std::string text) {
    return std::make_shared<NetworkKernel>(std::move(columns), std::move(network), std::move(text), false);
}

void add_variances(std::vector<std::string>& arguments, const InfiniteNetwork& network) {
    if (network.weight_variance != 1)
        arguments.push_back(text(parameter::weight_variance.name, "=", network.weight_variance));
    if (network.bias_variance != 0)
        arguments.push_back(text(parameter::bias_variance.name, "=", network.bias_variance));
}

}  // namespace dk
