// SPDX-License-Identifier: Apache-2.0
// A prototype without coordinates moves by edits, of which the best is taken (edited_prototypes.cpp):
//
//     strings              one character is left out, put in or replaced by another that training rows have
//     series               steps go a quarter or half of the way towards those of a training row with which
//                          time warping aligns them, or a quarter away; towards many rows in turn, that leads
//                          to a barycentre
//     graphs, similarities a training row takes the prototype's place
//
// The paper proposes edits for structures and did not try them: A. Demontis, M. Melis, B. Biggio, G. Fumera,
// F. Roli, Super-sparse learning in similarity spaces, IEEE Computational Intelligence Magazine 11, 2016. The
// alignment is that of F. Petitjean, A. Ketterlin, P. Gancarski, A global averaging method for dynamic time
// warping, Pattern Recognition 44, 2011.
#include "machine/super_sparse/prototype_edits.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "base/random.hpp"
#include "data/characters.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

/// So many rows at random stand for all where each row makes an edit.
constexpr Index row_limit = 100;

std::vector<Index> some_rows(Index rows, std::uint64_t seed) {
    std::vector<Index> all(rows);
    std::iota(all.begin(), all.end(), Index{0});
    Random random(seed);
    if (rows > row_limit) {
        random.shuffle(std::span(all));
        all.resize(row_limit);
        std::ranges::sort(all);
    }
    return all;
}

class StringEdits final : public PrototypeEdits {
  public:
    explicit StringEdits(const StringSet& rows) {
        constexpr std::size_t most_characters = 40;
        std::map<char32_t, Index> counts;
        for (const std::string& text : rows.texts) {
            for (const char32_t character : characters_of(text)) ++counts[character];
        }
        std::vector<std::pair<char32_t, Index>> order(counts.begin(), counts.end());
        std::ranges::stable_sort(order, std::ranges::greater(), &std::pair<char32_t, Index>::second);
        for (std::size_t k = 0; k < std::min(order.size(), most_characters); ++k)
            alphabet_.push_back(order[k].first);
    }

    EditedPoints edits_of(const Dataset& points, Index j) const override {
        const std::u32string own = characters_of(points.strings().texts[j]);
        // A long text is edited at some of its places, evenly spread.
        const std::size_t edits = own.size() * (2 * alphabet_.size() + 1);
        const std::size_t stride = 1 + edits / most_edits;
        StringSet edited;
        for (std::size_t place = 0; place <= own.size(); place += stride) {
            for (const char32_t character : alphabet_) {
                std::u32string longer = own;
                longer.insert(place, 1, character);
                edited.texts.push_back(text_of(longer));
                if (place == own.size() || own[place] == character) continue;
                std::u32string other = own;
                other[place] = character;
                edited.texts.push_back(text_of(other));
            }
            if (place == own.size() || own.size() == 1) continue;
            std::u32string shorter = own;
            shorter.erase(place, 1);
            edited.texts.push_back(text_of(shorter));
        }
        std::vector<Index> none(edited.texts.size(), -1);
        return {Dataset(std::move(edited)), std::move(none)};
    }

    Dataset replaced(const Dataset& points, const std::vector<Index>& /*training_ids*/, Index j,
                     const EditedPoints& edited, Index edit) const override {
        StringSet all = points.strings();
        all.texts[j] = edited.points.strings().texts[edit];
        return Dataset(std::move(all));
    }

  private:
    static constexpr std::size_t most_edits = 2000;

    std::u32string alphabet_;
};

/// Gives for each step of series a the steps of series b with which the cheapest alignment pairs it, as the
/// first and the last of them. All steps have `channels` values.
std::vector<std::pair<Index, Index>> aligned_steps(std::span<const double> a, std::span<const double> b,
                                                   Index channels) {
    const Index rows = std::ssize(a) / channels;
    const Index cols = std::ssize(b) / channels;
    const ConstMatrixView x = view(a.data(), rows, channels);
    const ConstMatrixView y = view(b.data(), cols, channels);
    Matrix cost = Matrix::Constant(rows + 1, cols + 1, infinity);
    cost(0, 0) = 0;
    // A cost that overflows stays below that of leaving the matrix, so that each step is aligned with one.
    constexpr double largest = std::numeric_limits<double>::max();
    for (Index i = 1; i <= rows; ++i) {
        for (Index j = 1; j <= cols; ++j) {
            const double before = std::min({cost(i - 1, j - 1), cost(i - 1, j), cost(i, j - 1)});
            cost(i, j) = std::min(before + (x.row(i - 1) - y.row(j - 1)).squaredNorm(), largest);
        }
    }
    std::vector<std::pair<Index, Index>> steps(rows, {cols, -1});
    Index i = rows;
    Index j = cols;
    while (i > 0 && j > 0) {
        auto& [first, last] = steps[i - 1];
        first = std::min(first, j - 1);
        last = std::max(last, j - 1);
        const double before = std::min({cost(i - 1, j - 1), cost(i - 1, j), cost(i, j - 1)});
        const bool along_both = cost(i - 1, j - 1) == before;
        const bool along_rows = !along_both && cost(i - 1, j) == before;
        if (along_both || along_rows) --i;
        if (along_both || !along_rows) --j;
    }
    return steps;
}

class SeriesEdits final : public PrototypeEdits {
  public:
    SeriesEdits(const SeriesSet& rows, std::uint64_t seed)
        : rows_(rows.select(some_rows(rows.rows(), seed))) {}

    EditedPoints edits_of(const Dataset& points, Index j) const override {
        const std::span<const double> own = points.series().series(j);
        SeriesSet edited{.channels = rows_.channels, .step_offsets = {0}};
        for (Index r = 0; r < rows_.rows(); ++r) {
            const std::vector<double> target = target_of(own, rows_.series(r));
            if (std::ranges::equal(target, own)) continue;
            for (const double way : {0.5, 0.25, -0.25}) {
                for (std::size_t k = 0; k < own.size(); ++k)
                    edited.values.push_back(own[k] + way * (target[k] - own[k]));
                edited.step_offsets.push_back(std::ssize(edited.values) / rows_.channels);
            }
        }
        std::vector<Index> none(edited.rows(), -1);
        return {Dataset(std::move(edited)), std::move(none)};
    }

    Dataset replaced(const Dataset& points, const std::vector<Index>& /*training_ids*/, Index j,
                     const EditedPoints& edited, Index edit) const override {
        const SeriesSet& all = points.series();
        SeriesSet out{.channels = all.channels, .step_offsets = {0}};
        for (Index k = 0; k < all.rows(); ++k) {
            const auto one = k == j ? edited.points.series().series(edit) : all.series(k);
            out.values.insert(out.values.end(), one.begin(), one.end());
            out.step_offsets.push_back(std::ssize(out.values) / out.channels);
        }
        return Dataset(std::move(out));
    }

  private:
    /// Gives for each step of a series the mean of the other's steps that are aligned with it.
    std::vector<double> target_of(std::span<const double> own, std::span<const double> other) const {
        const Index channels = rows_.channels;
        const auto steps = aligned_steps(own, other, channels);
        std::vector<double> target(own.size());
        const ConstMatrixView y = view(other.data(), std::ssize(other) / channels, channels);
        MatrixView out = view(target.data(), std::ssize(steps), channels);
        for (Index i = 0; i < std::ssize(steps); ++i) {
            const auto [first, last] = steps[i];
            out.row(i) = y.middleRows(first, last - first + 1).colwise().mean();
        }
        return target;
    }

    SeriesSet rows_;
};

/// Training rows take the place of prototypes, which stay rows.
class RowEdits final : public PrototypeEdits {
  public:
    RowEdits(const Dataset& data, std::uint64_t seed)
        : data_(features_only(data)), rows_(some_rows(data.rows(), seed)) {}

    EditedPoints edits_of(const Dataset& /*points*/, Index /*j*/) const override {
        return {data_.select(rows_), rows_};
    }

    Dataset replaced(const Dataset& /*points*/, const std::vector<Index>& training_ids, Index j,
                     const EditedPoints& edited, Index edit) const override {
        std::vector<Index> ids = training_ids;
        ids[j] = edited.training_ids[edit];
        return data_.select(ids);
    }

  private:
    Dataset data_;
    std::vector<Index> rows_;
};

}  // namespace

std::unique_ptr<PrototypeEdits> prototype_edits(const Dataset& data, std::uint64_t seed) {
    switch (data.kind()) {
        case DataKind::strings:
            return std::make_unique<StringEdits>(data.strings());
        case DataKind::series:
            return std::make_unique<SeriesEdits>(data.series(), seed);
        case DataKind::graphs:
        case DataKind::gram:
            return std::make_unique<RowEdits>(data, seed);
        default:
            return nullptr;
    }
}

}  // namespace dk
