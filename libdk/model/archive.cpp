// SPDX-License-Identifier: Apache-2.0
#include "model/archive.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "base/error.hpp"
#include "model/report_text.hpp"

namespace dk {

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& key, const std::string& why) {
    fail(Status::model_format, "damaged model: field ", in_quotes(key), " ", why);
}

template <typename Value>
json make_block(std::span<const Value> values, const char* type) {
    static_assert(sizeof(Value) == 8);
    std::vector<std::uint8_t> bytes(values.size() * 8);
    if constexpr (std::endian::native == std::endian::little) {
        if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    } else {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto bits = std::bit_cast<std::uint64_t>(values[i]);
            for (std::size_t b = 0; b < 8; ++b) bytes[8 * i + b] = static_cast<std::uint8_t>(bits >> (8 * b));
        }
    }
    return {{"type", type}, {"data", json::binary(std::move(bytes))}};
}

template <typename Value>
std::vector<Value> read_block(const json& object, const std::string& key, const char* type, Index expected) {
    const json& stored = field(object, key);
    if (!stored.is_object() || read_text(stored, "type") != type || !field(stored, "data").is_binary()) {
        refuse(key, std::string("is no block of ") + type);
    }
    const auto& bytes = stored["data"].get_binary();
    if (bytes.size() % 8 != 0 || static_cast<Index>(bytes.size() / 8) != expected) {
        refuse(key, text("has ", bytes.size(), " bytes, expected ", expected, " values of 8"));
    }
    std::vector<Value> values(bytes.size() / 8);
    if constexpr (std::endian::native == std::endian::little) {
        if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    } else {
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::uint64_t bits = 0;
            for (std::size_t b = 0; b < 8; ++b)
                bits |= static_cast<std::uint64_t>(bytes[8 * i + b]) << (8 * b);
            values[i] = std::bit_cast<Value>(bits);
        }
    }
    return values;
}

Index block_size(const json& object, const std::string& key) {
    const json& stored = field(object, key);
    if (!stored.is_object() || !field(stored, "data").is_binary()) refuse(key, "is no block");
    return static_cast<Index>(stored["data"].get_binary().size() / 8);
}

/// As detach_blocks() leaves it.
bool is_block_without_bytes(const json& node) {
    return node.is_object() && node.size() == 2 && node.contains("type") && node.contains("data") &&
           node["data"].is_number_unsigned();
}

void detach_from(json& node, std::vector<std::uint8_t>& blocks) {
    if (node.is_binary()) {
        const auto& bytes = node.get_binary();
        blocks.insert(blocks.end(), bytes.begin(), bytes.end());
        node = bytes.size();
    } else if (node.is_structured()) {
        for (json& child : node) detach_from(child, blocks);
    }
}

/// Every byte goes to one block, so that a small file cannot ask for much memory.
void attach_to(json& node, std::span<const std::uint8_t>& blocks) {
    if (is_block_without_bytes(node)) {
        json& data = node["data"];
        const auto size = data.get<std::uint64_t>();
        if (size > blocks.size())
            fail(Status::model_format, "damaged model: a block of ", size, " bytes where ", blocks.size(),
                 " are left");
        data = json::binary({blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(size)});
        blocks = blocks.subspan(size);
    } else if (node.is_structured()) {
        for (json& child : node) attach_to(child, blocks);
    }
}

json archive_matrix(const DenseMatrix& matrix) {
    return {{"kind", "dense"}, {"cols", matrix.cols}, {"values", block(matrix.values)}};
}

json archive_matrix(const SparseMatrix& matrix) {
    return {{"kind", "sparse"},
            {"cols", matrix.cols},
            {"row_offsets", block(matrix.row_offsets)},
            {"columns", block(matrix.columns)},
            {"values", block(matrix.values)}};
}

json archive_matrix(const GramMatrices& gram) {
    return {{"kind", "gram"},
            {"cols", gram.cols},
            {"matrices", gram.matrices},
            {"row_ids", block(gram.row_ids)},
            {"self", block(gram.self)},
            {"values", block(gram.values ? std::span(*gram.values) : std::span<const double>())}};
}

json archive_matrix(const SeriesSet& set) {
    return {{"kind", "series"},
            {"cols", set.channels},
            {"step_offsets", block(set.step_offsets)},
            {"values", block(set.values)}};
}

json archive_matrix(const StringSet& set) {
    return {{"kind", "strings"}, {"cols", 1}, {"texts", set.texts}};
}

json archive_matrix(const GraphSet& set) {
    return {{"kind", "graphs"},
            {"cols", 1},
            {"node_offsets", block(set.node_offsets)},
            {"node_labels", block(set.node_labels)},
            {"edge_offsets", block(set.edge_offsets)},
            {"edges", block(set.edges)}};
}

/// rows + 1 offsets from 0 to `last` that do not fall; they grow where `step` is 1.
std::vector<Index> read_offsets(const json& object, const std::string& key, Index rows, Index last,
                                Index step) {
    auto offsets = read_indices(object, key, rows + 1, 0, last);
    if (offsets.front() != 0 || offsets.back() != last) refuse(key, "do not fit");
    for (Index i = 0; i < rows; ++i) {
        if (offsets[unsigned_of(i)] + step > offsets[unsigned_of(i + 1)]) refuse(key, "decrease");
    }
    return offsets;
}

SeriesSet read_series(const json& object, Index rows, Index channels) {
    SeriesSet set{channels};
    const Index values = block_size(object, "values");
    if (values % channels != 0) refuse("values", "do not fit the channels");
    set.step_offsets = read_offsets(object, "step_offsets", rows, values / channels, 1);
    set.values = read_doubles(object, "values", values);
    return set;
}

StringSet read_strings(const json& object, Index rows) {
    StringSet set{read_texts(object, "texts")};
    if (set.rows() != rows) refuse("texts", text("has ", set.rows(), " elements, expected ", rows));
    for (const auto& one : set.texts) characters_of(one);
    return set;
}

GraphSet read_graphs(const json& object, Index rows) {
    GraphSet set;
    const Index nodes = block_size(object, "node_labels");
    const Index edges = block_size(object, "edges") / 2;
    set.node_offsets = read_offsets(object, "node_offsets", rows, nodes, 1);
    set.edge_offsets = read_offsets(object, "edge_offsets", rows, edges, 0);
    constexpr Index any = std::numeric_limits<Index>::max();
    set.node_labels = read_indices(object, "node_labels", nodes, -any - 1, any);
    set.edges = read_indices(object, "edges", 2 * edges, 0, nodes - 1);
    for (Index i = 0; i < rows; ++i) {
        for (Index e = 2 * set.edge_offsets[unsigned_of(i)]; e < 2 * set.edge_offsets[unsigned_of(i + 1)];
             ++e) {
            if (set.edges[unsigned_of(e)] >= set.nodes(i)) refuse("edges", "name nodes that do not exist");
        }
    }
    return set;
}

SparseMatrix read_sparse(const json& object, Index rows, Index cols) {
    SparseMatrix matrix{rows, cols};
    const Index entries = block_size(object, "values");
    matrix.row_offsets = read_offsets(object, "row_offsets", rows, entries, 0);
    matrix.columns = read_indices(object, "columns", entries, 0, cols - 1);
    matrix.values = read_doubles(object, "values", entries);
    for (Index i = 0; i < rows; ++i) {
        for (Index e = matrix.row_offsets[unsigned_of(i)] + 1; e < matrix.row_offsets[unsigned_of(i + 1)];
             ++e) {
            if (matrix.columns[unsigned_of(e - 1)] >= matrix.columns[unsigned_of(e)])
                refuse("columns", "do not increase");
        }
    }
    return matrix;
}

GramMatrices read_gram(const json& object, Index rows, Index cols) {
    GramMatrices gram;
    gram.cols = cols;
    gram.matrices = read_count(object, "matrices", 1, largest_count);
    gram.row_ids = read_indices(object, "row_ids", rows, 0, cols - 1);
    const Index self_values = block_size(object, "self");
    if (self_values != 0 && self_values / rows != gram.matrices) refuse("self", "does not fit the matrices");
    gram.self = read_doubles(object, "self", self_values);
    const Index values = block_size(object, "values");
    if (values == 0) return gram;
    if (rows > largest_count / cols || values / (rows * cols) != gram.matrices)
        refuse("values", "do not fit the matrices");
    gram.values = std::make_shared<const std::vector<double>>(
        read_doubles(object, "values", gram.matrices * rows * cols));
    gram.source_rows = rows;
    for (Index i = 0; i < rows; ++i) gram.source_ids.push_back(i);
    return gram;
}

}  // namespace

json block(std::span<const double> values) {
    return make_block(values, "f64");
}

json block(std::span<const Index> values) {
    return make_block(values, "i64");
}

std::vector<std::uint8_t> detach_blocks(json& description) {
    std::vector<std::uint8_t> blocks;
    detach_from(description, blocks);
    return blocks;
}

void attach_blocks(json& description, std::span<const std::uint8_t> blocks) {
    attach_to(description, blocks);
    if (!blocks.empty()) fail(Status::model_format, "damaged model: ", blocks.size(), " bytes of no block");
}

const json& field(const json& object, const std::string& key) {
    if (!object.is_object()) refuse(key, "has no enclosing object");
    const auto found = object.find(key);
    if (found == object.end()) refuse(key, "is missing");
    return *found;
}

std::vector<double> read_doubles(const json& object, const std::string& key, Index expected) {
    auto values = read_block<double>(object, key, "f64", expected);
    for (const double value : values) {
        if (!std::isfinite(value)) refuse(key, "has a value that is not finite");
    }
    return values;
}

std::vector<Index> read_indices(const json& object, const std::string& key, Index expected, Index lowest,
                                Index highest) {
    auto values = read_block<Index>(object, key, "i64", expected);
    for (const Index value : values) {
        if (value < lowest || value > highest) refuse(key, text("has the value ", value, ", out of range"));
    }
    return values;
}

Index read_count(const json& object, const std::string& key, Index lowest, Index highest) {
    const json& value = field(object, key);
    if (!value.is_number_integer()) refuse(key, "is no integer");
    const auto count = value.get<std::int64_t>();
    if (count < lowest || count > highest) refuse(key, text("is ", count, ", out of range"));
    return static_cast<Index>(count);
}

std::string read_text(const json& object, const std::string& key) {
    const json& value = field(object, key);
    if (!value.is_string()) refuse(key, "is no text");
    return value.get<std::string>();
}

std::vector<std::string> read_texts(const json& object, const std::string& key) {
    const json& value = field(object, key);
    if (!value.is_array()) refuse(key, "is no list");
    std::vector<std::string> texts;
    for (const auto& element : value) {
        if (!element.is_string()) refuse(key, "has an element that is no text");
        texts.push_back(element.get<std::string>());
    }
    return texts;
}

json archive_features(const Dataset& data) {
    return std::visit([](const auto& features) { return archive_matrix(features); }, data.features());
}

Dataset read_features(const json& object, Index rows) {
    const std::string kind = read_text(object, "kind");
    const Index cols = read_count(object, "cols", 1, largest_count);
    if (kind == "sparse") return Dataset(read_sparse(object, rows, cols));
    if (kind == "gram") return Dataset(read_gram(object, rows, cols));
    if (kind == "series") return Dataset(read_series(object, rows, cols));
    if (kind == "strings") return Dataset(read_strings(object, rows));
    if (kind == "graphs") return Dataset(read_graphs(object, rows));
    if (kind != "dense") refuse("kind", "is " + in_quotes(kind));
    DenseMatrix matrix{rows, cols};
    if (rows > largest_count / cols) refuse("cols", "overflows");
    matrix.values = read_doubles(object, "values", rows * cols);
    return Dataset(std::move(matrix));
}

nlohmann::ordered_json to_json(const Report& report) {
    auto object = nlohmann::ordered_json::object();
    for (const auto& [name, value] : report.entries()) {
        object[name] = std::visit(
            [](const auto& v) -> nlohmann::ordered_json {
                if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::vector<Report>>) {
                    auto array = nlohmann::ordered_json::array();
                    for (const auto& element : v) array.push_back(to_json(element));
                    return array;
                } else {
                    return v;
                }
            },
            value);
    }
    return object;
}

std::string json_text(const Report& report) {
    // class names may hold bytes that are no UTF-8; JSON text must not
    return to_json(report).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace dk
