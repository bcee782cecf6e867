// SPDX-License-Identifier: Apache-2.0
//
// The kernel Fisher discriminant of two classes: with m+ and m- the projections of the class means on all
// rows, and N = sum over rows of (k_i - m)(k_i - m)', m the mean of the row's class,
//
//     max over gamma of (gamma'(m+ - m-))^2 / gamma'(N + r I) gamma,
//
// whose solution is (N + r I) gamma = m+ - m-, since the pencil has rank one.
//
//     K = gram     m+, m- = positive, negative     N = scatter     r = ridge     gamma = gamma
//
// S. Mika, G. Raetsch, J. Weston, B. Schoelkopf, K.-R. Mueller, Fisher discriminant analysis with kernels,
// NNSP 1999.
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "machine/margin/binary_reduction.hpp"
#include "machine/mean/centred_gram.hpp"
#include "matrix/cholesky.hpp"

namespace dk {

namespace parameter {
constexpr RealKey regularisation{
    "regularisation", 1e-3, Range::positive(),
    "The diagonal of the within-class scatter grows by this share of its mean element."};
}

namespace {

/// The projections of one class's mean on all rows: the mean over the class's columns in each row.
Vector class_mean(const ConstMatrixRef& gram, const ConstVectorView& signs, double sign, Control& control) {
    const Vector share = (signs.array() == sign).cast<double>() / (signs.array() == sign).count();
    Vector mean(gram.rows());
    parallel_for_rows(gram.rows(), gram.cols(), control, [&](Index i) { mean(i) = gram.row(i).dot(share); });
    return mean;
}

/// Takes the class means off the columns, which leaves the deviations within the classes.
void subtract_class_means(MatrixRef gram, const ConstVectorView& signs, const Vector& positive,
                          const Vector& negative, Control& control) {
    const auto in_positive = (signs.array() > 0).transpose();
    parallel_for_rows(gram.rows(), gram.cols(), control, [&](Index i) {
        gram.row(i).array() -=
            in_positive.select(positive(i), Eigen::ArrayXd::Constant(gram.cols(), negative(i)).transpose());
    });
}

/// Solves (N + regularisation tr(N)/n I) gamma = m+ - m-. N is singular after centring, so the regularisation
/// is part of the method.
Vector fisher_direction(LargeMatrix deviations, Vector difference, double regularisation, Control& control) {
    const Index n = deviations.rows();
    LargeMatrix scatter(n, n);
    outer_product(deviations.view(), scatter.view(), control);
    deviations = LargeMatrix();
    const double trace = scatter.view().trace();
    // Rows that coincide within each class have no scatter; then the difference of means is the answer.
    scatter.view().diagonal().array() += trace > 0 ? regularisation * trace / n : 1.0;
    if (!cholesky_factor(scatter.view(), control)) {
        fail(Status::numerical,
             "the within-class scatter is not positive definite; raise regularisation (it is ",
             regularisation, ")");
    }
    cholesky_solve(scatter.view(), difference, control);
    return difference;
}

/// Learns the discriminant on the centred kernel; the offset is halfway between the projected class means.
BinarySolution train_fisher(const BinaryProblem& binary, TrainingGram& gram) {
    const Index n = binary.rows();
    Control& control = binary.problem.control;
    const ConstVectorView signs = as_vector(binary.signs);
    CentredGram centred = centred_gram(view(gram.whole(2, control), n, n), control);
    const Vector positive = class_mean(centred.values.view(), signs, 1, control);
    const Vector negative = class_mean(centred.values.view(), signs, -1, control);
    subtract_class_means(centred.values.view(), signs, positive, negative, control);

    const Vector gamma = fisher_direction(std::move(centred.values), positive - negative,
                                          binary.problem.parameters[parameter::regularisation], control);
    BinarySolution solution;
    solution.offset = -0.5 * gamma.dot(positive + negative);
    solution.gamma.assign(gamma.begin(), gamma.end());
    uncentre(solution.gamma, solution.offset, centred.means);
    return solution;
}

}  // namespace

Machine fisher_machine() {
    return {
        .name = "fisher",
        .doc =
            "The kernel Fisher discriminant finds the direction on which the classes lie far apart for their "
            "scatter.",
        .reference =
            "Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, Neural Computation 21, 2009",
        .task = Task::classification,
        .uses_sample_weights = false,
        .parameters = {parameter::regularisation, parameter::multiclass},
        .train =
            [](const TrainingProblem& problem) { return train_by_binary_reduction(problem, train_fisher); },
        .several_labels = true,
        .updates = true};
}

}  // namespace dk
