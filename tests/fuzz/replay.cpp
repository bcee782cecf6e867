// SPDX-License-Identifier: Apache-2.0
// Runs a target on all files of the directories that are named, in the order of their names, so that every
// finding that is in the corpus is a test of builds without libFuzzer too.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size);

int main(int count, char** arguments) {
    std::vector<std::filesystem::path> files;
    for (const char* directory : std::vector<const char*>(arguments + 1, arguments + count)) {
        for (const auto& entry : std::filesystem::directory_iterator(directory))
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const auto& path : files) {
        std::printf("%s\n", path.c_str());
        std::fflush(stdout);
        std::ifstream file(path, std::ios::binary);
        // The iterators' vector may be larger than the file; a sanitizer sees reads beyond a copy of the
        // exact size.
        const std::vector<char> content{std::istreambuf_iterator<char>(file), {}};
        const std::vector<uint8_t> bytes(content.begin(), content.end());
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    std::printf("%zu files\n", files.size());
    return files.empty() ? 1 : 0;
}
