// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pipeline/machine_specification.hpp"

namespace dk {

namespace parameter {
inline constexpr IntegerKey candidates{
    "candidates",
    150,
    {1, 10000},
    "At most so many combinations of scale, kernel, width and C are compared at the beginning of the choice; "
    "fewer take widths and costs further apart."};
inline constexpr RealKey seconds{
    "seconds",
    0,
    {0, 1e9},
    "With a number above 0 the comparison ends after about so many seconds, with what was compared by then, "
    "and its winner is trained; which one that is then depends on how fast the machine is, and the report "
    "says where the time was over. Each outer fold has as much time. 0 stands for no limit."};
/// Its check allows auto or a number above 0.
extern const TextKey chosen_cost;
}  // namespace parameter

/// Describes the machine `auto`, which trains nothing itself: pipeline/choice chooses the machine, the scale,
/// the kernel with its numbers and C for the rows, and trains the machine that it chose.
const Machine& automatic_machine();

/// Gives the parameters of `auto`: those of a support vector machine, of which what is given is not
/// chosen.
MachineSpecification automatic_specification();

inline bool is_automatic(const MachineSpecification& specification) {
    return specification.machine == &automatic_machine();
}

/// Throws Error(invalid_parameter) for the machine `auto` where a machine is needed.
void require_named_machine(const MachineSpecification& specification, std::string_view purpose);

}  // namespace dk
