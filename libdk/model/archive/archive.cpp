// SPDX-License-Identifier: Apache-2.0
#include "model/archive/archive.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/unicode.hpp"
#include "data/resize.hpp"
#include "model/archive/byte_order.hpp"
#include "model/archive/definite_lengths.hpp"
#include "model/archive/dismantled.hpp"

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
std::vector<std::uint8_t> bytes_of(std::span<const Value> values) {
    static_assert(sizeof(Value) == 8);
    std::vector<std::uint8_t> bytes;
    if constexpr (std::endian::native == std::endian::little) {
        bytes.resize(values.size_bytes());
        if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    } else {
        for (const Value value : values) put_little_endian(bytes, std::bit_cast<std::uint64_t>(value), 8);
    }
    return bytes;
}

/// Makes a node a block of this type. Its number stands in the node and not its bytes, since a model is
/// hardly anything but blocks, and CBOR is read byte by byte. As everything in a tree it is built in its
/// place (see Dismantled).
void make_block(json& node, const char* type, std::size_t number) {
    node = json::object();
    node["type"] = type;
    node["data"] = number;
}

bool is_block(const json& node) {
    return node.is_object() && node.size() == 2 && node.contains("type") && node.contains("data") &&
           node["data"].is_number_unsigned();
}

const json& field(const json& object, const std::string& key) {
    if (!object.is_object()) refuse(key, "has no enclosing object");
    const auto found = object.find(key);
    if (found == object.end()) refuse(key, "is missing");
    return *found;
}

/// Tells whether a value is a text that can be given to C, whose texts end at a zero byte.
bool is_text(const json& value) {
    return value.is_string() && value.get_ref<const std::string&>().find('\0') == std::string::npos;
}

const std::string& text_field(const json& object, const std::string& key) {
    const json& value = field(object, key);
    if (!is_text(value)) refuse(key, "is no text");
    return value.get_ref<const std::string&>();
}

/// Finds the bytes of the array `key`, whose place among the blocks place_blocks() noted.
std::span<const std::uint8_t> block_bytes(const json& object, const std::string& key,
                                          const ArchiveSource& source) {
    const json& stored = field(object, key);
    if (!is_block(stored)) refuse(key, "is no block");
    return source.blocks.at(stored["data"].get<std::size_t>());
}

template <typename Value>
std::vector<Value> block_values(const json& object, const std::string& key, const char* type, Index expected,
                                const ArchiveSource& source) {
    const auto bytes = block_bytes(object, key, source);
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

/// Appends the bytes of all blocks in the order of the description, and writes their sizes in the places of
/// their numbers.
void append_blocks(json& node, const std::vector<std::vector<std::uint8_t>>& blocks,
                   std::vector<std::uint8_t>& out) {
    if (is_block(node)) {
        const auto& bytes = blocks.at(node["data"].get<std::size_t>());
        out.insert(out.end(), bytes.begin(), bytes.end());
        node["data"] = bytes.size();
    } else if (node.is_structured()) {
        for (json& child : node) append_blocks(child, blocks, out);
    }
}

/// Finds the bytes of each block behind the description, and writes the block's number in the place of its
/// size. Every byte belongs to one block, so that a small file cannot ask for much memory.
void place_blocks(json& node, std::span<const std::uint8_t>& bytes,
                  std::vector<std::span<const std::uint8_t>>& blocks) {
    if (is_block(node)) {
        json& data = node["data"];
        const auto size = data.get<std::uint64_t>();
        if (size > bytes.size())
            fail(Status::model_format, "damaged model: a block of ", size, " bytes where ", bytes.size(),
                 " are left");
        data = blocks.size();
        blocks.push_back(bytes.first(size));
        bytes = bytes.subspan(size);
    } else if (node.is_structured()) {
        for (json& child : node) place_blocks(child, bytes, blocks);
    }
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

void parse_description(const Payload& payload, json& root, Control& control) {
    const auto items = count_definite_items(payload.description, control);
    if (!items) fail(Status::model_format, "damaged model: the description has lengths that do not fit");
    constexpr double bytes_an_item = 128;  // An empty map takes most beyond its own text.
    control.memory().require(bytes_an_item * *items + payload.description.size(),
                             text("a model whose description has ", *items, " items"));
    ShallowBuilder builder(root, control);
    const bool read = json::sax_parse(payload.description.begin(), payload.description.end(), &builder,
                                      json::input_format_t::cbor);
    if (!read || !root.is_object())
        fail(Status::model_format, "damaged model: the description is no CBOR object");
}

}  // namespace

struct Archive::Tree {
    Dismantled<json> root;
    std::vector<std::vector<std::uint8_t>> blocks;  // those that are written
};

Archive::Archive() : tree_(std::make_unique<Tree>()) {
    *tree_->root = json::object();
}

Archive::Archive(std::span<const std::uint8_t> payload, Control& control) : tree_(std::make_unique<Tree>()) {
    const Payload parts = parts_of(payload);
    source_.control = &control;
    control.memory().require(1.0 * payload.size(), text("a model of ", payload.size(), " bytes"));
    try {
        parse_description(parts, *tree_->root, control);
    } catch (const json::exception&) {
        fail(Status::model_format, "damaged model: the description is no CBOR object");
    }
    auto bytes = parts.blocks;
    place_blocks(*tree_->root, bytes, source_.blocks);
    if (!bytes.empty()) fail(Status::model_format, "damaged model: ", bytes.size(), " bytes of no block");
}

Archive::~Archive() = default;

ArchiveWriter Archive::writer() {
    return {*tree_->root, &tree_->blocks};
}

ArchiveWriter Archive::checker() {
    return {*tree_->root, nullptr};
}

ArchiveReader Archive::reader() const {
    return {*tree_->root, source_};
}

std::vector<std::uint8_t> Archive::take_payload() {
    std::vector<std::uint8_t> blocks;
    append_blocks(*tree_->root, tree_->blocks, blocks);
    tree_->blocks.clear();
    const auto description = json::to_cbor(*tree_->root);
    tree_->root.clear();
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
    if (blocks_ == nullptr) return;
    json& list = (*object_)[key] = json::array();
    for (const std::string& value : values) list.emplace_back(value);
}

void ArchiveWriter::pairs(const std::string& key,
                          const std::vector<std::pair<std::string, std::string>>& values) {
    json& list = (*object_)[key] = json::array();
    for (const auto& [first, second] : values) {
        json& pair = list.emplace_back(json::array());
        pair.emplace_back(first);
        pair.emplace_back(second);
    }
}

void ArchiveWriter::count(const std::string& key, Index value) {
    (*object_)[key] = value;
}

void ArchiveWriter::doubles(const std::string& key, std::span<const double> values) {
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
        fail(Status::numerical, "field ", in_quotes(key),
             " of the model has a value that is not finite; the data or parameters have numbers too large or "
             "too small for double precision");
    if (blocks_ == nullptr) return;
    make_block((*object_)[key], "f64", blocks_->size());
    blocks_->push_back(bytes_of(values));
}

void ArchiveWriter::indices(const std::string& key, std::span<const Index> values) {
    if (blocks_ == nullptr) return;
    make_block((*object_)[key], "i64", blocks_->size());
    blocks_->push_back(bytes_of(values));
}

ArchiveWriter ArchiveWriter::object(const std::string& key) {
    return {(*object_)[key] = json::object(), blocks_};
}

std::vector<ArchiveWriter> ArchiveWriter::list(const std::string& key, std::size_t length) {
    json& list = (*object_)[key] = json::array();
    for (std::size_t i = 0; i < length; ++i) list.emplace_back(json::object());
    std::vector<ArchiveWriter> elements;
    for (json& element : list) elements.emplace_back(element, blocks_);
    return elements;
}

bool ArchiveReader::has(const std::string& key) const {
    return object_->contains(key);
}

std::string ArchiveReader::text(const std::string& key) const {
    std::string value = on_one_line(text_field(*object_, key));
    if (!is_plain(value)) refuse(key, "is no text in UTF-8 without control characters");
    return value;
}

std::string ArchiveReader::json_text(const std::string& key) const {
    std::string value = text_field(*object_, key);
    Dismantled<json> parsed;
    ShallowBuilder builder(*parsed, *source_->control);
    const bool read = json::sax_parse(value, &builder, json::input_format_t::json);
    if (!read || !parsed->is_object()) refuse(key, "is no JSON object");
    return value;
}

std::vector<std::string> ArchiveReader::texts(const std::string& key) const {
    const json& list = field(*object_, key);
    if (!list.is_array()) refuse(key, "is no list");
    std::vector<std::string> texts;
    for (const json& element : list) {
        if (!is_text(element)) refuse(key, "has an element that is no text");
        texts.push_back(element.get<std::string>());
    }
    return texts;
}

std::vector<std::pair<std::string, std::string>> ArchiveReader::pairs(const std::string& key) const {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const json& pair : field(*object_, key)) {
        if (!pair.is_array() || pair.size() != 2 || !is_text(pair[0]) || !is_text(pair[1]))
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
    return std::ssize(block_bytes(*object_, key, *source_)) / 8;
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
