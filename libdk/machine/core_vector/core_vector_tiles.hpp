// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/machine.hpp"
#include "solve/ball/core_set.hpp"

namespace dk {

/// Row c is the vector y_c that stands for class c: all vectors have length 1 and the same inner product with
/// each other. Two classes have the numbers -1 and +1; of T classes the own component is sqrt((T - 1) / T)
/// and each other one -1 / sqrt(T (T - 1)).
Matrix class_vectors(Index classes);

/// The matrix of a core vector machine, whose program is
///     min over w, b, xi   1/2 |w|^2 + 1/2 |b|^2 + 1/2 sum_i C_i xi_i^2
/// with the dual
///     min over alpha      alpha' K~ alpha   subject to alpha >= 0, sum alpha = 1,
///     K~_ij = <y_i, y_j> (k(x_i, x_j) + 1) + [i = j] / C_i
/// (Tsang, Kwok, Cheung, Core vector machines, JMLR 6, 2005; with vectors for classes Asharaf, Murty,
/// Shevade, Multiclass core vector machine, ICML 2007). The 1 beside the kernel is the offset b. It is a 0
/// without an offset (`offset=no`). This matters for narrow kernels and many classes: kernel values are then
/// next to zero nearly everywhere, and in one program for all classes the offset outweighs them.
class CoreVectorTiles final : public TileSource {
  public:
    /// `classes` is the class of each row, and `costs` its C_i.
    CoreVectorTiles(const TrainingProblem& problem, const Dataset& data, std::vector<Index> classes,
                    Matrix vectors, std::span<const double> costs);

    std::span<const double> diagonal() const override { return diagonal_; }
    Matrix values(std::span<const Index> left, std::span<const Index> right, Control& control) override;
    Vector products(std::span<const Index> core, const ConstVectorRef& alpha, Control& control) override;
    bool has_rough_products() const override { return has_rough_products_; }
    Vector rough_products(std::span<const Index> core, const ConstVectorRef& alpha,
                          Control& control) override;
    /// The constant beside the kernel in f(x) = sum_s alpha_s y_s (k(x_s, x) + constant). It is 1, or 0
    /// without an offset.
    double constant() const { return constant_; }

  private:
    template <typename T>
    Matrix values_in(std::span<const Index> left, std::span<const Index> right, Control& control);
    template <typename T>
    Vector products_in(std::span<const Index> core, const ConstVectorRef& alpha, Control& control);

    const TrainingProblem& problem_;
    const Dataset& data_;
    std::vector<Index> classes_;
    Matrix vectors_;  // row c is y_c
    double constant_;
    Vector ridge_;  // 1 / C_i
    std::vector<double> diagonal_;
    bool has_rough_products_ = false;
};

}  // namespace dk
