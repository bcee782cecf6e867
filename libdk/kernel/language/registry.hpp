// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/parameters.hpp"
#include "kernel/engine/kernel.hpp"
#include "kernel/language/data_facts.hpp"
#include "kernel/language/expression.hpp"

namespace dk {

class Construction;

/// A parameter of a kernel whose default is auto, which a rule finds on the training rows. Number is double
/// or int. Other parameters of kernels are declared by the keys of base/parameters.hpp.
template <typename Number>
struct AutomaticKey {
    std::string_view name;
    Range range;
    std::string_view doc;
    operator ParameterSpec() const {
        ParameterSpec spec = IntegerKey{name, 0, range, doc};
        if constexpr (std::is_same_v<Number, double>) spec = RealKey{name, 0, range, doc};
        spec.default_value = "auto";
        return spec;
    }
};

namespace parameter {
/// The parameter gamma of the kernels of a distance.
inline constexpr AutomaticKey<double> inverse_width{
    "gamma", Range::positive(),
    "gamma is the inverse width: the larger it is, the faster the kernel falls with the distance. The rules "
    "auto, median and mean find it on the training rows."};
}  // namespace parameter

/// The arguments of a kernel call as numbers. A key that stands in the entry's list of parameters reads its
/// value.
struct KernelArguments {
    Columns columns = {};  // the columns that the kernel sees, or none where it sees all
    Index column_count = 1;
    std::map<std::string, double, std::less<>> named = {};
    std::vector<double> positional = {};

    double operator[](const RealKey& key) const { return number(key.name); }
    double operator[](const AutomaticKey<double>& key) const { return number(key.name); }
    int operator[](const IntegerKey& key) const { return integer(key.name); }
    int operator[](const AutomaticKey<int>& key) const { return integer(key.name); }

  private:
    double number(std::string_view name) const { return named.find(name)->second; }
    int integer(std::string_view name) const { return static_cast<int>(number(name)); }
};

/// Makes the kernel of a call such as poly(degree=2).
using MakeKernel = std::function<KernelPointer(const KernelArguments&)>;
/// Makes the kernels of an operator's call such as exp(linear), whose arguments may be kernels.
using MakeBank = std::function<Bank(const Expression& call, const Columns& columns, Construction&)>;

/// What is known of a kernel before its parameters have values, in words for people: "always", "never", or a
/// condition. The facts of an operator speak of the kernel k that it is given.
struct KernelFacts {
    std::vector<DataKind> data = {};  // the data that the kernel works on; an operator without has those of k
    std::string positive_semidefinite;
    std::string constant_diagonal;  // whether k(x, x) is the same for every x
    std::string differentiable;     // whether libdk has its gradient with respect to x, for dense rows
};

/// A name of the kernel language: a kernel, or an operator that makes kernels of kernels. Whoever adds one
/// writes one file, in kernel/family or kernel/operator, and puts its name into registry.cpp.
struct KernelEntry {
    std::string name;
    std::string doc;
    std::string reference = {};
    KernelFacts facts;
    std::vector<ParameterSpec> parameters = {};
    /// The documentation of the arguments without a key, or nothing where the entry takes none.
    std::string positional = {};
    std::variant<MakeKernel, MakeBank> make;
    /// Finds the number of a kernel's parameter that is written as auto, median or mean. A kernel without
    /// this function has these words for gamma alone, and they find it by squared distances.
    double (*found_by_rule)(std::string_view parameter, std::string_view rule, const DataFacts& facts,
                            const Columns& columns) = nullptr;
    /// Whether an operator makes kernels that do not depend on the training rows of kernels that do not.
    bool keeps_fixed_values = false;

    bool is_operator() const { return std::holds_alternative<MakeBank>(make); }
};

/// Every kernel and, behind them, every operator, in the order in which dk_describe lists them.
std::span<const KernelEntry> kernel_language();

/// The entry of a name, or null where there is none.
const KernelEntry* find_entry(std::string_view name);

}  // namespace dk
