// SPDX-License-Identifier: Apache-2.0
#include "data/arrow/arrow_values.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr Index largest_count = Index{1} << 40U;

/// Reads an element of a buffer, which need not be aligned.
template <typename T>
T element(const void* buffer, Index at) {
    T value;
    std::memcpy(&value, static_cast<const char*>(buffer) + at * static_cast<Index>(sizeof(T)), sizeof(T));
    return value;
}

bool bit(const void* buffer, Index at) {
    return (static_cast<const std::uint8_t*>(buffer)[at / 8] >> (at % 8) & 1U) != 0;
}

/// Gives the value of a number of 16 bits: a sign, five bits of exponent, ten of the fraction.
double value_of_half(std::uint16_t bits) {
    const unsigned exponent = bits >> 10U & 0x1FU;
    const double fraction = bits & 0x3FFU;
    double value = 0;
    if (exponent == 0) {
        value = std::ldexp(fraction, -24);
    } else if (exponent == 0x1F) {
        value = fraction == 0 ? std::numeric_limits<double>::infinity() : no_value;
    } else {
        value = std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
    }
    return bits >> 15U != 0 ? -value : value;
}

/// Calls with a function that reads a number of this type from a buffer.
template <typename Use>
void with_reader(ArrowKind kind, Use use) {
    const auto plain = [&]<typename T>(T) {
        use([](const void* buffer, Index at) { return static_cast<double>(element<T>(buffer, at)); });
    };
    switch (kind) {
        case ArrowKind::boolean:
            return use([](const void* buffer, Index at) { return bit(buffer, at) ? 1.0 : 0.0; });
        case ArrowKind::int8:
            return plain(std::int8_t{});
        case ArrowKind::uint8:
            return plain(std::uint8_t{});
        case ArrowKind::int16:
            return plain(std::int16_t{});
        case ArrowKind::uint16:
            return plain(std::uint16_t{});
        case ArrowKind::int32:
            return plain(std::int32_t{});
        case ArrowKind::uint32:
            return plain(std::uint32_t{});
        case ArrowKind::int64:
            return plain(std::int64_t{});
        case ArrowKind::uint64:
            return plain(std::uint64_t{});
        case ArrowKind::float16:
            return use([](const void* buffer, Index at) {
                return value_of_half(element<std::uint16_t>(buffer, at));
            });
        case ArrowKind::float32:
            return plain(float{});
        case ArrowKind::float64:
            return plain(double{});
        default:
            return use([](const void*, Index) { return no_value; });
    }
}

/// Gives the position in the buffers of a dictionary's values.
Index position(const ArrowArray& array, const ArrowType& type, Index at) {
    return array.dictionary->offset + static_cast<Index>(arrow_number(array, *type.positions, at));
}

std::pair<Index, Index> offsets(const ArrowArray& array, bool large, Index at) {
    const void* buffer = array.buffers[1];
    if (large) return {element<std::int64_t>(buffer, at), element<std::int64_t>(buffer, at + 1)};
    return {element<std::int32_t>(buffer, at), element<std::int32_t>(buffer, at + 1)};
}

[[noreturn]] void refuse_offsets(std::string_view column, Index begin, Index end) {
    fail(Status::invalid_data, "the column ", in_quotes(column), " has offsets ", begin, " and ", end,
         ", which leave its values");
}

/// Gives a text of the form in which 16 bytes have it whole, or its length and where it stands.
std::string_view viewed_text(const ArrowArray& array, Index at, std::string_view column) {
    constexpr Index bytes_a_view = 16;
    constexpr Index most_inside = 12;
    const char* view = static_cast<const char*>(array.buffers[1]) + at * bytes_a_view;
    const Index length = element<std::int32_t>(view, 0);
    if (length >= 0 && length <= most_inside) return {view + 4, static_cast<std::size_t>(length)};
    const Index buffer = element<std::int32_t>(view, 2);
    const Index begin = element<std::int32_t>(view, 3);
    const Index buffers = array.n_buffers - 3;  // beside validity, views and sizes
    if (length < 0 || begin < 0 || buffer < 0 || buffer >= buffers)
        refuse_offsets(column, begin, begin + length);
    const auto size = element<std::int64_t>(array.buffers[array.n_buffers - 1], buffer);
    const void* bytes = array.buffers[2 + buffer];
    if (bytes == nullptr || begin + length > size) refuse_offsets(column, begin, begin + length);
    return {static_cast<const char*>(bytes) + begin, static_cast<std::size_t>(length)};
}

/// Says how many buffers an array of this type has.
Index buffers_of(const ArrowType& type) {
    if (type.kind == ArrowKind::nothing) return 0;
    if (type.kind == ArrowKind::fixed_list) return 1;
    if (type.is_text()) return 3;
    return 2;
}

void require_buffers(const ArrowArray& array, const ArrowType& type, std::string_view column) {
    const Index needed = buffers_of(type);
    const bool fits =
        type.kind == ArrowKind::text_view ? array.n_buffers >= needed : array.n_buffers == needed;
    if (!fits || (needed > 0 && array.buffers == nullptr))
        fail(Status::invalid_data, "the column ", in_quotes(column), " has ", array.n_buffers,
             " buffers; it must have ", needed);
    const bool is_used = array.offset + array.length > 0;
    if (needed > 1 && is_used && array.buffers[1] == nullptr)
        fail(Status::invalid_data, "the column ", in_quotes(column), " has a buffer that is NULL");
    if (needed > 0 && array.null_count > 0 && array.buffers[0] == nullptr)
        fail(Status::invalid_data, "the column ", in_quotes(column), " has ", array.null_count,
             " missing values and no buffer that tells which");
    if (type.kind == ArrowKind::text_view && is_used && array.n_buffers > 3 &&
        array.buffers[array.n_buffers - 1] == nullptr)
        fail(Status::invalid_data, "the column ", in_quotes(column), " has no sizes of its buffers");
}

const ArrowArray& only_child(const ArrowArray& array, std::string_view column) {
    if (array.n_children != 1 || array.children == nullptr || array.children[0] == nullptr)
        fail(Status::invalid_data, "the list ", in_quotes(column), " has ", array.n_children,
             " arrays of elements; it must have 1");
    return *array.children[0];
}

}  // namespace

void require_arrow_array(const ArrowArray& array, const ArrowType& type, std::string_view column) {
    if (array.length < 0 || array.length > largest_count || array.offset < 0 || array.offset > largest_count)
        fail(Status::invalid_data, "the column ", in_quotes(column), " has length ", array.length,
             " and offset ", array.offset, "; both must be 0 to 2^40");
    if (type.kind == ArrowKind::dictionary) {
        if (array.dictionary == nullptr)
            fail(Status::invalid_data, "the column ", in_quotes(column), " has no dictionary");
        require_buffers(array, *type.positions, column);
        return require_arrow_array(*array.dictionary, *type.elements, column);
    }
    require_buffers(array, type, column);
    if (type.elements == nullptr) return;
    const ArrowArray& elements = only_child(array, column);
    require_arrow_array(elements, *type.elements, column);
    const Index needed = (array.offset + array.length) * type.list_size;
    if (type.kind == ArrowKind::fixed_list && elements.length < needed)
        fail(Status::invalid_data, "the column ", in_quotes(column), " has ", elements.length,
             " elements for lists that need ", needed);
}

void require_position(const ArrowArray& array, const ArrowType& type, Index at, std::string_view column) {
    const double value = arrow_number(array, *type.positions, at);
    if (value < 0 || value >= static_cast<double>(array.dictionary->length))
        fail(Status::invalid_data, "the column ", in_quotes(column), " has the position ", value,
             " in a dictionary of ", array.dictionary->length, " values");
}

bool is_missing(const ArrowArray& array, const ArrowType& type, Index at) {
    if (type.kind == ArrowKind::nothing) return true;
    if (array.null_count != 0 && array.buffers[0] != nullptr && !bit(array.buffers[0], at)) return true;
    if (type.kind != ArrowKind::dictionary) return false;
    return is_missing(*array.dictionary, *type.elements, position(array, type, at));
}

double arrow_number(const ArrowArray& array, const ArrowType& type, Index at) {
    double value = no_value;
    write_arrow_numbers(array, type, at, 1, &value, 1);
    return value;
}

void write_arrow_numbers(const ArrowArray& array, const ArrowType& type, Index at, Index count, double* out,
                         Index stride) {
    if (type.kind == ArrowKind::dictionary) {
        for (Index i = 0; i < count; ++i)
            out[i * stride] =
                is_missing(array, type, at + i)
                    ? no_value
                    : arrow_number(*array.dictionary, *type.elements, position(array, type, at + i));
        return;
    }
    const void* values = type.kind == ArrowKind::nothing ? nullptr : array.buffers[1];
    with_reader(type.kind, [&](auto read) {
        for (Index i = 0; i < count; ++i) out[i * stride] = read(values, at + i);
    });
    if (type.kind == ArrowKind::nothing || array.null_count == 0 || array.buffers[0] == nullptr) return;
    for (Index i = 0; i < count; ++i) {
        if (!bit(array.buffers[0], at + i)) out[i * stride] = no_value;
    }
}

std::string_view arrow_text(const ArrowArray& array, const ArrowType& type, Index at,
                            std::string_view column) {
    if (is_missing(array, type, at)) return {};
    if (type.kind == ArrowKind::dictionary)
        return arrow_text(*array.dictionary, *type.elements, position(array, type, at), column);
    if (type.kind == ArrowKind::text_view) return viewed_text(array, at, column);
    const auto [begin, end] = offsets(array, type.kind == ArrowKind::large_text, at);
    if (begin < 0 || end < begin || end > largest_count) refuse_offsets(column, begin, end);
    if (begin == end) return {};
    if (array.buffers[2] == nullptr) refuse_offsets(column, begin, end);
    return {static_cast<const char*>(array.buffers[2]) + begin, static_cast<std::size_t>(end - begin)};
}

std::string digits_of(const ArrowArray& array, const ArrowType& type, Index at) {
    if (type.kind == ArrowKind::dictionary)
        return digits_of(*array.dictionary, *type.elements, position(array, type, at));
    if (type.kind == ArrowKind::int64) return std::to_string(element<std::int64_t>(array.buffers[1], at));
    if (type.kind == ArrowKind::uint64) return std::to_string(element<std::uint64_t>(array.buffers[1], at));
    return format_number(arrow_number(array, type, at));
}

ArrowRange arrow_elements(const ArrowArray& array, const ArrowType& type, Index at, std::string_view column) {
    const ArrowArray& elements = *array.children[0];
    if (type.kind == ArrowKind::fixed_list) return {elements.offset + at * type.list_size, type.list_size};
    const auto [begin, end] = offsets(array, type.kind == ArrowKind::large_list, at);
    if (begin < 0 || end < begin || end > elements.length) refuse_offsets(column, begin, end);
    return {elements.offset + begin, end - begin};
}

}  // namespace dk
