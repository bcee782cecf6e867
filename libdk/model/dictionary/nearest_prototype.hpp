// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "model/dictionary/dictionary_rule.hpp"

namespace dk {

/// The rule of learning vector quantisation and of prototype selection: a row is of the class of the
/// prototype that is nearest to it. Codes are the distances to all prototypes. The value of a class is the
/// negative squared distance to its nearest prototype, and that is what this prototype contributes; the
/// others of the class contribute nothing.
class NearestPrototype final : public DictionaryRule {
  public:
    static constexpr const char* rule_name = "nearest";

    std::string name() const override { return rule_name; }
    void write(ArchiveWriter& /*out*/) const override {}
    /// Distances are defined for any squares, as those of indefinite kernels are.
    std::string_view flaw(const PrototypeFacts& /*facts*/,
                          const ConstMatrixRef& /*coefficients*/) const override {
        return "";
    }
    bool compares_squares() const override { return true; }
    Vector code(const PrototypeFacts& facts, const DictionaryRow& row) const override;
    void decide(const PrototypeFacts& facts, const DictionaryRow& row, VectorRef values) const override;
    void explain(const PrototypeFacts& facts, const DictionaryRow& row,
                 VectorRef contributions) const override;
};

}  // namespace dk
