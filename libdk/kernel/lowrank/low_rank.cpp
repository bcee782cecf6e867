// SPDX-License-Identifier: Apache-2.0
// A low-rank approximation of a kernel is k(x, z) ~ phi(x).phi(z) for a map phi to at most `rank` features.
// Its matrix is K ~ Phi Phi', so that what takes a kernel costs rows x rank instead of rows x rows. The map
// phi comes from landmarks (nystrom.cpp), which pivoted_landmarks.cpp or centre_landmarks.cpp finds or chance
// draws, or from random features (random_features.cpp), among them the sigmoid nodes of extreme learning
// machines, for which the approximation is the kernel.
#include "kernel/lowrank/low_rank.hpp"

#include "base/error.hpp"
#include "kernel/lowrank/landmarks.hpp"
#include "kernel/lowrank/nystrom.hpp"
#include "kernel/lowrank/random_features.hpp"

namespace dk {

namespace {

std::string text_of(const Kernel& kernel, const Parameters& parameters) {
    return text("lowrank(", kernel.text(), ", rank=", parameters.text(parameter::rank.name),
                ", method=", parameters.text(parameter::method.name),
                ", seed=", parameters.text(parameter::low_rank_seed.name), ")");
}

Dataset landmarks(const KernelPointer& kernel, LandmarkMethod method, Index rank, std::uint64_t seed,
                  const Dataset& data, Control& control) {
    if (method == LandmarkMethod::uniform) return data.select(uniform_landmarks(data.rows(), rank, seed));
    if (method == LandmarkMethod::rpcholesky)
        return data.select(pivoted_landmarks(kernel, data, rank, seed, control));
    if (data.kind() != DataKind::dense) {
        fail(Status::unsupported, "lowrank: method=kmeans works on dense data, these are ",
             name_of(data.kind()), "; use rpcholesky or uniform");
    }
    return centre_landmarks(data, rank, seed, control);
}

}  // namespace

std::vector<ParameterSpec> low_rank_parameters() {
    return {parameter::rank, parameter::method, parameter::low_rank_seed};
}

KernelPointer low_rank(const KernelPointer& kernel, const Parameters& parameters, const Dataset& data,
                       Control& control) {
    const LandmarkMethod method = parameters[parameter::method];
    const Index rank = parameters[parameter::rank];
    const std::uint64_t seed = parameters[parameter::low_rank_seed];
    std::shared_ptr<const FeatureMap> map;
    if (method == LandmarkMethod::sigmoid_nodes) {
        if (!kernel->linear())
            fail(Status::invalid_kernel,
                 "lowrank: method=sigmoid_nodes takes the kernel linear of all columns, not ",
                 kernel->text());
        map = make_sigmoid_map(rank, seed, data);
    } else if (method == LandmarkMethod::random) {
        map = kernel->random_features(rank, seed, data);
        if (!map) {
            fail(Status::unsupported, "lowrank: kernel ", kernel->text(),
                 " has no random features (rbf, laplacian, cauchy, rational_quadratic, matern and arccos "
                 "without variances have); use rpcholesky, kmeans or uniform");
        }
    } else {
        const Dataset rows = landmarks(kernel, method, rank, seed, data, control);
        map = make_nystrom_map(kernel, rows, SpectrumMethod::clip, kernel_spectrum(kernel, rows, control),
                               control);
    }
    return make_feature_kernel(std::move(map), text_of(*kernel, parameters));
}

KernelPointer restore_low_rank(const KernelPointer& kernel, const Parameters& parameters, KernelState state) {
    const LandmarkMethod method = parameters[parameter::method];
    const bool random = method == LandmarkMethod::random || method == LandmarkMethod::sigmoid_nodes;
    return make_feature_kernel(
        random ? restore_random_map(std::move(state)) : restore_nystrom_map(kernel, std::move(state)),
        text_of(*kernel, parameters));
}

}  // namespace dk
