// SPDX-License-Identifier: Apache-2.0
#include "model/dictionary/nearest_prototype.hpp"

namespace dk {

namespace {

/// Computes |x - u_p|^2 = k(x, x) - 2 x.u_p + |u_p|^2 for every prototype. Rounding, or a kernel that is not
/// positive semidefinite, can make it negative.
Vector squared_distances(const PrototypeFacts& facts, const DictionaryRow& row) {
    const Vector squares = facts.products.diagonal().array() + row.square;
    return (squares - 2 * row.products).cwiseMax(0.0);
}

}  // namespace

Vector NearestPrototype::code(const PrototypeFacts& facts, const DictionaryRow& row) const {
    return squared_distances(facts, row).cwiseSqrt();
}

void NearestPrototype::decide(const PrototypeFacts& facts, const DictionaryRow& row, VectorRef values) const {
    const Vector squares = squared_distances(facts, row);
    // A class without prototypes, which selection may leave, is farther than all others.
    values.setConstant(-2 * squares.maxCoeff() - 1);
    for (Index p = 0; p < facts.count(); ++p) {
        double& value = values[facts.classes[p]];
        value = std::max(value, -squares[p]);
    }
}

void NearestPrototype::explain(const PrototypeFacts& facts, const DictionaryRow& row,
                               VectorRef contributions) const {
    const Vector squares = squared_distances(facts, row);
    std::vector<Index> nearest(facts.class_count(), -1);
    for (Index p = 0; p < facts.count(); ++p) {
        Index& best = nearest[facts.classes[p]];
        if (best < 0 || squares[p] < squares[best]) best = p;
    }
    contributions.setZero();
    for (const Index p : nearest) {
        if (p >= 0) contributions[p] = -squares[p];
    }
}

}  // namespace dk
