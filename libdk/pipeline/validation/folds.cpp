// SPDX-License-Identifier: Apache-2.0
#include "pipeline/validation/folds.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/split.hpp"

namespace dk {

void require_folds(const Dataset& data, const char* name, Index count) {
    const Index most = most_folds(data);
    if (count <= most) return;
    fail(Status::invalid_parameter, name, " cannot be ", count, " for ", most,
         data.groups.empty() ? " rows" : " groups of rows, none of which is divided", "; allowed is 2 to ",
         most);
}

std::vector<Fold> folds_of(const Dataset& data, const MachineSpecification& specification, Control& control) {
    const Index count = specification.parameters[parameter::folds];
    require_folds(data, "folds", count);
    const std::uint64_t seed = specification.parameters[parameter::seed];
    const std::int64_t repeats = specification.parameters[parameter::repeats];
    control.memory().require(8.0 * data.rows() * count * repeats,
                             text(count, " folds of ", data.rows(), " rows, ", repeats, " times"));
    std::vector<Fold> folds;
    for (std::int64_t repeat = 0; repeat < repeats; ++repeat) {
        control.check();
        const auto fold_of = stratified_folds(data, count, seed + repeat);
        for (Index fold = 0; fold < count; ++fold)
            folds.push_back({rows_of_fold(fold_of, fold, false), rows_of_fold(fold_of, fold, true)});
    }
    return folds;
}

void require_classes_in_training(const Dataset& data, const std::vector<Fold>& folds, const char* name,
                                 Index count) {
    if (!data.labels) return;
    const Labels& labels = *data.labels;
    for (std::size_t f = 0; f < folds.size(); ++f) {
        std::vector<Index> left(labels.classes());
        for (const Index i : folds[f].training) ++left[labels.of_rows[i]];
        for (const Index i : folds[f].held_out) {
            const Index c = labels.of_rows[i];
            if (left[c] > 0) continue;
            fail(Status::invalid_data, "fold ", Index(f) % count + 1, " of ", name, "=", count,
                 " holds out all rows of class ", labels.class_name(c), " (",
                 std::ranges::count(labels.of_rows, c), data.groups.empty() ? "" : ", all in one group",
                 "), so that its model cannot know the class; every class needs rows in at least two ",
                 data.groups.empty() ? "folds: add rows of it, or leave it out"
                                     : "groups: divide its group, or leave the class out");
        }
    }
}

}  // namespace dk
