// SPDX-License-Identifier: Apache-2.0
//
// A few of n rows are chosen to stand for all, by the distances d_ij that their similarities give. With R for
// the rows that are not chosen yet and Z for those that are, the next row is
//
//     PS-R    any of R
//     PS-B    the largest of   sum over j in R of d_ij
//     PS-S    the least of     sum over all j of d_ij, then the largest of   min over j in Z of d_ij
//
// PS-KM starts at the rows of PS-S. It assigns each row to the nearest medoid, and a medoid always to itself;
// each cluster's new medoid is the row of least total distance to its rows, the old one where it is as good.
// So the energy sum_i d(i, medoid of i) never rises, whatever the similarities. Kernel k-means, whose centres
// are means in feature space, has no such bound where the matrix is not positive semidefinite, and may swing
// for ever.
//
// A. Demontis, M. Melis, B. Biggio, G. Fumera, F. Roli, Super-sparse learning in similarity spaces, IEEE
// Computational Intelligence Magazine 11, 2016; K. Riesen, H. Bunke, Graph classification based on vector
// space embedding, IJPRAI 23, 2009 (the names).
#include "prototype/row_selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"

namespace dk {

namespace {

Index first_of_largest(const Vector& values) {
    Index best = 0;
    values.maxCoeff(&best);
    return best;
}

/// Computes the sum of each row's distances to all.
Vector total_distances(const RowDistances& d, Control& control) {
    Vector totals(d.size());
    const ProgressHold hold(control);
    parallel_for_rows(d.size(), d.size(), control, [&](Index i) {
        double sum = 0;
        for (Index j = 0; j < d.size(); ++j) sum += d(i, j);
        totals[i] = sum;
    });
    return totals;
}

std::vector<Index> all_of(Index count) {
    std::vector<Index> rows(count);
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

/// The medoid to which each row belongs, as a position among the medoids, and the sum of the distances to it.
struct Assignment {
    std::vector<Index> cluster_of;
    double energy;
};

Assignment assign(const RowDistances& d, const std::vector<Index>& medoids, Control& control) {
    Assignment out{std::vector<Index>(d.size()), 0};
    Vector distances(d.size());
    const ProgressHold hold(control);
    parallel_for_rows(d.size(), std::ssize(medoids), control, [&](Index i) {
        Index nearest = 0;
        double least = infinity;
        for (Index c = 0; c < std::ssize(medoids); ++c) {
            const double distance = d(i, medoids[c]);
            if (!(distance < least) && medoids[c] != i) continue;
            nearest = c;
            least = distance;
            if (medoids[c] == i) break;
        }
        out.cluster_of[i] = nearest;
        distances[i] = least;
    });
    for (Index i = 0; i < d.size(); ++i) out.energy += distances[i];
    return out;
}

/// Finds the rows of least total distance within their clusters.
std::vector<Index> medoids_of(const RowDistances& d, const Assignment& assigned, std::vector<Index> medoids,
                              Control& control) {
    std::vector<std::vector<Index>> clusters(medoids.size());
    for (Index i = 0; i < d.size(); ++i) clusters[assigned.cluster_of[i]].push_back(i);
    Vector totals(d.size());
    const ProgressHold hold(control);
    parallel_for_rows(d.size(), d.size(), control, [&](Index i) {
        double sum = 0;
        for (const Index j : clusters[assigned.cluster_of[i]]) sum += d(i, j);
        totals[i] = sum;
    });
    for (std::size_t c = 0; c < medoids.size(); ++c) {
        for (const Index i : clusters[c]) {
            if (totals[i] < totals[medoids[c]]) medoids[c] = i;
        }
    }
    return medoids;
}

std::vector<Index> chosen_of(RowSelection selection, const RowDistances& d, Index count, Random& random,
                             Control& control) {
    if (count >= d.size()) return all_of(d.size());
    if (count == 0) return {};
    switch (selection) {
        case RowSelection::border:
            return border_rows(d, count, control);
        case RowSelection::spanning:
            return spanning_rows(d, count, control);
        case RowSelection::k_medoids:
            return k_medoids(d, spanning_rows(d, count, control), control).rows;
        case RowSelection::random:
            break;
    }
    std::vector<Index> rows = all_of(d.size());
    random.shuffle(std::span(rows));
    rows.resize(count);
    return rows;
}

}  // namespace

double RowDistances::operator()(Index i, Index j) const {
    const Index a = rows_[i];
    const Index b = rows_[j];
    return std::sqrt(std::max(0.0, similarities_(a, a) + similarities_(b, b) - 2 * similarities_(a, b)));
}

std::vector<Index> border_rows(const RowDistances& d, Index count, Control& control) {
    Vector totals = total_distances(d, control);
    std::vector<Index> chosen;
    while (std::ssize(chosen) < std::min(count, d.size())) {
        control.check();
        const Index next = first_of_largest(totals);
        chosen.push_back(next);
        for (Index i = 0; i < d.size(); ++i) totals[i] -= d(i, next);
        totals[next] = -infinity;
    }
    return chosen;
}

std::vector<Index> spanning_rows(const RowDistances& d, Index count, Control& control) {
    if (count <= 0 || d.size() == 0) return {};
    std::vector<Index> chosen{first_of_largest(-total_distances(d, control))};
    Vector nearest = Vector::Constant(d.size(), infinity);  // the distance to the nearest of the chosen rows
    while (std::ssize(chosen) < std::min(count, d.size())) {
        control.check();
        const Index last = chosen.back();
        for (Index i = 0; i < d.size(); ++i) nearest[i] = std::min(nearest[i], d(i, last));
        nearest[last] = -1;
        chosen.push_back(first_of_largest(nearest));
    }
    return chosen;
}

Medoids k_medoids(const RowDistances& d, std::vector<Index> start, Control& control) {
    Medoids found{.rows = std::move(start)};
    while (true) {
        control.check();
        const Assignment assigned = assign(d, found.rows, control);
        const bool fell = found.energies.empty() || assigned.energy < found.energies.back();
        found.energies.push_back(assigned.energy);
        if (!fell) return found;  // It fell by less than rounding.
        std::vector<Index> moved = medoids_of(d, assigned, found.rows, control);
        if (moved == found.rows) return found;
        found.rows = std::move(moved);
    }
}

std::vector<Index> select_rows(RowSelection selection, const ConstMatrixView& similarities,
                               std::span<const Index> rows, std::span<const Index> class_of, Index count,
                               std::uint64_t seed, Control& control) {
    const Index classes = class_of.empty() ? 1 : std::ranges::max(class_of) + 1;
    std::vector<std::vector<Index>> members(classes);
    for (const Index i : rows) members[class_of.empty() ? 0 : class_of[i]].push_back(i);
    Random random(seed);
    std::vector<Index> chosen;
    for (Index c = 0; c < classes; ++c) {
        const RowDistances d(similarities, std::move(members[c]));
        const Index share = count / classes + (c < count % classes ? 1 : 0);
        for (const Index i : chosen_of(selection, d, share, random, control)) chosen.push_back(d.row(i));
    }
    std::ranges::sort(chosen);
    return chosen;
}

}  // namespace dk
