// SPDX-License-Identifier: Apache-2.0
//
// Highway is used for its headers alone: what its library would tell at run time, the instructions of this
// processor, the compiler's own detection knows. So nothing of Highway is needed where libdk runs, and no
// process pays for its library's timers, which cost 2 ms at load.
#include <hwy/targets.h>

#include <cstdint>

namespace hwy {

namespace {

std::int64_t detected_targets() {
    std::int64_t targets = HWY_STATIC_TARGET;
#if HWY_ARCH_X86
    // In Highway's groups of instructions; each group needs the one before. Processors with AVX2 have
    // LZCNT and F16C, those with these of AVX-512 have the others of AVX3_DL.
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("ssse3")) return targets;
    targets |= HWY_SSSE3;
    if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("sse4.2") ||
        !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("aes")) {
        return targets;
    }
    targets |= HWY_SSE4;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2")) {
        return targets;
    }
    targets |= HWY_AVX2;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw")) {
        return targets;
    }
    targets |= HWY_AVX3;
    if (!__builtin_cpu_supports("avx512vnni") || !__builtin_cpu_supports("avx512vbmi") ||
        !__builtin_cpu_supports("avx512vbmi2") || !__builtin_cpu_supports("avx512vpopcntdq") ||
        !__builtin_cpu_supports("avx512bitalg") || !__builtin_cpu_supports("gfni") ||
        !__builtin_cpu_supports("vpclmulqdq")) {
        return targets;
    }
    targets |= HWY_AVX3_DL;
#endif
    return targets;
}

}  // namespace

std::int64_t SupportedTargets() {
    static const std::int64_t targets = detected_targets();
    return targets;
}

ChosenTarget& GetChosenTarget() {
    static ChosenTarget chosen;
    return chosen;
}

}  // namespace hwy
