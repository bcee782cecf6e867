// SPDX-License-Identifier: Apache-2.0
// The subsequence kernel of two strings sums over the subsequences that they have in common. A subsequence is
// n characters of a string in their order, with gaps between them; its extent is the number of characters
// from its first to its last, gaps included:
//   K_n(x, z) = sum over pairs of equal subsequences of x and z of decay^(extent in x + extent in z).
// Let K'_l(i, j) be the sum for subsequences of l characters of the first i characters of x and the first j
// of z, whose extents are counted to these ends, K'_0 = 1, and let E_l(i, j) be the part of K'_l(i, j) whose
// last characters are x_i and z_j:
//   E_l(i, j) = decay^2 K'_{l-1}(i-1, j-1) where x_i = z_j, and 0 elsewhere
//   K'_l(i, j) = E_l(i, j) + decay (K'_l(i-1, j) + K'_l(i, j-1)) - decay^2 K'_l(i-1, j-1)
//   K_n(x, z) = sum_ij E_n(i, j),
// which takes n |x| |z| operations.
//
//   paper              code
//   s, t               x, z
//   n                  length
//   lambda             decay
//   K'_l(i, j)         sums[l - 1][j] in the pass over character i of x
//   K'_l(i - 1, j)     above[l - 1][j]
//   E_l(i, j)          ending
//
// Lodhi, Saunders, Shawe-Taylor, Cristianini, Watkins, Text classification using string kernels, JMLR 2,
// 2002.
#include "base/text.hpp"
#include "kernel/family/string_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey subsequence_length{"length", 3, {1, 100}, "Subsequences have this many characters."};
constexpr RealKey decay{
    "decay",
    0.5,
    {1e-6, 1},
    "Each character of the extent multiplies the weight of a subsequence by this factor."};
}  // namespace parameter

namespace {

class Subsequence {
  public:
    Subsequence(Index length, double decay) : length_(length), decay_(decay) {}

    std::string text() const { return dk::text("subsequence(length=", length_, ", decay=", decay_, ")"); }
    bool positive_semidefinite() const { return true; }
    bool unit_diagonal() const { return false; }

    double operator()(std::u32string_view x, std::u32string_view z, const Control& control) const {
        const std::size_t width = z.size() + 1;
        std::vector<std::vector<double>> above(length_, std::vector<double>(width));
        auto sums = above;
        const double squared = decay_ * decay_;
        double total = 0;
        for (const char32_t c : x) {
            if (control.stopping()) return 0;
            for (std::size_t l = 0; l < above.size(); ++l) {
                for (std::size_t j = 1; j < width; ++j) {
                    double ending = 0;
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
    return {.name = "subsequence",
            .doc =
                "k(x, z) counts the common subsequences of a length, which may have gaps; each counts "
                "decay^extent.",
            .reference =
                "Lodhi, Saunders, Shawe-Taylor, Cristianini, Watkins, Text classification using string "
                "kernels, JMLR 2, 2002",
            .facts = {.data = {DataKind::strings},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "never",
                      .differentiable = "never"},
            .parameters = {parameter::subsequence_length, parameter::decay},
            .make = [](const KernelArguments& a) {
                return make_string_kernel(Subsequence(a[parameter::subsequence_length], a[parameter::decay]));
            }};
}

}  // namespace dk
