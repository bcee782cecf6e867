// SPDX-License-Identifier: Apache-2.0
#include "machine/kernel_stream.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "base/text.hpp"

namespace dk {

KernelStream::KernelStream(const Bank& bank, const Dataset& data, const MemoryBudget& budget,
                           Control& control)
    : bank_(bank), data_(data), control_(control) {
    const double bytes = 8.0 * static_cast<double>(matrix_size());
    budget.require(4 * bytes, text("combining kernels of ", rows(), " rows"));  // those at work besides
    keeps_ = budget.allows(4 * bytes * static_cast<double>(kernels()));
    // kernels of one engine share what they need of the rows
    constexpr double together = 64.0 * 1024 * 1024;
    at_once_ = std::clamp<Index>(static_cast<Index>(together / bytes), 1, 64);
}

void KernelStream::compute(const std::vector<Index>& kernels, double* out) {
    Bank some;
    for (const Index k : kernels) some.push_back(bank_[unsigned_of(k)]);
    GramEngine<double>(some, data_, data_, &control_).matrices(out, control_);
    for (std::size_t k = 0; k < some.size(); ++k)
        require_finite_matrix(*some[k], out + k * unsigned_of(matrix_size()), rows(), control_);
}

void KernelStream::read(const std::vector<Index>& kernels, const Reader& reader) {
    if (keeps_ && kept_.empty()) {
        LargeArray<double> all(matrix_size() * this->kernels());
        std::vector<Index> everything(bank_.size());
        std::iota(everything.begin(), everything.end(), Index{0});
        const ProgressHold hold(control_);
        for (Index first = 0; first < this->kernels(); first += at_once_) {
            const Index last = std::min(this->kernels(), first + at_once_);
            compute({everything.begin() + first, everything.begin() + last},
                    all.data() + first * matrix_size());
        }
        kept_ = std::move(all);
    }
    if (keeps_) {
        for (const Index k : kernels) reader(k, kept_.data() + k * matrix_size());
        return;
    }
    const ProgressHold hold(control_);
    LargeArray<double> some(std::min(at_once_, size_of(kernels)) * matrix_size());
    for (Index first = 0; first < size_of(kernels); first += at_once_) {
        const Index last = std::min(size_of(kernels), first + at_once_);
        compute({kernels.begin() + first, kernels.begin() + last}, some.data());
        for (Index k = first; k < last; ++k)
            reader(kernels[unsigned_of(k)], some.data() + (k - first) * matrix_size());
    }
}

void KernelStream::read(const Reader& reader) {
    std::vector<Index> all(bank_.size());
    std::iota(all.begin(), all.end(), Index{0});
    read(all, reader);
}

LargeArray<double> KernelStream::combined(std::span<const double> weights) {
    std::vector<Index> used;
    for (Index k = 0; k < kernels(); ++k) {
        if (weights[unsigned_of(k)] != 0) used.push_back(k);
    }
    LargeArray<double> sum(matrix_size());
    parallel_for(rows(), control_, [&](Index i) { std::fill_n(sum.data() + i * rows(), rows(), 0.0); });
    read(used, [&](Index k, const double* matrix) {
        const double weight = weights[unsigned_of(k)];
        parallel_for_rows(rows(), rows(), control_, [&](Index i) {
            for (Index e = i * rows(); e < (i + 1) * rows(); ++e) sum[unsigned_of(e)] += weight * matrix[e];
        });
    });
    return sum;
}

}  // namespace dk
