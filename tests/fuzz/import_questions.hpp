// SPDX-License-Identifier: Apache-2.0
// This header makes a model of another program's file, asks it everything, writes it and reads it again.
#ifndef DK_TESTS_FUZZ_IMPORT_QUESTIONS_HPP
#define DK_TESTS_FUZZ_IMPORT_QUESTIONS_HPP

#include "questions.hpp"

namespace dk_fuzz {

/// Three rows of the model's kind, unless they are wide.
inline Data rows_for(const dk_model* model) {
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

inline void ask_imported(const Model& model) {
    const dk_model* handle = model.get();
    require(dk_model_prototype_count(handle) == 2 * dk_model_decision_count(handle),
            "each function has two prototypes");
    ask_about(model);
    const Data data = rows_for(handle);
    if (!data) return;
    const Limits limits(1000);
    ask_of_rows(model, data, limits);
    ask_for_documents(model, data, limits);
}

/// The bytes are a file of another program. A model that is made of it predicts, answers, is written and read
/// again, and is written for other programs or refused.
inline void import_and_ask(std::span<const uint8_t> bytes, const char* options) {
    static const MemoryFile file;
    const Limits limits(40);
    const Model model = attempt<Model>(dk_model_import, file.holding(bytes), options, limits.get());
    if (!model) return;
    ask_imported(model);
    const Bytes first = written(model);
    const Limits others(40);
    const Model again =
        attempt<Model>(dk_model_read, first.data(), static_cast<int64_t>(first.size()), others.get());
    require(again != nullptr, "a model that was written is read");
    require(written(again) == first, "a model that was read is written as it was");
}

}  // namespace dk_fuzz

#endif  // DK_TESTS_FUZZ_IMPORT_QUESTIONS_HPP
