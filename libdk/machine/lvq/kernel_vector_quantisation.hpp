// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"
#include "solve/gram_matrix.hpp"

namespace dk {

struct QuantisationOptions {
    Index prototypes = 5;  // of a class, at most
    double rate = 0.5;     // of the first epoch
    double decay = 0.05;   // The rate of epoch t is rate / (1 + decay t).
    Index epochs = 100;
    double tolerance = 1e-4;
    std::uint64_t seed = 1;
};

/// Prototypes w_k = sum_i G_ki phi(x_i) in the feature space of a kernel, whose coefficients sum to 1, and
/// what is known of them.
struct QuantisationPrototypes {
    Matrix coefficients = {};         // G, prototypes x rows
    std::vector<Index> classes = {};  // of prototypes
    Matrix products = {};             // G K, prototypes x rows
    Vector squares = {};              // |w_k|^2

    Index count() const { return coefficients.rows(); }
};

/// Generalised learning vector quantisation in a feature space (KGLVQ). The cost and its letters stand at the
/// top of kernel_vector_quantisation.cpp.
class KernelVectorQuantisation {
  public:
    /// The matrix is of double precision.
    KernelVectorQuantisation(GramMatrix& gram, const std::vector<Index>& class_of, Control& control)
        : gram_(gram), class_of_(class_of), control_(control) {}

    /// Starts each class with the means of its clusters.
    void initialise(Index prototypes_of_class, Index classes);
    /// Starts with prototypes of these coefficients.
    void initialise(Matrix coefficients, std::vector<Index> classes);
    /// Learns in epochs, and keeps the prototypes of the epoch with the least cost.
    void learn(const QuantisationOptions& options);
    /// Moves the nearest prototype of the row's class towards the row, and the nearest of another class away.
    void update(Index row, double rate);
    /// Computes E.
    double cost() const;
    /// Computes the mean of d+ + d- over all rows, in whose units a rate is if rows have any lengths.
    double mean_distance() const;

    const QuantisationPrototypes& prototypes() const { return now_; }
    /// The costs before the first epoch and after each.
    const std::vector<double>& costs() const { return costs_; }
    bool converged() const { return converged_; }

  private:
    /// The nearest prototypes of a row: of its own class and of all others.
    struct Winners {
        Index own;
        Index other;
        double own_distance;
        double other_distance;

        double sum() const { return own_distance + other_distance; }
        /// The cost of the row, the sigmoid of mu.
        double cost() const;
    };
    Winners winners(Index row) const;
    void move(Index prototype, Index row, double share);
    void run_epoch(std::vector<Index>& order, double rate);

    GramMatrix& gram_;
    const std::vector<Index>& class_of_;
    Control& control_;
    QuantisationPrototypes now_;
    std::vector<double> costs_;
    bool converged_ = false;
};

}  // namespace dk
