// SPDX-License-Identifier: Apache-2.0
#include "facade.hpp"

#include <new>
#include <utility>

namespace dk_facade {

namespace {

/// The message is read at once: another call on this thread would replace it.
void check(dk_status status) {
    if (status != DK_OK) throw Failure(status, dk_last_error());
}

std::int64_t length_of(std::size_t size) {
    return static_cast<std::int64_t>(size);
}

[[noreturn]] void fail(dk_status status, const std::string& message) {
    throw Failure(status, message);
}

/// An array must hold what the sizes beside it say before libdk reads it.
void require_size(const char* name, std::size_t size, std::int64_t expected) {
    if (expected < 0 || length_of(size) < expected)
        fail(DK_ERR_INVALID_ARGUMENT, std::string(name) + " has " + std::to_string(size) + " elements, " +
                                          std::to_string(expected) + " are needed");
}

/// Two arrays have an element for each row both.
void require_same_size(const char* name, std::size_t size, const char* other, std::size_t expected) {
    if (size != expected)
        fail(DK_ERR_INVALID_ARGUMENT, std::string(name) + " has " + std::to_string(size) + " elements, " +
                                          other + " has " + std::to_string(expected));
}

/// a * b of sizes, -1 when one is negative or the product overflows.
std::int64_t product(std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &out)) return -1;
    return out;
}

/// The text that a function(out, capacity, &needed, ...) writes.
template <typename Function, typename... Arguments>
std::string text_of(Function function, Arguments... arguments) {
    std::int64_t needed = 0;
    check(function(nullptr, 0, &needed, arguments...));
    std::string text(static_cast<std::size_t>(needed), '\0');
    check(function(text.data(), needed, &needed, arguments...));
    text.resize(static_cast<std::size_t>(needed) - 1);
    return text;
}

/// The new dataset of a function(&out, ...).
template <typename Function, typename... Arguments>
NativeData* made(Function function, Arguments... arguments) {
    dk_data* data = nullptr;
    check(function(&data, arguments...));
    return std::make_unique<NativeData>(data).release();
}

dk_control* handle_of(NativeControl* control) {
    return control != nullptr ? control->handle() : nullptr;
}

/// Text as C takes it: what lies behind a zero would be lost without a word.
const char* checked(const std::string& text) {
    if (text.find('\0') != std::string::npos)
        fail(DK_ERR_INVALID_ARGUMENT, "a string holds a zero character");
    return text.c_str();
}

}  // namespace

std::vector<const char*> Strings::pointers() const {
    std::vector<const char*> pointers;
    pointers.reserve(texts_.size());
    for (const std::string& text : texts_) {
        pointers.push_back(checked(text));
    }
    return pointers;
}

NativeControl::NativeControl() {
    dk_control* control = nullptr;
    check(dk_control_create(&control));
    handle_ = {control, dk_control_free};
}

void NativeControl::set_threads(int threads) {
    check(dk_control_set_threads(handle_.get(), threads));
}

void NativeControl::set_memory(std::int64_t megabytes) {
    check(dk_control_set_memory(handle_.get(), megabytes));
}

void NativeControl::set_progress(Progress* progress) {
    listener_ = progress;
    check(dk_control_set_progress(handle_.get(), progress != nullptr ? heard : nullptr, this));
}

void NativeControl::cancel() {
    check(dk_control_cancel(handle_.get()));
}

void NativeControl::reset() {
    check(dk_control_reset(handle_.get()));
}

double NativeControl::progress() const {
    return dk_control_progress(handle_.get());
}

/// Exceptions of a language must not pass through libdk; they wait here until it has returned.
int32_t NativeControl::heard(double fraction, const char* stage, void* user) noexcept {
    auto* self = static_cast<NativeControl*>(user);
    try {
        return self->listener_->report(fraction, stage) ? 0 : 1;
    } catch (...) {
        self->thrown_ = std::current_exception();
        return 1;
    }
}

template <typename Call>
void NativeControl::run(Call call) {
    thrown_ = nullptr;
    const dk_status status = call();
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    check(status);
}

namespace {

template <typename Call>
void run(NativeControl* control, Call call) {
    if (control != nullptr) return control->run(call);
    check(call());
}

}  // namespace

NativeData* NativeData::dense(std::span<const double> x, std::int64_t rows, std::int64_t cols,
                              std::int64_t ld, int layout, bool missing) {
    const std::int64_t lines = layout == DK_COL_MAJOR ? cols : rows;
    const std::int64_t line = layout == DK_COL_MAJOR ? rows : cols;
    if (rows > 0 && cols > 0 && ld >= line) {
        const std::int64_t before = product(lines - 1, ld);
        require_size("x", x.size(), before < 0 ? -1 : before + line);
    }
    return made(missing ? dk_data_from_dense_missing : dk_data_from_dense, x.data(), rows, cols, ld, layout);
}

NativeData* NativeData::csr(std::span<const std::int64_t> row_offsets, std::span<const std::int64_t> columns,
                            std::span<const double> values, std::int64_t cols) {
    require_size("row_offsets", row_offsets.size(), 2);
    require_size("columns", columns.size(), length_of(values.size()));
    return made(dk_data_from_csr, row_offsets.data(), columns.data(), values.data(),
                length_of(row_offsets.size()) - 1, cols, length_of(values.size()));
}

NativeData* NativeData::gram(std::span<const double> x, std::int64_t matrices, std::int64_t rows,
                             std::int64_t cols, int layout, std::span<const double> self) {
    const std::int64_t each = product(rows, cols);
    require_size("x", x.size(), product(matrices, each));
    if (!self.empty()) require_size("self", self.size(), product(matrices, rows));
    return made(dk_data_from_gram, x.data(), matrices, rows, cols, layout == DK_COL_MAJOR ? rows : cols,
                layout, each, self.empty() ? nullptr : self.data());
}

NativeData* NativeData::series(std::span<const double> values, std::span<const std::int64_t> lengths,
                               std::int64_t channels) {
    std::int64_t steps = 0;
    for (const std::int64_t length : lengths) {
        if (length < 0 || __builtin_add_overflow(steps, length, &steps))
            fail(DK_ERR_INVALID_ARGUMENT, "a series has length " + std::to_string(length));
    }
    require_size("values", values.size(), product(steps, channels));
    return made(dk_data_from_series, values.data(), lengths.data(), length_of(lengths.size()), channels);
}

NativeData* NativeData::strings(const Strings& texts) {
    const auto pointers = texts.pointers();
    return made(dk_data_from_strings, pointers.data(), texts.size());
}

NativeData* NativeData::graphs(std::span<const std::int64_t> node_counts,
                               std::span<const std::int64_t> node_labels,
                               std::span<const std::int64_t> edge_counts,
                               std::span<const std::int64_t> edges) {
    const auto total = [](std::span<const std::int64_t> counts) {
        std::int64_t sum = 0;
        for (const std::int64_t count : counts) {
            if (count < 0 || __builtin_add_overflow(sum, count, &sum)) return std::int64_t{-1};
        }
        return sum;
    };
    require_size("edge_counts", edge_counts.size(), length_of(node_counts.size()));
    if (!node_labels.empty()) require_size("node_labels", node_labels.size(), total(node_counts));
    require_size("edges", edges.size(), product(2, total(edge_counts)));
    return made(dk_data_from_graphs, node_counts.data(), node_labels.empty() ? nullptr : node_labels.data(),
                edge_counts.data(), edges.data(), length_of(node_counts.size()));
}

NativeData* NativeData::file(const std::string& path, const std::string& options, NativeControl* control) {
    dk_data* data = nullptr;
    run(control,
        [&] { return dk_data_from_file(&data, checked(path), checked(options), handle_of(control)); });
    return std::make_unique<NativeData>(data).release();
}

NativeData* NativeData::select(std::span<const std::int64_t> rows) const {
    return made(dk_data_select, handle(), rows.data(), length_of(rows.size()));
}

void NativeData::set_labels(std::span<const std::int64_t> labels) {
    check(dk_data_set_labels(handle_.get(), labels.data(), length_of(labels.size())));
}

void NativeData::set_label_names(const Strings& labels) {
    check(dk_data_set_label_names(handle_.get(), labels.pointers().data(), labels.size()));
}

void NativeData::set_targets(std::span<const double> targets) {
    check(dk_data_set_targets(handle_.get(), targets.data(), length_of(targets.size())));
}

void NativeData::set_sample_weights(std::span<const double> weights) {
    check(dk_data_set_sample_weights(handle_.get(), weights.data(), length_of(weights.size())));
}

void NativeData::set_groups(std::span<const std::int64_t> groups) {
    check(dk_data_set_groups(handle_.get(), groups.data(), length_of(groups.size())));
}

void NativeData::set_feature_names(const Strings& names) {
    check(dk_data_set_feature_names(handle_.get(), names.pointers().data(), names.size()));
}

std::int64_t NativeData::rows() const {
    return dk_data_rows(handle());
}

std::int64_t NativeData::cols() const {
    return dk_data_cols(handle());
}

int NativeData::kind() const {
    return dk_data_kind(handle());
}

void NativeData::labels(std::span<std::int64_t> out) const {
    check(dk_data_labels(out.data(), length_of(out.size()), handle()));
}

void NativeData::values(std::span<double> out) const {
    check(dk_data_values(out.data(), length_of(out.size()), handle()));
}

std::string NativeData::feature_name(std::int64_t column) const {
    return text_of(dk_data_feature_name, handle(), column);
}

void NativeData::folds(std::span<std::int64_t> out, std::int64_t count, std::int64_t seed) const {
    check(
        dk_data_folds(out.data(), length_of(out.size()), handle(), count, static_cast<std::uint64_t>(seed)));
}

NativeParams::NativeParams(const std::string& machine) {
    dk_params* params = nullptr;
    check(dk_params_create(&params, checked(machine)));
    handle_ = {params, dk_params_free};
}

void NativeParams::set(const std::string& key, const std::string& value) {
    check(dk_params_set(handle_.get(), checked(key), checked(value)));
}

std::string NativeParams::get(const std::string& key) const {
    return text_of(dk_params_get, handle(), checked(key));
}

NativeModel* NativeModel::train(const NativeData& data, const NativeParams& params, NativeControl* control) {
    dk_model* model = nullptr;
    run(control, [&] { return dk_train(&model, data.handle(), params.handle(), handle_of(control)); });
    return std::make_unique<NativeModel>(model).release();
}

NativeModel* NativeModel::cross_validate(const NativeData& data, const NativeParams& params,
                                         NativeControl* control) {
    dk_model* model = nullptr;
    run(control,
        [&] { return dk_cross_validate(&model, data.handle(), params.handle(), handle_of(control)); });
    return std::make_unique<NativeModel>(model).release();
}

NativeModel* NativeModel::compress(const NativeModel& model, const NativeData& data,
                                   const NativeParams& params, NativeControl* control) {
    dk_model* compressed = nullptr;
    run(control, [&] {
        return dk_compress(&compressed, model.handle_.get(), data.handle(), params.handle(),
                           handle_of(control));
    });
    return std::make_unique<NativeModel>(compressed).release();
}

NativeModel* NativeModel::load(const std::string& path, NativeControl* control) {
    dk_model* model = nullptr;
    run(control, [&] { return dk_model_load(&model, checked(path), handle_of(control)); });
    return std::make_unique<NativeModel>(model).release();
}

NativeModel* NativeModel::read(std::span<const std::uint8_t> bytes, NativeControl* control) {
    dk_model* model = nullptr;
    run(control,
        [&] { return dk_model_read(&model, bytes.data(), length_of(bytes.size()), handle_of(control)); });
    return std::make_unique<NativeModel>(model).release();
}

void NativeModel::save(const std::string& path) const {
    check(dk_model_save(handle_.get(), checked(path)));
}

std::int64_t NativeModel::size() const {
    std::int64_t needed = 0;
    check(dk_model_write(nullptr, 0, &needed, handle_.get()));
    return needed;
}

void NativeModel::write(std::span<std::uint8_t> out) const {
    std::int64_t needed = 0;
    check(dk_model_write(out.data(), length_of(out.size()), &needed, handle_.get()));
}

NativeData* NativeModel::file_like(const std::string& path, const std::string& options,
                                   NativeControl* control) const {
    dk_data* data = nullptr;
    run(control, [&] {
        return dk_data_from_file_like(&data, checked(path), checked(options), handle_.get(),
                                      handle_of(control));
    });
    return std::make_unique<NativeData>(data).release();
}

void NativeModel::predict(std::span<double> out, const NativeData& data, NativeControl* control) const {
    run(control, [&] {
        return dk_predict(out.data(), length_of(out.size()), handle_.get(), data.handle(),
                          handle_of(control));
    });
}

void NativeModel::decision(std::span<double> out, const NativeData& data, NativeControl* control) const {
    run(control, [&] {
        return dk_decision(out.data(), length_of(out.size()), handle_.get(), data.handle(),
                           handle_of(control));
    });
}

void NativeModel::probability(std::span<double> out, const NativeData& data, NativeControl* control) const {
    run(control, [&] {
        return dk_probability(out.data(), length_of(out.size()), handle_.get(), data.handle(),
                              handle_of(control));
    });
}

void NativeModel::explain(std::span<double> out, const NativeData& data, NativeControl* control) const {
    run(control, [&] {
        return dk_explain(out.data(), length_of(out.size()), handle_.get(), data.handle(),
                          handle_of(control));
    });
}

void NativeModel::transform(std::span<double> out, const NativeData& data, NativeControl* control) const {
    run(control, [&] {
        return dk_transform(out.data(), length_of(out.size()), handle_.get(), data.handle(),
                            handle_of(control));
    });
}

void NativeModel::reconstruct(std::span<double> out, const NativeData& data, NativeControl* control) const {
    run(control, [&] {
        return dk_reconstruct(out.data(), length_of(out.size()), handle_.get(), data.handle(),
                              handle_of(control));
    });
}

double NativeModel::score(const NativeData& data, const std::string& metric, NativeControl* control) const {
    double value = 0;
    run(control,
        [&] { return dk_score(&value, handle_.get(), data.handle(), checked(metric), handle_of(control)); });
    return value;
}

void NativeModel::confusion(std::span<std::int64_t> out, const NativeData& data,
                            NativeControl* control) const {
    run(control, [&] {
        return dk_confusion(out.data(), length_of(out.size()), handle_.get(), data.handle(),
                            handle_of(control));
    });
}

std::string NativeModel::info() const {
    return text_of(dk_model_info, handle_.get());
}

std::int64_t NativeModel::class_count() const {
    return dk_model_class_count(handle_.get());
}

std::int64_t NativeModel::feature_count() const {
    return dk_model_feature_count(handle_.get());
}

std::int64_t NativeModel::decision_count() const {
    return dk_model_decision_count(handle_.get());
}

std::int64_t NativeModel::kernel_count() const {
    return dk_model_kernel_count(handle_.get());
}

std::int64_t NativeModel::prototype_count() const {
    return dk_model_prototype_count(handle_.get());
}

std::int64_t NativeModel::transform_count() const {
    return dk_model_transform_count(handle_.get());
}

bool NativeModel::prototype_pairs() const {
    return dk_model_prototype_pairs(handle_.get()) == 1;
}

std::int64_t NativeModel::training_rows() const {
    return dk_model_training_rows(handle_.get());
}

std::int64_t NativeModel::neighbours() const {
    return dk_model_prototype_neighbours(handle_.get());
}

void NativeModel::classes(std::span<std::int64_t> out) const {
    check(dk_model_classes(out.data(), length_of(out.size()), handle_.get()));
}

std::string NativeModel::class_name(std::int64_t position) const {
    return text_of(dk_model_class_name, handle_.get(), position);
}

void NativeModel::kernel_weights(std::span<double> out) const {
    check(dk_model_kernel_weights(out.data(), length_of(out.size()), handle_.get()));
}

std::string NativeModel::kernel_name(std::int64_t kernel) const {
    return text_of(dk_model_kernel_name, handle_.get(), kernel);
}

void NativeModel::prototype_classes(std::span<std::int64_t> out) const {
    check(dk_model_prototype_classes(out.data(), length_of(out.size()), handle_.get()));
}

void NativeModel::prototype_coefficients(std::span<double> out) const {
    check(dk_model_prototype_coefficients(out.data(), length_of(out.size()), handle_.get()));
}

void NativeModel::prototype_coordinates(std::span<double> out) const {
    check(dk_model_prototype_coordinates(out.data(), length_of(out.size()), handle_.get()));
}

void NativeModel::prototype_nearest(std::span<std::int64_t> rows, std::span<double> distances) const {
    require_size("distances", distances.size(), length_of(rows.size()));
    check(dk_model_prototype_nearest(rows.data(), distances.data(), length_of(rows.size()), handle_.get()));
}

void NativeModel::prototype_offsets(std::span<double> shifts, std::span<double> offsets) const {
    require_size("offsets", offsets.size(), length_of(shifts.size()));
    check(dk_model_prototype_offsets(shifts.data(), offsets.data(), length_of(shifts.size()), handle_.get()));
}

std::string version() {
    return dk_version_string();
}

std::string build_info() {
    return dk_build_info();
}

std::string describe() {
    return text_of(dk_describe);
}

std::string status_name(int status) {
    return dk_status_name(status);
}

void require_memory(std::int64_t rows, std::int64_t columns) {
    const std::int64_t bytes = product(product(rows, columns), 8);
    if (bytes == 0) return;
    void* block = bytes > 0 ? ::operator new(static_cast<std::size_t>(bytes), std::nothrow) : nullptr;
    if (block == nullptr)
        fail(DK_ERR_OUT_OF_MEMORY,
             "out of memory: " + std::to_string(rows) + " x " + std::to_string(columns) + " numbers" +
                 (bytes > 0 ? " take " + std::to_string(bytes) + " bytes" : " are too many"));
    // a block that nobody touches is one that a compiler may leave out
    *static_cast<volatile char*>(block) = 0;
    ::operator delete(block);
}

std::int64_t kernel_count(const NativeData& data, const std::string& kernel) {
    std::int64_t count = 0;
    check(dk_kernel_count(&count, data.handle(), checked(kernel)));
    return count;
}

void gram(std::span<double> out, const NativeData& left, const NativeData* right, const std::string& kernel,
          NativeControl* control) {
    run(control, [&] {
        return dk_gram(out.data(), length_of(out.size()), left.handle(),
                       right != nullptr ? right->handle() : nullptr, checked(kernel), handle_of(control));
    });
}

void verification_curve(std::span<double> out, std::span<const double> far, std::span<const double> scores,
                        std::span<const std::int64_t> genuine, std::span<const std::int64_t> clients,
                        NativeControl* control) {
    require_same_size("out", out.size(), "far", far.size());
    require_same_size("genuine", genuine.size(), "scores", scores.size());
    if (!clients.empty()) require_same_size("clients", clients.size(), "scores", scores.size());
    run(control, [&] {
        return dk_verification_curve(out.data(), far.data(), length_of(far.size()), scores.data(),
                                     genuine.data(), clients.empty() ? nullptr : clients.data(),
                                     length_of(scores.size()), handle_of(control));
    });
}

}  // namespace dk_facade
