// SPDX-License-Identifier: Apache-2.0
#include "model/file/archive.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
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
    explicit ShallowBuilder(json& result) : Base(result, false) {}

    bool start_object(std::size_t elements) { return ++depth_ <= deepest && Base::start_object(elements); }
    bool end_object() { return --depth_, Base::end_object(); }
    bool start_array(std::size_t elements) { return ++depth_ <= deepest && Base::start_array(elements); }
    bool end_array() { return --depth_, Base::end_array(); }

  private:
    static constexpr int deepest = 16;
    int depth_ = 0;
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

/// Finds the bytes of the array `key`.
const std::vector<std::uint8_t>& block_bytes(const json& object, const std::string& key) {
    const json& stored = field(object, key);
    if (!stored.is_object() || !field(stored, "data").is_binary()) refuse(key, "is no block");
    return stored["data"].get_binary();
}

template <typename Value>
std::vector<Value> block_values(const json& object, const std::string& key, const char* type,
                                Index expected) {
    const auto& bytes = block_bytes(object, key);
    if (text_field(object[key], "type") != type) refuse(key, std::string("is no block of ") + type);
    if (bytes.size() % 8 != 0 || std::ssize(bytes) / 8 != expected)
        refuse(key, text("has ", bytes.size(), " bytes, expected ", expected, " values of 8"));
    std::vector<Value> values(bytes.size() / 8);
    if constexpr (std::endian::native == std::endian::little) {
        if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    } else {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = std::bit_cast<Value>(little_endian_at(bytes, 8 * i, 8));
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

/// Undoes detach_blocks(). Every byte goes to one block, so that a small file cannot ask for much memory.
void attach_blocks(json& node, std::span<const std::uint8_t>& blocks) {
    if (is_detached_block(node)) {
        json& data = node["data"];
        const auto size = data.get<std::uint64_t>();
        if (size > blocks.size())
            fail(Status::model_format, "damaged model: a block of ", size, " bytes where ", blocks.size(),
                 " are left");
        const auto own = blocks.first(size);
        data = json::binary({own.begin(), own.end()});
        blocks = blocks.subspan(size);
    } else if (node.is_structured()) {
        for (json& child : node) attach_blocks(child, blocks);
    }
}

json parsed_payload(std::span<const std::uint8_t> payload) {
    const auto length = payload.size() < length_size ? 0 : little_endian_at(payload, 0, length_size);
    if (length == 0 || length > payload.size() - length_size)
        fail(Status::model_format, "damaged model: a description of ", length, " bytes");
    const auto description = payload.subspan(length_size, length);
    if (!has_definite_lengths(description))
        fail(Status::model_format, "damaged model: the description has lengths that do not fit");
    json root;
    ShallowBuilder builder(root);
    const bool read =
        json::sax_parse(description.begin(), description.end(), &builder, json::input_format_t::cbor);
    if (!read || !root.is_object())
        fail(Status::model_format, "damaged model: the description is no CBOR object");
    auto blocks = payload.subspan(length_size + length);
    attach_blocks(root, blocks);
    if (!blocks.empty()) fail(Status::model_format, "damaged model: ", blocks.size(), " bytes of no block");
    return root;
}

}  // namespace

Archive::Archive() : root_(std::make_unique<json>(json::object())) {}

Archive::Archive(std::span<const std::uint8_t> payload) {
    try {
        root_ = std::make_unique<json>(parsed_payload(payload));
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
    ShallowBuilder builder(parsed);
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
    auto values = block_values<double>(*object_, key, "f64", expected);
    for (const double value : values) {
        if (!std::isfinite(value)) refuse(key, "has a value that is not finite");
    }
    return values;
}

std::vector<Index> ArchiveReader::indices(const std::string& key, Index expected, Index lowest,
                                          Index highest) const {
    auto values = block_values<Index>(*object_, key, "i64", expected);
    for (const Index value : values) {
        if (value < lowest || value > highest)
            refuse(key, dk::text("has the value ", value, ", out of range"));
    }
    return values;
}

Index ArchiveReader::length(const std::string& key) const {
    return std::ssize(block_bytes(*object_, key)) / 8;
}

ArchiveReader ArchiveReader::object(const std::string& key) const {
    return ArchiveReader(field(*object_, key));
}

std::vector<ArchiveReader> ArchiveReader::list(const std::string& key) const {
    const json& list = field(*object_, key);
    if (!list.is_array()) refuse(key, "is no list");
    std::vector<ArchiveReader> elements;
    for (const json& element : list) elements.emplace_back(element);
    return elements;
}

}  // namespace dk
