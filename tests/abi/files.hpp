// SPDX-License-Identifier: Apache-2.0
// This header has a directory that vanishes with the test, and writes files into it, gzip compressed or not.
#ifndef DK_TESTS_ABI_FILES_HPP
#define DK_TESTS_ABI_FILES_HPP

#include <zlib.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace dk_test {

class TemporaryDirectory {
  public:
    TemporaryDirectory() {
        std::random_device number;
        do {
            path_ = std::filesystem::temp_directory_path() / ("dk_test_" + std::to_string(number()));
        } while (!std::filesystem::create_directory(path_));
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    ~TemporaryDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    /// Names are UTF-8 on every system.
    std::string path(const std::string& name) const { return text_of(path_ / name_of(name)); }

    std::string write(const std::string& name, std::string_view content) const {
        std::ofstream file(path_ / name_of(name), std::ios::binary);
        file.write(content.data(), static_cast<std::streamsize>(content.size()));
        if (!file.flush()) throw std::runtime_error("cannot write " + path(name));
        return path(name);
    }

    std::string write_gzip(const std::string& name, std::string_view content) const {
        const auto close = [](gzFile file) { gzclose(file); };
        const std::unique_ptr<gzFile_s, decltype(close)> file(gzopen(path(name).c_str(), "wb"), close);
        const auto size = static_cast<unsigned>(content.size());
        if (!file || gzwrite(file.get(), content.data(), size) != static_cast<int>(size)) {
            throw std::runtime_error("cannot write " + path(name));
        }
        return path(name);
    }

    std::string read(const std::string& name) const {
        std::ifstream file(path_ / name_of(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

    std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(path_)) {
            found.push_back(text_of(entry.path().filename()));
        }
        return found;
    }

  private:
    static std::filesystem::path name_of(const std::string& name) {
        return std::u8string(name.begin(), name.end());
    }
    static std::string text_of(const std::filesystem::path& path) {
        const std::u8string text = path.u8string();
        return {text.begin(), text.end()};
    }

    std::filesystem::path path_;
};

}  // namespace dk_test

#endif  // DK_TESTS_ABI_FILES_HPP
