// SPDX-License-Identifier: Apache-2.0
#include "kernel/gram/bank_similarities.hpp"

#include "base/text.hpp"
#include "data/resize.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "kernel/language/bank.hpp"

namespace dk {

std::optional<Dataset> bank_similarities(const Bank& bank, const Dataset& data, const MemoryBudget& budget,
                                         Control& control) {
    const double bytes = 8.0 * data.rows() * data.rows() * (bank.size() + 1);
    if (!budget.allows(bytes)) return std::nullopt;
    GramMatrices gram{std::ssize(bank), data.rows(), data.rows()};
    const GramEngine<double> engine(bank, data, data, &control);
    for (Index k = 0; k < std::ssize(bank); ++k) {
        const auto self = engine.self(Side::left, k);
        gram.self.insert(gram.self.end(), self.begin(), self.end());
    }
    resize_in_steps(gram.values, std::ssize(bank) * data.rows() * data.rows(), control);
    engine.matrices(gram.values.data(), control);
    gram.of_kernels = true;
    return data.with_features(std::move(gram));
}

Bank similarity_bank(const Dataset& similarities) {
    Bank bank;
    for (Index k = 0; k < similarities.gram().matrices; ++k)
        bank.push_back(make_kernel(text("gram(", k, ")"), similarities));
    return bank;
}

}  // namespace dk
