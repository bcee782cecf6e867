// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/matrix.hpp"
#include "model/archive/archive.hpp"

namespace dk {

/// What rules know of the prototypes of a dictionary.
struct PrototypeFacts {
    Matrix products = {};             // u_p.u_q, prototypes x prototypes
    Matrix class_shares = {};         // classes x prototypes: whose rows weigh how much; columns sum to 1
    std::vector<Index> classes = {};  // the class that each prototype stands for
    Vector masses = {};               // the sum of each prototype's coefficients

    Index count() const { return products.rows(); }
    Index class_count() const { return class_shares.rows(); }
};

/// A row x as a dictionary sees it: its products with the dictionary's columns, which are the prototypes and
/// what a rule has besides, and its square k(x, x).
struct DictionaryRow {
    ConstVectorView products;
    double square = 1;
};

/// What a dictionary makes of a row. Rules never change, so that many threads may call them at once.
class DictionaryRule {
  public:
    DictionaryRule() = default;
    virtual ~DictionaryRule() = default;
    DictionaryRule(const DictionaryRule&) = delete;
    DictionaryRule& operator=(const DictionaryRule&) = delete;

    /// Gives the name under which read_dictionary_rule() knows what write() wrote.
    virtual std::string name() const = 0;
    virtual void write(ArchiveWriter& out) const = 0;
    /// Names what the rule cannot work with, or "" where the prototypes are sound. A file may be damaged, and
    /// training on an indefinite matrix can end anywhere.
    virtual std::string_view flaw(const PrototypeFacts& facts, const ConstMatrixRef& coefficients) const;

    /// Tells whether the dictionary has a second column for each prototype, after all prototypes, whose
    /// product with a row is the row's code.
    virtual bool analyses() const { return false; }
    /// Tells whether it looks at k(x, x).
    virtual bool compares_squares() const { return false; }

    /// Gives the features of the row, one for each prototype.
    virtual Vector code(const PrototypeFacts& facts, const DictionaryRow& row) const = 0;
    /// Writes a value for each class, of which the largest wins.
    virtual void decide(const PrototypeFacts& facts, const DictionaryRow& row, VectorRef values) const = 0;
    /// Writes what each prototype contributes.
    virtual void explain(const PrototypeFacts& facts, const DictionaryRow& row,
                         VectorRef contributions) const = 0;
    /// Writes what each prototype adds to each class's value, classes x prototypes. Where a rule says nothing
    /// else, a prototype adds what explain() writes to the value of its class.
    virtual void parts(const PrototypeFacts& facts, const DictionaryRow& row, MatrixRef values) const;
    /// Gives what each class's value is without any prototype.
    virtual Vector offsets(const PrototypeFacts& facts) const { return Vector::Zero(facts.class_count()); }
};

/// Writes what each class's prototypes bring the reconstruction sum_p code_p u_p nearer to the row than
/// nothing does, |x|^2 - |x - sum of code_p u_p over the class|^2, as a contribution of each prototype.
void contributions_to_nearness(const PrototypeFacts& facts, const DictionaryRow& row,
                               const ConstVectorRef& code, VectorRef contributions);

/// Adds up the contributions of each class's prototypes.
void sums_of_classes(const PrototypeFacts& facts, const ConstVectorRef& contributions, VectorRef sums);

/// Reads the rule of a dictionary in a model file.
std::unique_ptr<DictionaryRule> read_dictionary_rule(const ArchiveReader& in, const PrototypeFacts& facts);

}  // namespace dk
