// SPDX-License-Identifier: Apache-2.0
// The importance of a column is by how much a measure of the model falls when the column's values change
// places among the rows, so that they tell nothing about these any more (A. Fisher, C. Rudin, F. Dominici,
// All models are wrong, but many are useful, JMLR 20, 2019, section 3.2; L. Breiman, Random forests, Machine
// Learning 45, 2001). Columns that tell the same share their importance, and may then have little each.
#include "report/explanation/importance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "matrix/matrix.hpp"
#include "pipeline/score.hpp"

namespace dk {

namespace {

constexpr Index most_shuffled_columns = 300;
constexpr Index most_shuffled_rows = 1000;
constexpr int repetitions = 5;

/// Columns of one name, which are shuffled together.
struct ColumnGroup {
    std::string name;
    bool of_indicators;
    std::vector<Index> columns;
};

/// Takes columns together whose names are alike up to the sign =, as readers name indicators of categories.
std::vector<ColumnGroup> groups_of(const Dataset& data) {
    std::vector<ColumnGroup> groups;
    for (Index j = 0; j < data.cols(); ++j) {
        const std::string whole = data.feature_name(j);
        const std::string name = whole.substr(0, whole.find('='));
        const bool indicator = name.size() < whole.size();
        const auto found = std::ranges::find_if(groups, [&](const ColumnGroup& group) {
            return indicator && group.of_indicators && group.name == name;
        });
        if (found != groups.end()) {
            found->columns.push_back(j);
        } else {
            groups.push_back({name, indicator, {j}});
        }
    }
    return groups;
}

double score_of(const Model& model, const Dataset& rows, const Metric& measure, Control& control) {
    const ProgressHold hold(control);
    return score(model, rows, measure, control);
}

}  // namespace

Importances permutation_importances(const Model& model, const Dataset& data, std::uint64_t seed,
                                    Control& control) {
    const Dataset own = rows_of_model_kind(model, data, control);
    const bool answered = data.labels || !data.targets.empty();
    if (own.kind() != DataKind::dense || own.dense().similarity || !answered ||
        own.cols() > most_shuffled_columns || model.task == "novelty")
        return {};
    Random random(seed);
    Dataset rows = own;
    if (rows.rows() > most_shuffled_rows) {
        std::vector<Index> drawn(rows.rows());
        std::iota(drawn.begin(), drawn.end(), Index{0});
        random.shuffle(std::span(drawn));
        drawn.resize(most_shuffled_rows);
        std::ranges::sort(drawn);
        rows = rows.select(drawn);
    }
    Importances found{.measure = model.task == "regression" ? "r2" : "accuracy", .rows = rows.rows()};
    const Metric measure = metric_named(found.measure);
    found.score = score_of(model, rows, measure, control);
    if (!std::isfinite(found.score)) return {};
    const auto groups = groups_of(rows);
    std::vector<Index> order(rows.rows());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        control.check(static_cast<double>(g) / static_cast<double>(groups.size()));
        Vector losses(repetitions);
        for (double& loss : losses) {
            std::iota(order.begin(), order.end(), Index{0});
            random.shuffle(std::span(order));
            DenseMatrix shuffled = rows.dense();
            for (const Index j : groups[g].columns) {
                for (Index i = 0; i < rows.rows(); ++i) shuffled.row(i)[j] = rows.dense().row(order[i])[j];
            }
            loss = found.score - score_of(model, rows.with_features(std::move(shuffled)), measure, control);
        }
        const double mean = losses.mean();
        const double deviation = std::sqrt((losses.array() - mean).square().sum() / (repetitions - 1));
        found.columns.push_back({groups[g].name, mean, deviation});
    }
    std::ranges::stable_sort(found.columns, std::ranges::greater{}, &ColumnImportance::loss);
    return found;
}

}  // namespace dk
