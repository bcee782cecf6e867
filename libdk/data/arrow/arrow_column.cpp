// SPDX-License-Identifier: Apache-2.0
#include "data/arrow/arrow_column.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/usable_name.hpp"

namespace dk {

namespace {

constexpr Index most_table_columns = Index{1} << 24U;

std::string name_of_column(const ArrowSchema& schema, Index position) {
    const std::string_view name(schema.name == nullptr ? "" : schema.name);
    if (const std::string why = why_no_name(name); !why.empty() && !name.empty())
        fail(Status::invalid_data, "the name of column ", position, " ", why);
    return std::string(name);
}

/// Checks that an array is a table's, with as many columns as its schema.
void require_table(const ArrowArray& array, const ArrowSchema& schema, Polls& polls) {
    if (array.n_children != schema.n_children || (array.n_children > 0 && array.children == nullptr))
        fail(Status::invalid_data, "an Arrow array has ", array.n_children, " columns and its schema ",
             schema.n_children);
    constexpr Index most_rows = Index{1} << 40U;
    if (array.length < 0 || array.length > most_rows || array.offset < 0 || array.offset > most_rows)
        fail(Status::invalid_data, "an Arrow array has length ", array.length, " and offset ", array.offset,
             "; both must be 0 to 2^40");
    const bool may_miss = array.null_count != 0 && array.n_buffers > 0 && array.buffers != nullptr &&
                          array.buffers[0] != nullptr;
    const ArrowType rows_are{.kind = ArrowKind::fixed_list};
    for (Index i = 0; may_miss && i < array.length; ++i) {
        polls.step();
        if (is_missing(array, rows_are, array.offset + i))
            fail(Status::invalid_data, "row ", i, " of an Arrow array is missing as a whole");
    }
}

}  // namespace

ArrowColumn ArrowColumn::unreadable(std::string name, std::string why) {
    ArrowColumn column(std::move(name), ArrowType());
    column.refusal_ = std::move(why);
    return column;
}

void ArrowColumn::require_readable() const {
    if (!refusal_.empty()) fail(Status::unsupported, refusal_);
}

void ArrowColumn::add(const ArrowArray& array, Index at, Index rows, Polls& polls) {
    require_arrow_array(array, type_, name_);
    if (at + rows > array.length)
        fail(Status::invalid_data, "the column ", in_quotes(name_), " has ", array.length,
             " rows where the table has ", at + rows);
    if (rows == 0) return;
    pieces_.push_back({&array, array.offset + at, rows_});
    rows_ += rows;
    if (type_.kind != ArrowKind::dictionary) return;
    for (Index i = 0; i < rows; ++i) {
        polls.step();
        require_position(array, type_, array.offset + at + i, name_);
    }
}

bool ArrowColumn::has_numbers() const {
    if (type_.kind == ArrowKind::dictionary) return type_.elements->is_number();
    return type_.is_number() || type_.kind == ArrowKind::nothing;
}

bool ArrowColumn::has_texts() const {
    return type_.kind == ArrowKind::dictionary ? type_.elements->is_text() : type_.is_text();
}

ArrowCell ArrowColumn::cell(Index row) const {
    const auto after = std::ranges::upper_bound(pieces_, row, {}, &Piece::first_row);
    const Piece& piece = *std::prev(after);
    return {piece.array, piece.at + row - piece.first_row};
}

std::string_view ArrowColumn::text(Index row, std::deque<std::string>& made) const {
    require_readable();
    if (type_.kind == ArrowKind::nothing) return {};
    const ArrowCell found = cell(row);
    if (has_texts()) return arrow_text(*found.array, type_, found.at, name_);
    if (std::isnan(arrow_number(*found.array, type_, found.at))) return {};
    return made.emplace_back(digits_of(*found.array, type_, found.at));
}

void ArrowColumn::write(std::span<const Index> rows, double* out, Index stride) const {
    require_readable();
    for (Index i = 0; i < std::ssize(rows);) {
        const auto next = std::ranges::upper_bound(pieces_, rows[i], {}, &Piece::first_row);
        const Piece& piece = *std::prev(next);
        const Index end = next == pieces_.end() ? rows_ : next->first_row;
        Index count = 1;  // rows that follow one another in this piece
        while (i + count < std::ssize(rows) && rows[i + count] == rows[i] + count && rows[i + count] < end)
            ++count;
        write_arrow_numbers(*piece.array, type_, piece.at + rows[i] - piece.first_row, count,
                            out + i * stride, stride);
        i += count;
    }
}

void ArrowColumn::write_element(Index k, std::span<const Index> rows, double* out, Index stride) const {
    for (Index i = 0; i < std::ssize(rows); ++i) {
        const ArrowCell found = cell(rows[i]);
        double& value = out[i * stride];
        value = std::numeric_limits<double>::quiet_NaN();
        if (dk::is_missing(*found.array, type_, found.at)) continue;
        const ArrowRange elements = arrow_elements(*found.array, type_, found.at, name_);
        value = arrow_number(*found.array->children[0], *type_.elements, elements.begin + k);
    }
}

std::vector<ArrowColumn> arrow_columns(const ArrowBatches& batches, Control& control) {
    const ArrowSchema& schema = *batches.schema;
    if (schema.format == nullptr || std::strcmp(schema.format, "+s") != 0)
        fail(Status::invalid_data, "the Arrow data are no table, which is a struct of columns (+s), but ",
             schema.format == nullptr ? "NULL" : in_quotes(std::string_view(schema.format).substr(0, 60)));
    if (schema.n_children < 1 || schema.n_children > most_table_columns || schema.children == nullptr)
        fail(Status::invalid_data, "the Arrow table has ", schema.n_children,
             " columns; it must have 1 to 2^24");
    Polls polls(control);
    for (const auto& array : batches.arrays) require_table(*array, schema, polls);
    std::vector<ArrowColumn> columns;
    for (Index j = 0; j < schema.n_children; ++j) {
        if (schema.children[j] == nullptr) fail(Status::invalid_data, "the Arrow column ", j, " is NULL");
        std::string name = name_of_column(*schema.children[j], j);
        try {
            columns.emplace_back(name, arrow_type(*schema.children[j], name));
        } catch (const Error& error) {
            if (error.status() != Status::unsupported) throw;
            columns.push_back(ArrowColumn::unreadable(std::move(name), error.what()));
            continue;
        }
        for (const auto& array : batches.arrays) {
            if (array->children[j] == nullptr) fail(Status::invalid_data, "the Arrow column ", j, " is NULL");
            columns.back().add(*array->children[j], array->offset, array->length, polls);
        }
    }
    return columns;
}

}  // namespace dk
