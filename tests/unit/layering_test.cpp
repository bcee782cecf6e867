// SPDX-License-Identifier: Apache-2.0
// Who may include whom: data -> kernels -> weights -> machine -> model goes down these folders only.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace dk::test {
namespace {

namespace fs = std::filesystem;

/// The folders that files of a folder may include besides their own.
const std::map<std::string, std::set<std::string>>& allowed_folders() {
    static const std::map<std::string, std::set<std::string>> allowed{
        {"base", {}},
        {"data", {"base"}},
        {"solve", {"base"}},
        {"kernel", {"base", "data", "solve"}},
        {"weights", {"base", "data", "kernel", "solve"}},
        {"prototype", {"base", "data", "kernel"}},
        {"model", {"base", "data", "kernel", "prototype", "solve"}},
        {"machine", {"base", "data", "kernel", "model", "solve"}},
        {"pipeline", {"base", "data", "kernel", "machine", "model", "weights"}},
        {"abi", {"base", "data", "kernel", "model", "pipeline"}},
    };
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

TEST(Layering, IncludesPointDown) {
    for (const auto& include : includes()) {
        if (!ours(include)) continue;
        const auto from = folder_of(include.file);
        const auto to = folder_of(include.target);
        EXPECT_TRUE(from == to || allowed_folders().at(from).contains(to))
            << include.file << " must not include " << include.target;
    }
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
    const std::set<std::string> readers{"model", "machine", "pipeline", "abi"};
    for (const auto& include : includes()) {
        if (include.target.find("nlohmann") != std::string::npos) {
            EXPECT_TRUE(readers.contains(folder_of(include.file))) << include.file;
        }
    }
}

TEST(Layering, TheTableItselfHasNoCycles) {
    // a folder comes after all that it may include
    std::set<std::string> placed;
    for (bool progress = true; progress;) {
        progress = false;
        for (const auto& [folder, below] : allowed_folders()) {
            if (placed.contains(folder) ||
                !std::ranges::all_of(below, [&](const auto& b) { return placed.contains(b); }))
                continue;
            placed.insert(folder);
            progress = true;
        }
    }
    EXPECT_EQ(placed.size(), allowed_folders().size());
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
}  // namespace dk::test
