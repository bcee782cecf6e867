// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace dk {

/// The sets of vector instructions that hot loops are compiled for, from the slowest to the fastest.
enum class Instructions { portable, ssse3, neon, avx2, avx512 };

std::string_view name_of(Instructions instructions);

/// Gives the best instructions of this processor, or the set that the environment variable DK_INSTRUCTIONS
/// names (portable, ssse3, neon, avx2, avx512) where the processor has it. The variable is read once. All
/// sets but portable and ssse3 have fused multiply-add, and give the same bits.
Instructions instructions();

/// The compiled forms of a loop by Instructions, with null where the compiler makes none.
template <typename Function>
using CompiledForms = std::array<Function, 5>;

/// Gives the best form that instructions() allow. When the whole library is compiled for better instructions
/// than these, no form remains, and the function gives the least demanding one.
template <typename Function>
Function chosen(const CompiledForms<Function>& forms) {
    Function least = nullptr;
    for (std::size_t i = forms.size(); i-- > 0;) {
        if (forms[i] == nullptr) continue;
        if (i <= static_cast<std::size_t>(instructions())) return forms[i];
        least = forms[i];
    }
    return least;
}

}  // namespace dk
