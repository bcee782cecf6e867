// SPDX-License-Identifier: Apache-2.0
#include "exchange/c/c_writer.hpp"

#include <set>

#include "base/text.hpp"
#include "exchange/c/c_words.hpp"
#include "exchange/c/layers_in_c.hpp"

namespace dk {

namespace {

/// Writes the function that brings what a layer makes to length 1, but for zeros.
std::string unit_function(const std::string& layer, Index columns) {
    return text(
        "\nstatic void ", layer,
        "_unit(const double *x, double *out) {\n    double largest = 0, square = 0;\n"
        "    int c;\n    ",
        layer, "(x, out);\n    for (c = 0; c < ", columns,
        "; ++c) largest = fmax(largest, fabs(out[c]));\n    if (largest == 0) return;\n    for (c = 0; c < ",
        columns,
        "; ++c) {\n        out[c] /= largest;\n        square += out[c] * out[c];\n    }\n"
        "    for (c = 0; c < ",
        columns, "; ++c) out[c] /= sqrt(square);\n}\n");
}

}  // namespace

CWriter::CWriter(ConstMatrixView points, const std::string& prefix)
    : CWriter(points, std::make_shared<Written>(Written{prefix}), "x[c]", "z[c]") {}

CWriter::CWriter(ConstMatrixView points, std::shared_ptr<Written> written, std::string row, std::string point)
    : FormulaWriter(points), written_(std::move(written)), row_(std::move(row)), point_(std::move(point)) {}

std::string CWriter::fresh_name(char kind) {
    return text(std::string(1, kind), written_->names++);
}

std::string CWriter::list_of(const std::vector<Index>& columns) {
    if (std::ssize(columns) == points().cols()) return "";
    std::string& list = column_lists_[columns];
    if (!list.empty()) return list;
    list = fresh_name('c');
    std::vector<std::string> numbers;
    numbers.reserve(columns.size());
    for (const Index j : columns) numbers.push_back(text(j));
    written_->statements.push_back(
        {Place::file, list,
         text("static const int ", list, "[", columns.size(), "] = {", join(numbers, ", "), "};\n")});
    return list;
}

std::string CWriter::loop_over(const std::string& list, std::size_t count) const {
    if (list.empty())
        return text("for (c = 0; c < ", row_ == "x[c]" ? "FEATURES" : text(count), "; ++c) {\n");
    return text("for (j = 0; j < ", count, "; ++j) {\n            c = ", list, "[j];\n");
}

CWriter::Code CWriter::code_for(std::vector<std::string> results) const {
    std::set<std::string> needed(results.begin(), results.end());
    for (auto statement = written_->statements.rbegin(); statement != written_->statements.rend();
         ++statement) {
        if (needed.contains(statement->name)) needed.insert(statement->needs.begin(), statement->needs.end());
    }
    Code code;
    for (const Statement& statement : written_->statements) {
        if (!needed.contains(statement.name)) continue;
        std::string& place = statement.place == Place::functions ? code.functions
                             : statement.place == Place::file    ? code.constants
                             : statement.place == Place::row     ? code.of_row
                                                                 : code.of_pairs;
        place += statement.code;
    }
    return code;
}

std::string CWriter::write_number(double value, bool) {
    return c_number(value);
}

std::string CWriter::write_points(std::span<const double> values) {
    const std::string name = fresh_name('k');
    written_->statements.push_back({Place::file, name + "[p]", c_array(name + "[POINTS]", values)});
    return name + "[p]";
}

std::string CWriter::write_row_sum(RowSum sum, const std::vector<Index>& columns) {
    std::string name = fresh_name('r');
    const std::string list = list_of(columns);
    const std::string& x = row_;
    const std::string term = sum == RowSum::squares ? text(x, " * ", x)
                             : sum == RowSum::splines
                                 ? text("(1 + ", name, ") * (", x, " * ", x, " * (1 + fabs(", x, ") / 3))")
                                 : x;
    written_->statements.push_back({Place::row,
                                    name,
                                    text("    double ", name, " = 0;\n    ", loop_over(list, columns.size()),
                                         "        ", name, " += ", term, ";\n    }\n"),
                                    {list, row_}});
    return name;
}

std::string CWriter::write_pair_sum(ColumnSum sum, const std::vector<Index>& columns,
                                    const std::vector<Quantity>& factors) {
    std::vector<std::string> names;
    names.reserve(factors.size() + 1);
    for (const Quantity& factor : factors) names.push_back(name_of(factor, true));
    std::string name = fresh_name('s');
    const std::string& x = row_;
    const std::string& z = point_;
    const std::string apart = text("(", x, " - ", z, ")");
    const auto term = [&]() -> std::string {
        switch (sum) {
            case ColumnSum::inner:
                return text(x, " * ", z);
            case ColumnSum::squares:
            case ColumnSum::exact_squares:
                return text(apart, " * ", apart);
            case ColumnSum::absolute:
                return text("fabs(", x, " - ", z, ")");
            case ColumnSum::chi_square:
                return text(x, " + ", z, " > 0 ? ", apart, " * ", apart, " / (", x, " + ", z, ") : 0");
            case ColumnSum::harmonic:
                return text(x, " + ", z, " > 0 ? 2 * ", x, " * ", z, " / (", x, " + ", z, ") : 0");
            case ColumnSum::minimum:
                return text(x, " < ", z, " ? ", x, " : ", z);
            case ColumnSum::unlikeness:
                return text("1 - exp(-", names[0], " * (", apart, " * ", apart, "))");
            case ColumnSum::scaled_differences:
                return text("pow(", names[0], " * ", x, " - ", names[1], " * ", z, ", 2)");
            case ColumnSum::scaled_sums:
                return text("pow(", names[0], " * ", x, " + ", names[1], " * ", z, ", 2)");
            case ColumnSum::splines: {
                const std::string less = text("fmin(fabs(", x, "), fabs(", z, "))");
                const std::string more = text("fmax(fabs(", x, "), fabs(", z, "))");
                return text("(1 + ", name, ") * (", x, " * ", z, " + (", x, " * ", z, " > 0 ? ", less, " * ",
                            less, " * (3 * ", more, " - ", less, ") / 6 : 0))");
            }
        }
        return "";
    };
    const std::string list = list_of(columns);
    names.push_back(list);
    names.push_back(row_);
    names.push_back(point_);
    written_->statements.push_back(
        {Place::pairs, name,
         text("        double ", name, " = 0;\n        ", loop_over(list, columns.size()), "            ",
              name, " += ", term(), ";\n        }\n"),
         names});
    return name;
}

std::string CWriter::write_operation(Operation operation, const std::vector<std::string>& values,
                                     bool of_pairs) {
    const auto between = [&](const char* sign) { return text(values[0], sign, values[1]); };
    const auto called = [&](const char* function) { return text(function, "(", values[0], ")"); };
    const auto expression = [&]() -> std::string {
        switch (operation) {
            case Operation::add:
                return between(" + ");
            case Operation::subtract:
                return between(" - ");
            case Operation::multiply:
                return between(" * ");
            case Operation::divide:
                return between(" / ");
            case Operation::maximum:
                return text("fmax(", between(", "), ")");
            case Operation::power:
                return text("pow(", between(", "), ")");
            case Operation::angle:
                return text("2 * atan2(sqrt(", values[0], "), sqrt(", values[1], "))");
            case Operation::exp:
                return called("exp");
            case Operation::sqrt:
                return called("sqrt");
            case Operation::sine:
                return called("sin");
            case Operation::tanh:
                return called("tanh");
            case Operation::positive:
                return text(values[0], " > 0 ? 1.0 : 0.0");
        }
        return "";
    };
    std::string name = fresh_name(of_pairs ? 'v' : 'r');
    written_->statements.push_back(
        {of_pairs ? Place::pairs : Place::row, name,
         text(of_pairs ? "        const double " : "    const double ", name, " = ", expression(), ";\n"),
         values});
    return name;
}

/// A layer is a function of the file, which fills an array of the row before the loop.
std::unique_ptr<FormulaWriter> CWriter::make_writer_after(const ExportedLayer& layer, bool unit,
                                                          ConstMatrixView points) {
    const std::string function = text(written_->prefix, fresh_name('f'));
    const std::string row = fresh_name('x');
    const std::string known = fresh_name('z');
    const std::string in_row = row + "[c]";
    const std::string in_point = text(known, "[p * ", points.cols(), " + c]");
    const std::string call = text(unit ? function + "_unit" : function, "(x, ", row, ");\n");
    std::string functions = layer_in_c(layer, function);
    if (unit) functions += unit_function(function, points.cols());
    written_->statements.push_back({Place::functions, function, functions});
    written_->statements.push_back(
        {Place::file, in_point,
         c_array(text(known, "[", points.size(), "]"),
                 std::span(points.data(), static_cast<std::size_t>(points.size())))});
    written_->statements.push_back(
        {Place::row, in_row, text("    double ", row, "[", points.cols(), "];\n    ", call), {function}});
    return std::make_unique<CWriter>(points, written_, in_row, in_point);
}

}  // namespace dk
