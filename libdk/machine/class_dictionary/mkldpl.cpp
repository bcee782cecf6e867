// SPDX-License-Identifier: Apache-2.0
#include "machine/class_dictionary/class_dictionary_machine.hpp"
#include "machine/class_dictionary/projective_pairs.hpp"
#include "model/dictionary/class_reconstruction.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey atoms{"atoms", 30, {1, 10000}, "Each class has at most so many atoms."};
constexpr RealKey tau{
    "tau", 0.05, Range::positive(),
    "With a larger tau, the codes that atoms reconstruct rows with are nearer to those that analysis finds."};
constexpr RealKey lambda{
    "lambda", 0.003, {0, 1e6}, "A larger lambda makes rows of other classes get smaller codes."};
constexpr RealKey gamma{"gamma", 1e-4, Range::positive(),
                        "A larger gamma makes the analysis vectors shorter."};
constexpr RealKey nu{"nu", 0.05, {0, 1e6}, "A larger nu makes the codes of a class more alike."};
}  // namespace parameter

namespace {

TrainedMachine train_mkldpl(const TrainingProblem& problem) {
    const Parameters& parameters = problem.parameters;
    const ProjectivePairOptions options{.tau = parameters[parameter::tau],
                                        .lambda = parameters[parameter::lambda],
                                        .gamma = parameters[parameter::gamma],
                                        .nu = parameters[parameter::nu]};
    const auto make = [&](const LargeMatrix& gram, std::vector<ClassRange> classes) {
        return std::make_unique<ProjectivePairs>(gram, std::move(classes), options, problem.control);
    };
    constexpr Index analysis = 0;
    return train_class_dictionary(problem, parameters[parameter::atoms], make,
                                  std::make_shared<const ClassReconstruction>(analysis));
}

}  // namespace

Machine mkldpl_machine() {
    std::vector<ParameterSpec> own{parameter::atoms, parameter::tau, parameter::lambda, parameter::gamma,
                                   parameter::nu};
    return {
        .name = "mkldpl",
        .doc =
            "Multiple-kernel projective dictionary pair learning finds atoms for each class, vectors that "
            "give a row's codes by one product, and weights of the kernels; the class whose atoms "
            "reconstruct a row best is elected. Each kernel is normalised: rows have length 1 in its feature "
            "space.",
        .reference =
            "Gu, Zhang, Zuo, Feng, Projective dictionary pair learning for pattern classification, NIPS "
            "2014, with several kernels",
        .prototypes = class_dictionary_prototypes,
        .task = Task::classification,
        .uses_sample_weights = false,
        .parameters = with_class_dictionary_parameters(std::move(own), 20),
        .train = train_mkldpl,
        .weighs_kernels = true};
}

}  // namespace dk
