// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/dictionary/dictionary_rule.hpp"

namespace dk {

/// The rule of dictionaries that have some prototypes for each class: those of one class alone reconstruct
/// the row, and the class is elected that comes nearest. Codes are found by pursuit of few prototypes, or by
/// products with vectors that were learned for that, one for each prototype (analysis).
class ClassReconstruction final : public DictionaryRule {
  public:
    static constexpr const char* rule_name = "class_reconstruction";

    /// At most `limit` prototypes of a class reconstruct a row; with `limit` 0, codes are found by analysis.
    explicit ClassReconstruction(Index limit) : limit_(limit) {}
    static std::unique_ptr<DictionaryRule> read(const ArchiveReader& in);

    Index limit() const { return limit_; }

    std::string name() const override { return rule_name; }
    void write(ArchiveWriter& out) const override { out.count("most", limit_); }
    bool analyses() const override { return limit_ == 0; }
    Vector code(const PrototypeFacts& facts, const DictionaryRow& row) const override;
    void decide(const PrototypeFacts& facts, const DictionaryRow& row, VectorRef values) const override;
    void explain(const PrototypeFacts& facts, const DictionaryRow& row,
                 VectorRef contributions) const override;

  private:
    Index limit_;
};

}  // namespace dk
