// SPDX-License-Identifier: Apache-2.0
#include "pipeline/kept_answers.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace dk {

void require_updates(const Machine& machine, const Dataset& data) {
    if (!machine.updates)
        fail(Status::unsupported, "models of machine ", machine.name,
             " cannot be updated: they do not keep the rows that training again would begin with; leave "
             "updatable at no");
    if (data.kind() == DataKind::gram || (data.kind() == DataKind::dense && data.dense().similarity))
        fail(Status::unsupported,
             "similarities of further rows with the training rows do not tell how alike they are to each "
             "other, which an update asks for; leave updatable at no");
}

namespace {

/// Throws Error(unsupported) where the model does not keep all landmarks that the sums are of.
void require_kept_landmarks(const EarlierModel& found, std::span<const Index> numbers) {
    if (found.sums && !std::ranges::equal(numbers, found.landmarks))
        fail(Status::unsupported,
             "every function is constant, so that no landmark is kept to learn further rows with; leave "
             "updatable at no");
}

}  // namespace

void keep_for_updates(Model& model, const Dataset& rows, EarlierModel found) {
    if (model.predictor->kept_rows() == nullptr)
        fail(Status::unsupported,
             "the model keeps none of its training rows with this kernel, so that it cannot "
             "be updated; leave updatable at no");
    for (const Layer& layer : model.preparation.layers) {
        if (std::holds_alternative<std::shared_ptr<const PrincipalComponents>>(layer.step))
            fail(Status::unsupported,
                 "layers of kernel components are made of the training rows, and updates change these; leave "
                 "updatable at no, or kernel_pca out of the layers");
    }
    const auto numbers = model.predictor->kept_row_numbers();
    KeptAnswers answers;
    if (rows.labels) answers.classes = select_values(rows.labels->of_rows, numbers);
    answers.targets = select_rows_of_values(rows.targets, rows.target_count, numbers);
    answers.weights = select_values(rows.sample_weights, numbers);
    model.kept_answers = std::make_shared<const KeptAnswers>(std::move(answers));
    // A row whose coefficients are all zero is not kept; the factor is of more rows then.
    const bool of_kept_rows =
        found.factor && found.factor->rows() == std::ssize(numbers) && std::ranges::is_sorted(numbers);
    model.factor = of_kept_rows ? std::move(found.factor) : nullptr;
    require_kept_landmarks(found, numbers);
    model.sums = std::move(found.sums);
}

}  // namespace dk
