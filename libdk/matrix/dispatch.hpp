// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files that Highway compiles once for every set of instructions include this one after <hwy/highway.h>. They
// use Highway's headers only. Its own choice of instructions is in its library, which every process would
// have to load with libdk, so matrix/instructions.cpp chooses.
#include "matrix/instructions.hpp"

/// Gives the form of `function` for this processor, as a pointer. This is a macro because Highway names the
/// namespaces of its targets by macros, which only a macro can list.
#define DK_CHOSEN(function)                                                                   \
    ::dk::chosen(::dk::CompiledForms<decltype(&HWY_STATIC_DISPATCH(function))>{               \
        HWY_CHOOSE_FALLBACK(function), HWY_CHOOSE_SSSE3(function), HWY_CHOOSE_NEON(function), \
        HWY_CHOOSE_AVX2(function), HWY_CHOOSE_AVX3(function)})
