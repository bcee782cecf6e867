// SPDX-License-Identifier: Apache-2.0
// The first byte chooses how the rest is read as a file of comma-separated values.
#include "harness.hpp"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    static constexpr const char* options[] = {"format=csv",
                                              "format=csv header=yes missing=keep",
                                              "format=csv header=no label=0",
                                              "format=csv delimiter=; label=-1",
                                              "format=csv delimiter=tab missing=keep label=none",
                                              "format=csv delimiter=space ignore=0",
                                              "format=csv header=yes label=a ignore=b,-1",
                                              "format=auto",
                                              "format=csv missing=keep"};
    dk_fuzz::Choices choices(bytes, size);
    const char* chosen = choices.of(options);
    dk_fuzz::read_as(chosen, choices.rest_bytes());
    return 0;
}
