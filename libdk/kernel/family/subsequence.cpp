// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "kernel/family/string_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace {

/// Common subsequences of a length, gaps allowed, each weighted by decay^(its extent in x and in z), by
/// dynamic programming over prefixes in O(length |x| |z|) (Lodhi et al. 2002, section 2).
class Subsequence {
  public:
    Subsequence(Index length, double decay) : length_(length), decay_(decay) {}

    std::string text() const { return dk::text("subsequence(length=", length_, ", decay=", decay_, ")"); }
    bool positive_semidefinite() const { return true; }
    bool unit_diagonal() const { return false; }

    double operator()(std::u32string_view x, std::u32string_view z, const Control& control) const {
        // sums[l](j): weight of common subsequences of length l + 1 of the prefixes of x and z up to i and j,
        // with their extents counted up to i and j
        const std::size_t width = z.size() + 1;
        std::vector<std::vector<double>> above(length_, std::vector<double>(width));
        auto sums = above;
        const double squared = decay_ * decay_;
        double total = 0;
        for (const char32_t c : x) {
            if (control.stopping()) return 0;
            for (std::size_t l = 0; l < above.size(); ++l) {
                for (std::size_t j = 1; j < width; ++j) {
                    double ending = 0;  // subsequences whose last characters are c and z[j - 1]
                    if (c == z[j - 1]) ending = squared * (l == 0 ? 1.0 : above[l - 1][j - 1]);
                    sums[l][j] = ending + decay_ * (above[l][j] + sums[l][j - 1]) - squared * above[l][j - 1];
                    if (l + 1 == above.size()) total += ending;
                }
            }
            std::swap(above, sums);
        }
        return total;
    }

  private:
    Index length_;
    double decay_;
};

}  // namespace

KernelEntry subsequence_kernel() {
    return {
        .name = "subsequence",
        .doc = "The number of common subsequences of a length, with gaps, each of which counts decay^extent.",
        .reference = "Lodhi, Saunders, Shawe-Taylor, Cristianini, Watkins, JMLR 2, 2002",
        .facts = {.data = {DataKind::strings},
                  .positive_semidefinite = "always",
                  .constant_diagonal = "never",
                  .differentiable = "never"},
        .parameters = {integer_parameter("length", 3, 1, 100, "The number of characters of a subsequence."),
                       real_parameter("decay", 0.5, 1e-6, 1, "The factor for each character of the extent.")},
        .make = [](const KernelArguments& a) {
            return make_string_kernel(Subsequence(a.integer("length"), a["decay"]));
        }};
}

}  // namespace dk
