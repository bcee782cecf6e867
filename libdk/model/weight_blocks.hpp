// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "kernel/engine/gram_engine.hpp"
#include "matrix/matrix.hpp"
#include "model/archive/archive.hpp"

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

/// Writes blocks of coefficients into a model file.
void write_blocks(ArchiveWriter& out, const char* name, std::span<const WeightBlock> blocks);

/// Reads those of so many support rows and functions.
std::vector<WeightBlock> read_blocks(const ArchiveReader& in, const char* name, Index rows, Index functions);

}  // namespace dk
