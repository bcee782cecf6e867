// SPDX-License-Identifier: Apache-2.0
// A map of rows by two kernel principal components: the eigenvectors v_1, v_2 of H K H, where K is the kernel
// matrix of some rows and H = I - 1 1' / n, with eigenvalues l_1 >= l_2. Row i is at (l^(1/2) v)_i. A point p
// in feature space with products k_i = p.x_i is at l^(-1/2) v' H (k - K 1 / n), and those of a prototype of a
// pair follow from what dk_explain says: k_i = (k(x_i, x_i) + |p|^2 - |x_i - p|^2) / 2.
//
// B. Schoelkopf, A. Smola, K.-R. Mueller, Nonlinear component analysis as a kernel eigenvalue problem, Neural
// Computation 10, 1998.
#include "report/kernel_map.hpp"

#include <cmath>

#include "kernel/engine/gram_engine.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"

namespace dk {

namespace {

constexpr Index most_mapped_prototypes = 24;

/// The products of each of some prototypes with the rows, a column for each; none where prototypes are no
/// pairs.
Matrix prototype_products(const Model& model, const Dataset& rows, const Vector& self, Control& control) {
    const PrototypeSet& set = model.predictor->prototypes();
    const bool known = model.predictor->prototypes_are_pairs() && set.count() <= most_mapped_prototypes &&
                       std::ssize(set.squared_norms) == set.count();
    if (!known) return {};
    Matrix said(rows.rows(), set.count());
    model.predictor->explain(rows, said.data(), control);
    Matrix products(rows.rows(), set.count());
    for (Index p = 0; p < set.count(); ++p) {
        const double sign = p % 2 == 0 ? -1 : 1;
        const Vector distances = sign * 2 * set.scales[p / 2] * said.col(p);
        products.col(p) = ((self - distances).array() + set.squared_norms[p]) / 2;
    }
    return products;
}

}  // namespace

std::optional<KernelMap> KernelMap::of(const Model& model, const Dataset& data, std::span<const Index> rows,
                                       Control& control) {
    const KernelPointer& kernel = model.predictor->kernel();
    if (model.kind == DataKind::gram || kernel->asks_caller() || kernel->knows_rows()) return std::nullopt;
    const Index n = std::ssize(rows);
    if (n < 3) return std::nullopt;
    KernelMap map(prepared_rows(model, data.select(rows), control), Matrix(n, n));
    {
        const ProgressHold hold(control);
        GramEngine<double>(kernel, map.rows_, map.rows_, &control).matrices(map.K_.data(), control);
    }
    const Vector means = map.K_.rowwise().mean();
    LargeMatrix centred(n, n);
    centred.view() = map.K_.array() + means.mean();
    centred.view().colwise() -= means;
    centred.view().rowwise() -= means.transpose();
    map.total_ = centred.view().trace();
    const SymmetricEigen eigen = symmetric_eigen(std::move(centred), control);
    if (!(eigen.values[n - 2] > 1e-10 * std::abs(eigen.values[n - 1]))) return std::nullopt;
    map.vectors_.resize(2, n);
    map.values_.resize(2);
    for (Index c = 0; c < 2; ++c) {
        map.values_[c] = eigen.values[n - 1 - c];
        map.vectors_.row(c) = ConstVectorView(eigen.vectors.row(n - 1 - c), n).transpose();
    }
    return map;
}

double KernelMap::place_of_row(Index component, Index row) const {
    return std::sqrt(values_[component]) * vectors_(component, row);
}

Matrix KernelMap::places_of_prototypes(const Model& model, Control& control) const {
    const ProgressHold hold(control);
    const Matrix products = prototype_products(model, rows_, K_.diagonal(), control);
    Matrix places(2, products.cols());
    for (Index p = 0; p < products.cols(); ++p) {
        Vector centred = products.col(p) - K_.rowwise().mean();
        centred.array() -= centred.mean();
        places.col(p) = (vectors_ * centred).cwiseQuotient(values_.cwiseSqrt());
    }
    return places;
}

}  // namespace dk
