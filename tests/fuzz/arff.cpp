// SPDX-License-Identifier: Apache-2.0
// The first byte chooses options, and the rest is an ARFF file.
#include "harness.hpp"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    static constexpr const char* options[] = {"format=arff",
                                              "format=arff missing=keep",
                                              "format=arff label=none ignore=0",
                                              "format=arff label=-1 dates=days",
                                              "format=auto",
                                              "format=arff unlabelled=skip groups=0"};
    dk_fuzz::Choices choices(bytes, size);
    const char* chosen = choices.of(options);
    dk_fuzz::read_as(chosen, choices.rest_bytes());
    return 0;
}
