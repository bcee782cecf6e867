// SPDX-License-Identifier: Apache-2.0
#include "solve/symmetric_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "solve/rotations.hpp"

namespace dk {

namespace {

/// Rows that a thread takes at once, and reflections that are applied together.
constexpr Index chunk = 32;
constexpr Index block_size = 32;

/// Below this many rows threads cost more than they bring.
constexpr Index least_parallel = 384;

/// Couplings below this count as zero in a matrix whose largest element is near 1.
constexpr double negligible = 1e-290;

/// Runs body(first, last) for chunks of [begin, n).
template <typename Body>
void for_chunks(Index begin, Index n, Control& control, Body body) {
    if (n - begin < least_parallel) {
        if (control.stopping()) control.check();
        for (Index first = begin; first < n; first += chunk) body(first, std::min(n, first + chunk));
        return;
    }
    const ProgressHold hold(control);
    parallel_for((n - begin + chunk - 1) / chunk, control, [&](Index c) {
        const Index first = begin + c * chunk;
        body(first, std::min(n, first + chunk));
    });
}

double dot(const double* a, const double* b, Index begin, Index end) {
    double sum = 0;
    for (Index j = begin; j < end; ++j) sum += a[j] * b[j];
    return sum;
}

void subtract(double weight, const double* v, double* from, Index begin, Index end) {
    for (Index j = begin; j < end; ++j) from[j] -= weight * v[j];
}

/// out += alpha op(A) B for row-major matrices; op(A) is A' where `transposed`.
void add_product(double alpha, const double* a, Index a_stride, bool transposed, Index rows, Index inner,
                 const double* b, Index b_stride, Index cols, double* out, Index out_stride) {
    const int m = static_cast<int>(cols);
    const int n = static_cast<int>(rows);
    const int k = static_cast<int>(inner);
    const int lda = static_cast<int>(b_stride);
    const int ldb = static_cast<int>(a_stride);
    const int ldc = static_cast<int>(out_stride);
    const double one = 1;
    dgemm_("N", transposed ? "T" : "N", &m, &n, &k, &alpha, b, &lda, a, &ldb, &one, out, &ldc);
}

struct Tridiagonal {
    std::vector<double> diagonal;
    std::vector<double> below;    // below[i] couples i and i + 1; the last is 0
    std::vector<double> factors;  // of the reflections H_k = I - factors[k] v v'
};

/// Turns v, from `begin` on, into the vector of a reflection that keeps its first element alone; gives the
/// factor of the reflection (0 when nothing is to do) and what the first element becomes.
double make_reflection(double* v, Index begin, Index n, double& image) {
    double scale = 0;
    for (Index j = begin; j < n; ++j) scale = std::max(scale, std::abs(v[j]));
    double rest = 0;
    for (Index j = begin + 1; j < n && scale > 0; ++j) rest += (v[j] / scale) * (v[j] / scale);
    image = v[begin];
    if (rest == 0 || scale < negligible) {
        if (scale < negligible) image = 0;
        return 0;
    }
    const double first = v[begin] / scale;
    const double norm = std::sqrt(first * first + rest);  // in units of scale
    image = first > 0 ? -norm * scale : norm * scale;
    // v in units of the norm, so that nothing over- or underflows: |v|^2 = 2 (1 + |first| / norm) = 2
    // |v(begin)|
    for (Index j = begin; j < n; ++j) v[j] = v[j] / scale / norm;
    v[begin] += first > 0 ? 1 : -1;
    return 1 / std::abs(v[begin]);
}

/// The block's columns see the matrix as it was before the block, less the updates v w' + w v' so far; the
/// rest of the matrix is updated once a block, by products (LAPACK's xLATRD).
class Tridiagonalisation {
  public:
    Tridiagonalisation(double* matrix, Index n, Control& control)
        : matrix_(matrix), n_(n), control_(control), v_(unsigned_of(block_size * n)), w_(v_.size()) {
        result_.diagonal.resize(unsigned_of(n));
        result_.below.resize(unsigned_of(n));
        result_.factors.resize(unsigned_of(n));
    }

    Tridiagonal run() {
        for (Index first = 0; first < n_; first += block_size) {
            const Index last = std::min(n_, first + block_size);
            std::fill(v_.begin(), v_.end(), 0.0);
            std::fill(w_.begin(), w_.end(), 0.0);
            for (Index k = first; k < last; ++k) reduce(k, k - first);
            update(last, last - first);
        }
        return std::move(result_);
    }

  private:
    double* v(Index j) { return v_.data() + j * n_; }
    double* w(Index j) { return w_.data() + j * n_; }

    /// Column k, the block's j-th: its row keeps the vector of the reflection in columns k + 1 .. n.
    void reduce(Index k, Index j) {
        double* row = matrix_ + k * n_;
        for (Index i = 0; i < j; ++i) {
            const double vk = v(i)[k];
            const double wk = w(i)[k];
            subtract(vk, w(i), row, k, n_);
            subtract(wk, v(i), row, k, n_);
        }
        result_.diagonal[unsigned_of(k)] = row[k];
        const Index begin = k + 1;
        if (begin == n_) return;
        const double factor = make_reflection(row, begin, n_, result_.below[unsigned_of(k)]);
        result_.factors[unsigned_of(k)] = factor;
        if (factor == 0) return;
        std::copy(row + begin, row + n_, v(j) + begin);
        // w = p - (factor / 2)(p.v) v with p = factor A v
        double* p = w(j);
        for_chunks(begin, n_, control_, [&](Index first, Index last) {
            const int length = static_cast<int>(n_ - begin);
            const int count = static_cast<int>(last - first);
            const int stride = static_cast<int>(n_);
            const int step = 1;
            const double one = 1;
            const double zero = 0;
            dgemv_("T", &length, &count, &one, matrix_ + first * n_ + begin, &stride, v(j) + begin, &step,
                   &zero, p + first, &step);
        });
        for (Index i = 0; i < j; ++i) {
            const double wv = dot(w(i), v(j), begin, n_);
            const double vv = dot(v(i), v(j), begin, n_);
            subtract(wv, v(i), p, begin, n_);
            subtract(vv, w(i), p, begin, n_);
        }
        for (Index i = begin; i < n_; ++i) p[i] *= factor;
        subtract(0.5 * factor * dot(p, v(j), begin, n_), v(j), p, begin, n_);
    }

    /// A -= V' W + W' V beyond the block.
    void update(Index begin, Index count) {
        for_chunks(begin, n_, control_, [&](Index first, Index last) {
            double* out = matrix_ + first * n_ + begin;
            add_product(-1, v(0) + first, n_, true, last - first, count, w(0) + begin, n_, n_ - begin, out,
                        n_);
            add_product(-1, w(0) + first, n_, true, last - first, count, v(0) + begin, n_, n_ - begin, out,
                        n_);
        });
    }

    double* matrix_;
    Index n_;
    Control& control_;
    std::vector<double> v_;
    std::vector<double> w_;
    Tridiagonal result_;
};

/// T of H_1 H_2 ... = I - V' T V for reflection vectors in the rows of V (LAPACK's xLARFT), upper triangular.
std::vector<double> block_factor(const std::vector<double>& v, Index count, Index n,
                                 std::span<const double> factors) {
    std::vector<double> t(unsigned_of(count * count));
    for (Index j = 0; j < count; ++j) {
        const double factor = factors[unsigned_of(j)];
        t[unsigned_of(j * count + j)] = factor;
        std::vector<double> products;
        for (Index i = 0; i < j; ++i) products.push_back(dot(v.data() + i * n, v.data() + j * n, 0, n));
        for (Index i = 0; i < j; ++i) {
            double sum = 0;
            for (Index l = i; l < j; ++l) sum += t[unsigned_of(i * count + l)] * products[unsigned_of(l)];
            t[unsigned_of(i * count + j)] = -factor * sum;
        }
    }
    return t;
}

/// The rows of Q' where Q is the product of all reflections.
LargeArray<double> accumulate(const double* matrix, Index n, const std::vector<double>& factors,
                              Control& control) {
    LargeArray<double> rows(n * n);
    for_chunks(0, n, control, [&](Index first, Index last) {
        std::fill(rows.data() + first * n, rows.data() + last * n, 0.0);
        for (Index i = first; i < last; ++i) rows[unsigned_of(i * n + i)] = 1;
    });
    for (Index first = (n - 1) / block_size * block_size; first >= 0; first -= block_size) {
        const Index count = std::min(block_size, n - first);
        std::vector<double> v(unsigned_of(count * n));
        for (Index j = 0; j < count; ++j)
            std::copy(matrix + (first + j) * n + first + j + 1, matrix + (first + j + 1) * n,
                      v.data() + j * n + first + j + 1);
        const auto t =
            block_factor(v, count, n, std::span(factors).subspan(unsigned_of(first), unsigned_of(count)));
        for_chunks(first, n, control, [&](Index begin, Index end) {
            // rows -= (rows V') T' V
            std::vector<double> projected(unsigned_of((end - begin) * count));
            std::vector<double> weights(projected.size());
            double* part = rows.data() + begin * n + first;
            for (Index i = begin; i < end; ++i) {
                for (Index j = 0; j < count; ++j)
                    projected[unsigned_of((i - begin) * count + j)] =
                        dot(rows.data() + i * n, v.data() + j * n, first + j + 1, n);
            }
            for (Index i = 0; i < end - begin; ++i) {
                for (Index j = 0; j < count; ++j) {
                    for (Index l = j; l < count; ++l)
                        weights[unsigned_of(i * count + j)] +=
                            t[unsigned_of(j * count + l)] * projected[unsigned_of(i * count + l)];
                }
            }
            add_product(-1, weights.data(), count, false, end - begin, count, v.data() + first, n, n - first,
                        part, n);
        });
    }
    return rows;
}

void rotate_rows(const std::vector<Rotation>& rotations, double* rows, Index n, Control& control) {
    constexpr Index width = 64;  // columns: all rows of them stay in the second-level cache
    const auto body = [&](Index c) {
        apply_rotations(rotations, rows, n, c * width, std::min(n, (c + 1) * width));
    };
    if (n < least_parallel) {
        for (Index c = 0; c * width < n; ++c) body(c);
        return;
    }
    const ProgressHold hold(control);
    parallel_for((n + width - 1) / width, control, body);
}

/// One implicit QL step on the unreduced block l .. m.
void ql_step(Tridiagonal& t, Index l, Index m, std::vector<Rotation>& rotations) {
    auto d = [&](Index i) -> double& { return t.diagonal[unsigned_of(i)]; };
    auto e = [&](Index i) -> double& { return t.below[unsigned_of(i)]; };
    double g = (d(l + 1) - d(l)) / (2 * e(l));
    double r = std::hypot(g, 1.0);
    g = d(m) - d(l) + e(l) / (g + std::copysign(r, g));
    double s = 1;
    double c = 1;
    double p = 0;
    for (Index i = m - 1; i >= l; --i) {
        const double f = s * e(i);
        const double b = c * e(i);
        r = std::hypot(f, g);
        e(i + 1) = r;
        if (r == 0) {  // the block splits
            d(i + 1) -= p;
            e(m) = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d(i + 1) - p;
        r = (d(i) - g) * s + 2 * c * b;
        p = s * r;
        d(i + 1) = g + p;
        g = c * r - b;
        rotations.push_back({i, c, s});
    }
    d(l) -= p;
    e(l) = g;
    e(m) = 0;
}

/// What the matrix is known to: rounding of the tridiagonal form. Elements below the diagonal that are
/// smaller are zero; beside eigenvalues that are themselves rounding they would not become so.
double rounding_of(const Tridiagonal& t) {
    double norm = 0;
    for (std::size_t i = 0; i < t.diagonal.size(); ++i)
        norm = std::max(norm, std::abs(t.diagonal[i]) + std::abs(t.below[i]));
    return std::numeric_limits<double>::epsilon() * norm;
}

void diagonalise(Tridiagonal& t, double* rows, Index n, Control& control) {
    constexpr int most_steps = 60;
    const double rounding = rounding_of(t);
    std::vector<Rotation> rotations;
    const auto flush = [&] {
        rotate_rows(rotations, rows, n, control);
        rotations.clear();
    };
    for (Index l = 0; l < n; ++l) {
        for (int step = 0;; ++step) {
            if (control.stopping()) control.check();
            Index m = l;
            while (m + 1 < n && std::abs(t.below[unsigned_of(m)]) > rounding) ++m;
            if (m == l) break;
            if (step == most_steps)
                fail(Status::numerical, "an eigenvalue did not converge in ", most_steps, " steps");
            ql_step(t, l, m, rotations);
            if (size_of(rotations) > 4 * n) flush();
        }
    }
    flush();
}

/// Divides by a power of two near the largest element, and returns it.
double scale_to_one(double* matrix, Index n, Control& control) {
    std::vector<double> largest(unsigned_of(n / chunk + 1));
    for_chunks(0, n, control, [&](Index first, Index last) {
        double& most = largest[unsigned_of(first / chunk)];
        for (Index e = first * n; e < last * n; ++e) most = std::max(most, std::abs(matrix[e]));
    });
    const double most = std::ranges::max(largest);
    if (most == 0) return 1;
    const double unit = std::ldexp(1.0, std::clamp(std::ilogb(most), -1020, 1020));
    const double factor = 1 / unit;
    for_chunks(0, n, control, [&](Index first, Index last) {
        for (Index e = first * n; e < last * n; ++e) matrix[e] *= factor;
    });
    return unit;
}

}  // namespace

SymmetricEigen symmetric_eigen(LargeArray<double> matrix, Index n, Control& control) {
    const double unit = scale_to_one(matrix.data(), n, control);
    Tridiagonal tridiagonal = Tridiagonalisation(matrix.data(), n, control).run();
    LargeArray<double> rows = accumulate(matrix.data(), n, tridiagonal.factors, control);
    diagonalise(tridiagonal, rows.data(), n, control);
    std::vector<Index> order(unsigned_of(n));
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index i) { return tridiagonal.diagonal[unsigned_of(i)]; });
    SymmetricEigen out{{}, std::move(matrix)};
    for (const Index from : order) out.values.push_back(tridiagonal.diagonal[unsigned_of(from)] * unit);
    for_chunks(0, n, control, [&](Index first, Index last) {
        for (Index k = first; k < last; ++k)
            std::copy_n(rows.data() + order[unsigned_of(k)] * n, n, out.vectors.data() + k * n);
    });
    return out;
}

}  // namespace dk
