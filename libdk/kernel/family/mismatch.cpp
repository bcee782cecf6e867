// SPDX-License-Identifier: Apache-2.0
// The mismatch kernel of two strings is
//   k(x, z) = sum_u phi_u(x) phi_u(z),
// where u runs over all strings of k characters, and phi_u(x) is the number of substrings of x that have k
// characters and differ from u in at most m of them. The paper walks through the u in a tree. This file sums
// over the pairs of a substring a of x and a substring b of z instead: a pair adds the number of u that are
// within m of both, which depends on their Hamming distance alone.
//
//   paper      code
//   k          length
//   m          mismatches
//   l          alphabet, the number of different characters
//
// Leslie, Eskin, Cohen, Weston, Noble, Mismatch string kernels for discriminative protein classification,
// Bioinformatics 20, 2004.
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/characters.hpp"
#include "kernel/family/string_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey mismatch_length{"length", 3, {1, 100}, "Substrings have this many characters."};
constexpr IntegerKey mismatches{
    "mismatches",
    1,
    {0, 99},
    "This many characters of a substring may differ; they must be fewer than length."};
constexpr AutomaticKey<int> alphabet{
    "alphabet",
    {2, 1114112},
    "Strings are made of this many different characters; auto counts those of the training strings."};
}  // namespace parameter

namespace {

/// The number of ways to choose k of n things.
double binomial(Index n, Index k) {
    double value = 1;
    for (Index i = 1; i <= k; ++i) value = value * (n - k + i) / i;
    return value;
}

class Mismatch {
  public:
    Mismatch(Index length, Index mismatches, Index alphabet)
        : length_(length), mismatches_(mismatches), alphabet_(alphabet) {
        for (Index distance = 0; distance <= length; ++distance)
            shared_.push_back(shared_neighbours(distance));
    }

    std::string text() const {
        return dk::text("mismatch(length=", length_, ", mismatches=", mismatches_, ", alphabet=", alphabet_,
                        ")");
    }
    bool positive_semidefinite() const { return true; }
    bool unit_diagonal() const { return false; }

    double operator()(std::u32string_view x, std::u32string_view z, const Control& control) const {
        double sum = 0;
        const Index rows = std::ssize(x) - length_ + 1;
        const Index cols = std::ssize(z) - length_ + 1;
        // Substrings that begin at i in x and at j in z lie on a diagonal j - i. From one pair of a diagonal
        // to the next, one pair of characters leaves the distance and another enters it.
        for (Index diagonal = 1 - rows; diagonal < cols && !control.stopping(); ++diagonal) {
            Index i = std::max<Index>(0, -diagonal);
            Index j = i + diagonal;
            if (i >= rows || j >= cols) continue;
            Index distance = 0;
            for (Index k = 0; k < length_; ++k) distance += differ(x, z, i + k, j + k);
            sum += shared_[distance];
            for (++i, ++j; i < rows && j < cols; ++i, ++j) {
                distance += differ(x, z, i + length_ - 1, j + length_ - 1) - differ(x, z, i - 1, j - 1);
                sum += shared_[distance];
            }
        }
        return sum;
    }

  private:
    static Index differ(std::u32string_view x, std::u32string_view z, Index i, Index j) {
        return x[i] != z[j] ? 1 : 0;
    }

    /// The number of u within m of both substrings a and b of a pair that differ in `distance` places. In
    /// `first` of these places u has the character of a, in `second` that of b, and in the rest neither, for
    /// which there are l - 2 characters. In `other` of the places where a and b agree, u differs from both,
    /// for which there are l - 1 characters.
    double shared_neighbours(Index distance) const {
        double count = 0;
        for (Index first = 0; first <= distance; ++first) {
            for (Index second = 0; first + second <= distance; ++second) {
                const Index neither = distance - first - second;
                for (Index other = 0; other <= length_ - distance; ++other) {
                    if (std::max(first, second) + neither + other > mismatches_) continue;
                    double ways = binomial(distance, first) * binomial(distance - first, second) *
                                  binomial(length_ - distance, other);
                    for (Index i = 0; i < neither; ++i) ways *= alphabet_ - 2;
                    for (Index i = 0; i < other; ++i) ways *= alphabet_ - 1;
                    count += ways;
                }
            }
        }
        return count;
    }

    Index length_;
    Index mismatches_;
    Index alphabet_;
    std::vector<double> shared_;  // shared_neighbours() of every Hamming distance
};

/// Counts the different characters of the training strings, but at least 2.
double find_alphabet(std::string_view parameter, std::string_view rule, const DataFacts& facts,
                     const Columns&) {
    if (parameter != parameter::alphabet.name || rule != "auto")
        fail(Status::invalid_kernel, "parameter ", parameter, " of kernel mismatch has no ", rule, " value");
    std::set<char32_t> characters;
    if (facts.data() && facts.data()->kind() == DataKind::strings) {
        for (const auto& text : facts.data()->strings().texts) {
            for (const char32_t c : characters_of(text)) characters.insert(c);
        }
    }
    return std::max<Index>(2, std::ssize(characters));
}

KernelPointer make_mismatch(const KernelArguments& a) {
    const Index length = a[parameter::mismatch_length];
    const Index mismatches = a[parameter::mismatches];
    if (mismatches >= length)
        fail(Status::invalid_kernel, "mismatch: mismatches = ", mismatches,
             " must be less than length = ", length);
    return make_string_kernel(Mismatch(length, mismatches, a[parameter::alphabet]));
}

}  // namespace

KernelEntry mismatch_kernel() {
    return {
        .name = "mismatch",
        .doc = "The mismatch kernel is the spectrum kernel of substrings that may differ in some characters.",
        .reference =
            "Leslie, Eskin, Cohen, Weston, Noble, Mismatch string kernels for discriminative protein "
            "classification, Bioinformatics 20, 2004",
        .facts = {.data = {DataKind::strings},
                  .positive_semidefinite = "always",
                  .constant_diagonal = "never",
                  .differentiable = "never"},
        .parameters = {parameter::mismatch_length, parameter::mismatches, parameter::alphabet},
        .make = make_mismatch,
        .found_by_rule = find_alphabet};
}

}  // namespace dk
