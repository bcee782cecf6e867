// SPDX-License-Identifier: Apache-2.0
#include "output/terminal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <regex>
#include <sstream>

namespace command {
namespace {

constexpr char kEllipsis[] = "\u2026";

struct Range {
    char32_t first, last;
};

constexpr bool in_any(char32_t character, const auto& ranges) {
    return std::ranges::any_of(
        ranges, [&](const Range& range) { return range.first <= character && character <= range.last; });
}

// The blocks of Unicode whose characters take two columns (Unicode Standard Annex 11), without rare ones.
constexpr std::array<Range, 9> kWide{{{0x1100, 0x115F},
                                      {0x2E80, 0xA4CF},
                                      {0xAC00, 0xD7A3},
                                      {0xF900, 0xFAFF},
                                      {0xFE30, 0xFE6F},
                                      {0xFF00, 0xFF60},
                                      {0xFFE0, 0xFFE6},
                                      {0x1F300, 0x1FAFF},
                                      {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 3> kCombining{{{0x0300, 0x036F}, {0x200B, 0x200F}, {0xFE00, 0xFE0F}}};

size_t columns_of_character(char32_t character) {
    if (in_any(character, kCombining)) return 0;
    return in_any(character, kWide) ? 2 : 1;
}

// Takes the first character of UTF-8 from a text. Bytes that are no UTF-8 count as one character each.
char32_t take_character(std::string_view& text) {
    const auto first = static_cast<unsigned char>(text.front());
    const size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    char32_t character = length == 1 ? first : first & (0xFFU >> (length + 1));
    size_t taken = 1;
    while (taken < length && taken < text.size() && (text[taken] & 0xC0) == 0x80) {
        character = character << 6U | (static_cast<unsigned char>(text[taken++]) & 0x3FU);
    }
    text.remove_prefix(taken);
    return character;
}

// U+0080 to U+009F are control characters too: some terminals take U+009B for an escape and a bracket.
bool is_control(char32_t character) {
    return character < 0x20 || (character >= 0x7F && character < 0xA0);
}

// What no-color.org asks for.
bool has_colours(Stream stream) {
    const char* refused = std::getenv("NO_COLOR");
    return has_sequences(stream) && (refused == nullptr || *refused == '\0');
}

}  // namespace

bool has_sequences(Stream stream) {
    const char* terminal = std::getenv("TERM");
    return terminal_columns(stream) > 0 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

size_t columns_of_line(Stream stream) {
    const size_t columns = terminal_columns(stream);
    const char* wanted = std::getenv("COLUMNS");
    if (columns == 0 || wanted == nullptr) return columns;
    size_t number = 0;
    const std::string_view text(wanted);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool usable = error == std::errc() && end == text.data() + text.size() && number > 0;
    return usable ? number : columns;
}

size_t columns_of(std::string_view text) {
    size_t columns = 0;
    while (!text.empty()) columns += columns_of_character(take_character(text));
    return columns;
}

std::string shortened(const std::string& text, size_t columns) {
    if (columns_of(text) <= columns) return text;
    if (columns == 0) return "";
    size_t used = 1;  // The ellipsis.
    std::string_view rest = text;
    while (!rest.empty()) {
        std::string_view behind = rest;
        used += columns_of_character(take_character(behind));
        if (used > columns) break;
        rest = behind;
    }
    return text.substr(0, text.size() - rest.size()) + kEllipsis;
}

std::vector<std::string> wrapped(const std::string& text, size_t columns) {
    if (columns == 0 || columns_of(text) <= columns) return {text};
    std::vector<std::string> lines(1);
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        std::string& line = lines.back();
        if (!line.empty() && columns_of(line) + 1 + columns_of(word) > columns) {
            lines.push_back(word);
        } else {
            line += (line.empty() ? "" : " ") + word;
        }
    }
    for (std::string& line : lines) line = shortened(line, columns);
    return lines;
}

std::string with_short_numbers(const std::string& text) {
    static const std::regex number("[0-9]+\\.[0-9]{4,}(e[-+]?[0-9]+)?");
    std::string result;
    auto rest = text.cbegin();
    for (std::sregex_iterator match(text.begin(), text.end(), number), end; match != end; ++match) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.4g", std::strtod(match->str().c_str(), nullptr));
        result.append(rest, text.cbegin() + match->position()).append(digits);
        rest = text.cbegin() + match->position() + match->length();
    }
    return result.append(rest, text.cend());
}

std::string printable(std::string_view text) {
    std::string shown;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view before = rest;
        const char32_t character = take_character(rest);
        if (is_control(character)) {
            shown += '?';
        } else {
            shown += before.substr(0, before.size() - rest.size());
        }
    }
    return shown;
}

std::string toned(Tone tone, const std::string& text, Stream stream) {
    if (tone == Tone::plain || text.empty() || !has_colours(stream)) return text;
    const char* code = tone == Tone::heading ? "1" : tone == Tone::best ? "1;32" : "33";
    return std::string("\033[") + code + "m" + text + "\033[0m";
}

void warn(const std::string& message) {
    static constexpr std::string_view mark = "warning:";
    const std::string line = "dk: " + std::string(mark) + ' ' + printable(message);
    std::string shown;
    for (const std::string& part : wrapped(line, columns_of_line(Stream::error))) shown += part + '\n';
    const size_t at = shown.find(mark);
    if (at != std::string::npos)
        shown.replace(at, mark.size(), toned(Tone::warning, std::string(mark), Stream::error));
    std::fputs(shown.c_str(), stderr);
}

}  // namespace command
