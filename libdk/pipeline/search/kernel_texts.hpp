// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/machine_specification.hpp"

namespace dk {

/// Writes a bank's kernels with all their parameters as numbers, which it finds on the rows as they are
/// prepared, so that every fold compares the same kernels. It keeps what it found, and the rows.
class KernelTexts {
  public:
    KernelTexts(const Dataset& data, Control& control) : data_(data), control_(control) {}

    const std::vector<std::string>& of(const MachineSpecification& specification, const std::string& kernel);

  private:
    /// How rows are prepared: the three words of the scaling, and the layers.
    using Way = std::array<std::string, 4>;

    const Dataset& prepared(const Way& way, const MachineSpecification& specification);

    const Dataset& data_;
    Control& control_;
    std::map<Way, Dataset> rows_;
    std::map<std::pair<Way, std::string>, std::vector<std::string>> known_;
};

}  // namespace dk
