// SPDX-License-Identifier: Apache-2.0
#include "machine/dictionary/dictionary_machine.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "kernel/operator/algebra.hpp"
#include "model/prototype_dictionary.hpp"

namespace dk {

namespace {

/// The rows in the order of their classes, in which prototypes are learned.
struct ClassOrder {
    std::vector<Index> order;         // the training row at each position
    std::vector<Index> class_begins;  // where each class begins; the last element is the number of rows
    std::vector<Index> class_of;      // the class at each position
};

ClassOrder ordered_by_class(const Labels& labels) {
    ClassOrder ordered;
    ordered.order.resize(labels.of_rows.size());
    std::iota(ordered.order.begin(), ordered.order.end(), Index{0});
    std::ranges::stable_sort(ordered.order, {}, [&](Index i) { return labels.of_rows[i]; });
    for (const Index i : ordered.order) {
        const Index c = labels.of_rows[i];
        while (std::ssize(ordered.class_begins) <= c)
            ordered.class_begins.push_back(std::ssize(ordered.class_of));
        ordered.class_of.push_back(c);
    }
    ordered.class_begins.push_back(std::ssize(ordered.class_of));
    return ordered;
}

/// The objective and its terms after each iteration.
class Trace {
  public:
    double add(const LearningTerms& terms, double locality, double penalty) {
        reconstruction_.push_back(terms.reconstruction);
        discrimination_.push_back(terms.discrimination);
        sparsity_.push_back(terms.sparsity);
        locality_.push_back(locality);
        objective_.push_back(terms.sum() + locality + penalty);
        return objective_.back();
    }

    void write(Report& report) const {
        report.add("objective", objective_.back())
            .add("objectives", objective_)
            .add("reconstruction", reconstruction_)
            .add("discrimination", discrimination_)
            .add("sparsity", sparsity_)
            .add("locality", locality_);
    }

  private:
    std::vector<double> reconstruction_, discrimination_, sparsity_, locality_, objective_;
};

/// Tells when to stop: when the objective fell by less than the tolerance, as a share of its size, twice in
/// turn. The paper does not say when it stops.
class Stop {
  public:
    explicit Stop(double tolerance) : tolerance_(tolerance) {}
    bool now(double objective) {
        const bool flat = last_ - objective < tolerance_ * std::abs(last_);
        idle_ = flat ? idle_ + 1 : 0;
        last_ = objective;
        return idle_ >= 2;
    }

  private:
    double tolerance_;
    double last_ = std::numeric_limits<double>::max();
    int idle_ = 0;
};

/// Gives U with the training rows in their own order: rows x prototypes.
Matrix coefficients_of(std::span<const RowCombination> prototypes, const ClassOrder& ordered) {
    Matrix coefficients = Matrix::Zero(std::ssize(ordered.order), std::ssize(prototypes));
    for (Index p = 0; p < std::ssize(prototypes); ++p) {
        const auto& [rows, weights] = prototypes[p];
        for (Index k = 0; k < std::ssize(rows); ++k) coefficients(ordered.order[rows[k]], p) = weights[k];
    }
    return coefficients;
}

/// Asks for the memory of codes, products and neighbourhoods beside the matrices of rows.
void require_memory(const TrainingProblem& problem, const ClassOrder& ordered, Index sparsity_limit) {
    const double n = std::ssize(ordered.order);
    double prototypes = 0;
    for (std::size_t c = 0; c + 1 < ordered.class_begins.size(); ++c)
        prototypes += std::min(sparsity_limit, ordered.class_begins[c + 1] - ordered.class_begins[c]);
    const double size = std::min<double>(sparsity_limit, n);
    problem.budget.require(8 * (4 * n * n + 4 * n * prototypes + 2 * prototypes * prototypes +
                                2 * prototypes * size + 2 * n * size),
                           text("learning ", prototypes, " prototypes of ", n, " rows"));
}

}  // namespace

std::vector<ParameterSpec> dictionary_parameters() {
    return {parameter::prototypes, parameter::lambda, parameter::tau, parameter::tolerance,
            parameter::max_iterations};
}

/// Runs algorithm 1 of the paper, which takes the steps of Gamma, U and beta by turns.
TrainedMachine train_dictionary(const TrainingProblem& problem, const Bank& bank,
                                std::optional<WeighingOptions> weighing) {
    if (!problem.data.sample_weights.empty())
        fail(Status::unsupported, "prototype learning does not use sample weights; remove them");
    const Parameters& parameters = problem.parameters;
    Control& control = problem.control;
    const Index sparsity_limit = parameters[parameter::prototypes];
    const double lambda = parameters[parameter::lambda];
    const ClassOrder ordered = ordered_by_class(*problem.data.labels);
    const Dataset rows = problem.data.select(ordered.order);

    require_memory(problem, ordered, sparsity_limit);
    BankMatrices stream(bank, rows, problem.budget, control);
    Vector weights = Vector::Constant(std::ssize(bank), 1.0 / bank.size());
    LargeMatrix gram = stream.combined(weights);
    PrototypeLearning learning(
        gram, ordered.class_begins,
        {.sparsity_limit = sparsity_limit, .lambda = lambda, .tau = parameters[parameter::tau]}, control);
    learning.initialise();
    std::optional<KernelWeighing> kernels;
    if (weighing) {
        weighing->neighbours = sparsity_limit;
        weighing->lambda = lambda;
        kernels.emplace(stream, learning, gram, *weighing, control);
    }

    Trace trace;
    Stop stop(parameters[parameter::tolerance]);
    const std::int64_t limit = parameters[parameter::max_iterations];
    std::int64_t iteration = 0;
    bool converged = false;
    while (!converged && iteration < limit) {
        control.check(0.9 * iteration++ / limit);
        learning.code_rows();
        learning.move_prototypes();
        if (kernels) {
            weights = kernels->weights();
            gram = stream.combined(weights);
            learning.rescale();
        }
        converged = stop.now(trace.add(learning.terms(), kernels ? kernels->local_separation(gram) : 0,
                                       kernels ? kernels->penalty(weights) : 0));
    }
    learning.drop_unused();

    const auto& prototypes = learning.prototypes();
    const ProgressScope scope(control, 0.9, 1.0, "prototypes");
    TrainedMachine trained;
    trained.rule = DecisionRule::largest;
    Matrix coefficients = coefficients_of(prototypes, ordered);
    trained.predictor = make_prototype_dictionary(
        combine(bank, {weights.begin(), weights.end()}), problem.data,
        {coefficients.data(), static_cast<std::size_t>(coefficients.size())}, std::ssize(prototypes),
        sparsity_limit, problem.precision, parameters[parameter::neighbours], control);
    trained.report.add("prototypes", std::ssize(prototypes))
        .add("iterations", iteration)
        .add("converged", converged)
        .add("interpretability", interpretability(prototypes, ordered.class_of))
        .add("discrimination_of_prototypes", discrimination(prototypes, learning.codes(), ordered.class_of));
    trace.write(trained.report);
    if (!kernels) return trained;
    const Index used = (weights.array() > 0).count();
    trained.report.add("kernels_used", used);
    trained.kernel_weights.assign(weights.begin(), weights.end());
    return trained;
}

}  // namespace dk
