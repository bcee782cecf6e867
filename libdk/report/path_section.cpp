// SPDX-License-Identifier: Apache-2.0
// The path of prototypes: the model's machine is trained with each of some values of a parameter on the rows
// as the model sees them, with the model's kernel. In a small C an svm's prototypes are the means of the
// classes, and in a large one the nearest points of their hulls (generalised prototype framework); how many
// rows a prototype is made of is 1 / sum a^2, where its coefficients are a.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/text.hpp"
#include "machine/margin/cost_path.hpp"
#include "pipeline/train.hpp"
#include "report/drawing/charts.hpp"
#include "report/drawing/html.hpp"
#include "report/kernel_map.hpp"
#include "report/sections.hpp"

namespace dk {

namespace {

constexpr Index most_rows_below_paths = 400;
constexpr Index most_followed_prototypes = 24;

/// What a training with one value gave.
struct PathPoint {
    double prototypes;
    std::vector<Index> classes;          // of each prototype
    std::vector<double> effective_rows;  // of each prototype, where they are few
    Matrix places = {};                  // on the map, 2 x prototypes
    double score = std::numeric_limits<double>::quiet_NaN();
};

/// Names the figure of merit by which a path is judged.
std::string score_name(const Model& model) {
    return model.task == "regression" ? "rmse" : "accuracy";
}

std::vector<double> effective_rows(const Model& model, Control& control) {
    const Index count = model.predictor->prototypes().count();
    if (count > most_followed_prototypes) return {};
    control.memory().require(8.0 * static_cast<double>(count) * static_cast<double>(model.training_rows),
                             "prototypes of a path");
    Matrix coefficients(count, model.training_rows);
    prototype_coefficients(model, {coefficients.data(), static_cast<std::size_t>(coefficients.size())});
    std::vector<double> rows;
    for (Index p = 0; p < count; ++p) {
        const double squares = coefficients.row(p).squaredNorm();
        rows.push_back(squares > 0 ? 1 / squares : 0);
    }
    return rows;
}

PathPoint path_point(const Model& model, const Dataset& rows, const KernelMap* map, Control& control) {
    const PrototypeSet& set = model.predictor->prototypes();
    PathPoint point{.prototypes = static_cast<double>(set.count()),
                    .classes = set.classes,
                    .effective_rows = effective_rows(model, control)};
    if (map != nullptr) point.places = map->places_of_prototypes(model, control);
    const ScoredRows scored = scored_rows(model, rows, control);
    if (const auto found = scored.metrics.find(score_name(model)); found != scored.metrics.end())
        point.score = found->second;
    return point;
}

/// Trains with one value. C counts, even where the model's C was selected. `path` is what the trainings share
/// where the parameter is C.
Model trained_with(const Model& model, const std::string& key, double value, const Dataset& training,
                   CostPath& path, Control& control) {
    MachineSpecification specification = specification_as_trained(model);
    set_parameter(specification, key, format_value(value));
    const auto& own = specification.machine->parameters;
    if (key == "C" && std::ranges::find(own, "select_C", &ParameterSpec::name) != own.end())
        set_parameter(specification, "select_C", "no");
    try {
        return train_along(key == "C" ? &path : nullptr, training, specification, control);
    } catch (const Error& error) {
        if (error.status() == Status::cancelled || error.status() == Status::memory_budget) throw;
        fail(error.status(), "the path cannot be trained with ", key, "=", value, ": ", error.what());
    }
}

/// Trains with each value, and follows the prototypes.
std::vector<PathPoint> path_points(const ReportedModel& reported, const KernelMap* map, Control& control) {
    const auto& [key, values] = reported.options.path;
    const Dataset training = prepared_rows(reported.model, *reported.training, control);
    const Dataset rows = prepared_rows(reported.model, reported.data, control);
    CostPath path;
    std::vector<PathPoint> points;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const ProgressScope scope(control, double(k) / double(values.size()),
                                  double(k + 1) / double(values.size()), text(key, "=", values[k]));
        const Model model = trained_with(reported.model, key, values[k], training, path, control);
        points.push_back(path_point(model, rows, map, control));
    }
    return points;
}

/// Values that differ by powers of ten stand evenly by their logarithm.
std::pair<std::string, std::vector<double>> path_axis(const PathOption& path) {
    const auto [least, most] = std::ranges::minmax(path.values);
    if (!(least > 0 && most >= 20 * least)) return {path.key, path.values};
    std::vector<double> logarithms;
    for (const double value : path.values) logarithms.push_back(std::log10(value));
    return {text("log10 of ", path.key), logarithms};
}

std::string prototype_name(const Model& model, const PathPoint& point, Index prototype) {
    const Index position = point.classes[prototype];
    return model.classes.classes() > 0 ? text("prototype ", prototype, " of ", class_text(model, position))
                                       : text("prototype ", prototype);
}

/// Draws a value of each point as one line.
template <typename Value>
std::string path_line(const ReportedModel& reported, std::span<const PathPoint> points,
                      const std::string& name, Value value) {
    const auto [title, x] = path_axis(reported.options.path);
    Line line{name, x, {}, 0};
    for (const PathPoint& point : points) line.y.push_back(value(point));
    return line_chart({&line, 1}, axis_over(title, x), axis_over(name, line.y), false,
                      text(name, " as ", reported.options.path.key, " grows"));
}

std::string effective_rows_chart(const ReportedModel& reported, std::span<const PathPoint> points) {
    const auto [title, x] = path_axis(reported.options.path);
    const auto count = points.front().effective_rows.size();
    std::vector<Line> lines;
    std::vector<double> all;
    for (std::size_t p = 0; p < count; ++p) {
        Line& line = lines.emplace_back(
            Line{prototype_name(reported.model, points.front(), Index(p)), x, {}, Index(p)});
        for (const PathPoint& point : points) {
            line.y.push_back(point.effective_rows[p]);
            all.push_back(line.y.back());
        }
    }
    return line_chart(lines, axis_over(title, x), axis_over("rows", all), false,
                      "Of how many rows each prototype is made");
}

std::string path_map(const ReportedModel& reported, const KernelMap& map, std::span<const Index> rows,
                     std::span<const PathPoint> points) {
    const Model& model = reported.model;
    const Labels* const labels = model.task == "classification" ? &*reported.training->labels : nullptr;
    std::vector<Mark> marks;
    for (Index i = 0; i < std::ssize(rows); ++i)
        marks.push_back({map.place_of_row(0, i), map.place_of_row(1, i),
                         labels != nullptr ? labels->of_rows[rows[i]] : 0, false, text("row ", rows[i])});
    std::vector<Line> paths;
    for (Index p = 0; p < points.front().places.cols(); ++p) {
        const std::string name = prototype_name(model, points.front(), p);
        const Index colour = std::max<Index>(points.front().classes[p], 0);
        Line& path = paths.emplace_back(Line{name, {}, {}, colour});
        for (std::size_t k = 0; k < points.size(); ++k) {
            path.x.push_back(points[k].places(0, p));
            path.y.push_back(points[k].places(1, p));
            marks.push_back(
                {path.x.back(), path.y.back(), colour, k + 1 == points.size(),
                 text(name, ", ", reported.options.path.key, "=", shown(reported.options.path.values[k]))});
        }
    }
    std::vector<double> x;
    std::vector<double> y;
    for (const Mark& mark : marks) {
        x.push_back(mark.x);
        y.push_back(mark.y);
    }
    std::vector<std::string> names;
    for (Index c = 0; c < model.classes.classes(); ++c) names.push_back(model.classes.class_name(c));
    return scatter_chart(
        marks, axis_over("component 1", x), axis_over("component 2", y), names, false,
        text("Where the prototypes go among ", rows.size(), " training rows, up to the diamonds"), paths);
}

}  // namespace

std::string path_section(const ReportedModel& reported, Control& control) {
    const PathOption& path = reported.options.path;
    if (path.values.empty()) return "";
    const std::vector<Index> rows = spread_rows(reported.training->rows(), most_rows_below_paths);
    const auto map = KernelMap::of(reported.model, *reported.training, rows, control);
    const std::vector<PathPoint> points = path_points(reported, map ? &*map : nullptr, control);
    std::vector<std::string> figures;
    const bool followed = std::ranges::all_of(points, [&](const PathPoint& point) {
        return !point.effective_rows.empty() && point.classes == points.front().classes;
    });
    if (followed && map && points.front().places.cols() > 0)
        figures.push_back(path_map(reported, *map, rows, points));
    figures.push_back(followed ? effective_rows_chart(reported, points)
                               : path_line(reported, points, "prototypes",
                                           [](const PathPoint& point) { return point.prototypes; }));
    if (std::ranges::any_of(points, [](const PathPoint& point) { return std::isfinite(point.score); }))
        figures.push_back(path_line(reported, points, score_name(reported.model),
                                    [](const PathPoint& point) { return point.score; }));
    return section("Path of the prototypes",
                   text("What becomes of the prototypes as ", path.key,
                        " grows: the machine was trained anew with each value, with the same kernel."),
                   side_by_side(figures));
}

}  // namespace dk
