// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/kernel.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"

namespace dk {

/// What becomes of a kernel matrix that has negative eigenvalues: each eigenvalue is replaced by a number of
/// at least 0 (Chen, Garcia, Gupta, Rahimi, Cazzanti, Similarity-based classification: concepts and
/// algorithms, JMLR 10, 2009).
enum class SpectrumMethod { clip, flip, shift, square };

/// The methods' names, in the order of the enumeration.
const std::vector<std::string>& spectrum_methods();
/// The method of one of these names.
SpectrumMethod spectrum_method(std::string_view name);

/// What a method makes of an eigenvalue of a matrix whose lowest one is `lowest`: max(value, 0) for clip,
/// |value| for flip, value - min(lowest, 0) for shift, value^2 for square.
double corrected_eigenvalue(SpectrumMethod method, double value, double lowest);

/// Eigenvalues whose size is not above this are rounding of the largest one.
double negligible_eigenvalue(const SymmetricEigen& spectrum);

/// The eigenvalues and eigenvectors of the matrix of all pairs of rows.
SymmetricEigen kernel_spectrum(const KernelPointer& kernel, const Dataset& rows, Control& control);

}  // namespace dk
