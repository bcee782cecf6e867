// SPDX-License-Identifier: Apache-2.0
#include "model/file/model_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "base/unicode.hpp"
#include "base/usable_name.hpp"
#include "model/archive/archive.hpp"
#include "model/archive/byte_order.hpp"
#include "model/file/predictor_readers.hpp"
#include "model/file/preparation_archive.hpp"

namespace dk {

namespace {

constexpr std::array<std::uint8_t, 8> magic{'D', 'K', 'M', 'O', 'D', 'E', 'L', 0};
constexpr std::uint32_t major_version = 4;
constexpr std::uint32_t minor_version = 0;
constexpr std::size_t checksum_at = 24;

/// Computes the CRC-32 of the header, without the checksum itself, and of the payload.
std::uint32_t checksum(std::span<const std::uint8_t> bytes, Control& control) {
    uLong crc = crc32_z(0, bytes.data(), checksum_at);
    constexpr std::size_t most_at_once = std::size_t{1} << 24U;
    for (auto rest = bytes.subspan(model_header_size); !rest.empty();) {
        control.check();
        const auto piece = rest.first(std::min(rest.size(), most_at_once));
        crc = crc32_z(crc, piece.data(), piece.size());
        rest = rest.subspan(piece.size());
    }
    return static_cast<std::uint32_t>(crc);
}

void write_labels(ArchiveWriter out, const Labels& classes) {
    out.count("count", classes.classes());
    out.indices("values", std::vector<Index>(classes.values.begin(), classes.values.end()));
    out.texts("names", classes.names);
}

/// Reads names that are shown to people. That of an indicator is the column's with the category behind it.
std::vector<std::string> read_names(const ArchiveReader& in, const std::string& key) {
    std::vector<std::string> names = in.texts(key);
    for (const std::string& name : names) {
        if (name.size() > longest_indicator_name || !is_utf8(name))
            fail(Status::model_format, "damaged model: the name ", in_quotes(name), " of ", name.size(),
                 " bytes in field ", in_quotes(key));
    }
    return names;
}

Labels read_labels(const ArchiveReader& in) {
    Labels classes;
    const Index count = in.count("count", 0, largest_count);
    constexpr Index any = std::numeric_limits<Index>::max();
    const auto values = in.indices("values", count, -any - 1, any);
    classes.values.assign(values.begin(), values.end());
    classes.names = read_names(in, "names");
    if (!classes.names.empty() && std::ssize(classes.names) != count)
        fail(Status::model_format, "damaged model: class names");
    return classes;
}

void write_nonconformity(ArchiveWriter out, const Nonconformity& nonconformity) {
    std::vector<Index> rows;
    std::vector<double> scores;
    for (const auto& of_class : nonconformity.scores) {
        rows.push_back(std::ssize(of_class));
        scores.insert(scores.end(), of_class.begin(), of_class.end());
    }
    out.count("lists", std::ssize(rows));
    out.indices("rows", rows);
    out.doubles("scores", scores);
}

/// Reads the scores of rows that training had not seen, one list or one for each class.
Nonconformity read_nonconformity(const ArchiveReader& in, Index classes) {
    Nonconformity nonconformity;
    const Index lists = in.count("lists", 1, std::max<Index>(classes, 1));
    const auto rows = in.indices("rows", lists, 0, largest_count);
    Index all = 0;
    for (const Index n : rows) {
        all += n;
        if (all > largest_count) fail(Status::model_format, "damaged model: ", all, " held-out rows");
    }
    const auto scores = in.doubles("scores", all);
    auto next = scores.begin();
    for (const Index n : rows) {
        nonconformity.scores.emplace_back(next, next + n);
        next += n;
        if (!std::ranges::is_sorted(nonconformity.scores.back()))
            fail(Status::model_format, "damaged model: scores of held-out rows do not ascend");
    }
    if (nonconformity.by_class() && lists != classes)
        fail(Status::model_format, "damaged model: ", lists, " lists of held-out rows for ", classes,
             " classes");
    return nonconformity;
}

void write_answers(ArchiveWriter out, const KeptAnswers& answers) {
    out.indices("classes", answers.classes);
    out.doubles("targets", answers.targets);
    out.count("weighed", answers.weights.empty() ? 0 : 1);
    out.doubles("weights", answers.weights);
}

/// Reads what is known of so many kept rows.
KeptAnswers read_answers(const ArchiveReader& in, Index rows, const Model& model) {
    KeptAnswers answers;
    const Index classes = model.classes.classes();
    answers.classes = in.indices("classes", model.task == "classification" ? rows : 0, 0, classes - 1);
    answers.targets = in.doubles("targets", model.task == "regression" ? rows * model.targets : 0);
    answers.weights = in.doubles("weights", in.count("weighed", 0, 1) == 1 ? rows : 0);
    if (!std::ranges::all_of(answers.weights, [](double weight) { return weight >= 0; }))
        fail(Status::model_format, "damaged model: a row has a negative weight");
    return answers;
}

/// Writes the lower triangle of the square alone.
void write_sums(ArchiveWriter out, const LandmarkSums& sums) {
    std::vector<double> triangle;
    for (Index i = 0; i < sums.landmarks(); ++i)
        triangle.insert(triangle.end(), sums.square.row(i), sums.square.row(i) + i + 1);
    out.doubles("weight", {&sums.weight, 1});
    out.doubles("square", triangle);
    out.doubles("right", {sums.right.data(), static_cast<std::size_t>(sums.right.size())});
    out.doubles("values", as_span(sums.values));
    out.doubles("targets", {sums.targets.data(), static_cast<std::size_t>(sums.targets.size())});
    out.doubles("C", {&sums.cost, 1});
}

/// Reads the sums over all rows that a model of so many landmarks and functions has learned from.
LandmarkSums read_sums(const ArchiveReader& in, Index landmarks, Index functions, Control& control) {
    control.memory().require(16.0 * static_cast<double>(landmarks) * static_cast<double>(landmarks),
                             text("sums of ", landmarks, " landmarks"));
    const auto triangle = in.doubles("square", landmarks * (landmarks + 1) / 2);
    const auto right = in.doubles("right", landmarks * functions);
    // Before rows had weights, their number stood here.
    const double weight = in.has("weight") ? in.doubles("weight", 1).front()
                                           : static_cast<double>(in.count("rows", landmarks, largest_count));
    LandmarkSums sums{.weight = weight,
                      .square = LargeMatrix(landmarks, landmarks),
                      .right = view(right.data(), landmarks, functions),
                      .values = as_vector(in.doubles("values", landmarks)),
                      .targets = as_vector(in.doubles("targets", functions)).transpose(),
                      .cost = in.doubles("C", 1).front()};
    auto next = triangle.begin();
    for (Index i = 0; i < landmarks; ++i) {
        for (Index j = 0; j <= i; ++j) sums.square(i, j) = sums.square(j, i) = *next++;
    }
    if (!(sums.cost > 0) || !(sums.weight > 0) || (sums.square.view().diagonal().array() < 0).any())
        fail(Status::model_format, "damaged model: sums over rows that are none");
    return sums;
}

DecisionRule read_rule(const ArchiveReader& in) {
    const std::string name = in.text("rule");
    for (const auto rule : {DecisionRule::binary, DecisionRule::one_vs_one, DecisionRule::one_vs_rest,
                            DecisionRule::largest, DecisionRule::labels, DecisionRule::regression}) {
        if (name_of(rule) == name) return rule;
    }
    fail(Status::model_format, "damaged model: decision rule ", in_quotes(name));
}

DataKind read_kind(const ArchiveReader& in) {
    const std::string name = in.text("data");
    for (const auto kind : all_data_kinds) {
        if (name_of(kind) == name) return kind;
    }
    fail(Status::model_format, "damaged model: kind of data ", in_quotes(name));
}

void describe_model(ArchiveWriter out, const Model& model) {
    out.text("machine", model.machine);
    out.text("task", model.task);
    out.pairs("parameters", model.parameters);
    out.text("kernel", model.kernel);
    out.texts("kernels", model.kernels);
    out.doubles("kernel_weights", model.kernel_weights);
    write_labels(out.object("classes"), model.classes);
    out.text("rule", name_of(model.rule));
    if (model.targets > 1) out.count("targets", model.targets);
    out.count("calibrated", model.calibration.empty() ? 0 : 1);
    out.doubles("slopes", model.calibration.slopes);
    out.doubles("sigmoid_offsets", model.calibration.offsets);
    if (!model.nonconformity.empty()) write_nonconformity(out.object("nonconformity"), model.nonconformity);
    out.text("data", name_of(model.kind));
    out.count("features", model.features);
    out.count("training_rows", model.training_rows);
    out.texts("feature_names", model.feature_names);
    if (!model.reading.empty()) out.pairs("reading", model.reading);
    if (!model.warnings.empty()) out.pairs("warnings", model.warnings);
    write_preparation(out, model.preparation);
    out.text("weight_report", model.weight_report);
    out.text("training_report", model.training_report);
    out.text("validation_report", model.validation_report);
    if (model.choice_report != "{}") out.text("choice_report", model.choice_report);
    if (model.threshold_report != "{}") out.text("threshold_report", model.threshold_report);
    if (model.novelty) model.novelty->write(out.object("novelty"));
    if (model.kept_answers) write_answers(out.object("answers"), *model.kept_answers);
    if (model.sums) write_sums(out.object("sums"), *model.sums);
    out.text("predictor_type", model.predictor->type());
    model.predictor->write(out.object("predictor"));
}

/// Gives the version of the format from which on readers know all that the model is made of. Version 2 has
/// layers, scaled rows and columns of sparse rows, version 3 ranks of columns, and version 4 several targets
/// or labels, without which a reader would predict something else.
std::uint32_t version_for(const Model& model) {
    const Preparation& way = model.preparation;
    if (model.targets > 1 || model.rule == DecisionRule::labels) return major_version;
    if (!way.scaler.ranks.empty()) return 3;
    const bool known_to_first =
        way.layers.empty() && way.scaler.rows == RowScale::none && !way.scaler.divides_only();
    return known_to_first ? 1 : 2;
}

}  // namespace

std::vector<std::uint8_t> write_model(const Model& model) {
    Archive archive;
    describe_model(archive.writer(), model);
    const auto payload = archive.take_payload();
    std::vector<std::uint8_t> bytes(magic.begin(), magic.end());
    bytes.reserve(model_header_size + payload.size());
    put_little_endian(bytes, version_for(model), 4);
    put_little_endian(bytes, minor_version, 4);
    put_little_endian(bytes, payload.size(), 8);
    put_little_endian(bytes, 0, 4);  // The checksum takes this place when all else is written.
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    std::vector<std::uint8_t> crc;
    Control uninterrupted;
    put_little_endian(crc, checksum(bytes, uninterrupted), 4);
    std::ranges::copy(crc, bytes.begin() + checksum_at);
    return bytes;
}

void require_finite_numbers(const Model& model) {
    Archive looked_at;
    describe_model(looked_at.checker(), model);
}

std::uint64_t payload_size(std::span<const std::uint8_t> header) {
    if (header.size() < magic.size() || !std::equal(magic.begin(), magic.end(), header.begin())) {
        fail(Status::model_format, "this is no libdk model: the first bytes are not \"DKMODEL\"");
    }
    if (header.size() < model_header_size)
        fail(Status::model_format, "truncated model: ", header.size(), " bytes");
    const auto version = little_endian_at(header, 8, 4);
    if (version > major_version) {
        fail(Status::model_format, "the model has format version ", version, ", this library reads up to ",
             major_version);
    }
    return little_endian_at(header, 16, 8);
}

namespace {

std::span<const std::uint8_t> checked_payload(std::span<const std::uint8_t> bytes, Control& control) {
    const auto length = payload_size(bytes);
    if (length != bytes.size() - model_header_size) {
        fail(Status::model_format, "truncated or damaged model: payload of ",
             bytes.size() - model_header_size, " bytes, header says ", length);
    }
    if (little_endian_at(bytes, checksum_at, 4) != checksum(bytes, control))
        fail(Status::model_format, "damaged model: the checksum does not match");
    return bytes.subspan(model_header_size);
}

std::unique_ptr<Predictor> read_predictor(const ArchiveReader& in, const ReadingContext& context) {
    const std::string type = in.text("predictor_type");
    const auto reader = predictor_readers().find(type);
    if (reader == predictor_readers().end())
        fail(Status::model_format, "the model holds a ", in_quotes(type),
             ", which this library does not know");
    return reader->second(in.object("predictor"), context);
}

/// Throws Error(model_format) where the rule can't elect one of these classes, or labels have no names of
/// their own.
void require_fitting(DecisionRule rule, const Labels& known) {
    const Index classes = known.classes();
    if ((rule == DecisionRule::regression) != (classes == 0) ||
        (rule != DecisionRule::labels && classes == 1) || (rule == DecisionRule::binary && classes != 2))
        fail(Status::model_format, "damaged model: ", classes, " classes");
    const std::set<std::string_view> names(known.names.begin(), known.names.end());
    if (rule == DecisionRule::labels && std::ssize(names) != classes)
        fail(Status::model_format, "damaged model: labels without a name of their own");
}

/// Tells whether rows of this kind can be scaled so.
bool scales(const Scaler& scaler, DataKind kind) {
    if (kind == DataKind::dense) return !scaler.divides_only();
    if (scaler.identity()) return true;
    return kind == DataKind::sparse && scaler.shift.empty() && scaler.fill.empty() && scaler.ranks.empty() &&
           scaler.rows != RowScale::standard;
}

/// Sentences that are shown to people move no cursor.
Assignments read_warnings(const ArchiveReader& in) {
    Assignments warnings = in.pairs("warnings");
    for (const auto& [about, sentence] : warnings) {
        if (!is_plain(about) || !is_plain(sentence))
            fail(Status::model_format, "damaged model: a warning has control characters or is no UTF-8");
    }
    return warnings;
}

/// Gives the kind of rows that the machine was given: layers make dense ones.
DataKind prepared_kind(const Model& model) {
    return model.preparation.layers.empty() ? model.kind : DataKind::dense;
}

Index required_kept_rows(const Predictor& predictor) {
    if (const Dataset* rows = predictor.kept_rows()) return rows->rows();
    fail(Status::model_format, "damaged model: it has answers of rows that it does not keep");
}

Model model_from(const ArchiveReader& in, Control& control) {
    Model model;
    model.machine = in.text("machine");
    model.task = in.text("task");
    model.parameters = in.pairs("parameters");
    // These are asked of every model; this throws where one is missing.
    for (const char* name : {"weights", "impute"}) model.parameter(name);
    model.kernel = in.text("kernel");
    model.kernels = in.texts("kernels");
    model.kernel_weights = in.doubles("kernel_weights", std::ssize(model.kernels));
    model.classes = read_labels(in.object("classes"));
    model.rule = read_rule(in);
    require_fitting(model.rule, model.classes);
    if (in.has("targets")) model.targets = in.count("targets", 2, largest_count);
    if (in.has("nonconformity"))
        model.nonconformity = read_nonconformity(in.object("nonconformity"), model.classes.classes());
    model.kind = read_kind(in);
    model.features = in.count("features", 1, largest_count);
    model.training_rows = in.count("training_rows", 1, largest_count);
    model.feature_names = read_names(in, "feature_names");
    if (!model.feature_names.empty() && std::ssize(model.feature_names) != model.features)
        fail(Status::model_format, "damaged model: feature names");
    if (in.has("reading")) model.reading = in.pairs("reading");
    if (in.has("warnings")) model.warnings = read_warnings(in);
    model.preparation = read_preparation(in, {model.training_rows, model.features, 0, model.kind, control});
    if (!scales(model.preparation.scaler, model.kind))
        fail(Status::model_format, "damaged model: it scales rows of ", name_of(model.kind), " data");
    model.weight_report = in.json_text("weight_report");
    model.training_report = in.json_text("training_report");
    model.validation_report = in.json_text("validation_report");
    if (in.has("choice_report")) model.choice_report = in.json_text("choice_report");
    if (in.has("threshold_report")) model.threshold_report = in.json_text("threshold_report");
    const ReadingContext context{model.training_rows, model.preparation.outputs(model.features),
                                 model.classes.classes(), prepared_kind(model), control};
    model.predictor = read_predictor(in, context);
    if (in.has("novelty"))
        model.novelty = std::make_shared<const NoveltyReference>(
            read_novelty(in.object("novelty"), model.predictor->kernel(), context));
    if (in.has("answers"))
        model.kept_answers = std::make_shared<const KeptAnswers>(
            read_answers(in.object("answers"), required_kept_rows(*model.predictor), model));
    const Index count = model.predictor->decision_count();
    const bool several_labels = model.rule == DecisionRule::labels;
    const bool any_number = model.rule == DecisionRule::regression && count > 0;
    const bool fits_targets =
        (model.targets == 1 && !several_labels) ||
        ((any_number || several_labels) && model.targets == count && model.nonconformity.empty());
    if (!fits_targets) fail(Status::model_format, "damaged model: ", model.targets, " targets");
    if (!any_number && count != decision_count(model.rule, model.classes.classes()))
        fail(Status::model_format, "damaged model: decision functions");
    if (in.has("sums")) {
        if (!model.kept_answers) fail(Status::model_format, "damaged model: sums without answers");
        model.sums = std::make_shared<const LandmarkSums>(
            read_sums(in.object("sums"), required_kept_rows(*model.predictor), count, control));
    }
    const bool calibrated = in.count("calibrated", 0, 1) == 1;
    model.calibration.slopes = in.doubles("slopes", calibrated ? count : 0);
    model.calibration.offsets = in.doubles("sigmoid_offsets", calibrated ? count : 0);
    return model;
}

}  // namespace

Model read_model(std::span<const std::uint8_t> bytes, Control& control) {
    const auto payload = checked_payload(bytes, control);
    try {
        const Archive archive(payload, control);
        return model_from(archive.reader(), control);
    } catch (const Error& error) {
        constexpr std::array passed_on{Status::model_format, Status::memory_budget, Status::cancelled};
        if (std::ranges::find(passed_on, error.status()) != passed_on.end()) throw;
        fail(Status::model_format, "damaged model: ", error.what());
    }
}

}  // namespace dk
