// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/report.hpp"
#include "machine/class_dictionary/class_atoms.hpp"
#include "machine/class_dictionary/quadratic_weighing.hpp"

namespace dk {

/// Learns dictionaries of classes in the kernel of one matrix, which may change between steps. Rows are
/// ordered by class.
class ClassDictionaryLearning {
  public:
    ClassDictionaryLearning(const LargeMatrix& gram, std::vector<ClassRange> classes, Control& control)
        : gram_(gram), ranges_(std::move(classes)), control_(control) {}
    virtual ~ClassDictionaryLearning() = default;
    ClassDictionaryLearning(const ClassDictionaryLearning&) = delete;
    ClassDictionaryLearning& operator=(const ClassDictionaryLearning&) = delete;

    /// Begins with at most so many atoms of each class.
    virtual void initialise(Index atoms);
    /// Takes each block of what is learned in turn; none of these steps raises the objective.
    virtual void step() = 0;
    virtual double objective() const = 0;
    /// Gives the objective as a function of the kernels' weights, but for a constant. It refers to the atoms.
    virtual QuadraticObjective of_weights() = 0;
    /// Makes atoms keep their bound of length after the matrix changed; A Z stays.
    virtual void rescale() = 0;

    const std::vector<ClassAtoms>& classes() const { return atoms_; }
    void restore(std::vector<ClassAtoms> atoms) { atoms_ = std::move(atoms); }
    Index atom_count() const;

  protected:
    /// Divides atoms by their length, or only those that are longer than 1, and multiplies their codes.
    void divide_by_length(bool only_longer);

    const LargeMatrix& gram_;
    std::vector<ClassRange> ranges_;
    Control& control_;
    std::vector<ClassAtoms> atoms_;
};

struct ClassDictionaryOptions {
    Index atoms = 30;  // of a class, at most
    QuadraticWeighingOptions weighing = {};
    bool weighs = true;  // whether kernels are weighed at all
    Index iterations = 20;
    double tolerance = 1e-4;
};

/// What was learned beside the atoms.
struct ClassDictionaryResult {
    Vector weights;  // of the bank's kernels
    bool converged = false;
    Report report;
};

/// Takes the steps of `learning` and those of the weights by turns. `gram` is the matrix that `learning`
/// refers to.
ClassDictionaryResult learn_class_dictionary(ClassDictionaryLearning& learning, LargeMatrix& gram,
                                             BankMatrices& stream, const BankFacts& facts,
                                             const ClassDictionaryOptions& options,
                                             const MemoryBudget& budget, Control& control);

}  // namespace dk
