// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/parameters.hpp"
#include "kernel/engine/kernel.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"

namespace dk {

/// What becomes of a kernel matrix that has negative eigenvalues: a number of at least 0 replaces each
/// eigenvalue (Chen, Garcia, Gupta, Rahimi, Cazzanti, Similarity-based classification: concepts and
/// algorithms, JMLR 10, 2009).
enum class SpectrumMethod { clip, flip, shift, square };

/// The names of the methods, in the order of the enumerators.
inline constexpr ChoiceNames spectrum_methods{"clip", "flip", "shift", "square"};

SpectrumMethod spectrum_method(std::string_view name);
std::string_view name_of(SpectrumMethod method);

/// The number that replaces an eigenvalue of a matrix whose lowest eigenvalue is `lowest`: max(value, 0) for
/// clip, |value| for flip, value - min(lowest, 0) for shift, and value^2 for square.
double corrected_eigenvalue(SpectrumMethod method, double value, double lowest);

/// The size up to which eigenvalues are no more than rounding errors of the largest one.
double negligible_eigenvalue(const SymmetricEigen& spectrum);

/// Computes the kernel matrix of all pairs of rows, and its eigenvalues and eigenvectors.
SymmetricEigen kernel_spectrum(const KernelPointer& kernel, const Dataset& rows, Control& control);

}  // namespace dk
