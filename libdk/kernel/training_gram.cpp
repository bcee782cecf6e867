// SPDX-License-Identifier: Apache-2.0
#include "kernel/training_gram.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "base/large_array.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

/// Up to this size the matrix is computed at once, by tiles; larger ones row by row as solvers ask,
/// because they rarely ask for all.
constexpr double stored_at_once = 512.0 * 1024 * 1024;

/// Rows computed together for a product.
constexpr Index rows_at_once = 128;

/// Rows by least recent use, in a fixed number of slots.
template <typename T>
class RowCache {
  public:
    RowCache(Index slots, Index row_size) : slots_(slots), row_size_(row_size) {}

    const std::vector<T>* find(Index i) {
        const auto found = position_.find(i);
        if (found == position_.end()) return nullptr;
        order_.splice(order_.begin(), order_, found->second);
        return &order_.front().values;
    }

    std::vector<T>& insert(Index i) {
        std::vector<T> values;
        if (size_of(order_) >= slots_) {
            position_.erase(order_.back().row);
            values = std::move(order_.back().values);
            order_.pop_back();
        }
        values.resize(unsigned_of(row_size_));
        order_.push_front({i, std::move(values)});
        position_[i] = order_.begin();
        return order_.front().values;
    }

    void forget_newest() {
        position_.erase(order_.front().row);
        order_.pop_front();
    }

  private:
    struct Slot {
        Index row;
        std::vector<T> values;
    };
    Index slots_;
    Index row_size_;
    std::list<Slot> order_;
    std::unordered_map<Index, typename std::list<Slot>::iterator> position_;
};

template <typename T>
class TrainingGramOf final : public TrainingGram {
  public:
    TrainingGramOf(const KernelPointer& kernel, const Dataset& data, const MemoryBudget& budget,
                   Control* control)
        : engine_(kernel, data, data, control), budget_(budget), diagonal_(engine_.self(Side::left)) {
        const double row_bytes = static_cast<double>(size()) * sizeof(T);
        stored_ = row_bytes * static_cast<double>(size()) <= std::min(budget.bytes(), stored_at_once);
        if (stored_) return;
        budget.require(2 * row_bytes, "a cache of two kernel rows");
        const double slots = std::min(budget.bytes() / row_bytes, static_cast<double>(size()));
        cache_ = std::make_unique<RowCache<T>>(std::max<Index>(2, static_cast<Index>(slots)), size());
    }

    Index size() const override { return engine_.rows(); }
    std::span<const double> diagonal() const override { return diagonal_; }

    std::span<const double> row(Index i, Control& control) override {
        const ProgressHold hold(control);
        if (stored_) return widened(whole_matrix(control) + i * size());
        const std::vector<T>* known = cache_->find(i);
        if (!known) {
            auto& values = cache_->insert(i);
            try {
                engine_.rows_of({&i, 1}, values.data(), control);
            } catch (...) {
                cache_->forget_newest();  // half a row must not stay
                throw;
            }
            known = &values;
        }
        return widened(known->data());
    }

    /// By the rows where v is not zero: a solver's vectors are sparse, and zero at the start.
    void product(std::span<const double> v, std::span<double> out, Control& control) override {
        const ProgressHold hold(control);
        std::ranges::fill(out, 0.0);
        std::vector<Index> used;
        for (Index i = 0; i < size(); ++i) {
            if (v[unsigned_of(i)] != 0) used.push_back(i);
        }
        std::vector<T> computed;
        for (Index begin = 0; begin < size_of(used); begin += rows_at_once) {
            const auto block = std::span(used)
                                   .subspan(unsigned_of(begin))
                                   .first(unsigned_of(std::min(rows_at_once, size_of(used) - begin)));
            std::vector<const T*> rows;
            if (stored_) {
                for (const Index i : block) rows.push_back(whole_matrix(control) + i * size());
            } else {
                computed.resize(block.size() * unsigned_of(size()));
                engine_.rows_of(block, computed.data(), control);
                for (std::size_t r = 0; r < block.size(); ++r)
                    rows.push_back(computed.data() + r * unsigned_of(size()));
            }
            accumulate(rows, block, v, out, control);
        }
    }

    const double* whole(int further_copies, Control& control) override {
        const double bytes = 8.0 * static_cast<double>(size()) * static_cast<double>(size());
        budget_.require(bytes * (1 + further_copies), text("a kernel matrix of ", size(), " rows",
                                                           further_copies > 0 ? " with its factors" : ""));
        if constexpr (std::is_same_v<T, double>) {
            return whole_matrix(control);
        } else {
            if (wide_matrix_.empty()) {
                const T* narrow = whole_matrix(control);
                LargeArray<double> wide(size() * size());
                parallel_for(size(), control, [&](Index i) {
                    std::copy(narrow + i * size(), narrow + (i + 1) * size(), wide.data() + i * size());
                });
                wide_matrix_ = std::move(wide);
            }
            return wide_matrix_.data();
        }
    }

  private:
    /// out += sum over the rows of v(row) row, each column in the order of the rows.
    void accumulate(std::span<const T* const> rows, std::span<const Index> ids, std::span<const double> v,
                    std::span<double> out, Control& control) const {
        constexpr Index chunk = 4096;
        parallel_for((size() + chunk - 1) / chunk, control, [&](Index c) {
            const Index end = std::min(size(), (c + 1) * chunk);
            for (std::size_t r = 0; r < rows.size(); ++r) {
                const double weight = v[unsigned_of(ids[r])];
                for (Index j = c * chunk; j < end; ++j)
                    out[unsigned_of(j)] += weight * static_cast<double>(rows[r][j]);
            }
        });
    }

    const T* whole_matrix(Control& control) {
        if (matrix_.empty()) {
            LargeArray<T> matrix(size() * size());
            engine_.matrices(matrix.data(), control);
            matrix_ = std::move(matrix);
        }
        return matrix_.data();
    }

    std::span<const double> widened(const T* values) {
        if constexpr (std::is_same_v<T, double>) {
            return {values, unsigned_of(size())};
        } else {
            auto& buffer = buffers_[next_buffer_];
            next_buffer_ = 1 - next_buffer_;
            buffer.assign(values, values + size());
            return buffer;
        }
    }

    GramEngine<T> engine_;
    MemoryBudget budget_;
    std::vector<double> diagonal_;
    bool stored_ = false;
    LargeArray<T> matrix_;
    LargeArray<double> wide_matrix_;
    std::unique_ptr<RowCache<T>> cache_;
    std::array<std::vector<double>, 2> buffers_;
    std::size_t next_buffer_ = 0;
};

}  // namespace

std::unique_ptr<TrainingGram> make_training_gram(const KernelPointer& kernel, const Dataset& data,
                                                 Precision precision, const MemoryBudget& budget,
                                                 Control* control) {
    if (precision == Precision::real32)
        return std::make_unique<TrainingGramOf<float>>(kernel, data, budget, control);
    return std::make_unique<TrainingGramOf<double>>(kernel, data, budget, control);
}

}  // namespace dk
