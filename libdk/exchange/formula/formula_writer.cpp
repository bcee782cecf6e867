// SPDX-License-Identifier: Apache-2.0
#include "exchange/formula/formula_writer.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

double result_of(Operation operation, double a, double b) {
    switch (operation) {
        case Operation::add:
            return a + b;
        case Operation::subtract:
            return a - b;
        case Operation::multiply:
            return a * b;
        case Operation::divide:
            return a / b;
        case Operation::maximum:
            return std::max(a, b);
        case Operation::power:
            return std::pow(a, b);
        case Operation::angle:
            return 2 * std::atan2(std::sqrt(a), std::sqrt(b));
        case Operation::exp:
            return std::exp(a);
        case Operation::sqrt:
            return std::sqrt(a);
        case Operation::sine:
            return std::sin(a);
        case Operation::tanh:
            return std::tanh(a);
        case Operation::positive:
            return a > 0 ? 1 : 0;
    }
    return 0;
}

void require_finite(const Quantity& value) {
    if (!std::ranges::all_of(value.known, [](double v) { return std::isfinite(v); }))
        fail(Status::unsupported,
             "the kernel has values of the model's rows that are no finite numbers, which formulas of other "
             "programs need; scale the columns (scale=standard)");
}

std::string key_of(const std::vector<Index>& columns) {
    std::string key;
    for (const Index j : columns) key += text(" ", j);
    return key;
}

}  // namespace

Matrix columns_of_points(const FormulaWriter& writer, const std::vector<Index>& columns) {
    return writer.points()(Eigen::all, columns);
}

template <typename Write>
std::string FormulaWriter::once(const std::string& key, Write write) {
    const auto found = written_.find(key);
    return found != written_.end() ? found->second : written_.emplace(key, write()).first->second;
}

FormulaWriter& FormulaWriter::after(const LearnedFeatures& part, bool unit) {
    After& found = after_[{&part, unit}];
    if (found.writer) return *found.writer;
    if (unit) {
        // A length is found of features whose largest is 1, so that squares neither vanish nor overflow.
        found.unit_points = part.of_points;
        for (Index p = 0; p < found.unit_points.rows(); ++p) {
            const double largest = found.unit_points.row(p).cwiseAbs().maxCoeff();
            if (largest > 0) found.unit_points.row(p) = (found.unit_points.row(p) / largest).normalized();
        }
    }
    const Matrix& points = unit ? found.unit_points : part.of_points;
    found.writer = make_writer_after(part.layer, unit, view(points.data(), points.rows(), points.cols()));
    return *found.writer;
}

std::string FormulaWriter::name_of(const Quantity& value, bool among_pairs) {
    if (value.known.empty()) return value.name;
    require_finite(value);
    if (value.is_number())
        return once(text("number ", among_pairs ? "of pairs " : "", format_number(value.known.front())),
                    [&] { return write_number(value.known.front(), among_pairs); });
    std::string key = "points";
    for (const double v : value.known) key += text(" ", v);
    return once(key, [&] { return write_points(value.known); });
}

Quantity FormulaWriter::apply(Operation operation, const std::vector<Quantity>& values) {
    const auto is_known = [](const Quantity& value) { return !value.known.empty(); };
    const std::size_t length =
        std::ranges::max(values, {}, [](const Quantity& v) { return v.known.size(); }).known.size();
    Quantity result{.writer = this};
    if (std::ranges::all_of(values, is_known)) {
        const auto at = [&](std::size_t v, std::size_t p) {
            if (v >= values.size()) return 0.0;
            return values[v].known[values[v].is_number() ? 0 : p];
        };
        for (std::size_t p = 0; p < length; ++p)
            result.known.push_back(result_of(operation, at(0, p), at(1, p)));
        return result;
    }
    result.of_pairs = length > 1 || std::ranges::any_of(values, &Quantity::of_pairs);
    std::vector<std::string> names;
    std::string key = text("operation ", static_cast<int>(operation));
    for (const Quantity& value : values) {
        names.push_back(name_of(value, result.of_pairs));
        key += text(" ", names.back());
    }
    result.name = once(key, [&] { return write_operation(operation, names, result.of_pairs); });
    return result;
}

Quantity FormulaWriter::row_sum(RowSum sum, const std::vector<Index>& columns) {
    return {.writer = this, .name = once(text("row ", static_cast<int>(sum), key_of(columns)), [&] {
                                return write_row_sum(sum, columns);
                            })};
}

Quantity FormulaWriter::point_sum(RowSum sum, const std::vector<Index>& columns) {
    const Matrix values = columns_of_points(*this, columns);
    Vector sums = values.rowwise().sum();
    if (sum == RowSum::squares) sums = values.rowwise().squaredNorm();
    if (sum == RowSum::splines)
        sums = (1 + values.array().square() * (1 + values.array().abs() / 3)).rowwise().prod() - 1;
    return {.writer = this, .known = std::vector<double>(sums.begin(), sums.end())};
}

Quantity FormulaWriter::pair_sum(ColumnSum sum, const std::vector<Index>& columns,
                                 const std::vector<Quantity>& factors) {
    std::string key = text("pairs ", static_cast<int>(sum), key_of(columns), " by");
    for (const Quantity& factor : factors) key += text(" ", name_of(factor, false));
    return {.writer = this,
            .name = once(key, [&] { return write_pair_sum(sum, columns, factors); }),
            .of_pairs = true};
}

Quantity operator+(const Quantity& a, const Quantity& b) {
    return a.writer->apply(Operation::add, {a, b});
}
Quantity operator-(const Quantity& a, const Quantity& b) {
    return a.writer->apply(Operation::subtract, {a, b});
}
Quantity operator*(const Quantity& a, const Quantity& b) {
    return a.writer->apply(Operation::multiply, {a, b});
}
Quantity operator/(const Quantity& a, const Quantity& b) {
    return a.writer->apply(Operation::divide, {a, b});
}
Quantity operator+(double a, const Quantity& b) {
    return a == 0 ? b : b.writer->number(a) + b;
}
Quantity operator-(double a, const Quantity& b) {
    return b.writer->number(a) - b;
}
Quantity operator*(double a, const Quantity& b) {
    return a == 1 ? b : b.writer->number(a) * b;
}
Quantity power(const Quantity& base, double exponent) {
    return exponent == 1 ? base : base.writer->apply(Operation::power, {base, base.writer->number(exponent)});
}
Quantity angle(const Quantity& g, const Quantity& h) {
    return g.writer->apply(Operation::angle, {g, h});
}
Quantity exp(const Quantity& value) {
    return value.writer->apply(Operation::exp, {value});
}
Quantity sqrt(const Quantity& value) {
    return value.writer->apply(Operation::sqrt, {value});
}
Quantity sine(const Quantity& value) {
    return value.writer->apply(Operation::sine, {value});
}
Quantity tanh(const Quantity& value) {
    return value.writer->apply(Operation::tanh, {value});
}
Quantity positive(const Quantity& value) {
    return value.writer->apply(Operation::positive, {value});
}
Quantity at_least(double least, const Quantity& value) {
    return value.writer->apply(Operation::maximum, {value, value.writer->number(least)});
}
Quantity reciprocal_root(const Quantity& value) {
    require_finite(value);
    const Quantity is_positive = positive(value);
    // Where the value is not positive, the root is that of 1.
    return is_positive / sqrt(is_positive * value + (1 - is_positive));
}

}  // namespace dk
