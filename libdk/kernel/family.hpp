// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/parameters.hpp"
#include "kernel/kernel.hpp"
#include "kernel/setting.hpp"

namespace dk {

/// The arguments of a kernel call as numbers.
struct KernelArguments {
    Columns columns = {};  // empty for all
    Index column_count = 1;
    std::map<std::string, double, std::less<>> named = {};
    std::vector<double> positional = {};

    double operator[](std::string_view name) const { return named.find(name)->second; }
};

/// A kind of kernel that the kernel language knows by name. Adding one is one file in kernel/family
/// and one line in kernel/family.cpp.
struct KernelFamily {
    std::string name;
    std::string doc;
    std::string reference;
    std::vector<DataKind> data;
    std::string positive_semidefinite;  // "always", "never", or when
    std::string constant_diagonal;      // likewise
    std::vector<ParameterSpec> parameters;
    /// Documentation of positional arguments; empty when there are none.
    std::string positional;
    std::function<KernelPointer(const KernelArguments&)> make;
    /// The number of a parameter that is written as auto, median or mean; null: gamma by squared distances.
    double (*found_by_rule)(std::string_view parameter, std::string_view rule, const Setting& setting,
                            const Columns& columns) = nullptr;
};

std::span<const KernelFamily> kernel_families();

KernelFamily linear_family();
KernelFamily poly_family();
KernelFamily rbf_family();
KernelFamily laplacian_family();
KernelFamily cauchy_family();
KernelFamily rational_quadratic_family();
KernelFamily matern_family();
KernelFamily circular_family();
KernelFamily spherical_family();
KernelFamily chi_square_family();
KernelFamily additive_chi_square_family();
KernelFamily intersection_family();
KernelFamily cosine_family();
KernelFamily sigmoid_family();
KernelFamily arccos_family();
KernelFamily gak_family();
KernelFamily dtw_family();
KernelFamily spectrum_family();
KernelFamily mismatch_family();
KernelFamily subsequence_family();
KernelFamily edit_family();
KernelFamily weisfeiler_lehman_family();
KernelFamily gram_family();

/// A width parameter: a number, a number/d, or auto.
ParameterSpec width_parameter(std::string default_value, std::string doc);

}  // namespace dk
