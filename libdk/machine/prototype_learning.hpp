// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "base/large_array.hpp"
#include "data/dataset.hpp"

namespace dk {

// The prototypes of interpretable (multiple-)kernel prototype learning (Hosseini, Hammer, CIKM 2019): U >=
// 0, each column a combination of at most T0 rows with unit length in feature space, and codes Gamma >= 0,
// each row's reconstruction by at most T0 prototypes, that lower
//     |Phi - Phi U Gamma|^2 + lambda <1 1' - D K, U Gamma> + tau sum U,
// D_is = 1 where rows i and s are of one class. Rows are sorted by class here, so that D is in ranges.

struct LearningOptions {
    Index most = 5;  // T0
    double lambda = 0.2;
    double tau = 0.2;
};

/// The terms of the objective.
struct LearningTerms {
    double reconstruction = 0;
    double discrimination = 0;  // with lambda
    double sparsity = 0;        // with tau

    double sum() const { return reconstruction + discrimination + sparsity; }
};

/// A prototype: some rows and their weights.
struct Prototype {
    std::vector<Index> rows;
    std::vector<double> weights;

    double mass() const;
};

class PrototypeLearning {
  public:
    /// `class_begins`: where each class begins, and the number of rows. `gram`: K with unit diagonal; both
    /// outlive this, and gram may change between steps.
    PrototypeLearning(const LargeArray<double>& gram, std::vector<Index> class_begins,
                      LearningOptions options, Control& control);

    /// For each class farthest-first rows from its medoid, each with its nearest rows of the class.
    void initialise();
    /// Finds codes anew, each kept where it was better.
    void code_rows();
    /// Moves each prototype, and refits the codes that use it.
    void move_prototypes();
    /// Brings prototypes back to unit length after the kernel changed; U Gamma stays, but for prototypes
    /// whose rows cancel each other, which are given up for one of their rows.
    void rescale();
    /// Leaves out prototypes that no row uses.
    void drop_unused();

    LearningTerms terms() const;
    /// U Gamma, rows x rows.
    LargeArray<double> reconstruction() const;
    const std::vector<Prototype>& prototypes() const { return prototypes_; }
    Index rows() const { return class_begins_.back(); }
    /// The code of row s: a weight a prototype.
    std::span<const double> code(Index s) const {
        return std::span(codes_).subspan(unsigned_of(s * count()), unsigned_of(count()));
    }
    std::pair<Index, Index> class_range(Index row) const;

  private:
    Index count() const { return size_of(prototypes_); }
    const double* gram_row(Index i) const { return gram_.data() + i * rows(); }
    double& code(Index s, Index p) { return codes_[unsigned_of(s * count() + p)]; }
    /// sum_s weights_s K(:, rows_s), over all rows or each over those of its own class.
    void add_columns(const std::vector<Index>& rows, const std::vector<double>& weights, double factor,
                     bool own_class, std::vector<double>& out) const;
    double squared_length(const Prototype& prototype) const;

    /// K U, that within classes, and U' K U.
    struct Products {
        std::vector<double> all;     // rows x prototypes
        std::vector<double> within;  // rows x prototypes
        std::vector<double> gram;    // prototypes x prototypes
    };
    Products products() const;
    void move_prototype(Index p, const std::vector<Index>& users);
    void refit_codes(Index p, const std::vector<Index>& users);

    const LargeArray<double>& gram_;
    std::vector<Index> class_begins_;
    std::vector<Index> class_of_;
    LearningOptions options_;
    Control& control_;
    std::vector<Prototype> prototypes_;
    std::vector<double> codes_;  // rows x prototypes
};

/// How far prototypes are each of one class and of near rows (IP), from 0 to 1.
double interpretability(const std::vector<Prototype>& prototypes, const std::vector<Index>& class_of);

}  // namespace dk
