// SPDX-License-Identifier: Apache-2.0
// GAMKL searches the weights sigma of the kernels, sigma >= 0 and |sigma|_p = 1, by a genetic algorithm. The
// fitness of weights is the accuracy, on rows that are held out, of the machine that will use them, in the
// kernel sum_k sigma_k K_k; of equal accuracies the larger mean margin is fitter,
//
//     y_i f(x_i) / (|w| (sum_k sigma_k)^(1/2)),
//
// which does not depend on the scale of sigma. Folds are drawn once. The first population has equal weights,
// each kernel alone, the weights of MKLGL and random ones. Each further one keeps the two fittest; the others
// are children of two parents, each the fittest of three, whose genes lie between those of their parents or a
// little beyond (BLX-0.3), and some genes mutate. The paper has neither fitness nor operators; these are
// ours.
//
//     letter      name
//     sigma       Individual::weights
//     p           p_
//     K_k         bank_[k], on rows_
//
// S. R. Price, D. T. Anderson, T. C. Havens, S. R. Price, Kernel matrix-based heuristic multiple kernel
// learning, Mathematics 10, 2022, for GAMKLp; L. J. Eshelman, J. D. Schaffer, Real-coded genetic algorithms
// and interval-schemata, FOGA 2, 1993, for BLX.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "data/split.hpp"
#include "kernel/algebra/algebra.hpp"
#include "kernel/gram/bank_similarities.hpp"
#include "weights/strategy/strategy.hpp"
#include "weights/strategy/weight_scale.hpp"

namespace dk {

namespace parameter {
constexpr RealKey genes_norm{"p",
                             4.0 / 3,
                             {1, 1000},
                             "The weights have the p-norm 1: with p = 1 they may be few, and the larger p "
                             "is, the more alike they are."};
constexpr IntegerKey population{"population",
                                30,
                                {4, 100000},
                                "There are so many weights at a time, and at least two more than kernels."};
constexpr IntegerKey generations{
    "generations", 40, {0, 100000}, "The search ends after so many generations."};
constexpr IntegerKey patience{
    "patience", 10, {1, 100000}, "It ends before where so many in turn gained nothing."};
constexpr IntegerKey fitness_folds{"folds", 3, {2, 100}, "Accuracies are those of so many folds."};
}  // namespace parameter

namespace {

struct Fitness {
    double accuracy = -1;
    double margin = 0;

    /// Tells whether this is more than another by what is no rounding.
    bool beats(const Fitness& other) const {
        if (std::abs(accuracy - other.accuracy) > 1e-12) return accuracy > other.accuracy;
        return margin > other.margin + 1e-3 * std::abs(other.margin);
    }
    bool operator<(const Fitness& other) const {
        return accuracy != other.accuracy ? accuracy < other.accuracy : margin < other.margin;
    }
};

struct Individual {
    Vector weights;
    Fitness fitness = {};
};

class GeneticSearch {
  public:
    explicit GeneticSearch(const WeightProblem& problem)
        : problem_(problem),
          p_(problem.parameters[parameter::genes_norm]),
          random_(problem.seed),
          rows_(problem.data),
          bank_(problem.bank) {
        // Kernel values are computed once where they fit.
        if (problem.data.kind() != DataKind::gram) {
            if (auto shared =
                    bank_similarities(problem.bank, problem.data, problem.budget.part(2), problem.control)) {
                rows_ = *shared;
                bank_ = similarity_bank(rows_);
            }
        }
        draw_folds();
    }

    KernelWeights run() {
        std::vector<Individual> population = first_population();
        const std::int64_t most = problem_.parameters[parameter::generations];
        const std::int64_t patience = problem_.parameters[parameter::patience];
        std::int64_t generation = 0;
        std::int64_t idle = 0;
        evaluate(population, 0.1, 0.1 + 0.85 / static_cast<double>(most + 1));
        Individual best = fittest(population);
        while (generation < most && idle < patience) {
            ++generation;
            population = next_population(population);
            const double done = 0.1 + 0.85 * static_cast<double>(generation) / static_cast<double>(most + 1);
            evaluate(population, done, done + 0.85 / static_cast<double>(most + 1));
            const Individual& found = fittest(population);
            idle = found.fitness.beats(best.fitness) ? 0 : idle + 1;
            if (best.fitness < found.fitness) best = found;
        }
        return result(best, generation, idle >= patience);
    }

  private:
    Index kernels() const { return std::ssize(bank_); }

    void draw_folds() {
        const Labels& labels = *problem_.data.labels;
        std::vector<Index> counts(labels.classes());
        for (const Index c : labels.of_rows) ++counts[c];
        const Index smallest = std::ranges::min(counts);
        const Index folds = std::min(
            {Index{problem_.parameters[parameter::fitness_folds]}, smallest, most_folds(problem_.data)});
        if (folds < 2)
            fail(
                Status::invalid_data,
                "weights=gamkl needs at least 2 rows, and 2 groups of rows, of each class; the smallest has ",
                smallest);
        fold_of_ = stratified_folds(problem_.data, folds, problem_.seed);
        folds_ = folds;
    }

    /// Puts weights on the sphere |sigma|_p = 1; those that are all zero become equal.
    Vector projected(const Vector& weights) const {
        Vector positive = weights.cwiseMax(0);
        const double largest = positive.maxCoeff();
        if (!(largest > 0)) positive.setOnes();
        positive /= positive.maxCoeff();
        return positive / std::pow(positive.array().pow(p_).sum(), 1 / p_);
    }

    /// Gives the weights with which the machine is trained.
    Vector used(const Vector& weights) const {
        if (problem_.parameters[parameter::weight_scale] == WeightScale::norm) return weights;
        return weights / weights.sum();
    }

    std::vector<Individual> first_population() {
        const Index size = std::max<Index>(problem_.parameters[parameter::population], kernels() + 2);
        std::vector<Individual> all{{projected(Vector::Ones(kernels()))}};
        for (Index k = 0; k < kernels(); ++k) all.push_back({Vector::Unit(kernels(), k)});
        all.push_back({projected(weights_of_mklgl())});
        while (std::ssize(all) < size) {
            Vector genes(kernels());
            for (double& gene : genes) gene = std::abs(random_.normal());
            all.push_back({projected(genes)});
        }
        return all;
    }

    Vector weights_of_mklgl() const {
        const ProgressScope scope(problem_.control, 0, 0.1);
        const WeightStrategy mklgl = mklgl_strategy();
        Parameters parameters("weights=mklgl", mklgl.parameters);
        parameters.set(parameter::genes_norm.name, format_number(p_));
        const KernelWeights found = mklgl.weigh({problem_.bank,
                                                 problem_.data,
                                                 {},
                                                 std::move(parameters),
                                                 problem_.cost,
                                                 problem_.seed,
                                                 problem_.budget,
                                                 problem_.control});
        return as_vector(found.weights);
    }

    /// Gives the fittest of three at random.
    const Individual& parent(const std::vector<Individual>& population) {
        const Individual* best = nullptr;
        for (int turn = 0; turn < 3; ++turn) {
            const Individual& other = population[random_.below(population.size())];
            if (best == nullptr || best->fitness < other.fitness) best = &other;
        }
        return *best;
    }

    std::vector<Individual> next_population(std::vector<Individual>& population) {
        constexpr double crossed = 0.9;
        constexpr double beyond = 0.3;
        constexpr double mutation = 0.1;
        std::ranges::stable_sort(
            population, [](const Individual& a, const Individual& b) { return b.fitness < a.fitness; });
        std::vector<Individual> next(population.begin(), population.begin() + 2);
        next.reserve(population.size());
        while (next.size() < population.size()) {
            const Individual& first = parent(population);
            const Individual& second = parent(population);
            Vector genes = first.weights;
            if (random_.uniform() < crossed) {
                const Vector low = first.weights.cwiseMin(second.weights);
                const Vector width = (first.weights - second.weights).cwiseAbs();
                for (Index k = 0; k < genes.size(); ++k)
                    genes[k] = low[k] + width[k] * ((1 + 2 * beyond) * random_.uniform() - beyond);
            }
            for (double& gene : genes) {
                if (random_.uniform() * static_cast<double>(genes.size()) < 1)
                    gene += mutation * random_.normal();
            }
            next.push_back({projected(genes)});
        }
        return next;
    }

    static const Individual& fittest(const std::vector<Individual>& population) {
        return *std::ranges::max_element(
            population, [](const Individual& a, const Individual& b) { return a.fitness < b.fitness; });
    }

    /// Weights that are the same to a thousandth count as those of them that were tried first.
    static std::vector<std::int64_t> rounded(const Vector& weights) {
        std::vector<std::int64_t> key;
        key.reserve(weights.size());
        for (const double weight : weights) key.push_back(std::llround(1000 * weight));
        return key;
    }

    void evaluate(std::vector<Individual>& population, double from, double to) {
        const ProgressScope scope(problem_.control, from, to, "genetic search");
        std::vector<Vector> unknown;
        for (const Individual& one : population) {
            if (known_.try_emplace(rounded(one.weights), one).second) unknown.push_back(one.weights);
        }
        const std::vector<Fitness> found = fitness_of(unknown);
        for (std::size_t u = 0; u < unknown.size(); ++u) known_.at(rounded(unknown[u])).fitness = found[u];
        for (Individual& one : population) one = known_.at(rounded(one.weights));
    }

    /// Trains each of these weights without each fold. Small problems are trained side by side.
    std::vector<Fitness> fitness_of(const std::vector<Vector>& weights) {
        const Index tasks = std::ssize(weights) * folds_;
        std::vector<HeldOutScore> scores(tasks);
        const auto score = [&](Index task, Control& control) {
            const Index fold = task % folds_;
            const Vector sigma = used(weights[task / folds_]);
            const KernelPointer kernel = combine(bank_, {sigma.begin(), sigma.end()});
            scores[task] = problem_.train(kernel, rows_.select(rows_of_fold(fold_of_, fold, false)),
                                          rows_.select(rows_of_fold(fold_of_, fold, true)), control);
        };
        evaluations_ += std::ssize(weights);
        constexpr double trainings_at_once = 8;
        const double n = rows_.rows();
        const bool alone = only_the_calling_thread(rows_) ||
                           (rows_.kind() == DataKind::gram && rows_.gram().compute) ||
                           !problem_.budget.allows(trainings_at_once * 8 * n * n);
        if (alone) {
            for (Index task = 0; task < tasks; ++task) {
                const ProgressScope scope(problem_.control, 1.0 * task / tasks, (task + 1.0) / tasks);
                score(task, problem_.control);
            }
        } else {
            const auto run_task = [&](int, Index task) {
                Control own(Control::Part{}, problem_.control);
                score(task, own);
            };
            parallel_for_with(
                tasks, problem_.control, [] { return 0; }, run_task,
                workforce_of_tasks(tasks * n * n, problem_.control));
        }
        std::vector<Fitness> found;
        found.reserve(weights.size());
        for (std::size_t w = 0; w < weights.size(); ++w) {
            Fitness fitness{0, 0};
            for (Index fold = 0; fold < folds_; ++fold) {
                const HeldOutScore& one = scores[w * folds_ + fold];
                const double share = static_cast<double>(std::ranges::count(fold_of_, fold)) / n;
                fitness.accuracy += share * one.right;
                fitness.margin += share * one.margin;
            }
            fitness.margin /= std::sqrt(used(weights[w]).sum());
            found.push_back(fitness);
        }
        return found;
    }

    KernelWeights result(const Individual& best, std::int64_t generation, bool converged) {
        const std::int64_t evaluations = evaluations_;
        Fitness exact;
        {
            const ProgressScope scope(problem_.control, 0.95, 1);
            exact = fitness_of({best.weights}).front();
        }
        const Vector weights = used(best.weights);
        const Vector shares = weights / weights.sum();
        KernelWeights found;
        found.weights.assign(weights.begin(), weights.end());
        found.report.add("share", std::vector<double>(shares.begin(), shares.end()))
            .add("accuracy", exact.accuracy)
            .add("margin", exact.margin)
            .add("C_effective", problem_.cost * weights.sum())
            .add("folds", static_cast<std::int64_t>(folds_))
            .add("evaluations", evaluations)
            .add("generations", generation)
            .add("converged", converged);
        return found;
    }

    const WeightProblem& problem_;
    double p_;
    Random random_;
    Dataset rows_;
    Bank bank_;
    std::vector<Index> fold_of_;
    Index folds_ = 0;
    std::map<std::vector<std::int64_t>, Individual> known_;
    std::int64_t evaluations_ = 0;
};

}  // namespace

WeightStrategy gamkl_strategy() {
    return {.name = "gamkl",
            .doc =
                "GAMKL searches by a genetic algorithm for the weights with which the machine that uses them "
                "is right about most of the rows that are held out.",
            .reference =
                "Price, Anderson, Havens, Price, Kernel matrix-based heuristic multiple kernel "
                "learning, Mathematics 10, 2022",
            .arguments = "",
            .parameters = {parameter::genes_norm, parameter::weight_scale, parameter::population,
                           parameter::generations, parameter::patience, parameter::fitness_folds},
            .normalises = true,
            .needs = Knowledge::classes,
            .check = nullptr,
            .weigh =
                [](const WeightProblem& problem) {
                    if (!problem.data.labels || !problem.train)
                        fail(Status::unsupported,
                             "weights=gamkl holds out rows with classes; this machine learns from none");
                    return GeneticSearch(problem).run();
                },
            .searches = true,
            .reads_cost = true};
}

}  // namespace dk
