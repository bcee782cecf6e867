// SPDX-License-Identifier: Apache-2.0
// A model that is updated learns again from the rows that it keeps and from further ones, with the scaling
// and the kernel that it has. What that is worth depends on the machine:
//
//     kelm, kernel_ridge    keep all rows with coefficients and the factor of their kernel matrix, which rows
//                           join and leave (solve/squares/ridge_factor.cpp): training on all rows makes the
//                           same
//     the same machines     keep landmarks alone where they have coefficients of these, and sums over all
//     rows
//                           (solve/landmarks/landmark_sums.hpp): training on all rows with these landmarks
//                           and C makes the same, and no row can be forgotten
//     svm and its kin       keep support vectors: training on these and the further rows makes the same; svm
//                           begins at the coefficients that it has
//     kglvq, akglvq         keep the rows that their prototypes are made of, and move these on
//     other machines        keep the rows with coefficients, and train on these and the further rows
//
// Support vectors hold what the margin needs of rows that are gone (N. Syed, H. Liu, K. Sung, Incremental
// learning with support vector machines, IJCAI workshop 1999).
#include "pipeline/in_use/update.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/report.hpp"
#include "data/joined_rows.hpp"
#include "machine/ridge/ridge_fit.hpp"
#include "model/dictionary/prototype_dictionary.hpp"
#include "model/kernel_expansion.hpp"
#include "pipeline/kept_answers.hpp"
#include "pipeline/machine_specification.hpp"
#include "pipeline/score.hpp"

namespace dk {

namespace {

/// The rows that the updated model learns from, with what the model knows of them.
struct UpdatedRows {
    Dataset rows;
    std::vector<Index> numbers;      // of each row, for the user
    std::vector<Index> kept_places;  // among the kept rows of the model; the rows behind them are new
    Index forgotten = 0;
    bool asked_to_forget = false;  // also rows that the model does not keep
};

void require_updatable(const Model& model) {
    if (!model.kept_answers)
        fail(Status::unsupported,
             "the model does not keep what an update asks for; train it with updatable=yes");
    if (model.threshold_report != "{}")
        fail(Status::unsupported,
             "the threshold of this model was moved for the rows that it was trained on; update the model "
             "that it was made of, and move the threshold then");
    if (model.predictor->kernel()->knows_rows())
        fail(Status::unsupported, "kernel ", model.kernel,
             " is known for the training rows alone, so that no others can join them");
}

/// Sums over rows are of all that a model has learned from, without telling them apart.
void require_forgettable(const Model& model, std::span<const Index> forgotten) {
    if (model.sums && !forgotten.empty())
        fail(Status::unsupported, "row ", forgotten.front(),
             " cannot be forgotten: a model of landmarks keeps sums over all rows and not these; train with "
             "solver=exact, which keeps them, or on the rows that shall stay");
}

/// Throws Error(model_format) where the model has sums that its machine does not make.
void require_sums_of_machine(const Model& model, const Machine& machine) {
    const auto& own = machine.parameters;
    if (model.sums && std::ranges::find(own, parameter::landmarks.name, &ParameterSpec::name) == own.end())
        fail(Status::model_format, "damaged model: machine ", machine.name, " makes no sums of landmarks");
}

/// Tells which kept rows stay. Rows that the model did not keep are forgotten already.
std::vector<Index> staying_places(const Model& model, std::span<const Index> forgotten) {
    std::vector<Index> gone(forgotten.begin(), forgotten.end());
    std::ranges::sort(gone);
    for (const Index row : gone) {
        if (row < 0 || row >= model.training_rows)
            fail(Status::invalid_argument, "row ", row, " cannot be forgotten: the model has rows 0 to ",
                 model.training_rows - 1);
    }
    const auto numbers = model.predictor->kept_row_numbers();
    std::vector<Index> places;
    for (Index i = 0; i < std::ssize(numbers); ++i) {
        if (!std::ranges::binary_search(gone, numbers[i])) places.push_back(i);
    }
    return places;
}

/// Says what is known of the rows that stay.
Dataset with_kept_answers(Dataset rows, const Model& model, const std::vector<Index>& places) {
    const KeptAnswers& answers = *model.kept_answers;
    if (model.task == name_of(Task::classification)) {
        rows.labels = model.classes;
        rows.labels->of_rows = select_values(answers.classes, places);
    }
    rows.targets = select_rows_of_values(answers.targets, model.targets, places);
    rows.target_count = model.targets;
    rows.sample_weights = select_values(answers.weights, places);
    return rows;
}

/// Prepares further rows as the model's training rows were, with their classes among the model's.
Dataset prepared_further_rows(const Model& model, const Dataset& further, Control& control) {
    if (further.kind() == DataKind::gram)
        fail(Status::unsupported,
             "similarities of further rows with the training rows do not tell how alike they are to each "
             "other, which an update asks for");
    if (model.parameter(parameter::impute.name) == "none") require_complete(further);
    Dataset rows = prepared_rows(model, features_only(further), control);
    if (model.task == name_of(Task::classification)) {
        if (!further.labels)
            fail(Status::invalid_data, "further rows need labels to learn from; these have none");
        rows.labels = model.classes;
        rows.labels->of_rows = true_classes(model, further);
    }
    if (model.task == name_of(Task::regression)) {
        rows.targets = targets_of(further).values;
        if (std::ssize(rows.targets) != further.rows() * model.targets)
            fail(Status::dimension, "the model learned ", model.targets,
                 " targets of a row, further rows have ", std::ssize(rows.targets) / further.rows());
    }
    rows.sample_weights = further.sample_weights;
    return rows;
}

template <typename Value>
void append_known(std::vector<Value>& all, const std::vector<Value>& more, Index rows, Index further,
                  Value usual) {
    if (all.empty() && more.empty()) return;
    all.resize(rows, usual);
    all.insert(all.end(), more.begin(), more.end());
    all.resize(rows + further, usual);
}

UpdatedRows rows_of_update(const Model& model, const Dataset* further, std::span<const Index> forgotten,
                           Control& control) {
    const Predictor& predictor = *model.predictor;
    const auto numbers = predictor.kept_row_numbers();
    auto places = staying_places(model, forgotten);
    const Index stay = std::ssize(places);
    UpdatedRows out{.rows = with_kept_answers(predictor.kept_rows()->select(places), model, places),
                    .numbers = {},
                    .kept_places = places,
                    .forgotten = std::ssize(numbers) - stay,
                    .asked_to_forget = !forgotten.empty()};
    for (const Index place : places) out.numbers.push_back(numbers[place]);
    if (further == nullptr) {
        out.rows = out.rows.in_new_set();
        return out;
    }
    const Dataset added = prepared_further_rows(model, *further, control);
    control.memory().require(out.rows.feature_bytes() + added.feature_bytes(),
                             "the rows of an updated model");
    Dataset joined = joined_rows(out.rows, added);
    joined.labels = out.rows.labels;
    if (joined.labels)
        joined.labels->of_rows.insert(joined.labels->of_rows.end(), added.labels->of_rows.begin(),
                                      added.labels->of_rows.end());
    joined.target_count = model.targets;
    joined.targets = std::move(out.rows.targets);
    joined.targets.insert(joined.targets.end(), added.targets.begin(), added.targets.end());
    joined.sample_weights = std::move(out.rows.sample_weights);
    append_known(joined.sample_weights, added.sample_weights, stay, added.rows(), 1.0);
    for (Index i = 0; i < added.rows(); ++i) out.numbers.push_back(model.training_rows + i);
    out.rows = std::move(joined);
    return out;
}

/// Throws Error(invalid_data) where a class has no row left.
void require_all_classes(const Dataset& rows) {
    if (rows.rows() == 0) fail(Status::invalid_data, "no row is left to learn from");
    if (!rows.labels) return;
    std::vector<char> present(rows.labels->classes());
    for (const Index c : rows.labels->of_rows) present[c] = 1;
    const auto missing = std::ranges::find(present, 0) - present.begin();
    if (missing < std::ssize(present))
        fail(Status::invalid_data, "no row of class ", rows.labels->class_name(missing),
             " is left; an update keeps the classes of its model");
}

/// Gives the row of each kept row in the update, or -1 where it leaves.
std::vector<Index> rows_of_kept(const UpdatedRows& update, Index kept) {
    std::vector<Index> row_of(kept, -1);
    for (Index row = 0; row < std::ssize(update.kept_places); ++row) row_of[update.kept_places[row]] = row;
    return row_of;
}

/// Gives the coefficients of the functions for all rows; those of new rows are zero.
Matrix coefficients_for_all(const KernelExpansion& expansion, const UpdatedRows& update) {
    const auto row_of = rows_of_kept(update, expansion.support_count());
    Matrix all = Matrix::Zero(update.rows.rows(), expansion.decision_count());
    for (const WeightBlock& block : expansion.learned().gamma) {
        const auto width = std::ssize(block.columns);
        const auto weights = view(block.weights.data(), block.rows, width);
        for (Index i = 0; i < block.rows; ++i) {
            const Index row = row_of[block.first + i];
            for (Index c = 0; row >= 0 && c < width; ++c) all(row, block.columns[c]) = weights(i, c);
        }
    }
    return all;
}

/// The same of prototypes.
Matrix coefficients_for_all(const PrototypeDictionary& dictionary, const UpdatedRows& update) {
    const auto row_of = rows_of_kept(update, dictionary.support_count());
    const Index prototypes = dictionary.prototypes().count();
    Matrix all = Matrix::Zero(update.rows.rows(), prototypes);
    for (std::size_t i = 0; i < row_of.size(); ++i) {
        if (row_of[i] >= 0) all.row(row_of[i]) = dictionary.learned().coefficients.row(i).head(prototypes);
    }
    return all;
}

/// Gives what the new model may begin with. There are no coefficients where they would take much of the
/// memory: training then begins anew.
EarlierModel earlier_model(const Model& model, const UpdatedRows& update, const MemoryBudget& budget) {
    EarlierModel earlier{.sums = model.sums};
    constexpr double most = 0.125;
    const PrototypeSet& prototypes = model.predictor->prototypes();
    const double columns = std::max(prototypes.count(), prototypes.functions());
    if (8.0 * static_cast<double>(update.rows.rows()) * columns > most * budget.bytes()) return earlier;
    if (const auto* expansion = dynamic_cast<const KernelExpansion*>(model.predictor.get())) {
        earlier.coefficients = coefficients_for_all(*expansion, update);
    } else if (const auto* dictionary = dynamic_cast<const PrototypeDictionary*>(model.predictor.get())) {
        earlier.coefficients = coefficients_for_all(*dictionary, update);
        earlier.prototype_classes = prototypes.classes;
    }
    return earlier;
}

/// Gives the factor of the rows that stay, or null where the model has none.
std::shared_ptr<const RidgeFactor> factor_of_staying(const Model& model, const UpdatedRows& update,
                                                     Control& control) {
    if (!model.factor || update.forgotten == 0) return model.factor;
    std::vector<Index> gone;
    auto next = update.kept_places.begin();
    for (Index i = 0; i < model.factor->rows(); ++i) {
        if (next != update.kept_places.end() && *next == i) {
            ++next;
        } else {
            gone.push_back(i);
        }
    }
    // Where many leave, a new factor is less work.
    constexpr Index most_of_those_left = 6;
    if (most_of_those_left * std::ssize(gone) > std::ssize(update.kept_places)) return nullptr;
    control.memory().require(8.0 * model.factor->rows() * model.factor->rows(), "a factor of fewer rows");
    return std::make_shared<const RidgeFactor>(model.factor->without_rows(gone, control));
}

/// Gives the machine as it was trained, with the nearest rows that its prototypes have.
MachineSpecification specification_of_update(const Model& model) {
    MachineSpecification specification = specification_as_trained(model);
    constexpr std::array kept{parameter::neighbours.name, parameter::seed.name, parameter::memory_mb.name};
    for (const auto& [key, value] : model.parameters) {
        if (std::ranges::find(kept, key) != kept.end()) set_parameter(specification, key, value);
    }
    return specification;
}

/// Measures anew how far rows may lie from the training rows, where the model keeps all of them. Otherwise
/// what was measured stays, unless rows shall be forgotten, which may be among those that it knows.
std::shared_ptr<const NoveltyReference> updated_novelty(const Model& made, const UpdatedRows& update,
                                                        std::uint64_t seed, Control& control) {
    constexpr Index fewest_to_measure = 4;
    const Index rows = update.rows.rows();
    if (!made.novelty || made.predictor->support_count() < rows || rows < fewest_to_measure)
        return update.asked_to_forget ? nullptr : made.novelty;
    return std::make_shared<const NoveltyReference>(
        novelty_reference(made.predictor->kernel(), update.rows, seed, control));
}

std::string report_of_update(Report&& trained, const UpdatedRows& update, Index further) {
    Report report;
    report.add("kept", std::ssize(update.kept_places))
        .add("further", further)
        .add("forgotten", update.forgotten);
    trained.add("update", std::move(report));
    return json_text(trained);
}

}  // namespace

Model updated(const Model& model, const Dataset* further, std::span<const Index> forgotten,
              Control& control) {
    require_updatable(model);
    require_forgettable(model, forgotten);
    const MachineSpecification specification = specification_of_update(model);
    const Machine& machine = *specification.machine;
    require_updates(machine, *model.predictor->kept_rows());
    require_sums_of_machine(model, machine);
    const Parameters& parameters = specification.parameters;
    const MemoryBudget budget = control.set_memory(MemoryBudget(parameters[parameter::memory_mb]));
    const UpdatedRows update = rows_of_update(model, further, forgotten, control);
    if (!model.sums) require_all_classes(update.rows);
    require_usable_weights(machine, update.rows);
    EarlierModel earlier = earlier_model(model, update, budget);
    earlier.factor = factor_of_staying(model, update, control);
    const KernelPointer& kernel = model.predictor->kernel();
    const Bank bank{kernel};
    TrainedMachine trained = machine.train({update.rows, kernel, bank, parameters, precision_of(parameters),
                                            budget, control, nullptr, &earlier});
    if (trained.rule != model.rule ||
        trained.predictor->decision_count() != model.predictor->decision_count())
        fail(Status::model_format,
             "damaged model: its functions are not those of its machine and parameters");
    Model out = model;
    out.predictor = std::move(trained.predictor);
    out.factor_at_need = std::make_shared<FactorAtNeed>();
    keep_for_updates(out, update.rows, std::move(earlier));
    out.novelty =
        updated_novelty(out, update, static_cast<std::uint64_t>(parameters[parameter::seed]), control);
    const Index count = further == nullptr ? 0 : further->rows();
    out.training_rows = model.training_rows + count;
    out.predictor = out.predictor->renumbered(update.numbers, out.training_rows, control);
    out.training_report = report_of_update(std::move(trained.report), update, count);
    // What held-out rows said of the earlier functions tells nothing of these.
    out.nonconformity = {};
    out.validation_report = "{}";
    return out;
}

}  // namespace dk
