// SPDX-License-Identifier: Apache-2.0
// k(x, z) = sum_u count(u, x) count(u, z), where u runs over all strings of k characters, and count(u, x)
// says how often u occurs in x.
//
//   paper            code
//   k                length
//   phi_u(x)         count(u, x)
//
// Leslie, Eskin, Noble, The spectrum kernel: a string kernel for SVM protein classification, Pacific
// Symposium on Biocomputing 2002.
#include <unordered_map>

#include "base/text.hpp"
#include "data/characters.hpp"
#include "kernel/family/count_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey spectrum_length{"length", 3, {1, 1000}, "Substrings have this many characters."};
}  // namespace parameter

namespace {

/// Numbers the substrings in the order in which they first occur, and counts them.
class Substrings {
  public:
    explicit Substrings(Index length) : length_(length) {}

    SparseMatrix count(const StringSet& set) {
        CountCollector collector;
        for (const auto& text : set.texts) {
            const std::u32string characters = characters_of(text);
            for (Index at = 0; at + length_ <= std::ssize(characters); ++at) {
                auto part = characters.substr(at, length_);
                collector.add(numbers_.try_emplace(std::move(part), std::ssize(numbers_)).first->second);
            }
            collector.finish_row();
        }
        return collector.take(std::ssize(numbers_));
    }

  private:
    Index length_;
    std::unordered_map<std::u32string, Index> numbers_;
};

KernelPointer make_spectrum(const KernelArguments& a) {
    const Index length = a[parameter::spectrum_length];
    return make_count_kernel({text("spectrum(length=", length, ")"), DataKind::strings,
                              [length](const Dataset& left, const Dataset* right) {
                                  Substrings substrings(length);
                                  PartCounts counts;
                                  counts.left = substrings.count(left.strings());
                                  if (right) counts.right = substrings.count(right->strings());
                                  return counts;
                              }});
}

}  // namespace

KernelEntry spectrum_kernel() {
    return {.name = "spectrum",
            .doc = "k(x, z) = sum over u of count(u, x) count(u, z), for all substrings u of a length.",
            .reference =
                "Leslie, Eskin, Noble, The spectrum kernel: a string kernel for SVM protein classification, "
                "Pacific Symposium on Biocomputing 2002",
            .facts = {.data = {DataKind::strings},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "never",
                      .differentiable = "never"},
            .parameters = {parameter::spectrum_length},
            .make = make_spectrum};
}

}  // namespace dk
