// SPDX-License-Identifier: Apache-2.0
#include "model/dictionary/class_reconstruction.hpp"

#include "solve/squares/orthogonal_pursuit.hpp"

namespace dk {

namespace {

std::vector<Index> prototypes_of_class(const PrototypeFacts& facts, Index c) {
    std::vector<Index> own;
    for (Index p = 0; p < facts.count(); ++p) {
        if (facts.classes[p] == c) own.push_back(p);
    }
    return own;
}

}  // namespace

Vector ClassReconstruction::code(const PrototypeFacts& facts, const DictionaryRow& row) const {
    if (analyses()) return row.products.tail(facts.count());
    Vector code = Vector::Zero(facts.count());
    for (Index c = 0; c < facts.class_count(); ++c) {
        const std::vector<Index> own = prototypes_of_class(facts, c);
        const auto found = orthogonal_pursuit(facts.products(own, own), row.products(own), limit_);
        for (std::size_t k = 0; k < found.support.size(); ++k) code[own[found.support[k]]] = found.values[k];
    }
    return code;
}

void ClassReconstruction::decide(const PrototypeFacts& facts, const DictionaryRow& row,
                                 VectorRef values) const {
    Vector contributions(facts.count());
    explain(facts, row, contributions);
    sums_of_classes(facts, contributions, values);
}

void ClassReconstruction::explain(const PrototypeFacts& facts, const DictionaryRow& row,
                                  VectorRef contributions) const {
    contributions_to_nearness(facts, row, code(facts, row), contributions);
}

std::unique_ptr<DictionaryRule> ClassReconstruction::read(const ArchiveReader& in) {
    return std::make_unique<ClassReconstruction>(in.count("most", 0, largest_count));
}

}  // namespace dk
