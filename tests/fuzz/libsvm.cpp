// SPDX-License-Identifier: Apache-2.0
// The bytes are a file in the format of LIBSVM.
#include "harness.hpp"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    dk_fuzz::read_as("format=libsvm", {bytes, size});
    return 0;
}
