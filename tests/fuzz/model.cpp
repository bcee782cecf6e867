// SPDX-License-Identifier: Apache-2.0
// The bytes are the payload of a model file, which gets the header and the checksum of a whole one. A model
// that is read answers all questions, and is written as the same bytes again and again.
#include <zlib.h>

#include "harness.hpp"

namespace {

using namespace dk_fuzz;

using Bytes = std::vector<uint8_t>;

Bytes sealed(std::span<const uint8_t> payload) {
    constexpr std::size_t checksum_at = 24;
    Bytes file{'D', 'K', 'M', 'O', 'D', 'E', 'L', 0};
    const auto put = [&file](uint64_t value, int count) {
        for (int byte = 0; byte < count; ++byte) file.push_back(static_cast<uint8_t>(value >> (8 * byte)));
    };
    put(1, 4);
    put(0, 4);
    put(payload.size(), 8);
    uLong crc = crc32_z(0, file.data(), checksum_at);
    crc = crc32_z(crc, payload.data(), payload.size());
    put(crc, 4);
    file.insert(file.end(), payload.begin(), payload.end());
    return file;
}

Model read(const Bytes& file) {
    const Limits limits(10);
    return attempt<Model>(dk_model_read, file.data(), static_cast<int64_t>(file.size()), limits.get());
}

Bytes written(const Model& model) {
    int64_t needed = 0;
    if (!succeeded(dk_model_write(nullptr, 0, &needed, model.get()))) return {};
    Bytes file(static_cast<std::size_t>(needed));
    require(succeeded(dk_model_write(file.data(), needed, &needed, model.get())),
            "a model that has a size is written");
    return file;
}

/// Asks for an array of rows x cols elements unless they are many.
template <typename Element, typename Function, typename... Arguments>
void ask(int64_t rows, int64_t cols, Function function, Arguments... arguments) {
    require(rows >= 0 && cols >= 0, "counts are not negative");
    if (cols > 0 && rows > most_elements / cols) return;
    attempt_values<Element>(rows * cols, function, arguments...);
}

void ask_about(const Model& model) {
    const dk_model* handle = model.get();
    const int64_t prototypes = dk_model_prototype_count(handle);
    const int64_t kernels = dk_model_kernel_count(handle);
    const int64_t classes = dk_model_class_count(handle);
    attempt_text(dk_model_info, handle);
    attempt_text(dk_model_warnings, handle);
    ask<int64_t>(classes, 1, dk_model_classes, handle);
    if (classes > 0) attempt_text(dk_model_class_name, handle, classes - 1);
    ask<double>(kernels, 1, dk_model_kernel_weights, handle);
    if (kernels > 0) attempt_text(dk_model_kernel_name, handle, kernels - 1);
    ask<int64_t>(prototypes, 1, dk_model_prototype_classes, handle);
    ask<double>(prototypes, dk_model_training_rows(handle), dk_model_prototype_coefficients, handle);
    ask<double>(prototypes, dk_model_feature_count(handle), dk_model_prototype_coordinates, handle);
    const auto nearest = [handle](int64_t* out, int64_t length) {
        std::vector<double> distances(static_cast<std::size_t>(length));
        return dk_model_prototype_nearest(out, distances.data(), length, handle);
    };
    ask<int64_t>(prototypes, dk_model_prototype_neighbours(handle), nearest);
    const auto offsets = [handle](double* out, int64_t length) {
        return dk_model_prototype_offsets(out, nullptr, length, handle);
    };
    ask<double>(dk_model_decision_count(handle), 1, offsets);
    ask<double>(dk_model_decision_count(handle), 1, dk_model_normals, handle);
    require(dk_model_prototype_pairs(handle) >= 0, "a model has pairs or not");
}

/// Makes three rows of each kind of data with so many features, or so many training rows. A model takes one
/// kind and refuses the others.
std::vector<Data> rows_for(int64_t features, int64_t training_rows) {
    constexpr int64_t widest = 512;
    constexpr int64_t rows = 3;
    std::vector<Data> all;
    const char* texts[] = {"abcab", "", "aä"};
    all.push_back(attempt<Data>(dk_data_from_strings, texts, rows));
    const int64_t node_counts[] = {2, 1, 1};
    const int64_t edge_counts[] = {1, 0, 0};
    const int64_t edges[] = {0, 1};
    all.push_back(attempt<Data>(dk_data_from_graphs, node_counts, nullptr, edge_counts, edges, rows));
    std::vector<double> values;
    for (int64_t value = 0; value < rows * widest; ++value)
        values.push_back(static_cast<double>(value % 7) / 4.0);
    if (features <= widest) {
        all.push_back(
            attempt<Data>(dk_data_from_dense_missing, values.data(), rows, features, features, DK_ROW_MAJOR));
        const int64_t lengths[] = {1, 1, 1};
        all.push_back(attempt<Data>(dk_data_from_series, values.data(), lengths, rows, features));
        const int64_t row_offsets[] = {0, 1, 1, 2};
        const int64_t columns[] = {0, features - 1};
        all.push_back(attempt<Data>(dk_data_from_csr, row_offsets, columns, values.data() + 1, rows, features,
                                    int64_t{2}));
    }
    if (training_rows <= widest) {
        all.push_back(attempt<Data>(dk_data_from_gram, values.data(), int64_t{1}, rows, training_rows,
                                    training_rows, DK_ROW_MAJOR, rows * training_rows, values.data()));
    }
    return all;
}

void predict(const Model& model) {
    const dk_model* handle = model.get();
    for (const Data& data : rows_for(dk_model_feature_count(handle), dk_model_training_rows(handle))) {
        const Limits limits(10);
        ask<double>(3, 1, dk_predict, handle, data.get(), limits.get());
        ask<double>(3, dk_model_decision_count(handle), dk_decision, handle, data.get(), limits.get());
        ask<double>(3, dk_model_class_count(handle), dk_probability, handle, data.get(), limits.get());
        const int64_t classes = dk_model_class_count(handle);
        const auto predict_set = [](double* out, int64_t length, const dk_model* of, const dk_data* rows,
                                    dk_control* control) {
            return dk_predict_set(out, length, of, rows, 0.5, control);
        };
        ask<double>(3, classes > 0 ? classes : 2, predict_set, handle, data.get(), limits.get());
        ask<double>(3, dk_model_prototype_count(handle), dk_explain, handle, data.get(), limits.get());
        ask<double>(3, dk_model_transform_count(handle), dk_transform, handle, data.get(), limits.get());
    }
}

/// Reads a file as the model's own training file was read.
void read_like(const Model& model) {
    static const MemoryFile file;
    static constexpr std::string_view table = "f1,f2,f3,label\n1,2,3,a\n4,5,6,b\n";
    const auto* bytes = reinterpret_cast<const uint8_t*>(table.data());
    const Limits limits(10);
    const Data data = attempt<Data>(dk_data_from_file_like, file.holding({bytes, table.size()}), nullptr,
                                    model.get(), limits.get());
    if (data) look_at(data);
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    const Model model = read(sealed({bytes, size}));
    if (!model) return 0;
    ask_about(model);
    predict(model);
    read_like(model);
    const Bytes first = written(model);
    const Model again = read(first);
    require(again != nullptr, "a model that was written is read");
    require(written(again) == first, "a model that was read is written as it was");
    return 0;
}
