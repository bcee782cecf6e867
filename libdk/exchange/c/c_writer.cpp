// SPDX-License-Identifier: Apache-2.0
#include "exchange/c/c_writer.hpp"

#include <set>

#include "base/text.hpp"
#include "exchange/c/c_words.hpp"

namespace dk {

std::string CWriter::fresh_name(char kind) {
    return text(std::string(1, kind), names_++);
}

std::string CWriter::list_of(const std::vector<Index>& columns) {
    if (std::ssize(columns) == points().cols()) return "";
    std::string& list = column_lists_[columns];
    if (!list.empty()) return list;
    list = fresh_name('c');
    std::vector<std::string> numbers;
    numbers.reserve(columns.size());
    for (const Index j : columns) numbers.push_back(text(j));
    statements_.push_back(
        {Place::file, list,
         text("static const int ", list, "[", columns.size(), "] = {", join(numbers, ", "), "};\n")});
    return list;
}

std::string CWriter::loop_over(const std::string& list, std::size_t count) {
    if (list.empty()) return "for (c = 0; c < FEATURES; ++c) {\n";
    return text("for (j = 0; j < ", count, "; ++j) {\n            c = ", list, "[j];\n");
}

CWriter::Code CWriter::code_for(std::vector<std::string> results) const {
    std::set<std::string> needed(results.begin(), results.end());
    for (auto statement = statements_.rbegin(); statement != statements_.rend(); ++statement) {
        if (needed.contains(statement->name)) needed.insert(statement->needs.begin(), statement->needs.end());
    }
    Code code;
    for (const Statement& statement : statements_) {
        if (!needed.contains(statement.name)) continue;
        std::string& place = statement.place == Place::file  ? code.constants
                             : statement.place == Place::row ? code.of_row
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
    statements_.push_back({Place::file, name + "[p]", c_array(name + "[POINTS]", values)});
    return name + "[p]";
}

std::string CWriter::write_row_sum(RowSum sum, const std::vector<Index>& columns) {
    std::string name = fresh_name('r');
    const std::string list = list_of(columns);
    statements_.push_back(
        {Place::row,
         name,
         text("    double ", name, " = 0;\n    ", loop_over(list, columns.size()), "        ", name,
              sum == RowSum::squares ? " += x[c] * x[c];\n    }\n" : " += x[c];\n    }\n"),
         {list}});
    return name;
}

std::string CWriter::write_pair_sum(ColumnSum sum, const std::vector<Index>& columns,
                                    const std::vector<Quantity>& factors) {
    std::vector<std::string> names;
    names.reserve(factors.size() + 1);
    for (const Quantity& factor : factors) names.push_back(name_of(factor, true));
    const auto term = [&]() -> std::string {
        switch (sum) {
            case ColumnSum::inner:
                return "x[c] * z[c]";
            case ColumnSum::squares:
            case ColumnSum::exact_squares:
                return "(x[c] - z[c]) * (x[c] - z[c])";
            case ColumnSum::absolute:
                return "fabs(x[c] - z[c])";
            case ColumnSum::chi_square:
                return "x[c] + z[c] > 0 ? (x[c] - z[c]) * (x[c] - z[c]) / (x[c] + z[c]) : 0";
            case ColumnSum::harmonic:
                return "x[c] + z[c] > 0 ? 2 * x[c] * z[c] / (x[c] + z[c]) : 0";
            case ColumnSum::minimum:
                return "x[c] < z[c] ? x[c] : z[c]";
            case ColumnSum::unlikeness:
                return text("1 - exp(-", names[0], " * ((x[c] - z[c]) * (x[c] - z[c])))");
            case ColumnSum::scaled_differences:
                return text("pow(", names[0], " * x[c] - ", names[1], " * z[c], 2)");
            case ColumnSum::scaled_sums:
                return text("pow(", names[0], " * x[c] + ", names[1], " * z[c], 2)");
        }
        return "";
    };
    std::string name = fresh_name('s');
    const std::string list = list_of(columns);
    names.push_back(list);
    statements_.push_back({Place::pairs, name,
                           text("        double ", name, " = 0;\n        ", loop_over(list, columns.size()),
                                "            ", name, " += ", term(), ";\n        }\n"),
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
            case Operation::tanh:
                return called("tanh");
            case Operation::positive:
                return text(values[0], " > 0 ? 1.0 : 0.0");
        }
        return "";
    };
    std::string name = fresh_name(of_pairs ? 'v' : 'r');
    statements_.push_back(
        {of_pairs ? Place::pairs : Place::row, name,
         text(of_pairs ? "        const double " : "    const double ", name, " = ", expression(), ";\n"),
         values});
    return name;
}

}  // namespace dk
