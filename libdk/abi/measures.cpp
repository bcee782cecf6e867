// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "abi/guard.hpp"
#include "pipeline/prepare.hpp"
#include "pipeline/prototypes/prototype_measures.hpp"
#include "pipeline/validation/paired_test.hpp"
#include "pipeline/validation/rank_comparison.hpp"
#include "pipeline/validation/selection_stability.hpp"

using namespace dk;
using namespace dk::abi;

namespace {

void require_between(int64_t value, const char* name, int64_t least, int64_t most) {
    if (value < least || value > most)
        fail(Status::invalid_argument, name, " is ", value, "; allowed is ", least, " to ", most);
}

void require_comparison(int64_t learners, int64_t sets) {
    require_between(learners, "learners", 2, 100000);
    require_between(sets, "sets", 1, largest_size / learners);
}

void require_finite(std::span<const double> values, const char* name) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i]))
            fail(Status::invalid_data, name, " ", i, " is ", values[i], "; it must be finite");
    }
}

/// Copies selections and checks that each element is one of those that begin at `least`.
std::vector<Member> checked_selections(const int64_t* selected, int64_t sets, int64_t members,
                                       int64_t least) {
    require_between(sets, "sets", 1, largest_size);
    require_between(members, "members", 1, largest_size / sets);
    const auto given = required_array(selected, "selected", sets * members, sets * members);
    std::vector<Member> all;
    all.reserve(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i] < least || given[i] > 1)
            fail(Status::invalid_argument, "selected ", i, " is ", given[i], "; allowed is ", least, " to 1");
        all.push_back(static_cast<Member>(given[i]));
    }
    return all;
}

}  // namespace

dk_status dk_mean_ranks(double* out, int64_t length, const double* scores, int64_t sets, int64_t learners,
                        dk_control* control) {
    return guarded([&] {
        require_comparison(learners, sets);
        const auto result = required_array(out, "out", length, learners);
        const auto given = required_array(scores, "scores", sets * learners, sets * learners);
        require_finite(given, "score");
        Call call(control, "ranks");
        as_vector(result) = mean_ranks(view(given.data(), sets, learners), call.control());
        call.finish();
    });
}

dk_status dk_critical_difference(double* out, int64_t learners, int64_t sets, double level) {
    return guarded([&] {
        double& result = required(out, "out");
        require_comparison(learners, sets);
        if (!(level >= 0.001 && level <= 0.5))
            fail(Status::invalid_argument, "level is ", level, "; allowed is 0.001 to 0.5");
        result = critical_difference(learners, sets, level);
    });
}

dk_status dk_resampled_test(double* out_difference, double* out_t, double* out_p, const double* differences,
                            int64_t folds, double share) {
    return guarded([&] {
        require_between(folds, "folds", 2, largest_size);
        const auto given = required_array(differences, "differences", folds, folds);
        require_finite(given, "difference");
        if (!(share >= 0 && share <= 1e6))
            fail(Status::invalid_argument, "share is ", share, "; allowed is 0 to 1e6");
        const PairedTest test = corrected_resampled_test(given, share);
        if (out_difference != nullptr) *out_difference = test.difference;
        if (out_t != nullptr) *out_t = test.t;
        if (out_p != nullptr) *out_p = test.p;
    });
}

dk_status dk_jaccard_stability(double* out, const int64_t* selected, int64_t sets, int64_t members,
                               dk_control* control) {
    return guarded([&] {
        double& result = required(out, "out");
        const std::vector<Member> all = checked_selections(selected, sets, members, -1);
        Call call(control, "stability");
        result = jaccard_stability({all, members}, call.control());
        call.finish();
    });
}

dk_status dk_selection_stability(double* out, const int64_t* selected, int64_t sets, int64_t members) {
    return guarded([&] {
        double& result = required(out, "out");
        const std::vector<Member> all = checked_selections(selected, sets, members, 0);
        result = selection_stability({all, members});
    });
}

dk_status dk_prototype_measures(double* out_purity, double* out_compactness, int64_t length,
                                const dk_model* model, const dk_data* training, dk_control* control) {
    return guarded([&] {
        const Model& known = required(model, "model").value;
        const Dataset& rows = required(training, "training").value;
        const Index count = known.predictor->prototypes().count();
        if (length != count) fail(Status::invalid_argument, "length is ", length, "; it must be ", count);
        Call call(control, "prototypes");
        const PrototypeMeasures measures =
            prototype_measures(known, with_self_similarities(rows, call.control()), call.control());
        if (out_purity != nullptr) std::ranges::copy(measures.purity, out_purity);
        if (out_compactness != nullptr) std::ranges::copy(measures.compactness, out_compactness);
        call.finish();
    });
}
