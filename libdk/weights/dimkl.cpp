// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "weights/class_index.hpp"
#include "weights/quadrants.hpp"

namespace dk {

namespace {

// DiMKL: a kernel is worth how far apart its values lie within a class and between classes. For
// classes 1 and 2 the kernel matrix has quadrants q1 = K11, q2 = K12, q3 = K21 = q2', q4 = K22.

constexpr double smallest_deviation = 1e-6;

/// How exp(-distance^2 / spread) of indices 1 and 2 is read: the printed formula has the deviation in the
/// place of the variance, and its prose a distance in the place of the square.
enum class Form { literal, variance, absolute };

}  // namespace

namespace parameter {
constexpr ChoiceKey<Form> form{
    "form",
    {"literal", "variance", "absolute"},
    "The exponent: distance^2 / (2 deviation) as printed (literal), distance^2 / (2 variance), or "
    "distance / (2 deviation) (absolute)."};
constexpr FlagKey diagonal{"diagonal", false, "Whether similarities of rows to themselves count."};
constexpr FlagKey columnwise{
    "columnwise", false,
    "Whether a spread is the mean over the columns of a quadrant, instead of that of all its values."};
constexpr FlagKey symmetrise{"symmetrise", false,
                             "Whether two classes are compared in both orders, as more than two always are."};
}  // namespace parameter

namespace {

struct Options {
    int number;
    Form form = Form::literal;
    bool diagonal = false;    // whether self-similarities count
    bool columnwise = false;  // whether spreads are means over those of the columns
    bool symmetrise = false;  // whether two classes are compared in both orders

    /// Whether interquartile ranges are part of the index.
    bool quartiles() const { return number == 1 || number == 3 || number == 4; }
};

struct Quadrants {
    QuadrantStatistics first;       // q1
    QuadrantStatistics between;     // q2
    QuadrantStatistics transposed;  // q3
    QuadrantStatistics second;      // q4
};

double floored(double deviation) {
    return std::max(deviation, smallest_deviation);
}

double square(double x) {
    return x * x;
}

/// The index of Gaussian fits to two quadrants, Bhattacharyya's distance.
double bhattacharyya(const QuadrantStatistics& p, const QuadrantStatistics& q) {
    const double vp = square(floored(p.deviation));
    const double vq = square(floored(q.deviation));
    const double distance =
        square(p.mean - q.mean) / (4 * (vp + vq)) + 0.5 * std::log((vp + vq) / (2 * std::sqrt(vp * vq)));
    return std::max(distance, 0.0);
}

/// Indices 1 and 2.
double falling_exponential(const Quadrants& q, double between_spread, Form form) {
    // Constant kernels and near-identity ones tell nothing, whatever the formula says.
    if (q.first.deviation == 0 || q.first.mean < 1e-6) return 0;
    const double distance = std::abs(q.between.mean - between_spread);
    const double deviation = floored(q.first.deviation);
    switch (form) {
        case Form::variance:
            return std::exp(-square(distance / deviation) / 2);
        case Form::absolute:
            return std::exp(-distance / (2 * deviation));
        case Form::literal:
            break;
    }
    return std::exp(-square(distance) / (2 * deviation));
}

double divergence_index(const Options& options, const Quadrants& q) {
    switch (options.number) {
        case 1:
            return falling_exponential(q, q.between.interquartile_range, options.form);
        case 2:
            return falling_exponential(q, q.between.deviation, options.form);
        case 3:
            return std::abs((q.first.mean - q.first.interquartile_range) -
                            (q.between.mean - q.between.interquartile_range));
        case 4: {
            const double spread = q.first.interquartile_range + q.between.interquartile_range;
            return std::abs(q.first.mean - q.between.mean) / std::sqrt(std::max(spread, 1e-12));
        }
        default: {
            const double apart = bhattacharyya(q.first, q.between) + bhattacharyya(q.second, q.between);
            return apart / (apart + floored(q.first.deviation) + floored(q.between.deviation) +
                            floored(q.transposed.deviation));
        }
    }
}

/// The mean over columns of the spread within each. K is symmetric, so that columns are read as rows.
QuadrantStatistics columnwise_statistics(const std::vector<QuadrantRows>& columns, bool quartiles,
                                         Control& control) {
    QuadrantStatistics sum;
    const double count = columns.size();
    for (const QuadrantRows& column : columns) {
        const QuadrantStatistics one = quadrant_statistics(column, 1, quartiles, control);
        sum.mean += one.mean / count;
        sum.deviation += one.deviation / count;
        sum.interquartile_range += one.interquartile_range / count;
    }
    return sum;
}

std::span<const double> part_of_row(const ClassMatrix& matrix, Index row, Index begin, Index end) {
    return std::span(matrix.row(row) + begin, end - begin);
}

QuadrantStatistics within_class(const ClassMatrix& matrix, ClassRange range, const Options& options,
                                bool quartiles, Control& control) {
    const Index end = range.end();
    std::vector<QuadrantRows> columns;
    QuadrantRows rows;
    for (Index i = range.begin; i < end; ++i) {
        const auto all = part_of_row(matrix, i, range.begin, end);
        const auto before = part_of_row(matrix, i, range.begin, i);
        const auto after = part_of_row(matrix, i, i + 1, end);
        if (options.columnwise) {
            columns.push_back(options.diagonal ? QuadrantRows{all} : QuadrantRows{before, after});
        } else {  // without the diagonal, the upper triangle stands for both
            rows.push_back(options.diagonal ? all : after);
        }
    }
    if (options.columnwise) return columnwise_statistics(columns, quartiles, control);
    return quadrant_statistics(rows, options.diagonal ? 1 : 2, quartiles, control);
}

/// Of the quadrant with the rows of class a and the columns of class b.
QuadrantStatistics between_classes(const ClassMatrix& matrix, ClassRange a, ClassRange b,
                                   const Options& options, Control& control) {
    std::vector<QuadrantRows> columns;
    QuadrantRows rows;
    for (Index i = b.begin; i < b.end(); ++i) {
        rows.push_back(part_of_row(matrix, i, a.begin, a.end()));
        if (options.columnwise) columns.push_back({rows.back()});
    }
    return options.columnwise ? columnwise_statistics(columns, options.quartiles(), control)
                              : quadrant_statistics(rows, 1, options.quartiles(), control);
}

/// Statistics of the kernels' quadrants for the report, where there are two classes.
class QuadrantReport {
  public:
    explicit QuadrantReport(bool quartiles) : quartiles_(quartiles) {}
    void add(const Quadrants& q) {
        note("within_first", q.first, quartiles_);
        note("between", q.between, quartiles_);
        note("within_second", q.second, false);
    }
    void write(Report& report) const {
        for (const auto& [name, values] : columns_) report.add(name, values);
    }

  private:
    void note(const std::string& quadrant, const QuadrantStatistics& statistics, bool quartiles) {
        columns_[quadrant + "_mean"].push_back(statistics.mean);
        columns_[quadrant + "_deviation"].push_back(statistics.deviation);
        if (quartiles) columns_[quadrant + "_interquartile_range"].push_back(statistics.interquartile_range);
    }
    bool quartiles_;
    std::map<std::string, std::vector<double>> columns_;
};

double kernel_index(const Options& options, const ClassMatrix& matrix, QuadrantReport& report,
                    Control& control) {
    const auto& classes = matrix.classes;
    std::vector<QuadrantStatistics> within;
    const bool both = options.symmetrise || classes.size() > 2;
    for (const auto& range : classes) {
        // of two classes only the second is the first of the index
        const bool quartiles = options.quartiles() && (both || !within.empty());
        within.push_back(within_class(matrix, range, options, quartiles, control));
    }
    std::map<std::pair<Index, Index>, QuadrantStatistics> between;
    for (Index a = 0; a < std::ssize(classes); ++a) {
        for (Index b = a + 1; b < std::ssize(classes); ++b) {
            const ClassRange first = classes[a];
            const ClassRange second = classes[b];
            between[{a, b}] = between_classes(matrix, first, second, options, control);
            // pooled, a quadrant and its transpose are the same numbers
            between[{b, a}] = options.columnwise ? between_classes(matrix, second, first, options, control)
                                                 : between[{a, b}];
        }
    }
    const auto quadrants = [&](Index a, Index b) {
        return Quadrants{within[a], between.at({a, b}), between.at({b, a}), within[b]};
    };
    if (classes.size() == 2) report.add(quadrants(1, 0));
    return mean_over_pairs(classes, options.symmetrise,
                           [&](Index a, Index b) { return divergence_index(options, quadrants(a, b)); });
}

KernelWeights weigh_by_divergence(int number, const WeightProblem& problem) {
    Options options{.number = number};
    options.diagonal = problem.parameters[parameter::diagonal];
    options.columnwise = problem.parameters[parameter::columnwise];
    options.symmetrise = problem.parameters[parameter::symmetrise];
    if (number <= 2) options.form = problem.parameters[parameter::form];
    QuadrantReport quadrants(options.quartiles());
    KernelWeights result =
        weigh_by_index(problem, text("dimkl", number), [&](const ClassMatrix& matrix, Control& control) {
            return kernel_index(options, matrix, quadrants, control);
        });
    quadrants.write(result.report);
    return result;
}

std::vector<ParameterSpec> dimkl_parameters(int number) {
    std::vector<ParameterSpec> parameters{parameter::diagonal, parameter::columnwise, parameter::symmetrise};
    if (number <= 2) parameters.insert(parameters.begin(), parameter::form);
    return parameters;
}

}  // namespace

std::vector<WeightStrategy> dimkl_strategies() {
    const std::array<std::string, 5> docs{
        "DiMKL1: exp(-(mean - IQR between classes)^2 / (2 deviation within))",
        "DiMKL2: exp(-(mean - deviation between classes)^2 / (2 deviation within))",
        "DiMKL3: |(mean - IQR within) - (mean - IQR between)|",
        "DiMKL4: |mean within - mean between| / sqrt(IQR within + IQR between)",
        "DiMKL5: Bhattacharyya distances of the quadrants' values against their deviations",
    };
    std::vector<WeightStrategy> strategies;
    for (int number = 1; number <= 5; ++number) {
        strategies.push_back({.name = text("dimkl", number),
                              .doc = docs[number - 1],
                              .reference = "Divergence measures for multiple kernel learning (DiMKL)",
                              .arguments = "",
                              .parameters = dimkl_parameters(number),
                              .normalises = true,
                              .compares_classes = true,
                              .check = nullptr,
                              .weigh = [number](const WeightProblem& problem) {
                                  return weigh_by_divergence(number, problem);
                              }});
    }
    return strategies;
}

}  // namespace dk
