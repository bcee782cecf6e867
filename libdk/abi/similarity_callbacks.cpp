// SPDX-License-Identifier: Apache-2.0
#include "abi/similarity_callbacks.hpp"

#include <algorithm>
#include <cmath>

#include "abi/guard.hpp"

namespace dk::abi {

namespace {

template <typename Callback>
void require_callback(Callback callback) {
    if (callback == nullptr) fail(Status::invalid_argument, "callback is NULL");
}

/// Throws unless the callback, whose answer this is, has written `columns` finite values for each of the
/// rows. `column` names a column.
void require_similarities(std::int32_t answer, std::span<const double> values, std::span<const Index> rows,
                          const auto& column) {
    if (answer != 0) fail(Status::callback, "the similarity callback failed: it returned ", answer);
    const auto bad = std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); });
    if (bad == values.end()) return;
    const Index columns = std::ssize(values) / std::ssize(rows);
    const Index place = bad - values.begin();
    fail(Status::invalid_data, "the similarity callback gave ", *bad, " for row ", rows[place / columns],
         " and ", column(place % columns), "; every similarity must be finite");
}

}  // namespace

GramMatrices::Compute similarity_of(dk_similarity_callback callback, void* user) {
    require_callback(callback);
    return [=](std::span<const Index> rows, std::span<const Index> training_rows, double* out) {
        const std::vector<std::int64_t> left(rows.begin(), rows.end());
        const std::vector<std::int64_t> right(training_rows.begin(), training_rows.end());
        const std::span values(out, left.size() * right.size());
        std::ranges::fill(values, std::nan(""));
        const auto answer =
            callback(out, left.data(), std::ssize(left), right.data(), std::ssize(right), user);
        require_similarities(answer, values, rows,
                             [&](Index j) { return text("training row ", training_rows[j]); });
    };
}

PointSimilarity::Compute point_similarity_of(dk_point_similarity_callback callback, void* user) {
    require_callback(callback);
    return [=](std::span<const Index> rows, std::span<const double> points, Index count, double* out) {
        const std::vector<std::int64_t> left(rows.begin(), rows.end());
        const std::span values(out, rows.size() * count);
        std::ranges::fill(values, std::nan(""));
        const auto answer = callback(out, points.data(), count, std::ssize(points) / count, left.data(),
                                     std::ssize(left), user);
        require_similarities(answer, values, rows, [](Index j) { return text("point ", j); });
    };
}

bool required_concurrent(std::int32_t concurrent) {
    if (concurrent != 0 && concurrent != 1)
        fail(Status::invalid_argument, "concurrent is ", concurrent, "; it must be 0 or 1");
    return concurrent == 1;
}

}  // namespace dk::abi
