// SPDX-License-Identifier: Apache-2.0
// The bytes are a file in the format of LIBSVM, and one of its files of precomputed kernels.
#include "harness.hpp"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    for (const char* options :
         {"format=libsvm", "format=precomputed", "format=libsvm index_base=0 groups=none"})
        dk_fuzz::read_as(options, {bytes, size});
    return 0;
}
