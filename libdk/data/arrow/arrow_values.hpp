// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/types.hpp"
#include "data/arrow/arrow_interface.hpp"
#include "data/arrow/arrow_type.hpp"

namespace dk {

/// Checks that an array, and those below it, can have values of this type for its rows and those below: the
/// buffers are there and lengths and offsets are no less than they must be. What a buffer holds is its
/// producer's word, because the interface does not tell how long it is. Throws Error(invalid_data) that names
/// the column.
void require_arrow_array(const ArrowArray& array, const ArrowType& type, std::string_view column);

/// Checks that a position of a dictionary that is not missing is one of its values; throws
/// Error(invalid_data) that names the column.
void require_position(const ArrowArray& array, const ArrowType& type, Index at, std::string_view column);

/// The functions below take positions in the buffers, which count from the array's beginning without its
/// offset.

/// Tells whether there is no value at a position.
bool is_missing(const ArrowArray& array, const ArrowType& type, Index at);

/// Gives a number, or a NaN where it is missing.
double arrow_number(const ArrowArray& array, const ArrowType& type, Index at);

/// Writes numbers from a position on, one every `stride` values, with a NaN for each that is missing.
void write_arrow_numbers(const ArrowArray& array, const ArrowType& type, Index at, Index count, double* out,
                         Index stride);

/// Gives a text, which is part of the array and empty where it is missing.
std::string_view arrow_text(const ArrowArray& array, const ArrowType& type, Index at,
                            std::string_view column);

/// Gives the digits of a number that is not missing, all of them where it is an integer.
std::string digits_of(const ArrowArray& array, const ArrowType& type, Index at);

/// A part of the elements of a list.
struct ArrowRange {
    Index begin = 0;  // in the buffers of the elements
    Index count = 0;
};

/// Gives the elements of a list that is not missing; throws Error(invalid_data) where its offsets fall or
/// leave the elements.
ArrowRange arrow_elements(const ArrowArray& array, const ArrowType& type, Index at, std::string_view column);

}  // namespace dk
