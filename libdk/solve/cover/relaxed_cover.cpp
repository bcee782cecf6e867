// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "solve/cover/cover_relaxation.hpp"

#ifdef DK_HAS_CLP
#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <CoinError.hpp>
#include <CoinPackedMatrix.hpp>
#endif

namespace dk {

#ifdef DK_HAS_CLP

bool has_linear_programs() {
    return true;
}

namespace {

/// Stops the simplex method when the call was cancelled.
class CancelHandler final : public ClpEventHandler {
  public:
    explicit CancelHandler(Control& control) : control_(&control) {}
    int event(Event /*event*/) override {
        constexpr int go_on = -1;
        constexpr int stop = 5;
        return control_->stopping() ? stop : go_on;
    }
    ClpEventHandler* clone() const override { return new CancelHandler(*this); }  // as CLP asks for

  private:
    Control* control_;
};

/// The variables are a_j of every row, and then xi_i of the rows of the class.
void load(ClpSimplex& simplex, const CoverProgram& program, Index c, const std::vector<Index>& own) {
    const auto rows = static_cast<int>(program.rows());
    const auto covers = static_cast<int>(own.size());
    std::vector<double> costs(rows + covers, 1.0);
    for (int j = 0; j < rows; ++j) costs[j] = program.cost_of(j, c);
    const std::vector<double> ones(rows + covers, 1.0);
    const std::vector<double> zeros(rows + covers, 0.0);
    const std::vector<double> unbounded(covers, COIN_DBL_MAX);
    constexpr bool by_columns = false;
    CoinPackedMatrix matrix(by_columns, 0, 0);
    matrix.setDimensions(0, rows + covers);
    std::vector<int> members;
    for (int k = 0; k < covers; ++k) {
        // Distances are symmetric: the balls that have row i are those of the rows in its own.
        const auto& ball = program.balls[own[k]];
        members.assign(ball.begin(), ball.end());
        members.push_back(rows + k);
        matrix.appendRow(static_cast<int>(members.size()), members.data(), ones.data());
    }
    simplex.loadProblem(matrix, zeros.data(), ones.data(), costs.data(), ones.data(), unbounded.data());
}

/// CLP's errors are no standard exceptions.
void solve(ClpSimplex& simplex, const CoverProgram& program, Index c, const std::vector<Index>& own) {
    try {
        load(simplex, program, c, own);
        simplex.dual();
    } catch (const CoinError& error) {
        fail(Status::numerical, "the linear program of class ", c,
             " was not solved; CLP says: ", error.message());
    }
}

}  // namespace

CoverRelaxation relaxed_cover(const CoverProgram& program, Index c, Control& control) {
    std::vector<Index> own;
    for (Index i = 0; i < program.rows(); ++i) {
        if (program.class_of[i] == c) own.push_back(i);
    }
    ClpSimplex simplex;
    simplex.setLogLevel(0);
    CancelHandler handler(control);
    simplex.passInEventHandler(&handler);
    solve(simplex, program, c, own);
    control.check();
    if (!simplex.isProvenOptimal())
        fail(Status::numerical, "the linear program of class ", c, " was not solved; CLP's status is ",
             simplex.status());
    const Index n = program.rows();
    const ConstVectorView solution(simplex.primalColumnSolution(), n + std::ssize(own));
    return {.prototypes = solution.head(n).cwiseMax(0.0).cwiseMin(1.0),
            .uncovered = solution.tail(std::ssize(own)).cwiseMax(0.0).cwiseMin(1.0),
            .cost = simplex.objectiveValue()};
}

#else

bool has_linear_programs() {
    return false;
}

CoverRelaxation relaxed_cover(const CoverProgram& /*program*/, Index /*c*/, Control& /*control*/) {
    require_linear_programs();
    return {};
}

#endif

void require_linear_programs() {
    if (!has_linear_programs())
        fail(Status::unsupported,
             "this libdk was built without COIN-OR's CLP (-DDK_CLP=ON), which method=lp needs; use "
             "method=greedy");
}

}  // namespace dk
