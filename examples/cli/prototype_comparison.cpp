// SPDX-License-Identifier: Apache-2.0
#include "prototype_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "model_view.hpp"
#include "prototype_measures.hpp"

namespace command {
namespace {

std::vector<int64_t> rows_of_fold(const std::vector<int64_t>& fold_of, int64_t fold, bool inside) {
    std::vector<int64_t> rows;
    for (size_t i = 0; i < fold_of.size(); ++i) {
        if ((fold_of[i] == fold) == inside) rows.push_back(static_cast<int64_t>(i));
    }
    return rows;
}

Learned learn(const PrototypeExperiment& experiment, const PrototypeLearner& learner, const Data& rows,
              int64_t neighbours) {
    return learn_prototypes(experiment.control, learner, experiment.learning, rows, experiment.classes,
                            neighbours);
}

Json number_or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json();
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
        const Learned learned = learn(experiment, learner, training, 1);
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

std::vector<bool> used_kernels(const Model& model) {
    const auto weights = model.kernel_weights();
    std::vector<bool> used;
    used.reserve(weights.size());
    for (const double weight : weights) used.push_back(weight > 0);
    return used;
}

// The nearest training rows of each prototype, prototypes x neighbours.
struct NearestRows {
    std::vector<int64_t> rows;
    std::vector<double> distances;
    size_t neighbours;
};

NearestRows nearest_rows(const Model& model) {
    NearestRows nearest;
    nearest.neighbours = static_cast<size_t>(model.prototype_neighbours());
    nearest.rows.resize(static_cast<size_t>(model.prototype_count()) * nearest.neighbours);
    nearest.distances.resize(nearest.rows.size());
    model.prototype_nearest(nearest.rows, nearest.distances);
    return nearest;
}

// Gives the distance of every training row to a prototype, or none where the model does not keep all.
std::vector<double> distances_of_rows(const NearestRows& nearest, size_t prototype, size_t rows) {
    if (nearest.neighbours != rows) return {};
    std::vector<double> distances(rows);
    for (size_t n = prototype * rows; n < (prototype + 1) * rows; ++n)
        distances[static_cast<size_t>(nearest.rows[n])] = nearest.distances[n];
    return distances;
}

// Says whether every row has length 1 in the feature space of a kernel. Scaling moves rows, but does not
// change this; where the kernel cannot tell it of one row alone, the answer is no.
bool has_unit_rows(const Data& data, const std::string& kernel) {
    for (int64_t row = 0; row < data.rows(); ++row) {
        try {
            double self = 0;
            libdk::gram(std::span(&self, 1), select_row(data, row), kernel);
            if (!(std::abs(self - 1) < 1e-9)) return false;
        } catch (const LibraryError&) {
            return false;
        }
    }
    return true;
}

// Means over the prototypes, which do not exist where one prototype has none.
class Means {
  public:
    void add(const std::optional<double>& value) {
        if (value) sum_ += *value;
        complete_ = complete_ && value.has_value();
        count_ += 1;
    }
    Json mean() const { return complete_ && count_ > 0 ? Json(sum_ / count_) : Json(); }

  private:
    double sum_ = 0;
    double count_ = 0;
    bool complete_ = true;
};

// Adds purity, compactness and their product, each as a mean over the prototypes.
void add_measures(Json& row, const PrototypeExperiment& experiment, const PrototypeLearner& learner,
                  const Model& model, const Json& info) {
    const Json& training = info.at("training");
    if (training.contains("interpretability")) {
        row["purity"] = training.at("purity");
        row["compactness"] = training.at("compactness");
        row["product"] = training.at("interpretability");
        return;
    }
    const auto prototypes = static_cast<size_t>(model.prototype_count());
    const size_t rows = experiment.labels.size();
    const auto all = model.prototype_coefficients().values;
    const NearestRows nearest = nearest_rows(model);
    const bool unit = learner.convex && has_unit_rows(experiment.data, info.at("kernel").get<std::string>());
    Means purities;
    Means compactnesses;
    Means products;
    for (size_t p = 0; p < prototypes; ++p) {
        const std::span<const double> own(all.data() + p * rows, rows);
        const std::optional<double> pure = purity(own, experiment.labels);
        const std::optional<double> compact = compactness(own, distances_of_rows(nearest, p, rows), unit);
        purities.add(pure);
        compactnesses.add(compact);
        products.add(pure && compact ? std::optional<double>(*pure * *compact) : std::nullopt);
    }
    row["purity"] = purities.mean();
    row["compactness"] = compactnesses.mean();
    row["product"] = products.mean();
}

// Describes the model of all rows: its size, what a prediction costs, and how readable its prototypes are.
void add_model(Json& row, const PrototypeExperiment& experiment, const PrototypeLearner& learner) {
    const Step step(experiment, experiment.folds);
    const int64_t neighbours = learner.convex ? experiment.data.rows() : 1;
    const Learned learned = learn(experiment, learner, experiment.data, neighbours);
    const Json info = model_info(learned.model);
    const std::vector<bool> used = used_kernels(learned.model);
    const auto kernels = std::count(used.begin(), used.end(), true);
    row["limited_by"] = learned.limited_by.empty() ? Json() : Json(learned.limited_by);
    row["prototypes"] = learned.model.prototype_count();
    row["kernels"] = kernels;
    row["evaluations"] = info.at("support_rows").get<int64_t>() * kernels;
    add_measures(row, experiment, learner, learned.model, info);
}

// Gives the rows nearest to prototypes, as rows of the whole data.
std::vector<int64_t> chosen_rows(const Model& model, const std::vector<int64_t>& half) {
    const NearestRows nearest = nearest_rows(model);
    std::set<int64_t> chosen;
    for (size_t n = 0; n < nearest.rows.size(); n += nearest.neighbours)
        chosen.insert(half[static_cast<size_t>(nearest.rows[n])]);
    return {chosen.begin(), chosen.end()};
}

// Learns from random halves of the rows, which have the classes in the same shares and do not divide groups.
// Banks whose sizes differ between halves, as where a feature is constant, have no kernels to compare.
void add_stability(Json& row, const PrototypeExperiment& experiment, const PrototypeLearner& learner) {
    std::vector<ChosenRows> halves;
    std::vector<std::vector<bool>> kernels;
    for (int64_t h = 1; h <= experiment.halves; ++h) {
        const Step step(experiment, experiment.folds + h);
        const auto half_of = folds_of(experiment.data, 2, experiment.learning.seed + h);
        const std::vector<int64_t> half = rows_of_fold(half_of, 0, true);
        const Learned learned = learn(experiment, learner, experiment.data.select(half), 1);
        halves.push_back({half, chosen_rows(learned.model, half)});
        kernels.push_back(used_kernels(learned.model));
    }
    const auto other = [&](const std::vector<bool>& used) { return used.size() != kernels[0].size(); };
    const bool comparable = learner.weighs_kernels && std::none_of(kernels.begin(), kernels.end(), other);
    row["row_stability"] = number_or_null(row_stability(halves));
    row["kernel_stability"] = comparable ? number_or_null(selection_stability(kernels)) : Json();
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
