// SPDX-License-Identifier: Apache-2.0
// What the machine kernel_pca and the layer of its name learn alike. The formulas stand at the top of
// centred_spectrum.cpp and of model/principal_components.cpp.
#include "machine/components/component_learning.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "model/archive/kernel_archive.hpp"
#include "prototype/nearest_rows.hpp"

namespace dk {

namespace {

/// Finds the lengths and nearest rows of the prototypes, the mean and mean +- d_j e_j. Distances are those
/// from the mean, with which no kernel value is needed: a row has the squared length kc(x, x) and the product
/// +- d_j s_j with a prototype of squared length d_j^2.
PrototypeSet prototypes_of(const CentredSpectrum& spectrum, const Vector& offsets, Index neighbours,
                           Control& control) {
    const Index n = spectrum.scores.rows();
    const Index count = spectrum.components();
    const Vector d = spectrum.deviations();
    PrototypeSet set;
    set.squared_norms.push_back(spectrum.grand_mean);
    std::vector<double> from_mean{0};
    for (Index j = 0; j < count; ++j) {
        for (const double side : {1.0, -1.0}) {
            set.squared_norms.push_back(spectrum.grand_mean + 2 * side * d[j] * offsets[j] + d[j] * d[j]);
            from_mean.push_back(d[j] * d[j]);
        }
    }
    set.neighbours = std::min(neighbours, n);
    if (set.neighbours == 0) return set;
    NearestRows nearest(2 * count + 1, set.neighbours);
    constexpr Index at_once = 1024;
    for (Index first = 0; first < n; first += at_once) {
        const Index some = std::min(at_once, n - first);
        Matrix products = Matrix::Zero(some, 2 * count + 1);
        for (Index j = 0; j < count; ++j) {
            products.col(1 + 2 * j) = d[j] * spectrum.scores.col(j).segment(first, some);
            products.col(2 + 2 * j) = -products.col(1 + 2 * j);
        }
        nearest.see(first, some, as_span(spectrum.self).subspan(first), products.data(), control);
    }
    nearest.write(from_mean, set.nearest_rows, set.nearest_distances);
    return set;
}

}  // namespace

Matrix ComponentLearning::features() const {
    if (!learned.whitens) return spectrum.scores;
    return spectrum.scores * spectrum.deviations().cwiseInverse().asDiagonal();
}

ComponentLearning learn_components(const KernelPointer& kernel, const Dataset& data,
                                   const ComponentSettings& settings, Control& control) {
    ComponentLearning out{
        .spectrum = {},
        .learned = {.kernel = kernel, .precision = settings.precision, .rows = Dataset(DenseMatrix())},
        .report = {}};
    {
        const ProgressScope scope(control, 0, 0.8);
        out.spectrum = centred_spectrum(kernel, data, settings.choice, control);
    }
    const CentredSpectrum& spectrum = out.spectrum;
    const Matrix A = spectrum.directions();
    const Vector offsets = A.transpose().lazyProduct(spectrum.column_means);
    out.learned.directions.assign(A.data(), A.data() + A.size());
    out.learned.eigenvalues.assign(spectrum.eigenvalues.begin(), spectrum.eigenvalues.end());
    out.learned.offsets.assign(offsets.begin(), offsets.end());
    out.learned.grand_mean = spectrum.grand_mean;
    out.learned.whitens = settings.whitens;
    const Vector shares = spectrum.eigenvalues / spectrum.trace;
    out.report.add("components", static_cast<std::int64_t>(spectrum.components()))
        .add("eigenvalues", out.learned.eigenvalues)
        .add("variance_shares", std::vector<double>(shares.begin(), shares.end()))
        .add("variance_explained", shares.sum());
    if (spectrum.negative_eigenvalues > 0) {
        out.report.add("negative_eigenvalues", std::int64_t{spectrum.negative_eigenvalues})
            .add("note",
                 text("kernel ", kernel->text(),
                      " is not positive semidefinite on these rows: ", spectrum.negative_eigenvalues,
                      " eigenvalues are negative and have no component; spectrum=clip or flip corrects "
                      "the kernel"));
    }
    const ProgressScope scope(control, 0.8, 1, "prototypes");
    out.learned.set = prototypes_of(spectrum, offsets, settings.neighbours, control);
    out.learned.rows = kept_rows(*kernel, data, control);
    return out;
}

}  // namespace dk
