// SPDX-License-Identifier: Apache-2.0
#include "pipeline/search/kernel_texts.hpp"

#include "data/scaling/scaler.hpp"
#include "kernel/language/bank.hpp"
#include "pipeline/prepare.hpp"

namespace dk {

const std::vector<std::string>& KernelTexts::of(const MachineSpecification& specification,
                                                const std::string& kernel) {
    const auto& parameters = specification.parameters;
    const Way way{parameters[parameter::scale], parameters.text(parameter::scale_rows.name),
                  parameters[parameter::impute], parameters[parameter::layers]};
    auto& found = known_[{way, kernel}];
    if (found.empty()) found = kernel_texts(kernel, prepared(way, specification));
    return found;
}

const Dataset& KernelTexts::prepared(const Way& way, const MachineSpecification& specification) {
    const bool layered = !way.back().empty();
    if (!layered && data_.kind() == DataKind::gram) return data_;
    const auto found = rows_.find(way);
    if (found != rows_.end()) return found->second;
    const auto& parameters = specification.parameters;
    const MemoryBudget budget(parameters[parameter::memory_mb]);
    Dataset rows = layered ? prepare_training(data_, specification, budget, control_).rows
                           : fit_scaler(scaler_choice(parameters), data_).apply(data_);
    return rows_.emplace(way, std::move(rows)).first->second;
}

}  // namespace dk
