// SPDX-License-Identifier: Apache-2.0
#include "prototype_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "model_view.hpp"

namespace command {
namespace {

std::vector<int64_t> rows_of_fold(const std::vector<int64_t>& fold_of, int64_t fold, bool inside) {
    std::vector<int64_t> rows;
    for (size_t i = 0; i < fold_of.size(); ++i) {
        if ((fold_of[i] == fold) == inside) rows.push_back(static_cast<int64_t>(i));
    }
    return rows;
}

Learned learn(const PrototypeExperiment& experiment, const PrototypeLearner& learner, const Data& rows) {
    return learn_prototypes(experiment.control, learner, experiment.learning, rows, experiment.classes);
}

Json number_or_null(double value) {
    return std::isnan(value) ? Json() : Json(value);
}

// A step of what is done with a learner: its folds, the model of all rows, and the halves.
class Step : public WorkPart {
  public:
    Step(const PrototypeExperiment& experiment, int64_t number)
        : WorkPart(experiment.control.progress(), begin(experiment, number), begin(experiment, number + 1)) {}

  private:
    static double begin(const PrototypeExperiment& experiment, int64_t number) {
        return static_cast<double>(number) / static_cast<double>(experiment.folds + 1 + experiment.halves);
    }
};

// Gives the accuracy of each fold, with the mean and the sample deviation that dk cv reports.
Json accuracy_of_folds(const PrototypeExperiment& experiment, const PrototypeLearner& learner) {
    const auto fold_of = folds_of(experiment.data, experiment.folds, experiment.learning.seed);
    std::vector<double> of_folds;
    for (int64_t fold = 0; fold < experiment.folds; ++fold) {
        const Step step(experiment, fold);
        const Data training = experiment.data.select(rows_of_fold(fold_of, fold, false));
        const Data held_out = experiment.data.select(rows_of_fold(fold_of, fold, true));
        const Learned learned = learn(experiment, learner, training);
        of_folds.push_back(experiment.control.run(
            [&](const libdk::Control& c) { return learned.model.score(held_out, "accuracy", c); }));
    }
    const auto count = static_cast<double>(of_folds.size());
    double mean = 0;
    for (const double value : of_folds) mean += value / count;
    double squares = 0;
    for (const double value : of_folds) squares += (value - mean) * (value - mean);
    return {{"mean", mean}, {"deviation", std::sqrt(squares / (count - 1))}, {"folds", of_folds}};
}

// Says of each kernel of the bank whether it has a weight, 1, or none, 0.
std::vector<int64_t> used_kernels(const Model& model) {
    std::vector<int64_t> used;
    for (const double weight : model.kernel_weights()) used.push_back(weight > 0 ? 1 : 0);
    return used;
}

// The mean of a measure over the prototypes, which does not exist where one prototype has none.
Json mean_measure(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? Json() : number_or_null(sum / static_cast<double>(values.size()));
}

// Adds purity, compactness and their product, each as a mean over the prototypes.
void add_measures(Json& row, const PrototypeExperiment& experiment, const Model& model) {
    const libdk::PrototypeMeasures measures = experiment.control.run(
        [&](const libdk::Control& c) { return model.prototype_measures(experiment.data, c); });
    std::vector<double> products(measures.purity.size());
    std::ranges::transform(measures.purity, measures.compactness, products.begin(), std::multiplies());
    row["purity"] = mean_measure(measures.purity);
    row["compactness"] = mean_measure(measures.compactness);
    row["product"] = mean_measure(products);
}

// Describes the model of all rows: its size, what a prediction costs, and how readable its prototypes are.
void add_model(Json& row, const PrototypeExperiment& experiment, const PrototypeLearner& learner) {
    const Step step(experiment, experiment.folds);
    const Learned learned = learn(experiment, learner, experiment.data);
    const Json info = model_info(learned.model);
    const std::vector<int64_t> used = used_kernels(learned.model);
    const auto kernels = std::count(used.begin(), used.end(), 1);
    row["limited_by"] = learned.limited_by.empty() ? Json() : Json(learned.limited_by);
    row["prototypes"] = learned.model.prototype_count();
    row["kernels"] = kernels;
    row["evaluations"] = info.at("support_rows").get<int64_t>() * kernels;
    add_measures(row, experiment, learned.model);
}

// Says of each row of the whole data whether it is nearest to a prototype, 1, is another row of the half, 0,
// or is not in the half, -1.
std::vector<int64_t> chosen_rows(const Model& model, const std::vector<int64_t>& half, int64_t rows) {
    std::vector<int64_t> chosen(static_cast<size_t>(rows), -1);
    for (const int64_t row : half) chosen[static_cast<size_t>(row)] = 0;
    const auto neighbours = static_cast<size_t>(model.prototype_neighbours());
    std::vector<int64_t> nearest(static_cast<size_t>(model.prototype_count()) * neighbours);
    std::vector<double> distances(nearest.size());
    model.prototype_nearest(nearest, distances);
    for (size_t n = 0; n < nearest.size(); n += neighbours)
        chosen[static_cast<size_t>(half[static_cast<size_t>(nearest[n])])] = 1;
    return chosen;
}

// What a learner selected in each half: selections of the same members, one after the other.
struct Selections {
    std::vector<int64_t> selected = {};
    int64_t members = 0;
    bool comparable = true;  // Banks whose sizes differ between halves have no kernels to compare.

    void add(const std::vector<int64_t>& selection) {
        const auto size = static_cast<int64_t>(selection.size());
        comparable = comparable && (selected.empty() || size == members);
        members = size;
        selected.insert(selected.end(), selection.begin(), selection.end());
    }
};

// Learns from random halves of the rows, which have the classes in the same shares and do not divide groups.
void add_stability(Json& row, const PrototypeExperiment& experiment, const PrototypeLearner& learner) {
    Selections rows;
    Selections kernels;
    for (int64_t h = 1; h <= experiment.halves; ++h) {
        const Step step(experiment, experiment.folds + h);
        const auto half_of = folds_of(experiment.data, 2, experiment.learning.seed + h);
        const std::vector<int64_t> half = rows_of_fold(half_of, 0, true);
        const Learned learned = learn(experiment, learner, experiment.data.select(half));
        rows.add(chosen_rows(learned.model, half, experiment.data.rows()));
        kernels.add(used_kernels(learned.model));
    }
    const bool comparable = learner.weighs_kernels && kernels.comparable;
    row["row_stability"] = number_or_null(libdk::jaccard_stability(rows.selected, rows.members));
    row["kernel_stability"] =
        comparable ? number_or_null(libdk::selection_stability(kernels.selected, kernels.members)) : Json();
}

}  // namespace

std::vector<int64_t> folds_of(const Data& data, int64_t folds, int64_t seed) {
    return data.folds(folds, static_cast<uint64_t>(seed));
}

Json compare_learner(const PrototypeExperiment& experiment, const PrototypeLearner& learner) {
    Json row = {{"learner", learner.name()}};
    try {
        row["accuracy"] = accuracy_of_folds(experiment, learner);
        add_model(row, experiment, learner);
        if (experiment.halves > 0) add_stability(row, experiment, learner);
    } catch (const LibraryError& error) {
        if (error.status() == libdk::Status::cancelled) throw;
        row["error"] = error.what();
    } catch (const std::runtime_error& error) {
        row["error"] = error.what();
    }
    return row;
}

}  // namespace command
