// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/algebra.hpp"
#include "machine/kernel_stream.hpp"
#include "machine/machine.hpp"
#include "machine/prototype_learning.hpp"
#include "model/prototype_dictionary.hpp"
#include "solve/cholesky.hpp"
#include "solve/simplex.hpp"

namespace dk {

namespace {

constexpr const char* reference =
    "Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation "
    "and "
    "feature selection, CIKM 2019";

/// Rows sorted by class, as prototype learning has them.
struct SortedRows {
    std::vector<Index> order;
    std::vector<Index> class_begins;
    std::vector<Index> class_of;
};

SortedRows sorted_by_class(const Labels& labels) {
    SortedRows sorted;
    sorted.order.resize(labels.of_rows.size());
    std::iota(sorted.order.begin(), sorted.order.end(), Index{0});
    std::ranges::stable_sort(sorted.order, {}, [&](Index i) { return labels.of_rows[unsigned_of(i)]; });
    for (const Index i : sorted.order) {
        const Index c = labels.of_rows[unsigned_of(i)];
        while (size_of(sorted.class_begins) <= c) sorted.class_begins.push_back(size_of(sorted.class_of));
        sorted.class_of.push_back(c);
    }
    sorted.class_begins.push_back(size_of(sorted.class_of));
    return sorted;
}

/// What neighbourhoods want of a kernel: mu (2 |same| + <K, other - 2 same>), where same and other mark the
/// nearest rows of each row's own class and of all others (equation 7). They are found once, in the mean of
/// the kernels, or the objective would not be one function.
struct Neighbourhoods {
    std::vector<std::vector<Index>> same;
    std::vector<std::vector<Index>> other;

    double count_of_same() const {
        double count = 0;
        for (const auto& rows : same) count += static_cast<double>(rows.size());
        return count;
    }
};

std::vector<Index> most_similar(const double* similarities, std::vector<Index> rows, Index most) {
    const Index count = std::min(most, size_of(rows));
    std::ranges::partial_sort(rows, rows.begin() + count, [&](Index a, Index b) {
        return similarities[a] != similarities[b] ? similarities[a] > similarities[b] : a < b;
    });
    rows.resize(unsigned_of(count));
    return rows;
}

Neighbourhoods neighbourhoods(const LargeArray<double>& gram, const SortedRows& sorted, Index most,
                              Control& control) {
    const Index n = size_of(sorted.order);
    Neighbourhoods found{std::vector<std::vector<Index>>(unsigned_of(n)),
                         std::vector<std::vector<Index>>(unsigned_of(n))};
    parallel_for(n, control, [&](Index i) {
        std::vector<Index> same;
        std::vector<Index> other;
        for (Index s = 0; s < n; ++s) {
            if (s == i) continue;
            const bool equal = sorted.class_of[unsigned_of(s)] == sorted.class_of[unsigned_of(i)];
            (equal ? same : other).push_back(s);
        }
        found.same[unsigned_of(i)] = most_similar(gram.data() + i * n, std::move(same), most);
        found.other[unsigned_of(i)] = most_similar(gram.data() + i * n, std::move(other), most);
    });
    return found;
}

/// W with e_k = <K_k, W> but for constants: (I - M)(I - M)' - lambda D * M + mu (other - 2 same), M = U
/// Gamma.
LargeArray<double> kernel_gradient(const PrototypeLearning& learning, const Neighbourhoods& near,
                                   double lambda, double mu, Control& control) {
    const Index n = learning.rows();
    LargeArray<double> rest = learning.reconstruction();
    LargeArray<double> gradient(n * n);
    parallel_for(n, control, [&](Index i) {
        for (Index j = 0; j < n; ++j) {
            double& e = rest[unsigned_of(i * n + j)];
            e = (i == j ? 1 : 0) - e;
        }
    });
    outer_product(rest.data(), n, n, gradient.data(), control);
    parallel_for(n, control, [&](Index i) {
        double* row = gradient.data() + i * n;
        const auto [begin, end] = learning.class_range(i);
        for (Index j = begin; j < end; ++j)
            row[j] -= lambda * ((i == j ? 1 : 0) - rest[unsigned_of(i * n + j)]);
        for (const Index s : near.same[unsigned_of(i)]) row[s] -= 2 * mu;
        for (const Index s : near.other[unsigned_of(i)]) row[s] += mu;
    });
    return gradient;
}

/// <K, W>, rows added in their order.
double inner_product(const double* a, const double* b, Index n, Control& control) {
    std::vector<double> of_rows(unsigned_of(n));
    parallel_for_rows(n, n, control, [&](Index i) {
        of_rows[unsigned_of(i)] = std::inner_product(a + i * n, a + (i + 1) * n, b + i * n, 0.0);
    });
    return std::accumulate(of_rows.begin(), of_rows.end(), 0.0);
}

class KernelChoice {
  public:
    KernelChoice(const Parameters& parameters, Index kernels)
        : policy_(parameters.text("policy")), count_(static_cast<Index>(parameters.integer("kernels"))) {
        const auto tenth = static_cast<Index>(std::ceil(0.1 * static_cast<double>(kernels)));
        if (count_ == 0) count_ = std::max<Index>(2, tenth);
        count_ = std::min(count_, kernels);
    }

    std::vector<double> weights(const std::vector<double>& costs) {
        if (policy_ == "lp_vertex") return cheapest_vertex(costs);
        if (policy_ == "capped") return cheapest_equally(costs, count_);
        if (rho_ == 0) rho_ = quadratic_weight(costs, count_);  // then frozen: one objective
        return quadratic_simplex(costs, rho_);
    }

    double penalty(const std::vector<double>& weights) const {
        return 0.5 * rho_ * std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0);
    }

  private:
    std::string policy_;
    Index count_;
    double rho_ = 0;
};

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

/// Stops when the objective fell by less than the tolerance, relative, twice in turn.
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

/// How exclusively prototypes reconstruct rows of their own class (DR), on the training rows, from 0 to 1.
double discrimination(const PrototypeLearning& learning, const std::vector<Index>& class_of) {
    const Index count = size_of(learning.prototypes());
    double sum = 0;
    for (Index p = 0; p < count; ++p) {
        const Prototype& prototype = learning.prototypes()[unsigned_of(p)];
        std::vector<double> mass(unsigned_of(class_of.back() + 1));
        std::vector<double> used(mass.size());
        for (std::size_t k = 0; k < prototype.rows.size(); ++k)
            mass[unsigned_of(class_of[unsigned_of(prototype.rows[k])])] += prototype.weights[k];
        for (Index s = 0; s < learning.rows(); ++s)
            used[unsigned_of(class_of[unsigned_of(s)])] += learning.code(s)[unsigned_of(p)];
        const auto own = unsigned_of(first_largest(mass));
        sum += used[own] / std::accumulate(used.begin(), used.end(), 0.0);
    }
    return sum / static_cast<double>(count);
}

/// Prototypes as columns over the training rows in their own order.
std::vector<double> unsorted_coefficients(const PrototypeLearning& learning, const SortedRows& sorted) {
    const Index count = size_of(learning.prototypes());
    std::vector<double> out(sorted.order.size() * unsigned_of(count));
    for (Index p = 0; p < count; ++p) {
        const Prototype& prototype = learning.prototypes()[unsigned_of(p)];
        for (std::size_t k = 0; k < prototype.rows.size(); ++k)
            out[unsigned_of(sorted.order[unsigned_of(prototype.rows[k])] * count + p)] = prototype.weights[k];
    }
    return out;
}

/// For codes, products and neighbourhoods beside the matrices of rows.
void require_room(const TrainingProblem& problem, const SortedRows& sorted, Index most) {
    const auto n = static_cast<double>(sorted.order.size());
    double prototypes = 0;
    for (std::size_t c = 0; c + 1 < sorted.class_begins.size(); ++c)
        prototypes +=
            static_cast<double>(std::min(most, sorted.class_begins[c + 1] - sorted.class_begins[c]));
    const double size = std::min(static_cast<double>(most), n);
    problem.budget.require(8 * (4 * n * n + 4 * n * prototypes + 2 * prototypes * prototypes +
                                2 * prototypes * size + 2 * n * size),
                           text("learning ", prototypes, " prototypes of ", n, " rows"));
}

/// Prototypes of a bank of kernels (and its weights, where they are learned).
TrainedMachine train_prototypes(const TrainingProblem& problem, const Bank& bank, bool weighs) {
    if (!problem.data.sample_weights.empty())
        fail(Status::unsupported, "prototype learning does not use sample weights; remove them");
    const Parameters& parameters = problem.parameters;
    Control& control = problem.control;
    const auto most = static_cast<Index>(parameters.integer("prototypes"));
    const double lambda = parameters.real("lambda");
    const double mu = weighs ? parameters.real("mu") : 0;
    const SortedRows sorted = sorted_by_class(*problem.data.labels);
    const Dataset rows = problem.data.select(sorted.order);

    require_room(problem, sorted, most);
    KernelStream stream(bank, rows, problem.budget, control);
    std::vector<double> weights(bank.size(), 1 / static_cast<double>(bank.size()));
    LargeArray<double> gram = stream.combined(weights);
    const Neighbourhoods near = weighs ? neighbourhoods(gram, sorted, most, control) : Neighbourhoods{};
    PrototypeLearning learning(gram, sorted.class_begins,
                               {.most = most, .lambda = lambda, .tau = parameters.real("tau")}, control);
    learning.initialise();

    Trace trace;
    Stop stop(parameters.real("tolerance"));
    std::optional<KernelChoice> choice;
    if (weighs) choice.emplace(parameters, stream.kernels());
    std::vector<double> costs;
    const std::int64_t limit = parameters.integer("max_iterations");
    std::int64_t iteration = 0;
    bool converged = false;
    while (!converged && iteration < limit) {
        control.check(0.9 * static_cast<double>(iteration++) / static_cast<double>(limit));
        learning.code_rows();
        learning.move_prototypes();
        double locality = 0;
        if (weighs) {
            const auto gradient = kernel_gradient(learning, near, lambda, mu, control);
            costs.assign(bank.size(), 0.0);
            stream.read([&](Index k, const double* matrix) {
                costs[unsigned_of(k)] = inner_product(matrix, gradient.data(), learning.rows(), control);
            });
            weights = choice->weights(costs);
            gram = stream.combined(weights);
            learning.rescale();
            locality = 2 * mu * near.count_of_same();
            for (Index i = 0; i < learning.rows(); ++i) {
                const double* row = gram.data() + i * learning.rows();
                for (const Index s : near.same[unsigned_of(i)]) locality -= 2 * mu * row[s];
                for (const Index s : near.other[unsigned_of(i)]) locality += mu * row[s];
            }
        }
        converged = stop.now(trace.add(learning.terms(), locality, choice ? choice->penalty(weights) : 0));
    }
    learning.drop_unused();

    TrainedMachine trained;
    trained.rule = DecisionRule::largest;
    const ProgressScope scope(control, 0.9, 1.0, "prototypes");
    const Index count = size_of(learning.prototypes());
    trained.predictor = make_prototype_dictionary(
        combine(bank, weights), problem.data, unsorted_coefficients(learning, sorted), count, most,
        problem.precision, static_cast<Index>(parameters.integer("neighbours")), control);
    trained.report.add("prototypes", static_cast<std::int64_t>(count))
        .add("iterations", iteration)
        .add("converged", converged)
        .add("interpretability", interpretability(learning.prototypes(), sorted.class_of))
        .add("discrimination_of_prototypes", discrimination(learning, sorted.class_of));
    trace.write(trained.report);
    if (!weighs) return trained;
    trained.report.add("kernels_used", static_cast<std::int64_t>(
                                           std::ranges::count_if(weights, [](double w) { return w > 0; })));
    trained.kernel_weights = std::move(weights);
    return trained;
}

std::vector<ParameterSpec> prototype_parameters() {
    return {
        integer_parameter("prototypes", 5, 1, 10000,
                          "prototypes of a class, rows that one is made of at most, prototypes that a row is "
                          "reconstructed by at most, and neighbours (T0)"),
        real_parameter("lambda", 0.2, 0, 1e6, "weight of reconstructing rows by their own class"),
        real_parameter("tau", 0.2, 0, 1e6, "weight of the sum of the prototypes' coefficients"),
        positive_parameter("tolerance", 1e-4, "relative fall of the objective to stop at, twice in turn"),
        integer_parameter("max_iterations", 50, 1, 1e9, "limit of iterations")};
}

}  // namespace

Machine imkpl_machine() {
    std::vector<ParameterSpec> parameters = prototype_parameters();
    parameters.push_back(real_parameter(
        "mu", 0.2, 0, 1e6, "weight of near rows being of one class, to which kernels are chosen"));
    parameters.push_back(choice_parameter("policy", {"quadratic", "capped", "lp_vertex"},
                                          "how kernels are weighed: by cost with a quadratic penalty, the "
                                          "cheapest alike, or the cheapest alone"));
    parameters.push_back(
        integer_parameter("kernels", 0, 0, 1e9,
                          "kernels with a weight at the first iteration (quadratic), or always "
                          "(capped); 0 is a tenth of the bank, at least 2"));
    return {
        .name = "imkpl",
        .doc =
            "interpretable multiple-kernel prototypes: few, each of near rows of one class, in the kernels "
            "that show it; weighs the bank itself",
        .reference = reference,
        .task = Task::classification,
        .parameters = std::move(parameters),
        .train = [](const TrainingProblem& problem) { return train_prototypes(problem, problem.bank, true); },
        .weighs_kernels = true};
}

Machine iskpl_machine() {
    return {.name = "iskpl",
            .doc = "interpretable prototypes in one kernel: few, each of near rows of one class",
            .reference = reference,
            .task = Task::classification,
            .parameters = prototype_parameters(),
            .train = [](const TrainingProblem& problem) {
                return train_prototypes(problem, {normalised(problem.kernel)}, false);
            }};
}

}  // namespace dk
