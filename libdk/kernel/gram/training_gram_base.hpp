// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "kernel/gram/training_gram.hpp"

namespace dk {

/// Room for so many values and for what may be read after them; its values are lost when it grows.
template <typename T>
void require_room(LargeArray<T>& storage, Index values) {
    if (storage.size() >= values + block_slack) return;
    storage = LargeArray<T>(values + block_slack);
    std::fill(storage.data() + values, storage.data() + storage.size(), T{});
}

/// Whether they are 0, 1, ..., size - 1.
inline bool are_all_rows(std::span<const Index> rows, Index size) {
    if (std::ssize(rows) != size) return false;
    for (Index i = 0; i < size; ++i) {
        if (rows[i] != i) return false;
    }
    return true;
}

/// What training matrices of all kinds share.
class TrainingGramBase : public TrainingGram {
  public:
    std::span<const double> diagonal() const override { return diagonal_; }
    Index size() const override { return std::ssize(diagonal_); }
    BlockView<double> block(std::span<const Index>, LargeArray<double>&, Control&) override {
        fail(Status::internal, "the kernel values are of single precision");
    }
    BlockView<float> block(std::span<const Index>, LargeArray<float>&, Control&) override {
        fail(Status::internal, "the kernel values are of double precision");
    }

    /// By the rows where v is not zero: a solver's vectors are sparse, and zero at the start.
    void product(std::span<const double> v, std::span<double> out, Control& control) override {
        std::vector<Index> used;
        std::vector<double> weights;
        for (Index i = 0; i < size(); ++i) {
            if (v[i] == 0) continue;
            used.push_back(i);
            weights.push_back(v[i]);
        }
        std::ranges::fill(out, 0.0);
        add_product(used, weights, out, control);
    }

    const double* whole(int further_copies, Control& control) override {
        const double bytes = 8.0 * size() * size();
        budget_.require(bytes * (1 + further_copies), text("a kernel matrix of ", size(), " rows",
                                                           further_copies > 0 ? " with its factors" : ""));
        if (whole_.empty()) whole_ = compute_whole(control);
        return whole_.data();
    }

  protected:
    explicit TrainingGramBase(const MemoryBudget& budget) : budget_(budget) {}
    virtual LargeArray<double> compute_whole(Control& control) = 0;

    MemoryBudget budget_;
    std::vector<double> diagonal_;
    LargeArray<double> whole_;
};

}  // namespace dk
