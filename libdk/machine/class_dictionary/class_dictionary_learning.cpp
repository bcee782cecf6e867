// SPDX-License-Identifier: Apache-2.0
#include "machine/class_dictionary/class_dictionary_learning.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "machine/flat_objective.hpp"

namespace dk {

void ClassDictionaryLearning::initialise(Index atoms) {
    atoms_ = starting_atoms(gram_, ranges_, atoms, control_);
}

Index ClassDictionaryLearning::atom_count() const {
    Index count = 0;
    for (const ClassAtoms& q : atoms_) count += q.count();
    return count;
}

void ClassDictionaryLearning::divide_by_length(bool only_longer) {
    for (ClassAtoms& q : atoms_) {
        control_.check();
        const Vector lengths = atom_lengths(gram_, q);
        for (Index k = 0; k < q.count(); ++k) {
            if (!(lengths[k] > 0) || (only_longer && lengths[k] <= 1)) continue;
            q.atoms.col(k) /= lengths[k];
            q.codes.row(k) *= lengths[k];
        }
    }
}

namespace {

/// The step of the weights. Under new weights atoms may be longer than they are allowed to be, and bringing
/// them back can raise the objective. So the step is halved, at most ten times, until the objective does not
/// rise, and else not taken.
class WeightStep {
  public:
    WeightStep(ClassDictionaryLearning& learning, LargeMatrix& gram, BankMatrices& stream,
               QuadraticWeighing& weighing)
        : learning_(learning), gram_(gram), stream_(stream), weighing_(weighing) {}

    Vector take(const Vector& old) {
        constexpr int most_halvings = 10;
        const Vector wanted = weighing_.minimise(learning_.of_weights());
        const double before = learning_.objective() + weighing_.penalty(old);
        const std::vector<ClassAtoms> atoms = learning_.classes();
        // The matrix is linear in the weights, so that the kernels are read only once.
        const LargeMatrix old_gram = std::move(gram_);
        const LargeMatrix wanted_gram = stream_.combined(wanted);
        gram_ = LargeMatrix(old_gram.rows(), old_gram.cols());
        double way = 1;
        for (int halving = 0; halving <= most_halvings; ++halving) {
            Vector weights = old + way * (wanted - old);
            gram_.view() = old_gram.view() + way * (wanted_gram.view() - old_gram.view());
            learning_.rescale();
            if (learning_.objective() + weighing_.penalty(weights) <= before) return weights;
            learning_.restore(atoms);
            way /= 2;
        }
        gram_.view() = old_gram.view();
        return old;
    }

  private:
    ClassDictionaryLearning& learning_;
    LargeMatrix& gram_;
    BankMatrices& stream_;
    QuadraticWeighing& weighing_;
};

}  // namespace

ClassDictionaryResult learn_class_dictionary(ClassDictionaryLearning& learning, LargeMatrix& gram,
                                             BankMatrices& stream, const BankFacts& facts,
                                             const ClassDictionaryOptions& options,
                                             const MemoryBudget& budget, Control& control) {
    ClassDictionaryResult result;
    result.weights = equal_weights(facts);
    gram = stream.combined(result.weights);
    learning.initialise(options.atoms);
    QuadraticWeighing weighing(stream, facts, options.weighing, budget);
    WeightStep step(learning, gram, stream, weighing);
    FlatObjective stop(options.tolerance);
    std::vector<double> objectives;
    for (Index iteration = 0; iteration < options.iterations && !result.converged; ++iteration) {
        control.check(1.0 * iteration / options.iterations);
        learning.step();
        if (options.weighs) result.weights = step.take(result.weights);
        objectives.push_back(learning.objective() + weighing.penalty(result.weights));
        result.converged = stop.now(objectives.back());
    }
    result.report.add("iterations", std::ssize(objectives)).add("converged", result.converged);
    stop.write(result.report);
    result.report.add("objective", objectives.empty() ? learning.objective() : objectives.back())
        .add("objectives", objectives)
        .add("kernels_used", Index((result.weights.array() > 0).count()))
        .add("weights_gap", weighing.gap());
    return result;
}

}  // namespace dk
