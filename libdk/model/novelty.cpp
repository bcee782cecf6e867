// SPDX-License-Identifier: Apache-2.0
// How new a row is: the distance of its image from the nearest of some reference rows,
//
//     s(x) = min over r of |phi(x) - phi(r)|,   |phi(x) - phi(r)|^2 = k(x, x) - 2 k(x, r) + k(r, r),
//
// beside the distances of n other training rows from the same references. A row that comes as these came has
// each place in the order of all n + 1 distances with the same probability, so that
//
//     p(x) = (1 + the number of training rows at least as far) / (1 + n)
//
// is at most a with a probability of at most a (R. Laxhammar, G. Falkman, Conformal prediction for
// distribution-independent anomaly detection, 2010). That takes a distance that does not know these rows:
// what scaling and a kernel's width learn of many rows hardly matters, but layers that learn what tells the
// classes of few rows apart bring these rows nearer together than new ones.
#include "model/novelty.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "model/archive/feature_archive.hpp"
#include "model/predicted_values.hpp"

namespace dk {

namespace {

constexpr Index most_references = 1000;
constexpr Index most_measured = 2000;
constexpr Index rows_of_a_piece = 1024;

/// Computes how far each row lies from the nearest reference row.
std::vector<double> nearest_distances(const KernelPointer& kernel, const Dataset& data,
                                      const Dataset& references, Control& control) {
    const GramEngine<double> engine(kernel, data, references, &control);
    const auto self = engine.self(Side::left);
    const auto squares = engine.self(Side::right);
    const Index width = engine.cols();
    std::vector<double> distances(data.rows());
    LargeMatrix values(std::min(data.rows(), rows_of_a_piece), width);
    std::vector<Index> rows;
    for (Index first = 0; first < data.rows(); first += rows_of_a_piece) {
        const Index count = std::min(rows_of_a_piece, data.rows() - first);
        const double all = static_cast<double>(data.rows());
        const ProgressScope scope(control, first / all, (first + count) / all);
        rows.resize(count);
        std::iota(rows.begin(), rows.end(), first);
        engine.rows_of(rows, values.data(), control);
        const ProgressHold hold(control);
        parallel_for_rows(count, width, control, [&](Index i) {
            double least = infinity;
            for (Index r = 0; r < width; ++r) {
                const double square = self[first + i] - 2 * values(i, r) + squares[r];
                // Copies of a row differ by the rounding of their kernel values.
                const double rounding = 1e-14 * (std::abs(self[first + i]) + std::abs(squares[r]));
                least = std::min(least, square > rounding ? square : 0.0);
            }
            distances[first + i] = std::sqrt(least);
        });
    }
    require_finite_results(distances, 1);
    return distances;
}

}  // namespace

NoveltyReference::NoveltyReference(KernelPointer kernel, Dataset rows, std::vector<double> distances)
    : kernel_(std::move(kernel)), rows_(std::move(rows)), distances_(std::move(distances)) {}

std::vector<RowNovelty> NoveltyReference::of(const Dataset& data, Control& control) const {
    const double known = 1.0 + std::ssize(distances_);
    std::vector<RowNovelty> found;
    found.reserve(data.rows());
    for (const double distance : nearest_distances(kernel_, data, rows_, control)) {
        const double as_far = distance - 1e-9 * std::max(distance, distances_.back());
        const auto farther = distances_.end() - std::ranges::lower_bound(distances_, as_far);
        found.push_back({.distance = distance, .p = (1 + farther) / known});
    }
    return found;
}

NoveltyReference novelty_reference(const KernelPointer& kernel, const Dataset& data, std::uint64_t seed,
                                   Control& control) {
    if (data.kind() == DataKind::gram)
        fail(Status::unsupported,
             "similarities with training rows do not tell how far new rows lie from them; novelty=yes is of "
             "rows that the library sees");
    constexpr Index fewest = 4;
    if (data.rows() < fewest)
        fail(Status::invalid_data, "novelty=yes compares training rows with each other, and needs at least ",
             fewest, "; these are ", data.rows());
    std::vector<Index> order(data.rows());
    std::iota(order.begin(), order.end(), Index{0});
    Random random(seed);
    random.shuffle(std::span(order));
    const auto references = std::span(order).first(std::min(data.rows() / 2, most_references));
    auto others = std::span(order).subspan(references.size());
    others = others.first(std::min<std::size_t>(others.size(), most_measured));
    std::ranges::sort(references);
    std::ranges::sort(others);
    Dataset kept = features_only(data.select(references)).in_new_set();
    auto distances = nearest_distances(kernel, features_only(data.select(others)), kept, control);
    std::ranges::sort(distances);
    return {kernel, std::move(kept), std::move(distances)};
}

void NoveltyReference::write(ArchiveWriter out) const {
    out.count("rows", rows_.rows());
    write_features(out.object("features"), rows_);
    out.count("measured", std::ssize(distances_));
    out.doubles("distances", distances_);
}

NoveltyReference read_novelty(const ArchiveReader& in, const KernelPointer& kernel,
                              const ReadingContext& context) {
    const Index rows = in.count("rows", 1, most_references);
    Dataset kept = read_compared_rows(in.object("features"), rows, context);
    const Index measured = in.count("measured", 1, most_measured);
    auto distances = in.doubles("distances", measured);
    if (!std::ranges::is_sorted(distances) || distances.front() < 0)
        fail(Status::model_format, "damaged model: distances of training rows do not ascend");
    return {kernel, std::move(kept), std::move(distances)};
}

}  // namespace dk
