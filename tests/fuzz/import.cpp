// SPDX-License-Identifier: Apache-2.0
// The bytes are a model file of another program. A model that is made predicts, answers, is written and read
// again, and is written for other programs or refused.
#include "questions.hpp"

namespace {

using namespace dk_fuzz;

/// Three rows of the model's kind, unless they are wide.
Data rows_for(const dk_model* model) {
    constexpr int64_t widest = 512;
    const int64_t features = dk_model_feature_count(model);
    if (features > widest) return nullptr;
    std::vector<double> values;
    for (int64_t value = 0; value < 3 * features; ++value)
        values.push_back(static_cast<double>(value % 7) / 4.0);
    const bool similarities =
        attempt_text(dk_model_info, model).find("\"data\":\"gram\"") != std::string::npos;
    if (similarities)
        return attempt<Data>(dk_data_from_gram, values.data(), int64_t{1}, int64_t{3}, features, features,
                             DK_ROW_MAJOR, 3 * features, values.data());
    return attempt<Data>(dk_data_from_dense, values.data(), int64_t{3}, features, features, DK_ROW_MAJOR);
}

void question(const Model& model) {
    const dk_model* handle = model.get();
    const int64_t prototypes = dk_model_prototype_count(handle);
    const int64_t decisions = dk_model_decision_count(handle);
    require(prototypes == 2 * decisions, "each function has two prototypes");
    ask_about(model);
    const Data data = rows_for(handle);
    if (!data) return;
    const Limits limits(1000);
    ask_of_rows(model, data, limits);
    ask_for_documents(model, data, limits);
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    static const MemoryFile file;
    const Limits limits(40);
    const Model model = attempt<Model>(dk_model_import, file.holding({bytes, size}), "auto", limits.get());
    if (!model) return 0;
    question(model);
    const Bytes first = written(model);
    const Limits others(40);
    const Model again =
        attempt<Model>(dk_model_read, first.data(), static_cast<int64_t>(first.size()), others.get());
    require(again != nullptr, "a model that was written is read");
    require(written(again) == first, "a model that was read is written as it was");
    return 0;
}
