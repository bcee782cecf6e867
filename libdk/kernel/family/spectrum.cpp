// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include "base/text.hpp"
#include "kernel/count_kernel.hpp"
#include "kernel/family.hpp"

namespace dk {

namespace {

/// Numbers substrings as they come.
class Substrings {
  public:
    explicit Substrings(Index length) : length_(length) {}

    SparseMatrix count(const StringSet& set) {
        CountCollector collector;
        for (const auto& text : set.texts) {
            const std::u32string characters = characters_of(text);
            for (Index at = 0; at + length_ <= size_of(characters); ++at) {
                auto part = characters.substr(unsigned_of(at), unsigned_of(length_));
                collector.add(numbers_.try_emplace(std::move(part), size_of(numbers_)).first->second);
            }
            collector.finish_row();
        }
        return collector.take(size_of(numbers_));
    }

  private:
    Index length_;
    std::unordered_map<std::u32string, Index> numbers_;
};

KernelPointer make_spectrum(const KernelArguments& a) {
    const auto length = static_cast<Index>(a["length"]);
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

KernelFamily spectrum_family() {
    return {.name = "spectrum",
            .doc = "number of common substrings of a length: sum over u of count(u, x) count(u, z)",
            .reference = "Leslie, Eskin, Noble, The spectrum kernel, PSB 2002",
            .data = {DataKind::strings},
            .positive_semidefinite = "always",
            .constant_diagonal = "never",
            .parameters = {integer_parameter("length", 3, 1, 1000, "characters of a substring")},
            .positional = "",
            .make = make_spectrum};
}

}  // namespace dk
