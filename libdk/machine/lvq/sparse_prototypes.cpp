// SPDX-License-Identifier: Apache-2.0
// A prototype w = sum_i g_i phi(x_i) of kernel vector quantisation is near rows of its class, but all rows
// have a coefficient. After learning, it becomes one of at most T0 rows:
//
//     omp       the rows and values that bring it nearest to w, by orthogonal matching pursuit under the
//               constraint that values sum to 1
//     nearest   the T0 rows that are nearest to w, with equal values
//     hull      the T0 rows with the largest positive coefficients, which are divided by their sum
//
// D. Hofmann, A. Gisbrecht, B. Hammer, Efficient approximations of robust soft learning vector quantization
// for non-vectorial data, Neurocomputing 147, 2015, has these for a near relative. The paper of AKGLVQ (B.
// Hammer and others, 2011), which only calls it a sparse variant, may choose otherwise.
#include "machine/lvq/sparse_prototypes.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "solve/squares/orthogonal_pursuit.hpp"

namespace dk {

namespace {

/// Gives the positions of the `count` largest values, the first of equal ones.
std::vector<Index> largest(const Vector& values, Index count) {
    std::vector<Index> order(values.size());
    std::iota(order.begin(), order.end(), Index{0});
    count = std::min(count, values.size());
    std::ranges::partial_sort(order, order.begin() + count, [&](Index a, Index b) {
        return values[a] != values[b] ? values[a] > values[b] : a < b;
    });
    order.resize(count);
    return order;
}

SparseCode nearest_rows_of(const ConstMatrixRef& gram, const ConstVectorRef& products, Index limit) {
    SparseCode code{.support = largest(2 * products - gram.diagonal(), limit)};
    code.values.assign(code.support.size(), 1.0 / static_cast<double>(code.support.size()));
    return code;
}

SparseCode largest_coefficients(const Vector& g, Index limit) {
    SparseCode code;
    double sum = 0;
    for (const Index i : largest(g, limit)) {
        if (!(g[i] > 0)) break;
        code.support.push_back(i);
        code.values.push_back(g[i]);
        sum += g[i];
    }
    for (double& value : code.values) value /= sum;  // Some g_i is positive, since all sum to 1.
    return code;
}

}  // namespace

Matrix sparse_coefficients(const ConstMatrixRef& gram, const QuantisationPrototypes& prototypes,
                           SparseForm form, Index limit, Control& control) {
    Matrix sparse = Matrix::Zero(prototypes.count(), gram.rows());
    parallel_for(prototypes.count(), control, [&](Index k) {
        const Vector products = prototypes.products.row(k);
        SparseCode code;
        if (form == SparseForm::omp) code = affine_pursuit(gram, products, prototypes.squares[k], limit);
        if (form == SparseForm::nearest) code = nearest_rows_of(gram, products, limit);
        if (form == SparseForm::hull) code = largest_coefficients(prototypes.coefficients.row(k), limit);
        for (std::size_t s = 0; s < code.support.size(); ++s) sparse(k, code.support[s]) = code.values[s];
    });
    return sparse;
}

}  // namespace dk
