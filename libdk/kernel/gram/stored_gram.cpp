// SPDX-License-Identifier: Apache-2.0
#include "kernel/gram/stored_gram.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "base/parallel.hpp"
#include "kernel/gram/row_store.hpp"
#include "kernel/gram/training_gram_base.hpp"
#include "solve/box/smo_steps.hpp"

namespace dk {

namespace {

/// Up to this size the matrix is computed at once, by tiles; larger ones row by row as solvers ask,
/// because they rarely ask for all.
constexpr double stored_at_once = 256.0 * 1024;

/// Rows computed together for a product.
constexpr Index rows_at_once = 128;

/// A block is computed apart from whole rows when that takes so much fewer values than the rows that miss:
/// most variables of a working set come back to where they were, and the rows of those are never needed.
constexpr Index block_advantage = 4;

/// The columns `rows` of each of these rows.
template <typename T>
BlockView<T> gathered(std::span<const T* const> matrix_rows, std::span<const Index> columns,
                      LargeArray<T>& storage) {
    const Index count = std::ssize(columns);
    require_room(storage, count * count);
    for (Index r = 0; r < count; ++r) {
        T* out = storage.data() + r * count;
        const T* row = matrix_rows[r];
        for (Index c = 0; c < count; ++c) out[c] = row[columns[c]];
    }
    return {storage.data(), count};
}

/// By values: all of them, or rows in a store.
template <typename T>
class StoredGram final : public TrainingGramBase {
  public:
    StoredGram(std::unique_ptr<const RowSource<T>> source, const MemoryBudget& budget, bool whole,
               LargeArray<T>* memory)
        : TrainingGramBase(budget), source_(std::move(source)) {
        diagonal_ = source_->diagonal();
        const double row_bytes = 1.0 * size() * sizeof(T);
        at_once_ = whole || row_bytes * size() <= std::min(budget.bytes(), stored_at_once);
        if (at_once_) return;
        budget.require(4 * row_bytes, "a cache of four kernel rows");
        const double most = std::min(budget.bytes() / row_bytes, 1.0 * std::max<Index>(size(), 4));
        store_.emplace(static_cast<Index>(most), size(), size(), memory != nullptr ? *memory : own_memory_);
    }

    StoredGram(std::unique_ptr<const RowSource<T>> source, const MemoryBudget& budget, RowStore<T> store)
        : TrainingGramBase(budget), source_(std::move(source)), store_(std::move(store)) {
        diagonal_ = source_->diagonal();
    }

    bool single() const override { return std::is_same_v<T, float>; }
    Index largest_block() const override { return at_once_ ? size() : store_->most_rows() / 2; }

    BlockView<T> block(std::span<const Index> rows, LargeArray<T>& storage, Control& control) override {
        const ProgressHold hold(control);
        if (at_once_ && are_all_rows(rows, size())) return {matrix(control), size()};
        if (at_once_) return gathered<T>(stored_rows(rows, control), rows, storage);
        const Index count = std::ssize(rows);
        if (std::ssize(missing_of(rows)) * size() <= block_advantage * count * count)
            return gathered<T>(kept_rows(rows, control), rows, storage);
        require_room(storage, count * count);
        source_->block(rows, storage.data(), control);
        return {storage.data(), count};
    }

    void add_product(std::span<const Index> rows, std::span<const double> weights, std::span<double> out,
                     Control& control) override {
        const ProgressHold hold(control);
        if (at_once_) return accumulate(stored_rows(rows, control), weights, out, control);
        if (std::ssize(rows) <= largest_block())
            return accumulate(kept_rows(rows, control), weights, out, control);
        LargeArray<T> computed;
        for (Index begin = 0; begin < std::ssize(rows); begin += rows_at_once) {
            const Index count = std::min(rows_at_once, std::ssize(rows) - begin);
            const auto some = rows.subspan(begin, count);
            accumulate(passing_rows(some, computed, control), weights.subspan(begin, count), out, control);
        }
    }

    std::unique_ptr<GramMatrix> principal(std::span<const Index> rows, Control& control) override {
        const ProgressHold hold(control);
        if (at_once_) return nullptr;
        auto source = source_->principal(rows, control);
        if (!source) return nullptr;
        return std::make_unique<StoredGram>(std::move(source), budget_, store_->narrowed(rows, control));
    }

    void add_product_at(std::span<const Index> rows, std::span<const Index> columns,
                        std::span<const double> weights, std::span<double> out, Control& control) override {
        const ProgressHold hold(control);
        const std::vector<double> product = source_->product(rows, columns, weights, control);
        for (std::size_t r = 0; r < rows.size(); ++r) out[rows[r]] += product[r];
    }

  private:
    LargeArray<double> compute_whole(Control& control) override {
        LargeArray<double> wide(size() * size());
        if constexpr (std::is_same_v<T, double>) {
            source_->matrix(wide.data(), control);
        } else {
            const T* narrow = matrix(control);
            parallel_for(size(), control, [&](Index i) {
                std::copy(narrow + i * size(), narrow + (i + 1) * size(), wide.data() + i * size());
            });
        }
        return wide;
    }

    const T* matrix(Control& control) {
        if (matrix_.empty()) {
            LargeArray<T> computed;
            require_room(computed, size() * size());
            source_->matrix(computed.data(), control);
            matrix_ = std::move(computed);
        }
        return matrix_.data();
    }

    std::vector<const T*> stored_rows(std::span<const Index> rows, Control& control) {
        std::vector<const T*> found;
        found.reserve(rows.size());
        const T* all = matrix(control);
        for (const Index i : rows) found.push_back(all + i * size());
        return found;
    }

    std::vector<Index> missing_of(std::span<const Index> rows) const {
        std::vector<Index> missing;
        for (const Index i : rows) {
            if (store_->find(i) == nullptr) missing.push_back(i);
        }
        std::ranges::sort(missing);
        missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
        return missing;
    }

    /// The rows from the store, where they are from now on.
    std::vector<const T*> kept_rows(std::span<const Index> rows, Control& control) {
        // what makes room may be among these rows, which then are computed in the next turn
        for (auto missing = missing_of(rows); !missing.empty(); missing = missing_of(rows)) {
            T* values = store_->add(missing);
            try {
                source_->rows(missing, values, control);
            } catch (...) {
                for (const Index i : missing) store_->forget(i);  // rows half computed must not stay
                throw;
            }
        }
        std::vector<const T*> found;
        found.reserve(rows.size());
        for (const Index i : rows) found.push_back(store_->find(i));
        return found;
    }

    /// The rows from the store, or computed for this once.
    std::vector<const T*> passing_rows(std::span<const Index> rows, LargeArray<T>& computed,
                                       Control& control) {
        const std::vector<Index> missing = missing_of(rows);
        if (!missing.empty()) {
            if (computed.empty()) computed = LargeArray<T>(rows_at_once * size());
            source_->rows(missing, computed.data(), control);
        }
        std::vector<const T*> found;
        found.reserve(rows.size());
        for (const Index i : rows) {
            const T* kept = store_->find(i);
            const auto position = std::ranges::lower_bound(missing, i) - missing.begin();
            found.push_back(kept != nullptr ? kept : computed.data() + position * size());
        }
        return found;
    }

    void accumulate(const std::vector<const T*>& rows, std::span<const double> weights, std::span<double> out,
                    Control& control) const {
        constexpr Index chunk = 2048;  // of the sums, which stay in the nearest cache
        constexpr Index worth_a_thread = 200000;
        const Index threads =
            std::clamp<Index>(size() * std::ssize(rows) / worth_a_thread, 1, control.threads());
        const auto nothing = [] { return 0; };
        const auto add_chunk = [&](int, Index c) {
            smo_steps<T>().accumulate(rows.data(), weights.data(), std::ssize(rows), c * chunk,
                                      std::min(size(), (c + 1) * chunk), out.data());
        };
        parallel_for_with((size() + chunk - 1) / chunk, control, nothing, add_chunk,
                          static_cast<int>(threads));
    }

    std::unique_ptr<const RowSource<T>> source_;
    bool at_once_ = false;
    LargeArray<T> matrix_;
    LargeArray<T> own_memory_;
    std::optional<RowStore<T>> store_;  // unless at once
};

}  // namespace

template <typename T>
std::unique_ptr<TrainingGram> make_stored_gram(std::unique_ptr<const RowSource<T>> source,
                                               const MemoryBudget& budget, bool whole,
                                               LargeArray<T>* memory) {
    return std::make_unique<StoredGram<T>>(std::move(source), budget, whole, memory);
}

template std::unique_ptr<TrainingGram> make_stored_gram(std::unique_ptr<const RowSource<double>>,
                                                        const MemoryBudget&, bool, LargeArray<double>*);
template std::unique_ptr<TrainingGram> make_stored_gram(std::unique_ptr<const RowSource<float>>,
                                                        const MemoryBudget&, bool, LargeArray<float>*);

}  // namespace dk
