// SPDX-License-Identifier: Apache-2.0
// This test expects a test for every function of dk.h: each one declared there is named in a file of this
// directory.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

namespace {

std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file.good()) << path;
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

constexpr std::string_view name_letters = "abcdefghijklmnopqrstuvwxyz0123456789_";

/// Gives the names dk_... in a text.
std::set<std::string> names_in(std::string_view text) {
    std::set<std::string> names;
    for (std::size_t at = text.find("dk_"); at != std::string_view::npos; at = text.find("dk_", at)) {
        const std::size_t end = std::min(text.find_first_not_of(name_letters, at), text.size());
        names.emplace(text.substr(at, end - at));
        at = end;
    }
    return names;
}

/// Gives the functions that a header declares with DK_API, each as the last name before the bracket that
/// opens.
std::set<std::string> declared(const std::string& header) {
    constexpr std::string_view marker = "\nDK_API ";
    std::set<std::string> names;
    for (std::size_t at = header.find(marker); at != std::string::npos; at = header.find(marker, at + 1)) {
        const std::size_t bracket = header.find('(', at);
        const std::size_t before = header.find_last_not_of(name_letters, bracket - 1);
        names.insert(header.substr(before + 1, bracket - before - 1));
    }
    return names;
}

/// Gives all names in the tests here, this file left out.
std::set<std::string> mentioned() {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(DK_ABI_TEST_DIR)) {
        if (entry.path().extension() != ".cpp" || entry.path().filename() == "header_functions_test.cpp") {
            continue;
        }
        names.merge(names_in(content_of(entry.path())));
    }
    return names;
}

TEST(HeaderFunctions, AllAreTested) {
    const std::set<std::string> functions = declared(content_of(DK_HEADER_PATH));
    // This is half of what 0.1 declares. A search that finds nothing would be content with everything.
    ASSERT_GT(functions.size(), 35U);
    ASSERT_EQ(functions.count("dk_gram_product"), 1U);
    const std::set<std::string> tested = mentioned();
    for (const std::string& function : functions) {
        EXPECT_EQ(function.rfind("dk_", 0), 0U) << function;
        EXPECT_EQ(tested.count(function), 1U) << function << " is declared in dk.h and in no test";
    }
}

}  // namespace
