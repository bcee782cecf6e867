// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "pipeline/search/grid.hpp"

namespace dk {

/// A model that a choice may end with: a machine, the scale of columns, and the kernel and the machine's
/// parameters.
struct Proposal {
    std::string machine;
    std::string scale;
    Candidate candidate = {};

    bool operator==(const Proposal&) const = default;
};

/// Says what there is to learn from rows: classes where they have labels, or sets of labels, values where
/// they have targets or labels that are integers of which hardly any two rows share one, and else what is
/// unlike the rows.
Task task_of(const Dataset& data);

/// Names the machine that learns the task: support vectors, of classes or labels of very many rows landmarks,
/// where the user has said nothing of an svm, and ridge regression of values.
std::string machine_for(const Dataset& data, Task task, const MachineSpecification& automatic);

/// Lists what is worth trying with the machine on the rows, for the kind of data and what `specification`,
/// which is one of the machine auto, leaves open. Of columns, the kernels are the Gaussian and the Laplacian
/// one with widths around the median distance of two rows, and the linear one, of values and, where columns
/// are skewed, of their ranks; of other kinds it is the kernel for the kind.
std::vector<Proposal> proposals(const Dataset& data, const std::string& machine,
                                const MachineSpecification& specification);

/// Lists the neighbours of a proposal at half the distance of those above, in what was not given: its width,
/// and C.
std::vector<Proposal> refinements(const Proposal& proposal, const MachineSpecification& specification);

/// Makes the machine's specification: what the proposal says, and what the user said of all machines.
MachineSpecification specification_of(const Proposal& proposal, const MachineSpecification& automatic);

}  // namespace dk
