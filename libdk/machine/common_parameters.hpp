// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/parameters.hpp"

/// Parameters of every machine that machines read themselves. The pipeline adds them to a machine's own ones.
/// These keys exist once. The keys of a family are not inline: each file has its own, because two families
/// may mean different things by one name, such as `tolerance`.
namespace dk::parameter {

inline constexpr IntegerKey seed{
    "seed", 1, {0, 9e15}, "The seed of everything random: the same seed gives the same model."};
inline constexpr IntegerKey neighbours{
    "neighbours",
    5,
    {0, 1000000},
    "How many of the nearest training rows the model keeps for each prototype."};

}  // namespace dk::parameter
