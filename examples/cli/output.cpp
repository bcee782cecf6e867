// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "control.hpp"
#include "output/terminal.hpp"

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

// Tells whether a spreadsheet takes a text for a formula. A lone sign, as some classes are called, is none.
bool looks_like_formula(const std::string& value) {
    if (value.size() < 2 || std::string_view("=+-@\t\r").find(value.front()) == std::string_view::npos)
        return false;
    double number = 0;
    const char* const end = value.data() + value.size();
    return std::from_chars(value.data() + (value.front() == '+' ? 1 : 0), end, number).ptr != end;
}

}  // namespace

Output::Output(const std::string& path) : path_(path) {
    if (path.empty()) return;
    const auto status = std::filesystem::status(path_of(path));
    const bool exists = std::filesystem::exists(status);
    // A pipe or a device is written to directly: renaming a file onto it would replace it.
    if (!exists || std::filesystem::is_regular_file(status)) {
        // A link stays, and the file that it leads to is written.
        if (exists) path_ = name_of(std::filesystem::canonical(path_of(path)));
        new_ = open_beside(path_);
        file_ = new_.file;
        if (file_ != nullptr) set_unfinished_file(new_.name);
    } else {
        file_ = open_to_write(path_);
    }
    if (file_ == nullptr) fail(path, errno);
    (void)std::setvbuf(file_, nullptr, _IOFBF, size_t{1} << 20);
}

Output::~Output() {
    if (path_.empty() || file_ == nullptr) return;
    (void)std::fclose(file_);
    if (!new_.name.empty()) remove_file(new_.name.c_str());
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

void Output::field(const std::string& name) {
    std::string value = looks_like_formula(name) ? "'" + name : name;
    if (path_.empty() && terminal_columns(Stream::output) > 0) value = printable(value);
    if (value.find_first_of(",\"\r\n") == std::string::npos) return text(value);
    std::string quoted = "\"";
    for (const char byte : value) quoted += byte == '"' ? std::string("\"\"") : std::string(1, byte);
    text(quoted + '"');
}

void Output::commit() {
    if (std::fflush(file_) != 0 || std::ferror(file_) != 0) fail(path_, errno);
    if (path_.empty()) return;
    std::FILE* const written = std::exchange(file_, nullptr);
    if (new_.file != nullptr ? !take_place(new_, path_) : std::fclose(written) != 0) fail(path_, errno);
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
