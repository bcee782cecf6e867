// SPDX-License-Identifier: Apache-2.0
#ifndef DK_MEASURES_HPP
#define DK_MEASURES_HPP

#include <dk/model.hpp>

namespace libdk {

namespace detail {

/// The number of sets of so many members in a list of all.
inline std::int64_t sets_of(std::span<const std::int64_t> selected, std::int64_t members) {
    const auto size = static_cast<std::int64_t>(selected.size());
    if (members < 1 || size % members != 0)
        throw Error(Status::invalid_argument, "selected has to have a value for each member of each set");
    return size / members;
}

}  // namespace detail

/// The mean rank of each learner over data sets, 1 for the best (dk_mean_ranks). `scores` is sets x learners;
/// `out` has an element for each learner.
inline void mean_ranks(std::span<double> out, std::span<const double> scores, const Control& control = {}) {
    const auto learners = static_cast<std::int64_t>(out.size());
    if (learners < 1 || scores.size() % out.size() != 0)
        throw Error(Status::invalid_argument, "scores have to be those of all learners for each data set");
    control.run(dk_mean_ranks, out.data(), learners, scores.data(),
                static_cast<std::int64_t>(scores.size()) / learners, learners);
}
inline std::vector<double> mean_ranks(std::span<const double> scores, std::int64_t learners,
                                      const Control& control = {}) {
    std::vector<double> ranks(static_cast<std::size_t>(learners > 0 ? learners : 0));
    mean_ranks(std::span(ranks), scores, control);
    return ranks;
}

/// The difference of two mean ranks from which on Nemenyi's test tells learners apart.
inline double critical_difference(std::int64_t learners, std::int64_t sets, double level = 0.05) {
    double difference = 0;
    detail::check(dk_critical_difference(&difference, learners, sets, level));
    return difference;
}

/// How far two learners lie apart over the same folds, and how likely chance would set them as far apart.
struct ResampledTest {
    double difference = 0;
    double t = 0;
    double p = 1;
};

/// The corrected resampled t-test of differences over folds (dk_resampled_test): their mean, t and p.
inline void resampled_test(std::span<double> out, std::span<const double> differences, double share) {
    if (out.size() != 3) throw Error(Status::invalid_argument, "out has to have three elements");
    detail::check(dk_resampled_test(&out[0], &out[1], &out[2], differences.data(),
                                    static_cast<std::int64_t>(differences.size()), share));
}
inline ResampledTest resampled_test(std::span<const double> differences, double share) {
    std::vector<double> found(3);
    resampled_test(std::span(found), differences, share);
    return {found[0], found[1], found[2]};
}

/// The mean Jaccard index of sets that were selected on different samples (dk_jaccard_stability): sets x
/// members, 1 for a member of the set, 0 for none, -1 for one that its sample had not.
inline double jaccard_stability(std::span<const std::int64_t> selected, std::int64_t members,
                                const Control& control = {}) {
    double stability = 0;
    control.run(dk_jaccard_stability, &stability, selected.data(), detail::sets_of(selected, members),
                members);
    return stability;
}

/// The stability of selections by Nogueira, Sechidis and Brown (dk_selection_stability): sets x members.
inline double selection_stability(std::span<const std::int64_t> selected, std::int64_t members) {
    double stability = 0;
    detail::check(
        dk_selection_stability(&stability, selected.data(), detail::sets_of(selected, members), members));
    return stability;
}

}  // namespace libdk

#endif  // DK_MEASURES_HPP
