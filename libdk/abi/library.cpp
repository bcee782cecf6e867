// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>

#include "abi/guard.hpp"
#include "base/threads/openmp_threads.hpp"
#include "base/version.hpp"
#include "matrix/instructions.hpp"

using namespace dk;
using namespace dk::abi;

const char* dk_version_string(void) {
    return version_string;
}

int32_t dk_version_number(void) {
    return DK_VERSION_MAJOR * 10000 + DK_VERSION_MINOR * 100 + DK_VERSION_PATCH;
}

const char* dk_build_info(void) {
    // The text stands in memory that is there, since the function has no status that tells where it ends.
    struct Info {
        std::array<char, 256> text{};
        Info() noexcept {
            const auto chosen = name_of(instructions());
            static_cast<void>(std::snprintf(
                text.data(), text.size(), "libdk %s, g++ %s, %.*s instructions, %s", version_string,
                __VERSION__, static_cast<int>(chosen.size()), chosen.data(), parallel_loops_run_on()));
        }
    };
    static const Info info;
    return info.text.data();
}

dk_status dk_describe(char* out, int64_t capacity, int64_t* needed) {
    return guarded([&] { write_text(describe(), out, capacity, needed); });
}
