// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "data/split.hpp"
#include "kernel/engine/finite_matrix.hpp"
#include "machine/machine.hpp"
#include "model/dictionary/nearest_prototype.hpp"
#include "model/dictionary/prototype_dictionary.hpp"
#include "solve/cover/cover_relaxation.hpp"

namespace dk {

namespace {

enum class CoverMethod { greedy, lp };

}  // namespace

namespace parameter {
constexpr ChoiceKey<CoverMethod> method{
    "method",
    {"greedy", "lp"},
    "Prototypes are chosen one after the other (greedy), or by a linear program whose solution is rounded at "
    "random (lp), which libdk can do where it was built with COIN-OR's CLP."};
constexpr RealKey epsilon{
    "epsilon",
    0,
    {0, 1e300},
    "A prototype covers the rows that are nearer to it in feature space; with 0, cross-validation within the "
    "training rows chooses the distance."};
constexpr RealKey price{"price",
                        0,
                        {0, 1e300},
                        "Each prototype costs so much, where an uncovered row costs 1; 0 stands for 1 / "
                        "number of rows."};
}  // namespace parameter

namespace {

/// The matrix of squared distances |x_i - x_j|^2 in feature space.
LargeMatrix squared_distances(const TrainingProblem& problem) {
    const Index n = problem.data.rows();
    LargeMatrix d(n, n);
    const GramEngine<double> engine(problem.kernel, problem.data, problem.data, &problem.control);
    const ProgressHold hold(problem.control);
    engine.matrices(d.data(), problem.control);
    require_finite_matrix(*problem.kernel, d.data(), n, problem.control);
    const Vector self = d.view().diagonal();
    parallel_for_rows(n, n, problem.control, [&](Index i) {
        auto row = d.view().row(i);
        row = (self.transpose().array() + self[i] - 2 * row.array()).cwiseMax(0.0);
    });
    return d;
}

/// Gives candidate radii: quantiles of the distances between rows, from 2 to 40 per cent.
std::vector<double> candidate_radii(const LargeMatrix& squares) {
    constexpr Index most_rows = 1000;  // The distances of so many rows tell the quantiles.
    const Index n = squares.rows();
    const Index step = (n + most_rows - 1) / most_rows;
    std::vector<double> all;
    for (Index i = 0; i < n; i += step) {
        for (Index j = 0; j < i; ++j) all.push_back(squares(i, j));
    }
    std::vector<double> radii;
    for (const double share : {0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4}) {
        const auto place = static_cast<Index>(share * static_cast<double>(all.size()));
        std::ranges::nth_element(all, all.begin() + place);
        const double radius = std::sqrt(all[place]);
        if (radius > 0 && (radii.empty() || radius > radii.back())) radii.push_back(radius);
    }
    if (radii.empty()) fail(Status::invalid_data, "two fifths of the rows are the same in feature space");
    return radii;
}

class PrototypeSelection {
  public:
    explicit PrototypeSelection(const TrainingProblem& problem)
        : problem_(problem), labels_(*problem.data.labels), squares_(squared_distances(problem)) {}

    const LargeMatrix& squares() const { return squares_; }

    /// Chooses prototypes of some rows, by their positions among all rows.
    CoverChoice choose(const std::vector<Index>& rows, double radius) const {
        const Parameters& parameters = problem_.parameters;
        const double given = parameters[parameter::price];
        const double price = given > 0 ? given : 1.0 / static_cast<double>(rows.size());
        std::vector<Index> class_of;
        class_of.reserve(rows.size());
        for (const Index i : rows) class_of.push_back(labels_.of_rows[i]);
        const Matrix squares = squares_.view()(rows, rows);
        const CoverProgram program =
            cover_program(squares, radius, std::move(class_of), labels_.classes(), price, problem_.control);
        CoverChoice choice = parameters[parameter::method] == CoverMethod::greedy
                                 ? greedy_cover(program, problem_.control)
                                 : rounded_cover(program, parameters[parameter::seed], problem_.control);
        for (Index& row : choice.rows) row = rows[row];
        return choice;
    }

    /// Chooses the radius with the least error of held-out rows, the smaller one of equal errors.
    double choose_radius() const {
        const Dataset& data = problem_.data;
        const auto fold_of =
            stratified_folds(data, std::min<Index>(5, data.rows()), problem_.parameters[parameter::seed]);
        const Index folds = *std::ranges::max_element(fold_of) + 1;
        double best = 0;
        Index fewest = data.rows() + 1;
        for (const double radius : candidate_radii(squares_)) {
            Index errors = 0;
            for (Index fold = 0; fold < folds; ++fold) {
                problem_.control.check();
                const CoverChoice choice = choose(rows_of_fold(fold_of, fold, false), radius);
                errors += errors_of(choice, rows_of_fold(fold_of, fold, true));
            }
            if (errors < fewest) {
                fewest = errors;
                best = radius;
            }
        }
        return best;
    }

  private:
    /// Counts rows whose nearest prototype is of another class; all are wrong where there is none.
    Index errors_of(const CoverChoice& choice, const std::vector<Index>& rows) const {
        Index errors = 0;
        for (const Index i : rows) {
            double least = infinity;
            Index elected = -1;
            for (std::size_t k = 0; k < choice.rows.size(); ++k) {
                const double square = squares_(i, choice.rows[k]);
                const bool nearer = square < least || (square == least && choice.classes[k] < elected);
                if (!nearer) continue;
                least = square;
                elected = choice.classes[k];
            }
            if (elected != labels_.of_rows[i]) ++errors;
        }
        return errors;
    }

    const TrainingProblem& problem_;
    const Labels& labels_;
    LargeMatrix squares_;
};

/// Where no prototype is worth its price, the row of the largest class that is nearest to the others of it
/// stands for all.
CoverChoice row_of_largest_class(const Labels& labels, const LargeMatrix& squares) {
    std::vector<std::vector<Index>> rows(labels.classes());
    for (Index i = 0; i < squares.rows(); ++i) rows[labels.of_rows[i]].push_back(i);
    const auto largest = std::ranges::max_element(rows, {}, &std::vector<Index>::size);
    Index best = largest->front();
    double least = infinity;
    for (const Index i : *largest) {
        double sum = 0;
        for (const Index j : *largest) sum += std::sqrt(squares(i, j));
        if (sum < least) {
            least = sum;
            best = i;
        }
    }
    return {.rows = {best}, .classes = {largest - rows.begin()}};
}

TrainedMachine train_prototype_selection(const TrainingProblem& problem) {
    const Parameters& parameters = problem.parameters;
    const Dataset& data = problem.data;
    const Index n = data.rows();
    if (parameters[parameter::method] == CoverMethod::lp) require_linear_programs();
    problem.budget.require(3 * 8.0 * n * n, text("distances of ", n, " rows"));
    const PrototypeSelection selection(problem);
    const double given = parameters[parameter::epsilon];
    const double radius = given > 0 ? given : selection.choose_radius();
    std::vector<Index> rows(n);
    for (Index i = 0; i < n; ++i) rows[i] = i;
    CoverChoice choice = selection.choose(rows, radius);
    TrainedMachine trained;
    trained.rule = DecisionRule::largest;
    trained.report.add("prototypes", std::ssize(choice.rows)).add("epsilon", radius);
    if (choice.rows.empty()) choice = row_of_largest_class(*data.labels, selection.squares());

    Matrix coefficients = Matrix::Zero(n, std::ssize(choice.rows));
    for (std::size_t k = 0; k < choice.rows.size(); ++k)
        coefficients(choice.rows[k], static_cast<Index>(k)) = 1;
    trained.predictor = make_prototype_dictionary(
        {.kernel = problem.kernel,
         .coefficients = view(std::as_const(coefficients).data(), coefficients.rows(), coefficients.cols()),
         .rule = std::make_shared<const NearestPrototype>(),
         .classes = choice.classes},
        data, problem.precision, parameters[parameter::neighbours], problem.control);
    return trained;
}

}  // namespace

Machine prototype_selection_machine() {
    return {.name = "prototype_selection",
            .doc =
                "Prototype selection covers the rows of each class by balls around few of them, which cover "
                "few rows of other classes; the nearest prototype decides.",
            .reference =
                "Bien, Tibshirani, Prototype selection for interpretable classification, Annals of Applied "
                "Statistics 5, 2011",
            .prototypes =
                "Prototypes are training rows of each class. The nearest one of a class explains a row by "
                "minus its squared distance, the others by 0, so that explanations sum to the decision of "
                "the class. Features are the distances to all prototypes.",
            .task = Task::classification,
            .uses_sample_weights = false,
            .parameters = {parameter::method, parameter::epsilon, parameter::price},
            .train = train_prototype_selection,
            .updates = true};
}

}  // namespace dk
