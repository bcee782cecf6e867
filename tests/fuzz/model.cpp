// SPDX-License-Identifier: Apache-2.0
// The bytes are the payload of a model file, which gets the header and the checksum of a whole one. A model
// that is read answers all questions, and is written as the same bytes again and again.
#include "mutation.hpp"

namespace {

using namespace dk_fuzz;

Model read(const Bytes& file) {
    const Limits limits(10);
    return attempt<Model>(dk_model_read, file.data(), static_cast<int64_t>(file.size()), limits.get());
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
    const int64_t features = dk_model_feature_count(model.get());
    for (const Data& data : rows_for(features, dk_model_training_rows(model.get())))
        if (data) ask_of_rows(model, data, Limits(10));
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
