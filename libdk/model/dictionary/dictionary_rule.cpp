// SPDX-License-Identifier: Apache-2.0
#include "model/dictionary/dictionary_rule.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/dictionary/class_reconstruction.hpp"
#include "model/dictionary/level_codes.hpp"
#include "model/dictionary/nearest_prototype.hpp"
#include "model/dictionary/nonnegative_codes.hpp"

namespace dk {

std::string_view DictionaryRule::flaw(const PrototypeFacts& facts,
                                      const ConstMatrixRef& /*coefficients*/) const {
    return facts.products.diagonal().minCoeff() >= 0 ? "" : "a prototype with a negative square";
}

void contributions_to_nearness(const PrototypeFacts& facts, const DictionaryRow& row,
                               const ConstVectorRef& code, VectorRef contributions) {
    contributions.setZero();
    for (Index p = 0; p < facts.count(); ++p) {
        if (code[p] == 0) continue;
        double square = 0;
        for (Index q = 0; q < facts.count(); ++q) {
            if (facts.classes[q] == facts.classes[p]) square += code[q] * facts.products(p, q);
        }
        contributions[p] = code[p] * (2 * row.products[p] - square);
    }
}

void sums_of_classes(const PrototypeFacts& facts, const ConstVectorRef& contributions, VectorRef sums) {
    sums.setZero();
    for (Index p = 0; p < facts.count(); ++p) sums[facts.classes[p]] += contributions[p];
}

void DictionaryRule::parts(const PrototypeFacts& facts, const DictionaryRow& row, MatrixRef values) const {
    Vector contributions(facts.count());
    explain(facts, row, contributions);
    values.setZero();
    for (Index p = 0; p < facts.count(); ++p) values(facts.classes[p], p) = contributions[p];
}

std::unique_ptr<DictionaryRule> read_dictionary_rule(const ArchiveReader& in, const PrototypeFacts& facts) {
    // The first models had no other rule, and so no name of it.
    const std::string name = in.has("rule") ? in.text("rule") : NonnegativeCodes::rule_name;
    if (name == NonnegativeCodes::rule_name) return NonnegativeCodes::read(in);
    if (name == NearestPrototype::rule_name) return std::make_unique<NearestPrototype>();
    if (name == ClassReconstruction::rule_name) return ClassReconstruction::read(in);
    if (name == LevelCodes::rule_name) return LevelCodes::read(in, facts);
    fail(Status::model_format, "damaged model: a dictionary with the rule ", in_quotes(name));
}

}  // namespace dk
