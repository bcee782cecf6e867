// SPDX-License-Identifier: Apache-2.0
//
// The lasso in similarity space learns functions f_c(x) = sum_j beta_jc s(x, z_j) + b_c of the similarities
// to a basis of training rows z_j, of which it needs only some,
//
//     min over beta, b of   sum_i u_i |f(x_i) - y_i|^2 / (2 sum_i u_i) + lambda |beta|_1.
//
// A row whose weights are all zero is not kept, and no prediction compares with it.
//
//     letter     name
//     s, z_j     problem.kernel, the rows `basis`
//     y, u       targets.Y(), targets.row_weights
//     beta, b    SimilarityFunctions
//
// lambda is the one of 100 with the least error in cross-validation. They are the least lambda for which all
// weights are zero, and a thousandth of it, and what lies between (solve/squares/lasso.cpp).
//
// A. Demontis, M. Melis, B. Biggio, G. Fumera, F. Roli, Super-sparse learning in similarity spaces, IEEE
// Computational Intelligence Magazine 11, 2016.
#include <numeric>

#include "base/parallel.hpp"
#include "machine/similarity/similarity_space.hpp"
#include "solve/squares/lasso.hpp"

namespace dk {

namespace parameter {
constexpr RealKey lasso_lambda{"lambda",
                               0,
                               {0, 1e300},
                               "The sum of the weights' absolute values counts so many times beside half the "
                               "mean squared error; 0 stands "
                               "for the lambda with the least error in cross-validation."};
constexpr IntegerKey lasso_folds{
    "folds", 5, {2, 1000000}, "With lambda=0, cross-validation divides the rows into so many parts."};
}  // namespace parameter

namespace {

/// The lassos of all functions, which go from lambda to lambda together.
class LassoFunctions {
  public:
    explicit LassoFunctions(const CentredColumns& columns)
        : columns_(columns), weight_(columns.roots.squaredNorm()) {
        for (Index c = 0; c < columns.functions(); ++c) functions_.emplace_back(columns, c);
    }

    /// A Lasso counts lambda beside half the sum of the squares, where the program here has their mean.
    void solve(double lambda, Control& control) {
        const ProgressHold hold(control);
        if (functions_.size() == 1) {
            functions_.front().solve(weight_ * lambda, control);
            return;
        }
        parallel_for(std::ssize(functions_), control, [&](Index c) {
            Control own(Control::Part{}, control);
            functions_[c].solve(weight_ * lambda, own);
        });
    }

    SimilarityFunctions found() const {
        SimilarityFunctions out{.beta = Matrix(columns_.count(), columns_.functions()),
                                .offsets = Vector(columns_.functions())};
        for (Index c = 0; c < columns_.functions(); ++c) {
            out.beta.col(c) = functions_[c].beta();
            out.offsets[c] = columns_.offset(c, functions_[c].beta());
        }
        return out;
    }

    void report(Report& report) const {
        double gap = 0;
        std::int64_t sweeps = 0;
        bool converged = true;
        for (const Lasso& function : functions_) {
            gap = std::max(gap, function.gap());
            sweeps += function.sweeps();
            converged = converged && function.converged();
        }
        report.add("gap", gap / weight_).add("sweeps", sweeps).add("converged", converged);
    }

  private:
    const CentredColumns& columns_;
    double weight_;  // sum_i u_i
    std::vector<Lasso> functions_;
};

void solve_path(const CentredColumns& columns, std::span<const double> lambdas, Control& control,
                const PathReader& reader) {
    LassoFunctions functions(columns);
    for (Index l = 0; l < std::ssize(lambdas); ++l) {
        control.check(1.0 * l / std::ssize(lambdas));
        functions.solve(lambdas[l], control);
        reader(l, functions.found());
    }
}

/// The lambdas that a solution goes through: those of the path down to the one that is wanted.
std::vector<double> down_to(std::vector<double> path, double lambda) {
    std::erase_if(path, [&](double other) { return !(other > lambda); });
    path.push_back(lambda);
    return path;
}

TrainedMachine train_similarity_lasso(const TrainingProblem& problem) {
    Control& control = problem.control;
    const SimilarityTargets targets = similarity_targets(problem);
    std::optional<ProgressScope> scope;
    scope.emplace(control, 0, 0.2, "similarities");
    const SimilaritySpace space(problem);
    std::vector<Index> all(problem.data.rows());
    std::iota(all.begin(), all.end(), Index{0});
    const auto basis = space.basis_among(all);
    const ConstVectorView u = as_vector(targets.row_weights);
    const CentredColumns columns = centred_columns(space.similarities(all, basis), targets.Y(), u, control);
    const double largest = largest_lasso_lambda(columns, control) / u.sum();
    const std::vector<double> path = lasso_path(largest);
    Report report;
    double lambda = problem.parameters[parameter::lasso_lambda];
    scope.emplace(control, 0.2, 0.7, "cross-validation");
    if (lambda == 0) {
        const auto errors = cross_validated_errors(problem, space, targets, path,
                                                   problem.parameters[parameter::lasso_folds], solve_path);
        const Index best = least_error(errors);
        lambda = path[best];
        report_error(report, "held_out", errors[best], targets);
    }
    scope.emplace(control, 0.7, 0.9, "path");
    LassoFunctions functions(columns);
    for (const double step : down_to(path, lambda)) {
        control.check();
        functions.solve(step, control);
    }
    scope.reset();
    report.add("lambda", lambda).add("largest_lambda", largest);
    functions.report(report);
    return similarity_machine(problem, basis, functions.found(), targets.rule, std::move(report));
}

}  // namespace

Machine similarity_lasso_machine() {
    return {.name = "similarity_lasso",
            .doc =
                "The lasso classifier in similarity space learns weights of the similarities to training "
                "rows, and keeps only a few of these. The similarity may be any, also an indefinite one.",
            .reference = similarity_space_reference,
            .prototypes = prototypes_are::free_vectors,
            .task = Task::classification,
            .parameters = {parameter::lasso_lambda, parameter::lasso_folds, parameter::basis,
                           parameter::basis_rows, parameter::per_class},
            .train = train_similarity_lasso,
            .few_pairs = has_random_basis};
}

Machine similarity_lasso_regression_machine() {
    return {.name = "similarity_lasso_regression",
            .doc =
                "The lasso in similarity space learns weights of the similarities to training rows, and "
                "keeps only a few of these. The similarity may be any, also an indefinite one.",
            .reference = similarity_space_reference,
            .prototypes = prototypes_are::free_vectors,
            .task = Task::regression,
            .parameters = {parameter::lasso_lambda, parameter::lasso_folds, parameter::basis,
                           parameter::basis_rows},
            .train = train_similarity_lasso,
            .few_pairs = has_random_basis};
}

}  // namespace dk
