// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/class_dictionary/class_dictionary_learning.hpp"

namespace dk {

struct IncoherentAtomOptions {
    Index atoms_of_row = 5;  // by which a row is reconstructed, at most
    double eta = 0.1;        // of the products of atoms of different classes
};

/// Learns atoms of classes that have little in common with those of other classes. The program and its
/// letters stand at the top of incoherent_atoms.cpp.
class IncoherentAtoms final : public ClassDictionaryLearning {
  public:
    IncoherentAtoms(const LargeMatrix& gram, std::vector<ClassRange> classes, IncoherentAtomOptions options,
                    Control& control)
        : ClassDictionaryLearning(gram, std::move(classes), control), options_(options) {}

    void initialise(Index atoms) override;
    void step() override;
    double objective() const override;
    QuadraticObjective of_weights() override;
    void rescale() override { divide_by_length(false); }

    // These are the parts of step().
    void code_rows();
    void move_atoms();
    /// Gives the gradient of the objective in A_q.
    Matrix gradient(Index q) const;

  private:
    double incoherence_of(Index q) const;
    double objective_of(Index q) const;

    IncoherentAtomOptions options_;
    std::vector<double> steps_;    // the last length of each class's step
    Matrix joined_;                // all A_q side by side, rows x atoms
    std::vector<Matrix> weights_;  // (I - A_q Z_q)(I - A_q Z_q)'
};

}  // namespace dk
