// SPDX-License-Identifier: Apache-2.0
#include "matrix/instructions.hpp"

#include <cstdlib>

namespace dk {

namespace {

constexpr std::array all{Instructions::portable, Instructions::ssse3, Instructions::neon, Instructions::avx2,
                         Instructions::avx512};

Instructions best_of_processor() {
#if defined(__x86_64__)
    // Highway compiles for groups of instructions, and each of these groups needs the one before it.
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("ssse3")) return Instructions::portable;
    if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("sse4.2") ||
        !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("aes") ||
        !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2"))
        return Instructions::ssse3;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw"))
        return Instructions::avx2;
    return Instructions::avx512;
#elif defined(__aarch64__)
    return Instructions::neon;
#else
    return Instructions::portable;
#endif
}

Instructions allowed() {
    const Instructions best = best_of_processor();
    const char* const limit =
        std::getenv("DK_INSTRUCTIONS");  // NOLINT(concurrency-mt-unsafe): it is only read
    if (limit == nullptr) return best;
    for (const Instructions each : all) {
        if (name_of(each) == limit && each <= best) return each;
    }
    return best;
}

}  // namespace

std::string_view name_of(Instructions instructions) {
    switch (instructions) {
        case Instructions::portable:
            return "portable";
        case Instructions::ssse3:
            return "ssse3";
        case Instructions::neon:
            return "neon";
        case Instructions::avx2:
            return "avx2";
        case Instructions::avx512:
            return "avx512";
    }
    return "";
}

Instructions instructions() {
    static const Instructions chosen_once = allowed();
    return chosen_once;
}

}  // namespace dk
