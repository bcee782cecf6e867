// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "abi/guard.hpp"
#include "base/files/files.hpp"
#include "model/file/model_file.hpp"
#include "pipeline/in_use/known_model.hpp"
#include "report/model_warnings.hpp"

using namespace dk;
using namespace dk::abi;

namespace {

const PrototypeSet& prototypes_of(const dk_model* model) {
    return required(model, "model").value.predictor->prototypes();
}

template <typename Count>
int64_t count_of(const dk_model* model, Count count) {
    return model == nullptr ? -1 : count(model->value);
}

void require_position(std::int64_t position, std::int64_t count, const char* what) {
    if (position >= 0 && position < count) return;
    fail(Status::invalid_argument, what, " is ", position, "; allowed is 0 to ", count - 1);
}

}  // namespace

dk_status dk_model_info(char* out, int64_t capacity, int64_t* needed, const dk_model* model) {
    return guarded([&] { write_text(model_info(required(model, "model").value), out, capacity, needed); });
}

dk_status dk_model_warnings(char* out, int64_t capacity, int64_t* needed, const dk_model* model) {
    return guarded([&] {
        const Report told = report_of_warnings(required(model, "model").value);
        write_text(json_text(told), out, capacity, needed);
    });
}

int64_t dk_model_class_count(const dk_model* model) {
    return count_of(model, [](const Model& m) { return m.classes.classes(); });
}

int64_t dk_model_feature_count(const dk_model* model) {
    return count_of(model, [](const Model& m) { return m.features; });
}

int64_t dk_model_decision_count(const dk_model* model) {
    return count_of(model, [](const Model& m) { return m.predictor->decision_count(); });
}

int64_t dk_model_target_count(const dk_model* model) {
    return count_of(model, [](const Model& m) { return m.targets; });
}

int64_t dk_model_kernel_count(const dk_model* model) {
    return count_of(model, [](const Model& m) { return std::ssize(m.kernels); });
}

int64_t dk_model_transform_count(const dk_model* model) {
    return count_of(model, [](const Model& m) { return transform_count(m); });
}

int64_t dk_model_prototype_count(const dk_model* model) {
    return count_of(model, [](const Model& m) { return m.predictor->prototypes().count(); });
}

int32_t dk_model_prototype_pairs(const dk_model* model) {
    return model == nullptr ? -1 : static_cast<int32_t>(model->value.predictor->prototypes_are_pairs());
}

int64_t dk_model_training_rows(const dk_model* model) {
    return count_of(model, [](const Model& m) { return m.training_rows; });
}

int32_t dk_model_task(const dk_model* model) {
    return model == nullptr ? -1 : task_number(model->value.task);
}

int32_t dk_model_fills_missing(const dk_model* model) {
    return model == nullptr ? -1 : static_cast<int32_t>(model->value.parameter("impute") != "none");
}

int32_t dk_model_has_probabilities(const dk_model* model) {
    return model == nullptr ? -1 : static_cast<int32_t>(!model->value.calibration.empty());
}

int64_t dk_model_prototype_neighbours(const dk_model* model) {
    return count_of(model, [](const Model& m) { return m.predictor->prototypes().neighbours; });
}

dk_status dk_model_classes(int64_t* out, int64_t length, const dk_model* model) {
    return guarded([&] {
        const auto& values = required(model, "model").value.classes.values;
        std::ranges::copy(values, required_array(out, "out", length, std::ssize(values)).begin());
    });
}

dk_status dk_model_class_name(char* out, int64_t capacity, int64_t* needed, const dk_model* model,
                              int64_t position) {
    return guarded([&] {
        const Labels& classes = required(model, "model").value.classes;
        require_position(position, classes.classes(), "position");
        write_text(classes.class_name(position), out, capacity, needed);
    });
}

dk_status dk_model_kernel_weights(double* out, int64_t length, const dk_model* model) {
    return guarded([&] {
        const auto& weights = required(model, "model").value.kernel_weights;
        std::ranges::copy(weights, required_array(out, "out", length, std::ssize(weights)).begin());
    });
}

dk_status dk_model_kernel_name(char* out, int64_t capacity, int64_t* needed, const dk_model* model,
                               int64_t kernel) {
    return guarded([&] {
        const auto& kernels = required(model, "model").value.kernels;
        require_position(kernel, std::ssize(kernels), "kernel");
        write_text(kernels[kernel], out, capacity, needed);
    });
}

dk_status dk_model_prototype_classes(int64_t* out, int64_t length, const dk_model* model) {
    return guarded([&] {
        const auto& classes = prototypes_of(model).classes;
        std::ranges::copy(classes, required_array(out, "out", length, std::ssize(classes)).begin());
    });
}

dk_status dk_model_prototype_coefficients(double* out, int64_t length, const dk_model* model) {
    return guarded([&] {
        const Model& value = required(model, "model").value;
        const Index count = value.predictor->prototypes().count();
        prototype_coefficients(value, required_array(out, "out", length, count * value.training_rows));
    });
}

dk_status dk_model_prototype_coordinates(double* out, int64_t length, const dk_model* model) {
    return guarded([&] {
        const Model& value = required(model, "model").value;
        const Index count = value.predictor->prototypes().count();
        prototype_coordinates(value, required_array(out, "out", length, count * value.features));
    });
}

dk_status dk_model_prototype_nearest(int64_t* out_rows, double* out_distances, int64_t length,
                                     const dk_model* model) {
    return guarded([&] {
        const PrototypeSet& set = prototypes_of(model);
        const auto rows = required_array(out_rows, "out_rows", length, std::ssize(set.nearest_rows));
        std::ranges::copy(set.nearest_rows, rows.begin());
        if (out_distances != nullptr) std::ranges::copy(set.nearest_distances, out_distances);
    });
}

dk_status dk_model_normals(double* out, int64_t length, const dk_model* model) {
    return guarded([&] {
        const PrototypeSet& set = prototypes_of(model);
        std::ranges::copy(set.norms, required_array(out, "out", length, set.functions()).begin());
    });
}

dk_status dk_model_dual_coefficients(double* out, int64_t length, const dk_model* model) {
    return guarded([&] {
        const Model& value = required(model, "model").value;
        const Index functions = value.predictor->decision_count();
        const auto all = required_array(out, "out", length, functions * value.training_rows);
        value.predictor->dual_coefficients(view(all.data(), functions, value.training_rows));
    });
}

dk_status dk_model_dual_offsets(double* out, int64_t length, const dk_model* model) {
    return guarded([&] {
        const Model& value = required(model, "model").value;
        const auto offsets = required_array(out, "out", length, value.predictor->decision_count());
        std::ranges::copy(value.predictor->dual_offsets(), offsets.begin());
    });
}

dk_status dk_model_prototype_offsets(double* out_shift, double* out_offset, int64_t length,
                                     const dk_model* model) {
    return guarded([&] {
        const PrototypeSet& set = prototypes_of(model);
        if (length != set.functions()) {
            fail(Status::invalid_argument, "length is ", length, "; it must be ", set.functions());
        }
        if (out_offset != nullptr) std::ranges::copy(prototype_offsets(model->value), out_offset);
        if (out_shift != nullptr) std::ranges::copy(set.shifts, out_shift);
    });
}

dk_status dk_model_save(const dk_model* model, const char* path) {
    return guarded([&] {
        const Model& value = required(model, "model").value;
        replace_file(std::string(required_text(path, "path")), write_model(value));
    });
}

dk_status dk_model_load(dk_model** out, const char* path, dk_control* control) {
    return guarded_create(out, [&] {
        const std::string name(required_text(path, "path"));
        Call call(control, "loading");
        Model model = read_known_model(load_model_bytes(name, call.control()), call.control());
        call.finish();
        return model;
    });
}

dk_status dk_model_write(void* out, int64_t capacity, int64_t* needed, const dk_model* model) {
    return guarded([&] {
        const auto bytes = write_model(required(model, "model").value);
        write_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, out, capacity, needed);
    });
}

dk_status dk_model_read(dk_model** out, const void* bytes, int64_t size, dk_control* control) {
    return guarded_create(out, [&] {
        if (size < 0) fail(Status::invalid_argument, "size is ", size, "; it must be at least 0");
        const auto* begin = &required(static_cast<const std::uint8_t*>(bytes), "bytes");
        Call call(control, "loading");
        Model model = read_known_model({begin, static_cast<std::size_t>(size)}, call.control());
        call.finish();
        return model;
    });
}

void dk_model_free(dk_model* model) {
    const std::unique_ptr<dk_model> owned(model);
}
