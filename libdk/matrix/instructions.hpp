// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace dk {

/// The vector instructions that hot loops are compiled for, the later ones the faster.
enum class Instructions { portable, ssse3, neon, avx2, avx512 };

std::string_view name_of(Instructions instructions);

/// The best instructions of this processor, or what the environment variable DK_INSTRUCTIONS (portable,
/// ssse3, neon, avx2, avx512) allows of them; it is read once. All but portable and ssse3 have fused
/// multiply-add and give the same bits.
Instructions instructions();

/// A loop's compiled forms by Instructions; null where the compiler makes none.
template <typename Function>
using CompiledForms = std::array<Function, 5>;

/// The best form that these instructions allow. Where none is left, which is so when the whole library was
/// compiled for more than they are, it is the least demanding one.
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
