// SPDX-License-Identifier: Apache-2.0
#include "model/weight_blocks.hpp"

#include <algorithm>
#include <functional>

#include "base/error.hpp"

namespace dk {

void write_blocks(ArchiveWriter& out, const char* name, std::span<const WeightBlock> blocks) {
    auto block = blocks.begin();
    for (ArchiveWriter& one : out.list(name, blocks.size())) {
        one.count("rows", block->rows);
        one.count("count", std::ssize(block->columns));
        one.indices("functions", block->columns);
        one.doubles("gamma", block->weights);
        ++block;
    }
}

std::vector<WeightBlock> read_blocks(const ArchiveReader& in, const char* name, Index rows, Index functions) {
    std::vector<WeightBlock> blocks;
    Index first = 0;
    for (const ArchiveReader& one : in.list(name)) {
        WeightBlock block{.first = first, .rows = one.count("rows", 1, rows - first)};
        const Index count = one.count("count", 1, functions);
        block.columns = one.indices("functions", count, 0, functions - 1);
        if (std::ranges::adjacent_find(block.columns, std::greater_equal()) != block.columns.end())
            fail(Status::model_format, "damaged model: the functions of coefficients");
        block.weights = one.doubles("gamma", block.rows * count);
        first += block.rows;
        blocks.push_back(std::move(block));
    }
    if (first != rows)
        fail(Status::model_format, "damaged model: coefficients of ", first, " rows of ", rows);
    return blocks;
}

}  // namespace dk
