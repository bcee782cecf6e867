// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "solve/fuzzy/fuzzy_measure.hpp"

namespace dk {

/// The penalty lambda sum_A g(A)^p, and delta, which holds sets that no row orders first at their share of
/// the sources; delta is relative to the mean curvature.
struct ChoquetPenalty {
    double lambda = 0;
    double p = 1;
    double delta = 1e-6;
};

struct ChoquetFit {
    FuzzyMeasure measure;
    double error = 0;        // the mean squared error
    double violation = 0;    // by how much a set was worth less than a part of it, before that was mended
    std::int64_t steps = 0;  // of the interior-point method
    bool converged = false;
};

/// Finds the fuzzy measure whose Choquet integrals of the rows of F (rows x sources) come nearest to the
/// targets. The program stands at the top of choquet_fit.cpp.
ChoquetFit fit_choquet(const ConstMatrixRef& F, const ConstVectorRef& targets, const ChoquetPenalty& penalty,
                       Control& control);

}  // namespace dk
