// SPDX-License-Identifier: Apache-2.0
// The few messages of ONNX's protocol that a graph needs, in the wire format of protocol buffers: a field is
// its number and type in one integer, and then an integer of variable length, or a length with so many bytes.
//
//     message            fields
//     ModelProto         ir_version 1, producer_name 2, doc_string 6, graph 7, opset_import 8
//     GraphProto         node 1, name 2, initializer 5, input 11, output 12
//     NodeProto          input 1, output 2, op_type 4, attribute 5
//     AttributeProto     name 1, i 3, ints 8, type 20
//     TensorProto        dims 1, data_type 2, name 8, raw_data 9
//     ValueInfoProto     name 1, type 2 { tensor_type 1 { elem_type 1, shape 2 { dim 1 } } }
//     Dimension          dim_value 1, dim_param 2
//
// Reference: onnx.proto of the Open Neural Network Exchange, version 8 of the representation.
#include "exchange/onnx/onnx_graph.hpp"

#include <array>
#include <bit>

#include "base/text.hpp"

namespace dk {

namespace {

constexpr std::int64_t double_type = 11;
constexpr std::int64_t int64_type = 7;

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

std::string value_info(const std::string& name, std::int64_t type, Index columns) {
    std::string shape = field(1, field(2, "rows"));
    if (columns > 0) shape += field(1, field(1, columns));
    return field(1, name) + field(2, field(1, field(1, type) + field(2, shape)));
}

}  // namespace

std::string OnnxGraph::fresh_name() {
    return text("v", names_++);
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
    operators_.insert(op);
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
    const std::vector<std::string> used(operators_.begin(), operators_.end());
    const std::string described = text(description, "; operators ", join(used, ", "));
    return field(1, representation) + field(2, "libdk") + field(6, described) + field(7, graph) +
           field(8, field(1, "") + field(2, operators));
}

}  // namespace dk
