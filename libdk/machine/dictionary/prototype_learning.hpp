// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "data/class_range.hpp"
#include "matrix/matrix.hpp"
#include "prototype/measures.hpp"

namespace dk {

struct LearningOptions {
    // The paper has one limit T0 for these three.
    Index prototypes = 5;         // of a class, at most
    Index rows_of_prototype = 5;  // |u|_0, at most
    Index prototypes_of_row = 5;  // |gamma|_0, at most
    double lambda = 0.2;
    double tau = 0.2;
};

/// The terms of the objective that depend on U and Gamma, each times its weight.
struct LearningTerms {
    double reconstruction = 0;  // J_rec
    double discrimination = 0;  // lambda J_dis
    double sparsity = 0;        // tau J_ip

    double sum() const { return reconstruction + discrimination + sparsity; }
};

/// Learns the prototypes U of one kernel matrix and the codes Gamma by which they reconstruct the rows. Its
/// steps lower the objective of interpretable prototype learning where the kernel stays. Rows are ordered by
/// class. The program and its letters stand at the top of prototype_learning.cpp.
class PrototypeLearning {
  public:
    /// `gram` is K with unit diagonal. It outlives this object, and may change between steps. The rows of
    /// class c are those from class_begins[c] up to class_begins[c + 1].
    PrototypeLearning(const LargeMatrix& gram, const std::vector<Index>& class_begins,
                      LearningOptions options, Control& control);

    /// Starts each class with prototypes around rows that are far from each other.
    void initialise();
    /// Takes the step of Gamma: finds all codes anew, and keeps an old one where it was better.
    void code_rows();
    /// Takes the step of U: moves each prototype, and refits the codes that use it.
    void move_prototypes();
    /// Brings prototypes back to unit length after K changed. U Gamma stays, but for prototypes whose rows
    /// cancel each other: one of the rows takes the place of such a prototype.
    void rescale();
    /// Leaves out prototypes that no row uses.
    void drop_unused();

    LearningTerms terms() const;
    /// Computes U Gamma, rows x rows.
    LargeMatrix reconstruction() const;
    const std::vector<RowCombination>& prototypes() const { return prototypes_; }
    /// Gives Gamma', rows x prototypes, whose row s is the code gamma_s of row s.
    const Matrix& codes() const { return codes_; }
    Index rows() const { return gram_.rows(); }
    /// Gives the rows of the class of this row.
    const ClassRange& class_range(Index row) const { return classes_[class_of_[row]]; }

  private:
    Index count() const { return std::ssize(prototypes_); }
    Vector masses() const;
    /// Computes K v.
    Vector gram_times(const RowCombination& v) const;
    /// Computes (D o K) v.
    Vector class_gram_times(const RowCombination& v) const;
    double squared_length(const RowCombination& v) const;

    struct Products {
        Matrix all;     // K U, rows x prototypes
        Matrix within;  // (D o K) U, rows x prototypes
        Matrix gram;    // U' K U, prototypes x prototypes
    };
    Products products() const;
    RowCombination start_around(Index seed, const ClassRange& own) const;
    void move_prototype(Index i, const std::vector<Index>& users);
    RowCombination left_to_reconstruct(Index i, const std::vector<Index>& users) const;
    void refit_codes(Index i, const std::vector<Index>& users);

    const LargeMatrix& gram_;
    std::vector<ClassRange> classes_;
    std::vector<Index> class_of_;
    LearningOptions options_;
    Control& control_;
    std::vector<RowCombination> prototypes_;
    Matrix codes_;
};

}  // namespace dk
