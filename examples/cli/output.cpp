// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "control.hpp"
#include "system.hpp"

namespace command {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
    const std::string name = path.empty() ? "to standard output" : "'" + path + "'";
    throw std::runtime_error("cannot write " + name + ": " + std::strerror(error));
}

template <typename Number>
void write_number(std::FILE* file, Number value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    (void)std::fwrite(digits, 1, static_cast<size_t>(end - digits), file);
}

}  // namespace

Output::Output(const std::string& path) : path_(path) {
    if (path.empty()) return;
    const auto status = std::filesystem::status(path_of(path));
    const bool exists = std::filesystem::exists(status);
    // A link stays, and the file that it leads to is written.
    if (exists) path_ = name_of(std::filesystem::canonical(path_of(path)));
    // A pipe or a device is written to directly: renaming a file onto it would replace it.
    if (!exists || std::filesystem::is_regular_file(status)) {
        temporary_path_ = path_ + "." + std::to_string(getpid()) + ".tmp";
        set_unfinished_file(temporary_path_);
    }
    file_ = open_to_write(temporary_path_.empty() ? path_ : temporary_path_);
    if (file_ == nullptr) fail(path, errno);
    (void)std::setvbuf(file_, nullptr, _IOFBF, size_t{1} << 20);
}

Output::~Output() {
    if (path_.empty() || file_ == nullptr) return;
    (void)std::fclose(file_);
    if (!temporary_path_.empty()) remove_file(temporary_path_.c_str());
    set_unfinished_file("");
}

void Output::text(std::string_view text) {
    (void)std::fwrite(text.data(), 1, text.size(), file_);
}
void Output::number(double value) {
    write_number(file_, value);
}
void Output::number(float value) {
    write_number(file_, value);
}

void Output::field(const std::string& value) {
    if (value.find_first_of(",\"\r\n") == std::string::npos) return text(value);
    std::string quoted = "\"";
    for (const char byte : value) quoted += byte == '"' ? std::string("\"\"") : std::string(1, byte);
    text(quoted + '"');
}

void Output::commit() {
    if (std::fflush(file_) != 0 || std::ferror(file_) != 0) fail(path_, errno);
    if (path_.empty()) return;
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail(path_, errno);
    if (!temporary_path_.empty() && !take_place(temporary_path_, path_)) {
        const int error = errno;
        remove_file(temporary_path_.c_str());
        fail(path_, error);
    }
    set_unfinished_file("");
}

void require_writable(const std::string& path) {
    if (path.empty()) return;
    if (std::filesystem::is_directory(path_of(path))) fail(path, EISDIR);
    const std::string folder = name_of(path_of(path).parent_path());
    if (!can_write_in(folder.empty() ? "." : folder)) fail(path, errno);
}

void require_readable(const std::string& path) {
    if (path == "-") return;  // Standard input.
    if (!can_read(path)) throw std::runtime_error("cannot open '" + path + "': " + std::strerror(errno));
}

}  // namespace command
