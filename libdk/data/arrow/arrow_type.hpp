// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/types.hpp"
#include "data/arrow/arrow_interface.hpp"

namespace dk {

/// What a column of Arrow has that libdk reads.
enum class ArrowKind {
    nothing,  // Each value is missing.
    boolean,
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    float16,
    float32,
    float64,
    text,        // with offsets of 32 bits
    large_text,  // with offsets of 64 bits
    text_view,
    list,        // with offsets of 32 bits
    large_list,  // with offsets of 64 bits
    fixed_list,
    dictionary,  // The values are positions in an array of others.
};

/// The type of a column, with that of its elements where it has some.
struct ArrowType {
    ArrowKind kind = ArrowKind::nothing;
    Index list_size = 0;                              // of a fixed_list
    std::shared_ptr<const ArrowType> positions = {};  // of a dictionary
    std::shared_ptr<const ArrowType> elements = {};   // of a list, or the values of a dictionary

    bool is_integer() const { return kind >= ArrowKind::int8 && kind <= ArrowKind::uint64; }
    bool is_number() const { return kind >= ArrowKind::boolean && kind <= ArrowKind::float64; }
    bool is_text() const { return kind >= ArrowKind::text && kind <= ArrowKind::text_view; }
    /// Tells whether it is a list of which each row has its own length.
    bool is_series() const { return kind == ArrowKind::list || kind == ArrowKind::large_list; }
};

/// Reads the type of a column; throws Error(unsupported) that names a column whose type libdk does not read,
/// and Error(invalid_data) where the schema is wrong.
ArrowType arrow_type(const ArrowSchema& schema, std::string_view column);

}  // namespace dk
