// SPDX-License-Identifier: Apache-2.0
#include "machine/mean/centred_gram.hpp"

#include "base/parallel.hpp"

namespace dk {

CentredGram centred_gram(const ConstMatrixRef& gram, Control& control) {
    const Index n = gram.rows();
    CentredGram centred{LargeMatrix(n, n), Vector(n)};
    Vector& means = centred.means;
    parallel_for_rows(n, n, control, [&](Index i) { means(i) = gram.row(i).mean(); });
    const double grand_mean = means.mean();
    parallel_for_rows(n, n, control, [&](Index i) {
        centred.values.view().row(i) =
            gram.row(i).array() - means(i) - means.transpose().array() + grand_mean;
    });
    return centred;
}

void uncentre(std::vector<double>& gamma, double& offset, const Vector& means) {
    VectorView coefficients = as_vector(gamma);
    coefficients.array() -= coefficients.mean();
    offset -= coefficients.dot(means);
}

}  // namespace dk
