// SPDX-License-Identifier: Apache-2.0
#include "model/model_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.hpp"
#include "kernel/bank.hpp"
#include "model/archive.hpp"

namespace dk {

namespace {

using nlohmann::json;

constexpr std::array<std::uint8_t, 8> magic{'D', 'K', 'M', 'O', 'D', 'E', 'L', 0};
constexpr std::uint32_t major_version = 1;
constexpr std::uint32_t minor_version = 0;
constexpr std::size_t checksum_at = 24;
constexpr std::size_t header_size = 28;
constexpr std::size_t length_size = 8;  // of the description, before it

void put(std::vector<std::uint8_t>& out, std::uint64_t value, int bytes) {
    for (int b = 0; b < bytes; ++b) out.push_back(static_cast<std::uint8_t>(value >> (8 * b)));
}

std::uint64_t get(std::span<const std::uint8_t> bytes, std::size_t at, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t b = 0; b < count; ++b) value |= static_cast<std::uint64_t>(bytes[at + b]) << (8 * b);
    return value;
}

/// Of the header without the checksum itself, and the payload.
std::uint32_t checksum(std::span<const std::uint8_t> bytes) {
    uLong crc = crc32_z(0, bytes.data(), checksum_at);
    crc = crc32_z(crc, bytes.data() + header_size, bytes.size() - header_size);
    return static_cast<std::uint32_t>(crc);
}

/// Builds a JSON value and gives up at a depth no model has: reading CBOR and writing JSON recurse.
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

json parse_payload(std::span<const std::uint8_t> payload) {
    const auto length = payload.size() < length_size ? 0 : get(payload, 0, length_size);
    if (length == 0 || length > payload.size() - length_size)
        fail(Status::model_format, "damaged model: a description of ", length, " bytes");
    const auto description = payload.subspan(length_size, length);
    json root;
    ShallowBuilder builder(root);
    const bool read =
        json::sax_parse(description.begin(), description.end(), &builder, json::input_format_t::cbor);
    if (!read || !root.is_object())
        fail(Status::model_format, "damaged model: the description is no CBOR object");
    attach_blocks(root, payload.subspan(length_size + length));
    return root;
}

json archive_labels(const Labels& classes) {
    return {{"count", classes.classes()},
            {"values", block(std::vector<Index>(classes.values.begin(), classes.values.end()))},
            {"names", classes.names}};
}

Labels read_labels(const json& object) {
    Labels classes;
    const Index count = read_count(object, "count", 0, largest_count);
    constexpr Index any = std::numeric_limits<Index>::max();
    const auto values = read_indices(object, "values", count, -any - 1, any);
    classes.values.assign(values.begin(), values.end());
    classes.names = read_texts(object, "names");
    if (!classes.names.empty() && size_of(classes.names) != count)
        fail(Status::model_format, "damaged model: class names");
    return classes;
}

DecisionRule read_rule(const json& object) {
    const std::string name = read_text(object, "rule");
    for (const auto rule : {DecisionRule::binary, DecisionRule::one_vs_one, DecisionRule::one_vs_rest,
                            DecisionRule::largest, DecisionRule::regression}) {
        if (name_of(rule) == name) return rule;
    }
    fail(Status::model_format, "damaged model: decision rule ", in_quotes(name));
}

std::string read_report(const json& object, const std::string& key) {
    std::string report = read_text(object, key);
    json parsed;
    ShallowBuilder builder(parsed);
    const bool read = json::sax_parse(report, &builder, json::input_format_t::json);
    if (!read || !parsed.is_object()) fail(Status::model_format, "damaged model: report ", in_quotes(key));
    return report;
}

DataKind read_kind(const json& object) {
    const std::string name = read_text(object, "data");
    for (const auto kind : all_data_kinds) {
        if (name_of(kind) == name) return kind;
    }
    fail(Status::model_format, "damaged model: kind of data ", in_quotes(name));
}

void read_scaler(const json& object, Model& model) {
    const bool scaled = read_count(object, "scaled", 0, 1) == 1;
    const bool imputed = read_count(object, "imputed", 0, 1) == 1;
    model.scaler.fill = read_doubles(object, "fill", imputed ? model.features : 0);
    model.scaler.shift = read_doubles(object, "shift", scaled ? model.features : 0);
    model.scaler.scale = read_doubles(object, "scale", scaled ? model.features : 0);
    if (std::ranges::find(model.scaler.scale, 0.0) != model.scaler.scale.end()) {
        fail(Status::model_format, "damaged model: a scale is zero");
    }
}

}  // namespace

std::vector<std::uint8_t> write_model(const Model& model) {
    json parameters = json::array();
    for (const auto& [name, value] : model.parameters) parameters.push_back(json::array({name, value}));
    json root{
        {"machine", model.machine},
        {"task", model.task},
        {"parameters", parameters},
        {"kernel", model.kernel},
        {"kernels", model.kernels},
        {"kernel_weights", block(model.kernel_weights)},
        {"classes", archive_labels(model.classes)},
        {"rule", name_of(model.rule)},
        {"calibrated", model.calibration.empty() ? 0 : 1},
        {"slopes", block(model.calibration.slopes)},
        {"sigmoid_offsets", block(model.calibration.offsets)},
        {"data", name_of(model.kind)},
        {"features", model.features},
        {"training_rows", model.training_rows},
        {"feature_names", model.feature_names},
        {"scaled", model.scaler.shift.empty() ? 0 : 1},
        {"imputed", model.scaler.fill.empty() ? 0 : 1},
        {"fill", block(model.scaler.fill)},
        {"shift", block(model.scaler.shift)},
        {"scale", block(model.scaler.scale)},
        {"weight_report", model.weight_report},
        {"training_report", model.training_report},
        {"validation_report", model.validation_report},
        {"predictor_type", model.predictor->type()},
        {"predictor", model.predictor->archive()},
    };
    const auto blocks = detach_blocks(root);
    const auto description = json::to_cbor(root);
    std::vector<std::uint8_t> bytes(magic.begin(), magic.end());
    put(bytes, major_version, 4);
    put(bytes, minor_version, 4);
    put(bytes, length_size + description.size() + blocks.size(), 8);
    put(bytes, 0, 4);
    put(bytes, description.size(), length_size);
    bytes.insert(bytes.end(), description.begin(), description.end());
    bytes.insert(bytes.end(), blocks.begin(), blocks.end());
    const std::uint32_t crc = checksum(bytes);
    for (std::size_t b = 0; b < 4; ++b) bytes[checksum_at + b] = static_cast<std::uint8_t>(crc >> (8 * b));
    return bytes;
}

namespace {

std::span<const std::uint8_t> checked_payload(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < magic.size() || !std::equal(magic.begin(), magic.end(), bytes.begin())) {
        fail(Status::model_format, "this is no libdk model: the first bytes are not \"DKMODEL\"");
    }
    if (bytes.size() < header_size) fail(Status::model_format, "truncated model: ", bytes.size(), " bytes");
    const auto version = get(bytes, 8, 4);
    if (version > major_version) {
        fail(Status::model_format, "the model has format version ", version, ", this library reads up to ",
             major_version);
    }
    const auto length = get(bytes, 16, 8);
    if (length != bytes.size() - header_size) {
        fail(Status::model_format, "truncated or damaged model: payload of ", bytes.size() - header_size,
             " bytes, header says ", length);
    }
    if (get(bytes, checksum_at, 4) != checksum(bytes))
        fail(Status::model_format, "damaged model: the checksum does not match");
    return bytes.subspan(header_size);
}

Model model_from(const json& root, const PredictorReaders& readers) {
    Model model;
    model.machine = read_text(root, "machine");
    model.task = read_text(root, "task");
    for (const auto& pair : field(root, "parameters")) {
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string()) {
            fail(Status::model_format, "damaged model: parameters");
        }
        model.parameters.emplace_back(pair[0].get<std::string>(), pair[1].get<std::string>());
    }
    model.parameter("weights");
    model.kernel = read_text(root, "kernel");
    model.kernels = read_texts(root, "kernels");
    model.kernel_weights = read_doubles(root, "kernel_weights", size_of(model.kernels));
    model.classes = read_labels(field(root, "classes"));
    model.rule = read_rule(root);
    if ((model.rule == DecisionRule::regression) != (model.classes.classes() == 0) ||
        model.classes.classes() == 1 || (model.rule == DecisionRule::binary && model.classes.classes() != 2))
        fail(Status::model_format, "damaged model: ", model.classes.classes(), " classes");
    model.kind = read_kind(root);
    model.features = read_count(root, "features", 1, largest_count);
    model.training_rows = read_count(root, "training_rows", 1, largest_count);
    model.feature_names = read_texts(root, "feature_names");
    if (!model.feature_names.empty() && size_of(model.feature_names) != model.features) {
        fail(Status::model_format, "damaged model: feature names");
    }
    read_scaler(root, model);
    model.weight_report = read_report(root, "weight_report");
    model.training_report = read_report(root, "training_report");
    model.validation_report = read_report(root, "validation_report");
    const std::string type = read_text(root, "predictor_type");
    const auto reader = readers.find(type);
    if (reader == readers.end())
        fail(Status::model_format, "the model holds a ", in_quotes(type),
             ", which this library does not know");
    model.predictor = reader->second(field(root, "predictor"),
                                     {model.training_rows, model.features, model.classes.classes()});
    const Index count = decision_count(model.rule, model.classes.classes());
    if (model.predictor->decision_count() != count)
        fail(Status::model_format, "damaged model: decision functions");
    const bool calibrated = read_count(root, "calibrated", 0, 1) == 1;
    model.calibration.slopes = read_doubles(root, "slopes", calibrated ? count : 0);
    model.calibration.offsets = read_doubles(root, "sigmoid_offsets", calibrated ? count : 0);
    return model;
}

}  // namespace

Model read_model(std::span<const std::uint8_t> bytes, const PredictorReaders& readers) {
    const auto payload = checked_payload(bytes);
    try {
        return model_from(parse_payload(payload), readers);
    } catch (const Error& error) {
        if (error.status() == Status::model_format) throw;
        fail(Status::model_format, "damaged model: ", error.what());
    } catch (const json::exception& error) {
        fail(Status::model_format, "damaged model: ", error.what());
    }
}

}  // namespace dk
