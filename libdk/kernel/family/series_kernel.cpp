// SPDX-License-Identifier: Apache-2.0
// This file has what the kernels of series share, whose values come from alignments of pairs of series: k(x,
// z) = exp(-gamma d(x, z)) for the warping distance d or a soft one, and K(x, z) / sqrt(K(x, x) K(z, z)) for
// the global alignment kernel K, which is computed as log K. Several pairs are aligned at once, one in each
// lane of the vector instructions. No lane looks at another one, so that a value does not depend on the other
// pairs or on the number of lanes. Formulas and references are in dtw.cpp, soft_dtw.cpp and gak.cpp.
#include "kernel/family/series_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "data/scaling/scaler.hpp"
#include "kernel/alignment/warping_search.hpp"
#include "kernel/engine/both_sides.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

void align(const GlobalAlignment& function, const SeriesLanes& left, const SeriesLanes& right,
           const Control& control, double* out) {
    global_alignment_logarithms(function, left, right, control, out);
}
void align(const Warping& function, const SeriesLanes& left, const SeriesLanes& right, const Control& control,
           double* out) {
    warping_distances(function.window, left, right, control, out);
}
/// The soft minimum -r log sum exp(-d / r) over alignments of their sums d of squared distances is -r times
/// the logarithm of the global alignment sum with the local kernel exp(-|x - y|^2 / r).
void align(const SoftWarping& function, const SeriesLanes& left, const SeriesLanes& right,
           const Control& control, double* out) {
    const GlobalAlignment alignment{std::sqrt(0.5 * function.smoothing), 0, false};
    global_alignment_logarithms(alignment, left, right, control, out);
    for (double& value : std::span(out, alignment_lanes())) value *= -function.smoothing;
}

double distance_of(const Warping&, double distance, double, double) {
    return distance;
}
double distance_of(const SoftWarping&, double aligned, double left_self, double right_self) {
    return aligned - 0.5 * (left_self + right_self);
}

double kernel_value(const GlobalAlignment&, double logarithm, double left_self, double right_self) {
    return std::exp(logarithm - 0.5 * (left_self + right_self));
}
template <typename Function>
double kernel_value(const Function& function, double aligned, double left_self, double right_self) {
    return std::exp(-function.gamma * distance_of(function, aligned, left_self, right_self));
}

/// The rows from `first` to `first` + `count` - 1.
std::vector<Index> consecutive_rows(Index first, Index count) {
    std::vector<Index> rows(count);
    std::iota(rows.begin(), rows.end(), first);
    return rows;
}

/// What align() gives for every series with itself.
template <typename Function>
std::vector<double> self_alignments(const Function& function, const SeriesSet& set, const Columns& channels,
                                    Control& control) {
    const Index lanes = alignment_lanes();
    std::vector<double> out(set.rows());
    const ProgressHold hold(control);
    parallel_for((set.rows() + lanes - 1) / lanes, control, [&](Index group) {
        const Index first = group * lanes;
        const auto rows = consecutive_rows(first, std::min(lanes, set.rows() - first));
        const SeriesLanes series = series_lanes(set, rows, channels);
        std::vector<double> values(lanes);
        align(function, series, series, control, values.data());
        std::copy_n(values.begin(), rows.size(), out.begin() + first);
    });
    return out;
}

std::vector<double> self_alignments(const Warping&, const SeriesSet& set, const Columns&, Control&) {
    return std::vector<double>(set.rows());  // the distance of a series to itself is 0
}

template <typename T, typename Function>
class SeriesEvaluator final : public Evaluator<T> {
  public:
    SeriesEvaluator(Operands<T>& operands, const Columns& channels, const Function& function)
        : operands_(operands), channels_(channels), function_(function) {
        operands.ask_for_small_tiles();
        for (const Side side : {Side::left, Side::right}) {
            require_columns(channels, operands.data(side));
            auto& self = self_[side];
            if (side == Side::right && operands.symmetric()) {
                self = self_.left;
            } else {
                self = self_alignments(function, operands.data(side).series(), channels, operands.control());
            }
        }
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        const SeriesSet& left_set = operands_.data(Side::left).series();
        auto K = view(out, block.rows(), block.cols, stride);
        const auto groups = right_groups(block);
        const Index lanes = alignment_lanes();
        std::vector<double> values(lanes);
        for (Index i = 0; i < block.rows(); ++i) {
            const Index row = block.left_rows[i];
            const SeriesLanes left = series_lanes(left_set, {&row, 1}, channels_);
            for (Index g = 0; g < std::ssize(groups); ++g) {
                if (workspace.stopping()) return;
                align(function_, left, groups[g], operands_.control(), values.data());
                const Index first = g * lanes;
                for (Index j = first; j < std::min(block.cols, first + lanes); ++j) {
                    K(i, j) = static_cast<T>(kernel_value(function_, values[j - first], self_.left[row],
                                                          self_.right[block.right_row + j]));
                }
            }
        }
    }

    std::vector<double> self(Side side) const override {
        return std::vector<double>(operands_.data(side).rows(), 1.0);
    }

  private:
    /// The right rows of a block, in groups of as many series as there are lanes.
    std::vector<SeriesLanes> right_groups(const Block& block) const {
        const Index lanes = alignment_lanes();
        std::vector<SeriesLanes> groups;
        for (Index j = 0; j < block.cols; j += lanes) {
            const auto rows = consecutive_rows(block.right_row + j, std::min(lanes, block.cols - j));
            groups.push_back(series_lanes(operands_.data(Side::right).series(), rows, channels_));
        }
        return groups;
    }

    const Operands<T>& operands_;
    Columns channels_;
    Function function_;
    BothSides<std::vector<double>> self_;
};

class SeriesKernel final : public ColumnKernel<SeriesKernel> {
  public:
    SeriesKernel(Columns channels, SeriesFunction function)
        : ColumnKernel(std::move(channels)), function_(std::move(function)) {}

    std::string function_text() const { return function_.text; }
    bool works_on(DataKind kind) const override { return kind == DataKind::series; }
    bool positive_semidefinite() const override { return function_.positive_semidefinite; }
    bool constant_diagonal() const override { return true; }
    bool unit_diagonal() const override { return true; }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::visit(
            [&](const auto& function) -> std::unique_ptr<Evaluator<T>> {
                using Function = std::decay_t<decltype(function)>;
                return std::make_unique<SeriesEvaluator<T, Function>>(operands, columns(), function);
            },
            function_.function);
    }

    /// Kernel values fall as the warping distance grows.
    std::unique_ptr<const RowSearch> row_search(const Dataset& rows, Control& control) const override {
        const auto* warping = std::get_if<Warping>(&function_.function);
        if (warping == nullptr) return nullptr;
        require_columns(columns(), rows);
        return std::make_unique<WarpingSearch>(rows, columns(), warping->window, control);
    }

  private:
    SeriesFunction function_;
};

/// At most `most_rows` rows, drawn without repetition.
Dataset sample_of(const Dataset& data, Index most_rows) {
    auto rows = consecutive_rows(0, data.rows());
    Random(1).shuffle(std::span(rows));
    rows.resize(std::min(most_rows, data.rows()));
    return data.select(rows);
}

}  // namespace

KernelPointer make_series_kernel(Columns channels, SeriesFunction function) {
    return std::make_shared<SeriesKernel>(std::move(channels), std::move(function));
}

double automatic_alignment_width(const Dataset& data, const Columns& channels) {
    constexpr int pairs = 10000;
    const SeriesSet& set = data.series();
    require_columns(channels, data);
    const std::uint64_t steps = set.step_offsets.back();
    Random random(1);
    std::vector<double> distances;
    for (int pair = 0; pair < pairs; ++pair) {
        const auto x = random.below(steps) * set.channels;
        const auto y = random.below(steps) * set.channels;
        double sum = 0;
        for (std::size_t c = 0; c < (channels.empty() ? set.channels : channels.size()); ++c) {
            const auto channel = channels.empty() ? c : channels[c];
            const double difference = set.values[x + channel] - set.values[y + channel];
            sum += difference * difference;
        }
        if (sum > 0) distances.push_back(std::sqrt(sum));
    }
    std::vector<double> lengths(set.rows());
    for (Index i = 0; i < set.rows(); ++i) lengths[i] = set.length(i);
    const double median = distances.empty() ? 1 : quantile(distances, 0.5);
    // Of steps whose squared distance overflows no width can be told, as of steps that are all alike.
    const double distance = median < 1e150 ? median : 1;
    return distance * std::sqrt(quantile(lengths, 0.5));
}

double warping_width(std::string_view rule, const Dataset& data, const Columns& channels) {
    const Dataset sample = sample_of(data, 32);
    Control control;
    const Index lanes = alignment_lanes();
    const SeriesSet& set = sample.series();
    std::vector<double> distances;
    std::vector<double> values(lanes);
    for (Index i = 0; i < set.rows(); ++i) {
        const SeriesLanes left = series_lanes(set, {&i, 1}, channels);
        for (Index j = 0; j < i; j += lanes) {
            const auto rows = consecutive_rows(j, std::min(lanes, i - j));
            warping_distances({}, left, series_lanes(set, rows, channels), control, values.data());
            distances.insert(distances.end(), values.begin(), values.begin() + std::ssize(rows));
        }
    }
    return inverse_of_typical(std::move(distances), rule, 1);
}

}  // namespace dk
