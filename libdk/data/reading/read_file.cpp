// SPDX-License-Identifier: Apache-2.0
#include "data/reading/read_file.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/memory_hold.hpp"
#include "data/reading/file_bytes.hpp"
#include "data/reading/file_options.hpp"
#include "data/reading/readers.hpp"
#include "data/reading/table/csv_table.hpp"

namespace dk {

void FileContent::grow(std::size_t capacity, const MemoryBudget& budget) {
    budget.require(1.0 * capacity + bytes_.size(), text("a file of more than ", size_, " bytes"));
    LargeArray<char> larger(capacity);
    std::copy_n(bytes_.data(), size_, larger.data());
    bytes_ = std::move(larger);
}

FileContent read_content(const std::string& path, Control& control) {
    FileBytes file(path);
    FileContent content;
    content.grow(file.size_on_disk() + 1, control.memory());
    while (true) {
        control.check();
        if (content.room().empty()) content.grow(2 * content.size(), control.memory());
        constexpr std::size_t most_at_once = std::size_t{1} << 22U;
        const auto piece = content.room().first(std::min(content.room().size(), most_at_once));
        const std::size_t count = file.read(piece);
        content.take(count);
        if (count < piece.size()) return content;
    }
}

std::string_view without_byte_order_mark(std::string_view content) {
    if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
    return content;
}

namespace {

/// Refuses a file that is not text, which most often shows by a zero byte.
void require_text(std::string_view content) {
    const auto zero = content.find('\0');
    if (zero == std::string_view::npos) return;
    const auto line = 1 + std::ranges::count(content.substr(0, zero), '\n');
    fail(Status::invalid_data, "line ", line, " has a zero byte; this is no text file");
}

/// Writes a text of Latin-1 as UTF-8.
FileContent utf8_of_latin1(std::string_view content, Control& control) {
    const auto wide = std::ranges::count_if(content, [](char c) { return static_cast<signed char>(c) < 0; });
    FileContent utf8;
    utf8.grow(content.size() + wide + 1, control.memory());
    char* out = utf8.room().data();
    for (const char c : content) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            *out++ = c;
        } else {
            *out++ = static_cast<char>(0xC0U | (byte >> 6U));
            *out++ = static_cast<char>(0x80U | (byte & 0x3FU));
        }
    }
    utf8.take(content.size() + wide);
    return utf8;
}

FileLook look_of(std::string_view path, std::string_view content) {
    std::string name = lower_case(path);
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    return {std::move(name), content};
}

}  // namespace

Dataset read_file(const std::string& path, std::string_view options, const EarlierFile& earlier,
                  Control& control) {
    const FileOptions read = file_options(options, earlier);
    FileContent file = read_content(path, control);
    MemoryHold memory(control, file.capacity(), "the content of the file");
    if (read.is_latin1) {
        file = utf8_of_latin1(file.view(), control);
        memory = MemoryHold(control, file.capacity(), "the content of the file in UTF-8");
    }
    const std::string_view content = without_byte_order_mark(file.view());
    const Reader& reader = read.format == "auto" ? reader_of(look_of(path, content), read.earlier_format)
                                                 : *find_reader(read.format);
    try {
        require_text(content);
        Dataset data = reader.parse(content, read.reading, control);
        data.reading = options_to_keep(read, reader.name, data.reading);
        return data;
    } catch (const Error& error) {
        fail(error.status(), in_quotes(path), ": ", error.what());
    }
}

}  // namespace dk
