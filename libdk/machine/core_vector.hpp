// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/machine.hpp"
#include "solve/core_set.hpp"

namespace dk {

/// Vectors that stand for classes: all of length 1, and with the same inner product with each other. Two
/// classes are +1 and -1; for T classes the own component is sqrt((T-1)/T) and the others are
/// -1/sqrt(T(T-1)).
class ClassVectors {
  public:
    explicit ClassVectors(Index classes);
    Index dimension() const { return dimension_; }
    double component(Index of_class, Index t) const;
    double inner_product(Index a, Index b) const;

  private:
    Index classes_;
    Index dimension_;
};

/// K~_ij = <y_i, y_j> (k_ij + 1) + [i = j] / C_i: the matrix whose minimum over the simplex is the machine
/// with squared slack and a penalised offset,
///     min 1/2 |w|^2 + 1/2 |b|^2 + 1/2 sum_i C_i xi_i^2.
/// Without an offset (`offset=no`) the 1 is a 0. Where kernels are narrow and classes many, that decides: of
/// one program for all classes the offset takes what the values, next to zero nearly everywhere, are too
/// small for.
class CoreVectorSource final : public CoreSource {
  public:
    /// `classes` and costs C are one a row; rows of cost 0 must be excluded by whoever solves.
    CoreVectorSource(const TrainingProblem& problem, const Dataset& data, std::vector<Index> classes,
                     const ClassVectors& vectors, std::span<const double> costs);

    std::span<const double> diagonal() const override { return diagonal_; }
    void values(std::span<const Index> left, std::span<const Index> right, double* out,
                Control& control) override;
    void products(std::span<const Index> core, std::span<const double> alpha, double* out,
                  Control& control) override;
    /// What f(x) = sum_s alpha_s y_s (k(x_s, x) + constant) adds to the kernel: 1, or 0 without an offset.
    double constant() const { return constant_; }

  private:
    template <typename T>
    void values_in(std::span<const Index> left, std::span<const Index> right, double* out, Control& control);
    template <typename T>
    void products_in(std::span<const Index> core, std::span<const double> weights, double* out,
                     Control& control);

    const TrainingProblem& problem_;
    const Dataset& data_;
    std::vector<Index> classes_;
    ClassVectors vectors_;
    double constant_;
    std::vector<double> ridge_;
    std::vector<double> diagonal_;
};

/// The method that the parameters choose, and what the model tells of it. With `ball`, the core set begins
/// with that of an enclosing ball of fixed radius, or (stop=epsilon) is that: of all such balls it finds one,
/// whose centre may be far from the least objective.
CoreSetSolution solve_core_vector_program(CoreVectorSource& source, const TrainingProblem& problem,
                                          std::span<const Index> classes, std::span<const double> costs,
                                          bool ball);
void report_core_set(Report& report, const CoreSetSolution& solution);

}  // namespace dk
