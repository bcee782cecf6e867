// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/class_dictionary/class_dictionary_learning.hpp"

namespace dk {

struct ProjectivePairOptions {
    double tau = 0.05;      // of codes that analysis finds
    double lambda = 0.003;  // of codes that other classes' rows get
    double gamma = 1e-4;    // of the analysis vectors' squares
    double nu = 0.05;       // of the codes' nuclear norm
};

/// Learns projective dictionary pairs of classes. The program and its letters stand at the top of
/// projective_pairs.cpp.
class ProjectivePairs final : public ClassDictionaryLearning {
  public:
    ProjectivePairs(const LargeMatrix& gram, std::vector<ClassRange> classes, ProjectivePairOptions options,
                    Control& control)
        : ClassDictionaryLearning(gram, std::move(classes), control), options_(options) {}

    void initialise(Index atoms) override;
    void step() override;
    double objective() const override;
    QuadraticObjective of_weights() override;
    void rescale() override { divide_by_length(true); }

    // These are the parts of step().
    void move_analysis();
    void move_codes();
    void move_atoms();

  private:
    void renew_outer();

    ProjectivePairOptions options_;
    LargeMatrix outer_;            // K K'
    Matrix joined_;                // all P_q side by side, rows x atoms
    std::vector<Matrix> weights_;  // (I - A_q Z_q)(I - A_q Z_q)'
};

}  // namespace dk
