// SPDX-License-Identifier: Apache-2.0
#include "kernel/low_rank.hpp"

#include "base/error.hpp"
#include "kernel/landmarks.hpp"
#include "kernel/nystrom.hpp"
#include "kernel/random_features.hpp"

namespace dk {

namespace {

std::string text_of(const Kernel& kernel, const Parameters& parameters) {
    return text("lowrank(", kernel.text(), ", rank=", parameters.text("rank"),
                ", method=", parameters.text("method"), ", seed=", parameters.text("seed"), ")");
}

Dataset landmarks(const KernelPointer& kernel, const std::string& method, Index rank, std::uint64_t seed,
                  const Dataset& data, Control& control) {
    if (method == "uniform") return data.select(uniform_landmarks(data.rows(), rank, seed));
    if (method == "rpcholesky") return data.select(pivoted_landmarks(kernel, data, rank, seed, control));
    if (data.kind() != DataKind::dense) {
        fail(Status::unsupported, "lowrank: method=kmeans works on dense data, these are ",
             name_of(data.kind()), "; use rpcholesky or uniform");
    }
    return centre_landmarks(data, rank, seed, control);
}

}  // namespace

std::vector<ParameterSpec> low_rank_parameters() {
    return {integer_parameter("rank", 100, 1, 1000000, "number of features at most"),
            choice_parameter("method", {"rpcholesky", "kmeans", "uniform", "random"},
                             "landmarks by randomly pivoted Cholesky, k-means or chance; or random features"),
            integer_parameter("seed", 1, 0, 9e15, "of everything random")};
}

KernelPointer low_rank(const KernelPointer& kernel, const Parameters& parameters, const Dataset& data,
                       Control& control) {
    const std::string& method = parameters.text("method");
    const auto rank = static_cast<Index>(parameters.integer("rank"));
    const auto seed = static_cast<std::uint64_t>(parameters.integer("seed"));
    std::shared_ptr<const FeatureMap> map;
    if (method == "random") {
        map = kernel->random_features(rank, seed, data);
        if (!map) {
            fail(Status::unsupported, "lowrank: kernel ", kernel->text(),
                 " has no random features (rbf, laplacian, cauchy, rational_quadratic, matern and arccos "
                 "have); use rpcholesky, kmeans or uniform");
        }
    } else {
        const Dataset rows = landmarks(kernel, method, rank, seed, data, control);
        map = make_nystrom_map(kernel, rows, EigenvalueRule::clip, kernel_spectrum(kernel, rows, control),
                               control);
    }
    return make_feature_kernel(std::move(map), text_of(*kernel, parameters));
}

KernelPointer restore_low_rank(const KernelPointer& kernel, const Parameters& parameters, KernelState state) {
    return make_feature_kernel(parameters.text("method") == "random"
                                   ? restore_random_map(std::move(state))
                                   : restore_nystrom_map(kernel, std::move(state)),
                               text_of(*kernel, parameters));
}

}  // namespace dk
