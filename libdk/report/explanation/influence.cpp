// SPDX-License-Identifier: Apache-2.0
// What would the answer be without training row i? The functions f(x) = sum_i gamma_i k(x_i, x) + b of a
// ridge machine solve the linear system
//
//     M z = r,   M = ( K + I / C   1 )   z = ( gamma )   with G = M^-1,
//                    (  1'         0 )       (   b   )
//
// or that of K + I / C alone without an offset. Without row i its solution is z - G_:i z_i / G_ii, so that
// with v = G (k_x, 1) the function changes by
//
//     f(x) - f_without_i(x) = gamma_i v_i / G_ii,                                                    (1)
//
// which is exact. A support vector machine stays the same without a row that its functions do not need;
// without one that they need other rows come to the margin and leave it, and what looks at the margin as it
// was finds a correlation with training anew between 0.3 and 0.9 only. So it is trained anew without each
// where its training rows are known and few (left_out_training.hpp), and otherwise it says nothing.
//
//     letter       name
//     M, G, v      BorderedSystem, solve()
//     k_x          kernel values of the training rows with x
//
// R. D. Cook, Influential observations in linear regression, JASA 74, 1979.
#include "report/explanation/influence.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "machine/machine.hpp"
#include "matrix/cholesky.hpp"
#include "model/archive/model_json.hpp"
#include "model/kernel_expansion.hpp"
#include "model/ridge/ridge_equations.hpp"
#include "pipeline/machine_specification.hpp"
#include "report/explanation/left_out_training.hpp"

namespace dk {

namespace {

/// The matrix M without or with its last row and column, as factors.
class BorderedSystem {
  public:
    /// Takes K + D, and returns nothing where it is not positive definite.
    BorderedSystem(Matrix matrix, bool bordered, Control& control)
        : factor_(std::move(matrix)), bordered_(bordered) {
        sound_ = cholesky_factor(factor_, control);
        if (!sound_) return;
        diagonal_ = cholesky_inverse_diagonal(factor_, control);
        if (!bordered_) return;
        ones_ = Vector::Ones(factor_.rows());
        cholesky_solve(factor_, ones_, control);
        sum_ = ones_.sum();
        diagonal_ -= (ones_.array().square() / sum_).matrix();
    }

    bool sound() const { return sound_; }
    /// Gives the diagonal of G, without its last element.
    const Vector& inverse_diagonal() const { return diagonal_; }

    /// Computes G (k, 1), without its last element.
    Vector solve(Vector k, Control& control) const {
        cholesky_solve(factor_, k, control);
        if (bordered_) k -= (k.sum() - 1) / sum_ * ones_;
        return k;
    }

  private:
    Matrix factor_;
    bool bordered_;
    bool sound_ = false;
    Vector diagonal_;
    Vector ones_;     // (K + D)^-1 1
    double sum_ = 0;  // 1' (K + D)^-1 1
};

/// The kernel values that a model's influences are found from.
struct SupportValues {
    Matrix K;    // support rows x support rows
    Vector k_x;  // support rows
};

SupportValues values_of(const KernelExpansion::SupportFunctions& learned, const Dataset& row,
                        Control& control) {
    const Index n = learned.support.rows();
    control.memory().require(32.0 * n * n, text("influences of ", n, " rows"));
    SupportValues values{Matrix(n, n), Vector(n)};
    const GramEngine<double> engine(learned.kernel, learned.support, learned.support, &control);
    engine.matrices(values.K.data(), control);
    GramEngine<double>(learned.kernel, row, learned.support, &control)
        .rows_of(std::vector<Index>{0}, values.k_x.data(), control);
    return values;
}

/// Gives gamma as a matrix, support rows x functions.
Matrix gamma_of(const KernelExpansion::SupportFunctions& learned) {
    Matrix gamma = Matrix::Zero(learned.support.rows(), std::ssize(learned.offsets));
    for (const WeightBlock& block : learned.gamma) {
        const auto weights = view(block.weights.data(), block.rows, std::ssize(block.columns));
        for (Index c = 0; c < weights.cols(); ++c)
            gamma.col(block.columns[c]).segment(block.first, block.rows) = weights.col(c);
    }
    return gamma;
}

/// Changes of all functions by equation (1), support rows x functions; nothing where the matrix is not
/// positive definite.
Matrix ridge_changes(const Model& model, const KernelExpansion::SupportFunctions& learned, const Dataset& row,
                     Control& control) {
    const auto equations = ridge_equations(model);
    if (!equations) return {};
    SupportValues values = values_of(learned, row, control);
    values.K.diagonal().array() += 1 / equations->cost;
    const BorderedSystem system(std::move(values.K), equations->offset, control);
    if (!system.sound()) return {};
    const Vector ratio = system.solve(values.k_x, control).cwiseQuotient(system.inverse_diagonal());
    return gamma_of(learned).array().colwise() * ratio.array();
}

/// Influences on the answer, of changes of the functions.
std::vector<RowInfluence> influences_on(const Question& question, const Matrix& changes,
                                        std::span<const Index> rows) {
    std::vector<RowInfluence> influences;
    for (Index s = 0; s < changes.rows(); ++s) {
        const Vector of_row = changes.row(s);
        influences.push_back({rows[s], question.answer(as_span(of_row))});
    }
    return influences;
}

/// Tells what is known of a model's functions without a row. Ridge regression of some rows only, and
/// prototypes that are averages, are not what the equations are for.
LeftOutRow knowledge_of(const Model& model) {
    const auto* expansion = dynamic_cast<const KernelExpansion*>(model.predictor.get());
    if (expansion == nullptr || !expansion->prototypes_are_pairs()) return LeftOutRow::unknown;
    const auto all = machines();
    const auto machine = std::ranges::find(all, model.machine, &Machine::name);
    // A model of another program does not say with what C it was trained.
    const bool knows_cost =
        std::ranges::count(model.parameters, "C", [](const auto& p) { return p.first; }) > 0;
    if (machine == all.end() || !knows_cost || model.kind == DataKind::gram) return LeftOutRow::unknown;
    if (expansion->kernel()->asks_caller()) return LeftOutRow::unknown;
    // What a kernel has learned of the training rows would be learned anew with the machine.
    std::vector<const KernelState*> states;
    expansion->kernel()->collect_states(states);
    if (machine->left_out == LeftOutRow::trained && !states.empty()) return LeftOutRow::unknown;
    if (machine->left_out == LeftOutRow::ridge && !ridge_equations(model)) return LeftOutRow::unknown;
    return machine->left_out;
}

/// Trains without each row that the question's functions need; without any other row they stay the same.
std::vector<RowInfluence> trained_influences(const Model& model,
                                             const KernelExpansion::SupportFunctions& learned,
                                             const Dataset& prepared, const Question& question,
                                             const Dataset& training, Control& control) {
    const Matrix gamma = gamma_of(learned);
    std::vector<Index> needed;
    for (Index s = 0; s < gamma.rows(); ++s) {
        const Vector of_row = gamma.row(s);
        if (question.answer(as_span(of_row)) != 0) needed.push_back(learned.support_ids[s]);
    }
    std::vector<double> decisions;
    const auto keep = [&](std::span<const double> some) { decisions.assign(some.begin(), some.end()); };
    model.predictor->decide(prepared, keep, control);
    const double answer = question.answer(decisions);
    const auto without = answers_without(model, question, prepared, training, needed, control);
    std::vector<RowInfluence> influences;
    for (std::size_t k = 0; k < needed.size(); ++k) {
        if (std::isfinite(without[k])) influences.push_back({needed[k], answer - without[k]});
    }
    return influences;
}

}  // namespace

std::vector<RowInfluence> influences_of(const Model& model, const Dataset& row, const Question& question,
                                        const Dataset* training, Control& control) {
    const LeftOutRow known = knowledge_of(model);
    if (known == LeftOutRow::unknown) return {};
    const auto& learned = dynamic_cast<const KernelExpansion&>(*model.predictor).functions();
    const Dataset prepared = prepared_rows(model, row, control);
    std::vector<RowInfluence> influences;
    if (known == LeftOutRow::ridge) {
        influences =
            influences_on(question, ridge_changes(model, learned, prepared, control), learned.support_ids);
    } else if (training != nullptr && may_train_anew(model, *training)) {
        influences = trained_influences(model, learned, prepared, question, *training, control);
    }
    std::ranges::stable_sort(influences, std::ranges::greater{},
                             [](const RowInfluence& influence) { return std::abs(influence.change); });
    return influences;
}

}  // namespace dk
