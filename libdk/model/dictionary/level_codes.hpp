// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/dictionary/dictionary_rule.hpp"

namespace dk {

/// The rule of multilevel dictionaries: each level gives the prototype that fits best what the levels before
/// have left of the row. Linear functions of the code, one for each class, decide.
class LevelCodes final : public DictionaryRule {
  public:
    static constexpr const char* rule_name = "levels";

    /// `begins` tells with which prototype each level begins, and ends with their number. `functions` is
    /// classes x prototypes, with an offset for each class.
    LevelCodes(std::vector<Index> begins, Matrix functions, Vector offsets);
    static std::unique_ptr<DictionaryRule> read(const ArchiveReader& in, const PrototypeFacts& facts);

    std::span<const Index> begins() const { return begins_; }
    const Matrix& functions() const { return functions_; }
    const Vector& class_offsets() const { return offsets_; }

    std::string name() const override { return rule_name; }
    void write(ArchiveWriter& out) const override;
    Vector code(const PrototypeFacts& facts, const DictionaryRow& row) const override;
    void decide(const PrototypeFacts& facts, const DictionaryRow& row, VectorRef values) const override;
    /// A prototype contributes what it adds to the value of the class for which it speaks most.
    void explain(const PrototypeFacts& facts, const DictionaryRow& row,
                 VectorRef contributions) const override;
    void parts(const PrototypeFacts& facts, const DictionaryRow& row, MatrixRef values) const override;
    Vector offsets(const PrototypeFacts& facts) const override;

  private:
    std::vector<Index> begins_;
    Matrix functions_;
    Vector offsets_;
};

/// Finds the code of a row from its products with the prototypes of a multilevel dictionary: on each level
/// the prototype with the largest product with what is left of the row, in magnitude, and that product.
/// Prototypes have length 1.
Vector level_code(const ConstMatrixRef& products, std::span<const Index> level_begins,
                  const ConstVectorRef& of_row);

}  // namespace dk
