// SPDX-License-Identifier: Apache-2.0
#include "machine/dictionary/dictionary_machine.hpp"
#include "machine/dictionary/weight_selection.hpp"

namespace dk {

namespace parameter {
constexpr RealKey mu{
    "mu", 0.2, {0, 1e6}, "A larger mu makes kernels weigh more in which near rows are of one class."};
constexpr ChoiceKey<WeightPolicy> policy{
    "policy", weight_policies,
    "Kernels are weighed by their costs: with a penalty of alike kernels (diverse), with a quadratic penalty "
    "(quadratic), the cheapest ones equally (capped), the cheapest one alone (lp_vertex), or not at all "
    "(uniform)."};
constexpr ChoiceKey<Centring> centre{
    "centre",
    {"all", "local", "none"},
    "What a flat kernel, which tells nothing, would be paid is taken from the costs of each: all of it, the "
    "part of near rows (local), or nothing as in the paper (none)."};
constexpr IntegerKey kernels{"kernels",
                             0,
                             {0, 1e9},
                             "So many kernels have a weight in the first iteration (quadratic) or always "
                             "(capped); 0 stands for half of the bank, and at least 2."};
constexpr RealKey rho{"rho", 10, Range::positive(),
                      "With a larger rho the policy diverse keeps more kernels. It is a multiple of the "
                      "difference between the median and the least of the costs."};
constexpr RealKey kappa{
    "kappa", 1, {0, 1e6}, "With a larger kappa the policy diverse asks less how alike kernels are."};
constexpr IntegerKey neighbourhood{"neighbourhood",
                                   0,
                                   {0, 10000},
                                   "The kernels' weights look at so many nearest rows of a row's own class "
                                   "and of the others; 0 stands for the number of prototypes of a class."};
constexpr FlagKey choose_weights{
    "choose_weights", false,
    "Cross-validation within the training rows chooses rho and kappa (diverse), or the "
    "number of kernels (quadratic, capped). What is given stays unless another choice is "
    "better by more than one standard error."};
}  // namespace parameter

namespace {

WeighingOptions weighing_options(const Parameters& parameters, const LearningOptions& learning) {
    const Index neighbourhood = parameters[parameter::neighbourhood];
    return {.policy = parameters[parameter::policy],
            .centre = parameters[parameter::centre],
            .kernels = parameters[parameter::kernels],
            .rho = parameters[parameter::rho],
            .kappa = parameters[parameter::kappa],
            .neighbours = neighbourhood > 0 ? neighbourhood : learning.prototypes,
            .lambda = learning.lambda,
            .mu = parameters[parameter::mu]};
}

std::vector<std::string> flat_kernels(const BankFacts& facts, const Bank& bank) {
    std::vector<std::string> names;
    std::size_t next = 0;
    for (Index k = 0; k < facts.kernels(); ++k) {
        const bool informative = next < facts.informative().size() && facts.informative()[next] == k;
        if (informative) {
            ++next;
        } else {
            names.push_back(bank[k]->text());
        }
    }
    return names;
}

TrainedMachine train_imkpl(const TrainingProblem& problem) {
    const Parameters& parameters = problem.parameters;
    Control& control = problem.control;
    const ClassOrder ordered(*problem.data.labels);
    DictionaryOptions options = dictionary_options(parameters, ordered);
    options.weighing = weighing_options(parameters, options.learning);
    require_learnable(problem, ordered, options.learning);
    const bool chooses = parameters[parameter::choose_weights];
    Report selection;
    if (chooses) {
        const ProgressScope scope(control, 0, 0.9, "choosing weights");
        auto selected = select_weighing(problem, options);
        options.weighing = selected.options;
        selection = std::move(selected.report);
    }

    const Dataset rows = problem.data.select(ordered.order);
    BankMatrices stream(problem.bank, rows, problem.budget, control);
    const BankFacts facts(stream, options.weighing->sketch_size(), problem.budget, control);
    Dictionary dictionary;
    {
        const ProgressScope scope(control, chooses ? 0.9 : 0, chooses ? 0.98 : 0.9, "learning");
        dictionary = learn_dictionary(stream, &facts, ordered, options, control);
    }
    const ProgressScope scope(control, chooses ? 0.98 : 0.9, 1, "prototypes");
    TrainedMachine trained =
        trained_dictionary(dictionary, ordered, problem.bank, problem, options.learning.prototypes_of_row);
    trained.report.add("policy", std::string(name_of(options.weighing->policy)))
        .add("kernels_used", dictionary.kernels_used())
        .add("flat_kernels", flat_kernels(facts, problem.bank));
    if (chooses) trained.report.add("tuning", std::move(selection));
    trained.kernel_weights.assign(dictionary.weights.begin(), dictionary.weights.end());
    return trained;
}

}  // namespace

Machine imkpl_machine() {
    std::vector<ParameterSpec> parameters = dictionary_parameters();
    parameters.insert(parameters.end(), {parameter::mu, parameter::policy, parameter::centre,
                                         parameter::kernels, parameter::rho, parameter::kappa,
                                         parameter::neighbourhood, parameter::choose_weights});
    return {.name = "imkpl",
            .doc =
                "Interpretable multiple-kernel prototype learning finds few prototypes, each made of near "
                "rows of one class, and weighs the kernels of the bank such that they show these. Each "
                "kernel is normalised: rows have length 1 in its feature space.",
            .reference = dictionary_reference,
            .prototypes = dictionary_prototypes,
            .task = Task::classification,
            .uses_sample_weights = false,
            .parameters = std::move(parameters),
            .train = train_imkpl,
            .weighs_kernels = true};
}

}  // namespace dk
