// SPDX-License-Identifier: Apache-2.0
#include "kernel/gram/class_grams.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "data/class_range.hpp"
#include "kernel/gram/dataset_rows.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

/// These numbers decide whether a class's matrix is computed once for all pairs. The solver of a pair of
/// large classes asks only for the rows that it moves, which are a fourth of all or fewer. So for classes
/// above `largest_whole_class` it pays to compute all rows only where at least `fewest_sharing_classes`
/// classes make pairs, and for those above `largest_shared_class` never.
constexpr Index largest_whole_class = 128;
constexpr Index fewest_sharing_classes = 8;
constexpr Index largest_shared_class = 4096;

bool is_shared(Index class_size, Index classes) {
    return class_size <= (classes >= fewest_sharing_classes ? largest_shared_class : largest_whole_class);
}

Index squared(Index size) {
    return size * size;
}

/// OrderedClasses has all rows, ordered by class, and the values that pairs share.
template <typename T>
struct OrderedClasses {
    OrderedClasses(const KernelPointer& kernel, Dataset ordered, std::vector<ClassRange> of_classes,
                   Control& control)
        : rows(kernel, std::move(ordered), &control),
          ranges(std::move(of_classes)),
          diagonal(rows.diagonal()),
          within(ranges.size()) {}

    /// Computes the matrices of these classes with themselves, for all pairs. They stand in one piece of
    /// memory, which is cheaper to get than many.
    void keep_within(const std::vector<Index>& classes, Control& control) {
        Index values = 0;
        for (const Index c : classes) values += squared(ranges[c].size);
        kept = LargeArray<T>(values);
        T* place = kept.data();
        for (const Index c : classes) {
            const ClassRange& range = ranges[c];
            rows.engine().matrices_within(range.begin, range.size, place, control);
            within[c] = place;
            place += squared(range.size);
        }
    }

    DatasetRows<T> rows;
    std::vector<ClassRange> ranges;
    std::vector<double> diagonal;
    std::vector<double> rounding_bounds = {};  // those of a rough copy's rows
    LargeArray<T> kept;
    std::vector<const T*> within;  // the matrix of each class with itself, null where it is not kept
};

/// PairRows is the source of the matrix of two classes: first come the rows of one, then those of the other.
template <typename T>
class PairRows final : public RowSource<T> {
  public:
    /// `rough` has the same classes in single precision, or is null.
    PairRows(const OrderedClasses<T>& classes, const OrderedClasses<float>* rough, Index first, Index second)
        : classes_(classes),
          rough_(rough),
          first_(first),
          second_(second),
          parts_{classes.ranges[first], classes.ranges[second]},
          within_{classes.within[first], classes.within[second]},
          size_(parts_[0].size + parts_[1].size) {}

    Index size() const override { return size_; }
    std::vector<double> diagonal() const override { return of_parts(classes_.diagonal); }
    std::vector<double> rounding_bounds() const override { return of_parts(classes_.rounding_bounds); }
    bool cheap() const override { return classes_.rows.cheap(); }

    std::unique_ptr<const RowSource<float>> single(Control&) const override {
        if (rough_ == nullptr) return nullptr;
        return std::make_unique<PairRows<float>>(*rough_, nullptr, first_, second_);
    }

    void rows(std::span<const Index> rows, T* out, Control& control) const override {
        const auto second = std::ranges::lower_bound(rows, parts_[0].size);
        const Index in_first = second - rows.begin();
        rows_of_class(0, rows.first(in_first), out, control);
        rows_of_class(1, rows.subspan(in_first), out + in_first * size_, control);
    }

    void block(std::span<const Index> rows, T* out, Control& control) const override {
        classes_.rows.block(ordered(rows), out, control);
    }

    /// Computes each block once; that of the second class with the first is a transpose.
    void matrix(T* out, Control& control) const override {
        const auto [first, second] = parts_;
        copy_within(0, out, control);
        T* across = out + first.size;
        T* rest = out + first.size * size_;
        copy_within(1, rest + first.size, control);
        std::vector<Index> rows(first.size);
        std::iota(rows.begin(), rows.end(), first.begin);
        classes_.rows.engine().rows_of(rows, second.begin, second.size, across, size_, control);
        view(rest, second.size, first.size, size_) = view(across, first.size, second.size, size_).transpose();
    }

    std::unique_ptr<const RowSource<T>> principal_submatrix(std::span<const Index> rows,
                                                            Control& control) const override {
        return classes_.rows.principal_submatrix(ordered(rows), control);
    }

    std::vector<double> product(std::span<const Index> rows, std::span<const Index> columns,
                                std::span<const double> weights, Control& control) const override {
        return classes_.rows.product(ordered(rows), ordered(columns), weights, control);
    }

  private:
    /// Gives what these numbers of all rows are for the rows of the pair.
    std::vector<double> of_parts(const std::vector<double>& all) const {
        if (all.empty()) return {};
        std::vector<double> values;
        values.reserve(size_);
        for (const ClassRange& part : parts_) {
            const auto begin = all.begin() + part.begin;
            values.insert(values.end(), begin, begin + part.size);
        }
        return values;
    }

    std::vector<Index> ordered(std::span<const Index> rows) const {
        std::vector<Index> positions;
        positions.reserve(rows.size());
        for (const Index i : rows) {
            const bool first = i < parts_[0].size;
            positions.push_back(first ? parts_[0].begin + i : parts_[1].begin + i - parts_[0].size);
        }
        return positions;
    }

    void rows_of_class(std::size_t part, std::span<const Index> rows, T* out, Control& control) const {
        if (rows.empty()) return;
        const auto positions = ordered(rows);
        const ClassRange& own = parts_[part];
        const ClassRange& other = parts_[1 - part];
        T* within = out + (part == 0 ? 0 : other.size);
        T* across = out + (part == 0 ? own.size : 0);
        classes_.rows.engine().rows_of(positions, other.begin, other.size, across, size_, control);
        if (within_[part] == nullptr) {
            classes_.rows.engine().rows_of(positions, own.begin, own.size, within, size_, control);
        } else {
            for (std::size_t r = 0; r < rows.size(); ++r) {
                const T* row = within_[part] + (positions[r] - own.begin) * own.size;
                std::copy(row, row + own.size, within + r * size_);
            }
        }
    }

    void copy_within(std::size_t part, T* out, Control& control) const {
        const auto& [begin, size] = parts_[part];
        LargeArray<T> computed;
        const T* values = within_[part];
        if (values == nullptr) {
            computed = LargeArray<T>(squared(size));
            classes_.rows.engine().matrices_within(begin, size, computed.data(), control);
            values = computed.data();
        }
        for (Index i = 0; i < size; ++i)
            std::copy(values + i * size, values + (i + 1) * size, out + i * size_);
    }

    const OrderedClasses<T>& classes_;
    const OrderedClasses<float>* rough_;
    Index first_;
    Index second_;
    std::array<ClassRange, 2> parts_;
    std::array<const T*, 2> within_;
    Index size_;
};

std::vector<Index> joined(const std::vector<std::vector<Index>>& rows_of_classes) {
    std::vector<Index> all;
    for (const auto& rows : rows_of_classes) all.insert(all.end(), rows.begin(), rows.end());
    return all;
}

std::vector<ClassRange> ranges_of(const std::vector<std::vector<Index>>& rows_of_classes) {
    std::vector<ClassRange> ranges;
    Index begin = 0;
    for (const auto& rows : rows_of_classes) {
        ranges.push_back({begin, std::ssize(rows)});
        begin += std::ssize(rows);
    }
    return ranges;
}

template <typename T>
class StoredClassGrams final : public ClassGrams {
  public:
    /// With `rough_search` pairs have rough copies, where their roundings are known.
    StoredClassGrams(const KernelPointer& kernel, const Dataset& data,
                     const std::vector<std::vector<Index>>& rows_of_classes, bool rough_search,
                     const MemoryBudget& budget, Control& control)
        : classes_(kernel, features_only(data.select(joined(rows_of_classes))), ranges_of(rows_of_classes),
                   control) {
        if (rough_search) make_rough_classes(kernel, control);
        if (rough_) {
            // Only of small pairs all rows are asked for in double precision.
            keep_shared(classes_, largest_stored_class(), budget.part(2), control);
            keep_shared(*rough_, largest_shared_class, budget.part(2), control);
        } else {
            keep_shared(classes_, largest_shared_class, budget, control);
        }
    }

    std::unique_ptr<TrainingGram> pair(Index first, Index second, const MemoryBudget& budget, Control&,
                                       std::shared_ptr<RowMemory> memory) const override {
        std::unique_ptr<const RowSource<T>> rows =
            std::make_unique<PairRows<T>>(classes_, rough_.get(), first, second);
        return make_training_gram(std::move(rows), budget, std::move(memory));
    }

  private:
    static Index largest_stored_class() {
        return static_cast<Index>(std::sqrt(largest_stored_bytes / sizeof(T)));
    }

    void make_rough_classes(const KernelPointer& kernel, Control& control) {
        const Dataset& rows = classes_.rows.data();
        if (!kernel->cheap() || !fits_single_precision(*kernel, rows, classes_.diagonal)) return;
        auto rough = std::make_unique<OrderedClasses<float>>(kernel, rows, classes_.ranges, control);
        rough->rounding_bounds = rough->rows.rounding_bounds();
        if (!rough->rounding_bounds.empty()) rough_ = std::move(rough);
    }

    /// Keeps what pairs share of classes of at most `largest` rows, if the budget allows that.
    template <typename U>
    static void keep_shared(OrderedClasses<U>& classes, Index largest, const MemoryBudget& budget,
                            Control& control) {
        std::vector<Index> shared;
        double bytes = 0;
        for (Index c = 0; c < std::ssize(classes.ranges); ++c) {
            const Index size = classes.ranges[c].size;
            if (size > largest || !is_shared(size, std::ssize(classes.ranges))) continue;
            shared.push_back(c);
            bytes += 1.0 * sizeof(U) * squared(size);
        }
        if (budget.allows(bytes)) classes.keep_within(shared, control);
    }

    OrderedClasses<T> classes_;
    std::unique_ptr<OrderedClasses<float>> rough_;
};

/// Kernels with factors store no values, so these pairs share nothing.
class FactoredClassGrams final : public ClassGrams {
  public:
    FactoredClassGrams(const KernelPointer& kernel, const Dataset& data,
                       std::vector<std::vector<Index>> rows_of_classes)
        : kernel_(kernel), data_(features_only(data)), rows_of_classes_(std::move(rows_of_classes)) {}

    std::unique_ptr<TrainingGram> pair(Index first, Index second, const MemoryBudget& budget,
                                       Control& control, std::shared_ptr<RowMemory> memory) const override {
        const auto rows = joined({rows_of_classes_[first], rows_of_classes_[second]});
        return make_training_gram(kernel_, data_.select(rows), Precision::real64, budget, &control,
                                  std::move(memory));
    }

  private:
    KernelPointer kernel_;
    Dataset data_;
    std::vector<std::vector<Index>> rows_of_classes_;
};

}  // namespace

std::unique_ptr<ClassGrams> make_class_grams(const KernelPointer& kernel, const Dataset& data,
                                             std::vector<std::vector<Index>> rows_of_classes,
                                             Precision precision, bool rough_search,
                                             const MemoryBudget& budget, Control& control) {
    if (kernel->factored())
        return std::make_unique<FactoredClassGrams>(kernel, data, std::move(rows_of_classes));
    if (precision == Precision::real32)
        return std::make_unique<StoredClassGrams<float>>(kernel, data, rows_of_classes, false, budget,
                                                         control);
    return std::make_unique<StoredClassGrams<double>>(kernel, data, rows_of_classes, rough_search, budget,
                                                      control);
}

}  // namespace dk
