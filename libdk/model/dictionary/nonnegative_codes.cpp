// SPDX-License-Identifier: Apache-2.0
// Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation and
// feature selection (IMKPL), CIKM 2019: how a row that training has not seen is reconstructed, and equation
// (15), by which it gets its class.
#include "model/dictionary/nonnegative_codes.hpp"

#include "base/error.hpp"
#include "model/decision/decision_rule.hpp"
#include "solve/squares/nonnegative_pursuit.hpp"

namespace dk {

/// Reconstructs the row x by min |x - sum_p gamma_p u_p|^2 over few non-negative gamma. No prototype may
/// lower that.
Vector NonnegativeCodes::code(const PrototypeFacts& facts, const DictionaryRow& row) const {
    const auto found = nonnegative_pursuit(facts.products, -row.products, limit_);
    Vector gamma = Vector::Zero(facts.count());
    for (std::size_t k = 0; k < found.support.size(); ++k) gamma[found.support[k]] = found.values[k];
    return gamma;
}

/// Computes each prototype's share of the reconstruction. Where there is none, the most similar prototype has
/// all.
void NonnegativeCodes::explain(const PrototypeFacts& facts, const DictionaryRow& row,
                               VectorRef contributions) const {
    contributions = code(facts, row).cwiseProduct(facts.masses);
    const double sum = contributions.sum();
    if (sum > 0) {
        contributions /= sum;
    } else {
        contributions.setZero();
        contributions[first_largest({row.products.data(), std::size_t(row.products.size())})] = 1;
    }
}

void NonnegativeCodes::decide(const PrototypeFacts& facts, const DictionaryRow& row, VectorRef values) const {
    Vector of_prototypes(facts.count());
    if (decision_ == Decision::share) {
        explain(facts, row, of_prototypes);
        values.noalias() = facts.class_shares.lazyProduct(of_prototypes);
        return;
    }
    nearness(facts, row, of_prototypes);
    sums_of_classes(facts, of_prototypes, values);
}

/// Writes what each prototype adds to how near its class's reconstruction is. Where there is none, the most
/// similar prototype has 1.
void NonnegativeCodes::nearness(const PrototypeFacts& facts, const DictionaryRow& row,
                                VectorRef of_prototypes) const {
    const Vector gamma = code(facts, row);
    if (!gamma.isZero(0)) return contributions_to_nearness(facts, row, gamma, of_prototypes);
    of_prototypes.setZero();
    of_prototypes[first_largest({row.products.data(), std::size_t(row.products.size())})] = 1;
}

void NonnegativeCodes::parts(const PrototypeFacts& facts, const DictionaryRow& row, MatrixRef values) const {
    Vector of_prototypes(facts.count());
    if (decision_ == Decision::share) {
        explain(facts, row, of_prototypes);
        values = facts.class_shares.array().rowwise() * of_prototypes.transpose().array();
        return;
    }
    nearness(facts, row, of_prototypes);
    values.setZero();
    for (Index p = 0; p < facts.count(); ++p) values(facts.classes[p], p) = of_prototypes[p];
}

void NonnegativeCodes::write(ArchiveWriter& out) const {
    out.count("most", limit_);
    if (decision_ == Decision::residual) out.text("decision", "residual");
}

std::unique_ptr<DictionaryRule> NonnegativeCodes::read(const ArchiveReader& in) {
    const Index limit = in.count("most", 1, largest_count);
    Decision decision = Decision::share;
    if (in.has("decision")) {
        if (in.text("decision") != "residual") fail(Status::model_format, "damaged model: how it decides");
        decision = Decision::residual;
    }
    return std::make_unique<NonnegativeCodes>(limit, decision);
}

std::string_view NonnegativeCodes::flaw(const PrototypeFacts& facts,
                                        const ConstMatrixRef& coefficients) const {
    if (coefficients.minCoeff() < 0) return "a negative coefficient";
    const bool weighty = facts.masses.minCoeff() > 0 && facts.products.diagonal().minCoeff() > 0;
    return weighty ? "" : "a prototype without weight";
}

}  // namespace dk
