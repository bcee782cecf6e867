// SPDX-License-Identifier: Apache-2.0
// DiMKL1 to DiMKL5 weigh each kernel by an index, which says from the distributions of its values how well it
// separates the classes. The kernel matrix of two classes has four quadrants, q1 within class 1, q2 and q3
// between the classes, q4 within class 2. With the mean mu, the standard deviation sigma and the
// interquartile range IQR of the values in a quadrant, the indices are
//
//     (5)  exp(-(mu_q2 - IQR_q2)^2 / (2 sigma_q1))
//     (6)  exp(-(mu_q2 - sigma_q2)^2 / (2 sigma_q1))
//     (7)  |(mu_q1 - IQR_q1) - (mu_q2 - IQR_q2)|
//     (8)  |mu_q1 - mu_q2| / sqrt(IQR_q1 + IQR_q2)
//     (9)  (b_1 + b_2) / (b_1 + b_2 + sigma_q1 + sigma_q2 + sigma_q3)
//
// where b_1 and b_2 are the Bhattacharyya distances of q1 and of q4 from q2. The weight of a kernel is its
// share of the sum of all indices. Class 1 is the positive class.
//
//     paper            code
//     q1, q2, q3, q4   Quadrants::q1 to Quadrants::q4
//     mu, sigma, IQR   QuadrantStatistics::mean, deviation, interquartile_range
//     b_1, b_2         b1, b2
//
// The distances take the values for normally distributed, which makes b_1 and b_2 zero for equal moments.
//
// Reference: S. R. Price, Anderson, Havens, S. R. Price, Kernel matrix-based heuristic multiple kernel
// learning, Mathematics 10, 2022, section 3.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "weights/class_index.hpp"
#include "weights/quadrants.hpp"

namespace dk {

namespace {

/// The exponents that equations (5) and (6) may mean: the paper prints the deviation in the place of the
/// variance, and speaks of a distance in the place of its square.
enum class Form { literal, variance, absolute };

}  // namespace

namespace parameter {
constexpr ChoiceKey<Form> form{
    "form",
    {"literal", "variance", "absolute"},
    "This chooses the exponent of the index, in which distance stands for the difference between the mean "
    "and "
    "the spread of the values between the classes: literal takes distance^2 / (2 deviation), as the paper "
    "prints it, variance takes distance^2 / (2 deviation^2), and absolute takes distance / (2 deviation)."};
constexpr FlagKey diagonal{"diagonal", false,
                           "If yes, the similarity of each row to itself counts among the values within its "
                           "class; if no, it is left out, since it is 1 for every row and tells nothing."};
constexpr FlagKey columnwise{"columnwise", false,
                             "If yes, means and spreads are computed for each column of the kernel matrix "
                             "and averaged over the columns "
                             "of a class; if no, they are computed from all values together."};
constexpr FlagKey symmetrise{
    "symmetrise", false,
    "If yes, each of two classes takes the place of the first class once and the two indices are averaged; "
    "if "
    "no, the positive class is the first. More than two classes are always compared in both orders."};
}  // namespace parameter

namespace {

/// Deviations are at least this large, so that an index is finite where all values of a quadrant are equal.
constexpr double smallest_deviation = 1e-6;
/// A kernel whose mean within a class is smaller is the identity matrix up to rounding.
constexpr double smallest_mean = 1e-6;
/// The sum of interquartile ranges in equation (8) is at least this large.
constexpr double smallest_spread = 1e-12;

struct Options {
    int number;
    Form form = Form::literal;
    bool diagonal = false;
    bool columnwise = false;
    bool symmetrise = false;

    /// Says whether interquartile ranges are part of the index.
    bool needs_quartiles() const { return number == 1 || number == 3 || number == 4; }
};

struct Quadrants {
    QuadrantStatistics q1;
    QuadrantStatistics q2;
    QuadrantStatistics q3;
    QuadrantStatistics q4;
};

/// Gives the standard deviation of a quadrant, as far from 0 as divisions need it.
double sigma(const QuadrantStatistics& quadrant) {
    return std::max(quadrant.deviation, smallest_deviation);
}

double square(double x) {
    return x * x;
}

/// Gives the Bhattacharyya distance of two normal distributions, below equation (9).
double bhattacharyya_distance(const QuadrantStatistics& p, const QuadrantStatistics& q) {
    const double vp = square(sigma(p));
    const double vq = square(sigma(q));
    const double distance =
        square(p.mean - q.mean) / (4 * (vp + vq)) + 0.5 * std::log((vp + vq) / (2 * std::sqrt(vp * vq)));
    return std::max(distance, 0.0);  // Rounding makes the distance of equal distributions negative.
}

/// Gives equation (5) or (6), which differ in the spread of q2.
double falling_exponential(const Quadrants& q, double spread_of_q2, Form form) {
    // The formulas give a constant kernel and the identity matrix the largest index, though they tell
    // nothing.
    if (q.q1.deviation == 0 || q.q1.mean < smallest_mean) return 0;
    const double distance = std::abs(q.q2.mean - spread_of_q2);
    switch (form) {
        case Form::variance:
            return std::exp(-square(distance / sigma(q.q1)) / 2);
        case Form::absolute:
            return std::exp(-distance / (2 * sigma(q.q1)));
        case Form::literal:
            break;
    }
    return std::exp(-square(distance) / (2 * sigma(q.q1)));
}

double divergence_index(const Options& options, const Quadrants& q) {
    const auto& [q1, q2, q3, q4] = q;
    switch (options.number) {
        case 1:  // equation (5)
            return falling_exponential(q, q2.interquartile_range, options.form);
        case 2:  // equation (6)
            return falling_exponential(q, q2.deviation, options.form);
        case 3:  // equation (7)
            return std::abs((q1.mean - q1.interquartile_range) - (q2.mean - q2.interquartile_range));
        case 4: {  // equation (8)
            const double spread = q1.interquartile_range + q2.interquartile_range;
            return std::abs(q1.mean - q2.mean) / std::sqrt(std::max(spread, smallest_spread));
        }
        default: {  // equation (9)
            const double b1 = bhattacharyya_distance(q1, q2);
            const double b2 = bhattacharyya_distance(q4, q2);
            return (b1 + b2) / (b1 + b2 + sigma(q1) + sigma(q2) + sigma(q3));
        }
    }
}

/// Averages the statistics of columns. The caller passes rows, since columns of the symmetric K are its rows.
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

/// Gives the statistics of the quadrant within one class.
QuadrantStatistics within_class(const ClassMatrix& matrix, ClassRange range, const Options& options,
                                bool quartiles, Control& control) {
    std::vector<QuadrantRows> columns;
    QuadrantRows rows;
    for (Index i = range.begin; i < range.end(); ++i) {
        const auto all = matrix.row_of_quadrant(i, range);
        const auto before = all.first(i - range.begin);
        const auto after = all.subspan(i - range.begin + 1);
        if (options.columnwise) {
            columns.push_back(options.diagonal ? QuadrantRows{all} : QuadrantRows{before, after});
        } else {  // Without the diagonal the quadrant is its upper triangle twice.
            rows.push_back(options.diagonal ? all : after);
        }
    }
    if (options.columnwise) return columnwise_statistics(columns, quartiles, control);
    return quadrant_statistics(rows, options.diagonal ? 1 : 2, quartiles, control);
}

/// Gives the statistics of the quadrant with the rows of class a and the columns of class b.
QuadrantStatistics between_classes(const ClassMatrix& matrix, ClassRange a, ClassRange b,
                                   const Options& options, Control& control) {
    std::vector<QuadrantRows> columns;
    QuadrantRows rows;
    for (Index i = b.begin; i < b.end(); ++i) {
        rows.push_back(matrix.row_of_quadrant(i, a));
        if (options.columnwise) columns.push_back({rows.back()});
    }
    return options.columnwise ? columnwise_statistics(columns, options.needs_quartiles(), control)
                              : quadrant_statistics(rows, 1, options.needs_quartiles(), control);
}

/// Collects the statistics of each kernel's quadrants for the report on two classes.
class QuadrantReport {
  public:
    explicit QuadrantReport(bool quartiles) : quartiles_(quartiles) {}
    void add(const Quadrants& q) {
        note("within_first", q.q1, quartiles_);
        note("between", q.q2, quartiles_);
        note("within_second", q.q4, false);
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

using PairStatistics = std::map<std::pair<Index, Index>, QuadrantStatistics>;

/// Gives the statistics of the quadrants between any two classes, in both orders.
PairStatistics statistics_of_pairs(const Options& options, const ClassMatrix& matrix, Control& control) {
    PairStatistics between;
    const auto& classes = matrix.classes;
    for (Index a = 0; a < std::ssize(classes); ++a) {
        for (Index b = a + 1; b < std::ssize(classes); ++b) {
            between[{a, b}] = between_classes(matrix, classes[a], classes[b], options, control);
            // A quadrant and its transpose have the same values, but not the same columns.
            between[{b, a}] = options.columnwise
                                  ? between_classes(matrix, classes[b], classes[a], options, control)
                                  : between[{a, b}];
        }
    }
    return between;
}

double kernel_index(const Options& options, const ClassMatrix& matrix, QuadrantReport& report,
                    Control& control) {
    const auto& classes = matrix.classes;
    const bool both_orders = options.symmetrise || classes.size() > 2;
    std::vector<QuadrantStatistics> within;
    for (const auto& range : classes) {
        // Equations (7) and (8) need the quartiles of q1 only, and q1 is the second class of the table.
        const bool quartiles = options.needs_quartiles() && (both_orders || !within.empty());
        within.push_back(within_class(matrix, range, options, quartiles, control));
    }
    const PairStatistics between = statistics_of_pairs(options, matrix, control);
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
    QuadrantReport quadrants(options.needs_quartiles());
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
        "DiMKL1 favours kernels whose values between the classes are about as small as their spread: the "
        "weight "
        "of a kernel is proportional to exp(-(mean - IQR)^2 / (2 deviation)), with the mean and the "
        "interquartile "
        "range (IQR) of its values between the classes and the standard deviation of those within the first "
        "class.",
        "DiMKL2 is DiMKL1 for values with a normal distribution: the weight of a kernel is proportional to "
        "exp(-(mean - spread)^2 / (2 deviation)), with the mean and the standard deviation (spread) of its "
        "values between the classes and the standard deviation of those within the first class.",
        "DiMKL3 favours kernels whose values within the first class and between the classes overlap little: "
        "the "
        "weight of a kernel is proportional to the absolute difference of mean - IQR within the first class "
        "and "
        "mean - IQR between the classes, where IQR is the interquartile range.",
        "DiMKL4 favours kernels whose values have different means within the first class and between the "
        "classes: the weight of a kernel is proportional to |mean within - mean between| / sqrt(IQR within + "
        "IQR between), where IQR is the interquartile range.",
        "DiMKL5 favours kernels whose values within the classes are distributed unlike those between them: "
        "the "
        "weight of a kernel is proportional to b / (b + s), where b is the sum of the Bhattacharyya "
        "distances "
        "of the values within each class from those between the classes, and s sums the standard deviations.",
    };
    std::vector<WeightStrategy> strategies;
    for (int number = 1; number <= 5; ++number) {
        strategies.push_back({.name = text("dimkl", number),
                              .doc = docs[number - 1],
                              .reference =
                                  "Price, Anderson, Havens, Price, Kernel matrix-based heuristic multiple "
                                  "kernel learning, Mathematics 10, 2022",
                              .arguments = "",
                              .parameters = dimkl_parameters(number),
                              .normalises = true,
                              .needs = Knowledge::classes,
                              .check = nullptr,
                              .weigh = [number](const WeightProblem& problem) {
                                  return weigh_by_divergence(number, problem);
                              }});
    }
    return strategies;
}

}  // namespace dk
