// SPDX-License-Identifier: Apache-2.0
// The likeness of kernels l and m is their centred alignment,
//
//     A_lm = <H K_l H, H K_m H> / (|H K_l H| |H K_m H|),   H = I - 11'/N,
//
// which a count sketch estimates without ever having two matrices at a time: each pair of rows i <= j adds
// sigma(i, j) sqrt(2 - 1[i = j]) (H K_l H)_ij to the element h(i, j) of z_l, where h and sigma are a random
// place and sign of the pair, the same for all kernels. Then A_lm is z_l'z_m for z of length 1, with an error
// of about 1 / sqrt(elements).
//
// Reference: Cortes, Mohri, Rostamizadeh, Algorithms for learning kernels based on centered alignment, JMLR
// 2012; Charikar, Chen, Farach-Colton, Finding frequent items in data streams, ICALP 2002.
#include "machine/dictionary/bank_facts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

/// A kernel with a larger mean similarity is flat: it is 1 for all pairs of rows.
constexpr double flat = 1 - 1e-6;

/// So many rows of a matrix are added up apart from the others, so that threads don't change the sums.
constexpr Index rows_of_part = 256;

struct Means {
    Vector of_rows;
    double of_all = 0;
};

Means means_of(const ConstMatrixView& kernel, Control& control) {
    const Index n = kernel.rows();
    Means means{.of_rows = Vector(n)};
    parallel_for_rows(n, n, control, [&](Index i) { means.of_rows[i] = kernel.row(i).mean(); });
    means.of_all = means.of_rows.mean();
    return means;
}

/// Computes z of one kernel, not yet of length 1.
Vector sketch_of(const ConstMatrixView& kernel, const Means& means, Index size, Control& control) {
    const Index n = kernel.rows();
    const Index parts = (n + rows_of_part - 1) / rows_of_part;
    Matrix of_parts = Matrix::Zero(parts, size);
    parallel_for(parts, control, [&](Index part) {
        auto z = of_parts.row(part);
        for (Index i = part * rows_of_part; i < std::min(n, (part + 1) * rows_of_part); ++i) {
            Random pairs(static_cast<std::uint64_t>(i));  // row i's places and signs
            for (Index j = i; j < n; ++j) {
                const std::uint64_t drawn = pairs.next();
                const Index place = drawn % static_cast<std::uint64_t>(size);
                const double centred = kernel(i, j) - means.of_rows[i] - means.of_rows[j] + means.of_all;
                const double value = i == j ? centred : std::numbers::sqrt2 * centred;
                z[place] += drawn >> 63U != 0 ? value : -value;
            }
        }
    });
    return of_parts.colwise().sum();
}

}  // namespace

BankFacts::BankFacts(BankMatrices& stream, Index sketch_size, const MemoryBudget& budget, Control& control) {
    const double n = stream.rows();
    const Index parts = (stream.rows() + rows_of_part - 1) / rows_of_part;
    const double columns = std::min<Index>(stream.kernels(), 500);  // Few kernels are weighed at some time.
    if (sketch_size > 0)
        budget.require(8.0 * (sketch_size * (stream.kernels() + parts) + stream.kernels() * columns),
                       text("comparing ", stream.kernels(), " kernels with each other"));
    mean_similarities_.resize(stream.kernels());
    sketches_.resize(stream.kernels(), sketch_size);
    stream.read([&](Index l, const ConstMatrixView& kernel) {
        const Means means = means_of(kernel, control);
        mean_similarities_[l] = (means.of_all * n - 1) / (n - 1);  // K_ii = 1
        if (mean_similarities_[l] > flat) return;
        const Index place = std::ssize(informative_);
        informative_.push_back(l);
        if (sketch_size > 0)
            sketches_.row(place) = sketch_of(kernel, means, sketch_size, control).normalized();
    });
    if (informative_.empty()) {
        fail(Status::invalid_data,
             "every kernel of the bank is the same for all pairs of rows; the features that it sees are "
             "constant");
    }
}

const Vector& BankFacts::alignments(Index l) const {
    const auto [found, is_new] = known_.try_emplace(l);
    if (is_new) {
        found->second = sketches_.topRows(std::ssize(informative_)) * sketches_.row(l).transpose();
        found->second[l] = 1;
    }
    return found->second;
}

double BankFacts::alike(const ConstVectorRef& weights) const {
    return (sketches_.topRows(std::ssize(informative_)).transpose() * weights).squaredNorm();
}

Vector equal_weights(const BankFacts& facts) {
    Vector beta = Vector::Zero(facts.kernels());
    beta(facts.informative()).setConstant(1.0 / static_cast<double>(facts.informative().size()));
    return beta;
}

}  // namespace dk
