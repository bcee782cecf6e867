// SPDX-License-Identifier: Apache-2.0
#include "data/arrow/arrow_output.hpp"

#include <memory>
#include <utility>

#include "base/types.hpp"

namespace dk {

/// A column's format and values, in the buffers of its type.
struct ArrowResults::Column {
    std::string name;
    const char* format = "g";
    Index rows = 0;
    std::vector<double> numbers = {};
    std::vector<std::int64_t> integers = {};  // the values, or the offsets of texts
    std::vector<std::int32_t> positions = {};
    std::string characters = {};
    std::unique_ptr<Column> dictionary = nullptr;

    /// Lists the buffers: which values are missing, none being so, and those of the type.
    std::vector<const void*> buffers() const {
        if (!positions.empty()) return {nullptr, positions.data()};
        if (*format == 'g') return {nullptr, numbers.data()};
        if (*format == 'l') return {nullptr, integers.data()};
        return {nullptr, integers.data(), characters.data()};
    }
};

ArrowResults::ArrowResults() = default;
ArrowResults::~ArrowResults() = default;

namespace {

/// Releases a struct that is part of another one, unless its consumer took it.
template <typename Struct>
void release_part(Struct& part) {
    if (part.release != nullptr) part.release(&part);
}

/// What the pointers of a struct of the interface point to. It lives until the struct is released.
template <typename Struct>
struct StructParts {
    std::vector<Struct> children = {};
    std::vector<Struct*> pointers = {};
    Struct dictionary{};

    StructParts() = default;
    ~StructParts() {
        for (Struct& child : children) release_part(child);
        release_part(dictionary);
    }
    StructParts(const StructParts&) = delete;
    StructParts& operator=(const StructParts&) = delete;

    /// Makes room for children, so that nothing fails once there are some.
    void reserve(std::size_t count) {
        children.reserve(count);
        pointers.reserve(count);
    }
    /// Lets the struct point to its children, for which there is room, and its dictionary.
    void fill(Struct& whole) noexcept {
        for (Struct& child : children) pointers.push_back(&child);
        whole.n_children = std::ssize(children);
        whole.children = pointers.empty() ? nullptr : pointers.data();
        whole.dictionary = dictionary.release != nullptr ? &dictionary : nullptr;
    }
};

struct SchemaParts : StructParts<ArrowSchema> {
    std::string format;
    std::string name;
};

ArrowSchema schema_of(std::unique_ptr<SchemaParts> parts) noexcept {
    ArrowSchema schema{};
    schema.format = parts->format.c_str();
    schema.name = parts->name.c_str();
    parts->fill(schema);
    schema.private_data = parts.release();
    schema.release = [](ArrowSchema* released) {
        delete static_cast<SchemaParts*>(released->private_data);
        released->release = nullptr;
    };
    return schema;
}

/// The buffers of an array stand in `column`, which was computed.
template <typename Column>
struct ArrayParts : StructParts<ArrowArray> {
    Column column;
    std::vector<const void*> buffers;
};

template <typename Column>
ArrowArray array_of(std::unique_ptr<ArrayParts<Column>> parts, Index rows) noexcept {
    ArrowArray array{};
    array.length = rows;
    array.n_buffers = std::ssize(parts->buffers);
    array.buffers = parts->buffers.data();
    parts->fill(array);
    array.private_data = parts.release();
    array.release = [](ArrowArray* released) {
        delete static_cast<ArrayParts<Column>*>(released->private_data);
        released->release = nullptr;
    };
    return array;
}

template <typename Column>
ArrowSchema schema_of_column(const Column& column) {
    auto parts = std::make_unique<SchemaParts>();
    parts->format = column.format;
    parts->name = column.name;
    if (column.dictionary) parts->dictionary = schema_of_column(*column.dictionary);
    return schema_of(std::move(parts));
}

template <typename Column>
ArrowArray array_of_column(Column column) {
    auto parts = std::make_unique<ArrayParts<Column>>();
    parts->column = std::move(column);
    const Index rows = parts->column.rows;
    parts->buffers = parts->column.buffers();
    if (parts->column.dictionary) parts->dictionary = array_of_column(std::move(*parts->column.dictionary));
    return array_of(std::move(parts), rows);
}

}  // namespace

void ArrowResults::add_numbers(std::string name, std::vector<double> values) {
    const Index rows = std::ssize(values);
    columns_.push_back({.name = std::move(name), .format = "g", .rows = rows, .numbers = std::move(values)});
}

void ArrowResults::add_integers(std::string name, std::vector<std::int64_t> values) {
    const Index rows = std::ssize(values);
    columns_.push_back({.name = std::move(name), .format = "l", .rows = rows, .integers = std::move(values)});
}

void ArrowResults::add_texts(std::string name, std::span<const std::string> values) {
    Column column{.name = std::move(name), .format = "U", .rows = std::ssize(values), .integers = {0}};
    for (const std::string& value : values) {
        column.characters += value;
        column.integers.push_back(std::ssize(column.characters));
    }
    columns_.push_back(std::move(column));
}

void ArrowResults::add_classes(std::string name, std::vector<std::int32_t> rows,
                               std::span<const std::string> names) {
    ArrowResults values;
    values.add_texts("", names);
    const Index count = std::ssize(rows);
    columns_.push_back({.name = std::move(name),
                        .format = "i",
                        .rows = count,
                        .positions = std::move(rows),
                        .dictionary = std::make_unique<Column>(std::move(values.columns_.front()))});
}

void ArrowResults::move_to(ArrowSchema& schema, ArrowArray& array) {
    auto types = std::make_unique<SchemaParts>();
    types->format = "+s";
    types->reserve(columns_.size());
    auto table = std::make_unique<ArrayParts<Column>>();
    const Index rows = columns_.front().rows;
    table->buffers = {nullptr};
    table->reserve(columns_.size());
    for (Column& column : columns_) {
        types->children.push_back(schema_of_column(column));
        table->children.push_back(array_of_column(std::move(column)));
    }
    schema = schema_of(std::move(types));
    array = array_of(std::move(table), rows);
}

}  // namespace dk
