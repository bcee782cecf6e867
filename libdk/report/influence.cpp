// SPDX-License-Identifier: Apache-2.0
// What would the answer be without training row i? The functions f(x) = sum_i gamma_i k(x_i, x) + b of a
// ridge machine solve a linear system, and those of a support vector machine solve one on the rows on the
// margin:
//
//     M z = r,   M = ( K + D   1 )   z = ( gamma )   with G = M^-1.
//                    (  1'     0 )       (   b   )
//
// Without row i the solution is z - G_:i z_i / G_ii, so that with v = G (k_x, 1) the function changes by
//
//     f(x) - f_without_i(x) = z_i v_i / G_ii.                                                        (1)
//
// For ridge machines D = I / C and all rows are in M; without an offset the last row and column are not. (1)
// is exact there. For a support vector machine with squared slack D_ii is slack over |gamma_i|. With hinge
// loss D is 0, M has the rows on the margin, and a row i beyond it, whose gamma_i is at its bound, takes its
// term with it while those on the margin stay there:
//
//     f(x) - f_without_i(x) = gamma_i (k(x_i, x) - v' (k_i, 1)).                                     (2)
//
// That is what happens until another row comes to the margin or leaves it, so (1) and (2) tell a support
// vector machine's rows that matter from those that do not; they do not tell exactly by how much.
//
//     letter       name
//     M, G, v      margin or ridge System, solve()
//     k_x, k_i     kernel values of the rows of M with x and with row i
//
// R. D. Cook, Influential observations in linear regression, JASA 74, 1979; G. Cauwenberghs, T. Poggio,
// Incremental and decremental support vector machine learning, NIPS 2000.
#include "report/influence.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "machine/machine.hpp"
#include "matrix/cholesky.hpp"
#include "model/kernel_expansion.hpp"
#include "report/left_out_training.hpp"

namespace dk {

namespace {

/// A row whose |f| is below 1 by more than this has slack; solvers stop at 1e-3 by default.
constexpr double margin_tolerance = 1e-2;

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

    struct Solution {
        Vector rows;
        double border = 0;
    };
    /// Computes G (k, 1).
    Solution solve(Vector k, Control& control) const {
        cholesky_solve(factor_, k, control);
        if (!bordered_) return {std::move(k)};
        const double border = (k.sum() - 1) / sum_;
        return {k - border * ones_, border};
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

/// Changes of all functions by equation (1) with one system for all of them.
Matrix ridge_changes(const SupportValues& values, const Matrix& gamma, double ridge, bool bordered,
                     Control& control) {
    Matrix matrix = values.K;
    matrix.diagonal().array() += ridge;
    const BorderedSystem system(std::move(matrix), bordered, control);
    if (!system.sound()) return {};
    const Vector ratio = system.solve(values.k_x, control).rows.cwiseQuotient(system.inverse_diagonal());
    return gamma.array().colwise() * ratio.array();
}

/// Changes of one function of a support vector machine by equations (1) and (2).
Vector margin_changes(const SupportValues& values, const Vector& gamma, double offset, bool squared,
                      Control& control) {
    std::vector<Index> margin;
    std::vector<Index> beyond;
    std::vector<double> D;
    const Vector f = (values.K * gamma).array() + offset;
    for (Index i = 0; i < gamma.size(); ++i) {
        if (gamma[i] == 0) continue;
        const double slack = 1 - (gamma[i] > 0 ? f[i] : -f[i]);
        if (!squared && slack > margin_tolerance) {
            beyond.push_back(i);
        } else {
            margin.push_back(i);
            D.push_back(squared ? std::max(0.0, slack) / std::abs(gamma[i]) : 0.0);
        }
    }
    // With no row on the margin nothing else moves.
    if (margin.empty()) return gamma.cwiseProduct(values.k_x);
    Vector changes = Vector::Zero(gamma.size());
    Matrix matrix = values.K(margin, margin);
    // Rows may repeat. So little on the diagonal changes nothing else.
    matrix.diagonal() += as_vector(D);
    matrix.diagonal().array() += 1e-9 * matrix.diagonal().mean();
    const BorderedSystem system(std::move(matrix), true, control);
    if (!system.sound()) return changes;
    const auto v = system.solve(values.k_x(margin), control);
    for (std::size_t m = 0; m < margin.size(); ++m)
        changes[margin[m]] = gamma[margin[m]] * v.rows[m] / system.inverse_diagonal()[m];
    for (const Index i : beyond) {
        const double kept = v.rows.dot(Vector(values.K(margin, i))) + v.border;
        changes[i] = gamma[i] * (values.k_x[i] - kept);
    }
    return changes;
}

/// C as it was trained with, which the report has where C was chosen: for all functions, or with the only
/// one.
double trained_cost(const Model& model) {
    const auto report = nlohmann::json::parse(model.training_report);
    const auto& told = report.contains("C") ? report : report.at("functions").at(0);
    return told.at("C").get<double>();
}

Matrix changes_of(const Model& model, const KernelExpansion::SupportFunctions& learned, LeftOutRow known,
                  const Question& question, const SupportValues& values, Control& control) {
    const Matrix gamma = gamma_of(learned);
    if (known == LeftOutRow::ridge)
        return ridge_changes(values, gamma, 1 / trained_cost(model), model.parameter("offset") == "yes",
                             control);
    const bool squared = model.parameter("loss") == "squared_hinge";
    Matrix changes = Matrix::Zero(gamma.rows(), gamma.cols());
    for (Index f = 0; f < gamma.cols(); ++f) {
        if (question.weights[f] != 0)
            changes.col(f) = margin_changes(values, gamma.col(f), learned.offsets[f], squared, control);
    }
    return changes;
}

/// Tells what is known of a model's functions without a row. Ridge regression of some rows only, and
/// prototypes that are averages, are not what the equations are for.
LeftOutRow knowledge_of(const Model& model) {
    const auto* expansion = dynamic_cast<const KernelExpansion*>(model.predictor.get());
    if (expansion == nullptr || !expansion->prototypes_are_pairs()) return LeftOutRow::unknown;
    const auto all = machines();
    const auto machine = std::ranges::find(all, model.machine, &Machine::name);
    if (machine == all.end() || expansion->kernel()->asks_caller()) return LeftOutRow::unknown;
    if (model.kind == DataKind::gram) return LeftOutRow::unknown;
    if (machine->left_out == LeftOutRow::ridge && expansion->support_count() < model.training_rows)
        return LeftOutRow::unknown;
    return machine->left_out;
}

/// Trains without each row that the question's functions need; without any other row they stay the same.
Influences trained_influences(const Model& model, const KernelExpansion::SupportFunctions& learned,
                              const Dataset& prepared, const Question& question, const Dataset& training,
                              Control& control) {
    const Matrix gamma = gamma_of(learned);
    std::vector<Index> needed;
    for (Index s = 0; s < gamma.rows(); ++s) {
        const Vector of_row = gamma.row(s);
        if (question.answer(as_span(of_row)) != 0) needed.push_back(learned.support_ids[s]);
    }
    std::vector<double> decisions;
    model.predictor->decide(
        prepared,
        [&](std::span<const double> some) { decisions.insert(decisions.end(), some.begin(), some.end()); },
        control);
    const double answer = question.answer(decisions);
    const std::vector<double> without = answers_without(model, question, prepared, training, needed, control);
    Influences found{.exact = true};
    for (std::size_t k = 0; k < needed.size(); ++k) {
        if (std::isfinite(without[k])) found.rows.push_back({needed[k], answer - without[k]});
    }
    return found;
}

}  // namespace

Influences influences_of(const Model& model, const Dataset& row, const Question& question,
                         const Dataset* training, Control& control) {
    const LeftOutRow known = knowledge_of(model);
    if (known == LeftOutRow::unknown) return {};
    const auto& learned = dynamic_cast<const KernelExpansion&>(*model.predictor).functions();
    const Dataset prepared = prepared_rows(model, row, control);
    Influences found{.exact = known == LeftOutRow::ridge};
    if (known == LeftOutRow::margin && training != nullptr && may_train_anew(model, *training)) {
        found = trained_influences(model, learned, prepared, question, *training, control);
    } else {
        const SupportValues values = values_of(learned, prepared, control);
        const Matrix changes = changes_of(model, learned, known, question, values, control);
        for (Index s = 0; s < changes.rows(); ++s) {
            const Vector of_row = changes.row(s);
            const double change = question.answer(as_span(of_row));
            if (change != 0) found.rows.push_back({learned.support_ids[s], change});
        }
    }
    std::ranges::stable_sort(found.rows, std::ranges::greater{},
                             [](const RowInfluence& influence) { return std::abs(influence.change); });
    return found;
}

}  // namespace dk
