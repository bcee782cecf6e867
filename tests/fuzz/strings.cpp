// SPDX-License-Identifier: Apache-2.0
// The bytes are a file of strings.
#include "harness.hpp"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    dk_fuzz::read_as("format=strings", {bytes, size});
    return 0;
}
