// SPDX-License-Identifier: Apache-2.0
// This header makes small models of every machine that dk_describe lists, of every kind of data that it
// takes, and of what models have beside their machine: scaling, layers, banks, probabilities, sets, novelty.
#ifndef DK_TESTS_FUZZ_MADE_MODELS_HPP
#define DK_TESTS_FUZZ_MADE_MODELS_HPP

#include <nlohmann/json.hpp>

#include "harness.hpp"
#include "structures.hpp"

namespace dk_fuzz {

/// A model, and the position of its training data.
struct Made {
    Model model;
    std::size_t data;
};

/// Gives rows of every kind, of two classes and of three, which have targets too.
inline std::vector<Data> all_data() {
    using namespace dk_test;
    constexpr int64_t rows = 9;
    const Problem two = make_problem(rows, 2, 2, 2.0, 1);
    std::vector<Data> all;
    all.push_back(dense(two));
    all.push_back(dense(make_problem(rows, 3, 3, 2.0, 2)));
    all.push_back(sparse(two));
    all.push_back(series(rows, 2, 3));
    all.push_back(strings(rows, 4));
    all.push_back(graphs(rows, 5));
    const Limits limits(100000);
    all.push_back(gram(
        values_of<double>(rows * rows, dk_gram, all.front().get(), nullptr, "rbf(gamma=1)", limits.get()),
        rows, rows));
    check(dk_data_set_labels(all.back().get(), two.labels.data(), rows));
    for (const Data& data : all) check(dk_data_set_targets(data.get(), two.x.data(), rows));
    return all;
}

/// Trains with settings that make training brief where the machine has them, or else with its own.
inline Model brief_model(const Data& data, const char* machine, const char* settings) {
    for (const bool brief : {true, false}) {
        const Params params = attempt<Params>(dk_params_create, machine);
        static constexpr const char* all[] = {"neighbours=1", "epochs=2", "max_rounds=3", "prototypes=2",
                                              "atoms=2",      "hidden=3", "components=2", "candidates=3"};
        for (const char* one : all) {
            if (brief) succeeded(dk_params_parse(params.get(), one));
        }
        if (!succeeded(dk_params_parse(params.get(), settings))) return nullptr;
        const Limits limits(100000);
        Model model = attempt<Model>(dk_train, data.get(), params.get(), limits.get());
        if (model) return model;
    }
    return nullptr;
}

inline void add_model(std::vector<Made>& models, const std::vector<Data>& data, std::size_t of,
                      const char* machine, const char* settings) {
    Model model = brief_model(data[of], machine, settings);
    if (model) models.push_back({std::move(model), of});
}

/// The first models are those of the machines, as their kernels for a kind of data are by default.
inline std::vector<Made> models_of_every_machine(const std::vector<Data>& data) {
    std::vector<Made> models;
    const auto described = nlohmann::json::parse(dk_test::text_of(dk_describe));
    for (const auto& machine : described.at("machines")) {
        const std::string name = machine.at("name");
        const std::size_t before = models.size();
        for (std::size_t of = 0; of < data.size(); ++of) add_model(models, data, of, name.c_str(), "");
        require(models.size() > before, "a machine that is described trains on rows of some kind");
    }
    struct Wanted {
        std::size_t data;
        const char* machine;
        const char* settings;
    };
    static constexpr Wanted others[] = {
        {0, "svm",
         "kernel=[linear,rbf(gamma=1)] weights=dimkl1 probability=yes folds=2 scale=standard impute=mean"},
        {1, "svm",
         "kernel=rbf(gamma=1) probability=yes folds=2 multiclass=ovr confidence=0.5 confidence_by_class=yes"},
        {1, "svm",
         "multiclass=ovo calibration=temperature probability=yes folds=2 novelty=yes updatable=yes"},
        {1, "kelm", "kernel=rbf(gamma=1) updatable=yes novelty=yes"},
        {0, "kernel_ridge", "kernel=poly(degree=2) updatable=yes confidence=0.5 folds=2"},
        {0, "kelm", "kernel=rbf(gamma=1) solver=falkon landmarks=4 updatable=yes"},
        {0, "svm", "kernel=lowrank(rbf(gamma=1),rank=3)"},
        {0, "svm", "kernel=lowrank(rbf(gamma=1),rank=4,method=random)"},
        {0, "svm", "kernel=corrected(sigmoid(gamma=1,coef0=-1))"},
        {0, "mean_of_class", "kernel=center(arccos(1,0)) scale=ranks"},
        {0, "mean_of_class", "kernel=0.3*normalize(poly)+exp(linear)*on(0,circular)"},
        {0, "mean_of_class",
         "scale_rows=l2 layers=[kernel_pca([rbf(gamma=1),linear],components=3),anova_f(2)]"},
        {0, "svm", "layers=large_margin(max_iterations=3)"},
        {4, "mean_of_class", "layers=kernel_pca(normalize(spectrum(length=2)),components=2)"},
        {4, "svm", "kernel=[normalize(spectrum),edit]"},
        {6, "svm", "kernel=center(gram(0)) spectrum=clip"},
        {0, "svm", "miss_cost=2 folds=2"},
        {0, "svm", "tune=C folds=2 trials=3"}};
    for (const Wanted& wanted : others) {
        const std::size_t before = models.size();
        add_model(models, data, wanted.data, wanted.machine, wanted.settings);
        require(models.size() > before, "a model with settings of its own is trained");
    }
    return models;
}

}  // namespace dk_fuzz

#endif  // DK_TESTS_FUZZ_MADE_MODELS_HPP
