// SPDX-License-Identifier: Apache-2.0
// This file makes random features phi whose products have the expectation E phi(x).phi(z) = k(x, z).
//
// Fourier features are for kernels whose Fourier transform is known, from which the frequencies w_1 .. w_D
// are drawn:
//   phi(x) = sqrt(1 / D) (cos w_1.x, .., cos w_D.x, sin w_1.x, .., sin w_D.x).
// Rahimi, Recht, Random features for large-scale kernel machines, NIPS 2007.
//
// Rectifier features are for arc-cosine kernels. A layer of degree n has normal directions w_1 .. w_D:
//   phi(x) = sqrt(2 / D) (max(w_1.x, 0)^n, .., max(w_D.x, 0)^n).
// Each further layer computes the same of the features of the layer before it.
// Cho, Saul, Kernel methods for deep learning, NIPS 2009.
//
// Sigmoid nodes approximate no kernel, but are one:
//   phi(x) = (1 / (1 + exp(-w_1.x - b_1)), .., 1 / (1 + exp(-w_D.x - b_D))).
// Huang, Zhu, Siew, Extreme learning machine, Neurocomputing 70, 2006.
//
//   paper    code            what it is
//   w        directions      the rows of a layer's matrix, kept in the state
//   D        projections()   the number of directions of a layer
//   b        biases          behind the directions of a layer of sigmoid nodes
//   w.x      projected
//   phi      features()
#include "kernel/lowrank/random_features.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr Index rows_a_chunk = 128;
// These stand in the place of a degree for layers that are no rectifiers.
constexpr Index fourier = -1;
constexpr Index sigmoid_nodes = -2;

/// Multiplies rows by random directions and bends the products by cosines and sines, by rectifiers or by
/// sigmoids, layer by layer. The shape of its state is the number of features, the number of columns, the
/// columns, and the degree of each layer, `fourier` or `sigmoid_nodes`. The numbers of the state are the
/// directions of the layers, each direction a row, and behind those of sigmoid nodes their biases.
class RandomMap final : public FeatureMap {
  public:
    explicit RandomMap(KernelState state) : state_(std::move(state)) {
        const auto& shape = state_.shape;
        const auto fits = [&] {
            if (shape.size() < 3 || shape[0] < 1 || shape[1] < 1 || shape[1] > std::ssize(shape))
                return false;
            if (std::ssize(shape) < 3 + shape[1]) return false;
            columns_.assign(shape.begin() + 2, shape.begin() + 2 + shape[1]);
            layers_.assign(shape.begin() + 2 + shape[1], shape.end());
            for (const Index layer : layers_) {
                if (layer < sigmoid_nodes || layer > 3) return false;
            }
            return weight_count() == std::ssize(state_.numbers);
        };
        if (!fits()) fail(Status::model_format, "damaged model: random features do not fit their shape");
    }

    Index dimension() const override { return state_.shape[0]; }
    bool works_on(DataKind kind) const override {
        return kind == DataKind::dense || kind == DataKind::sparse;
    }

    LargeArray<double> features(const Dataset& data, Control& control) const override {
        require_columns(columns_, data);  // which a model file may tell as it likes
        Operands<double> operands(data, data);
        const auto& panel = operands.panel(Side::left, operands.request_product(columns_));
        LargeArray<double> out(data.rows() * dimension());
        const ProgressHold hold(control);
        const double values =
            values_of_product(data.rows(), 1, weight_count()) + 4.0 * data.rows() * dimension();
        parallel_for((data.rows() + rows_a_chunk - 1) / rows_a_chunk, values, control, [&](Index chunk) {
            const Index first = chunk * rows_a_chunk;
            const Index height = std::min(rows_a_chunk, data.rows() - first);
            layer_by_layer(panel, first, height,
                           view(out.data(), data.rows(), dimension()).middleRows(first, height));
        });
        return out;
    }

    void collect_states(std::vector<const KernelState*>& states) const override { states.push_back(&state_); }

    RandomNetwork network() const {
        RandomNetwork network{.columns = columns_, .features = dimension()};
        const double* numbers = state_.numbers.data();
        Index depth = std::ssize(columns_);
        for (const Index layer : layers_) {
            RandomLayer& added = network.layers.emplace_back();
            added.directions = view(numbers, projections(layer), depth);
            numbers += added.directions.size();
            if (layer == sigmoid_nodes) added.biases.assign(numbers, numbers + projections(layer));
            numbers += added.biases.size();
            if (layer != fourier)
                added.bend =
                    layer == sigmoid_nodes ? RandomLayer::Bend::sigmoid : RandomLayer::Bend::rectifier;
            added.degree = static_cast<int>(std::max<Index>(layer, 0));
            depth = dimension();
        }
        return network;
    }

  private:
    /// The number of directions D of a layer: each has a cosine and a sine, or one rectifier.
    Index projections(Index layer) const { return layer == fourier ? dimension() / 2 : dimension(); }

    /// The number of elements in the directions of all layers.
    Index weight_count() const {
        Index count = 0;
        Index inputs = std::ssize(columns_);
        for (const Index layer : layers_) {
            count += projections(layer) * (inputs + (layer == sigmoid_nodes ? 1 : 0));
            inputs = dimension();
        }
        return count;
    }

    /// Computes phi of `height` rows from `first` on, and writes it into the rows of `out`.
    void layer_by_layer(const Panel<double>& panel, Index first, Index height, MatrixRef out) const {
        const double* numbers = state_.numbers.data();
        Matrix input;
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            const Index count = projections(layers_[l]);
            const Index depth = l == 0 ? std::ssize(columns_) : dimension();
            const auto directions = view(numbers, count, depth);
            Matrix projected = Matrix::Zero(height, count);
            if (l > 0) {
                multiply_transposed(input, directions, projected);
            } else {
                project(panel, first, directions, projected);
            }
            numbers += directions.size();
            if (layers_[l] == sigmoid_nodes) {
                projected.rowwise() += view(numbers, 1, count).row(0);
                numbers += count;
            }
            for (Index i = 0; i < height; ++i) bend(projected.row(i), layers_[l], out.row(i));
            input = out;
        }
    }

    /// Computes projected = X W' for rows of X from `first` on, as many as `projected` has, and the
    /// directions W.
    static void project(const Panel<double>& panel, Index first, const ConstMatrixView& directions,
                        Matrix& projected) {
        if (!panel.sparse) {
            const auto x = view(panel.dense, panel.rows, panel.depth);
            multiply_transposed(x.middleRows(first, projected.rows()), directions, projected);
            return;
        }
        const SparseMatrix& x = *panel.sparse;
        for (Index i = 0; i < projected.rows(); ++i) {
            for (Index e = x.row_offsets[first + i]; e < x.row_offsets[first + i + 1]; ++e)
                projected.row(i) += x.values[e] * directions.col(x.columns[e]).transpose();
        }
    }

    /// Turns the products of one row and the directions into features of the layer.
    template <typename Row, typename Features>
    void bend(const Row& projected, Index layer, Features phi) const {
        const double count = dimension();
        if (layer == fourier) {
            const Index half = dimension() / 2;
            const double scale = std::sqrt(2 / count);
            phi.head(half) = scale * projected.array().cos().matrix();
            phi.segment(half, half) = scale * projected.array().sin().matrix();
            return;
        }
        if (layer == sigmoid_nodes) {
            phi = (1 + (-projected.array()).exp()).inverse().matrix();
            return;
        }
        const double scale = std::sqrt(2 / count);
        const double degree = layer;
        for (Index c = 0; c < dimension(); ++c)
            phi(c) = projected(c) > 0 ? scale * std::pow(projected(c), degree) : 0.0;
    }

    KernelState state_;
    Columns columns_;
    std::vector<Index> layers_;
};

/// The state of a map that has no layers yet.
KernelState state_for(const Columns& columns, Index count, const Dataset& data) {
    require_columns(columns, data);
    KernelState state;
    state.shape = {count, columns.empty() ? data.cols() : std::ssize(columns)};
    for (Index j = 0; j < state.shape[1]; ++j) state.shape.push_back(columns.empty() ? j : columns[j]);
    return state;
}

}  // namespace

double gamma_deviate(double shape, Random& random) {
    if (shape < 1) return gamma_deviate(shape + 1, random) * std::pow(1 - random.uniform(), 1 / shape);
    const double d = shape - 1.0 / 3;
    const double c = 1 / std::sqrt(9 * d);
    while (true) {
        const double x = random.normal();
        const double v = std::pow(1 + c * x, 3);
        if (v > 0 && std::log(1 - random.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
}

std::shared_ptr<const FeatureMap> make_fourier_map(const Columns& columns, Index count,
                                                   const FrequencyLaw& law, std::uint64_t seed,
                                                   const Dataset& data) {
    if (count < 2) fail(Status::invalid_kernel, "random features need a rank of at least 2");
    KernelState state = state_for(columns, count - count % 2, data);
    Random random(seed);
    for (Index c = 0; c < count / 2; ++c) {
        const double factor = law.common_factor ? law.common_factor(random) : 1.0;
        for (Index j = 0; j < state.shape[1]; ++j) state.numbers.push_back(factor * law.frequency(random));
    }
    state.shape.push_back(fourier);
    return std::make_shared<RandomMap>(std::move(state));
}

std::shared_ptr<const FeatureMap> make_rectifier_map(const Columns& columns, Index count,
                                                     const std::vector<int>& degrees, std::uint64_t seed,
                                                     const Dataset& data) {
    KernelState state = state_for(columns, count, data);
    Random random(seed);
    Index inputs = state.shape[1];
    for (const int degree : degrees) {
        for (Index e = 0; e < count * inputs; ++e) state.numbers.push_back(random.normal());
        inputs = count;
        state.shape.push_back(degree);
    }
    return std::make_shared<RandomMap>(std::move(state));
}

std::shared_ptr<const FeatureMap> make_sigmoid_map(Index count, std::uint64_t seed, const Dataset& data) {
    KernelState state = state_for({}, count, data);
    Random random(seed);
    for (Index e = 0; e < count * state.shape[1]; ++e) state.numbers.push_back(2 * random.uniform() - 1);
    for (Index c = 0; c < count; ++c) state.numbers.push_back(random.uniform());
    state.shape.push_back(sigmoid_nodes);
    return std::make_shared<RandomMap>(std::move(state));
}

std::shared_ptr<const FeatureMap> restore_random_map(KernelState state) {
    return std::make_shared<RandomMap>(std::move(state));
}

RandomNetwork random_network_of(const KernelState& state) {
    return RandomMap(state).network();
}

}  // namespace dk
