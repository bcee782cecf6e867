// SPDX-License-Identifier: Apache-2.0
#include "machine/similarity/similarity_space.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "data/split.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "machine/single_function.hpp"
#include "matrix/product.hpp"
#include "model/free_expansion.hpp"

namespace dk {

namespace {

std::optional<RowSelection> selection_of(Basis basis) {
    switch (basis) {
        case Basis::all:
            return std::nullopt;
        case Basis::random:
            return RowSelection::random;
        case Basis::border:
            return RowSelection::border;
        case Basis::spanning:
            return RowSelection::spanning;
        case Basis::k_medoids:
            return RowSelection::k_medoids;
    }
    return std::nullopt;
}

void require_finite_similarities(const KernelPointer& kernel, const ConstMatrixRef& S, Control& control) {
    const ProgressHold hold(control);
    parallel_for_rows(S.rows(), S.cols(), control, [&](Index i) {
        if (!S.row(i).allFinite())
            fail(Status::numerical, "a similarity of kernel ", kernel->text(), " is not finite");
    });
}

/// Makes the functions' values at rows with these similarities.
Matrix values_at(const Matrix& S, const SimilarityFunctions& functions, Control& control) {
    Matrix values(S.rows(), functions.beta.cols());
    const ProgressHold hold(control);
    multiply(S, functions.beta, values, Into::assign, control);
    values.rowwise() += functions.offsets.transpose();
    return values;
}

}  // namespace

SimilarityTargets similarity_targets(const TrainingProblem& problem) {
    SimilarityTargets targets{.values = problem.data.targets,
                              .functions = problem.data.target_count,
                              .row_weights = row_weights(problem.data)};
    if (!problem.data.labels) return targets;
    const Labels& labels = *problem.data.labels;
    targets.functions = labels.classes() == 2 ? 1 : labels.classes();
    targets.values = class_targets(labels, targets.functions);
    targets.rule = targets.functions == 1 ? DecisionRule::binary : DecisionRule::largest;
    return targets;
}

SimilaritySpace::SimilaritySpace(const TrainingProblem& problem)
    : problem_(problem),
      selection_(selection_of(problem.parameters[parameter::basis])),
      count_(problem.parameters[parameter::basis_rows]) {
    const Dataset& data = problem.data;
    if (!selection_ && count_ > 0)
        fail(Status::invalid_parameter, "prototypes=", count_,
             " needs to know how they are chosen; basis=all takes all rows, allowed is random, border, "
             "spanning or k_medoids");
    if (count_ == 0) selection_.reset();
    const bool shares =
        problem.parameters.has(parameter::per_class.name) && problem.parameters[parameter::per_class];
    if (shares) class_of_ = data.labels->of_rows;
    const double n = data.rows();
    const double m = selection_ ? std::min<double>(n, count_) : n;
    const bool needs_whole = selection_ != RowSelection::random;
    // There are the similarities to the basis, the same without their means, and the scores of a ridge.
    problem.budget.require(8 * ((needs_whole ? n * n : 0) + 3 * n * m + 3 * m * m),
                           text("similarities of ", n, " rows to ", m, " of them"));
    if (!needs_whole) return;
    whole_ = LargeMatrix(data.rows(), data.rows());
    // A kernel that knows which training rows its arguments are would say of them what it can't say of
    // others.
    const Dataset others = problem.kernel->knows_rows() ? data.in_new_set() : data;
    GramEngine<double>(problem.kernel, data, problem.kernel->knows_rows() ? others : data, &problem.control)
        .matrices(whole_.data(), problem.control);
    require_finite_similarities(problem.kernel, whole_.view(), problem.control);
}

std::vector<Index> SimilaritySpace::basis_among(std::span<const Index> rows) const {
    if (!selection_) return {rows.begin(), rows.end()};
    const std::uint64_t seed = problem_.parameters[parameter::seed];
    const ProgressHold hold(problem_.control);
    return select_rows(*selection_, whole_.view(), rows, class_of_, count_, seed, problem_.control);
}

Matrix SimilaritySpace::similarities(std::span<const Index> rows, std::span<const Index> basis) const {
    Matrix S(std::ssize(rows), std::ssize(basis));
    if (!whole_.empty()) {
        const ConstMatrixView whole = whole_.view();
        const ProgressHold hold(problem_.control);
        parallel_for_rows(S.rows(), S.cols(), problem_.control, [&](Index r) {
            for (Index j = 0; j < S.cols(); ++j) S(r, j) = whole(rows[r], basis[j]);
        });
        return S;
    }
    const Dataset left = problem_.data.select(rows);
    const Dataset right = problem_.data.select(basis);
    const ProgressHold hold(problem_.control);
    GramEngine<double>(problem_.kernel, left, right, &problem_.control).matrices(S.data(), problem_.control);
    require_finite_similarities(problem_.kernel, S, problem_.control);
    return S;
}

void add_error(UnseenError& error, DecisionRule rule, double weight, const Eigen::RowVectorXd& targets,
               const Eigen::RowVectorXd& values) {
    if (rule == DecisionRule::regression) {
        error.first += weight * (values - targets).cwiseAbs().mean();
        return;
    }
    const Vector found = values;
    const Vector wanted = targets;
    const bool right = rule == DecisionRule::binary
                           ? (found[0] > 0) == (wanted[0] > 0)
                           : first_largest(as_span(found)) == first_largest(as_span(wanted));
    error.first += right ? 0 : weight;
    error.second += weight * (values - targets).squaredNorm();
}

std::vector<UnseenError> cross_validated_errors(const TrainingProblem& problem, const SimilaritySpace& space,
                                                const SimilarityTargets& targets,
                                                std::span<const double> lambdas, Index folds,
                                                const PathSolver& solve) {
    const Dataset& data = problem.data;
    Control& control = problem.control;
    if (data.rows() < 2)
        fail(Status::invalid_data,
             "lambda=0 chooses lambda by cross-validation, which needs 2 rows; there is ", data.rows());
    folds = std::min(folds, data.rows());
    const auto fold_of = stratified_folds(data, folds, problem.parameters[parameter::seed]);
    const ConstMatrixView Y = targets.Y();
    const ConstVectorView u = as_vector(targets.row_weights);
    std::vector<UnseenError> errors(lambdas.size());
    for (Index fold = 0; fold < folds; ++fold) {
        const ProgressScope scope(control, 1.0 * fold / folds, (fold + 1.0) / folds);
        const auto known = rows_of_fold(fold_of, fold, false);
        const auto unseen = rows_of_fold(fold_of, fold, true);
        const Vector weights = u(known);
        if (unseen.empty() || !(weights.sum() > 0)) continue;
        const auto basis = space.basis_among(known);
        const CentredColumns columns =
            centred_columns(space.similarities(known, basis), Y(known, Eigen::all), weights, control);
        const Matrix S = space.similarities(unseen, basis);
        const Matrix wanted = Y(unseen, Eigen::all);
        solve(columns, lambdas, control, [&](Index l, const SimilarityFunctions& found) {
            const Matrix values = values_at(S, found, control);
            for (Index i = 0; i < S.rows(); ++i)
                add_error(errors[l], targets.rule, u[unseen[i]], wanted.row(i), values.row(i));
        });
    }
    return errors;
}

Index least_error(std::span<const UnseenError> errors) {
    return std::ranges::min_element(errors, std::less()) - errors.begin();
}

void report_error(Report& report, const std::string& name, const UnseenError& error,
                  const SimilarityTargets& targets) {
    const double share = error.first / as_vector(targets.row_weights).sum();
    if (targets.rule == DecisionRule::regression) {
        report.add(name + "_mae", share);
    } else {
        report.add(name + "_accuracy", 1 - share);
    }
}

TrainedMachine similarity_machine(const TrainingProblem& problem, std::span<const Index> basis,
                                  const SimilarityFunctions& functions, DecisionRule rule, Report report) {
    const Dataset& data = problem.data;
    const Vector sizes = functions.beta.rowwise().lpNorm<1>();
    std::vector<Index> kept;
    for (Index j = 0; j < sizes.size(); ++j) {
        if (sizes[j] != 0) kept.push_back(j);
    }
    if (kept.empty()) kept.push_back(0);
    const Matrix beta = functions.beta(kept, Eigen::all);
    if (!beta.allFinite() || !functions.offsets.allFinite())
        fail(Status::numerical, "the weights of the similarities are not finite; choose a larger lambda");
    std::vector<Index> ids(kept.size());
    std::ranges::transform(kept, ids.begin(), [&](Index j) { return basis[j]; });
    FreeExpansion::PrototypeFunctions learned{
        .kernel = problem.kernel,
        .precision = problem.precision,
        .points = features_only(data.select(ids)),
        .training_ids = ids,
        .training_rows = data.rows(),
        .weights = {beta.data(), beta.data() + beta.size()},
        .offsets = {functions.offsets.begin(), functions.offsets.end()}};
    report.add("basis", std::ssize(basis)).add("prototypes", std::ssize(learned.training_ids));
    const ProgressScope scope(problem.control, 0.9, 1.0, "prototypes");
    const auto sides = rule == DecisionRule::regression ? std::vector<FunctionSides>{}
                                                        : function_sides(rule, data.labels->classes());
    TrainedMachine trained;
    trained.predictor = make_free_expansion(std::move(learned), data, sides,
                                            problem.parameters[parameter::neighbours], problem.control);
    trained.rule = rule;
    trained.report = std::move(report);
    return trained;
}

}  // namespace dk
