// SPDX-License-Identifier: Apache-2.0
// EasyMKL finds the two probability distributions over the rows, one for each class, whose means are nearest
// in the feature space of all kernels together, where those are held back from single rows,
//
//     (1)  min over gamma   (1 - Lambda) gamma'Y (sum_k K_k) Y gamma + Lambda |gamma|^2
//          subject to       gamma >= 0,   sum of gamma over each class = 1,
//
// with Y = diag(y). Kernels have the same trace, since they are normalised before. A kernel counts as much as
// it tells these means apart,
//
//     (2)  mu_k = gamma'Y K_k Y gamma / sum_l gamma'Y K_l Y gamma.
//
// Of more than two classes each is held against the rest, and mu_k is the mean of what they give.
//
//     letter       name
//     Y gamma      program.start, solved.beta
//     Lambda       smoothness
//     K_k          gram_.kernel(k)
//
// With Lambda = 1 the distributions are uniform, and (2) compares the means of the classes.
//
// F. Aiolli, M. Donini, EasyMKL: a scalable multiple kernel learning algorithm, Neurocomputing 169, 2015.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "kernel/gram/combined_gram.hpp"
#include "solve/box/smo.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

namespace parameter {
constexpr RealKey smoothness{
    "smoothness",
    0.1,
    {0, 1},
    "This is EasyMKL's Lambda: with 0 the rows between the classes decide alone, with 1 all rows count the "
    "same and the means of the classes are compared."};
}  // namespace parameter

namespace {

/// The distributions of one class and of the rest, as b = Y gamma.
BoxProgram distributions(GramMatrix& gram, const Labels& labels, Index positive, double smoothness) {
    BoxProgram program = zero_program(gram, gram.size());
    double own = 0;
    for (const Index c : labels.of_rows) own += c == positive ? 1 : 0;
    const double others = static_cast<double>(gram.size()) - own;
    for (std::size_t i = 0; i < labels.of_rows.size(); ++i) {
        const bool is_own = labels.of_rows[i] == positive;
        program.start[i] = is_own ? 1 / own : -1 / others;
        (is_own ? program.upper : program.lower)[i] = is_own ? infinity : -infinity;
        program.in_second.push_back(is_own ? 0 : 1);
    }
    // (1) divided by 2 (1 - Lambda).
    program.ridge.assign(labels.of_rows.size(), smoothness / (1 - smoothness));
    return program;
}

class EasyWeights {
  public:
    explicit EasyWeights(const WeightProblem& problem)
        : problem_(problem),
          smoothness_(problem.parameters[parameter::smoothness]),
          gram_(problem.bank, problem.data, problem.budget, problem.control) {
        gram_.set_weights(std::vector<double>(problem.bank.size(), 1.0));
    }

    KernelWeights run() {
        const Labels& labels = *problem_.data.labels;
        const Index machines = labels.classes() == 2 ? 1 : labels.classes();
        Vector weights = Vector::Zero(gram_.kernels());
        for (Index c = 0; c < machines; ++c) {
            const ProgressScope scope(problem_.control, 1.0 * c / machines, (c + 1.0) / machines);
            const Vector distances = distances_of(labels, machines == 1 ? 1 : c);
            const double sum = distances.sum();
            weights += sum > 0 ? Vector(distances / sum)
                               : Vector::Constant(weights.size(), 1.0 / static_cast<double>(weights.size()));
        }
        weights /= weights.sum();
        KernelWeights out;
        out.weights.assign(weights.begin(), weights.end());
        out.report.add("margins", margins_).add("iterations", iterations_).add("converged", converged_);
        return out;
    }

  private:
    /// Gives gamma'Y K_k Y gamma of each kernel for the best gamma of a class against the rest.
    Vector distances_of(const Labels& labels, Index positive) {
        // Of Lambda = 1 only the ridge is left, whose solution is the start.
        const double smoothness = std::min(smoothness_, 1 - 1e-12);
        const BoxProgram program = distributions(gram_, labels, positive, smoothness);
        std::vector<double> b = program.start;
        if (smoothness_ < 1) {
            SmoSolution solved = solve_smo(program, {.tolerance = tolerance_of(program), .max_iterations = 0},
                                           problem_.control);
            iterations_ += solved.iterations;
            converged_ = converged_ && solved.converged;
            b = std::move(solved.beta);
        }
        std::vector<Index> rows;
        std::vector<double> values;
        for (Index i = 0; i < std::ssize(b); ++i) {
            if (b[i] == 0) continue;
            rows.push_back(i);
            values.push_back(b[i]);
        }
        Vector distances(gram_.kernels());
        for (Index k = 0; k < distances.size(); ++k) {
            std::vector<double> product(b.size());
            gram_.kernel(k).add_product(rows, values, product, problem_.control);
            distances[k] = std::max(0.0, as_vector(product).dot(as_vector(b)));
        }
        margins_.push_back(std::sqrt(distances.sum()));
        return distances;
    }

    /// The gradient of (1) has the size of what a uniform gamma makes of the kernels, so that the tolerance
    /// is a share of that.
    double tolerance_of(const BoxProgram& program) {
        const auto product = gram_product(program, program.start, problem_.control);
        const double scale = as_vector(product).cwiseAbs().maxCoeff() +
                             program.ridge.front() * as_vector(program.start).cwiseAbs().maxCoeff();
        return 1e-4 * std::max(scale, 1e-300);
    }

    const WeightProblem& problem_;
    double smoothness_;
    CombinedGram gram_;
    std::vector<double> margins_ = {};  // the distance of both means, by classes
    std::int64_t iterations_ = 0;
    bool converged_ = true;
};

}  // namespace

WeightStrategy easymkl_strategy() {
    return {.name = "easymkl",
            .doc =
                "EasyMKL weighs each kernel by the distance in its feature space between two weighted "
                "means of the classes, whose rows are chosen so that the distance in all kernels "
                "together is least.",
            .reference =
                "Aiolli, Donini, EasyMKL: a scalable multiple kernel learning algorithm, "
                "Neurocomputing 169, 2015",
            .arguments = "",
            .parameters = {parameter::smoothness},
            .normalises = true,
            .needs = Knowledge::classes,
            .check = nullptr,
            .weigh = [](const WeightProblem& problem) {
                if (!problem.data.labels)
                    fail(Status::unsupported,
                         "weights=easymkl compares classes; here rows have none, or several labels each");
                return EasyWeights(problem).run();
            }};
}

}  // namespace dk
