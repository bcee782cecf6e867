// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/probabilities_in_onnx.hpp"

#include <array>
#include <limits>

#include "exchange/onnx/onnx_math.hpp"

namespace dk {

namespace {

/// Couples the sigmoids of pairs of classes, rows x pairs, by the second method of Wu, Lin and Weng (JMLR 5,
/// 2004), as coupled_probabilities() does: sweeps over the classes until all rows are in balance.
std::string coupled_probabilities_in_onnx(OnnxGraph& graph, Index classes, const std::string& positive) {
    const OnnxMath math(graph);
    const Index pairs = classes * (classes - 1) / 2;
    // Of a pair's sigmoid r, the other class has 1 - r. The last column is for a class and itself.
    const std::string least = math.number(1e-7);
    const std::string most = math.number(1 - 1e-7);
    const std::string r = graph.add("Min", {graph.add("Max", {positive, least}), most});
    const std::string all = graph.add("Concat", {r, math.no(r), math.times(0, math.sum(r))}, {{"axis", 1}});
    std::vector<std::int64_t> of_pair(classes * classes, 2 * pairs);
    std::vector<std::int64_t> turned = of_pair;
    Index f = 0;
    for (Index a = 0; a < classes; ++a) {
        for (Index b = a + 1; b < classes; ++b, ++f) {
            turned[b * classes + a] = of_pair[a * classes + b] = f;
            turned[a * classes + b] = of_pair[b * classes + a] = pairs + f;
        }
    }
    const std::array shape{std::int64_t{-1}, std::int64_t{classes}, std::int64_t{classes}};
    const auto matrices = [&](const std::vector<std::int64_t>& places) {
        return graph.add("Reshape", {math.some(all, places), graph.integers(shape)});
    };
    const std::string R = matrices(of_pair);
    const std::string turned_R = matrices(turned);
    const std::string diagonal = math.sum(math.times(R, R), 1);  // of each class b the sum of r_ab^2
    const std::string identity = graph.matrix(Matrix::Identity(classes, classes));
    const std::string Q = math.minus(math.times(diagonal, identity), math.times(R, turned_R));
    std::vector<std::string> columns;
    std::vector<std::string> squares;
    for (std::int64_t a = 0; a < classes; ++a) {
        columns.push_back(math.sum_without(math.some(Q, {a}, 2), 2));
        squares.push_back(math.some(columns.back(), {a}));
    }
    const std::string even =
        math.plus(math.times(0, math.sum(r)),
                  graph.matrix(Matrix::Constant(1, classes, 1.0 / static_cast<double>(classes))));
    const auto turn = [&](OnnxGraph& body, const std::vector<std::string>& before) -> OnnxGraph::Turn {
        const OnnxMath in(body);
        std::string p = before[0];
        std::string Qp = in.sum_without(in.times(Q, in.with_axis(p, 1)), 2);
        std::string pQp = in.sum(in.times(p, Qp));
        const std::string active =
            in.no(in.above(in.number(1e-10), in.largest(in.size_of(in.minus(Qp, pQp)))));
        for (std::int64_t a = 0; a < classes; ++a) {
            const std::string own = in.some(Qp, {a});
            const std::string step = in.over(in.minus(pQp, own), squares[a]);
            const std::string whole = in.plus(step, in.number(1));
            const std::string more = in.times(step, in.plus(in.times(step, squares[a]), in.times(2, own)));
            pQp = in.over(in.plus(pQp, more), in.times(whole, whole));
            Qp = in.over(in.plus(Qp, in.times(step, columns[a])), whole);
            Matrix unit = Matrix::Zero(1, classes);
            unit(0, a) = 1;
            p = in.over(in.plus(p, in.times(step, body.matrix(unit))), whole);
        }
        return {in.any(active), {in.chosen(active, p, before[0])}};
    };
    return graph.loop(100, {even}, turn).front();
}

}  // namespace

std::string probabilities_in_onnx(OnnxGraph& graph, const Model& model, const std::string& decisions) {
    const std::string powers = graph.add(
        "Exp", {graph.add("Add", {graph.add("Mul", {decisions, graph.numbers(model.calibration.slopes)}),
                                  graph.numbers(model.calibration.offsets)})});
    const std::string one = graph.number(1);
    std::string positive = graph.add("Div", {one, graph.add("Add", {powers, one})});
    if (model.rule == DecisionRule::labels) return positive;
    if (model.rule == DecisionRule::binary)
        return graph.add("Concat", {graph.add("Sub", {one, positive}), positive}, {{"axis", 1}});
    if (model.rule == DecisionRule::one_vs_one)
        return coupled_probabilities_in_onnx(graph, model.classes.classes(), positive);
    const std::string sum = OnnxMath(graph).sum(positive);
    const std::string even = graph.number(1.0 / static_cast<double>(model.classes.classes()));
    return graph.add("Where",
                     {graph.add("Greater", {sum, graph.number(0)}), graph.add("Div", {positive, sum}), even});
}

std::string elected_by_probability(OnnxGraph& graph, const Model& model, const std::string& decisions,
                                   const std::string& probabilities) {
    std::string scores = probabilities;
    if (model.rule != DecisionRule::binary && model.rule != DecisionRule::one_vs_one) {
        const std::string most =
            graph.add("ReduceMax", {probabilities}, {{"axes", 1, true}, {"keepdims", 1}});
        const bool falling = model.calibration.slopes.front() < 0;
        scores = graph.add("Where", {graph.add("Equal", {probabilities, most}),
                                     falling ? decisions : graph.add("Neg", {decisions}),
                                     graph.number(-std::numeric_limits<double>::max())});
    }
    const std::string position = graph.add("ArgMax", {scores}, {{"axis", 1}, {"keepdims", 0}});
    return graph.add("Gather", {graph.integers(model.classes.values), position});
}

}  // namespace dk
