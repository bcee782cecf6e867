// SPDX-License-Identifier: Apache-2.0
#include "data/arrow/arrow_type.hpp"

#include <array>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

constexpr std::array<std::pair<std::string_view, ArrowKind>, 18> plain_formats{{
    {"n", ArrowKind::nothing},
    {"b", ArrowKind::boolean},
    {"c", ArrowKind::int8},
    {"C", ArrowKind::uint8},
    {"s", ArrowKind::int16},
    {"S", ArrowKind::uint16},
    {"i", ArrowKind::int32},
    {"I", ArrowKind::uint32},
    {"l", ArrowKind::int64},
    {"L", ArrowKind::uint64},
    {"e", ArrowKind::float16},
    {"f", ArrowKind::float32},
    {"g", ArrowKind::float64},
    {"u", ArrowKind::text},
    {"U", ArrowKind::large_text},
    {"vu", ArrowKind::text_view},
    {"+l", ArrowKind::list},
    {"+L", ArrowKind::large_list},
}};

/// Says what else a format may be, for a message, and what to do about it.
std::string other_type(std::string_view format) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 13> known{{
        {"td", "dates; cast them to numbers, such as days, or leave the column out by ignore="},
        {"ts", "times; cast them to numbers, such as seconds, or leave the column out by ignore="},
        {"tt", "times of a day; cast them to numbers, such as seconds"},
        {"tD", "durations; cast them to numbers, such as seconds"},
        {"ti", "intervals; cast them to numbers"},
        {"d:", "decimals; cast them to double"},
        {"w:", "bytes"},
        {"z", "bytes"},
        {"Z", "bytes"},
        {"vz", "bytes"},
        {"+s", "structs; give their fields as columns"},
        {"+m", "maps"},
        {"+r", "runs; give their values one by one"},
    }};
    for (const auto& [start, what] : known) {
        if (format.starts_with(start)) return text("has ", what);
    }
    return text("has the Arrow format ", in_quotes(format.substr(0, 60)));
}

[[noreturn]] void refuse_type(std::string_view column, std::string_view format) {
    fail(Status::unsupported, "the column ", in_quotes(column), " ", other_type(format),
         "; libdk reads numbers, bool, text, dictionaries of these, and lists of numbers");
}

const ArrowSchema& only_child(const ArrowSchema& schema, std::string_view column) {
    if (schema.n_children != 1 || schema.children == nullptr || schema.children[0] == nullptr)
        fail(Status::invalid_data, "the list ", in_quotes(column), " has ", schema.n_children,
             " types of elements; it must have 1");
    return *schema.children[0];
}

/// Gives the type of the elements of a list, which are numbers or, one level deep, lists of a fixed size.
ArrowType type_of_elements(const ArrowSchema& schema, std::string_view column, bool may_be_list) {
    const ArrowSchema& child = only_child(schema, column);
    const std::string_view format(child.format == nullptr ? "" : child.format);
    // Looked at before its type, so that no schema leads deeper than it may.
    const bool is_list = format.starts_with('+') && !(may_be_list && format.starts_with("+w:"));
    ArrowType elements = is_list || child.dictionary != nullptr ? ArrowType() : arrow_type(child, column);
    if (!elements.is_number() && elements.kind != ArrowKind::fixed_list)
        fail(Status::unsupported, "the column ", in_quotes(column),
             " has lists of what is no number; libdk reads lists of numbers");
    return elements;
}

ArrowType dictionary_type(ArrowType positions, const ArrowSchema& values, std::string_view column) {
    const bool integers = positions.is_integer();
    if (!integers || values.dictionary != nullptr)
        fail(Status::invalid_data, "the dictionary ", in_quotes(column),
             integers ? " has a dictionary for its values" : " has positions that are no integers");
    const std::string_view format(values.format == nullptr ? "" : values.format);
    const ArrowType of_values = format.starts_with('+') ? ArrowType() : arrow_type(values, column);
    if (!of_values.is_number() && !of_values.is_text())
        fail(Status::unsupported, "the column ", in_quotes(column),
             " has a dictionary of what is neither text nor numbers");
    return {.kind = ArrowKind::dictionary,
            .positions = std::make_shared<const ArrowType>(std::move(positions)),
            .elements = std::make_shared<const ArrowType>(of_values)};
}

ArrowType fixed_list_type(const ArrowSchema& schema, std::string_view size, std::string_view column) {
    constexpr Index most = 1 << 20;
    const auto count = parse_integer(size);
    if (!count || *count < 1 || *count > most)
        fail(Status::invalid_data, "the column ", in_quotes(column), " has lists of ", in_quotes(size),
             " elements; they must have 1 to 2^20");
    return {.kind = ArrowKind::fixed_list,
            .list_size = *count,
            .elements = std::make_shared<const ArrowType>(type_of_elements(schema, column, false))};
}

}  // namespace

ArrowType arrow_type(const ArrowSchema& schema, std::string_view column) {
    if (schema.format == nullptr)
        fail(Status::invalid_data, "the column ", in_quotes(column), " has no Arrow format");
    const std::string_view format(schema.format);
    constexpr std::string_view fixed = "+w:";
    if (format.starts_with(fixed)) return fixed_list_type(schema, format.substr(fixed.size()), column);
    for (const auto& [name, kind] : plain_formats) {
        if (format != name) continue;
        ArrowType type{.kind = kind};
        if (type.is_series())
            type.elements = std::make_shared<const ArrowType>(type_of_elements(schema, column, true));
        return schema.dictionary == nullptr ? type : dictionary_type(type, *schema.dictionary, column);
    }
    refuse_type(column, format);
}

}  // namespace dk
