// SPDX-License-Identifier: Apache-2.0
#include "prototype_learners.hpp"

#include <charconv>
#include <cmath>
#include <optional>

#include "learning.hpp"
#include "model_view.hpp"

namespace command {
namespace {

std::string shortest_text(double value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

// Looks for the model with the least limit that has at most so many prototypes. The limits that it tries lie
// between one that leaves too many prototypes and one that leaves few enough.
class Search {
  public:
    Search(Control& control, const Data& data, int64_t most) : control_(control), data_(data), most_(most) {}

    // Trains with a limit, keeps the model if it has few enough prototypes, and says whether it has.
    bool fits(Settings settings, const std::string& key, double value) {
        const std::string text = shortest_text(value);
        settings.set(key, text);
        Model model = learned(control_, data_, settings);
        if (model.prototype_count() > most_) return false;
        best_ = Learned{std::move(model), key + "=" + text};
        return true;
    }
    bool found() const { return best_.has_value(); }
    Learned take() { return std::move(*best_); }

  private:
    Control& control_;
    const Data& data_;
    int64_t most_;
    std::optional<Learned> best_;
};

// Rows that a prototype covers are counted, so prices between two integers differ in nothing.
template <typename MakeSettings>
void search_price(Search& search, const Data& data, const MakeSettings& settings) {
    int64_t too_low = -1;
    int64_t enough = data.rows();
    while (enough - too_low > 1) {
        const int64_t middle = (too_low + enough) / 2;
        const bool fits = search.fits(settings(), "price", static_cast<double>(middle) + 0.5);
        (fits ? enough : too_low) = middle;
    }
    if (!search.found()) search.fits(settings(), "price", static_cast<double>(enough) + 0.5);
}

// Starts at the lambda that the learner has chosen without a limit, and ends where no row is left.
template <typename MakeSettings>
void search_lambda(Search& search, const Model& unlimited, const MakeSettings& settings) {
    constexpr int kSteps = 12;
    const Json training = model_info(unlimited).at("training");
    double too_low = training.at("lambda").get<double>();
    double enough = training.at("largest_lambda").get<double>();
    for (int step = 0; step < kSteps; ++step) {
        const double middle = std::sqrt(too_low * enough);
        (search.fits(settings(), "lambda", middle) ? enough : too_low) = middle;
    }
}

}  // namespace

bool has_parameter(const Settings& settings, const std::string& key) {
    try {
        static_cast<void>(settings.value(key));
        return true;
    } catch (const LibraryError&) {
        return false;
    }
}

std::string PrototypeLearner::name() const {
    std::string name = machine;
    for (const std::string& pair : parameters) {
        if (pair.starts_with("basis=")) name += " " + pair;
    }
    return name;
}

const std::vector<PrototypeLearner>& prototype_learners() {
    const auto ridge = [](const std::string& basis) {
        return PrototypeLearner{
            "similarity_ridge", Budget::in_all, "prototypes", {"basis=" + basis, "per_class=yes"}};
    };
    static const std::vector<PrototypeLearner> learners = {
        {"iskpl", Budget::per_class, "prototypes"},
        {"imkpl", Budget::per_class, "prototypes", {}, true},
        {"kglvq", Budget::per_class, "prototypes"},
        {"akglvq", Budget::per_class, "prototypes"},
        {"prototype_selection", Budget::by_price, ""},
        {"mkldpl", Budget::per_class, "atoms", {}, true},
        {"dkmld", Budget::per_class, "prototypes", {}, true},
        {"midl_surrogate", Budget::per_class, "prototypes", {}, true},
        {"super_sparse", Budget::in_all, "prototypes"},
        {"selected_svm", Budget::per_function, "prototypes"},
        {"reduced_svm", Budget::per_function, "prototypes"},
        {"similarity_lasso", Budget::by_lambda, ""},
        ridge("k_medoids"),
        ridge("random"),
        ridge("border"),
        ridge("spanning"),
        {"svm", Budget::none, ""}};
    return learners;
}

Settings learner_settings(const PrototypeLearner& learner, const LearningOptions& options, size_t classes) {
    Settings settings(learner.machine);
    if (!options.kernel.empty()) settings.set("kernel", options.kernel);
    if (!options.scale.empty()) settings.set("scale", options.scale);
    settings.set("seed", std::to_string(options.seed));
    settings.set("neighbours", "1");
    settings.set(learner.parameters);
    const bool all =
        learner.budget == Budget::in_all || (learner.budget == Budget::per_function && classes == 2);
    const int64_t count = options.prototypes * (all ? static_cast<int64_t>(classes) : 1);
    if (!learner.counted_by.empty()) settings.set(learner.counted_by, std::to_string(count));
    for (const std::string& pair : options.parameters) {
        if (has_parameter(settings, pair.substr(0, pair.find('=')))) settings.set({pair});
    }
    return settings;
}

Learned learn_prototypes(Control& control, const PrototypeLearner& learner, const LearningOptions& options,
                         const Data& data, size_t classes) {
    const auto settings = [&] { return learner_settings(learner, options, classes); };
    const int64_t most = options.prototypes * static_cast<int64_t>(classes);
    Model unlimited = learned(control, data, settings());
    const bool searched = learner.budget == Budget::by_price || learner.budget == Budget::by_lambda;
    if (!searched || unlimited.prototype_count() <= most) return {std::move(unlimited), ""};
    Search search(control, data, most);
    if (learner.budget == Budget::by_price) search_price(search, data, settings);
    if (learner.budget == Budget::by_lambda) search_lambda(search, unlimited, settings);
    if (!search.found()) {
        throw std::runtime_error("no limit was found that leaves at most " + std::to_string(most) +
                                 " prototypes");
    }
    return search.take();
}

}  // namespace command
