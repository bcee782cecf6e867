// SPDX-License-Identifier: Apache-2.0
#include "data/scaling/column_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace dk {

namespace {

/// A value of a column, its rank, and how many rows have it; the last two as shares of the rows.
struct Knot {
    double value;
    double rank;
    double share;
};

/// Lists the distinct values of a column, ascending, each with the middle of the ranks that it takes.
std::vector<Knot> all_knots(std::vector<double> column) {
    std::ranges::sort(column);
    const double rows = column.size();
    std::vector<Knot> knots;
    for (auto from = column.begin(); from != column.end();) {
        const auto to = std::upper_bound(from, column.end(), *from);
        const double below = static_cast<double>(from - column.begin());
        const double not_above = static_cast<double>(to - column.begin());
        knots.push_back({*from, (below + not_above) / (2 * rows), (not_above - below) / rows});
        from = to;
    }
    return knots;
}

/// Keeps the first and the last knot, and of those between one wherever ranks enter another 256th.
std::vector<Knot> thinned(const std::vector<Knot>& all) {
    constexpr double parts = most_knots - 2;
    std::vector<Knot> kept;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const bool at_an_end = k == 0 || k + 1 == all.size();
        if (at_an_end || std::floor(all[k].rank * parts) > std::floor(kept.back().rank * parts))
            kept.push_back(all[k]);
    }
    return kept;
}

/// Gives y at x on the line through points whose x and y ascend, and the y of the first or the last point
/// beyond them. Halves keep differences finite. What is no number stays none.
double on_line(std::span<const double> xs, std::span<const double> ys, double x) {
    if (std::isnan(x)) return x;
    if (x <= xs.front()) return ys.front();
    if (x >= xs.back()) return ys.back();
    const auto above = std::ranges::upper_bound(xs, x) - xs.begin();
    const double left = xs[above - 1] / 2;
    const double share = (x / 2 - left) / (xs[above] / 2 - left);
    return ys[above - 1] * (1 - share) + ys[above] * share;
}

std::vector<double> column_of(const DenseMatrix& matrix, Index j) {
    std::vector<double> column(matrix.rows);
    for (Index i = 0; i < matrix.rows; ++i) column[i] = matrix.row(i)[j];
    return column;
}

/// Computes the correlation of the values of a column that varies with their ranks. Places between the lowest
/// and the highest value stand for values, whose squares may overflow.
double correlation_with_ranks(const std::vector<Knot>& knots) {
    const double lowest = knots.front().value / 2;
    const double range = knots.back().value / 2 - lowest;
    const auto place = [&](const Knot& knot) { return (knot.value / 2 - lowest) / range; };
    double mean = 0;
    for (const Knot& knot : knots) mean += knot.share * place(knot);
    double product = 0;
    double of_values = 0;
    double of_ranks = 0;
    for (const Knot& knot : knots) {
        const double from_mean = place(knot) - mean;
        const double from_middle = knot.rank - 0.5;  // 1/2 is the mean of all ranks.
        product += knot.share * from_mean * from_middle;
        of_values += knot.share * from_mean * from_mean;
        of_ranks += knot.share * from_middle * from_middle;
    }
    return product / std::sqrt(of_values * of_ranks);
}

}  // namespace

double ColumnRanks::rank(Index column, double value) const {
    const auto from = static_cast<std::size_t>(first[column]);
    const std::size_t count = static_cast<std::size_t>(first[column + 1]) - from;
    return on_line(std::span(values).subspan(from, count), std::span(ranks).subspan(from, count), value);
}

double ColumnRanks::value(Index column, double rank) const {
    const auto from = static_cast<std::size_t>(first[column]);
    const std::size_t count = static_cast<std::size_t>(first[column + 1]) - from;
    return on_line(std::span(ranks).subspan(from, count), std::span(values).subspan(from, count), rank);
}

bool ColumnRanks::sound() const {
    if (first.empty() || first.front() != 0 || first.back() != std::ssize(values)) return false;
    if (std::ranges::adjacent_find(first, std::ranges::greater_equal()) != first.end()) return false;
    const auto ascends = [&](std::span<const double> numbers, std::size_t column) {
        const auto of_column = numbers.subspan(first[column], first[column + 1] - first[column]);
        return std::ranges::adjacent_find(of_column, std::ranges::greater_equal()) == of_column.end();
    };
    for (std::size_t column = 0; column + 1 < first.size(); ++column) {
        if (!ascends(values, column) || !ascends(ranks, column)) return false;
    }
    return true;
}

ColumnRanks fit_ranks(const DenseMatrix& matrix) {
    ColumnRanks learned{.first = {0}};
    for (Index j = 0; j < matrix.cols; ++j) {
        for (const Knot& knot : thinned(all_knots(column_of(matrix, j)))) {
            learned.values.push_back(knot.value);
            learned.ranks.push_back(knot.rank);
        }
        learned.first.push_back(std::ssize(learned.values));
    }
    return learned;
}

bool ranks_differ_from_values(const DenseMatrix& matrix) {
    constexpr double alike = 0.95;
    Index varying = 0;
    Index skewed = 0;
    for (Index j = 0; j < matrix.cols; ++j) {
        const std::vector<Knot> knots = all_knots(column_of(matrix, j));
        if (knots.size() == 1) continue;
        ++varying;
        if (correlation_with_ranks(knots) < alike) ++skewed;
    }
    return varying > 0 && 2 * skewed >= varying;
}

}  // namespace dk
