// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "kernel/family/string_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace {

double binomial(Index n, Index k) {
    double value = 1;
    for (Index i = 1; i <= k; ++i) value = value * (n - k + i) / i;
    return value;
}

/// sum over u of (substrings of x within `mismatches` of u) (substrings of z within `mismatches` of u).
/// Two substrings share as many u as their Hamming distance says, so no u is ever listed.
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
        // along each diagonal the distance changes by what enters and what leaves
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

    /// How many u are within `mismatches_` of both of two substrings that differ in `distance` places: u
    /// agrees there with the one, the other or neither, and differs from both in some of the other places.
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
    std::vector<double> shared_;  // by Hamming distance
};

/// The number of different characters in the training strings.
double find_alphabet(std::string_view parameter, std::string_view rule, const DataFacts& facts,
                     const Columns&) {
    if (parameter != "alphabet" || rule != "auto")
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
    const Index length = a.integer("length");
    const Index mismatches = a.integer("mismatches");
    if (mismatches >= length)
        fail(Status::invalid_kernel, "mismatch: mismatches = ", mismatches,
             " must be less than length = ", length);
    return make_string_kernel(Mismatch(length, mismatches, a.integer("alphabet")));
}

}  // namespace

KernelEntry mismatch_kernel() {
    ParameterSpec alphabet =
        integer_parameter("alphabet", 2, 2, 1114112,
                          "The number of different characters; auto counts those of the training strings.");
    alphabet.default_value = "auto";
    return {
        .name = "mismatch",
        .doc = "The spectrum kernel where substrings may differ in some characters.",
        .reference = "Leslie, Eskin, Cohen, Weston, Noble, Mismatch string kernels, Bioinformatics 20, 2004",
        .facts = {.data = {DataKind::strings},
                  .positive_semidefinite = "always",
                  .constant_diagonal = "never",
                  .differentiable = "never"},
        .parameters = {integer_parameter("length", 3, 1, 100, "The number of characters of a substring."),
                       integer_parameter("mismatches", 1, 0, 99,
                                         "How many characters may differ; less than length."),
                       std::move(alphabet)},
        .make = make_mismatch,
        .found_by_rule = find_alphabet};
}

}  // namespace dk
