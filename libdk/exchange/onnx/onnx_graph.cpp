// SPDX-License-Identifier: Apache-2.0
// The few messages of ONNX's protocol that a graph needs, in the wire format of protocol buffers: a field is
// its number and type in one integer, and then an integer of variable length, or a length with so many bytes.
//
//     message            fields
//     ModelProto         ir_version 1, producer_name 2, doc_string 6, graph 7, opset_import 8
//     GraphProto         node 1, name 2, initializer 5, input 11, output 12
//     NodeProto          input 1, output 2, op_type 4, attribute 5
//     AttributeProto     name 1, i 3, g 6, ints 8, type 20
//     TensorProto        dims 1, data_type 2, name 8, raw_data 9
//     ValueInfoProto     name 1, type 2 { tensor_type 1 { elem_type 1, shape 2 { dim 1 } } }
//     Dimension          dim_value 1, dim_param 2
//
// Reference: onnx.proto of the Open Neural Network Exchange, version 8 of the representation.
#include "exchange/onnx/onnx_graph.hpp"

#include <array>
#include <bit>
#include <set>

#include "base/text.hpp"

namespace dk {

namespace {

constexpr std::int64_t double_type = 11;
constexpr std::int64_t int64_type = 7;
constexpr std::int64_t truth_type = 9;

void append_integer(std::string& out, std::uint64_t value) {
    for (; value >= 128; value >>= 7U) out += static_cast<char>((value & 127U) | 128U);
    out += static_cast<char>(value);
}

std::string field(int number, std::int64_t value) {
    std::string out;
    append_integer(out, static_cast<std::uint64_t>(number) << 3U);
    append_integer(out, static_cast<std::uint64_t>(value));
    return out;
}

std::string field(int number, std::string_view bytes) {
    std::string out;
    append_integer(out, (static_cast<std::uint64_t>(number) << 3U) | 2U);
    append_integer(out, bytes.size());
    return out.append(bytes);
}

/// Gives the eight bytes of each value, the lowest first.
template <typename Value>
std::string raw_bytes(std::span<const Value> values) {
    std::string out;
    out.reserve(8 * values.size());
    for (const Value value : values) {
        auto bits = std::bit_cast<std::uint64_t>(value);
        for (int byte = 0; byte < 8; ++byte, bits >>= 8U) out += static_cast<char>(bits & 255U);
    }
    return out;
}

std::string tensor_of(std::span<const Index> shape, std::int64_t type, const std::string& name,
                      const std::string& bytes) {
    std::string out;
    for (const Index size : shape) out += field(1, size);
    return out + field(2, type) + field(8, name) + field(9, bytes);
}

/// Declares a value of a loop, of any shape, and one that is a single number.
std::string value_of_loop(const std::string& name, std::int64_t type) {
    return field(1, name) + field(2, field(1, field(1, type)));
}
std::string single_value(const std::string& name, std::int64_t type) {
    return field(1, name) + field(2, field(1, field(1, type) + field(2, "")));
}

std::string value_info(const std::string& name, std::int64_t type, Index columns) {
    std::string shape = field(1, field(2, "rows"));
    if (columns > 0) shape += field(1, field(1, columns));
    return field(1, name) + field(2, field(1, field(1, type) + field(2, shape)));
}

}  // namespace

struct OnnxNames {
    Index count = 0;
    std::set<std::string> operators;
};

OnnxGraph::OnnxGraph() : names_(std::make_shared<OnnxNames>()) {}

std::string OnnxGraph::fresh_name() {
    return text("v", names_->count++);
}

std::string OnnxGraph::tensor(std::span<const Index> shape, std::span<const double> values) {
    std::string name = fresh_name();
    constants_ += field(5, tensor_of(shape, double_type, name, raw_bytes(values)));
    return name;
}

std::string OnnxGraph::matrix(const ConstMatrixRef& values) {
    const Matrix whole = values;
    const std::array shape{whole.rows(), whole.cols()};
    return tensor(shape, {whole.data(), static_cast<std::size_t>(whole.size())});
}

std::string OnnxGraph::numbers(std::span<const double> values) {
    const std::array shape{std::ssize(values)};
    return tensor(shape, values);
}

std::string OnnxGraph::number(double value) {
    return tensor({}, {&value, 1});
}

std::string OnnxGraph::integers(std::span<const std::int64_t> values) {
    std::string name = fresh_name();
    const std::array shape{std::ssize(values)};
    constants_ += field(5, tensor_of(shape, int64_type, name, raw_bytes(values)));
    return name;
}

std::vector<std::string> OnnxGraph::add_all(const std::string& op, const std::vector<std::string>& inputs,
                                            const std::vector<Attribute>& attributes, int results) {
    names_->operators.insert(op);
    std::vector<std::string> names;
    std::string node;
    for (const std::string& input : inputs) node += field(1, input);
    for (int result = 0; result < results; ++result) node += field(2, names.emplace_back(fresh_name()));
    node += field(4, op);
    for (const Attribute& attribute : attributes) {
        constexpr std::int64_t integer = 2;
        constexpr std::int64_t integer_list = 7;
        node += field(5, field(1, attribute.name) + field(attribute.list ? 8 : 3, attribute.value) +
                             field(20, attribute.list ? integer_list : integer));
    }
    nodes_ += field(1, node);
    return names;
}

std::vector<std::string> OnnxGraph::loop(Index most_turns, const std::vector<std::string>& values,
                                         const Body& body) {
    constexpr std::int64_t graph = 5;
    names_->operators.insert("Loop");
    OnnxGraph within(names_);
    within.inputs_ = field(11, single_value(fresh_name(), int64_type));  // the number of the turn
    within.inputs_ += field(11, single_value(fresh_name(), truth_type));
    std::vector<std::string> before;
    for (std::size_t v = 0; v < values.size(); ++v)
        within.inputs_ += field(11, value_of_loop(before.emplace_back(fresh_name()), double_type));
    const Turn turn = body(within, before);
    within.outputs_ = field(12, single_value(turn.goes_on, truth_type));
    for (const std::string& value : turn.values)
        within.outputs_ += field(12, value_of_loop(value, double_type));

    const std::int64_t turns = most_turns;
    const std::string name = fresh_name();
    constants_ += field(5, tensor_of({}, int64_type, name, raw_bytes(std::span(&turns, 1))));
    std::string node = field(1, name) + field(1, "");
    for (const std::string& value : values) node += field(1, value);
    std::vector<std::string> after;
    for (std::size_t v = 0; v < values.size(); ++v) node += field(2, after.emplace_back(fresh_name()));
    const std::string content =
        within.nodes_ + field(2, "body") + within.constants_ + within.inputs_ + within.outputs_;
    node += field(4, "Loop") + field(5, field(1, "body") + field(6, content) + field(20, graph));
    nodes_ += field(1, node);
    return after;
}

std::string OnnxGraph::input(const std::string& name, Index columns) {
    inputs_ += field(11, value_info(name, double_type, columns));
    return name;
}

void OnnxGraph::output(const std::string& name, const std::string& value, Index columns, bool integer) {
    nodes_ += field(1, field(1, value) + field(2, name) + field(4, "Identity"));
    outputs_ += field(12, value_info(name, integer ? int64_type : double_type, columns));
}

std::string OnnxGraph::model(const std::string& description) const {
    constexpr std::int64_t representation = 8;
    constexpr std::int64_t operators = 13;
    const std::string graph = nodes_ + field(2, "model") + constants_ + inputs_ + outputs_;
    const std::vector<std::string> used(names_->operators.begin(), names_->operators.end());
    const std::string described = text(description, "; operators ", join(used, ", "));
    return field(1, representation) + field(2, "libdk") + field(6, described) + field(7, graph) +
           field(8, field(1, "") + field(2, operators));
}

}  // namespace dk
