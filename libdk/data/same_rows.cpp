// SPDX-License-Identifier: Apache-2.0
#include "data/same_rows.hpp"

#include <algorithm>
#include <cmath>

namespace dk {

namespace {

bool same_values(const std::vector<double>& one, const std::vector<double>& other) {
    return std::ranges::equal(one, other,
                              [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

bool same(const DenseMatrix& one, const DenseMatrix& other) {
    return one.rows == other.rows && one.cols == other.cols && one.similarity == other.similarity &&
           same_values(one.values, other.values);
}

bool same(const SparseMatrix& one, const SparseMatrix& other) {
    return one.cols == other.cols && one.row_offsets == other.row_offsets && one.columns == other.columns &&
           one.values == other.values;
}

bool same(const GramMatrices& one, const GramMatrices& other) {
    const bool computed = one.compute || other.compute;  // Nobody can tell whether functions are the same.
    return !computed && one.matrices == other.matrices && one.rows == other.rows && one.cols == other.cols &&
           one.values == other.values && one.columns == other.columns && one.self == other.self;
}

bool same(const SeriesSet& one, const SeriesSet& other) {
    return one.channels == other.channels && one.step_offsets == other.step_offsets &&
           one.values == other.values;
}

bool same(const StringSet& one, const StringSet& other) {
    return one.texts == other.texts;
}

bool same(const GraphSet& one, const GraphSet& other) {
    return one.node_offsets == other.node_offsets && one.node_labels == other.node_labels &&
           one.edge_offsets == other.edge_offsets && one.edges == other.edges;
}

}  // namespace

bool same_rows(const Dataset& one, const Dataset& other) {
    if (!one.identity().same_places(other.identity())) return false;
    if (&one.features() == &other.features()) return true;
    return std::visit(
        [](const auto& left, const auto& right) {
            if constexpr (std::is_same_v<decltype(left), decltype(right)>) {
                return same(left, right);
            } else {
                return false;
            }
        },
        one.features(), other.features());
}

}  // namespace dk
