// SPDX-License-Identifier: Apache-2.0
// A producer of the Arrow C data interface: columns of any type as a table, an array or a stream, which
// counts what its consumer has not released yet.
#ifndef DK_TESTS_ABI_ARROW_TABLES_HPP
#define DK_TESTS_ABI_ARROW_TABLES_HPP

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dk/dk.h"

// These are the structs of arrow.apache.org/docs/format/CDataInterface.html.
extern "C" {
struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema** children;
    struct ArrowSchema* dictionary;
    void (*release)(struct ArrowSchema*);
    void* private_data;
};
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void** buffers;
    struct ArrowArray** children;
    struct ArrowArray* dictionary;
    void (*release)(struct ArrowArray*);
    void* private_data;
};
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
    int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
    const char* (*get_last_error)(struct ArrowArrayStream*);
    void (*release)(struct ArrowArrayStream*);
    void* private_data;
};
}

namespace dk_test::arrow {

using Buffer = std::vector<unsigned char>;

/// A column, or what stands below one. A buffer that is nothing is NULL.
struct Column {
    std::string format;
    std::string name;
    int64_t length = 0;
    int64_t null_count = 0;
    int64_t offset = 0;
    std::vector<std::optional<Buffer>> buffers = {};
    std::vector<Column> children = {};
    std::vector<Column> dictionary = {};  // one or none
};

template <typename T>
Buffer bytes_of_values(const std::vector<T>& values) {
    Buffer bytes(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// Sets a bit for each value that is there, or gives nothing where all are.
inline std::optional<Buffer> bits_of(const std::vector<bool>& bits) {
    if (std::find(bits.begin(), bits.end(), false) == bits.end()) return std::nullopt;
    Buffer bytes((bits.size() + 7) / 8);
    for (std::size_t i = 0; i < bits.size(); ++i) {
        if (bits[i]) bytes[i / 8] = static_cast<unsigned char>(bytes[i / 8] | 1U << (i % 8));
    }
    return bytes;
}

/// Makes a column of numbers of a type and its format. `present` says which values are there.
template <typename T>
Column numbers(std::string name, const char* format, const std::vector<T>& values,
               const std::vector<bool>& present = {}) {
    Column column{format, std::move(name), static_cast<int64_t>(values.size())};
    for (const bool there : present) column.null_count += there ? 0 : 1;
    column.buffers = {present.empty() ? std::nullopt : bits_of(present), bytes_of_values(values)};
    return column;
}

inline Column doubles(std::string name, const std::vector<double>& values,
                      const std::vector<bool>& present = {}) {
    return numbers(std::move(name), "g", values, present);
}

using Texts = std::vector<std::optional<std::string>>;

template <typename Offset>
Column texts_with(std::string name, const char* format, const Texts& values) {
    Column column{format, std::move(name), static_cast<int64_t>(values.size())};
    std::vector<Offset> offsets{0};
    std::vector<bool> present;
    Buffer bytes;
    for (const auto& value : values) {
        if (value) bytes.insert(bytes.end(), value->begin(), value->end());
        present.push_back(value.has_value());
        column.null_count += value ? 0 : 1;
        offsets.push_back(static_cast<Offset>(bytes.size()));
    }
    column.buffers = {bits_of(present), bytes_of_values(offsets), bytes};
    return column;
}

inline Column texts(std::string name, const Texts& values) {
    return texts_with<int32_t>(std::move(name), "u", values);
}

/// Makes views of texts: those of up to 12 bytes stand in them, others in a buffer of their own.
inline Column text_views(std::string name, const Texts& values) {
    Column column{"vu", std::move(name), static_cast<int64_t>(values.size())};
    std::vector<bool> present;
    Buffer views;
    Buffer bytes;
    for (const auto& value : values) {
        const std::string text = value.value_or("");
        Buffer view(16);
        const auto length = static_cast<int32_t>(text.size());
        std::memcpy(view.data(), &length, 4);
        if (length <= 12) {
            std::memcpy(view.data() + 4, text.data(), text.size());
        } else {
            const auto begin = static_cast<int32_t>(bytes.size());
            std::memcpy(view.data() + 4, text.data(), 4);
            std::memcpy(view.data() + 12, &begin, 4);  // of the buffer at 8, which is the first
            bytes.insert(bytes.end(), text.begin(), text.end());
        }
        views.insert(views.end(), view.begin(), view.end());
        present.push_back(value.has_value());
        column.null_count += value ? 0 : 1;
    }
    const std::vector<int64_t> sizes{static_cast<int64_t>(bytes.size())};
    column.buffers = {bits_of(present), views, bytes, bytes_of_values(sizes)};
    return column;
}

/// Makes a dictionary: each row has the position of one of the values, or none where it is negative.
inline Column dictionary(std::string name, const std::vector<int8_t>& positions, Column values) {
    std::vector<bool> present;
    for (const int8_t at : positions) present.push_back(at >= 0);
    Column column = numbers(std::move(name), "c", positions, present);
    column.dictionary = {std::move(values)};
    return column;
}

/// Makes lists of any lengths of the elements, one after the other.
inline Column lists(std::string name, const std::vector<int32_t>& offsets, Column elements) {
    Column column{"+l", std::move(name), static_cast<int64_t>(offsets.size()) - 1};
    column.buffers = {std::nullopt, bytes_of_values(offsets)};
    column.children = {std::move(elements)};
    return column;
}

inline Column fixed_lists(std::string name, int64_t size, Column elements) {
    Column column{"+w:" + std::to_string(size), std::move(name), elements.length / size};
    column.buffers = {std::nullopt};
    column.children = {std::move(elements)};
    return column;
}

/// Makes a table of columns with as many rows.
inline Column table(std::vector<Column> columns) {
    Column whole{"+s", "", columns.empty() ? 0 : columns.front().length};
    whole.buffers = {std::nullopt};
    whole.children = std::move(columns);
    return whole;
}

/// Makes structs of columns, each of which a consumer has to release once. What it does not release is
/// leaked, and what it releases twice ends the test.
class Producer {
  public:
    ArrowSchema schema(const Column& column) {
        auto* kept = new Kept<ArrowSchema>{column.format, column.name, {}, {}, {}, {}, {}, living_};
        return finish(
            kept, column, [&](const Column& part) { return schema(part); },
            [&](ArrowSchema& made) {
                made.format = kept->format.c_str();
                made.name = kept->name.c_str();
            });
    }
    ArrowArray array(const Column& column) {
        auto* kept = new Kept<ArrowArray>{"", "", {}, {}, column.buffers, {}, {}, living_};
        for (const auto& buffer : kept->buffers) kept->pointers.push_back(buffer ? buffer->data() : nullptr);
        return finish(
            kept, column, [&](const Column& part) { return array(part); },
            [&](ArrowArray& made) {
                made.length = column.length;
                made.null_count = column.null_count;
                made.offset = column.offset;
                made.n_buffers = static_cast<int64_t>(kept->pointers.size());
                made.buffers = kept->pointers.data();
            });
    }
    /// Makes a stream of tables, which fails after them where `error` is not 0.
    ArrowArrayStream stream(std::vector<Column> tables, int error = 0) {
        auto* kept = new Stream{this, std::move(tables), 0, error};
        ++*living_;
        ArrowArrayStream made{};
        made.private_data = kept;
        made.get_schema = [](ArrowArrayStream* from, ArrowSchema* out) {
            *out = of(from)->producer->schema(of(from)->tables.front());
            return 0;
        };
        made.get_next = [](ArrowArrayStream* from, ArrowArray* out) {
            Stream& kept_one = *of(from);
            if (kept_one.next < kept_one.tables.size()) {
                *out = kept_one.producer->array(kept_one.tables[kept_one.next++]);
                return 0;
            }
            out->release = nullptr;
            return kept_one.error;
        };
        made.get_last_error = [](ArrowArrayStream* from) {
            return of(from)->error == 0 ? nullptr : "the producer has lost its connection";
        };
        made.release = [](ArrowArrayStream* from) {
            --*of(from)->producer->living_;
            delete of(from);
            from->release = nullptr;
        };
        return made;
    }
    /// Says how many structs nobody has released.
    int living() const { return *living_; }

  private:
    template <typename Struct>
    struct Kept {
        std::string format;
        std::string name;
        std::vector<Struct> children;
        std::vector<Struct*> child_pointers;
        std::vector<std::optional<Buffer>> buffers;
        std::vector<const void*> pointers;
        Struct dictionary;
        std::shared_ptr<int> living;
    };
    struct Stream {
        Producer* producer;
        std::vector<Column> tables;
        std::size_t next;
        int error;
    };
    static Stream* of(ArrowArrayStream* stream) { return static_cast<Stream*>(stream->private_data); }

    template <typename Struct, typename Make, typename Fill>
    Struct finish(Kept<Struct>* kept, const Column& column, Make make, Fill fill) {
        Struct made{};
        for (const Column& child : column.children) kept->children.push_back(make(child));
        for (Struct& child : kept->children) kept->child_pointers.push_back(&child);
        if (!column.dictionary.empty()) {
            kept->dictionary = make(column.dictionary.front());
            made.dictionary = &kept->dictionary;
        }
        made.n_children = static_cast<int64_t>(kept->children.size());
        made.children = kept->child_pointers.empty() ? nullptr : kept->child_pointers.data();
        fill(made);
        made.private_data = kept;
        made.release = [](Struct* released) {
            const std::unique_ptr<Kept<Struct>> own(static_cast<Kept<Struct>*>(released->private_data));
            for (Struct& child : own->children) {
                if (child.release != nullptr) child.release(&child);
            }
            if (own->dictionary.release != nullptr) own->dictionary.release(&own->dictionary);
            --*own->living;
            released->release = nullptr;
        };
        ++*living_;
        return made;
    }

    std::shared_ptr<int> living_ = std::make_shared<int>(0);
};

}  // namespace dk_test::arrow

#endif  // DK_TESTS_ABI_ARROW_TABLES_HPP
