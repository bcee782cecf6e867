// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/onnx_writer.hpp"

#include <array>
#include <numeric>

#include "exchange/onnx/layers_in_onnx.hpp"
#include "exchange/onnx/preparation_in_onnx.hpp"

namespace dk {

namespace {

const OnnxGraph::Attribute keeps_columns{"keepdims", 1};
const OnnxGraph::Attribute drops_columns{"keepdims", 0};

}  // namespace

std::string OnnxWriter::write_number(double value, bool among_pairs) {
    if (!among_pairs) return graph_.number(value);
    // Programs round one number that multiplies a product of matrices to single precision.
    const std::vector<double> values(points().rows(), value);
    return graph_.numbers(values);
}

std::string OnnxWriter::write_points(std::span<const double> values) {
    return graph_.numbers(values);
}

std::string OnnxWriter::rows_in(const std::vector<Index>& columns) {
    if (std::ssize(columns) == points().cols()) return rows_;
    std::string& name = restricted_rows_[columns];
    const std::vector<std::int64_t> numbers(columns.begin(), columns.end());
    if (name.empty()) name = graph_.add("Gather", {rows_, graph_.integers(numbers)}, {{"axis", 1}});
    return name;
}

/// prod (1 + t) - 1 over an axis with so many t, by halves: the product of two such values is a + b + a b.
std::string OnnxWriter::product_of_all(std::string values, Index axis, Index count) {
    const auto part = [&](Index first, Index size) {
        std::vector<std::int64_t> places(size);
        std::iota(places.begin(), places.end(), first);
        return graph_.add("Gather", {values, graph_.integers(places)}, {{"axis", axis}});
    };
    while (count > 1) {
        const Index half = count / 2;
        const std::string a = part(0, half);
        const std::string b = part(half, half);
        const std::string both = graph_.add("Add", {graph_.add("Add", {a, b}), graph_.add("Mul", {a, b})});
        values = count % 2 == 0 ? both : graph_.add("Concat", {both, part(count - 1, 1)}, {{"axis", axis}});
        count -= half;
    }
    return values;
}

/// t = x z, and where that is above 0, m^2 (3 M - m) / 6 more, with m = min(|x|, |z|) and M = max(|x|, |z|).
std::string OnnxWriter::splines(const std::vector<Index>& columns) {
    const std::array middle{std::int64_t{1}};
    const Matrix points = columns_of_points(*this, columns);
    const std::string rows = graph_.add("Unsqueeze", {rows_in(columns), graph_.integers(middle)});
    const std::string sizes = graph_.add("Abs", {rows});
    const std::string of_points = graph_.matrix(points.cwiseAbs());
    const std::string product = graph_.add("Mul", {rows, graph_.matrix(points)});
    const std::string less = graph_.add("Min", {sizes, of_points});
    const std::string more = graph_.add("Mul", {graph_.add("Max", {sizes, of_points}), graph_.number(3)});
    const std::string cubes =
        graph_.add("Mul", {graph_.add("Mul", {less, less}), graph_.add("Sub", {more, less})});
    const std::string alike = graph_.add("Greater", {product, graph_.number(0)});
    const std::string bends =
        graph_.add("Where", {alike, graph_.add("Div", {cubes, graph_.number(6)}), graph_.number(0)});
    const std::array last{std::int64_t{2}};
    return graph_.add("Squeeze", {product_of_all(graph_.add("Add", {product, bends}), 2, std::ssize(columns)),
                                  graph_.integers(last)});
}

std::string OnnxWriter::write_row_sum(RowSum sum, const std::vector<Index>& columns) {
    if (sum == RowSum::splines) {
        // x^2 (1 + |x| / 3) of each column
        const std::string rows = rows_in(columns);
        const std::string third = graph_.add("Div", {graph_.add("Abs", {rows}), graph_.number(3)});
        const std::string factor = graph_.add("Add", {third, graph_.number(1)});
        return product_of_all(graph_.add("Mul", {graph_.add("Mul", {rows, rows}), factor}), 1,
                              std::ssize(columns));
    }
    if (sum == RowSum::squares)
        return graph_.add("ReduceSumSquare", {rows_in(columns)}, {{"axes", 1, true}, keeps_columns});
    const std::array axis{std::int64_t{1}};
    return graph_.add("ReduceSum", {rows_in(columns), graph_.integers(axis)}, {keeps_columns});
}

/// |x - z|^2 = |x|^2 + |z|^2 - 2 x.z, where x and z are those less the mean of the points, so that columns
/// far from 0 keep their digits.
std::string OnnxWriter::squares(const std::vector<Index>& columns) {
    Matrix points = columns_of_points(*this, columns);
    const Eigen::RowVectorXd mean = points.colwise().mean();
    points.rowwise() -= mean;
    const std::string rows = graph_.add(
        "Sub", {rows_in(columns), graph_.numbers({mean.data(), static_cast<std::size_t>(mean.size())})});
    const Vector lengths = points.rowwise().squaredNorm();
    const std::string both =
        graph_.add("Add", {graph_.add("ReduceSumSquare", {rows}, {{"axes", 1, true}, keeps_columns}),
                           graph_.numbers({lengths.data(), static_cast<std::size_t>(lengths.size())})});
    const std::string inner = graph_.add("MatMul", {rows, graph_.matrix(points.transpose())});
    const std::string apart = graph_.add("Sub", {both, graph_.add("Mul", {inner, write_number(2, true)})});
    return graph_.add("Max", {apart, graph_.number(0)});
}

/// (a x - b z)^2 or (a x + b z)^2 for each column.
std::string OnnxWriter::scaled(const std::vector<Index>& columns, const std::vector<Quantity>& factors,
                               const char* operation) {
    const std::array axis{std::int64_t{1}};
    const std::string left = graph_.add("Mul", {rows_in(columns), name_of(factors[0], false)});
    const std::vector<double>& b = factors[1].known;
    const Vector scales = as_vector(b);
    const std::string right = graph_.matrix(scales.asDiagonal() * columns_of_points(*this, columns));
    const std::string both =
        graph_.add(operation, {graph_.add("Unsqueeze", {left, graph_.integers(axis)}), right});
    return graph_.add("Mul", {both, both});
}

/// Divides by sums of two values that are at least 0, and gives 0 where they are 0.
std::string OnnxWriter::ratio_of_sums(const std::string& numerator, const std::string& sums) {
    const std::string zero = graph_.number(0);
    return graph_.add("Where",
                      {graph_.add("Greater", {sums, zero}), graph_.add("Div", {numerator, sums}), zero});
}

std::string OnnxWriter::write_pair_sum(ColumnSum sum, const std::vector<Index>& columns,
                                       const std::vector<Quantity>& factors) {
    const Matrix points = columns_of_points(*this, columns);
    if (sum == ColumnSum::inner)
        return graph_.add("MatMul", {rows_in(columns), graph_.matrix(points.transpose())});
    if (sum == ColumnSum::squares) return squares(columns);
    if (sum == ColumnSum::splines) return splines(columns);
    const std::array middle{std::int64_t{1}};
    const std::array last{std::int64_t{2}};
    const auto operation = [&](const char* name) {
        const std::string rows = graph_.add("Unsqueeze", {rows_in(columns), graph_.integers(middle)});
        return graph_.add(name, {rows, graph_.matrix(points)});
    };
    const auto squared = [&](const std::string& value) { return graph_.add("Mul", {value, value}); };
    const auto terms = [&]() -> std::string {
        switch (sum) {
            case ColumnSum::exact_squares:
                return squared(operation("Sub"));
            case ColumnSum::absolute:
                return graph_.add("Abs", {operation("Sub")});
            case ColumnSum::chi_square:
                return ratio_of_sums(squared(operation("Sub")), operation("Add"));
            case ColumnSum::harmonic:
                return ratio_of_sums(graph_.add("Mul", {operation("Mul"), graph_.number(2)}),
                                     operation("Add"));
            case ColumnSum::minimum:
                return operation("Min");
            case ColumnSum::unlikeness: {
                const std::string power =
                    graph_.add("Mul", {squared(operation("Sub")), graph_.number(-factors[0].known.front())});
                return graph_.add("Sub", {graph_.number(1), graph_.add("Exp", {power})});
            }
            case ColumnSum::scaled_differences:
                return scaled(columns, factors, "Sub");
            default:
                return scaled(columns, factors, "Add");
        }
    };
    return graph_.add("ReduceSum", {terms(), graph_.integers(last)}, {drops_columns});
}

/// Programs have no arcs in double precision. With sin^2(theta / 2) = g / (g + h) the angle is halved four
/// times by
///
///     cos(a / 2) = sqrt((1 + cos a) / 2),   sin(a / 2) = sin a / (2 cos(a / 2)),
///
/// and 32 asin(s) for s < 0.1 is a short series, whose terms are s^(2 n + 1) (2 n)! / (4^n n!^2 (2 n + 1)).
std::string OnnxWriter::angle(const std::string& g, const std::string& h, bool of_pairs) {
    const auto constant = [&](double value) { return name_of(number(value), of_pairs); };
    const std::string whole = graph_.add("Add", {g, h});
    std::string sine = graph_.add("Sqrt", {graph_.add("Div", {g, whole})});
    std::string cosine = graph_.add("Sqrt", {graph_.add("Div", {h, whole})});
    for (int half = 0; half < 4; ++half) {
        const std::string one_more = graph_.add("Add", {cosine, constant(1)});
        cosine = graph_.add("Sqrt", {graph_.add("Mul", {one_more, constant(0.5)})});
        sine = graph_.add("Div", {graph_.add("Mul", {sine, constant(0.5)}), cosine});
    }
    constexpr int terms = 9;
    std::array<double, terms> coefficients{1};
    double ratio = 1;
    for (int n = 1; n < terms; ++n) {
        ratio *= (2 * n - 1) / (2.0 * n);
        coefficients[n] = ratio / (2 * n + 1);
    }
    const std::string square = graph_.add("Mul", {sine, sine});
    std::string series = graph_.add("Mul", {square, constant(coefficients[terms - 1])});
    for (int n = terms - 2; n > 0; --n)
        series = graph_.add("Mul", {square, graph_.add("Add", {series, constant(coefficients[n])})});
    const std::string arc = graph_.add("Mul", {sine, graph_.add("Add", {series, constant(1)})});
    return graph_.add("Mul", {arc, constant(32)});
}

std::string OnnxWriter::write_operation(Operation operation, const std::vector<std::string>& values,
                                        bool of_pairs) {
    const auto constant = [&](double value) { return name_of(number(value), of_pairs); };
    switch (operation) {
        case Operation::add:
            return graph_.add("Add", values);
        case Operation::subtract:
            return graph_.add("Sub", values);
        case Operation::multiply:
            return graph_.add("Mul", values);
        case Operation::divide:
            return graph_.add("Div", values);
        case Operation::maximum:
            return graph_.add("Max", values);
        case Operation::power:
            return graph_.add("Pow", values);
        case Operation::angle:
            return angle(values[0], values[1], of_pairs);
        case Operation::exp:
            return graph_.add("Exp", values);
        case Operation::sqrt:
            return graph_.add("Sqrt", values);
        case Operation::sine:
            return graph_.add("Sin", values);
        case Operation::tanh: {
            // tanh(u) = 1 - 2 / (1 + exp(2 u)): programs approximate the operator Tanh with fewer digits.
            const std::string power = graph_.add("Exp", {graph_.add("Mul", {values[0], constant(2)})});
            const std::string whole = graph_.add("Add", {power, constant(1)});
            return graph_.add("Sub", {constant(1), graph_.add("Div", {constant(2), whole})});
        }
        case Operation::positive:
            return graph_.add("Cast", {graph_.add("Greater", {values[0], constant(0)})}, {{"to", 11}});
    }
    return "";
}

std::unique_ptr<FormulaWriter> OnnxWriter::make_writer_after(const ExportedLayer& layer, bool unit,
                                                             ConstMatrixView points) {
    std::string rows = rows_after_layer(graph_, layer, rows_);
    if (unit) rows = scaled_rows(graph_, RowScale::l2, rows);
    return std::make_unique<OnnxWriter>(graph_, rows, points);
}

}  // namespace dk
