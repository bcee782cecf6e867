// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/parameters.hpp"

/// Parameters that every machine has and reads itself, some only where they concern it. The pipeline adds
/// them to a machine's own ones. These keys exist once. The keys of a family are not inline: each file has
/// its own, because two families may mean different things by one name, such as `tolerance`.
namespace dk::parameter {

inline constexpr IntegerKey seed{
    "seed", 1, {0, 9e15}, "Everything random comes from the seed: the same seed gives the same model."};
inline constexpr IntegerKey neighbours{
    "neighbours",
    5,
    {0, 1000000},
    "The model keeps so many of the nearest training rows for each prototype."};

enum class PrecisionChoice { automatic, real64, real32 };
inline constexpr ChoiceKey<PrecisionChoice> precision{
    "precision",
    {"auto", "double", "single"},
    "Kernel values are computed and kept in this number type: double, or single, which is faster and keeps 7 "
    "digits. auto is double, but support vector machines with radial kernels or very many rows, and core "
    "vector machines, search in single precision first and finish in double."};

}  // namespace dk::parameter
