// SPDX-License-Identifier: Apache-2.0
#include "data/reading/arff_header.hpp"

#include <algorithm>
#include <set>

#include "base/names/nearest_name.hpp"
#include "base/text.hpp"
#include "base/unicode.hpp"
#include "base/usable_name.hpp"
#include "data/reading/table/csv_table.hpp"

namespace dk {

bool ArffAttribute::has_level(std::string_view text) const {
    return std::ranges::binary_search(levels, text, std::ranges::less{});
}

ArffLine::ArffLine(std::string_view line, Index number, std::deque<std::string>& unescaped)
    : rest_(line), number_(number), unescaped_(unescaped) {}

bool ArffLine::at_end() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    return rest_.empty() || rest_.front() == '%';
}

bool ArffLine::accept(char mark) {
    if (at_end() || rest_.front() != mark) return false;
    rest_.remove_prefix(1);
    return true;
}

std::string_view ArffLine::word(std::string_view marks) {
    was_quoted_ = false;
    if (at_end()) return {};
    for (const char quote : {'\'', '"'}) {
        if (accept(quote)) return quoted_word(quote);
    }
    const auto end = std::min(rest_.find_first_of(marks), rest_.size());
    const std::string_view found = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return found;
}

std::string_view ArffLine::quoted_word(char quote) {
    was_quoted_ = true;
    const std::string_view marks = quote == '"' ? "\"\\" : "'\\";
    std::size_t end = rest_.find_first_of(marks);
    if (end != std::string_view::npos && rest_[end] == quote) {
        const std::string_view found = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return found;
    }
    std::string& plain = unescaped_.emplace_back();
    for (std::size_t begin = 0; end != std::string_view::npos; end = rest_.find_first_of(marks, begin)) {
        plain += rest_.substr(begin, end - begin);
        if (rest_[end] == quote) {
            rest_.remove_prefix(end + 1);
            return plain;
        }
        if (end + 1 == rest_.size()) break;
        const char escaped = rest_[end + 1];
        plain += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped == 'r' ? '\r' : escaped;
        begin = end + 2;
    }
    refuse("a quote is never closed");
}

std::string_view take_line(std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

namespace {

constexpr std::string_view blanks_in_line = " \t\r";

std::vector<std::string> levels_of(ArffLine& line) {
    std::vector<std::string> levels;
    while (!line.accept('}')) {
        if (line.at_end()) line.refuse("the list of values has no closing bracket }");
        levels.emplace_back(line.word(",}"));
        if (const std::string why = why_no_name(levels.back()); !why.empty())
            line.refuse("the value ", in_quotes(levels.back()), " ", why);
        line.accept(',');
    }
    if (levels.empty()) line.refuse("the list of values is empty");
    return levels;
}

ArffAttribute attribute_of(ArffLine& line) {
    ArffAttribute attribute{std::string(line.word(" \t\r{"))};
    if (attribute.name.empty()) line.refuse("@attribute has no name");
    if (const std::string why = why_no_name(attribute.name); !why.empty())
        line.refuse("the name ", in_quotes(attribute.name), " ", why);
    if (line.accept('{')) {
        attribute.kind = ArffKind::nominal;
        attribute.levels = levels_of(line);
        attribute.first_level = attribute.levels.front();
        std::ranges::sort(attribute.levels);
        return attribute;
    }
    const std::string kind = lower_case(line.word(blanks_in_line));
    if (kind == "numeric" || kind == "real" || kind == "integer") return attribute;
    if (kind == "string") {
        attribute.kind = ArffKind::string;
    } else if (kind == "date") {
        attribute.kind = ArffKind::date;
    } else {
        line.refuse("attribute ", in_quotes(attribute.name), " is ", in_quotes(kind),
                    ", expected numeric, real, integer, string, date or values in {}");
    }
    return attribute;
}

/// Reads the option -C of MEKA that may stand in the name of a relation.
Index label_attributes_of(std::string_view relation) {
    const auto colon = relation.find(": ");
    const auto option = colon == std::string_view::npos ? colon : relation.find("-C ", colon);
    if (option == std::string_view::npos) return 0;
    const std::string_view value = trimmed(relation.substr(option + 3));
    return parse_integer(value.substr(0, value.find(' '))).value_or(0);
}

}  // namespace

ArffHeader read_arff_header(std::string_view content, Control& control) {
    Polls polls(control);
    std::deque<std::string> unescaped;
    std::set<std::string> names;
    ArffHeader header;
    while (!content.empty()) {
        const std::string_view text = take_line(content);
        polls.step(std::ssize(text) + 1);
        ArffLine line(text, ++header.lines, unescaped);
        if (line.at_end()) continue;
        const std::string word = lower_case(line.word(blanks_in_line));
        if (word == "@data") {
            header.data = content;
            if (header.attributes.empty()) line.refuse("there is no @attribute before @data");
            return header;
        }
        if (word == "@attribute") {
            header.attributes.push_back(attribute_of(line));
            const std::string& name = header.attributes.back().name;
            if (!names.insert(name).second) line.refuse("the name ", in_quotes(name), " stands twice");
        } else if (word == "@relation") {
            header.label_attributes = label_attributes_of(line.word(""));
        } else {
            line.refuse("expected @relation, @attribute or @data, found ", in_quotes(word));
        }
    }
    fail(Status::invalid_data, "the file has no line @data, behind which the rows of an ARFF file stand");
}

double take_arff_weight(ArffLine& line) {
    if (!line.accept('{')) return 1;
    const std::string_view word = line.word("}");
    const auto weight = parse_number(word);
    if (!weight || *weight < 0 || !line.accept('}') || !line.at_end())
        line.refuse("a row ends with ", in_quotes(word), ", expected a weight of at least 0 in brackets {}");
    return *weight;
}

void require_level(const ArffLine& line, const ArffAttribute& attribute, std::string_view text) {
    if (attribute.kind != ArffKind::nominal || attribute.has_level(text)) return;
    line.refuse(in_quotes(attribute.name), " is ", in_quotes(text),
                ", which is none of its values; nearest is ",
                in_quotes(nearest_name(text, attribute.levels)));
}

}  // namespace dk
