// SPDX-License-Identifier: Apache-2.0
// k(x, z) = exp(-gamma d(x, z)), where d is the edit distance: the least number of insertions, deletions and
// replacements of characters that lead from x to z. With D(i, j), the distance of the first i characters of x
// and the first j of z,
//   D(i, j) = min(D(i-1, j-1) + [x_i != z_j], D(i-1, j) + 1, D(i, j-1) + 1).
//
//   paper        code
//   A, B         x, z
//   D(i, j)      row[j] in the pass over character i of x
//
// Wagner, Fischer, The string-to-string correction problem, JACM 21, 1974.
#include <numeric>

#include "base/random.hpp"
#include "base/text.hpp"
#include "kernel/family/string_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr AutomaticKey<double> edit_gamma{
    "gamma", Range::positive(),
    "gamma is the inverse width. The rules auto and mean take 1 over the "
    "mean distance of training rows, median 1 over the median."};
}  // namespace parameter

namespace {

/// The edit distance of x and z, which is computed row by row of D.
Index edit_distance(std::u32string_view x, std::u32string_view z, const Control& control) {
    std::vector<Index> row(z.size() + 1);
    std::iota(row.begin(), row.end(), Index{0});
    for (const char32_t c : x) {
        if (control.stopping()) return 0;
        Index diagonal = row[0]++;
        for (std::size_t j = 1; j < row.size(); ++j) {
            const Index replaced = diagonal + (c == z[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min(replaced, 1 + std::min(row[j], row[j - 1]));
        }
    }
    return row.back();
}

class EditSimilarity {
  public:
    explicit EditSimilarity(double gamma) : gamma_(gamma) {}

    std::string text() const { return dk::text("edit(gamma=", gamma_, ")"); }
    bool positive_semidefinite() const { return false; }
    bool unit_diagonal() const { return true; }
    double operator()(std::u32string_view x, std::u32string_view z, const Control& control) const {
        return std::exp(-gamma_ * edit_distance(x, z, control));
    }

  private:
    double gamma_;
};

/// Finds gamma as 1 over the mean or median distance of the strings in a sample of the training rows.
double find_edit_gamma(std::string_view, std::string_view rule, const DataFacts& facts, const Columns&) {
    if (!facts.data() || facts.data()->kind() != DataKind::strings) return 1;
    constexpr std::size_t most_rows = 48;
    std::vector<std::u32string> sample;
    for (const auto& text : facts.data()->strings().texts) sample.push_back(characters_of(text));
    Random(1).shuffle(std::span(sample));
    sample.resize(std::min(sample.size(), most_rows));
    const Control control;
    std::vector<double> distances;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const double distance = edit_distance(sample[i], sample[j], control);
            distances.push_back(distance);
        }
    }
    return inverse_of_typical(std::move(distances), rule, 1);
}

}  // namespace

KernelEntry edit_kernel() {
    return {.name = "edit",
            .doc =
                "k(x, z) = exp(-gamma d), where d is the edit distance, the least number of insertions, "
                "deletions and replacements.",
            .reference = "Wagner and Fischer, The string-to-string correction problem, JACM 21, 1974",
            .facts = {.data = {DataKind::strings},
                      .positive_semidefinite = "never guaranteed",
                      .constant_diagonal = "always",
                      .differentiable = "never"},
            .parameters = {parameter::edit_gamma},
            .make =
                [](const KernelArguments& a) {
                    return make_string_kernel(EditSimilarity(a[parameter::edit_gamma]));
                },
            .found_by_rule = find_edit_gamma};
}

}  // namespace dk
