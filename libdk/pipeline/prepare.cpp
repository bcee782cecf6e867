// SPDX-License-Identifier: Apache-2.0
#include "pipeline/prepare.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/label_candidates.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "kernel/language/bank.hpp"
#include "matrix/matrix.hpp"
#include "pipeline/layers/layer_stack.hpp"

namespace dk {

Labels present_classes(const Labels& labels) {
    std::vector<Index> position(labels.classes(), -1);
    for (const Index c : labels.of_rows) position[c] = 0;
    Labels present;
    for (Index c = 0; c < labels.classes(); ++c) {
        if (position[c] < 0) continue;
        position[c] = present.classes();
        present.values.push_back(labels.values[c]);
        if (!labels.names.empty()) present.names.push_back(labels.names[c]);
    }
    for (const Index c : labels.of_rows) present.of_rows.push_back(position[c]);
    return present;
}

namespace {

void require_positive_weight(const Dataset& data, const Labels& labels) {
    if (data.sample_weights.empty()) return;
    std::vector<double> sums(labels.classes());
    for (Index i = 0; i < data.rows(); ++i) {
        sums[labels.of_rows[i]] += data.sample_weights[i];
    }
    const auto zero = std::ranges::find(sums, 0.0) - sums.begin();
    if (zero < std::ssize(sums)) {
        fail(Status::invalid_data, "every row of class ", labels.class_name(zero),
             " has the sample weight 0");
    }
}

/// Makes similarities what training needs: square and symmetric, with those of each row to itself known.
/// Where the similarities come from a callback and a correction will look at all of them, each pair is
/// computed only once.
Dataset training_similarities(const Dataset& data, bool corrects, Control& control) {
    const GramMatrices& given = data.gram();
    if (!given.compute && corrects && given.rows == given.cols)
        return data.with_similarities(given.symmetrised());
    given.require_symmetric();
    if (!given.compute) return data;
    const KernelPointer kernel = make_kernel("gram(0)", data);
    Dataset out = with_self_similarities(data, control);
    const GramMatrices& gram = out.gram();
    if (!corrects) return out;
    const Index n = data.rows();
    control.memory().require(8.0 * n * (n + gram.cols), text("similarities of ", n, " rows"));
    std::vector<double> computed(n * n);
    const ProgressHold hold(control);
    GramEngine<double>(kernel, out, out, &control).matrices(computed.data(), control);
    GramMatrices stored = gram.references(data.identity().places());
    stored.values.resize(n * stored.cols);
    view(stored.values.data(), n, stored.cols)(Eigen::all, stored.columns) =
        view(std::as_const(computed).data(), n, n);
    return data.with_features(std::move(stored));
}

/// Says how the column of labels of a file is named, and which columns look like it.
std::string naming_the_label(const Dataset& data) {
    std::vector<std::string> candidates = label_candidates(data);
    constexpr std::size_t most_told = 10;
    if (candidates.size() > most_told) candidates.resize(most_told);
    const bool is_first_alone = data.feature_names.empty() && candidates == std::vector<std::string>{"0"};
    return text(
        "of a file, the data option label= names their column: a name, an index from 0, -1 for the last, "
        "or guess, which takes the last where no name tells",
        candidates.empty() ? "" : "; columns that look like classes: ", join(candidates, ", "),
        is_first_alone ? "; format=ucr reads lines of a label and a series" : "");
}

Labels training_classes(const Dataset& data) {
    if (!data.labels) {
        fail(Status::invalid_data, "training a classifier needs labels; the data have ",
             data.targets.empty()
                 ? "none; " + naming_the_label(data)
                 : "only targets that are no integers, which a regression such as svr learns");
    }
    Labels labels = present_classes(*data.labels);
    if (labels.classes() < 2) {
        fail(Status::invalid_data, "training needs at least two classes; all ", data.rows(),
             " rows are of class ", labels.class_name(0));
    }
    require_positive_weight(data, labels);
    return labels;
}

void require_some_weight(const Dataset& data) {
    if (!data.sample_weights.empty() && std::ranges::max(data.sample_weights) <= 0)
        fail(Status::invalid_data, "every row has the sample weight 0");
}

/// Names the machines of which this is true.
std::string names_of_machines(bool Machine::*fact) {
    std::vector<std::string> names;
    for (const Machine& machine : machines()) {
        if (machine.*fact) names.push_back(machine.name);
    }
    return join(names, ", ");
}

/// Gives the rows what the machine's task needs: labels of the classes that are present, sets of labels, or
/// targets.
Dataset with_answers(const Dataset& data, const Machine& machine) {
    const Task task = learned_task(machine, data);
    Dataset out = data;
    out.labels.reset();
    out.label_sets.reset();
    out.targets.clear();
    out.target_count = 1;
    if (task == Task::classification) out.labels = training_classes(data);
    if (task == Task::multilabel) {
        if (!machine.several_labels)
            fail(Status::unsupported, "machine ", machine.name,
                 " learns one class a row, and rows have several of ", data.label_count(),
                 " labels; machines that learn these are ", names_of_machines(&Machine::several_labels));
        out.label_sets = data.label_sets;
    }
    if (task == Task::regression) {
        Targets targets = targets_of(data);
        out.targets = std::move(targets.values);
        out.target_count = targets.count;
        if (out.target_count > 1 && !machine.several_targets)
            fail(Status::unsupported, "machine ", machine.name, " learns one target, and rows have ",
                 out.target_count, "; machines that learn several at once are ",
                 names_of_machines(&Machine::several_targets));
    }
    if (task != Task::classification) require_some_weight(data);
    require_usable_weights(machine, data);
    return out;
}

}  // namespace

Dataset with_self_similarities(const Dataset& data, Control& control) {
    if (data.kind() != DataKind::gram) return data;
    const GramMatrices& given = data.gram();
    if (!given.self.empty() || given.rows != given.cols) return data;
    control.memory().require(8.0 * static_cast<double>(given.values.size()),
                             text("a copy of the similarities of ", given.rows, " rows"));
    GramMatrices gram = given;
    if (!gram.compute) {
        gram.take_diagonals();
        return data.with_similarities(std::move(gram));
    }
    gram.self.resize(gram.rows);
    for (Index i = 0; i < data.rows(); ++i) {
        control.check();
        const Index row = data.identity().place(i);
        gram.compute({&row, 1}, {&row, 1}, &gram.self[row]);
    }
    return data.with_similarities(std::move(gram));
}

PreparedTraining prepare_training(const Dataset& data, const MachineSpecification& specification,
                                  const MemoryBudget& budget, Control& control) {
    const Parameters& parameters = specification.parameters;
    Preparation preparation{.scaler = fit_scaler(scaler_choice(parameters), data)};
    const Dataset answered = with_answers(data, *specification.machine);
    const bool corrects = parameters[parameter::spectrum] != "none";
    Dataset rows = data.kind() == DataKind::gram ? training_similarities(answered, corrects, control)
                                                 : preparation.scaler.apply(answered);
    const auto layers = parse_layers(parameters[parameter::layers]);
    if (layers.empty()) return {std::move(preparation), std::move(rows)};
    LayerStack stack = learn_layers(layers, rows,
                                    {.precision = precision_of(parameters),
                                     .seed = static_cast<std::uint64_t>(parameters[parameter::seed]),
                                     .budget = budget},
                                    control);
    preparation.layers = std::move(stack.layers);
    return {std::move(preparation), std::move(stack.rows)};
}

}  // namespace dk
