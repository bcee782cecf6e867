// SPDX-License-Identifier: Apache-2.0
#include "machine/reduction/support_functions.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "machine/margin/binary_reduction.hpp"
#include "machine/super_sparse/super_sparse_learning.hpp"

namespace dk {

namespace {

/// Reads the coefficients of each function from its two prototypes, which have the positive and the negative
/// ones, t times as large.
std::vector<SupportFunction> functions_of(const Predictor& predictor, Index rows) {
    const PrototypeSet& set = predictor.prototypes();
    Matrix a(set.count(), rows);
    predictor.prototype_coefficients(a.data());
    std::vector<SupportFunction> functions;
    for (Index c = 0; c < set.functions(); ++c) {
        const Vector gamma = (a.row(2 * c) - a.row(2 * c + 1)) / set.scales[c];
        SupportFunction function;
        for (Index i = 0; i < rows; ++i) {
            if (gamma[i] != 0) function.rows.push_back(i);
        }
        function.alpha = gamma(function.rows);
        functions.push_back(std::move(function));
    }
    return functions;
}

/// The points of all functions with their weights.
struct JoinedPoints {
    SuperSparseSolution solution;
    Matrix weights;
};

/// Joins functions of training rows: a row that several of them have stands there once.
JoinedPoints joined_rows(const Dataset& data, std::span<const ReducedFunction> reduced) {
    std::map<Index, Index> position_of;
    for (const ReducedFunction& function : reduced) {
        for (const Index i : function.rows) position_of.emplace(i, 0);
    }
    std::vector<Index> ids;
    for (auto& [row, position] : position_of) {
        position = std::ssize(ids);
        ids.push_back(row);
    }
    JoinedPoints joined{{.points = features_only(data.select(ids))},
                        Matrix::Zero(std::ssize(ids), std::ssize(reduced))};
    joined.solution.training_ids = std::move(ids);
    for (Index c = 0; c < std::ssize(reduced); ++c) {
        for (Index j = 0; j < reduced[c].weights.size(); ++j)
            joined.weights(position_of[reduced[c].rows[j]], c) = reduced[c].weights[j];
    }
    return joined;
}

/// Joins functions of free points, which stand there one function after the other.
JoinedPoints joined_points(std::span<const ReducedFunction> reduced) {
    Index count = 0;
    for (const ReducedFunction& function : reduced) count += function.points.rows();
    DenseMatrix points{count, reduced.front().points.cols()};
    Matrix weights = Matrix::Zero(count, std::ssize(reduced));
    Index first = 0;
    for (Index c = 0; c < std::ssize(reduced); ++c) {
        const Matrix& own = reduced[c].points;
        points.values.insert(points.values.end(), own.data(), own.data() + own.size());
        weights.col(c).segment(first, own.rows()) = reduced[c].weights;
        first += own.rows();
    }
    JoinedPoints joined{{.points = Dataset(std::move(points))}, std::move(weights)};
    joined.solution.training_ids.assign(count, -1);
    return joined;
}

std::vector<Report> reports_of(const TrainingProblem& problem, const SupportFunctions& given,
                               std::span<const ReducedFunction> reduced, const Vector& offsets) {
    const Labels& labels = *problem.data.labels;
    const auto sides = function_sides(given.rule, labels.classes());
    std::vector<Report> reports;
    for (Index c = 0; c < std::ssize(reduced); ++c) {
        const ReducedFunction& function = reduced[c];
        Report report;
        report.add("positive", labels.class_name(sides[c].positive))
            .add("negative",
                 sides[c].negative < 0 ? std::string("rest") : labels.class_name(sides[c].negative))
            .add("support_vectors", std::ssize(given.functions[c].rows))
            .add("prototypes", static_cast<std::int64_t>(function.weights.size()))
            .add("share_lost", function.squared_norm > 0 ? function.lost / function.squared_norm : 0.0)
            .add("offset", offsets[c]);
        reports.push_back(std::move(report));
    }
    return reports;
}

}  // namespace

std::vector<ParameterSpec> passed_to_svm() {
    std::vector<ParameterSpec> specs = svm_machine().parameters;
    std::erase_if(specs, [](const ParameterSpec& spec) { return spec.name == parameter::multiclass.name; });
    return specs;
}

SupportFunctions train_support_functions(const TrainingProblem& problem) {
    const Machine svm = svm_machine();
    Parameters parameters = inner_parameters(svm, problem.parameters);
    for (const ParameterSpec& spec : passed_to_svm())
        parameters.set(spec.name, problem.parameters.text(spec.name));
    parameters.set(parameter::multiclass.name, "ovr");
    TrainedMachine trained;
    {
        const ProgressScope scope(problem.control, 0, 0.4, "support vector machine");
        trained = svm.train({problem.data, problem.kernel, problem.bank, parameters, problem.precision,
                             problem.budget, problem.control});
    }
    const ProgressScope scope(problem.control, 0.4, 0.5);
    const Index rows = problem.data.rows();
    const Index functions = trained.predictor->decision_count();
    problem.budget.require(8.0 * rows * 4 * functions, text("coefficients of ", rows, " rows"));
    SupportFunctions found{.functions = functions_of(*trained.predictor, rows),
                           .decisions = Matrix(rows, functions),
                           .rule = trained.rule,
                           .report = std::move(trained.report)};
    double* next = found.decisions.data();
    trained.predictor->decide(
        problem.data, [&](std::span<const double> some) { next = std::ranges::copy(some, next).out; },
        problem.control);
    return found;
}

TrainedMachine reduced_machine(const TrainingProblem& problem, const SupportFunctions& given,
                               std::span<const ReducedFunction> reduced) {
    const Dataset& data = problem.data;
    const bool free = reduced.front().rows.empty();
    JoinedPoints joined = free ? joined_points(reduced) : joined_rows(data, reduced);
    const Matrix& W = joined.weights;
    const Dataset rows = free ? learning_rows(problem.kernel, data, problem.control) : data;
    Matrix values(data.rows(), W.cols());  // sum_j beta_j k(x_i, z_j)
    {
        const ProgressScope scope(problem.control, 0.85, 0.9);
        GramEngine<double>(problem.kernel, rows, joined.solution.points, &problem.control)
            .product(W.data(), W.cols(), values.data(), problem.control);
    }
    const Vector offsets = (given.decisions - values).colwise().mean();
    joined.solution.weights = {W.data(), W.data() + W.size()};
    joined.solution.offsets = {offsets.begin(), offsets.end()};
    TrainedMachine trained;
    trained.report.add("functions", reports_of(problem, given, reduced, offsets)).add("svm", given.report);
    const ProgressScope scope(problem.control, 0.9, 1.0, "prototypes");
    trained.predictor = super_sparse_predictor(
        std::move(joined.solution), problem.kernel, data, function_sides(given.rule, data.labels->classes()),
        problem.precision, problem.parameters[parameter::neighbours], problem.control);
    trained.rule = given.rule;
    return trained;
}

}  // namespace dk
