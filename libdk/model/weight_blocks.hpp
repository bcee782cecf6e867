// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kernel/engine/gram_engine.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Runs body(support row, column, weight) for the weights that are not zero.
template <typename Body>
void for_weights(std::span<const WeightBlock> blocks, Body body) {
    for (const WeightBlock& block : blocks) {
        const auto weights = view(block.weights.data(), block.rows, std::ssize(block.columns));
        for (Index r = 0; r < weights.rows(); ++r) {
            for (Index c = 0; c < weights.cols(); ++c) {
                if (weights(r, c) != 0) body(block.first + r, block.columns[c], weights(r, c));
            }
        }
    }
}

}  // namespace dk
