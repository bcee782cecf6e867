// SPDX-License-Identifier: Apache-2.0
// docs/ARCHITECTURE.md says which folder may include which, and this test follows the includes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace dk::test::layering_test {
namespace {

namespace fs = std::filesystem;

/// Reads the groups of folders that docs/ARCHITECTURE.md lists on one line, the highest first: "abi >
/// pipeline > ... > base". Files include files of their own folder and of lower groups.
std::vector<std::set<std::string>> floors() {
    std::ifstream stream(fs::path(DK_SOURCE_DIR).parent_path() / "docs" / "ARCHITECTURE.md");
    std::string line;
    while (std::getline(stream, line) && !line.starts_with("    abi > ")) {
    }
    std::vector<std::set<std::string>> groups(1);
    std::istringstream words(line);
    for (std::string word; words >> word;) {
        if (word == ">") {
            groups.emplace_back();
        } else {
            groups.back().insert(word.substr(0, word.find(',')));
        }
    }
    return groups;
}

/// Gives the folders that files of a folder may include besides their own.
const std::map<std::string, std::set<std::string>>& allowed_folders() {
    static const std::map<std::string, std::set<std::string>> allowed = [] {
        std::map<std::string, std::set<std::string>> table;
        const auto groups = floors();
        for (std::size_t high = 0; high < groups.size(); ++high) {
            for (const auto& folder : groups[high]) {
                table[folder];
                for (std::size_t low = high + 1; low < groups.size(); ++low)
                    table[folder].insert(groups[low].begin(), groups[low].end());
            }
        }
        return table;
    }();
    return allowed;
}

std::string folder_of(const std::string& file) {
    return file.substr(0, file.find('/'));
}

struct Include {
    std::string file;
    std::string target;
    bool quoted;
};

std::vector<std::string> source_files() {
    std::vector<std::string> files;
    const fs::path root(DK_SOURCE_DIR);
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        const auto extension = entry.path().extension();
        if (extension == ".cpp" || extension == ".hpp")
            files.push_back(entry.path().lexically_relative(root).generic_string());
    }
    std::ranges::sort(files);
    return files;
}

const std::vector<Include>& includes() {
    static const std::vector<Include> all = [] {
        std::vector<Include> found;
        for (const auto& file : source_files()) {
            std::ifstream stream(fs::path(DK_SOURCE_DIR) / file);
            for (std::string line; std::getline(stream, line);) {
                if (line.find_first_not_of(" \t") != line.find('#') ||
                    line.find("include") == std::string::npos)
                    continue;
                const auto open = line.find_first_of("<\"");
                const auto close = line.find_first_of(">\"", open == std::string::npos ? open : open + 1);
                if (close == std::string::npos) continue;
                found.push_back({file, line.substr(open + 1, close - open - 1), line[open] == '"'});
            }
        }
        return found;
    }();
    return all;
}

bool ours(const Include& include) {
    return include.quoted && include.target != "dk/dk.h";
}

TEST(Layering, TheSourcesAreFound) {
    EXPECT_GT(source_files().size(), 50U);
    EXPECT_GT(includes().size(), 200U);
    for (const auto& file : source_files()) EXPECT_TRUE(allowed_folders().contains(folder_of(file))) << file;
}

TEST(Layering, TheDocumentListsTheFoldersThatThereAre) {
    std::set<std::string> there;
    for (const auto& file : source_files()) there.insert(folder_of(file));
    std::set<std::string> listed;
    for (const auto& [folder, below] : allowed_folders()) listed.insert(folder);
    EXPECT_EQ(there, listed);
}

TEST(Layering, IncludesPointDown) {
    for (const auto& include : includes()) {
        if (!ours(include)) continue;
        const auto from = folder_of(include.file);
        const auto to = folder_of(include.target);
        EXPECT_TRUE(from == to || allowed_folders().at(from).contains(to))
            << include.file << " must not include " << include.target;
    }
}

TEST(Layering, WhatIsIncludedByAnyWayLiesBelow) {
    std::map<std::string, std::set<std::string>> direct;
    for (const auto& include : includes()) {
        if (ours(include)) direct[include.file].insert(include.target);
    }
    for (const auto& file : source_files()) {
        std::set<std::string> reached;
        std::vector<std::string> open{file};
        while (!open.empty()) {
            const std::string at = open.back();
            open.pop_back();
            for (const auto& target : direct[at]) {
                if (reached.insert(target).second) open.push_back(target);
            }
        }
        for (const auto& target : reached)
            EXPECT_TRUE(folder_of(file) == folder_of(target) ||
                        allowed_folders().at(folder_of(file)).contains(folder_of(target)))
                << file << " reaches " << target;
    }
}

/// Inside of a floor too, of two folders one lies below the other.
TEST(Layering, NoTwoFoldersIncludeEachOther) {
    const auto parent = [](const std::string& file) { return fs::path(file).parent_path().generic_string(); };
    std::map<std::pair<std::string, std::string>, std::string> between;
    for (const auto& include : includes()) {
        if (ours(include) && parent(include.file) != parent(include.target))
            between[{parent(include.file), parent(include.target)}] =
                include.file + " includes " + include.target;
    }
    EXPECT_GT(between.size(), 100U);
    for (const auto& [pair, how] : between) {
        const auto back = between.find({pair.second, pair.first});
        if (back != between.end() && pair.first < pair.second) {
            ADD_FAILURE() << how << ", but " << back->second;
        }
    }
}

TEST(Layering, FoldersAndFilesStaySmall) {
    std::map<std::string, int> files;
    for (const auto& file : source_files()) {
        ++files[fs::path(file).parent_path().generic_string()];
        std::ifstream stream(fs::path(DK_SOURCE_DIR) / file);
        const auto lines = std::count(std::istreambuf_iterator<char>(stream), {}, '\n');
        EXPECT_LE(lines, 400) << file;
    }
    for (const auto& [folder, count] : files) {
        if (folder != "kernel/family") {
            EXPECT_LE(count, 25) << folder;
        }
    }
}

/// Gives the name of the type that a line without indentation begins to define, or nothing.
std::string defined_type(const std::string& line) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "enum") words >> word;
    if (word != "class" && word != "struct" && word != "enum") return {};
    std::string name;
    words >> name >> word;
    // A declaration ends at once; a member's type has its owner before it.
    const bool defines = words && (word == "{" || word == ":" || word == "final");
    return line[0] != ' ' && defines && name.find("::") == std::string::npos ? name : std::string();
}

/// Gives the name of the type that a line without indentation declares and does not define, or nothing.
std::string declared_type(const std::string& line) {
    std::istringstream words(line);
    std::string word;
    std::string name;
    words >> word >> name;
    const bool declares = (word == "class" || word == "struct") && name.ends_with(';') && line[0] != ' ';
    return declares ? name.substr(0, name.size() - 1) : std::string();
}

/// Gives the headers by the types that a look at each line finds in them.
std::map<std::string, std::set<std::string>> headers_by_types(std::string (*type)(const std::string&)) {
    std::map<std::string, std::set<std::string>> files_of;
    for (const auto& file : source_files()) {
        if (!file.ends_with(".hpp")) continue;
        std::ifstream stream(fs::path(DK_SOURCE_DIR) / file);
        for (std::string line; std::getline(stream, line);) {
            const std::string name = line.empty() ? "" : type(line);
            if (!name.empty()) files_of[name].insert(file);
        }
    }
    return files_of;
}

/// A floor that names a type of a higher one knows it, without an include that would show it.
TEST(Layering, DeclarationsPointDown) {
    const auto defined = headers_by_types(defined_type);
    const auto declared = headers_by_types(declared_type);
    EXPECT_TRUE(declared.contains("FeatureMap"));
    for (const auto& [name, files] : declared) {
        if (!defined.contains(name)) continue;  // A part of its own file.
        const std::string to = folder_of(*defined.at(name).begin());
        for (const auto& file : files) {
            const std::string from = folder_of(file);
            EXPECT_TRUE(from == to || allowed_folders().at(from).contains(to))
                << file << " declares " << name << " of " << *defined.at(name).begin();
        }
    }
}

/// Two types of one name in two files are undefined behaviour that compilers do not see, and the linker mixes
/// them.
TEST(Layering, EveryTypeHasANameOfItsOwn) {
    const auto files_of = headers_by_types(defined_type);
    EXPECT_GE(files_of.size(), 150U) << "the types are found";
    EXPECT_TRUE(files_of.contains("KernelFacts"));
    for (const auto& [name, files] : files_of)
        EXPECT_EQ(files.size(), 1U) << name << " is in " << *files.begin() << " and " << *files.rbegin();
}

TEST(Layering, IncludesAreWrittenFromTheRoot) {
    for (const auto& include : includes()) {
        if (ours(include)) {
            EXPECT_TRUE(fs::exists(fs::path(DK_SOURCE_DIR) / include.target))
                << include.file << ": " << include.target;
        }
    }
}

TEST(Layering, OnlyTheAbiKnowsThePublicHeader) {
    for (const auto& include : includes()) {
        if (include.target.find("dk.h") != std::string::npos) {
            EXPECT_EQ(folder_of(include.file), "abi") << include.file;
        }
    }
}

TEST(Layering, OnlyModelsAndWhatReadsThemKnowJson) {
    for (const auto& include : includes()) {
        if (include.target.find("nlohmann") == std::string::npos) continue;
        // A page about a model shows what the JSON texts in it tell.
        EXPECT_TRUE(include.file == "base/report.cpp" || include.file.starts_with("model/") ||
                    include.file.starts_with("report/"))
            << include.file;
        EXPECT_TRUE(include.file.ends_with(".cpp") || include.target == "nlohmann/json_fwd.hpp")
            << include.file;
    }
}

TEST(Layering, NoFileIncludesItselfByAnyWay) {
    std::map<std::string, std::vector<std::string>> graph;
    for (const auto& include : includes()) {
        if (ours(include)) graph[include.file].push_back(include.target);
    }
    std::map<std::string, int> state;  // 1: on the way, 2: done
    std::string cycle;
    const std::function<void(const std::string&)> visit = [&](const std::string& file) {
        state[file] = 1;
        for (const auto& next : graph[file]) {
            if (state[next] == 1) cycle = file + " -> " + next;
            if (state[next] == 0) visit(next);
        }
        state[file] = 2;
    };
    for (const auto& file : source_files()) {
        if (state[file] == 0) visit(file);
    }
    EXPECT_TRUE(cycle.empty()) << cycle;
}

}  // namespace
}  // namespace dk::test::layering_test
