// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "base/random.hpp"
#include "base/text.hpp"
#include "data/scaler.hpp"
#include "kernel/family.hpp"
#include "kernel/string_kernel.hpp"

namespace dk {

namespace {

/// Insertions, deletions and replacements that lead from x to z (Wagner and Fischer 1974).
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
        return std::exp(-gamma_ * static_cast<double>(edit_distance(x, z, control)));
    }

  private:
    double gamma_;
};

/// 1 over the mean or median distance between the strings of a sample.
double find_gamma(std::string_view, std::string_view rule, const Setting& setting, const Columns&) {
    if (!setting.data() || setting.data()->kind() != DataKind::strings) return 1;
    constexpr std::size_t most_rows = 48;
    std::vector<std::u32string> sample;
    for (const auto& text : setting.data()->strings().texts) sample.push_back(characters_of(text));
    Random(1).shuffle(std::span(sample));
    sample.resize(std::min(sample.size(), most_rows));
    const Control control;
    std::vector<double> distances;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            distances.push_back(static_cast<double>(edit_distance(sample[i], sample[j], control)));
    }
    if (distances.empty()) return 1;
    double typical =
        std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(distances.size());
    if (rule == "median" && quantile(distances, 0.5) > 0) typical = quantile(distances, 0.5);
    return typical > 0 ? 1 / typical : 1;
}

}  // namespace

KernelFamily edit_family() {
    return {.name = "edit",
            .doc = "exp(-gamma d), d the edit distance (insertions, deletions, replacements)",
            .reference = "Wagner and Fischer, The string-to-string correction problem, JACM 21, 1974",
            .data = {DataKind::strings},
            .positive_semidefinite = "never guaranteed",
            .constant_diagonal = "always",
            .parameters = {width_parameter("auto", "inverse width; auto and mean are 1 / mean d")},
            .positional = "",
            .make = [](const KernelArguments& a) { return make_string_kernel(EditSimilarity(a["gamma"])); },
            .found_by_rule = find_gamma};
}

}  // namespace dk
