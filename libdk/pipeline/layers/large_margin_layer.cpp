// SPDX-License-Identifier: Apache-2.0
// The layer that learns a large-margin metric (large_margin.cpp) and gives rows L x, between which distances
// are those of the metric.
#include "base/error.hpp"
#include "base/text.hpp"
#include "pipeline/layers/large_margin.hpp"
#include "pipeline/layers/layer_kind.hpp"

namespace dk {

namespace parameter {
namespace {
constexpr IntegerKey target_neighbours{
    "neighbours", 3, {1, 1000}, "Each row is to be near to so many rows of its own class, its nearest ones."};
constexpr RealKey push{
    "push", 1, Range::positive(),
    "Rows of other classes within the margin cost so many times what distance to the row's own "
    "neighbours costs."};
constexpr IntegerKey metric_steps{
    "max_iterations", 200, {1, 1000000}, "Learning stops after so many steps along the gradient."};
}  // namespace
}  // namespace parameter

namespace {

LearnedColumns learn_metric(const LayerProblem& problem) {
    const Dataset& data = problem.data;
    if (data.kind() != DataKind::dense)
        fail(Status::unsupported, "layer large_margin learns a metric of dense rows, these are ",
             name_of(data.kind()));
    if (!data.labels)
        fail(Status::unsupported,
             "layer large_margin learns from the rows' classes, which this machine does not learn");
    const Index n = data.rows();
    problem.budget.require(8.0 * (3.0 * n * data.cols() + 3.0 * data.cols() * data.cols()),
                           text("layer large_margin of ", n, " rows"));
    LargeMarginSolution found =
        large_margin_map(data,
                         {.neighbours = problem.parameters[parameter::target_neighbours],
                          .push = problem.parameters[parameter::push],
                          .most_steps = static_cast<int>(problem.parameters[parameter::metric_steps])},
                         problem.control);
    Report report;
    report.add("loss", found.losses.back())
        .add("iterations", std::ssize(found.losses) - 1)
        .add("converged", found.converged)
        .add("losses", found.losses);
    LinearMap map{std::move(found.map)};
    Dataset rows = map.apply(data, problem.control);
    return {std::move(map), std::move(rows), std::move(report)};
}

}  // namespace

LayerKind large_margin_layer() {
    return {.name = "large_margin",
            .doc =
                "Rows go on under a linear map that brings each near to its neighbours of the same class and "
                "keeps "
                "rows of other classes farther away.",
            .reference =
                "Weinberger, Saul, Distance metric learning for large margin nearest neighbor "
                "classification, JMLR 10, "
                "2009",
            .parameters = {parameter::target_neighbours, parameter::push, parameter::metric_steps},
            .learn = learn_metric};
}

}  // namespace dk
