// SPDX-License-Identifier: Apache-2.0
#include "model/dictionary/level_codes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"

namespace dk {

Vector level_code(const ConstMatrixRef& products, std::span<const Index> level_begins,
                  const ConstVectorRef& of_row) {
    Vector left = of_row;
    Vector code = Vector::Zero(of_row.size());
    for (std::size_t level = 0; level + 1 < level_begins.size(); ++level) {
        Index best = level_begins[level];
        for (Index p = best; p < level_begins[level + 1]; ++p) {
            if (std::abs(left[p]) > std::abs(left[best])) best = p;
        }
        code[best] = left[best];
        left -= code[best] * products.col(best);
    }
    return code;
}

LevelCodes::LevelCodes(std::vector<Index> begins, Matrix functions, Vector offsets)
    : begins_(std::move(begins)), functions_(std::move(functions)), offsets_(std::move(offsets)) {}

Vector LevelCodes::code(const PrototypeFacts& facts, const DictionaryRow& row) const {
    return level_code(facts.products, begins_, row.products);
}

void LevelCodes::decide(const PrototypeFacts& facts, const DictionaryRow& row, VectorRef values) const {
    values.noalias() = functions_.lazyProduct(code(facts, row)) + offsets_;
}

void LevelCodes::explain(const PrototypeFacts& facts, const DictionaryRow& row,
                         VectorRef contributions) const {
    const Vector z = code(facts, row);
    for (Index p = 0; p < facts.count(); ++p) contributions[p] = functions_(facts.classes[p], p) * z[p];
}

void LevelCodes::parts(const PrototypeFacts& facts, const DictionaryRow& row, MatrixRef values) const {
    values = functions_.array().rowwise() * code(facts, row).transpose().array();
}

Vector LevelCodes::offsets(const PrototypeFacts& /*facts*/) const {
    return offsets_;
}

void LevelCodes::write(ArchiveWriter& out) const {
    out.count("levels", std::ssize(begins_) - 1);
    out.indices("level_begins", begins_);
    out.doubles("functions", {functions_.data(), std::size_t(functions_.size())});
    out.doubles("offsets", as_span(offsets_));
}

std::unique_ptr<DictionaryRule> LevelCodes::read(const ArchiveReader& in, const PrototypeFacts& facts) {
    const Index levels = in.count("levels", 1, facts.count());
    std::vector<Index> begins = in.indices("level_begins", levels + 1, 0, facts.count());
    const bool ascend = std::ranges::is_sorted(begins, std::ranges::less_equal());
    if (begins.front() != 0 || begins.back() != facts.count() || !ascend)
        fail(Status::model_format, "damaged model: levels of prototypes");
    const auto functions = in.doubles("functions", facts.class_count() * facts.count());
    const auto offsets = in.doubles("offsets", facts.class_count());
    return std::make_unique<LevelCodes>(
        std::move(begins), view(functions.data(), facts.class_count(), facts.count()), as_vector(offsets));
}

}  // namespace dk
