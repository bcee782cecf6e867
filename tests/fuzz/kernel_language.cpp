// SPDX-License-Identifier: Apache-2.0
// The bytes are the text of a kernel, or of a bank, which is computed on three rows of each kind of data.
#include "harness.hpp"

namespace {

using namespace dk_fuzz;

std::vector<Data> tiny_data() {
    std::vector<Data> all;
    const double numbers[] = {0.0, 1.0, 0.25, 3.0, 0.5, 0.125, 2.0, 1.0, 0.75};
    all.push_back(
        attempt<Data>(dk_data_from_dense, numbers, int64_t{3}, int64_t{3}, int64_t{3}, DK_ROW_MAJOR));
    const int64_t offsets[] = {0, 1, 3, 3};
    const int64_t columns[] = {1, 0, 2};
    all.push_back(
        attempt<Data>(dk_data_from_csr, offsets, columns, numbers + 1, int64_t{3}, int64_t{3}, int64_t{3}));
    const double similarities[] = {2.0, 1.0, -1.0, 1.0, 2.0, 0.5, -1.0, 0.5, 1.0};
    all.push_back(attempt<Data>(dk_data_from_gram, similarities, int64_t{1}, int64_t{3}, int64_t{3},
                                int64_t{3}, DK_ROW_MAJOR, int64_t{9}, nullptr));
    const int64_t lengths[] = {1, 2, 1};
    all.push_back(attempt<Data>(dk_data_from_series, numbers, lengths, int64_t{3}, int64_t{2}));
    const char* texts[] = {"abracadabra", "", "bär"};
    all.push_back(attempt<Data>(dk_data_from_strings, texts, int64_t{3}));
    const int64_t node_counts[] = {3, 1, 2};
    const int64_t node_labels[] = {5, 5, -1, 5, 0, 5};
    const int64_t edge_counts[] = {2, 0, 1};
    const int64_t edges[] = {0, 1, 1, 2, 0, 1};
    all.push_back(
        attempt<Data>(dk_data_from_graphs, node_counts, node_labels, edge_counts, edges, int64_t{3}));
    return all;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    static const std::vector<Data> all = tiny_data();
    const std::string text = Choices(bytes, size).rest();
    const Params params = attempt<Params>(dk_params_create, "svm");
    succeeded(dk_params_set(params.get(), "kernel", text.c_str()));
    for (const Data& data : all) {
        int64_t count = 0;
        if (!succeeded(dk_kernel_count(&count, data.get(), text.c_str()))) continue;
        require(count >= 1, "a specification makes a kernel");
        if (count > 20) continue;
        const Limits limits(4);
        attempt_values<double>(count * 9, dk_gram, data.get(), nullptr, text.c_str(), limits.get());
    }
    return 0;
}
