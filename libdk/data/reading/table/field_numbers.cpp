// SPDX-License-Identifier: Apache-2.0
#include "data/reading/table/field_numbers.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"

namespace dk {

namespace {

/// The notations that columns can agree on, by their places in Agreement::possible.
enum Candidate : std::size_t { decimal_point, decimal_comma, apostrophes };
constexpr std::array<NumberNotation, 3> usual_notations{{{'.', ','}, {',', '.'}, {'.', '\''}}};

/// What fields that are no plain numbers agree on.
struct Agreement {
    std::array<bool, usual_notations.size()> possible{true, true, true};
    bool any = false;
    bool proves_comma = false;
    bool has_comma = false;
    bool has_point = false;

    bool holds() const { return std::ranges::find(possible, true) != possible.end(); }

    void see(std::string_view field) {
        any = true;
        for (std::size_t k = 0; k < usual_notations.size(); ++k)
            possible[k] = possible[k] && usual_notations[k].value_of(field);
        proves_comma = proves_comma || proves_decimal_comma(field);
        has_comma = has_comma || field.find(',') != std::string_view::npos;
        has_point = has_point || field.find('.') != std::string_view::npos;
    }

    /// Adds what another column agrees on, unless the two have nothing in common.
    void join(const Agreement& column) {
        Agreement both = column;
        for (std::size_t k = 0; k < usual_notations.size(); ++k)
            both.possible[k] = possible[k] && column.possible[k];
        if (!both.holds()) return;
        both.proves_comma |= proves_comma;
        both.has_comma |= has_comma;
        both.has_point |= has_point;
        *this = both;
    }

    /// Chooses among what is possible. 1,500 alone is one and a half where semicolons separate the fields,
    /// because the comma is the decimal mark of those who write so, and 1500 elsewhere.
    NumberNotation chosen(char delimiter) const {
        const bool comma_is_decimal = has_comma && (proves_comma || delimiter != ',');
        if (possible[decimal_comma] && comma_is_decimal) return {',', has_point ? '.' : '\0'};
        if (possible[decimal_point]) return {'.', has_comma ? ',' : '\0'};
        return possible[decimal_comma] ? usual_notations[decimal_comma] : usual_notations[apostrophes];
    }
};

Agreement agreement_in(const CsvTable& table, Index column, const MissingMarkers& missing, Polls& polls) {
    Agreement agreement;
    for (Index i = 0; i < table.rows() && agreement.holds(); ++i) {
        polls.step();
        const std::string_view field = table.field(i, column);
        if (!parse_number(field) && !missing.marks_number(field)) agreement.see(field);
    }
    return agreement;
}

std::optional<NumberNotation> recognised(const CsvTable& table, std::span<const Index> columns,
                                         const MissingMarkers& missing, Control& control) {
    Polls polls(control);
    Agreement all;
    for (const Index j : columns) {
        const Agreement column = agreement_in(table, j, missing, polls);
        if (column.any && column.holds()) all.join(column);
    }
    if (!all.any) return {};
    return all.chosen(table.delimiter);
}

std::optional<DateNumber> date_number(const std::string& option) {
    if (option == "days") return DateNumber::days;
    if (option == "yearday") return DateNumber::day_of_year;
    if (option == "weekday") return DateNumber::weekday;
    return {};
}

}  // namespace

FieldNumbers::FieldNumbers(const CsvTable& table, std::span<const Index> columns,
                           const ReadingOptions& options, bool may_have_notation, Control& control)
    : dates_(date_number(options.dates)) {
    const bool is_open = options.decimal == "auto" && options.thousands == "auto";
    if (is_open) {
        if (may_have_notation && options.earlier_columns == 0)
            notation_ = recognised(table, columns, options.missing, control);
        return;
    }
    NumberNotation given;
    if (options.decimal != "auto") given.decimal = options.decimal.front();
    if (options.thousands != "auto" && options.thousands != "none")
        given.thousands = options.thousands.front();
    if (given.decimal == given.thousands)
        fail(Status::invalid_parameter, "decimal=", given.decimal, " and thousands=", given.thousands,
             " are the same mark");
    notation_ = given;
}

std::optional<double> FieldNumbers::other_value_of(std::string_view field) const {
    std::optional<double> value;
    if (notation_) value = notation_->value_of(field);
    if (!value) value = parse_number(field);
    if (!value && dates_) value = number_of_date(field, *dates_);
    return value;
}

Assignments FieldNumbers::understood() const {
    if (!notation_) return {};
    Assignments options{{"decimal", std::string(1, notation_->decimal)}};
    if (notation_->thousands != '\0') options.emplace_back("thousands", std::string(1, notation_->thousands));
    return options;
}

}  // namespace dk
