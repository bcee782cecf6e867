// SPDX-License-Identifier: Apache-2.0
#include "abi/guard.hpp"
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
    static const std::string info =
        text("libdk ", version_string, ", g++ ", __VERSION__, ", ", name_of(instructions()), " instructions");
    return info.c_str();
}

dk_status dk_describe(char* out, int64_t capacity, int64_t* needed) {
    return guarded([&] { write_text(describe(), out, capacity, needed); });
}
