// SPDX-License-Identifier: Apache-2.0
#include "kernel/random_features.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/product.hpp"

namespace dk {

namespace {

constexpr Index rows_at_once = 128;
constexpr Index fourier = -1;  // in place of a degree

/// Projects rows on random directions and bends the projections, layer by layer. The state's shape is
/// (features, number of columns, the columns, degrees or `fourier`); its numbers are the layers' directions,
/// one a row.
class RandomMap final : public FeatureMap {
  public:
    explicit RandomMap(KernelState state) : state_(std::move(state)) {
        const auto& shape = state_.shape;
        const auto fits = [&] {
            if (shape.size() < 3 || shape[0] < 1 || shape[1] < 1 || shape[1] > size_of(shape)) return false;
            if (size_of(shape) < 3 + shape[1]) return false;
            columns_.assign(shape.begin() + 2, shape.begin() + 2 + shape[1]);
            layers_.assign(shape.begin() + 2 + shape[1], shape.end());
            for (const Index layer : layers_) {
                if (layer < fourier || layer > 3) return false;
            }
            return weight_count() == size_of(state_.numbers);
        };
        if (!fits()) fail(Status::model_format, "damaged model: random features do not fit their shape");
    }

    Index dimension() const override { return state_.shape[0]; }
    bool works_on(DataKind kind) const override {
        return kind == DataKind::dense || kind == DataKind::sparse;
    }

    LargeArray<double> features(const Dataset& data, Control& control) const override {
        Operands<double> operands(data, data);
        const auto& panel = operands.panel(Side::left, operands.request_product(columns_));
        LargeArray<double> out(data.rows() * dimension());
        const ProgressHold hold(control);
        parallel_for((data.rows() + rows_at_once - 1) / rows_at_once, control, [&](Index chunk) {
            const Index first = chunk * rows_at_once;
            const Index height = std::min(rows_at_once, data.rows() - first);
            layer_by_layer(panel, first, height, out.data() + first * dimension());
        });
        return out;
    }

    void collect_states(std::vector<const KernelState*>& states) const override { states.push_back(&state_); }

  private:
    Index projections(Index layer) const { return layer == fourier ? dimension() / 2 : dimension(); }

    Index weight_count() const {
        Index count = 0;
        Index inputs = size_of(columns_);
        for (const Index layer : layers_) {
            count += projections(layer) * inputs;
            inputs = dimension();
        }
        return count;
    }

    void layer_by_layer(const Panel<double>& panel, Index first, Index height, double* out) const {
        const double* weights = state_.numbers.data();
        std::vector<double> input;
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            const Index count = projections(layers_[l]);
            const Index depth = l == 0 ? size_of(columns_) : dimension();
            std::vector<double> projected(unsigned_of(height * count));
            if (l > 0) {
                dense_product(input.data(), depth, height, weights, depth, count, depth, projected.data(),
                              count);
            } else {
                project(panel, first, height, weights, count, projected.data());
            }
            for (Index i = 0; i < height; ++i)
                bend(projected.data() + i * count, layers_[l], out + i * dimension());
            input.assign(out, out + height * dimension());
            weights += count * depth;
        }
    }

    static void project(const Panel<double>& panel, Index first, Index height, const double* weights,
                        Index count, double* out) {
        if (!panel.sparse) {
            dense_product(panel.dense + first * panel.depth, panel.depth, height, weights, panel.depth, count,
                          panel.depth, out, count);
            return;
        }
        for (Index i = 0; i < height; ++i) {
            for (Index e = panel.sparse->row_offsets[unsigned_of(first + i)];
                 e < panel.sparse->row_offsets[unsigned_of(first + i + 1)]; ++e) {
                const double value = panel.sparse->values[unsigned_of(e)];
                const double* column = weights + panel.sparse->columns[unsigned_of(e)];
                for (Index c = 0; c < count; ++c) out[i * count + c] += value * column[c * panel.depth];
            }
        }
    }

    void bend(const double* projected, Index layer, double* out) const {
        if (layer == fourier) {
            const Index half = dimension() / 2;
            const double scale = std::sqrt(1.0 / static_cast<double>(half));
            for (Index c = 0; c < half; ++c) {
                out[c] = scale * std::cos(projected[c]);
                out[half + c] = scale * std::sin(projected[c]);
            }
            return;
        }
        const double scale = std::sqrt(2.0 / static_cast<double>(dimension()));
        for (Index c = 0; c < dimension(); ++c)
            out[c] = projected[c] > 0 ? scale * std::pow(projected[c], static_cast<int>(layer)) : 0.0;
    }

    KernelState state_;
    Columns columns_;
    std::vector<Index> layers_;
};

KernelState state_for(const Columns& columns, Index count, const Dataset& data) {
    require_columns(columns, data);
    KernelState state;
    state.shape = {count, columns.empty() ? data.cols() : size_of(columns)};
    for (Index j = 0; j < state.shape[1]; ++j)
        state.shape.push_back(columns.empty() ? j : columns[unsigned_of(j)]);
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

std::shared_ptr<const FeatureMap> restore_random_map(KernelState state) {
    return std::make_shared<RandomMap>(std::move(state));
}

}  // namespace dk
