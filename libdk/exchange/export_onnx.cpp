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
#include <numeric>

#include "base/error.hpp"
#include "exchange/export_model.hpp"
#include "exchange/formula/kernel_formula.hpp"
#include "exchange/functions/exported_functions.hpp"
#include "exchange/onnx/onnx_graph.hpp"
#include "exchange/onnx/onnx_writer.hpp"
#include "exchange/onnx/preparation_in_onnx.hpp"
#include "model/dictionary/level_codes.hpp"

namespace dk {

namespace {

const std::array first_axis{std::int64_t{1}};
const OnnxGraph::Attribute to_double{"to", 11};

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

/// The formulas of functions over rows that are in the graph.
class ExpansionInOnnx {
  public:
    ExpansionInOnnx(OnnxGraph& graph, const ExportedExpansion& functions, const std::string& rows)
        : graph_(graph),
          functions_(functions),
          points_(with_dense_rows(functions.points, 1, MemoryBudget(0))),
          columns_(points_.cols()),
          writer_(graph, rows, view(points_.dense().values.data(), points_.rows(), points_.cols())) {
        std::iota(columns_.begin(), columns_.end(), Index{0});
    }

    /// Adds W' k(Z, x) + b, rows x functions, or k(Z, x) where there is no W.
    std::string values() {
        const KernelTerms terms{writer_, columns_};
        Quantity similarities = kernel_formula(functions_.kernel, terms, "onnx");
        // A kernel that is the same for all pairs has to be written for each of them.
        if (!similarities.of_pairs) similarities = similarities + 0 * terms.sum(ColumnSum::inner);
        if (functions_.weights.size() == 0) return writer_.name_of(similarities, true);
        const std::string products =
            graph_.add("MatMul", {writer_.name_of(similarities, true), graph_.matrix(functions_.weights)});
        return graph_.add("Add", {products, graph_.numbers(functions_.offsets)});
    }
    /// Adds k(x, x), rows x 1.
    std::string square_of_row() {
        const KernelTerms terms{writer_, columns_};
        return writer_.name_of(kernel_formula(functions_.kernel, terms.of_row(), "onnx"), false);
    }

  private:
    OnnxGraph& graph_;
    const ExportedExpansion& functions_;
    Dataset points_;
    std::vector<Index> columns_;
    OnnxWriter writer_;
};

/// Adds a layer to rows in the graph, and gives the new ones.
struct LayerInOnnx {
    OnnxGraph& graph;
    std::string rows;

    std::string operator()(const KeptColumns& kept) const {
        const std::vector<std::int64_t> columns(kept.columns.begin(), kept.columns.end());
        return graph.add("Gather", {rows, graph.integers(columns)}, {{"axis", 1}});
    }
    std::string operator()(const LinearMap& map) const {
        return graph.add("MatMul", {rows, graph.matrix(map.directions.transpose())});
    }
    std::string operator()(const ExportedExpansion& functions) const {
        return ExpansionInOnnx(graph, functions, rows).values();
    }
};

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

/// Adds what each class's prototypes bring a reconstruction nearer: contributions_to_nearness() and
/// sums_of_classes() of the code c, c . (2 r - c (G . same class)).
std::string decisions_by_nearness(OnnxGraph& graph, const PrototypeFacts& facts, const std::string& products,
                                  const std::string& code) {
    Matrix within = facts.products;
    Matrix of_class = Matrix::Zero(facts.count(), facts.class_count());
    for (Index p = 0; p < facts.count(); ++p) {
        of_class(p, facts.classes[p]) = 1;
        for (Index q = 0; q < facts.count(); ++q) {
            if (facts.classes[q] != facts.classes[p]) within(p, q) = 0;
        }
    }
    const std::string square = graph.add("MatMul", {code, graph.matrix(within)});
    const std::string twice = graph.add("Mul", {products, graph.number(2)});
    return graph.add("MatMul",
                     {graph.add("Mul", {code, graph.add("Sub", {twice, square})}), graph.matrix(of_class)});
}

/// Gives some of the columns of rows, from the first one on.
std::string columns_of(OnnxGraph& graph, const std::string& rows, Index first, Index count) {
    std::vector<std::int64_t> columns(count);
    std::iota(columns.begin(), columns.end(), first);
    return graph.add("Gather", {rows, graph.integers(columns)}, {{"axis", 1}});
}

/// Adds the decisions by the code of a multilevel dictionary (level_code()): on each level the prototype with
/// the largest product with what is left of the row, and that product.
std::string decisions_of_levels(OnnxGraph& graph, const LevelCodes& rule, const PrototypeFacts& facts,
                                std::string left) {
    std::vector<std::string> codes;
    for (std::size_t level = 0; level + 1 < rule.begins().size(); ++level) {
        const Index first = rule.begins()[level];
        const Index count = rule.begins()[level + 1] - first;
        const std::string own = columns_of(graph, left, first, count);
        const std::string best =
            graph.add("ArgMax", {graph.add("Abs", {own})}, {{"axis", 1}, {"keepdims", 1}});
        std::vector<std::int64_t> positions(count);
        std::iota(positions.begin(), positions.end(), std::int64_t{0});
        const std::string chosen =
            graph.add("Cast", {graph.add("Equal", {best, graph.integers(positions)})}, {to_double});
        codes.push_back(graph.add("Mul", {own, chosen}));
        left = graph.add(
            "Sub", {left, graph.add("MatMul",
                                    {codes.back(), graph.matrix(facts.products.middleRows(first, count))})});
    }
    const std::string code = graph.add("Concat", codes, {{"axis", 1}});
    const Vector& offsets = rule.class_offsets();
    return graph.add("Add", {graph.add("MatMul", {code, graph.matrix(rule.functions().transpose())}),
                             graph.numbers({offsets.data(), std::size_t(offsets.size())})});
}

std::string decisions_of_codes(OnnxGraph& graph, const DictionaryCodes& codes, const std::string& products) {
    const Index count = codes.facts.count();
    if (const auto* levels = dynamic_cast<const LevelCodes*>(codes.rule.get()))
        return decisions_of_levels(graph, *levels, codes.facts, products);
    if (!codes.rule->analyses())
        fail(Status::unsupported,
             "format onnx has no pursuit of the prototypes that reconstruct a row, which this model does (",
             codes.rule->name(), "); format c has it");
    return decisions_by_nearness(graph, codes.facts, columns_of(graph, products, 0, count),
                                 columns_of(graph, products, count, count));
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

/// Adds the decisions, rows x functions.
std::string decisions_of(OnnxGraph& graph, const Model& model, const ExportedFunctions& functions,
                         const std::string& rows) {
    ExpansionInOnnx expansion(graph, functions, rows);
    std::string values = expansion.values();
    const Index count = functions.weights.cols();
    if (functions.nearest)
        return decisions_of_nearest(graph, *functions.nearest, model.classes.classes(), values,
                                    expansion.square_of_row());
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

/// Adds the probabilities of the classes, which are not those of pairs.
std::string probabilities_of(OnnxGraph& graph, const Model& model, const std::string& decisions) {
    const std::string powers = graph.add(
        "Exp", {graph.add("Add", {graph.add("Mul", {decisions, graph.numbers(model.calibration.slopes)}),
                                  graph.numbers(model.calibration.offsets)})});
    const std::string one = graph.number(1);
    std::string positive = graph.add("Div", {one, graph.add("Add", {powers, one})});
    if (model.rule == DecisionRule::labels) return positive;
    if (model.rule == DecisionRule::binary)
        return graph.add("Concat", {graph.add("Sub", {one, positive}), positive}, {{"axis", 1}});
    const std::string sum = graph.add("ReduceSum", {positive, graph.integers(first_axis)}, {{"keepdims", 1}});
    const std::string even = graph.number(1.0 / static_cast<double>(model.classes.classes()));
    return graph.add("Where",
                     {graph.add("Greater", {sum, graph.number(0)}), graph.add("Div", {positive, sum}), even});
}

/// Adds the election of the class with the largest probability, and of those whose probabilities are the
/// same, where each class has a decision, that of the largest decision.
std::string elected_by_probability(OnnxGraph& graph, const Model& model, const std::string& decisions,
                                   const std::string& probabilities) {
    std::string scores = probabilities;
    if (model.rule != DecisionRule::binary) {
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

}  // namespace

std::string onnx_bytes(const Model& model) {
    require_rows_of_numbers(model, "onnx");
    const bool coupled = model.rule == DecisionRule::one_vs_one;
    if (model.elects_by_probability() && coupled)
        fail(Status::unsupported,
             "format onnx has no probabilities of pairs of classes, which elect here (elect=probability); "
             "multiclass=ovr has others");
    const ExportedFunctions functions = exported_functions(model, "onnx");
    OnnxGraph graph;
    std::string rows = preparation_in_onnx(graph, functions.scaler, graph.input("rows", model.features));
    for (const ExportedLayer& layer : functions.layers) rows = std::visit(LayerInOnnx{graph, rows}, layer);
    const std::string decisions = decisions_of(graph, model, functions, rows);
    graph.output("decisions", decisions, model.predictor->decision_count(), false);
    const bool probable = !model.calibration.empty() && !coupled;
    const std::string probabilities = probable ? probabilities_of(graph, model, decisions) : "";
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
