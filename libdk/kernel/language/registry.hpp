// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/parameters.hpp"
#include "kernel/kernel.hpp"
#include "kernel/language/data_facts.hpp"
#include "kernel/language/expression.hpp"

namespace dk {

class Construction;

/// The arguments of a kernel call as numbers.
struct KernelArguments {
    Columns columns = {};  // the columns that the kernel sees; empty for all
    Index column_count = 1;
    std::map<std::string, double, std::less<>> named = {};
    std::vector<double> positional = {};

    double operator[](std::string_view name) const { return named.find(name)->second; }
    /// Of a parameter that is an integer.
    int integer(std::string_view name) const { return static_cast<int>((*this)[name]); }
};

/// Makes the kernel of a call such as poly(degree=2).
using MakeKernel = std::function<KernelPointer(const KernelArguments&)>;
/// Makes the kernels of an operator's call such as exp(linear), whose arguments may be kernels.
using MakeBank = std::function<Bank(const Expression& call, const Columns& columns, Construction&)>;

/// What is known of a kernel before it has numbers, in words for people: "always", "never", or when. An
/// operator's facts are in terms of the kernel k that it is given.
struct KernelFacts {
    std::vector<DataKind> data = {};  // the data that the kernel works on; empty: those of k
    std::string positive_semidefinite;
    std::string constant_diagonal;  // k(x, x) is the same for every x
    std::string differentiable;     // libdk has its gradient with respect to x, for dense rows
};

/// A name of the kernel language: a kernel, or an operator that makes kernels of kernels. Adding one is one
/// file, in kernel/family or kernel/operator, and its name in registry.cpp.
struct KernelEntry {
    std::string name;
    std::string doc;
    std::string reference = {};
    KernelFacts facts;
    std::vector<ParameterSpec> parameters = {};
    /// Documentation of the arguments without a key; empty when there are none.
    std::string positional = {};
    std::variant<MakeKernel, MakeBank> make;
    /// Kernels: the number of a parameter that is written as auto, median or mean. Without one, such words
    /// find gamma by squared distances, and no other parameter has them.
    double (*found_by_rule)(std::string_view parameter, std::string_view rule, const DataFacts& facts,
                            const Columns& columns) = nullptr;
    /// Operators: whether what they make of kernels that do not depend on the training rows does not either.
    bool keeps_fixed_values = false;

    bool is_operator() const { return std::holds_alternative<MakeBank>(make); }
};

/// Every kernel and every operator, kernels first, in the order in which they are described.
std::span<const KernelEntry> kernel_language();

/// The entry of a name; null where there is none.
const KernelEntry* find_entry(std::string_view name);

/// A width parameter: a number, a number/d, or auto.
ParameterSpec width_parameter(std::string default_value, std::string doc);

}  // namespace dk
