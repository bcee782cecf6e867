// SPDX-License-Identifier: Apache-2.0
#include "solve/leading_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "solve/multiply.hpp"
#include "solve/symmetric_eigen.hpp"

namespace dk {

namespace {

constexpr Index decomposed_rows = 400;  // up to so many rows the whole decomposition is less work
constexpr Index further_vectors = 8;    // beside those asked for, which makes restarts converge faster
constexpr Index powers = 4;             // of the matrix in a Krylov basis
constexpr int most_restarts = 30;
constexpr double tolerance = 1e-8;

LeadingEigen from_decomposition(const double* matrix, Index n, Index most, double floor, Control& control) {
    LargeArray<double> copy(n * n);
    std::copy_n(matrix, n * n, copy.data());
    const SymmetricEigen all = symmetric_eigen(std::move(copy), n, control);
    LeadingEigen leading;
    for (Index k = n - 1; k >= 0 && size_of(leading.values) < most; --k) {
        if (!(all.values[unsigned_of(k)] > floor)) break;
        leading.values.push_back(all.values[unsigned_of(k)]);
        leading.vectors.insert(leading.vectors.end(), all.vectors.data() + k * n,
                               all.vectors.data() + (k + 1) * n);
    }
    return leading;
}

double dot(const double* a, const double* b, Index n) {
    return std::inner_product(a, a + n, b, 0.0);
}

/// Orthonormal vectors, each a row, with their products with the matrix.
class KrylovBasis {
  public:
    KrylovBasis(const double* matrix, Index n, Control& control)
        : matrix_(matrix), n_(n), control_(control) {}

    Index size() const { return size_of(vectors_) / n_; }

    void clear() {
        vectors_.clear();
        products_.clear();
    }

    /// Takes of some rows what is new to the basis.
    void add(std::span<const double> rows) {
        const Index before = size();
        for (std::size_t at = 0; at < rows.size(); at += unsigned_of(n_)) {
            if (control_.stopping()) control_.check();
            vectors_.insert(vectors_.end(), rows.begin() + static_cast<Index>(at),
                            rows.begin() + static_cast<Index>(at) + n_);
            if (!orthonormalise_last()) vectors_.resize(vectors_.size() - unsigned_of(n_));
        }
        multiply_from(before);
    }

    /// The products of the vectors from `first` on.
    std::span<const double> products(Index first) const {
        return std::span(products_).subspan(unsigned_of(first * n_));
    }

    /// Eigenpairs of the matrix restricted to the basis, largest first.
    LeadingEigen ritz_pairs(Index count) const {
        const Index m = size();
        LargeArray<double> projected(m * m);
        parallel_for(m, control_, [&](Index i) {
            for (Index j = 0; j <= i && !control_.stopping(); ++j) {
                projected[unsigned_of(i * m + j)] = projected[unsigned_of(j * m + i)] =
                    dot(vectors_.data() + i * n_, products_.data() + j * n_, n_);
            }
        });
        const SymmetricEigen small = symmetric_eigen(std::move(projected), m, control_);
        LeadingEigen pairs;
        for (Index k = m - 1; k >= std::max<Index>(0, m - count); --k) {
            pairs.values.push_back(small.values[unsigned_of(k)]);
            control_.check();
            append_combination(small.vectors.data() + k * m, pairs.vectors);
        }
        return pairs;
    }

  private:
    bool orthonormalise_last() {
        double* last = vectors_.data() + (size() - 1) * n_;
        const double before = std::sqrt(dot(last, last, n_));
        for (int pass = 0; pass < 2; ++pass) {  // twice is enough (Kahan, Parlett)
            for (Index i = 0; i + 1 < size(); ++i) {
                const double* other = vectors_.data() + i * n_;
                const double part = dot(last, other, n_);
                for (Index e = 0; e < n_; ++e) last[e] -= part * other[e];
            }
        }
        const double length = std::sqrt(dot(last, last, n_));
        if (!(length > 1e-10 * before)) return false;
        for (Index e = 0; e < n_; ++e) last[e] /= length;
        return true;
    }

    void multiply_from(Index first) {
        constexpr Index columns_at_once = 128;
        const Index count = size() - first;
        products_.resize(vectors_.size());
        if (count == 0) return;
        parallel_for((n_ + columns_at_once - 1) / columns_at_once, control_, [&](Index piece) {
            const Index begin = piece * columns_at_once;
            multiply_transposed(vectors_.data() + first * n_, n_, count, matrix_ + begin * n_, n_,
                                std::min(columns_at_once, n_ - begin), n_, 1, 0,
                                products_.data() + first * n_ + begin, n_);
        });
    }

    void append_combination(const double* weights, std::vector<double>& out) const {
        std::vector<double> sum(unsigned_of(n_));
        for (Index i = 0; i < size(); ++i) {
            const double* row = vectors_.data() + i * n_;
            for (Index e = 0; e < n_; ++e) sum[unsigned_of(e)] += weights[i] * row[e];
        }
        out.insert(out.end(), sum.begin(), sum.end());
    }

    const double* matrix_;
    Index n_;
    Control& control_;
    std::vector<double> vectors_;
    std::vector<double> products_;
};

std::vector<double> random_rows(Index rows, Index n) {
    Random random(1);
    std::vector<double> values(unsigned_of(rows * n));
    for (double& v : values) v = random.uniform() - 0.5;
    return values;
}

/// Of the pairs asked for; `basis` holds the pairs' vectors.
double largest_residual(const LeadingEigen& pairs, const KrylovBasis& basis, Index most, double floor,
                        Index n) {
    double worst = 0;
    for (Index k = 0; k < std::min(most, basis.size()); ++k) {
        const double value = pairs.values[unsigned_of(k)];
        if (!(value > floor)) break;
        const auto product = basis.products(k);
        double squares = 0;
        for (Index e = 0; e < n; ++e) {
            const double r = product[unsigned_of(e)] - value * pairs.vectors[unsigned_of(k * n + e)];
            squares += r * r;
        }
        worst = std::max(worst, std::sqrt(squares));
    }
    return worst;
}

}  // namespace

LeadingEigen leading_eigen(const double* matrix, Index n, Index most, double floor, Control& control) {
    const ProgressHold hold(control);
    if (n <= std::max(decomposed_rows, (most + further_vectors) * powers))
        return from_decomposition(matrix, n, most, floor, control);
    const Index block = most + further_vectors;
    std::vector<double> start = random_rows(block, n);
    KrylovBasis basis(matrix, n, control);
    LeadingEigen pairs;
    for (int restart = 0; restart < most_restarts; ++restart) {
        basis.clear();
        basis.add(start);
        for (Index power = 1, first = 0; power < powers; ++power) {
            const std::vector<double> last(basis.products(first).begin(), basis.products(first).end());
            first = basis.size();
            basis.add(last);
        }
        pairs = basis.ritz_pairs(block);
        // the residuals show when the best vectors are taken as the start of another basis
        basis.clear();
        basis.add(pairs.vectors);
        if (largest_residual(pairs, basis, most, floor, n) <= tolerance * std::abs(pairs.values.front()))
            break;
        start = pairs.vectors;
    }
    const auto above = std::ranges::find_if(pairs.values, [&](double value) { return !(value > floor); });
    const Index wanted = std::min(most, static_cast<Index>(above - pairs.values.begin()));
    pairs.values.resize(unsigned_of(wanted));
    pairs.vectors.resize(unsigned_of(wanted * n));
    return pairs;
}

}  // namespace dk
