// SPDX-License-Identifier: Apache-2.0
#include "kernel/family.hpp"

#include <array>

namespace dk {

std::span<const KernelFamily> kernel_families() {
    static const std::array all{linear_family(),  poly_family(),   rbf_family(), laplacian_family(),
                                sigmoid_family(), arccos_family(), gram_family()};
    return all;
}

ParameterSpec width_parameter(std::string default_value, std::string doc) {
    ParameterSpec spec = positive_parameter("gamma", 1, std::move(doc));
    spec.default_value = std::move(default_value);
    return spec;
}

}  // namespace dk
