// SPDX-License-Identifier: Apache-2.0
// The bytes are choices: a model of any machine that dk_describe lists, and what to change in its description
// and its blocks. The checksum is right. A model that is read works with every call, or says why not.
#include "made_models.hpp"
#include "mutation.hpp"

namespace {

using namespace dk_fuzz;

struct Original {
    Anatomy anatomy;
    std::size_t data;
};

struct Originals {
    std::vector<Data> data = all_data();
    std::vector<Original> models;

    Originals() {
        for (const Made& made : models_of_every_machine(data))
            models.push_back({Anatomy(written(made.model)), made.data});
    }
};

const Originals& originals() {
    static const Originals all;
    return all;
}

}  // namespace

/// Trains the models before libFuzzer looks at how long an input takes.
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments);
int LLVMFuzzerInitialize(int*, char***) {
    originals();
    scratch_folder();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    scratch_folder();
    Choices choices(bytes, size);
    const auto any_model = [&]() -> const Original& {
        return originals().models[choices.position(originals().models.size())];
    };
    const Original& original = any_model();
    Anatomy changed = original.anatomy;
    for (int64_t left = 1 + choices.below(3); left > 0; --left) changed.mutate(choices, any_model().anatomy);
    const Bytes file = changed.file();
    const Limits limits(100000);
    const Model model =
        attempt<Model>(dk_model_read, file.data(), static_cast<int64_t>(file.size()), limits.get());
    if (!model) return 0;
    const Data& data = originals().data[original.data];
    ask_about(model);
    ask_of_rows(model, data, limits);
    ask_with_answers(model, data, limits);
    ask_for_documents(model, data, limits);
    const Bytes first = written(model);
    const Model again =
        attempt<Model>(dk_model_read, first.data(), static_cast<int64_t>(first.size()), limits.get());
    require(again != nullptr, "a model that was written is read");
    require(written(again) == first, "a model that was read is written as it was");
    return 0;
}
