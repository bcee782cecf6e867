// SPDX-License-Identifier: Apache-2.0
// Y. C. Pati, R. Rezaiifar, P. S. Krishnaprasad, Orthogonal matching pursuit: recursive function
// approximation with applications to wavelet decomposition, Asilomar Conference on Signals, Systems and
// Computers, 1993. The second form chooses by the error that is left after all values are found anew.
//
//     min over g^ with at most T0 non-zeros that sum to 1   (g - g^)' K (g - g^)
//
// The best values on a support S solve [K_SS 1; 1' 0] [g^_S; nu] = [K_S: g; 1]. With M for that matrix and
// v_j = [K_Sj; 1] for a further point j, the error falls by r_j^2 / c_j, where
//
//     r_j = K_j: g - v_j' M^-1 [K_S: g; 1]     is what the constraint leaves of its gradient,
//     c_j = K_jj - v_j' M^-1 v_j               is its curvature.
//
//     letter    name
//     K         k
//     K g       products
//     g'Kg      square
//     T0        most
//     S, g^_S   code.support, code.values
//     K_S: g    products(S)
#include "solve/squares/orthogonal_pursuit.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "matrix/growing_cholesky.hpp"

namespace dk {

namespace {

/// A curvature below this share of K_jj is rounding: the point depends on those taken.
constexpr double dependent_share = 1e-10;

bool has(const std::vector<Index>& support, Index j) {
    return std::ranges::find(support, j) != support.end();
}

}  // namespace

SparseCode orthogonal_pursuit(const ConstMatrixRef& h, const ConstVectorRef& s, Index most) {
    SparseCode code;
    GrowingCholesky factor;
    Vector left = s;  // the products of what is left with the columns
    const double smallest = 1e-12 * s.cwiseAbs().maxCoeff();
    std::vector<char> dependent(s.size(), 0);
    while (std::ssize(code.support) < std::min(most, s.size())) {
        Index best = -1;
        double largest = 0;
        for (Index j = 0; j < s.size(); ++j) {
            if (dependent[j] != 0 || !(h(j, j) > 0) || has(code.support, j)) continue;
            if (!(std::abs(left[j]) > smallest)) continue;
            const double gain = left[j] * left[j] / h(j, j);
            if (gain > largest) {
                largest = gain;
                best = j;
            }
        }
        if (best < 0) break;
        const Vector row = h(best, code.support).transpose();
        if (!factor.append(row, h(best, best), dependent_share * h(best, best))) {
            dependent[best] = 1;
            continue;
        }
        code.support.push_back(best);
        const Vector values = factor.solve(s(code.support));
        code.values.assign(values.begin(), values.end());
        left = s;
        for (std::size_t k = 0; k < code.support.size(); ++k)
            left -= code.values[k] * h.row(code.support[k]).transpose();
    }
    return code;
}

namespace {

/// Gives the inverse of M = [K_SS 1; 1' 0].
Matrix bordered_inverse(const ConstMatrixRef& k, const std::vector<Index>& support) {
    const Index n = std::ssize(support);
    Matrix m = Matrix::Ones(n + 1, n + 1);
    m.topLeftCorner(n, n) = k(support, support);
    m(n, n) = 0;
    return m.partialPivLu().inverse();
}

/// Finds the point whose best square is nearest by itself: min over j of K_jj - 2 K_j: g.
Index nearest_point(const ConstMatrixRef& k, const ConstVectorRef& products) {
    Index best = 0;
    Vector(k.diagonal() - 2 * products).minCoeff(&best);
    return best;
}

}  // namespace

SparseCode affine_pursuit(const ConstMatrixRef& k, const ConstVectorRef& products, double square,
                          Index most) {
    SparseCode code{.support = {nearest_point(k, products)}, .values = {1.0}};
    while (std::ssize(code.support) < std::min(most, products.size())) {
        const Index n = std::ssize(code.support);
        const Matrix inverse = bordered_inverse(k, code.support);
        Vector right = Vector::Ones(n + 1);
        right.head(n) = products(code.support);
        const Vector values = inverse.lazyProduct(right);
        Index best = -1;
        double largest = 1e-15 * square;
        Vector v = Vector::Ones(n + 1);
        for (Index j = 0; j < products.size(); ++j) {
            if (has(code.support, j)) continue;
            v.head(n) = k(j, code.support).transpose();
            const double curvature = k(j, j) - v.dot(inverse.lazyProduct(v));
            if (!(curvature > dependent_share * k(j, j))) continue;
            const double slope = products[j] - v.dot(values);
            const double gain = slope * slope / curvature;
            if (gain > largest) {
                largest = gain;
                best = j;
            }
        }
        if (best < 0) break;
        code.support.push_back(best);
        Vector renewed = Vector::Ones(n + 2);
        renewed.head(n + 1) = products(code.support);
        const Vector solution = bordered_inverse(k, code.support).lazyProduct(renewed);
        code.values.assign(solution.begin(), solution.end() - 1);
    }
    return code;
}

double approximation_error(const ConstMatrixRef& k, const ConstVectorRef& g, const SparseCode& code) {
    Vector difference = g;
    for (std::size_t s = 0; s < code.support.size(); ++s) difference[code.support[s]] -= code.values[s];
    return difference.dot(k.lazyProduct(difference));
}

}  // namespace dk
