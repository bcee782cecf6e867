// SPDX-License-Identifier: Apache-2.0
#include "kernel/bank.hpp"
#include "kernel/low_rank.hpp"

namespace dk {

const std::vector<OperatorDescription>& kernel_operators() {
    static const std::vector<OperatorDescription> all{
        {"exp", "exp(k): the exponential of a kernel"},
        {"normalize", "normalize(k): k(x, z) / sqrt(k(x, x) k(z, z)), cosine normalisation"},
        {"center", "center(k): k of features whose mean over the training rows is zero"},
        {"lowrank", "lowrank(k, rank=100): k approximated by at most that many features",
         low_rank_parameters()},
        {"corrected",
         "corrected(k, method=clip): k made positive semidefinite on the training rows",
         {choice_parameter("method", {"clip", "flip", "shift", "square"},
                           "what becomes of negative eigenvalues")}},
        {"on", "on(0:9, 12, k): the kernel sees only these columns, counted from 0"},
        {"each_feature", "each_feature(k): a bank with one kernel a column"},
        {"each_channel", "each_channel(k): a bank with one kernel a channel of the series"},
        {"grid", "grid(rbf, gamma=0.1:1:10): a bank with one kernel for every combination of the values"},
        {"arccos_lists",
         "arccos_lists(3): a bank of arccos with every list of different degrees, up to so many layers"},
    };
    return all;
}

}  // namespace dk
