// SPDX-License-Identifier: Apache-2.0
#include "solve/symmetric_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

namespace dk {

namespace {

/// Rows that a thread takes at once.
constexpr Index chunk = 32;

/// Runs body(first, last) for chunks of [begin, n).
template <typename Body>
void for_chunks(Index begin, Index n, Control& control, Body body) {
    const ProgressHold hold(control);
    parallel_for((n - begin + chunk - 1) / chunk, control, [&](Index c) {
        const Index first = begin + c * chunk;
        body(first, std::min(n, first + chunk));
    });
}

/// out[r] = row r . v for rows first .. last of a matrix, over columns begin .. n.
void row_products(const double* matrix, Index n, Index first, Index last, Index begin, const double* v,
                  double* out) {
    const int length = static_cast<int>(n - begin);
    const int count = static_cast<int>(last - first);
    const int stride = static_cast<int>(n);
    const int step = 1;
    const double one = 1;
    const double zero = 0;
    dgemv_("T", &length, &count, &one, matrix + first * n + begin, &stride, v, &step, &zero, out, &step);
}

struct Tridiagonal {
    std::vector<double> diagonal;
    std::vector<double> below;    // below[i] couples i and i + 1; the last is 0
    std::vector<double> factors;  // of the reflections H_k = I - factors[k] v v'
};

/// Row k of the matrix keeps the vector of reflection k in columns k + 1 .. n.
Tridiagonal tridiagonalise(double* matrix, Index n, Control& control) {
    Tridiagonal out{std::vector<double>(unsigned_of(n)), std::vector<double>(unsigned_of(n)),
                    std::vector<double>(unsigned_of(n))};
    std::vector<double> p(unsigned_of(n));
    for (Index k = 0; k < n; ++k) {
        if (control.stopping()) control.check();
        double* v = matrix + k * n;
        out.diagonal[unsigned_of(k)] = v[k];
        if (k + 1 == n) break;
        const Index begin = k + 1;
        const double scale = std::abs(*std::max_element(
            v + begin, v + n, [](double a, double b) { return std::abs(a) < std::abs(b); }));
        double rest = 0;
        for (Index j = begin + 1; j < n && scale > 0; ++j) rest += (v[j] / scale) * (v[j] / scale);
        if (rest == 0) {
            out.below[unsigned_of(k)] = v[begin];
            continue;  // already tridiagonal here
        }
        const double norm = scale * std::sqrt((v[begin] / scale) * (v[begin] / scale) + rest);
        const double image = v[begin] > 0 ? -norm : norm;
        out.below[unsigned_of(k)] = image;
        v[begin] -= image;
        double square = 0;
        for (Index j = begin; j < n; ++j) square += (v[j] / norm) * (v[j] / norm);
        const double factor = 2 / square / norm / norm;
        out.factors[unsigned_of(k)] = factor;
        // A <- H A H = A - v w' - w v' with p = factor A v, w = p - (factor / 2)(p.v) v
        for_chunks(begin, n, control, [&](Index first, Index last) {
            row_products(matrix, n, first, last, begin, v + begin, p.data() + first);
        });
        double product = 0;
        for (Index j = begin; j < n; ++j) product += p[unsigned_of(j)] * v[j];
        for (Index j = begin; j < n; ++j)
            p[unsigned_of(j)] = factor * (p[unsigned_of(j)] - 0.5 * factor * product * v[j]);
        for_chunks(begin, n, control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) {
                double* row = matrix + i * n;
                const double vi = v[i];
                const double wi = p[unsigned_of(i)];
                for (Index j = begin; j < n; ++j) row[j] -= vi * p[unsigned_of(j)] + wi * v[j];
            }
        });
    }
    return out;
}

/// The rows of Q' where Q is the product of all reflections.
LargeArray<double> accumulate(const double* matrix, Index n, const std::vector<double>& factors,
                              Control& control) {
    LargeArray<double> rows(n * n);
    std::fill(rows.data(), rows.data() + n * n, 0.0);
    for (Index i = 0; i < n; ++i) rows[unsigned_of(i * n + i)] = 1;
    for (Index k = n - 2; k >= 0; --k) {
        if (control.stopping()) control.check();
        const double factor = factors[unsigned_of(k)];
        if (factor == 0) continue;
        const double* v = matrix + k * n;
        for_chunks(k + 1, n, control, [&](Index first, Index last) {
            std::array<double, chunk> products{};
            row_products(rows.data(), n, first, last, k + 1, v + k + 1, products.data());
            for (Index i = first; i < last; ++i) {
                const double weight = factor * products[unsigned_of(i - first)];
                double* row = rows.data() + i * n;
                for (Index j = k + 1; j < n; ++j) row[j] -= weight * v[j];
            }
        });
    }
    return rows;
}

struct Rotation {
    Index row;  // acts on rows `row` and `row + 1`
    double cosine;
    double sine;
};

void apply_rotations(const std::vector<Rotation>& rotations, double* rows, Index n, Control& control) {
    const ProgressHold hold(control);
    constexpr Index width = 256;  // columns: two rows of them stay in the nearest cache
    parallel_for((n + width - 1) / width, control, [&](Index c) {
        const Index first = c * width;
        const Index last = std::min(n, first + width);
        for (const auto& [row, cosine, sine] : rotations) {
            double* lower = rows + row * n;
            double* upper = lower + n;
            for (Index j = first; j < last; ++j) {
                const double h = upper[j];
                upper[j] = sine * lower[j] + cosine * h;
                lower[j] = cosine * lower[j] - sine * h;
            }
        }
    });
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

void diagonalise(Tridiagonal& t, double* rows, Index n, Control& control) {
    constexpr int most_steps = 60;
    std::vector<Rotation> rotations;
    const auto flush = [&] {
        apply_rotations(rotations, rows, n, control);
        rotations.clear();
    };
    for (Index l = 0; l < n; ++l) {
        for (int step = 0;; ++step) {
            if (control.stopping()) control.check();
            Index m = l;
            for (; m + 1 < n; ++m) {
                const double size =
                    std::abs(t.diagonal[unsigned_of(m)]) + std::abs(t.diagonal[unsigned_of(m + 1)]);
                if (std::abs(t.below[unsigned_of(m)]) <= std::numeric_limits<double>::epsilon() * size) break;
            }
            if (m == l) break;
            if (step == most_steps)
                fail(Status::numerical, "an eigenvalue did not converge in ", most_steps, " steps");
            ql_step(t, l, m, rotations);
            if (size_of(rotations) > 4 * n) flush();
        }
    }
    flush();
}

}  // namespace

SymmetricEigen symmetric_eigen(LargeArray<double> matrix, Index n, Control& control) {
    Tridiagonal tridiagonal = tridiagonalise(matrix.data(), n, control);
    LargeArray<double> rows = accumulate(matrix.data(), n, tridiagonal.factors, control);
    diagonalise(tridiagonal, rows.data(), n, control);
    std::vector<Index> order(unsigned_of(n));
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index i) { return tridiagonal.diagonal[unsigned_of(i)]; });
    SymmetricEigen out{{}, std::move(matrix)};
    for (Index k = 0; k < n; ++k) {
        const Index from = order[unsigned_of(k)];
        out.values.push_back(tridiagonal.diagonal[unsigned_of(from)]);
        std::copy_n(rows.data() + from * n, n, out.vectors.data() + k * n);
    }
    return out;
}

}  // namespace dk
