// SPDX-License-Identifier: Apache-2.0
// A counterfactual of a row x is a row x + s of another class, for which s is short when each feature is
// measured in its standard deviation. Two ways lead out of a class:
//
//     the gradient g of the answer (question.hpp), along which Newton's steps s <- s - (answer / |g|^2) g go
//     to where the answer is 0 (Moosavi-Dezfooli, Fawzi, Frossard, DeepFool, CVPR 2016), and
//     the straight line to the nearest training row that is taken for another class.
//
// Either ends where the class changes first; the shorter one counts. Then the features that change least get
// their values back as long as the row does not fall back into its class: people can follow few changes.
// Where training rows are known, people shall be told values that occur: what changes is moved on to the next
// integer of a column of integers, and into the range of its column. Where that does not turn the prediction,
// the row takes one value after the other of the nearest training row of another class, and gives back those
// that it does not need. Gradients are central differences, which need decisions alone, so that every
// machine, scaling and layer has them. Each result was decided by the model itself.
#include "report/explanation/counterfactual.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "data/scaling/deviations.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

constexpr int most_steps = 25;
constexpr Index points_on_line = 32;
constexpr Index most_changes = 12;
/// A gradient costs two decisions for each feature; of more features than this only the line is tried.
constexpr Index most_features_of_gradients = 2000;
constexpr Index features_at_once = 128;

/// The class of each of some rows.
std::vector<Index> elected_of(const Model& model, const Dataset& rows, Control& control) {
    const ProgressHold hold(control);
    return elected_classes(model, decisions(model, rows, control), control);
}

/// Steps s from a row, measured in deviations of the features.
class Surroundings {
  public:
    Surroundings(const Model& model, const Dataset& row, Vector units, Control& control)
        : model_(model), row_(row), units_(std::move(units)), control_(control) {
        const auto values = row.dense().row(0);
        x_ = ConstVectorView(values.data(), std::ssize(values));
        elected_ = elected_of(model, row, control).front();
    }

    Index features() const { return x_.size(); }
    Index elected() const { return elected_; }
    const Vector& units() const { return units_; }
    Vector point(const Vector& step) const { return x_ + units_.cwiseProduct(step); }

    /// Makes rows of steps, each a row of the matrix.
    Dataset rows(const Matrix& steps) const {
        DenseMatrix matrix{.rows = steps.rows(), .cols = features(), .may_miss = row_.dense().may_miss};
        matrix.values.resize(matrix.rows * matrix.cols);
        auto values = view(matrix.values.data(), matrix.rows, matrix.cols);
        for (Index i = 0; i < steps.rows(); ++i)
            values.row(i) = (x_ + units_.cwiseProduct(steps.row(i).transpose())).transpose();
        Dataset made(std::move(matrix));
        made.feature_names = row_.feature_names;
        return made;
    }
    std::vector<Index> classes_at(const Matrix& steps) const {
        return elected_of(model_, rows(steps), control_);
    }
    const Vector& row() const { return x_; }
    /// Tells whether a point is of another class than the row.
    bool turns(const Vector& point) const { return class_of(point) != elected_; }
    Index class_of(const Vector& point) const {
        DenseMatrix matrix{.rows = 1, .cols = features(), .may_miss = row_.dense().may_miss};
        matrix.values.assign(point.begin(), point.end());
        Dataset made(std::move(matrix));
        made.feature_names = row_.feature_names;
        return elected_of(model_, made, control_).front();
    }

    /// The answer to why the class is not another one, and its gradient.
    struct Slope {
        double answer;
        Vector gradient;
    };
    Slope slope(const Vector& step) const {
        const ProgressHold hold(control_);
        const std::vector<double> here = decisions(model_, rows(step.transpose()), control_);
        const Question why = question_of(model_, here, control_);
        Slope slope{why.answer(here), Vector(features())};
        for (Index first = 0; first < features(); first += features_at_once) {
            control_.check();
            const Index count = std::min(features_at_once, features() - first);
            slope.gradient.segment(first, count) = differences(step, why, first, count);
        }
        return slope;
    }

    /// Finds where on the line from 0 to `step` the class changes first, of so many points tried three times
    /// ever closer; nothing where it does not.
    std::optional<Vector> first_change(const Vector& step) const {
        double low = 0;
        double high = 1;
        bool found = false;
        for (int round = 0; round < 3; ++round) {
            Matrix steps(points_on_line, features());
            const auto at = [&](Index i) { return low + (high - low) * double(i + 1) / points_on_line; };
            for (Index i = 0; i < points_on_line; ++i) steps.row(i) = at(i) * step.transpose();
            const std::vector<Index> classes = classes_at(steps);
            const auto change =
                std::ranges::find_if(classes, [&](Index elected) { return elected != elected_; });
            if (change == classes.end()) break;
            found = true;
            const Index i = change - classes.begin();
            const double before = i == 0 ? low : at(i - 1);
            high = at(i);
            low = before;
        }
        if (!found) return std::nullopt;
        return high * step;
    }

  private:
    /// Computes central differences of the answer for some features.
    Vector differences(const Vector& step, const Question& why, Index first, Index count) const {
        constexpr double h = 1e-4;
        Matrix steps(2 * count, features());
        steps.rowwise() = step.transpose();
        for (Index j = 0; j < count; ++j) {
            steps(2 * j, first + j) += h;
            steps(2 * j + 1, first + j) -= h;
        }
        const std::vector<double> values = decisions(model_, rows(steps), control_);
        const Index functions = model_.predictor->decision_count();
        const auto answer = [&](Index i) {
            return why.answer(std::span(values).subspan(i * functions, functions));
        };
        Vector slopes(count);
        for (Index j = 0; j < count; ++j) slopes[j] = (answer(2 * j) - answer(2 * j + 1)) / (2 * h);
        return slopes;
    }

    const Model& model_;
    const Dataset& row_;
    Vector units_;
    Control& control_;
    Vector x_;
    Index elected_ = -1;
};

std::optional<Vector> step_along_gradient(const Surroundings& around, Control& control) {
    Vector step = Vector::Zero(around.features());
    for (int i = 0; i < most_steps; ++i) {
        control.check();
        const auto [answer, gradient] = around.slope(step);
        const double square = gradient.squaredNorm();
        if (!(square > 0) || !std::isfinite(square)) return std::nullopt;
        // Functions of narrow kernels have steep places and flat ones, where a step would go anywhere. Where
        // probabilities elect, the border is not where the answer is 0, so that steps must not vanish there.
        const double shortest = 0.05 / std::sqrt(square);
        Vector next = -std::max(1.02 * std::abs(answer) / square, shortest) * gradient;
        const double longest = std::sqrt(static_cast<double>(around.features()));
        if (next.norm() > longest) next *= longest / next.norm();
        step += next;
        if (around.classes_at(step.transpose()).front() != around.elected()) return around.first_change(step);
    }
    return std::nullopt;
}

/// Lists the features by the magnitude of their change, the largest first.
std::vector<Index> by_change(const Vector& step) {
    std::vector<Index> order(step.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](Index j) { return std::abs(step[j]); });
    return order;
}

/// Tries the change of the features that change most alone, of ever more of them and up to four times as far,
/// and takes the first that is another class. That is at most `most_changes` features, and the change at most
/// twice as long as the given one; otherwise the given one stays.
Vector with_few_changes(const Surroundings& around, const Vector& step) {
    const std::vector<Index> order = by_change(step);
    constexpr std::array stretches{1.0, 1.25, 1.5, 2.0, 3.0, 4.0};
    const Index most = std::min<Index>(most_changes, around.features());
    Matrix steps = Matrix::Zero(most * std::ssize(stretches), around.features());
    for (Index count = 1; count <= most; ++count) {
        for (Index s = 0; s < std::ssize(stretches); ++s) {
            for (Index j = 0; j < count; ++j)
                steps((count - 1) * std::ssize(stretches) + s, order[j]) = stretches[s] * step[order[j]];
        }
    }
    const std::vector<Index> classes = around.classes_at(steps);
    for (Index i = 0; i < steps.rows(); ++i) {
        if (classes[i] == around.elected() || steps.row(i).norm() > 2 * step.norm()) continue;
        return around.first_change(steps.row(i).transpose()).value_or(steps.row(i).transpose());
    }
    return step;
}

/// Moves what changes to values that the columns have; nothing where the row falls back into its class.
std::optional<Vector> with_observed_values(const Surroundings& around, Vector point,
                                           std::span<const ColumnValues> columns) {
    const Vector& x = around.row();
    for (Index j = 0; j < point.size(); ++j) {
        if (point[j] == x[j] || std::isnan(x[j])) continue;
        const auto& [least, most, whole] = columns[j];
        if (least > most) continue;  // It misses every value in training.
        if (whole) point[j] = point[j] > x[j] ? std::ceil(point[j]) : std::floor(point[j]);
        point[j] = std::clamp(point[j], least, most);
    }
    return around.turns(point) ? std::optional(point) : std::nullopt;
}

/// Takes values of a row of another class, those that differ most first, until the class changes, and gives
/// those back, the last ones first, without which it has changed too.
std::optional<Vector> with_values_of(const Surroundings& around, const ConstVectorView& other) {
    const Vector& x = around.row();
    Vector way = (other - x).cwiseQuotient(around.units());
    way = way.unaryExpr([](double change) { return std::isfinite(change) ? change : 0.0; });
    const std::vector<Index> order = by_change(way);
    Vector point = x;
    std::size_t taken = 0;
    bool turned = false;
    while (!turned && taken < order.size() && way[order[taken]] != 0) {
        point[order[taken]] = other[order[taken]];
        ++taken;
        turned = around.turns(point);
    }
    if (!turned) return std::nullopt;
    for (std::size_t k = taken - 1; k-- > 0;) {
        const Index j = order[k];
        point[j] = x[j];
        if (!around.turns(point)) point[j] = other[j];
    }
    return point;
}

std::vector<ColumnValues> column_values(const DenseMatrix& rows) {
    std::vector<ColumnValues> columns(rows.cols, {infinity, -infinity, true});
    for (Index i = 0; i < rows.rows; ++i) {
        const auto row = rows.row(i);
        for (Index j = 0; j < rows.cols; ++j) {
            if (std::isnan(row[j])) continue;
            columns[j].least = std::min(columns[j].least, row[j]);
            columns[j].most = std::max(columns[j].most, row[j]);
            columns[j].whole = columns[j].whole && row[j] == std::round(row[j]);
        }
    }
    return columns;
}

/// The unit of each column: its deviation among the training rows, else what the model divides it by, else 1.
Vector units_of(const Model& model, const Dataset& row, const TrainingRows* training) {
    Vector units = Vector::Ones(row.cols());
    const std::vector<double> scaled = model.preparation.scaler.units();
    if (std::ssize(scaled) == row.cols()) units = as_vector(scaled);
    if (training != nullptr && std::ssize(training->deviations) == row.cols())
        units = as_vector(training->deviations);
    for (double& unit : units) {
        if (!(unit > 0) || !std::isfinite(unit)) unit = 1;
    }
    return units;
}

/// Distances of a dense row from all others, each column in its unit; what is missing counts nothing.
std::vector<double> distances_in_columns(const Dataset& row, const Dataset& others, const Vector& units,
                                         Control& control) {
    std::vector<double> distances;
    distances.reserve(others.rows());
    const auto x = row.dense().row(0);
    Polls polls(control);
    for (Index i = 0; i < others.rows(); ++i) {
        polls.step(row.cols());
        const auto z = others.dense().row(i);
        double square = 0;
        for (Index j = 0; j < row.cols(); ++j) {
            const double difference = (x[j] - z[j]) / units[j];
            if (std::isfinite(difference)) square += difference * difference;
        }
        distances.push_back(std::sqrt(square));
    }
    return distances;
}

/// Distances |phi(x) - phi(z)| of a row from all others.
std::vector<double> distances_in_feature_space(const Model& model, const Dataset& row, const Dataset& others,
                                               Control& control) {
    const Dataset left = prepared_rows(model, others, control);
    const Dataset right = prepared_rows(model, row, control);
    const ProgressHold hold(control);
    const GramEngine<double> engine(model.predictor->kernel(), left, right, &control);
    std::vector<double> distances(others.rows());
    const double one = 1;
    engine.product(&one, 1, distances.data(), control);
    const std::vector<double> self = engine.self(Side::left);
    const double own_self = engine.self(Side::right).front();
    for (Index i = 0; i < others.rows(); ++i)
        distances[i] = std::sqrt(std::max(0.0, self[i] - 2 * distances[i] + own_self));
    return distances;
}

/// Tells what a point changes, the largest changes first; nothing where it is of the row's class.
std::optional<Counterfactual> described(const Surroundings& around, const Vector& point) {
    const Vector& x = around.row();
    Vector step = (point - x).cwiseQuotient(around.units());
    for (Index j = 0; j < step.size(); ++j) {
        if (point[j] == x[j] || std::isnan(x[j])) step[j] = 0;
    }
    Counterfactual found{around.class_of(point), step.norm(), {}};
    if (found.elected == around.elected()) return std::nullopt;
    for (const Index j : by_change(step)) {
        if (step[j] != 0) found.changes.push_back({j, x[j], point[j], step[j]});
    }
    return found;
}

}  // namespace

TrainingRows training_rows_of(const Model& model, Dataset rows, Control& control) {
    TrainingRows training{std::move(rows)};
    if (model.rule != DecisionRule::regression) training.elected = elected_of(model, training.rows, control);
    if (training.rows.kind() == DataKind::dense) {
        training.deviations = column_deviations(training.rows.dense(), control);
        training.values = column_values(training.rows.dense());
    }
    return training;
}

std::optional<NearestOther> nearest_other(const Model& model, const Dataset& row,
                                          const TrainingRows& training, Control& control) {
    if (row.kind() == DataKind::gram) return std::nullopt;
    const Index own = elected_of(model, row, control).front();
    const bool dense = row.kind() == DataKind::dense;
    const std::vector<double> distances =
        dense ? distances_in_columns(row, training.rows, units_of(model, row, &training), control)
              : distances_in_feature_space(model, row, training.rows, control);
    std::optional<NearestOther> best;
    for (Index i = 0; i < std::ssize(distances); ++i) {
        if (training.elected[i] != own && (!best || distances[i] < best->distance))
            best = {i, training.elected[i], distances[i]};
    }
    return best;
}

std::optional<Counterfactual> counterfactual(const Model& model, const Dataset& row,
                                             const TrainingRows* training,
                                             const std::optional<NearestOther>& other, Control& control) {
    if (row.kind() != DataKind::dense || row.dense().similarity) return std::nullopt;
    const Surroundings around(model, row, units_of(model, row, training), control);
    std::optional<Vector> best;
    if (around.features() <= most_features_of_gradients) best = step_along_gradient(around, control);
    if (other) {
        const auto x = row.dense().row(0);
        const auto z = training->rows.dense().row(other->row);
        Vector way(row.cols());
        for (Index j = 0; j < row.cols(); ++j) way[j] = (z[j] - x[j]) / around.units()[j];
        if (way.allFinite()) {
            const std::optional<Vector> step = around.first_change(way);
            if (step && (!best || step->norm() < best->norm())) best = step;
        }
    }
    std::optional<Vector> point;
    if (best) point = around.point(with_few_changes(around, *best));
    if (training != nullptr) {
        if (point) point = with_observed_values(around, *point, training->values);
        if (!point && other && around.features() <= most_features_of_gradients) {
            const auto z = training->rows.dense().row(other->row);
            point = with_values_of(around, as_vector(z));
        }
    }
    return point ? described(around, *point) : std::nullopt;
}

}  // namespace dk
