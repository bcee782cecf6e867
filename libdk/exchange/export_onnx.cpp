// SPDX-License-Identifier: Apache-2.0
// A model as a graph of ONNX's standard operators in double precision, with the input `rows` and the results
// `decisions` and `prediction`. ONNX-ML's own operators of support vector machines have single precision and
// one kernel, which would change decisions, so that the graph has none of them.
//
//     x' = (x - m) / s,   K = k(x', Z),   f = K W + b
//
// Functions of pairs (a, b) elect as class_scores() does. With A(c, f) = 1 where c is the first class of pair
// f, B(c, f) where it is the second, and p(f) = 1 where f >= 0, votes are p A' + (1 - p) B'. Of the classes
// that have the most, l(c) = 1, the one wins whose distances d(f) = f / |w_f| to the others of them are the
// largest: the score is u / (1 + |u|) / 2 more than the votes, with u = (d . (l A) . (l B)) (A - B)'. Classes
// that do not lead cannot win, since votes are whole numbers.
#include <array>

#include "base/error.hpp"
#include "exchange/exported_functions.hpp"
#include "exchange/onnx_graph.hpp"

namespace dk {

namespace {

/// Adds the values of a kernel between the rows x and the points Z.
class OnnxKernel {
  public:
    OnnxKernel(OnnxGraph& graph, std::string rows, ConstMatrixView points)
        : graph_(graph), rows_(std::move(rows)), points_(points) {}

    std::string value(const Expression& expression) {
        using Kind = Expression::Kind;
        if (expression.kind == Kind::number) return constant(expression.number);
        if (expression.kind == Kind::call) return call(expression);
        if (expression.kind == Kind::power)
            return graph_.add("Pow", {value(expression.children.front()), graph_.number(expression.number)});
        std::string whole;
        for (const Expression& child : expression.children) {
            const std::string part = value(child);
            const char* const op = expression.kind == Kind::sum ? "Add" : "Mul";
            whole = whole.empty() ? part : graph_.add(op, {whole, part});
        }
        return whole;
    }

  private:
    std::string call(const Expression& call) {
        const auto parameter = [&](const char* key) { return constant(parameter_of(call, key)); };
        if (call.name == "linear") return inner();
        if (call.name == "rbf") {
            const std::string factor = constant(-parameter_of(call, "gamma"));
            return graph_.add("Exp", {graph_.add("Mul", {distance(), factor})});
        }
        if (call.name == "exp" && call.arguments.size() == 1 && call.arguments.front().expression)
            return graph_.add("Exp", {value(*call.arguments.front().expression)});
        if (call.name != "poly" && call.name != "sigmoid")
            fail(Status::unsupported,
                 "format onnx has the kernels linear, poly, rbf and sigmoid over all columns, "
                 "their sums, products and powers; the model has kernel ",
                 call.name);
        const std::string line =
            graph_.add("Add", {graph_.add("Mul", {inner(), parameter("gamma")}), parameter("coef0")});
        if (call.name == "sigmoid") return tanh(line);
        return graph_.add("Pow", {line, parameter("degree")});
    }

    /// Adds a number for each point, since programs round one number that multiplies a product of matrices to
    /// single precision.
    std::string constant(double value) {
        const std::vector<double> values(points_.rows(), value);
        return graph_.numbers(values);
    }

    /// tanh(u) = 1 - 2 / (1 + exp(2 u)), since programs approximate the operator Tanh with fewer digits.
    std::string tanh(const std::string& line) {
        const std::string power = graph_.add("Exp", {graph_.add("Mul", {line, graph_.number(2)})});
        const std::string whole = graph_.add("Add", {power, graph_.number(1)});
        return graph_.add("Sub", {graph_.number(1), graph_.add("Div", {graph_.number(2), whole})});
    }

    const std::string& inner() {
        if (inner_.empty()) inner_ = graph_.add("MatMul", {rows_, graph_.matrix(points_.transpose())});
        return inner_;
    }

    /// |x - z|^2 = |x|^2 + |z|^2 - 2 x.z
    const std::string& distance() {
        if (!distance_.empty()) return distance_;
        const Vector norms = points_.rowwise().squaredNorm();
        const std::string own = graph_.add("ReduceSumSquare", {rows_}, {{"axes", 1, true}, {"keepdims", 1}});
        const std::string both =
            graph_.add("Add", {own, graph_.numbers({norms.data(), static_cast<std::size_t>(norms.size())})});
        return distance_ = graph_.add("Sub", {both, graph_.add("Mul", {inner(), graph_.number(2)})});
    }

    OnnxGraph& graph_;
    std::string rows_;
    ConstMatrixView points_;
    std::string inner_;
    std::string distance_;
};

std::string prepared_rows(OnnxGraph& graph, const ExportedFunctions& functions, std::string rows) {
    if (!functions.fill.empty())
        rows = graph.add("Where", {graph.add("IsNaN", {rows}), graph.numbers(functions.fill), rows});
    if (functions.shift.empty()) return rows;
    return graph.add(
        "Div", {graph.add("Sub", {rows, graph.numbers(functions.shift)}), graph.numbers(functions.scale)});
}

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
        const std::array first_column{std::int64_t{1}};
        const std::string position =
            graph.add("Squeeze", {graph.add("Cast", {positive}, {{"to", 7}}), graph.integers(first_column)});
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

}  // namespace

std::string onnx_bytes(const Model& model) {
    require_rows_of_numbers(model, "onnx");
    const ExportedFunctions functions = exported_functions(model, "onnx");
    const Dataset dense = with_dense_rows(functions.points, 1, MemoryBudget(0));
    const DenseMatrix& points = dense.dense();
    OnnxGraph graph;
    const std::string rows = prepared_rows(graph, functions, graph.input("rows", points.cols));
    OnnxKernel kernel(graph, rows, view(points.values.data(), points.rows, points.cols));
    const std::string values = kernel.value(functions.kernel);
    const std::string decisions = graph.add(
        "Add",
        {graph.add("MatMul", {values, graph.matrix(functions.weights)}), graph.numbers(functions.offsets)});
    graph.output("decisions", decisions, std::ssize(functions.offsets), false);
    if (model.rule == DecisionRule::regression) {
        const std::array first_column{std::int64_t{1}};
        graph.output("prediction", graph.add("Squeeze", {decisions, graph.integers(first_column)}), 0, false);
    } else {
        graph.output("prediction", elected(graph, model, functions, decisions), 0, true);
    }
    return graph.model(text("machine ", model.machine, ", kernel ", model.kernel));
}

}  // namespace dk
