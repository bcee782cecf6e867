// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/codes_in_onnx.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "exchange/onnx/onnx_math.hpp"
#include "exchange/onnx/pursuit_in_onnx.hpp"
#include "model/dictionary/class_reconstruction.hpp"
#include "model/dictionary/level_codes.hpp"
#include "model/dictionary/nonnegative_codes.hpp"

namespace dk {

namespace {

/// Gives 1 for each prototype and its class, prototypes x classes.
Matrix membership(const PrototypeFacts& facts) {
    Matrix of_class = Matrix::Zero(facts.count(), facts.class_count());
    for (Index p = 0; p < facts.count(); ++p) of_class(p, facts.classes[p]) = 1;
    return of_class;
}

/// Adds what each class's prototypes bring a reconstruction nearer: contributions_to_nearness() and
/// sums_of_classes() of the code c, c . (2 r - c (G . same class)).
std::string decisions_by_nearness(OnnxGraph& graph, const PrototypeFacts& facts, const std::string& products,
                                  const std::string& code) {
    const OnnxMath math(graph);
    const Matrix of_class = membership(facts);
    const Matrix within = facts.products.cwiseProduct(Matrix(of_class * of_class.transpose()));
    const std::string square = math.product(code, graph.matrix(within));
    const std::string nearness = math.times(code, math.minus(math.times(2, products), square));
    return math.product(nearness, graph.matrix(of_class));
}

/// Gives some of the columns of rows, from the first one on.
std::string columns_of(OnnxGraph& graph, const std::string& rows, Index first, Index count) {
    std::vector<std::int64_t> columns(count);
    std::iota(columns.begin(), columns.end(), first);
    return OnnxMath(graph).some(rows, columns);
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

/// Adds the codes by orthogonal pursuit among the prototypes of each class.
std::string codes_of_classes(OnnxGraph& graph, const PrototypeFacts& facts, const std::string& products,
                             Index most) {
    std::vector<std::string> codes;
    std::vector<std::int64_t> place(facts.count());  // of a prototype's value among those of all classes
    std::int64_t next = 0;
    for (Index c = 0; c < facts.class_count(); ++c) {
        std::vector<std::int64_t> own;
        for (Index p = 0; p < facts.count(); ++p) {
            if (facts.classes[p] != c) continue;
            own.push_back(p);
            place[p] = next++;
        }
        if (own.empty()) continue;
        codes.push_back(orthogonal_pursuit_in_onnx(graph, facts.products(own, own),
                                                   OnnxMath(graph).some(products, own), most));
    }
    return OnnxMath(graph).some(graph.add("Concat", codes, {{"axis", 1}}), place);
}

/// Adds the decisions by non-negative codes, as NonnegativeCodes::decide() makes them. Where nothing
/// reconstructs a row, the most similar prototype counts alone.
std::string decisions_of_nonnegative_codes(OnnxGraph& graph, const NonnegativeCodes& rule,
                                           const PrototypeFacts& facts, const std::string& products) {
    const OnnxMath math(graph);
    const std::string code =
        nonnegative_pursuit_in_onnx(graph, facts.products, products, std::min(rule.limit(), facts.count()));
    const std::string nearest = math.first_largest(products, facts.count());
    if (rule.decision() == NonnegativeCodes::Decision::share) {
        const Vector& masses = facts.masses;
        const std::string weighed = math.times(code, graph.matrix(masses.transpose()));
        const std::string sum = math.sum(weighed);
        const std::string shares = math.times(weighed, math.reciprocal(sum));
        return math.product(math.chosen(sum, shares, nearest), graph.matrix(facts.class_shares.transpose()));
    }
    return math.chosen(math.sum(code), decisions_by_nearness(graph, facts, products, code),
                       math.product(nearest, graph.matrix(membership(facts))));
}

}  // namespace

std::string decisions_of_codes(OnnxGraph& graph, const DictionaryCodes& codes, const std::string& products) {
    const PrototypeFacts& facts = codes.facts;
    if (const auto* levels = dynamic_cast<const LevelCodes*>(codes.rule.get()))
        return decisions_of_levels(graph, *levels, facts, products);
    if (const auto* nonnegative = dynamic_cast<const NonnegativeCodes*>(codes.rule.get()))
        return decisions_of_nonnegative_codes(graph, *nonnegative, facts, products);
    const auto& rule = dynamic_cast<const ClassReconstruction&>(*codes.rule);
    if (!rule.analyses())
        return decisions_by_nearness(graph, facts, products,
                                     codes_of_classes(graph, facts, products, rule.limit()));
    return decisions_by_nearness(graph, facts, columns_of(graph, products, 0, facts.count()),
                                 columns_of(graph, products, facts.count(), facts.count()));
}

}  // namespace dk
