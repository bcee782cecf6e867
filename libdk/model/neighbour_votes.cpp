// SPDX-License-Identifier: Apache-2.0
// A row x is of the class that most of the k training rows have whose images are nearest to it,
//
//     |phi(x) - phi(z)|^2 = k(x, x) - 2 k(x, z) + k(z, z).
//
// Of two training rows that are as near, the first counts as nearer. A kernel that can tell the nearest rows
// without its values for all of them is asked for them (RowSearch).
//
// T. Cover, P. Hart, Nearest neighbor pattern classification, IEEE Transactions on Information Theory 13,
// 1967.
#include "model/neighbour_votes.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/matrix.hpp"
#include "model/archive/feature_archive.hpp"
#include "model/archive/kernel_archive.hpp"
#include "model/archive/prototype_archive.hpp"
#include "model/predicted_values.hpp"

namespace dk {

void count_votes(std::span<const Index> voter_classes, std::span<double> scores) {
    const double share = 1.0 / std::ssize(voter_classes);
    std::ranges::fill(scores, 0.0);
    for (std::size_t place = 0; place < voter_classes.size(); ++place) {
        double& score = scores[voter_classes[place]];
        if (score == 0) score += 0.5 * share / (place + 1.0);
        score += share;
    }
}

namespace {

/// The squared distances of one row from all training rows, and these rows in the order of their distances.
struct DistanceOrder {
    explicit DistanceOrder(Index rows) : distances(rows), order(rows) {}

    std::span<const Index> nearest(Index count) {
        std::iota(order.begin(), order.end(), Index{0});
        std::ranges::partial_sort(order, order.begin() + count, {},
                                  [&](Index j) { return std::pair(distances[j], j); });
        return std::span(order).first(count);
    }

    std::vector<double> distances;
    std::vector<Index> order;
};

}  // namespace

NeighbourVotes::NeighbourVotes(Voters learned, Control& control)
    : learned_(std::move(learned)),
      search_(learned_.kernel->row_search(learned_.rows, control)),
      rows_(*learned_.kernel, learned_.precision, learned_.rows, control) {}

void NeighbourVotes::search_voters(const Dataset& data, const VoterReader& reader, Control& control) const {
    constexpr Index voters_at_once = Index{1} << 20U;
    constexpr Index most_rows_at_once = 1024;
    const Index at_once = std::clamp<Index>(voters_at_once / learned_.count, 1, most_rows_at_once);
    std::vector<Index> voters;
    for (Index first = 0; first < data.rows(); first += at_once) {
        const Index count = std::min(at_once, data.rows() - first);
        const ProgressScope scope(control, 1.0 * first / data.rows(), 1.0 * (first + count) / data.rows());
        voters.resize(count * learned_.count);
        parallel_for(count, 256.0 * count * learned_.rows.rows(), control, [&](Index i) {
            search_->find(data, first + i, std::span(voters).subspan(i * learned_.count, learned_.count),
                          control);
        });
        reader(first, voters);
    }
}

template <typename T>
void NeighbourVotes::find_voters_in(const Dataset& data, const VoterReader& reader, Control& control) const {
    constexpr Index values_at_once = Index{1} << 22U;
    const GramEngine<T> engine(learned_.kernel, data, rows_.in<T>(), &control);
    const auto self = engine.self(Side::left);
    const auto& squares = learned_.set.squared_norms;
    const Index n = engine.cols();
    const Index at_once = std::clamp<Index>(values_at_once / n, 1, std::max<Index>(data.rows(), 1));
    LargeArray<T> values(at_once * n);
    std::vector<Index> rows(at_once);
    std::vector<Index> voters(at_once * learned_.count);
    for (Index first = 0; first < data.rows(); first += at_once) {
        const Index count = std::min(at_once, data.rows() - first);
        const ProgressScope scope(control, 1.0 * first / data.rows(), 1.0 * (first + count) / data.rows());
        rows.resize(count);
        std::iota(rows.begin(), rows.end(), first);
        engine.rows_of(rows, values.data(), control);
        const auto new_order = [&] { return DistanceOrder(n); };
        parallel_for_with(count, control, new_order, [&](DistanceOrder& order, Index i) {
            const T* of_row = values.data() + i * n;
            for (Index j = 0; j < n; ++j)
                order.distances[j] = self[first + i] - 2 * double{of_row[j]} + squares[j];
            require_finite_results(order.distances, n, first + i);
            std::ranges::copy(order.nearest(learned_.count), voters.begin() + i * learned_.count);
        });
        reader(first, std::span(voters).first(count * learned_.count));
    }
}

void NeighbourVotes::find_voters(const Dataset& data, const VoterReader& reader, Control& control) const {
    if (search_ != nullptr) return search_voters(data, reader, control);
    if (learned_.precision == Precision::real32) return find_voters_in<float>(data, reader, control);
    find_voters_in<double>(data, reader, control);
}

std::vector<Index> NeighbourVotes::classes_of(std::span<const Index> voters) const {
    std::vector<Index> classes(voters.size());
    std::ranges::transform(voters, classes.begin(), [&](Index i) { return learned_.set.classes[i]; });
    return classes;
}

void NeighbourVotes::decide(const Dataset& data, const DecisionReader& reader, Control& control) const {
    const Index functions = decision_count();
    find_voters(
        data,
        [&](Index, std::span<const Index> voters) {
            const std::vector<Index> classes = classes_of(voters);
            const Index rows = std::ssize(voters) / learned_.count;
            std::vector<double> scores(rows * functions);
            for (Index i = 0; i < rows; ++i)
                count_votes(std::span(classes).subspan(i * learned_.count, learned_.count),
                            std::span(scores).subspan(i * functions, functions));
            reader(scores);
        },
        control);
}

/// The nearest row of each class gets what its class has beyond the shares of its voters.
void NeighbourVotes::explain(const Dataset& data, double* out, Control& control) const {
    MatrixView parts = view(out, data.rows(), learned_.set.count());
    parts.setZero();
    const double share = 1.0 / static_cast<double>(learned_.count);
    find_voters(
        data,
        [&](Index first, std::span<const Index> voters) {
            std::vector<double> scores(decision_count());
            for (Index i = 0; i < std::ssize(voters) / learned_.count; ++i) {
                const auto of_row = voters.subspan(i * learned_.count, learned_.count);
                const std::vector<Index> classes = classes_of(of_row);
                count_votes(classes, scores);
                for (Index k = 0; k < learned_.count; ++k) {
                    const bool first_of_class =
                        std::find(classes.begin(), classes.begin() + k, classes[k]) == classes.begin() + k;
                    parts(first + i, of_row[k]) =
                        share + (first_of_class ? 0.5 * share / (static_cast<double>(k) + 1) : 0.0);
                }
            }
        },
        control);
}

void NeighbourVotes::prototype_coefficients(double* out) const {
    view(out, learned_.set.count(), learned_.set.count()).setIdentity();
}

void NeighbourVotes::prototype_coordinates(double* out) const {
    const Dataset& rows = learned_.rows;
    if (rows.kind() != DataKind::dense && rows.kind() != DataKind::sparse)
        fail(Status::unsupported, "the prototypes are training rows, which are no points among features");
    MatrixView coordinates = view(out, rows.rows(), rows.cols());
    coordinates.setZero();
    for (Index i = 0; i < rows.rows(); ++i) add_features(rows, i, 1, coordinates.row(i).data());
}

std::unique_ptr<Predictor> make_neighbour_votes(const KernelPointer& kernel, const Dataset& data,
                                                Index voters, Precision precision, Index neighbours,
                                                Control& control) {
    NeighbourVotes::Voters learned{.kernel = kernel,
                                   .precision = precision,
                                   .rows = features_only(data),
                                   .count = std::min(voters, data.rows())};
    PrototypeSet& set = learned.set;
    set.classes = data.labels->of_rows;
    set.scales.assign(data.labels->classes(), 1.0);
    set.shifts.assign(data.labels->classes(), 0.0);
    set.norms.assign(data.labels->classes(), 1.0);
    set.squared_norms = GramEngine<double>(kernel, data, data, &control).self(Side::left);
    // The row that is nearest to a prototype is that training row itself.
    set.neighbours = std::min<Index>(neighbours, 1);
    if (set.neighbours > 0) {
        set.nearest_rows.resize(data.rows());
        std::iota(set.nearest_rows.begin(), set.nearest_rows.end(), Index{0});
        set.nearest_distances.assign(data.rows(), 0.0);
    }
    learned.rows = kept_rows(*kernel, learned.rows, control);
    return std::make_unique<NeighbourVotes>(std::move(learned), control);
}

void NeighbourVotes::write(ArchiveWriter out) const {
    write_kernel(out, *learned_.kernel);
    write_precision(out, learned_.precision);
    write_features(out.object("rows"), learned_.rows);
    out.count("voters", learned_.count);
    out.indices("classes", learned_.set.classes);
    out.doubles("squared_norms", learned_.set.squared_norms);
    write_nearest_rows(out, learned_.set);
}

std::unique_ptr<Predictor> read_neighbour_votes(const ArchiveReader& in, const ReadingContext& context) {
    const Index rows = context.training_rows;
    NeighbourVotes::Voters learned{.kernel = nullptr,
                                   .rows = read_compared_rows(in.object("rows"), rows, context)};
    learned.kernel = read_kernel(in, learned.rows, context.control);
    learned.precision = read_precision(in);
    learned.count = in.count("voters", 1, rows);
    PrototypeSet& set = learned.set;
    set.classes = in.indices("classes", rows, 0, context.classes - 1);
    set.squared_norms = in.doubles("squared_norms", rows);
    set.scales.assign(context.classes, 1.0);
    set.shifts.assign(context.classes, 0.0);
    set.norms.assign(context.classes, 1.0);
    read_nearest_rows(in, rows, set);
    return std::make_unique<NeighbourVotes>(std::move(learned), context.control);
}

}  // namespace dk
