// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/dictionary/dictionary_rule.hpp"

namespace dk {

/// The rule of interpretable prototypes: few prototypes reconstruct a row with weights >= 0. The class is
/// elected that has the largest share of the reconstruction, or whose prototypes alone reconstruct the row
/// best.
class NonnegativeCodes final : public DictionaryRule {
  public:
    enum class Decision { share, residual };
    static constexpr const char* rule_name = "nonnegative";

    /// At most `limit` prototypes reconstruct a row.
    NonnegativeCodes(Index limit, Decision decision) : limit_(limit), decision_(decision) {}
    static std::unique_ptr<DictionaryRule> read(const ArchiveReader& in);

    Index limit() const { return limit_; }
    Decision decision() const { return decision_; }

    std::string name() const override { return rule_name; }
    void write(ArchiveWriter& out) const override;
    std::string_view flaw(const PrototypeFacts& facts, const ConstMatrixRef& coefficients) const override;
    Vector code(const PrototypeFacts& facts, const DictionaryRow& row) const override;
    void decide(const PrototypeFacts& facts, const DictionaryRow& row, VectorRef values) const override;
    void explain(const PrototypeFacts& facts, const DictionaryRow& row,
                 VectorRef contributions) const override;
    void parts(const PrototypeFacts& facts, const DictionaryRow& row, MatrixRef values) const override;

  private:
    void nearness(const PrototypeFacts& facts, const DictionaryRow& row, VectorRef of_prototypes) const;

    Index limit_;
    Decision decision_;
};

}  // namespace dk
