// SPDX-License-Identifier: Apache-2.0
// Layers that keep the columns which tell most of a row's class: by the F statistic (anova.cpp) or by mutual
// information (mutual_information.cpp). They are learned on training rows alone, in every fold anew, since a
// selection that has seen held-out rows makes even random classes look predictable.
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "pipeline/layers/anova.hpp"
#include "pipeline/layers/layer_kind.hpp"
#include "pipeline/layers/mutual_information.hpp"

namespace dk {

namespace {

void check_keep(const std::string& value) {
    if (value == "auto") return;
    const auto number = parse_number(value);
    const bool share = number && *number > 0 && *number < 1;
    const bool count = number && *number >= 1 && *number <= 1e9 && *number == std::floor(*number);
    if (!share && !count)
        fail(Status::invalid_parameter, "keep cannot be ", in_quotes(value),
             "; allowed is a number of columns from 1 on, a share of them below 1, or auto");
}

}  // namespace

namespace parameter {

const TextKey keep{"keep", "auto",
                   "So many columns remain, those of the largest scores, or with a number below 1 this share "
                   "of them. With auto "
                   "1, 2, 4, ... are tried: a fifth of the training rows is held out, and the number remains "
                   "with which five "
                   "nearest neighbours among the others tell most of its classes.",
                   ParameterType::text, check_keep};

namespace {
constexpr IntegerKey bins{"bins",
                          0,
                          {0, 10000},
                          "Values are divided into so many ranges of equally many rows; 0 stands for 20, or "
                          "for less than 100 rows a "
                          "fifth of their number and at least 2."};
constexpr FlagKey correct{
    "correct", false,
    "With yes, what chance alone would give is subtracted, which matters where some columns have many equal "
    "values."};
}  // namespace

}  // namespace parameter

namespace {

void require_rankable(const std::string& layer, const Dataset& data) {
    if (data.kind() != DataKind::dense)
        fail(Status::unsupported, "layer ", layer, " ranks columns of dense rows, these are ",
             name_of(data.kind()));
    if (!data.labels)
        fail(Status::unsupported, "layer ", layer,
             " ranks columns by the rows' classes, which this machine does not learn");
}

std::vector<double> rank_by_anova(const LayerProblem& problem) {
    require_rankable("anova_f", problem.data);
    return anova_f(problem.data, problem.control);
}

std::vector<double> rank_by_information(const LayerProblem& problem) {
    require_rankable("mutual_information", problem.data);
    const Index rows = problem.data.rows();
    const Index given = problem.parameters[parameter::bins];
    const Index rule = rows < 100 ? std::max<Index>(2, rows / 5) : 20;
    return mutual_information(
        problem.data, {.bins = given > 0 ? given : rule, .correct = problem.parameters[parameter::correct]},
        problem.control);
}

}  // namespace

LayerKind anova_layer() {
    return {
        .name = "anova_f",
        .doc =
            "The columns remain whose means differ most between the classes, beside how much the rows of a "
            "class differ.",
        .reference = "Fisher, Statistical Methods for Research Workers, 1925",
        .parameters = {parameter::keep},
        .rank = rank_by_anova};
}

LayerKind mutual_information_layer() {
    return {.name = "mutual_information",
            .doc = "The columns remain whose ranges of values tell most of a row's class.",
            .reference = "Cover, Thomas, Elements of Information Theory, 1991",
            .parameters = {parameter::keep, parameter::bins, parameter::correct},
            .rank = rank_by_information};
}

}  // namespace dk
