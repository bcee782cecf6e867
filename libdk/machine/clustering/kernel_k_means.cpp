// SPDX-License-Identifier: Apache-2.0
//
// Kernel k-means divides rows into k clusters such that they are near the means of these in feature space,
//
//     min over clusters of   sum_c sum_{i in c} |phi(x_i) - m_c|^2,   m_c = mean of phi(x_i), i in c,
//
// by rounds that move each row to the nearest mean, and then by moves of single rows
// (prototype/kernel_k_means.cpp). Of several starts, the one with the least sum is kept. Clusters of
// method=spectral come from eigenvectors of the similarities (spectral_clusters.cpp) and are not moved to
// nearest means. The means are the prototypes, and a row is in the cluster whose mean is nearest.
//
//     letter    name
//     k         parameter::clusters
//     m_c       column c of `means`, 1 / n_c for the rows of the cluster
//
// B. Schoelkopf, A. Smola, K.-R. Mueller, Nonlinear component analysis as a kernel eigenvalue problem, Neural
// Computation 10, 1998, section 5; I. Dhillon, Y. Guan, B. Kulis, Kernel k-means, spectral clustering and
// normalized cuts, KDD 2004.
#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "machine/clustering/best_clusters.hpp"
#include "machine/clustering/spectral_clusters.hpp"
#include "machine/machine.hpp"
#include "model/dictionary/nearest_prototype.hpp"
#include "model/dictionary/prototype_dictionary.hpp"

namespace dk {

namespace {
enum class ClusterMethod { k_means, spectral };
}  // namespace

namespace parameter {
constexpr IntegerKey clusters{
    "clusters", 8, {2, 10000}, "Rows are divided into so many clusters, or fewer where fewer differ."};
constexpr ChoiceKey<ClusterMethod> cluster_method{
    "method",
    {"k_means", "spectral"},
    "k_means makes clusters whose rows are near their mean in feature space, spectral those between which "
    "few rows are alike, which may be of any form; it takes kernels whose values are at least 0."};
constexpr IntegerKey cluster_starts{"starts",
                                    10,
                                    {1, 10000},
                                    "k-means begins so many times, first with rows far from each other and "
                                    "then with rows drawn by the seed; the best is kept."};
constexpr IntegerKey cluster_rounds{
    "max_iterations", 300, {1, 1000000}, "Each start moves rows to nearest means at most so many times."};
}  // namespace parameter

namespace {

/// Orders clusters by their sizes, the largest first, and those of one size by their first rows.
void number_by_size(RowClusters& clusters) {
    std::ranges::sort(clusters, [](const auto& a, const auto& b) {
        return a.size() != b.size() ? a.size() > b.size() : a.front() < b.front();
    });
}

/// Labels the rows with their clusters.
Dataset labelled(const Dataset& data, const RowClusters& clusters) {
    Labels labels;
    labels.of_rows.resize(data.rows());
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        labels.values.push_back(static_cast<std::int64_t>(c));
        for (const Index i : clusters[c]) labels.of_rows[i] = static_cast<Index>(c);
    }
    Dataset out = data;
    out.labels = std::move(labels);
    return out;
}

/// Makes the machine of the clusters, which says of a row the cluster whose mean is nearest.
TrainedMachine nearest_mean_machine(const TrainingProblem& problem, const FoundClusters& found) {
    Matrix means = Matrix::Zero(problem.data.rows(), std::ssize(found.rows));
    std::vector<double> sizes;
    std::vector<Index> numbers;
    for (Index c = 0; c < means.cols(); ++c) {
        const double size = std::ssize(found.rows[c]);
        for (const Index i : found.rows[c]) means(i, c) = 1 / size;
        sizes.push_back(size);
        numbers.push_back(c);
    }
    TrainedMachine trained;
    trained.rule = DecisionRule::largest;
    trained.report.add("clusters", std::ssize(found.rows)).add("sizes", sizes);
    trained.report.add("energy", found.energy).add("converged", found.converged);
    const ProgressScope scope(problem.control, 0.9, 1, "prototypes");
    trained.predictor = make_prototype_dictionary(
        {.kernel = problem.kernel,
         .coefficients = view(std::as_const(means).data(), means.rows(), means.cols()),
         .rule = std::make_shared<const NearestPrototype>(),
         .classes = numbers},
        labelled(problem.data, found.rows), problem.precision, problem.parameters[parameter::neighbours],
        problem.control);
    return trained;
}

TrainedMachine train_clusters(const TrainingProblem& problem) {
    const Parameters& parameters = problem.parameters;
    Control& control = problem.control;
    const Index n = problem.data.rows();
    const Index asked = std::min<Index>(n, parameters[parameter::clusters]);
    const bool spectral = parameters[parameter::cluster_method] == ClusterMethod::spectral;
    const auto gram =
        make_training_gram(problem.kernel, problem.data, Precision::real64, problem.budget, &control);
    problem.budget.require(
        8.0 * static_cast<double>(n) * (static_cast<double>(n) * (spectral ? 5 : 1) + 3.0 * asked),
        text("the kernel matrix of ", n, " rows and what clusters are made of"));
    const ConstMatrixView K = view(gram->whole(0, control), n, n);
    const Index starts = parameters[parameter::cluster_starts];
    const Index rounds = parameters[parameter::cluster_rounds];
    const auto seed = static_cast<std::uint64_t>(parameters[parameter::seed]);
    FoundClusters found;
    {
        const ProgressScope scope(control, 0, 0.9);
        if (spectral) {
            found = spectral_clusters(K, asked, starts, rounds, seed, control);
            found.energy = cluster_energy(K, found.rows, control);
        } else {
            found = best_clusters(K, asked, starts, rounds, seed, control);
        }
    }
    if (found.rows.size() < 2)
        fail(Status::invalid_data, "all ", n, " rows are the same in the feature space of kernel ",
             problem.kernel->text(), ", and there is one cluster");
    number_by_size(found.rows);
    return nearest_mean_machine(problem, found);
}

}  // namespace

Machine kernel_k_means_machine() {
    return {
        .name = "kernel_k_means",
        .doc =
            "Kernel k-means divides rows into clusters that are near their means in feature space, or with "
            "method=spectral into clusters between which few rows are alike. It needs no labels, and "
            "predicts the cluster with the nearest mean.",
        .reference =
            "Schoelkopf, Smola, Mueller, Nonlinear component analysis as a kernel eigenvalue problem, Neural "
            "Computation 10, 1998; Ng, Jordan, Weiss, On spectral clustering, NIPS 2001",
        .prototypes =
            "Prototype c is the mean of cluster c, the clusters in the order of their sizes. Each explains "
            "a row by minus its squared distance, which is the decision of the cluster. Features are the "
            "distances from the prototypes.",
        .task = Task::clustering,
        .uses_sample_weights = false,
        .parameters = {parameter::clusters, parameter::cluster_method, parameter::cluster_starts,
                       parameter::cluster_rounds},
        .train = train_clusters};
}

}  // namespace dk
