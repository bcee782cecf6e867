// SPDX-License-Identifier: Apache-2.0
#include "model/file/archive.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/resize.hpp"
#include "model/file/byte_order.hpp"
#include "model/file/definite_lengths.hpp"

namespace dk {

namespace {

using nlohmann::json;

constexpr std::size_t length_size = 8;  // the bytes of the length that stands before the description

[[noreturn]] void refuse(const std::string& key, const std::string& why) {
    fail(Status::model_format, "damaged model: field ", in_quotes(key), " ", why);
}

/// Builds a JSON value and gives up at a depth that no model has, because reading and writing JSON recurse.
class ShallowBuilder : public nlohmann::detail::json_sax_dom_parser<json> {
  public:
    using Base = nlohmann::detail::json_sax_dom_parser<json>;
    ShallowBuilder(json& result, Control& control) : Base(result, false), polls_(control) {}

    bool start_object(std::size_t elements) {
        polls_.step();
        return ++depth_ <= deepest && Base::start_object(elements);
    }
    bool end_object() { return --depth_, Base::end_object(); }
    bool start_array(std::size_t elements) {
        polls_.step();
        return ++depth_ <= deepest && Base::start_array(elements);
    }
    bool string(string_t& value) {
        polls_.step();
        return Base::string(value);
    }
    bool end_array() { return --depth_, Base::end_array(); }

  private:
    static constexpr int deepest = 16;
    int depth_ = 0;
    Polls polls_;
};

template <typename Value>
json block_of(std::span<const Value> values, const char* type) {
    static_assert(sizeof(Value) == 8);
    std::vector<std::uint8_t> bytes;
    if constexpr (std::endian::native == std::endian::little) {
        bytes.resize(values.size_bytes());
        if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    } else {
        for (const Value value : values) put_little_endian(bytes, std::bit_cast<std::uint64_t>(value), 8);
    }
    return {{"type", type}, {"data", json::binary(std::move(bytes))}};
}

const json& field(const json& object, const std::string& key) {
    if (!object.is_object()) refuse(key, "has no enclosing object");
    const auto found = object.find(key);
    if (found == object.end()) refuse(key, "is missing");
    return *found;
}

const std::string& text_field(const json& object, const std::string& key) {
    const json& value = field(object, key);
    if (!value.is_string()) refuse(key, "is no text");
    return value.get_ref<const std::string&>();
}

/// Finds the bytes of the array `key`, whose place among the blocks place_blocks() noted.
std::span<const std::uint8_t> block_bytes(const json& object, const std::string& key,
                                          std::span<const std::uint8_t> blocks) {
    const json& stored = field(object, key);
    if (!stored.is_object() || !field(stored, "data").is_array()) refuse(key, "is no block");
    const json& place = stored["data"];
    if (place.size() != 2 || !place[0].is_number_unsigned() || !place[1].is_number_unsigned())
        refuse(key, "is no block");
    const auto begin = place[0].get<std::uint64_t>();
    const auto size = place[1].get<std::uint64_t>();
    if (begin > blocks.size() || size > blocks.size() - begin) refuse(key, "is no block");
    return blocks.subspan(begin, size);
}

template <typename Value>
std::vector<Value> block_values(const json& object, const std::string& key, const char* type, Index expected,
                                const ArchiveSource& source) {
    const auto bytes = block_bytes(object, key, source.blocks);
    if (text_field(object[key], "type") != type) refuse(key, std::string("is no block of ") + type);
    if (bytes.size() % 8 != 0 || std::ssize(bytes) / 8 != expected)
        refuse(key, text("has ", bytes.size(), " bytes, expected ", expected, " values of 8"));
    std::vector<Value> values;
    resize_in_steps(values, expected, *source.control);
    constexpr Index piece = Index{1} << 20U;
    for (Index first = 0; first < expected; first += piece) {
        source.control->check();
        const Index last = std::min(expected, first + piece);
        if constexpr (std::endian::native == std::endian::little) {
            std::memcpy(values.data() + first, bytes.data() + 8 * first, 8 * (last - first));
        } else {
            for (Index i = first; i < last; ++i)
                values[i] = std::bit_cast<Value>(little_endian_at(bytes, 8 * i, 8));
        }
    }
    return values;
}

/// Moves the bytes of all blocks out of a description, in its order, and leaves their numbers. A model is
/// hardly anything but blocks, and CBOR is read byte by byte.
void detach_blocks(json& node, std::vector<std::uint8_t>& blocks) {
    if (node.is_binary()) {
        const auto& bytes = node.get_binary();
        blocks.insert(blocks.end(), bytes.begin(), bytes.end());
        node = bytes.size();
    } else if (node.is_structured()) {
        for (json& child : node) detach_blocks(child, blocks);
    }
}

bool is_detached_block(const json& node) {
    return node.is_object() && node.size() == 2 && node.contains("type") && node.contains("data") &&
           node["data"].is_number_unsigned();
}

/// Notes for each block where it lies among the bytes behind the description. Every byte belongs to one
/// block, so that a small file cannot ask for much memory. Gives the number of bytes that have a block.
std::uint64_t place_blocks(json& node, std::uint64_t begin, std::uint64_t size) {
    if (is_detached_block(node)) {
        json& data = node["data"];
        const auto own = data.get<std::uint64_t>();
        if (own > size - begin)
            fail(Status::model_format, "damaged model: a block of ", own, " bytes where ", size - begin,
                 " are left");
        data = json::array({begin, own});
        return begin + own;
    }
    if (node.is_structured()) {
        for (json& child : node) begin = place_blocks(child, begin, size);
    }
    return begin;
}

/// The parts of a payload.
struct Payload {
    std::span<const std::uint8_t> description;
    std::span<const std::uint8_t> blocks;
};

Payload parts_of(std::span<const std::uint8_t> payload) {
    const auto length = payload.size() < length_size ? 0 : little_endian_at(payload, 0, length_size);
    if (length == 0 || length > payload.size() - length_size)
        fail(Status::model_format, "damaged model: a description of ", length, " bytes");
    return {payload.subspan(length_size, length), payload.subspan(length_size + length)};
}

json parsed_description(const Payload& payload, Control& control) {
    const auto items = count_definite_items(payload.description, control);
    if (!items) fail(Status::model_format, "damaged model: the description has lengths that do not fit");
    constexpr double bytes_an_item = 128;  // An empty map takes most beyond its own text.
    control.memory().require(bytes_an_item * *items + payload.description.size(),
                             text("a model whose description has ", *items, " items"));
    json root;
    ShallowBuilder builder(root, control);
    const bool read = json::sax_parse(payload.description.begin(), payload.description.end(), &builder,
                                      json::input_format_t::cbor);
    if (!read || !root.is_object())
        fail(Status::model_format, "damaged model: the description is no CBOR object");
    const auto used = place_blocks(root, 0, payload.blocks.size());
    if (used != payload.blocks.size())
        fail(Status::model_format, "damaged model: ", payload.blocks.size() - used, " bytes of no block");
    return root;
}

}  // namespace

Archive::Archive() : root_(std::make_unique<json>(json::object())) {}

Archive::Archive(std::span<const std::uint8_t> payload, Control& control) {
    const Payload parts = parts_of(payload);
    source_ = {parts.blocks, &control};
    try {
        root_ = std::make_unique<json>(parsed_description(parts, control));
    } catch (const json::exception& error) {
        fail(Status::model_format, "damaged model: ", error.what());
    }
}

Archive::~Archive() = default;

std::vector<std::uint8_t> Archive::take_payload() {
    std::vector<std::uint8_t> blocks;
    detach_blocks(*root_, blocks);
    const auto description = json::to_cbor(*root_);
    *root_ = json::object();
    std::vector<std::uint8_t> payload;
    payload.reserve(length_size + description.size() + blocks.size());
    put_little_endian(payload, description.size(), length_size);
    payload.insert(payload.end(), description.begin(), description.end());
    payload.insert(payload.end(), blocks.begin(), blocks.end());
    return payload;
}

void ArchiveWriter::text(const std::string& key, std::string_view value) {
    (*object_)[key] = value;
}

void ArchiveWriter::texts(const std::string& key, const std::vector<std::string>& values) {
    (*object_)[key] = values;
}

void ArchiveWriter::pairs(const std::string& key,
                          const std::vector<std::pair<std::string, std::string>>& values) {
    json& list = (*object_)[key] = json::array();
    for (const auto& [first, second] : values) list.push_back(json::array({first, second}));
}

void ArchiveWriter::count(const std::string& key, Index value) {
    (*object_)[key] = value;
}

void ArchiveWriter::doubles(const std::string& key, std::span<const double> values) {
    (*object_)[key] = block_of(values, "f64");
}

void ArchiveWriter::indices(const std::string& key, std::span<const Index> values) {
    (*object_)[key] = block_of(values, "i64");
}

ArchiveWriter ArchiveWriter::object(const std::string& key) {
    return ArchiveWriter((*object_)[key] = json::object());
}

std::vector<ArchiveWriter> ArchiveWriter::list(const std::string& key, std::size_t length) {
    json& list = (*object_)[key] = json::array();
    list.get_ref<json::array_t&>().resize(length, json::object());
    std::vector<ArchiveWriter> elements;
    for (json& element : list) elements.emplace_back(element);
    return elements;
}

bool ArchiveReader::has(const std::string& key) const {
    return object_->contains(key);
}

std::string ArchiveReader::text(const std::string& key) const {
    return text_field(*object_, key);
}

std::string ArchiveReader::json_text(const std::string& key) const {
    std::string value = text(key);
    json parsed;
    ShallowBuilder builder(parsed, *source_->control);
    const bool read = json::sax_parse(value, &builder, json::input_format_t::json);
    if (!read || !parsed.is_object()) refuse(key, "is no JSON object");
    return value;
}

std::vector<std::string> ArchiveReader::texts(const std::string& key) const {
    const json& list = field(*object_, key);
    if (!list.is_array()) refuse(key, "is no list");
    std::vector<std::string> texts;
    for (const json& element : list) {
        if (!element.is_string()) refuse(key, "has an element that is no text");
        texts.push_back(element.get<std::string>());
    }
    return texts;
}

std::vector<std::pair<std::string, std::string>> ArchiveReader::pairs(const std::string& key) const {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const json& pair : field(*object_, key)) {
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string())
            refuse(key, "has an element that is no pair of texts");
        pairs.emplace_back(pair[0].get<std::string>(), pair[1].get<std::string>());
    }
    return pairs;
}

Index ArchiveReader::count(const std::string& key, Index lowest, Index highest) const {
    const json& value = field(*object_, key);
    if (!value.is_number_integer()) refuse(key, "is no integer");
    const auto count = value.get<std::int64_t>();
    if (count < lowest || count > highest) refuse(key, dk::text("is ", count, ", out of range"));
    return count;
}

std::vector<double> ArchiveReader::doubles(const std::string& key, Index expected) const {
    auto values = block_values<double>(*object_, key, "f64", expected, *source_);
    for (const double value : values) {
        if (!std::isfinite(value)) refuse(key, "has a value that is not finite");
    }
    return values;
}

std::vector<Index> ArchiveReader::indices(const std::string& key, Index expected, Index lowest,
                                          Index highest) const {
    auto values = block_values<Index>(*object_, key, "i64", expected, *source_);
    for (const Index value : values) {
        if (value < lowest || value > highest)
            refuse(key, dk::text("has the value ", value, ", out of range"));
    }
    return values;
}

Index ArchiveReader::length(const std::string& key) const {
    return std::ssize(block_bytes(*object_, key, source_->blocks)) / 8;
}

ArchiveReader ArchiveReader::object(const std::string& key) const {
    return {field(*object_, key), *source_};
}

std::vector<ArchiveReader> ArchiveReader::list(const std::string& key) const {
    const json& list = field(*object_, key);
    if (!list.is_array()) refuse(key, "is no list");
    std::vector<ArchiveReader> elements;
    for (const json& element : list) elements.emplace_back(element, *source_);
    return elements;
}

}  // namespace dk
