// SPDX-License-Identifier: Apache-2.0
#include "kernel/family.hpp"

#include <array>

namespace dk {

std::span<const KernelFamily> kernel_families() {
    static const std::array all{linear_family(),
                                poly_family(),
                                cosine_family(),
                                rbf_family(),
                                laplacian_family(),
                                cauchy_family(),
                                rational_quadratic_family(),
                                matern_family(),
                                circular_family(),
                                spherical_family(),
                                chi_square_family(),
                                additive_chi_square_family(),
                                intersection_family(),
                                sigmoid_family(),
                                arccos_family(),
                                gak_family(),
                                dtw_family(),
                                spectrum_family(),
                                mismatch_family(),
                                subsequence_family(),
                                edit_family(),
                                weisfeiler_lehman_family(),
                                gram_family()};
    return all;
}

ParameterSpec width_parameter(std::string default_value, std::string doc) {
    ParameterSpec spec = positive_parameter("gamma", 1, std::move(doc));
    spec.default_value = std::move(default_value);
    return spec;
}

}  // namespace dk
