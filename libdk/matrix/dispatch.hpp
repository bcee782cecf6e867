// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included after <hwy/highway.h> by files that Highway compiles once for every set of instructions. Only
// Highway's headers are used: what its library finds out at run time stands in matrix/instructions.cpp, so
// that no process loads it.
#include "matrix/instructions.hpp"

/// The form of `function` for this processor, as a pointer. Highway names the namespaces of its targets by
/// macros, which only a macro can list.
#define DK_CHOSEN(function)                                                                   \
    ::dk::chosen(::dk::CompiledForms<decltype(&HWY_STATIC_DISPATCH(function))>{               \
        HWY_CHOOSE_FALLBACK(function), HWY_CHOOSE_SSSE3(function), HWY_CHOOSE_NEON(function), \
        HWY_CHOOSE_AVX2(function), HWY_CHOOSE_AVX3(function)})
