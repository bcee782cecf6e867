// SPDX-License-Identifier: Apache-2.0
// The multilayer arc-cosine kernel is that of a network of infinitely many rectifiers in each layer:
// kernel/family/network_kernel.cpp.
//
// Cho, Saul, Kernel methods for deep learning, NIPS 2009.
#include "base/error.hpp"
#include "kernel/family/network_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace {

KernelPointer make_arc_cosine(const KernelArguments& arguments) {
    InfiniteNetwork network{.degrees = {},
                            .weight_variance = arguments[parameter::weight_variance],
                            .bias_variance = arguments[parameter::bias_variance]};
    std::vector<int>& degrees = network.degrees;
    for (const double value : arguments.positional) {
        if (value != 0 && value != 1 && value != 2 && value != 3) {
            fail(Status::invalid_kernel, "arccos: degree ", value, " of layer ", degrees.size() + 1,
                 " is not allowed; degrees are 0, 1, 2 and 3");
        }
        degrees.push_back(static_cast<int>(value));
    }
    if (degrees.size() > 64) {
        fail(Status::invalid_kernel, "arccos: ", degrees.size(), " layers; at most 64 are allowed");
    }
    if (degrees.empty()) degrees.push_back(1);
    std::vector<std::string> parts;
    parts.reserve(degrees.size() + 2);
    for (const int degree : degrees) parts.push_back(std::to_string(degree));
    add_variances(parts, network);
    return make_network_kernel(arguments.columns, std::move(network), "arccos(" + join(parts, ", ") + ")");
}

}  // namespace

KernelEntry arccos_kernel() {
    return {
        .name = "arccos",
        .doc =
            "The multilayer arc-cosine kernel is a network of infinite width that has one layer for each "
            "degree.",
        .reference = "Cho and Saul, Kernel methods for deep learning, NIPS 2009",
        .facts = {.data = {DataKind::dense, DataKind::sparse},
                  .positive_semidefinite = "always",
                  .constant_diagonal = "when a degree is 0 or normalised",
                  .differentiable = "never"},
        .parameters = {parameter::weight_variance, parameter::bias_variance},
        .positional =
            "The degrees of the layers are each 0, 1, 2 or 3; without them there is one layer of degree 1.",
        .make = make_arc_cosine};
}

}  // namespace dk
