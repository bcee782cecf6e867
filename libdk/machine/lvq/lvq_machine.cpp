// SPDX-License-Identifier: Apache-2.0
#include "machine/lvq/lvq_machine.hpp"

#include <algorithm>
#include <utility>

#include "kernel/algebra/algebra.hpp"
#include "machine/prototype_limits.hpp"
#include "model/dictionary/nearest_prototype.hpp"
#include "model/dictionary/prototype_dictionary.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey prototypes{
    "prototypes",
    0,
    {0, 10000},
    "Each class has at most so many prototypes; 0 stands for half of the smallest class, and at most 20."};
constexpr RealKey rate{
    "rate", 0.5, {0, 100}, "Prototypes take longer steps in the first epoch with a larger rate."};
constexpr RealKey decay{"decay", 0.05, {0, 1e6}, "The rate of epoch t, from 0, is divided by 1 + decay t."};
constexpr IntegerKey epochs{"epochs", 100, {0, 1e9}, "Every row moves prototypes at most so many times."};
constexpr FlagKey unit_length{
    "normalize", true,
    "With yes, rows have length 1 in feature space, as those of normalize(kernel) do. With no, they have the "
    "lengths that the kernel gives them, and the rate is one of distances as long as at the start: with "
    "kernel=linear that is learning vector quantisation of the rows themselves."};
constexpr RealKey tolerance{"tolerance", 1e-4, Range::positive(),
                            "Learning stops when an epoch changes the cost by less than this share."};
}  // namespace parameter

namespace {

/// Throws where there is no memory for the coefficients and products of prototypes, beside the kernel matrix.
void require_memory(const TrainingProblem& problem, Index prototypes) {
    const double n = problem.data.rows();
    const double most = std::min(1.0 * prototypes * problem.data.labels->classes(), n);
    constexpr double copies = 6;  // The best epoch's are kept, and the model is made of copies.
    problem.budget.require(8 * copies * n * most, text(most, " prototypes of ", n, " rows"));
}

/// Gives the prototypes of an earlier model, whose coefficients sum to 1 again where rows have left; none
/// where a class has no prototype most of which is left.
QuantisationPrototypes earlier_prototypes(const EarlierModel* earlier, const Labels& labels) {
    constexpr double most = 0.5;
    if (earlier == nullptr) return {};
    QuantisationPrototypes found;
    std::vector<Index> left;
    std::vector<char> present(labels.classes());
    const Eigen::RowVectorXd sums = earlier->coefficients.colwise().sum();
    for (Index k = 0; k < std::ssize(earlier->prototype_classes); ++k) {
        const Index its_class = earlier->prototype_classes[k];
        if (!(sums[k] > most) || its_class < 0) continue;
        left.push_back(k);
        found.classes.push_back(its_class);
        present[its_class] = 1;
    }
    if (std::ranges::find(present, 0) != present.end()) return {};
    found.coefficients.resize(std::ssize(left), earlier->coefficients.rows());
    for (std::size_t k = 0; k < left.size(); ++k)
        found.coefficients.row(k) = earlier->coefficients.col(left[k]).transpose() / sums[left[k]];
    return found;
}

}  // namespace

std::vector<ParameterSpec> quantisation_parameters() {
    return {parameter::prototypes, parameter::rate,        parameter::decay,
            parameter::epochs,     parameter::unit_length, parameter::tolerance};
}

TrainedMachine train_quantisation(const TrainingProblem& problem, std::optional<SparsePrototypes> sparse) {
    const Parameters& parameters = problem.parameters;
    Control& control = problem.control;
    const Labels& labels = *problem.data.labels;
    QuantisationOptions options{
        .prototypes = prototypes_of_class(parameters[parameter::prototypes], rows_of_smallest_class(labels)),
        .rate = parameters[parameter::rate],
        .decay = parameters[parameter::decay],
        .epochs = parameters[parameter::epochs],
        .tolerance = parameters[parameter::tolerance],
        .seed = static_cast<std::uint64_t>(parameters[parameter::seed])};
    require_memory(problem, options.prototypes);
    const bool unit_length = parameters[parameter::unit_length];
    const KernelPointer kernel = unit_length ? normalised(problem.kernel) : problem.kernel;
    const auto gram = make_training_gram(kernel, problem.data, Precision::real64, problem.budget, &control);
    KernelVectorQuantisation learning(*gram, labels.of_rows, control);
    QuantisationPrototypes earlier = earlier_prototypes(problem.earlier, labels);
    if (earlier.count() > 0) {
        learning.initialise(std::move(earlier.coefficients), std::move(earlier.classes));
    } else {
        learning.initialise(options.prototypes, labels.classes());
    }
    if (!unit_length) options.rate *= learning.mean_distance();
    learning.learn(options);

    TrainedMachine trained;
    trained.rule = DecisionRule::largest;
    trained.report.add("prototypes", learning.prototypes().count())
        .add("epochs", std::ssize(learning.costs()) - 1)
        .add("converged", learning.converged())
        .add("cost", learning.cost())
        .add("costs", learning.costs());
    const std::vector<Index> classes = learning.prototypes().classes;
    if (sparse) {
        const Index n = gram->size();
        const ConstMatrixView K = view(gram->whole(0, control), n, n);
        const Index limit = sparse->rows > 0 ? sparse->rows : options.prototypes;
        learning.initialise(sparse_coefficients(K, learning.prototypes(), sparse->form, limit, control),
                            classes);
        trained.report.add("cost_of_sparse_prototypes", learning.cost());
    }
    const Matrix coefficients = learning.prototypes().coefficients.transpose();
    trained.predictor = make_prototype_dictionary(
        {.kernel = kernel,
         .coefficients = view(coefficients.data(), coefficients.rows(), coefficients.cols()),
         .rule = std::make_shared<const NearestPrototype>(),
         .classes = classes},
        problem.data, problem.precision, parameters[parameter::neighbours], control);
    return trained;
}

}  // namespace dk
