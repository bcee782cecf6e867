// SPDX-License-Identifier: Apache-2.0
// Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation and
// feature selection (IMKPL), CIKM 2019, algorithm 1: the steps of Gamma, U and beta are taken by turns. Their
// programs and letters stand in prototype_learning.cpp and kernel_weighing.cpp.
#include "machine/dictionary/dictionary_learning.hpp"

#include <algorithm>
#include <numeric>

#include "machine/flat_objective.hpp"

namespace dk {

ClassOrder::ClassOrder(const Labels& labels) : order(labels.of_rows.size()) {
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index i) { return labels.of_rows[i]; });
    for (const Index i : order) {
        const Index c = labels.of_rows[i];
        while (std::ssize(class_begins) <= c) class_begins.push_back(std::ssize(class_of));
        class_of.push_back(c);
    }
    class_begins.push_back(std::ssize(class_of));
}

Index ClassOrder::smallest_class() const {
    Index smallest = rows();
    for (std::size_t c = 0; c + 1 < class_begins.size(); ++c) {
        const Index size = class_begins[c + 1] - class_begins[c];
        if (size > 0) smallest = std::min(smallest, size);
    }
    return smallest;
}

namespace {

/// The objective and its terms after each iteration.
class Trace {
  public:
    double add(const LearningTerms& terms, double locality, double own) {
        reconstruction_.push_back(terms.reconstruction);
        discrimination_.push_back(terms.discrimination);
        sparsity_.push_back(terms.sparsity);
        locality_.push_back(locality);
        objective_.push_back(terms.sum() + locality + own);
        return objective_.back();
    }

    void write(Report& report) const {
        report.add("objective", objective_.back())
            .add("objectives", objective_)
            .add("reconstruction", reconstruction_)
            .add("discrimination", discrimination_)
            .add("sparsity", sparsity_)
            .add("locality", locality_);
    }

  private:
    std::vector<double> reconstruction_, discrimination_, sparsity_, locality_, objective_;
};

}  // namespace

Dictionary learn_dictionary(BankMatrices& stream, const BankFacts* facts, const ClassOrder& ordered,
                            const DictionaryOptions& options, Control& control) {
    Dictionary learned;
    learned.weights =
        facts ? equal_weights(*facts) : Vector::Constant(stream.kernels(), 1.0 / stream.kernels());
    LargeMatrix gram = stream.combined(learned.weights);
    PrototypeLearning learning(gram, ordered.class_begins, options.learning, control);
    learning.initialise();
    std::optional<KernelWeighing> kernels;
    if (options.weighing) kernels.emplace(stream, *facts, learning, gram, *options.weighing, control);

    Trace trace;
    // The paper does not say when it stops. The lengths of prototypes under new weights can raise the
    // objective.
    FlatObjective stop(options.tolerance);
    std::int64_t iteration = 0;
    while (!learned.converged && iteration < options.max_iterations) {
        control.check(1.0 * iteration++ / options.max_iterations);
        learning.code_rows();
        learning.move_prototypes();
        if (kernels) {
            learned.weights = kernels->weights();
            gram = stream.combined(learned.weights);
            learning.rescale();
        }
        learned.converged =
            stop.now(trace.add(learning.terms(), kernels ? kernels->local_separation(gram) : 0,
                               kernels ? kernels->own_terms() : 0));
    }
    learning.drop_unused();
    learned.prototypes = learning.prototypes();
    learned.codes = learning.codes();
    learned.report.add("iterations", iteration).add("converged", learned.converged);
    stop.write(learned.report);
    trace.write(learned.report);
    if (kernels) learned.report.add("weights_gap", kernels->gap());
    return learned;
}

}  // namespace dk
