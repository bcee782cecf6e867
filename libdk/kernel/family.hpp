// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/parameters.hpp"
#include "kernel/kernel.hpp"

namespace dk {

/// The arguments of a kernel call as numbers.
struct KernelArguments {
    Columns columns = {};  // empty for all
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
};

std::span<const KernelFamily> kernel_families();

KernelFamily linear_family();
KernelFamily poly_family();
KernelFamily rbf_family();
KernelFamily laplacian_family();
KernelFamily sigmoid_family();
KernelFamily arccos_family();
KernelFamily gram_family();

/// A width parameter: a number, a number/d, or auto.
ParameterSpec width_parameter(std::string default_value, std::string doc);

}  // namespace dk
