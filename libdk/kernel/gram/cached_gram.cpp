// SPDX-License-Identifier: Apache-2.0
#include "kernel/gram/cached_gram.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "kernel/gram/gram_blocks.hpp"
#include "matrix/weighted_rows.hpp"

namespace dk {

namespace {

/// A product of more rows than the cache holds computes this many rows together.
constexpr Index rows_at_once = 128;

/// A block is computed apart from whole rows when that takes so many times fewer values than the missing rows
/// do. Most variables of a working set come back to where they were, and their rows are never needed.
constexpr Index block_advantage = 4;

/// Rows of so many values outrun the caches, and then a rough copy is worth its while even where all rows
/// must be computed again. Of rbf with 22 to 64 columns and 20,000 rows the search in single precision takes
/// 0.6 to 0.8 of the time that double takes in all, with 256 columns and 8000 rows the same.
constexpr Index least_long_row = 16384;

/// With fewer rows in its cache a matrix has no rough copy.
constexpr double least_rows_beside_copy = 64;

template <typename T>
double row_bytes(Index rows) {
    return 1.0 * static_cast<double>(rows) * sizeof(T);
}

template <typename T>
RowCache<T> new_cache(Index rows, const MemoryBudget& budget, std::shared_ptr<RowMemory> memory) {
    budget.require(4 * row_bytes<T>(rows), "a cache of four kernel rows");
    const auto capacity =
        static_cast<Index>(std::min(budget.bytes() / row_bytes<T>(rows), 1.0 * std::max<Index>(rows, 4)));
    return {capacity, rows, rows, memory ? std::move(memory) : std::make_shared<RowMemory>()};
}

}  // namespace

template <typename T>
CachedGram<T>::CachedGram(std::unique_ptr<const RowSource<T>> source, const MemoryBudget& budget,
                          std::shared_ptr<RowMemory> memory)
    : TrainingGram(budget),
      source_(std::move(source)),
      cache_(new_cache<T>(source_->size(), budget, std::move(memory))) {
    this->set_diagonal(source_->diagonal());
}

template <typename T>
CachedGram<T>::CachedGram(std::unique_ptr<const RowSource<T>> source, const MemoryBudget& budget,
                          RowCache<T> cache)
    : TrainingGram(budget), source_(std::move(source)), cache_(std::move(cache)) {
    this->set_diagonal(source_->diagonal());
}

template <typename T>
BlockView<T> CachedGram<T>::block(std::span<const Index> rows, BlockStorage<T>& storage, Control& control) {
    const ProgressHold hold(control);
    const Index count = std::ssize(rows);
    if (std::ssize(missing_of(rows)) * size() <= block_advantage * count * count)
        return gathered<T>(kept_rows(rows, control), rows, storage, control);
    source_->block(rows, storage.begin_whole(count), control);
    return storage.complete(rows);
}

template <typename T>
void CachedGram<T>::whole_rows(std::span<const Index> rows, std::span<const T*> out, Control& control) {
    const ProgressHold hold(control);
    std::ranges::copy(kept_rows(rows, control), out.begin());
}

template <typename T>
void CachedGram<T>::add_product(std::span<const Index> rows, std::span<const double> weights,
                                std::span<double> out, Control& control) {
    const ProgressHold hold(control);
    if (std::ssize(rows) <= largest_block())
        return add_weighted_rows<T>(kept_rows(rows, control), weights, out, control);
    LargeArray<T> computed;
    for (Index begin = 0; begin < std::ssize(rows); begin += rows_at_once) {
        const Index count = std::min(rows_at_once, std::ssize(rows) - begin);
        const auto some = rows.subspan(begin, count);
        add_weighted_rows<T>(passing_rows(some, computed, control), weights.subspan(begin, count), out,
                             control);
    }
}

template <typename T>
GramMatrix* CachedGram<T>::rough_copy(Control& control) {
    if (single()) return nullptr;
    if (!rough_) make_rough_copy(control);
    if (!rough_) cache_.memory()->template keep_at_most<float>(0);  // An earlier matrix may have had a copy.
    return rough_.get();
}

template <typename T>
void CachedGram<T>::make_rough_copy(Control& control) {
    const bool worthwhile = cache_.capacity() < size() || (size() >= least_long_row && source_->cheap());
    if (!worthwhile && !source_->cheap()) return;
    // What is left to do in double precision needs few rows: a sixteenth of the memory, or a fourth of
    // little.
    const double share = std::min(16.0, budget().bytes() / (least_rows_beside_copy * row_bytes<T>(size())));
    if (share < 4) return;
    const ProgressHold hold(control);
    auto source = source_->single(control);
    // With bounds of the roundings, few rows take values of double precision.
    if (!source || (!worthwhile && source->rounding_bounds().empty())) return;
    const auto memory = cache_.memory();
    cache_ = new_cache<T>(size(), budget().part(share), memory);
    memory->template keep_at_most<T>(cache_.capacity() * size());
    const MemoryBudget rest = budget().part(share / (share - 1));
    memory->template keep_at_most<float>(static_cast<Index>(rest.bytes() / sizeof(float)));
    rough_ = std::make_unique<CachedGram<float>>(std::move(source), rest, memory);
}

template <typename T>
std::unique_ptr<GramMatrix> CachedGram<T>::principal_submatrix(std::span<const Index> rows,
                                                               Control& control) {
    const ProgressHold hold(control);
    auto source = source_->principal_submatrix(rows, control);
    if (!source) return nullptr;
    return std::make_unique<CachedGram>(std::move(source), budget(), cache_.narrowed(rows, control));
}

template <typename T>
void CachedGram<T>::add_product_at(std::span<const Index> rows, std::span<const Index> columns,
                                   std::span<const double> weights, std::span<double> out,
                                   Control& control) const {
    const ProgressHold hold(control);
    const std::vector<double> product = source_->product(rows, columns, weights, control);
    for (std::size_t r = 0; r < rows.size(); ++r) out[rows[r]] += product[r];
}

template <typename T>
void CachedGram<T>::compute_whole(double* out, Control& control) {
    if constexpr (std::is_same_v<T, double>) {
        source_->matrix(out, control);
    } else {
        LargeArray<T> narrow(size() * size());
        source_->matrix(narrow.data(), control);
        parallel_for_rows(size(), size(), control, [&](Index i) {
            std::copy_n(narrow.data() + i * size(), size(), out + i * size());
        });
    }
}

/// Gives the rows that the cache lacks, ascending, each once.
template <typename T>
std::vector<Index> CachedGram<T>::missing_of(std::span<const Index> rows) const {
    std::vector<Index> missing;
    for (const Index i : rows) {
        if (cache_.find(i) == nullptr) missing.push_back(i);
    }
    std::ranges::sort(missing);
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    return missing;
}

/// Gives the rows from the cache, to which missing ones are added.
template <typename T>
std::vector<const T*> CachedGram<T>::kept_rows(std::span<const Index> rows, Control& control) {
    // Adding rows may displace some of those asked for, which the next turn computes again.
    for (auto missing = missing_of(rows); !missing.empty(); missing = missing_of(rows)) {
        T* values = cache_.add(missing);
        try {
            source_->rows(missing, values, control);
        } catch (...) {
            cache_.clear();  // Rows that are half computed must not stay.
            throw;
        }
    }
    std::vector<const T*> found;
    found.reserve(rows.size());
    for (const Index i : rows) found.push_back(cache_.find(i));
    return found;
}

/// Gives the rows from the cache, or from `computed`, where missing ones are computed for this product alone.
/// They are more than the cache should keep.
template <typename T>
std::vector<const T*> CachedGram<T>::passing_rows(std::span<const Index> rows, LargeArray<T>& computed,
                                                  Control& control) const {
    const std::vector<Index> missing = missing_of(rows);
    if (!missing.empty()) {
        if (computed.empty()) computed = LargeArray<T>(rows_at_once * size());
        source_->rows(missing, computed.data(), control);
    }
    std::vector<const T*> found;
    found.reserve(rows.size());
    for (const Index i : rows) {
        const T* kept = cache_.find(i);
        const auto position = std::ranges::lower_bound(missing, i) - missing.begin();
        found.push_back(kept != nullptr ? kept : computed.data() + position * size());
    }
    return found;
}

template class CachedGram<double>;
template class CachedGram<float>;

}  // namespace dk
