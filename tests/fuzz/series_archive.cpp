// SPDX-License-Identifier: Apache-2.0
// The first byte chooses the archive and options, and the rest is one of its files.
#include "harness.hpp"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    static constexpr const char* options[] = {
        "format=ts",           "format=ucr",  "format=ts unlabelled=skip",
        "format=ucr label=-1", "format=auto", "format=ucr label=none"};
    dk_fuzz::Choices choices(bytes, size);
    const char* chosen = choices.of(options);
    dk_fuzz::read_as(chosen, choices.rest_bytes());
    return 0;
}
