// SPDX-License-Identifier: Apache-2.0
// Kernel principal component analysis needs no labels. It finds the directions in which the images of the
// training rows vary most (centred_spectrum.cpp). The model tells how far a row is from their span, which is
// small for rows like the training rows (model/principal_components.cpp), and its features are the row's
// coordinates along them.
//
// Of the Gaussian kernel a prototype, which is a combination sum_i c_i phi(x_i) of rows, has a pre-image: the
// point whose image is nearest to it. It is found from the training row that is nearest to the prototype in
// feature space, or from the next one where the way from there leads nowhere.
//
// B. Schoelkopf, A. Smola, K.-R. Mueller, Nonlinear component analysis as a kernel eigenvalue problem, Neural
// Computation 10, 1998; H. Hoffmann, Kernel PCA for novelty detection, Pattern Recognition 40, 2007; S. Mika,
// B. Schoelkopf, A. Smola, K.-R. Mueller, M. Scholz, G. Raetsch, Kernel PCA and de-noising in feature spaces,
// NIPS 1998.
#include <algorithm>
#include <cmath>

#include "machine/components/component_learning.hpp"
#include "machine/machine.hpp"
#include "matrix/product.hpp"
#include "prototype/gaussian_fixed_point.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey components{
    "components", 10, {1, 1000000}, "This is the number of components, or fewer where the rows have fewer."};
constexpr RealKey variance{"variance",
                           0,
                           {0, 1},
                           "With a value above 0 there are as many components as have this share of the "
                           "training rows' variance in feature space, and `components` does not count."};
constexpr FlagKey whiten{"whiten", false, "With yes, features have the variance 1 on the training rows."};
constexpr RealKey outside{
    "nu",
    0.05,
    {0, 1},
    "This share of the training rows lies further from the components' span than the threshold."};
}  // namespace parameter

namespace {

/// Gives the distance that the share nu of the novelties exceeds.
double threshold_of(const CentredSpectrum& spectrum, double nu) {
    Vector novelty = (spectrum.self - spectrum.scores.rowwise().squaredNorm()).cwiseMax(0);
    std::ranges::sort(as_span(novelty));
    const Index n = novelty.size();
    const Index within =
        std::clamp<Index>(static_cast<Index>(std::ceil((1 - nu) * static_cast<double>(n))), 1, n);
    // What rounding leaves of a row in the span shall not be outside.
    return novelty[within - 1] + 1e-12 * std::max(spectrum.self.maxCoeff(), 0.0);
}

/// Gives the prototypes as combinations of the training rows, prototypes x rows.
Matrix combinations_of(const CentredSpectrum& spectrum, const ConstMatrixView& A) {
    const Vector d = spectrum.deviations();
    Matrix combinations = Matrix::Constant(2 * d.size() + 1, A.rows(), 1.0 / static_cast<double>(A.rows()));
    for (Index j = 0; j < d.size(); ++j) {
        combinations.row(1 + 2 * j) += d[j] * A.col(j).transpose();
        combinations.row(2 + 2 * j) -= d[j] * A.col(j).transpose();
    }
    return combinations;
}

/// Finds the pre-image of each prototype, prototypes x columns; none where one has none.
std::vector<double> pre_images(const CentredSpectrum& spectrum, const ConstMatrixView& A,
                               const PrototypeSet& set, const TrainingProblem& problem) {
    const Dataset& data = problem.data;
    const bool linear = problem.kernel->linear();
    if (data.kind() != DataKind::dense || !(linear || is_gaussian(*problem.kernel))) return {};
    problem.control.memory().require(8.0 * std::ssize(set.squared_norms) * (data.rows() + data.cols()),
                                     text("prototypes of ", spectrum.components(), " components"));
    const Matrix combinations = combinations_of(spectrum, A);
    Matrix images(combinations.rows(), data.cols());
    if (linear) {
        multiply(combinations, view(data.dense().values.data(), data.rows(), data.cols()), images,
                 Into::assign, problem.control);
        return {images.data(), images.data() + images.size()};
    }
    const PreparedRows<double> prepared(*problem.kernel, data, problem.control);
    for (Index p = 0; p < images.rows(); ++p) {
        std::optional<Vector> found;
        for (Index near = 0; near < set.neighbours && !found; ++near) {
            const auto row = data.dense().row(set.nearest_rows[p * set.neighbours + near]);
            found = gaussian_fixed_point(problem.kernel, prepared, combinations.row(p).transpose(),
                                         as_vector(row), {.most_steps = 1000, .tolerance = 1e-12},
                                         problem.control);
        }
        if (!found) return {};
        images.row(p) = found->transpose();
    }
    return {images.data(), images.data() + images.size()};
}

TrainedMachine train_components(const TrainingProblem& problem) {
    const Parameters& parameters = problem.parameters;
    ComponentLearning found =
        learn_components(problem.kernel, problem.data,
                         {.choice = {parameters[parameter::components], parameters[parameter::variance]},
                          .whitens = parameters[parameter::whiten],
                          .precision = problem.precision,
                          .neighbours = parameters[parameter::neighbours]},
                         problem.control);
    PrincipalComponents::Components& learned = found.learned;
    learned.threshold = threshold_of(found.spectrum, parameters[parameter::outside]);
    const ConstMatrixView A =
        view(std::as_const(learned.directions).data(), problem.data.rows(), learned.count());
    learned.coordinates = pre_images(found.spectrum, A, learned.set, problem);
    TrainedMachine trained;
    trained.report = std::move(found.report);
    trained.report.add("threshold", learned.threshold).add("converged", true);
    trained.predictor = std::make_unique<PrincipalComponents>(std::move(learned), problem.control);
    trained.rule = DecisionRule::binary;
    return trained;
}

}  // namespace

Machine kernel_pca_machine() {
    return {.name = "kernel_pca",
            .doc =
                "Kernel principal component analysis finds the directions of largest variance in feature "
                "space. Its features are a row's coordinates along them; it predicts 1 for rows near their "
                "span, as the training rows are, and -1 for others.",
            .reference =
                "Schoelkopf, Smola, Mueller, Nonlinear component analysis as a kernel eigenvalue problem, "
                "Neural Computation 10, 1998; Hoffmann, Kernel PCA for novelty detection, Pattern "
                "Recognition 40, 2007",
            .prototypes =
                "Prototype 0 is the mean, and 1 + 2 j and 2 + 2 j are the points one standard deviation from "
                "it along component j; coefficients may be negative and sum to 1. The mean explains a row by "
                "minus its squared distance, and of each component the prototype on the row's side by the "
                "squared score; with the offset they sum to the decision, by how much the row is nearer to "
                "the components' span than the threshold. Features are the scores. With the kernel rbf and "
                "neighbours above 0 coordinates are those of pre-images, whose images are nearest to the "
                "prototypes. Reconstructing takes noise from a row: it gives the point whose image is "
                "nearest to the projection on the span, exactly for linear and rbf (Mika et al., NIPS 1998), "
                "and for other kernels the mean of the ten training rows with the nearest scores, weighted "
                "by the inverse of their distances.",
            .task = Task::novelty,
            .uses_sample_weights = false,
            .parameters = {parameter::components, parameter::variance, parameter::whiten, parameter::outside},
            .train = train_components,
            .reads_rows = true};
}

}  // namespace dk
