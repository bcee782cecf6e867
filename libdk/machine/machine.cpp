// SPDX-License-Identifier: Apache-2.0
#include "machine/machine.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/names/nearest_name.hpp"
#include "machine/common_parameters.hpp"

namespace dk {

std::string_view name_of(Task task) {
    switch (task) {
        case Task::classification:
            return "classification";
        case Task::regression:
            return "regression";
        case Task::novelty:
            return "novelty";
        case Task::clustering:
            return "clustering";
        case Task::multilabel:
            return "multilabel";
        case Task::any:
            return "any";
    }
    return "";
}

bool learns_answers(Task task) {
    return task != Task::novelty && task != Task::clustering;
}

Task learned_task(const Machine& machine, const Dataset& data) {
    const bool several_labels = machine.task == Task::classification && data.label_sets;
    return several_labels ? Task::multilabel : machine.task;
}

void require_usable_weights(const Machine& machine, const Dataset& data) {
    if (!machine.uses_sample_weights && !data.sample_weights.empty())
        fail(Status::unsupported, "machine ", machine.name, " does not use sample weights; remove them");
}

Parameters inner_parameters(const Machine& inner, const Parameters& outer) {
    std::vector<ParameterSpec> specs = inner.parameters;
    specs.insert(specs.end(), {parameter::neighbours, parameter::seed, parameter::precision});
    Parameters parameters("machine " + inner.name, std::move(specs));
    parameters.set(parameter::neighbours.name, "0");
    parameters.set(parameter::seed.name, outer.text(parameter::seed.name));
    parameters.set(parameter::precision.name, outer.text(parameter::precision.name));
    return parameters;
}

std::span<const Machine> machines() {
    static const std::array all{svm_machine(),
                                nu_svm_machine(),
                                svr_machine(),
                                nu_svr_machine(),
                                quantile_regression_machine(),
                                one_class_svm_machine(),
                                cvm_machine(),
                                bvm_machine(),
                                mcvm_machine(),
                                elm_machine(),
                                kelm_machine(),
                                kernel_ridge_machine(),
                                rvm_machine(),
                                rvr_machine(),
                                boosted_machine(),
                                imkpl_machine(),
                                iskpl_machine(),
                                mkldpl_machine(),
                                dkmld_machine(),
                                midl_surrogate_machine(),
                                kglvq_machine(),
                                akglvq_machine(),
                                prototype_selection_machine(),
                                super_sparse_machine(),
                                super_sparse_regression_machine(),
                                selected_svm_machine(),
                                reduced_svm_machine(),
                                similarity_ridge_machine(),
                                similarity_ridge_regression_machine(),
                                similarity_lasso_machine(),
                                similarity_lasso_regression_machine(),
                                kernel_pca_machine(),
                                kernel_k_means_machine(),
                                defimkl_machine(),
                                nearest_neighbours_machine(),
                                fisher_machine(),
                                mean_of_class_machine()};
    return all;
}

const Machine& machine_named(std::string_view name) {
    const auto all = machines();
    const auto found = std::ranges::find(all, name, &Machine::name);
    if (found != all.end()) return *found;
    std::vector<std::string> names;
    for (const auto& machine : all) names.push_back(machine.name);
    fail(Status::invalid_parameter, "there is no machine ", in_quotes(name), "; nearest is ",
         in_quotes(nearest_name(name, names)), ", all are ", join(names, ", "));
}

}  // namespace dk
