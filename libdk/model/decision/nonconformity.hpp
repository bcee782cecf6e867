// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// How far rows that had no part in training were from what a model says of them: one list of scores for all
/// rows, or one for each class. Each list ascends. With exchangeable rows, a new row's score is equally
/// likely to be at any place among them (V. Vovk, A. Gammerman, G. Shafer, Algorithmic Learning in a Random
/// World, 2005), which is why sets of answers that score no more hold the truth as often as they promise.
struct Nonconformity {
    std::vector<std::vector<double>> scores = {};
    bool empty() const { return scores.empty(); }
    bool by_class() const { return scores.size() > 1; }
};

/// Scores a regression's answer: the distance from the value of the one function, or how far it is outside of
/// those of the lowest and the highest level, which is negative inside (Y. Romano, E. Patterson, E. Candes,
/// Conformalized quantile regression, NeurIPS 2019). The values ascend.
double nonconformity_of_value(double answer, std::span<const double> values);

/// Scores every class as the answer: the best score of another class less its own.
void nonconformity_of_classes(std::span<const double> class_scores, std::span<double> out);

/// Gives the score that the truth exceeds with probability 1 - confidence at most: of n ascending scores that
/// at place ceil((n + 1) confidence), from 1. Throws Error(unsupported) where n rows are too few for it.
double score_bound(std::span<const double> scores, double confidence);

}  // namespace dk
