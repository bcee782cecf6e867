// SPDX-License-Identifier: Apache-2.0
#include "kernel/gram/factored_gram.hpp"

#include "kernel/gram/gram_blocks.hpp"
#include "matrix/matrix.hpp"

namespace dk {

FactoredGram::FactoredGram(KernelPointer kernel, const Dataset& data, const MemoryBudget& budget,
                           Control* control)
    : TrainingGram(budget),
      kernel_(std::move(kernel)),
      data_(features_only(data)),
      engine_(kernel_, data_, data_, control) {
    set_diagonal(engine_.self(Side::left));
}

BlockView<double> FactoredGram::block(std::span<const Index> rows, BlockStorage<double>& storage,
                                      Control& control) {
    const ProgressHold hold(control);
    double* values = storage.begin_whole(std::ssize(rows));
    if (are_all_rows(rows, size())) {
        engine_.matrices(values, control);
    } else {
        const Dataset some = data_.select(rows);
        GramEngine<double>(kernel_, some, some, &control).matrices(values, control);
    }
    return storage.complete(rows);
}

void FactoredGram::add_product(std::span<const Index> rows, std::span<const double> weights,
                               std::span<double> out, Control& control) {
    const ProgressHold hold(control);
    Vector v = Vector::Zero(size());
    for (std::size_t r = 0; r < rows.size(); ++r) v[rows[r]] += weights[r];
    Vector product(size());
    engine_.product(v.data(), 1, product.data(), control);
    as_vector(out) += product;
}

void FactoredGram::compute_whole(double* out, Control& control) {
    engine_.matrices(out, control);
}

}  // namespace dk
