// SPDX-License-Identifier: Apache-2.0
// The bytes are the text of a grid, and of what is searched. A short one is cross-validated on eight rows.
#include "harness.hpp"

namespace {

using namespace dk_fuzz;

Data eight_rows() {
    const double values[] = {0.0,  1.0, 0.25, 3.0, 0.5, 0.125, 2.0, 1.0,
                             0.75, 1.5, 0.0,  2.5, 3.0, 0.5,   1.0, 0.0};
    const int64_t labels[] = {1, 2, 1, 2, 1, 2, 1, 2};
    Data data = attempt<Data>(dk_data_from_dense, values, int64_t{8}, int64_t{2}, int64_t{2}, DK_ROW_MAJOR);
    succeeded(dk_data_set_labels(data.get(), labels, 8));
    return data;
}

void validate(const std::string& key, const std::string& text, const char* settings) {
    constexpr std::size_t longest_to_run = 60;
    static const Data data = eight_rows();
    const Params params = attempt<Params>(dk_params_create, "svm");
    succeeded(dk_params_parse(params.get(), settings));
    if (!succeeded(dk_params_set(params.get(), key.c_str(), text.c_str())) || text.size() > longest_to_run)
        return;
    const Limits limits(6);
    const Model model = attempt<Model>(dk_cross_validate, data.get(), params.get(), limits.get());
    if (model) attempt_text(dk_model_info, model.get());
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    const std::string text = Choices(bytes, size).rest();
    validate("grid", text, "folds=2 kernel=[rbf(gamma=1),linear] max_iterations=1000");
    validate("tune", text, "folds=2 kernel=rbf max_iterations=1000 trials=3");
    return 0;
}
