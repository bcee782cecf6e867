// SPDX-License-Identifier: Apache-2.0
// The neural tangent kernel is the inner product of the gradients of a network's output by all its weights
// and biases, where the network has infinitely many rectifiers max(w.x + b, 0) in each layer. Kernel ridge
// regression with it is what gradient descent makes of such a network.
//
// Jacot, Gabriel, Hongler, Neural tangent kernel, NeurIPS 2018; kernel/family/network_kernel.cpp computes it.
#include "kernel/family/network_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey network_depth{"depth", 1, {1, 64}, "The network has so many layers of rectifiers."};
}  // namespace parameter

namespace {

KernelPointer make_neural_tangent(const KernelArguments& arguments) {
    const int depth = arguments[parameter::network_depth];
    InfiniteNetwork network{.degrees = std::vector<int>(depth, 1),
                            .weight_variance = arguments[parameter::weight_variance],
                            .bias_variance = arguments[parameter::bias_variance],
                            .tangent = true};
    std::vector<std::string> parts{text("depth=", depth)};
    add_variances(parts, network);
    return make_network_kernel(arguments.columns, std::move(network),
                               "neural_tangent(" + join(parts, ", ") + ")");
}

}  // namespace

KernelEntry neural_tangent_kernel() {
    return {.name = "neural_tangent",
            .doc =
                "The neural tangent kernel of a network of infinitely wide layers of rectifiers compares the "
                "gradients of the network's output by all its weights and biases.",
            .reference = "Jacot, Gabriel and Hongler, Neural tangent kernel, NeurIPS 2018",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "when normalised",
                      .differentiable = "never"},
            .parameters = {parameter::network_depth, parameter::weight_variance, parameter::bias_variance},
            .make = make_neural_tangent};
}

}  // namespace dk
