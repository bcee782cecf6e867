// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "exchange/onnx/onnx_graph.hpp"

namespace dk {

/// Shorter names of the operators with which algorithms are written in a graph. Truth values are 1 and 0
/// where nothing else is said. Sums and extrema over the second axis leave one column.
class OnnxMath {
  public:
    explicit OnnxMath(OnnxGraph& graph) : graph_(graph) {}

    using Value = std::string;
    Value number(double value) const { return graph_.number(value); }
    Value plus(const Value& a, const Value& b) const { return graph_.add("Add", {a, b}); }
    Value minus(const Value& a, const Value& b) const { return graph_.add("Sub", {a, b}); }
    Value times(const Value& a, const Value& b) const { return graph_.add("Mul", {a, b}); }
    Value times(double a, const Value& b) const { return times(number(a), b); }
    Value over(const Value& a, const Value& b) const { return graph_.add("Div", {a, b}); }
    Value product(const Value& a, const Value& b) const { return graph_.add("MatMul", {a, b}); }
    Value size_of(const Value& a) const { return graph_.add("Abs", {a}); }
    Value no(const Value& truth) const { return minus(number(1), truth); }

    /// Tells where a > b.
    Value above(const Value& a, const Value& b) const { return as_number(graph_.add("Greater", {a, b})); }
    Value is_same(const Value& a, const Value& b) const { return as_number(graph_.add("Equal", {a, b})); }
    /// Gives a where the truth is 1 and else b.
    Value chosen(const Value& truth, const Value& a, const Value& b) const {
        return graph_.add("Where", {graph_.add("Greater", {truth, number(0)}), a, b});
    }
    /// Gives 1 / a where a is positive and else 0.
    Value reciprocal(const Value& a) const {
        const Value positive = above(a, number(0));
        return over(positive, chosen(positive, a, number(1)));
    }

    Value sum(const Value& a, std::int64_t axis = 1) const {
        return graph_.add("ReduceSum", {a, graph_.integers({&axis, 1})}, {{"keepdims", 1}});
    }
    /// Sums over the last of three axes, or over the second one, and leaves the axis out.
    Value sum_without(const Value& a, std::int64_t axis) const {
        return graph_.add("ReduceSum", {a, graph_.integers({&axis, 1})}, {{"keepdims", 0}});
    }
    Value largest(const Value& a) const {
        return graph_.add("ReduceMax", {a}, {{"axes", 1, true}, {"keepdims", 1}});
    }
    Value least(const Value& a) const {
        return graph_.add("ReduceMin", {a}, {{"axes", 1, true}, {"keepdims", 1}});
    }
    /// Gives 1 in the first column with the largest value of a row and else 0.
    Value first_largest(const Value& a, Index columns) const {
        std::vector<std::int64_t> places;
        for (Index j = 0; j < columns; ++j) places.push_back(j);
        return is_same(graph_.add("ArgMax", {a}, {{"axis", 1}, {"keepdims", 1}}), graph_.integers(places));
    }
    /// Puts a new axis before this one.
    Value with_axis(const Value& a, std::int64_t axis) const {
        return graph_.add("Unsqueeze", {a, graph_.integers({&axis, 1})});
    }
    Value some(const Value& a, const std::vector<std::int64_t>& places, std::int64_t axis = 1) const {
        return graph_.add("Gather", {a, graph_.integers(places)}, {{"axis", axis}});
    }
    /// Tells whether any of the values is 1, as the truth value of a loop.
    Value any(const Value& truths) const {
        return graph_.add("Greater", {graph_.add("ReduceSum", {truths}, {{"keepdims", 0}}), number(0)});
    }

  private:
    Value as_number(const Value& truth) const { return graph_.add("Cast", {truth}, {{"to", 11}}); }

    OnnxGraph& graph_;
};

}  // namespace dk
