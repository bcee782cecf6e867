// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/parameters.hpp"

/// Parameters that every machine has and reads itself. The pipeline adds them to a machine's own ones. These
/// keys exist once. The keys of a family are not inline: each file has its own, because two families may mean
/// different things by one name, such as `tolerance`.
namespace dk::parameter {

inline constexpr IntegerKey seed{
    "seed", 1, {0, 9e15}, "Everything random comes from the seed: the same seed gives the same model."};
inline constexpr IntegerKey neighbours{
    "neighbours",
    5,
    {0, 1000000},
    "The model keeps so many of the nearest training rows for each prototype."};

}  // namespace dk::parameter
