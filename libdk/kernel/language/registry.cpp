// SPDX-License-Identifier: Apache-2.0
#include "kernel/language/registry.hpp"

#include <algorithm>
#include <array>

namespace dk {

namespace {

using Entry = KernelEntry();

}  // namespace

// A file of its own defines each of these: kernel/family/NAME.cpp or kernel/operator/NAME.cpp.
Entry linear_kernel, poly_kernel, cosine_kernel, rbf_kernel, laplacian_kernel, anova_kernel, cauchy_kernel,
    rational_quadratic_kernel, exponential_kernel, matern_kernel, circular_kernel, spherical_kernel,
    bessel_kernel, spline_kernel, constant_kernel, chi_square_kernel, additive_chi_square_kernel,
    intersection_kernel, sigmoid_kernel, arccos_kernel, neural_tangent_kernel, gak_kernel, dtw_kernel,
    soft_dtw_kernel, spectrum_kernel, mismatch_kernel, subsequence_kernel, edit_kernel,
    weisfeiler_lehman_kernel, gram_kernel, similarity_kernel, exp_operator, normalize_operator,
    center_operator, lowrank_operator, corrected_operator, on_operator, each_feature_operator,
    each_channel_operator, grid_operator, arccos_lists_operator;

std::span<const KernelEntry> kernel_language() {
    static const std::array all{linear_kernel(),
                                poly_kernel(),
                                cosine_kernel(),
                                rbf_kernel(),
                                laplacian_kernel(),
                                anova_kernel(),
                                cauchy_kernel(),
                                rational_quadratic_kernel(),
                                exponential_kernel(),
                                matern_kernel(),
                                circular_kernel(),
                                spherical_kernel(),
                                bessel_kernel(),
                                spline_kernel(),
                                constant_kernel(),
                                chi_square_kernel(),
                                additive_chi_square_kernel(),
                                intersection_kernel(),
                                sigmoid_kernel(),
                                arccos_kernel(),
                                neural_tangent_kernel(),
                                gak_kernel(),
                                dtw_kernel(),
                                soft_dtw_kernel(),
                                spectrum_kernel(),
                                mismatch_kernel(),
                                subsequence_kernel(),
                                edit_kernel(),
                                weisfeiler_lehman_kernel(),
                                gram_kernel(),
                                similarity_kernel(),
                                exp_operator(),
                                normalize_operator(),
                                center_operator(),
                                lowrank_operator(),
                                corrected_operator(),
                                on_operator(),
                                each_feature_operator(),
                                each_channel_operator(),
                                grid_operator(),
                                arccos_lists_operator()};
    return all;
}

const KernelEntry* find_entry(std::string_view name) {
    const auto all = kernel_language();
    const auto found = std::ranges::find(all, name, &KernelEntry::name);
    return found == all.end() ? nullptr : &*found;
}

}  // namespace dk
