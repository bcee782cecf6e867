// SPDX-License-Identifier: Apache-2.0
// The decisions of an expansion, taken apart by support rows and by kernels.
#include "model/kernel_expansion.hpp"
#include "model/weight_blocks.hpp"

namespace dk {

template <typename T>
std::vector<double> KernelExpansion::values_in(const KernelPointer& kernel, const Dataset& row,
                                               Control& control) const {
    std::vector<T> values(support_count());
    GramEngine<T>(kernel, row, learned_.support, &control)
        .rows_of(std::vector<Index>{0}, values.data(), control);
    return {values.begin(), values.end()};
}

std::vector<double> KernelExpansion::values_with_support(const KernelPointer& kernel, const Dataset& row,
                                                         Control& control) const {
    if (learned_.precision == Precision::real32) return values_in<float>(kernel, row, control);
    return values_in<double>(kernel, row, control);
}

/// f(x) = sum_i gamma_i k(x_i, x) + b, where rows with positive gamma are those of p+.
DecisionParts KernelExpansion::decision_parts(const Dataset& row, Control& control) const {
    const std::vector<double> k = values_with_support(learned_.kernel, row, control);
    DecisionParts parts{.offsets = learned_.offsets};
    for_weights(learned_.gamma, [&](Index s, Index f, double gamma) {
        parts.terms.push_back({f, gamma > 0 ? 2 * f : 2 * f + 1, learned_.support_ids[s], gamma * k[s]});
    });
    return parts;
}

void KernelExpansion::dual_coefficients(MatrixRef out) const {
    out.setZero();
    for_weights(learned_.gamma,
                [&](Index s, Index f, double gamma) { out(f, learned_.support_ids[s]) = gamma; });
}

/// f(x) = sum_m weight_m sum_i gamma_i k_m(x_i, x) + b for k = sum_m weight_m k_m.
Matrix KernelExpansion::decisions_by_kernel(const Dataset& row, Control& control) const {
    const std::vector<WeightedKernel> terms = learned_.kernel->terms();
    Matrix decisions = Matrix::Zero(std::ssize(terms), decision_count());
    for (Index m = 0; m < decisions.rows(); ++m) {
        const std::vector<double> k = values_with_support(terms[m].kernel, row, control);
        for_weights(learned_.gamma, [&](Index s, Index f, double gamma) {
            decisions(m, f) += terms[m].weight * gamma * k[s];
        });
    }
    return decisions;
}

}  // namespace dk
