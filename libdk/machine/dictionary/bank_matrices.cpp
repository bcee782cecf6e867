// SPDX-License-Identifier: Apache-2.0
#include "machine/dictionary/bank_matrices.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernel/engine/finite_matrix.hpp"

namespace dk {

namespace {

std::vector<Index> first_indices(Index count) {
    std::vector<Index> all(count);
    std::iota(all.begin(), all.end(), Index{0});
    return all;
}

}  // namespace

BankMatrices::BankMatrices(const Bank& bank, const Dataset& data, const MemoryBudget& budget,
                           Control& control)
    : bank_(bank), data_(data), control_(control) {
    const double bytes = 8.0 * rows() * rows();
    budget.require(4 * bytes,
                   text("combining kernels of ", rows(), " rows"));  // The learner has more of them.
    keeps_ = budget.allows(4 * bytes * kernels());
    // Kernels of one engine share what they need of the rows, so small ones are computed together.
    constexpr double together = 64.0 * 1024 * 1024;
    at_once_ = std::clamp<Index>(static_cast<Index>(together / bytes), 1, 64);
}

/// Writes the matrices of these kernels one below the other.
void BankMatrices::compute(std::span<const Index> kernels, MatrixView out) {
    Bank some;
    for (const Index k : kernels) some.push_back(bank_[k]);
    GramEngine<double>(some, data_, data_, &control_).matrices(out.data(), control_);
    for (Index k = 0; k < std::ssize(some); ++k)
        require_finite_matrix(*some[k], out.middleRows(k * rows(), rows()).data(), rows(), control_);
}

void BankMatrices::read(const std::vector<Index>& kernels, const Reader& reader) {
    const ProgressHold hold(control_);
    if (keeps_ && kept_.empty()) {
        LargeMatrix all(rows() * this->kernels(), rows());
        const std::vector<Index> everything = first_indices(this->kernels());
        for (Index first = 0; first < this->kernels(); first += at_once_) {
            const Index count = std::min(at_once_, this->kernels() - first);
            compute(std::span(everything).subspan(first, count),
                    view(all.row(first * rows()), count * rows(), rows()));
        }
        kept_ = std::move(all);
    }
    if (keeps_) {
        for (const Index k : kernels) reader(k, view(std::as_const(kept_).row(k * rows()), rows(), rows()));
        return;
    }
    LargeMatrix some(std::min(at_once_, std::ssize(kernels)) * rows(), rows());
    for (Index first = 0; first < std::ssize(kernels); first += at_once_) {
        const Index count = std::min(at_once_, std::ssize(kernels) - first);
        compute(std::span(kernels).subspan(first, count), view(some.data(), count * rows(), rows()));
        for (Index k = 0; k < count; ++k)
            reader(kernels[first + k], view(std::as_const(some).row(k * rows()), rows(), rows()));
    }
}

void BankMatrices::read(const Reader& reader) {
    read(first_indices(kernels()), reader);
}

LargeMatrix BankMatrices::combined(const ConstVectorRef& weights) {
    std::vector<Index> used;
    for (Index k = 0; k < kernels(); ++k) {
        if (weights[k] != 0) used.push_back(k);
    }
    LargeMatrix sum(rows(), rows());
    parallel_for_rows(rows(), rows(), control_, [&](Index i) { sum.view().row(i).setZero(); });
    read(used, [&](Index k, const ConstMatrixView& matrix) {
        parallel_for_rows(rows(), rows(), control_,
                          [&](Index i) { sum.view().row(i) += weights[k] * matrix.row(i); });
    });
    return sum;
}

}  // namespace dk
