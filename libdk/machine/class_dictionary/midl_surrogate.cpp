// SPDX-License-Identifier: Apache-2.0
#include "machine/class_dictionary/class_dictionary_machine.hpp"
#include "machine/class_dictionary/incoherent_atoms.hpp"
#include "machine/prototype_limits.hpp"
#include "model/dictionary/class_reconstruction.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey prototypes{
    "prototypes",
    0,
    {0, 10000},
    "Each class has at most so many atoms; 0 stands for half of the smallest class, and at most 20."};
constexpr IntegerKey prototypes_of_row{
    "prototypes_of_row",
    0,
    {0, 10000},
    "At most so many atoms of a class reconstruct a row; 0 stands for the number of atoms of a class."};
constexpr RealKey eta{
    "eta", 0.1, {0, 1e6}, "A larger eta makes atoms of different classes have less in common."};
}  // namespace parameter

namespace {

TrainedMachine train_midl_surrogate(const TrainingProblem& problem) {
    const Parameters& parameters = problem.parameters;
    const Index atoms =
        prototypes_of_class(parameters[parameter::prototypes], rows_of_smallest_class(*problem.data.labels));
    const Index given = parameters[parameter::prototypes_of_row];
    const IncoherentAtomOptions options{.atoms_of_row = given > 0 ? given : atoms,
                                        .eta = parameters[parameter::eta]};
    const auto make = [&](const LargeMatrix& gram, std::vector<ClassRange> classes) {
        return std::make_unique<IncoherentAtoms>(gram, std::move(classes), options, problem.control);
    };
    return train_class_dictionary(problem, atoms, make,
                                  std::make_shared<const ClassReconstruction>(options.atoms_of_row));
}

}  // namespace

Machine midl_surrogate_machine() {
    std::vector<ParameterSpec> own{parameter::prototypes, parameter::prototypes_of_row, parameter::eta};
    return {.name = "midl_surrogate",
            .doc =
                "A surrogate of multiple-instance dictionary learning finds atoms of each class that have "
                "little in common with those of other classes; the class whose few atoms reconstruct a row "
                "best is elected. Each kernel is normalised: rows have length 1 in its feature space.",
            .reference =
                "after Shrivastava, Patel, Pillai, Chellappa, Generalized dictionaries for multiple instance "
                "learning, IJCV 114, 2015, without bags",
            .prototypes = class_dictionary_prototypes,
            .task = Task::classification,
            .uses_sample_weights = false,
            .parameters = with_class_dictionary_parameters(std::move(own), 30),
            .train = train_midl_surrogate,
            .weighs_kernels = true};
}

}  // namespace dk
