// SPDX-License-Identifier: Apache-2.0
// These tests read dk.h: each function that it declares is named in a test of this directory, it names no
// machine outside its example, and what is experimental stands last.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "handles.hpp"

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

constexpr std::string_view example_begins = "\n * Example\n";
constexpr std::string_view example_ends = "\n *     }\n";
constexpr std::string_view fence = "\n * Experimental: may change or go in any version.\n";

/// Gives the words of a text. A file's ending such as .svm is another word than svm.
std::set<std::string> words_in(std::string_view text) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
    std::set<std::string> words;
    std::size_t end = 0;
    for (std::size_t at = text.find_first_of(letters); at != std::string_view::npos;
         at = text.find_first_of(letters, end)) {
        end = std::min(text.find_first_not_of(letters, at), text.size());
        const std::string_view word = text.substr(at, end - at);
        words.emplace(word.substr(0, word.find_last_not_of('.') + 1));
    }
    return words;
}

TEST(Header, NamesNoMachineOutsideItsExample) {
    std::string header = content_of(DK_HEADER_PATH);
    const std::size_t begin = header.find(example_begins);
    const std::size_t end = header.find(example_ends, begin);
    ASSERT_NE(end, std::string::npos);
    EXPECT_EQ(words_in(header.substr(begin, end - begin)).count("svm"), 1U);
    header.erase(begin, end - begin);
    const std::set<std::string> words = words_in(header);
    ASSERT_EQ(words.count("dk_describe"), 1U);
    const auto description = nlohmann::json::parse(dk_test::text_of(dk_describe));
    ASSERT_FALSE(description.at("machines").empty());
    for (const auto& machine : description.at("machines")) {
        const std::string name = machine.at("name");
        EXPECT_EQ(words.count(name), 0U) << name << " stands in dk.h; its entry in dk_describe can say more";
    }
}

TEST(Header, EndsWithWhatIsExperimental) {
    const std::string header = content_of(DK_HEADER_PATH);
    const std::size_t at = header.find(fence);
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(header.find(fence, at + 1), std::string::npos)
        << "there is one fence, and it ends with the file";
    const std::set<std::string> stable = declared(header.substr(0, at));
    const std::set<std::string> experimental = declared(header.substr(at));
    const std::size_t begin = header.find(example_begins);
    for (const std::string& used : names_in(header.substr(begin, header.find(example_ends, begin) - begin))) {
        EXPECT_EQ(experimental.count(used), 0U) << used << " is shown first";
    }
    EXPECT_EQ(stable.count("dk_gram_product"), 1U);
    EXPECT_EQ(experimental.count("dk_explain_row"), 1U);
    EXPECT_EQ(stable.size() + experimental.size(), declared(header).size());
}

}  // namespace
