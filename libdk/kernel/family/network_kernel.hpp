// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/parameters.hpp"
#include "kernel/engine/kernel.hpp"

namespace dk {

/// A network of infinitely many rectifiers in each layer. Weights and biases of its units are normal numbers
/// around 0 with these variances.
struct InfiniteNetwork {
    std::vector<int> degrees;  // of the rectifiers max(w.x, 0)^degree of each layer
    double weight_variance = 1;
    double bias_variance = 0;
    bool tangent = false;  // The kernel is that of the gradients by the weights; all degrees are 1.
};

namespace parameter {
inline constexpr RealKey weight_variance{"weight_variance", 1, Range::positive(),
                                         "The weights of a layer's units have this variance."};
inline constexpr RealKey bias_variance{
    "bias_variance", 0, Range::at_least(0),
    "Each unit adds a bias to its input, which has this variance; 0 means that there are none."};
}  // namespace parameter

/// Makes the kernel of a network over some columns; no columns mean all of them. `text` is its specification.
KernelPointer make_network_kernel(Columns columns, InfiniteNetwork network, std::string text);

/// Adds the variances that are not their defaults to the arguments of a kernel's text.
void add_variances(std::vector<std::string>& arguments, const InfiniteNetwork& network);

}  // namespace dk
