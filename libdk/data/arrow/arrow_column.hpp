// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "data/arrow/arrow_input.hpp"
#include "data/arrow/arrow_values.hpp"

namespace dk {

/// Where a row of a column stands: in which array, and at which place of its buffers.
struct ArrowCell {
    const ArrowArray* array;
    Index at;
};

/// A column of a table that comes in pieces of some rows. It reads from the arrays, which live longer.
class ArrowColumn {
  public:
    ArrowColumn(std::string name, ArrowType type) : name_(std::move(name)), type_(std::move(type)) {}
    /// Makes a column whose type libdk does not read, which is refused, for this reason, where it is needed.
    static ArrowColumn unreadable(std::string name, std::string why);

    /// Adds so many further rows, which begin in the array at this place.
    void add(const ArrowArray& array, Index at, Index rows, Polls& polls);
    /// Throws Error(unsupported) where the type is one that libdk does not read.
    void require_readable() const;

    const std::string& name() const { return name_; }
    const ArrowType& type() const { return type_; }
    /// Tells whether the values are numbers: those of a dictionary count, those of lists do not.
    bool has_numbers() const;
    bool has_texts() const;

    ArrowCell cell(Index row) const;
    /// Gives what a row has as text; the digits of numbers are kept in `made`. It is empty where it is
    /// missing, as NaN is.
    std::string_view text(Index row, std::deque<std::string>& made) const;
    /// Writes the numbers of rows, which ascend, one every `stride` values.
    void write(std::span<const Index> rows, double* out, Index stride) const;
    /// Writes element k of the lists of rows, which all have as many.
    void write_element(Index k, std::span<const Index> rows, double* out, Index stride) const;

  private:
    struct Piece {
        const ArrowArray* array;
        Index at;
        Index first_row;
    };

    std::string name_;
    ArrowType type_;
    std::vector<Piece> pieces_ = {};
    Index rows_ = 0;
    std::string refusal_ = {};  // why the type is not read
};

/// Gives the columns of a table; throws Error(invalid_data) where its structs are wrong.
std::vector<ArrowColumn> arrow_columns(const ArrowBatches& batches, Control& control);

}  // namespace dk
