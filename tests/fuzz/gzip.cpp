// SPDX-License-Identifier: Apache-2.0
// The first byte chooses a format, and the rest is the compressed file. A file with the first bytes of gzip
// alone is decompressed, so these are put in place.
#include <algorithm>

#include "harness.hpp"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    static constexpr const char* options[] = {"format=csv", "format=libsvm", "format=series",
                                              "format=strings", "format=auto"};
    dk_fuzz::Choices choices(bytes, size);
    const char* chosen = choices.of(options);
    const auto rest = choices.rest_bytes();
    std::vector<uint8_t> file(rest.begin(), rest.end());
    constexpr uint8_t first[] = {0x1f, 0x8b};
    std::copy_n(first, std::min(file.size(), std::size(first)), file.begin());
    dk_fuzz::read_as(chosen, file);
    return 0;
}
