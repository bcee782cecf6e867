// SPDX-License-Identifier: Apache-2.0
// A model as a graph of ONNX's standard operators in double precision, with the input `rows` and the results
// `decisions`, `prediction` and `probabilities`. ONNX-ML's own operators of support vector machines have
// single precision and one kernel, which would change decisions, so that the graph has none of them.
//
//     x' = (x - m) / s,   K = k(x', Z),   f = K W + b,
//
// where layers may stand before the kernel, whose new columns are some of the old ones, a linear map of them,
// or such functions themselves. Where the nearest prototype decides, each class has the least of its
// d = k(x', x') - 2 K W + |u|^2.
//
// Functions of pairs (a, b) elect as class_scores() does. With A(c, f) = 1 where c is the first class of pair
// f, B(c, f) where it is the second, and p(f) = 1 where f >= 0, votes are p A' + (1 - p) B'. Of the classes
// that have the most, l(c) = 1, the one wins whose distances d(f) = f / |w_f| to the others of them are the
// largest: the score is u / (1 + |u|) / 2 more than the votes, with u = (d . (l A) . (l B)) (A - B)'. Classes
// that do not lead cannot win, since votes are whole numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "exchange/export_model.hpp"
#include "exchange/functions/exported_functions.hpp"
#include "exchange/onnx/codes_in_onnx.hpp"
#include "exchange/onnx/layers_in_onnx.hpp"
#include "exchange/onnx/onnx_graph.hpp"
#include "exchange/onnx/onnx_math.hpp"
#include "exchange/onnx/preparation_in_onnx.hpp"
#include "exchange/onnx/probabilities_in_onnx.hpp"

namespace dk {

namespace {

const std::array first_axis{std::int64_t{1}};
std::string pair_scores(OnnxGraph& graph, Index classes, const std::string& decisions,
                        const std::string& distances) {
    const auto sides = function_sides(DecisionRule::one_vs_one, classes);
    Matrix A = Matrix::Zero(classes, std::ssize(sides));
    Matrix B = A;
    for (Index f = 0; f < std::ssize(sides); ++f) A(sides[f].positive, f) = B(sides[f].negative, f) = 1;
    const std::string positive =
        graph.add("Cast", {graph.add("GreaterOrEqual", {decisions, graph.number(0)})}, {to_double});
    const std::string negative = graph.add("Sub", {graph.number(1), positive});
    const std::string votes =
        graph.add("Add", {graph.add("MatMul", {positive, graph.matrix(A.transpose())}),
                          graph.add("MatMul", {negative, graph.matrix(B.transpose())})});
    const std::string most = graph.add("ReduceMax", {votes}, {{"axes", 1, true}, {"keepdims", 1}});
    const std::string leads = graph.add("Cast", {graph.add("Equal", {votes, most})}, {to_double});
    const std::string both_lead = graph.add("Mul", {graph.add("MatMul", {leads, graph.matrix(A)}),
                                                    graph.add("MatMul", {leads, graph.matrix(B)})});
    const std::string sums =
        graph.add("MatMul", {graph.add("Mul", {distances, both_lead}), graph.matrix((A - B).transpose())});
    const std::string size = graph.add("Add", {graph.add("Abs", {sums}), graph.number(1)});
    const std::string part = graph.add("Mul", {graph.add("Div", {sums, size}), graph.number(0.5)});
    return graph.add("Add", {votes, part});
}

/// Adds the election of a class by the rule of the model, as its label or its position.
std::string elected(OnnxGraph& graph, const Model& model, const ExportedFunctions& functions,
                    const std::string& decisions) {
    const std::string labels = graph.integers(model.classes.values);
    if (model.rule == DecisionRule::binary) {
        const std::string positive = graph.add("Greater", {decisions, graph.number(0)});
        const std::string position =
            graph.add("Squeeze", {graph.add("Cast", {positive}, {{"to", 7}}), graph.integers(first_axis)});
        return graph.add("Gather", {labels, position});
    }
    std::string scores = decisions;
    if (model.rule != DecisionRule::largest) {
        std::vector<double> norms = functions.norms;
        for (double& norm : norms) norm = norm > 0 ? norm : 1;
        scores = graph.add("Div", {decisions, graph.numbers(norms)});
    }
    if (model.rule == DecisionRule::one_vs_one)
        scores = pair_scores(graph, model.classes.classes(), decisions, scores);
    const std::string position = graph.add("ArgMax", {scores}, {{"axis", 1}, {"keepdims", 0}});
    return graph.add("Gather", {labels, position});
}

/// Adds the decisions of the classes, of which each has minus its least squared distance to a prototype.
std::string decisions_of_nearest(OnnxGraph& graph, const NearestPrototypes& nearest, Index classes,
                                 const std::string& products, const std::string& square_of_row) {
    const std::string lengths = graph.add("Add", {square_of_row, graph.numbers(nearest.squares)});
    const std::vector<double> two(nearest.squares.size(), 2);
    const std::string distances = graph.add(
        "Max",
        {graph.add("Sub", {lengths, graph.add("Mul", {products, graph.numbers(two)})}), graph.number(0)});
    const std::string most = graph.add("ReduceMax", {distances}, {{"axes", 1, true}, {"keepdims", 1}});
    const std::string farther =
        graph.add("Add", {graph.add("Mul", {most, graph.number(2)}), graph.number(1)});
    std::vector<std::string> of_classes;
    for (Index c = 0; c < classes; ++c) {
        std::vector<std::int64_t> own;
        for (std::size_t p = 0; p < nearest.classes.size(); ++p) {
            if (nearest.classes[p] == c) own.push_back(static_cast<std::int64_t>(p));
        }
        of_classes.push_back(farther);
        if (own.empty()) continue;
        const std::string some = graph.add("Gather", {distances, graph.integers(own)}, {{"axis", 1}});
        of_classes.back() = graph.add("ReduceMin", {some}, {{"axes", 1, true}, {"keepdims", 1}});
    }
    return graph.add("Neg", {graph.add("Concat", of_classes, {{"axis", 1}})});
}

/// Adds the decision by a row's distance from a span: threshold - (k(x, x) - 2 m + K - |s|^2).
std::string decision_of_span(OnnxGraph& graph, const PrincipalSpan& span, Index directions,
                             const std::string& values, const std::string& square_of_row) {
    std::vector<std::int64_t> all(directions);
    std::iota(all.begin(), all.end(), std::int64_t{0});
    const std::array last{std::int64_t{directions}};
    const std::string scores = graph.add("Gather", {values, graph.integers(all)}, {{"axis", 1}});
    const std::string mean = graph.add("Gather", {values, graph.integers(last)}, {{"axis", 1}});
    const std::string within = graph.add("ReduceSumSquare", {scores}, {{"axes", 1, true}, {"keepdims", 1}});
    const std::string from_mean =
        graph.add("Add", {graph.add("Sub", {square_of_row, graph.add("Mul", {mean, graph.number(2)})}),
                          graph.number(span.grand_mean)});
    return graph.add("Sub", {graph.number(span.threshold), graph.add("Sub", {from_mean, within})});
}

/// Adds the scores of classes by the votes of the nearest points. A class has its share of the voters and,
/// for the place p of its nearest one, half of one voter's share divided by p.
std::string votes_of_nearest(OnnxGraph& graph, const NeighbourRule& rule, Index classes,
                             const std::string& values, const std::string& square_of_row) {
    const std::vector<double> two(rule.squares.size(), 2);
    const std::string lengths = graph.add("Add", {square_of_row, graph.numbers(rule.squares)});
    const std::string distances = graph.add("Sub", {lengths, graph.add("Mul", {values, graph.numbers(two)})});
    const std::array count{std::int64_t{rule.count}};
    const std::string voters =
        graph.add_all("TopK", {distances, graph.integers(count)}, {{"axis", 1}, {"largest", 0}}, 2).back();
    const std::vector<std::int64_t> of_points(rule.classes.begin(), rule.classes.end());
    const std::string of_voters = graph.add("Gather", {graph.integers(of_points), voters});
    const double share = 1 / static_cast<double>(rule.count);
    std::vector<double> places;
    for (Index p = 1; p <= rule.count; ++p) places.push_back(0.5 * share / static_cast<double>(p));
    std::vector<std::string> scores;
    for (Index c = 0; c < classes; ++c) {
        const std::array number{std::int64_t{c}};
        const std::string own =
            graph.add("Cast", {graph.add("Equal", {of_voters, graph.integers(number)})}, {to_double});
        const std::string sum = graph.add("ReduceSum", {own, graph.integers(first_axis)}, {{"keepdims", 1}});
        const std::string nearest = graph.add("ReduceMax", {graph.add("Mul", {own, graph.numbers(places)})},
                                              {{"axes", 1, true}, {"keepdims", 1}});
        scores.push_back(graph.add("Add", {graph.add("Mul", {sum, graph.number(share)}), nearest}));
    }
    return graph.add("Concat", scores, {{"axis", 1}});
}

/// Adds the Choquet integrals of what the machines' bounded decisions F = f / (1 + f^2)^(1/2) are for each
/// function, sum_k F_k (g(A_k + k) - g(A_k)), where A_k is the set of the machines with larger values than
/// machine k, and of those with the same value that come before it. Programs sort no empty lists of rows, so
/// that pairs are compared.
std::string choquet_integrals(OnnxGraph& graph, const FuzzyRule& rule, const std::string& values) {
    const OnnxMath math(graph);
    const Index functions = std::ssize(rule.measures);
    const Index machines = rule.measures.front().sources;
    const std::string size = graph.add("Sqrt", {math.plus(math.times(values, values), math.number(1))});
    const std::string bounded = math.over(values, size);
    Matrix bits(1, machines);
    Matrix earlier = Matrix::Zero(machines, machines);
    for (Index k = 0; k < machines; ++k) {
        bits(0, k) = std::ldexp(1.0, static_cast<int>(k));
        earlier.row(k).head(k).setOnes();
    }
    const std::string of_machine = graph.matrix(bits);
    std::vector<std::string> integrals;
    for (Index f = 0; f < functions; ++f) {
        std::vector<std::int64_t> own;
        for (Index k = 0; k < machines; ++k) own.push_back(k * functions + f);
        const std::string F = math.some(bounded, own);
        const std::string others = math.with_axis(F, 1);
        const std::string each = math.with_axis(F, 2);
        const std::string same = math.times(math.is_same(others, each), graph.matrix(earlier));
        const std::string larger = math.plus(math.above(others, each), same);
        const std::string sets = math.sum_without(math.times(larger, of_machine), 2);
        const std::string worth = graph.numbers(rule.measures[f].worth);
        const auto worth_of = [&](const std::string& some) {
            return graph.add("Gather", {worth, graph.add("Cast", {some}, {{"to", 7}})});
        };
        const std::string counts = math.minus(worth_of(math.plus(sets, of_machine)), worth_of(sets));
        integrals.push_back(math.sum(math.times(F, counts)));
    }
    return graph.add("Concat", integrals, {{"axis", 1}});
}

/// Adds the decisions, rows x functions.
std::string decisions_of(OnnxGraph& graph, const Model& model, const ExportedFunctions& functions,
                         const std::string& rows) {
    ExpansionInOnnx expansion(graph, functions, rows);
    std::string values = expansion.values();
    const Index count = functions.weights.cols();
    if (functions.nearest)
        return decisions_of_nearest(graph, *functions.nearest, model.classes.classes(), values,
                                    expansion.square_of_row());
    if (functions.fuzzy) return choquet_integrals(graph, *functions.fuzzy, values);
    if (functions.codes) return decisions_of_codes(graph, *functions.codes, values);
    if (functions.neighbours)
        return votes_of_nearest(graph, *functions.neighbours, model.classes.classes(), values,
                                expansion.square_of_row());
    if (functions.span)
        return decision_of_span(graph, *functions.span, count - 1, values, expansion.square_of_row());
    if (!model.predicts_levels()) return values;
    // Quantiles are sorted, so that they do not cross.
    const std::array all{std::int64_t{count}};
    return graph.add("TopK", {values, graph.integers(all)}, {{"axis", 1}, {"largest", 0}}, 2);
}

}  // namespace

std::string onnx_bytes(const Model& model) {
    require_rows_of_numbers(model, "onnx");
    const ExportedFunctions functions = exported_functions(model, "onnx");
    OnnxGraph graph;
    std::string rows = preparation_in_onnx(graph, functions.scaler, graph.input("rows", model.features));
    for (const ExportedLayer& layer : functions.layers) rows = rows_after_layer(graph, layer, rows);
    const std::string decisions = decisions_of(graph, model, functions, rows);
    graph.output("decisions", decisions, model.predictor->decision_count(), false);
    const bool probable = !model.calibration.empty();
    const std::string probabilities = probable ? probabilities_in_onnx(graph, model, decisions) : "";
    if (probable) graph.output("probabilities", probabilities, model.classes.classes(), false);
    if (model.rule == DecisionRule::labels) {
        const bool by_probability = model.elects_by_probability();
        const std::string has = graph.add(
            "Greater", {by_probability ? probabilities : decisions, graph.number(by_probability ? 0.5 : 0)});
        graph.output("prediction", graph.add("Cast", {has}, {{"to", 7}}), model.targets, true);
    } else if (model.targets > 1) {
        graph.output("prediction", graph.add("Identity", {decisions}), model.targets, false);
    } else if (model.rule == DecisionRule::regression) {
        // Of several quantiles the middle one predicts.
        const std::array middle{std::int64_t{(model.predictor->decision_count() - 1) / 2}};
        const std::string value = graph.add("Gather", {decisions, graph.integers(middle)}, {{"axis", 1}});
        graph.output("prediction", graph.add("Squeeze", {value, graph.integers(first_axis)}), 0, false);
    } else if (model.elects_by_probability()) {
        graph.output("prediction", elected_by_probability(graph, model, decisions, probabilities), 0, true);
    } else {
        graph.output("prediction", elected(graph, model, functions, decisions), 0, true);
    }
    return graph.model(text("machine ", model.machine, ", kernel ", model.kernel));
}

}  // namespace dk
