// SPDX-License-Identifier: Apache-2.0
// The pursuits of solve/squares as operators of ONNX, for all rows at once. A loop ends when the last row has
// ended, and rows that have ended keep their values. Sets of columns are 1 for their members and else 0.
//
// ONNX has no solver of linear equations. Values on a support S are found by vectors b_1, b_2, ... of S with
// b_j' H b_k = 1 for j = k and else 0, which the process of Gram and Schmidt makes of the unit vectors of S:
//
//     min 1/2 x'Hx - s'x over x on S   has   x = sum_k (b_k's) b_k,
//
// and H_jj - sum_k (b_k' H e_j)^2 is what a further column j has besides those of S.
//
// Where columns nearly depend on each other, values have the digits that the condition of H leaves, which
// need not be those that Cholesky's factor finds.
//
//     letter    name
//     b_k       rows of a basis, rows x k x columns
//     M         the sum of b_k b_k', rows x columns x columns
#include "exchange/onnx/pursuit_in_onnx.hpp"

#include "exchange/onnx/onnx_math.hpp"

namespace dk {

namespace {

using Value = std::string;

constexpr double dependent_share = 1e-10;  // of both pursuits

/// Makes zeros for each row, or the same numbers.
Value for_each_row(const OnnxMath& math, const Value& rows, const Value& numbers) {
    return math.plus(math.times(0, rows), numbers);
}

/// A column that may join a support.
struct Candidate {
    Value unit;      // e_j, or 0 for rows that have none
    Value products;  // H e_j
    Value square;    // H_jj
    Candidate(const OnnxMath& math, const Value& e, const Value& H)
        : unit(e), products(math.product(e, H)), square(math.sum(math.times(e, products))) {}
};

/// Gives the products of a vector with each of the basis, rows x k x 1.
Value parts_of(const OnnxMath& math, const Value& basis, const Value& vector) {
    return math.sum(math.times(basis, math.with_axis(vector, 1)), 2);
}

/// Makes the basis of each row's support, which has at most so many columns, behind a vector of zeros. Each
/// vector is made orthogonal twice, since once leaves rounding of the parts that are taken away.
Value basis_of(OnnxGraph& graph, const Value& support, const Value& H, Index columns, Index most) {
    const auto turn = [&](OnnxGraph& body, const std::vector<Value>& before) -> OnnxGraph::Turn {
        const OnnxMath in(body);
        const Value& basis = before[0];
        const Value first = in.times(in.first_largest(before[1], columns), in.largest(before[1]));
        Value b = first;
        for (int pass = 0; pass < 2; ++pass) {
            const Value parts = parts_of(in, basis, in.product(b, H));
            b = in.minus(b, in.sum_without(in.times(basis, parts), 1));
        }
        const Value square = in.sum(in.times(b, in.product(b, H)));
        b = in.times(b, body.add("Sqrt", {in.reciprocal(square)}));
        const Value left = in.minus(before[1], first);
        return {in.any(left), {body.add("Concat", {basis, in.with_axis(b, 1)}, {{"axis", 1}}), left}};
    };
    const OnnxMath math(graph);
    return graph.loop(most, {math.times(0, math.with_axis(support, 1)), support}, turn).front();
}

}  // namespace

std::string orthogonal_pursuit_in_onnx(OnnxGraph& graph, const Matrix& H, const std::string& s, Index most) {
    const OnnxMath math(graph);
    const Index columns = H.rows();
    const Value products = graph.matrix(H);
    const Value squares = graph.matrix(H.diagonal().transpose());
    const Value usable = math.above(squares, math.number(0));
    const Value divisors = math.chosen(usable, squares, math.number(1));
    const Value smallest = math.times(1e-12, math.largest(math.size_of(s)));
    const auto values_of = [&](const OnnxMath& in, const Value& M) {
        return in.sum_without(in.times(M, in.with_axis(s, 1)), 2);
    };
    const Value none = for_each_row(math, math.with_axis(s, 1), graph.matrix(Matrix::Zero(columns, columns)));
    const Value one = math.plus(math.times(0, math.sum(s)), math.number(1));
    const std::vector<Value> begin{none, math.times(0, s), math.times(0, one), one};
    const auto turn = [&](OnnxGraph& body, const std::vector<Value>& before) -> OnnxGraph::Turn {
        const OnnxMath in(body);
        const Value& M = before[0];
        const Value& taken = before[1];
        const Value& count = before[2];
        const Value left = in.minus(s, in.product(values_of(in, M), products));
        const Value can = in.times(in.times(in.no(taken), usable), in.above(in.size_of(left), smallest));
        const Value gain = in.times(can, in.over(in.times(left, left), divisors));
        const Value seeks = in.times(in.above(in.largest(gain), in.number(0)),
                                     in.above(in.number(static_cast<double>(most)), count));
        const Value active = in.times(before[3], seeks);
        const Candidate best(in, in.times(in.first_largest(gain, columns), active), products);
        // What is left of the column is made orthogonal twice, as in basis_of().
        Value b = best.unit;
        for (int pass = 0; pass < 2; ++pass) {
            const Value of_b = in.with_axis(in.product(b, products), 1);
            b = in.minus(b, in.sum_without(in.times(M, of_b), 2));
        }
        const Value square = in.sum(in.times(b, in.product(b, products)));
        const Value joins = in.times(active, in.above(square, in.times(dependent_share, best.square)));
        const Value factor = in.times(joins, in.reciprocal(square));
        const Value outer = in.times(in.with_axis(in.times(b, factor), 2), in.with_axis(b, 1));
        return {in.any(active),
                {in.plus(M, outer), in.plus(taken, best.unit), in.plus(count, joins), active}};
    };
    return values_of(math, graph.loop(columns + 1, begin, turn).front());
}

namespace {

/// Lawson and Hanson's loop (Pursuit::solve_support()): what a support and its values become.
std::vector<Value> solved_support(OnnxGraph& graph, const Value& H, const Value& s, Index columns, Index most,
                                  const Value& support, const Value& values, const Value& busy) {
    const auto turn = [&](OnnxGraph& body, const std::vector<Value>& before) -> OnnxGraph::Turn {
        const OnnxMath in(body);
        const Value& S = before[0];
        const Value& x = before[1];
        const Value basis = basis_of(body, S, H, columns, most);
        const Value target = in.sum_without(in.times(basis, parts_of(in, basis, s)), 1);
        const Value low = in.times(S, in.no(in.above(target, in.number(0))));
        const Value any_low = in.times(before[2], in.largest(low));
        const Value falls = in.above(x, target);
        const Value way = in.times(falls, in.over(x, in.chosen(falls, in.minus(x, target), in.number(1))));
        const Value step = in.least(in.chosen(low, way, in.number(1)));
        const Value leaves = in.times(low, in.no(in.above(way, step)));
        const Value stays = in.times(in.minus(S, leaves), in.largest(leaves));
        const Value moved = in.times(in.plus(x, in.times(step, in.minus(target, x))), stays);
        const Value new_support = in.chosen(any_low, stays, S);
        const Value new_values = in.chosen(any_low, moved, in.chosen(before[2], target, x));
        const Value still = in.times(any_low, in.largest(new_support));
        return {in.any(still), {new_support, new_values, still}};
    };
    return graph.loop(most + 1, {support, values, busy}, turn);
}

}  // namespace

std::string nonnegative_pursuit_in_onnx(OnnxGraph& graph, const Matrix& H, const std::string& s, Index most) {
    const OnnxMath math(graph);
    const Index columns = H.rows();
    const Value products = graph.matrix(H);
    const Vector squares = H.diagonal();
    Matrix usable(1, columns);
    for (Index j = 0; j < columns; ++j) usable(0, j) = squares[j] > 1e-14 * squares.maxCoeff() ? 1 : 0;
    const Value least = math.times(1e-9, math.largest(math.size_of(s)));
    const Value one = math.plus(math.times(0, math.sum(s)), math.number(1));
    const Value none = math.times(0, s);
    const std::vector<Value> begin{none, none, for_each_row(math, s, graph.matrix(usable)),
                                   math.times(0, one), one};
    const auto turn = [&](OnnxGraph& body, const std::vector<Value>& before) -> OnnxGraph::Turn {
        const OnnxMath in(body);
        const Value& x = before[0];
        const Value& S = before[1];
        const Value& allowed = before[2];
        const Value& objective = before[3];
        const Value falling = in.minus(s, in.product(x, products));  // minus the gradient
        const Value slope = in.times(in.times(allowed, in.no(S)), falling);
        const Value count = in.sum(S);
        const Value seeks = in.times(in.above(in.largest(slope), least),
                                     in.above(in.number(static_cast<double>(most)), count));
        const Value active = in.times(before[4], seeks);
        const Candidate best(in, in.times(in.first_largest(slope, columns), active), products);
        const Value within = parts_of(in, basis_of(body, S, products, columns, most), best.products);
        const Value besides = in.minus(best.square, in.sum_without(in.times(within, within), 1));
        const Value tries =
            in.times(active, in.above(besides, in.times(in.times(dependent_share, best.square),
                                                        in.above(count, in.number(0)))));
        const auto solved = solved_support(body, products, s, columns, most,
                                           in.plus(S, in.times(best.unit, tries)), x, tries);
        const Value half = in.times(0.5, in.product(solved[1], products));
        const Value lower = in.sum(in.times(solved[1], in.minus(half, s)));
        const Value better = in.times(tries, in.above(objective, lower));
        return {in.any(active),
                {in.chosen(better, solved[1], x), in.chosen(better, solved[0], S),
                 in.minus(allowed, in.times(best.unit, in.no(better))), in.chosen(better, lower, objective),
                 active}};
    };
    return graph.loop(10 * most + 50, begin, turn).front();
}

}  // namespace dk
