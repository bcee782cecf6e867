// SPDX-License-Identifier: Apache-2.0
// A stack of layers prepares rows for a machine: each layer is learned on the training rows as the layers
// before it give them. The multilayer kernel machine and deep multilayer multiple kernel learning are such
// stacks, of kernel principal components and rankings of them:
//
//     [kernel_pca(arccos(1)), mutual_information, kernel_pca(arccos(1)), mutual_information]
//     [kernel_pca([rbf, arccos(0, 2)], weights=umkl, components=0.2), anova_f(0.25), ...]
//
// A ranking that chooses itself how many columns it keeps tries the numbers on held-out rows, which the
// layers since the ranking before it have not seen either: they are learned again on the other rows for that.
//
// Y. Cho, L. K. Saul, Kernel methods for deep learning, NIPS 2009; I. Rebai, Y. BenAyed, W. Mahdi, Deep
// multilayer multiple kernel learning, Neural Computing and Applications 27, 2016.
#include "pipeline/layers/layer_stack.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/split.hpp"
#include "pipeline/layers/neighbour_count.hpp"

namespace dk {

namespace {

/// Orders columns by descending score, and equal ones by their position.
std::vector<Index> ranked_columns(std::span<const double> scores) {
    std::vector<Index> order(scores.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](Index j) { return scores[j]; });
    return order;
}

/// The layers in the making.
class StackLearner {
  public:
    StackLearner(std::span<const LayerSpecification> specifications, const Dataset& data,
                 const LayerSettings& settings, Control& control)
        : specifications_(specifications),
          settings_(settings),
          control_(control),
          before_components_(data),
          stack_{.layers = {}, .rows = data} {}

    LayerStack learn() {
        const Index count = std::ssize(specifications_);
        for (Index l = 0; l < count; ++l) {
            const ProgressScope scope(control_, 1.0 * l / count, (l + 1.0) / count, "layers");
            if (specifications_[l].kind->rank) {
                keep_best(l);
                first_component_ = l + 1;
                before_components_ = stack_.rows;
            } else {
                add_columns(l);
            }
        }
        return std::move(stack_);
    }

  private:
    LayerProblem problem(Index l) const {
        return {stack_.rows,         specifications_[l].parameters,
                settings_.precision, settings_.seed,
                settings_.budget,    control_};
    }

    void add_columns(Index l) {
        const LayerSpecification& asked = specifications_[l];
        LearnedColumns learned = asked.kind->learn(problem(l));
        Report report;
        report.add("columns", learned.rows.cols());
        for (const auto& [name, value] : learned.report.entries()) report.add(name, value);
        stack_.layers.push_back({asked.text, json_text(report), std::move(learned.step)});
        stack_.rows = std::move(learned.rows);
    }

    void keep_best(Index l) {
        const LayerSpecification& asked = specifications_[l];
        std::vector<Index> kept = ranked_columns(asked.kind->rank(problem(l)));
        kept.resize(count_of(l, std::ssize(kept)));
        std::ranges::sort(kept);
        Report report;
        report.add("columns", std::ssize(kept));
        report.add("kept", std::vector<double>(kept.begin(), kept.end()));
        KeptColumns step{.of = stack_.rows.cols(), .columns = std::move(kept)};
        stack_.rows = with_columns(stack_.rows, step);
        if (follows_components()) leave_out_others(step);
        stack_.layers.push_back({asked.text, json_text(report), std::move(step)});
    }

    bool follows_components() const {
        return !stack_.layers.empty() &&
               std::holds_alternative<std::shared_ptr<const PrincipalComponents>>(stack_.layers.back().step);
    }

    /// Lets the components before a selection compute no others than those that it keeps.
    void leave_out_others(KeptColumns& selection) {
        auto& components = std::get<std::shared_ptr<const PrincipalComponents>>(stack_.layers.back().step);
        components = components->with_only(selection.columns, control_);
        selection.of = std::ssize(selection.columns);
        std::iota(selection.columns.begin(), selection.columns.end(), Index{0});
    }

    /// Tells how many of the columns the ranking l keeps.
    Index count_of(Index l, Index columns) const {
        const std::string& keep = specifications_[l].parameters[parameter::keep];
        if (keep == "auto") return counted_on_held_out(l);
        const double number = *parse_number(keep);
        if (number < 1) return static_cast<Index>(std::ceil(number * static_cast<double>(columns)));
        return std::min(static_cast<Index>(number), columns);
    }

    /// Chooses the number of columns on a fifth of the rows.
    Index counted_on_held_out(Index l) const {
        const Dataset& rows = before_components_;
        const auto fold_of = stratified_folds(rows, std::min<Index>(5, most_folds(rows)), settings_.seed);
        const auto inside = rows_of_fold(fold_of, 0, false);
        const auto outside = rows_of_fold(fold_of, 0, true);
        if (inside.empty() || outside.empty())
            fail(Status::invalid_data, "keep=auto needs at least 2 rows, or groups of rows; give a number");
        const auto since = specifications_.subspan(first_component_, l - first_component_);
        const LayerStack partial = learn_layers(since, rows.select(inside), settings_, control_);
        Dataset held_out = rows.select(outside);
        for (const Layer& layer : partial.layers) held_out = layer.apply(held_out, control_);
        const auto& [text, kind, parameters] = specifications_[l];
        const LayerProblem ranking{partial.rows,   parameters,       settings_.precision,
                                   settings_.seed, settings_.budget, control_};
        return best_column_count(partial.rows, held_out, ranked_columns(kind->rank(ranking)), control_);
    }

    std::span<const LayerSpecification> specifications_;
    const LayerSettings& settings_;
    Control& control_;
    Index first_component_ = 0;  // of those since the last ranking
    Dataset before_components_;  // the rows as the last ranking gave them
    LayerStack stack_;
};

}  // namespace

LayerStack learn_layers(std::span<const LayerSpecification> specifications, const Dataset& data,
                        const LayerSettings& settings, Control& control) {
    if (!specifications.empty() && !data.sample_weights.empty())
        fail(Status::unsupported,
             "layers count every row the same; leave out the sample weights, or repeat rows");
    return StackLearner(specifications, data, settings, control).learn();
}

}  // namespace dk
