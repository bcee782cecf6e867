// SPDX-License-Identifier: Apache-2.0
#include "report/drawing/html.hpp"

#include <cmath>
#include <cstdio>

#include "base/text.hpp"
#include "base/unicode.hpp"

namespace dk {

std::string escaped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = character_bytes(text);
        const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
        text.remove_prefix(character.size());
        if (length == 0 || begins_with_control(character)) {
            out += is_blank(character[0]) ? " " : "\uFFFD";
        } else if (character == "<") {
            out += "&lt;";
        } else if (character == ">") {
            out += "&gt;";
        } else if (character == "&") {
            out += "&amp;";
        } else if (character == "\"") {
            out += "&quot;";
        } else if (character == "'") {
            out += "&#39;";
        } else {
            out += character;
        }
    }
    return out;
}

std::string shown(double value) {
    if (std::isnan(value)) return "not defined";
    if (std::isinf(value)) return value > 0 ? "infinite" : "-infinite";
    char digits[32];
    const int length = std::snprintf(digits, sizeof digits, "%.4g", value);
    std::string out(digits, static_cast<std::size_t>(length));
    // The decimal point of some locales is a comma.
    for (char& c : out) {
        if (c == ',') c = '.';
    }
    return out;
}

std::string shown_percent(double percent) {
    const double rounded = std::round(10 * percent) / 10;
    return text(rounded == 0 ? 0.0 : rounded, " %");
}

std::string shortened(std::string_view text, std::size_t most) {
    std::size_t bytes = 0;
    for (std::size_t characters = 0; bytes < text.size(); ++characters) {
        if (characters == most) return std::string(text.substr(0, bytes)) + "\u2026";
        bytes += std::max<std::size_t>(character_bytes(text.substr(bytes)), 1);
    }
    return std::string(text);
}

std::string html_of(const HtmlTable& table) {
    const auto cells = [&](const std::vector<std::string>& row, std::string_view tag) {
        std::string line = "<tr>";
        for (std::size_t c = 0; c < row.size(); ++c) {
            const bool number = c < table.numbers.size() && table.numbers[c];
            line += text("<", tag, number ? " class=\"number\">" : ">", row[c], "</", tag, ">");
        }
        return line + "</tr>\n";
    };
    std::string out = "<div class=\"wide\"><table>\n";
    if (!table.head.empty()) out += "<thead>" + cells(table.head, "th") + "</thead>\n";
    out += "<tbody>\n";
    for (const auto& row : table.rows) out += cells(row, "td");
    return out + "</tbody></table></div>\n";
}

std::string section(std::string_view title, std::string_view introduction, std::string_view content) {
    std::string out = text("<section>\n<h2>", escaped(title), "</h2>\n");
    if (!introduction.empty()) out += text("<p>", introduction, "</p>\n");
    return out + text(content, "</section>\n");
}

std::string side_by_side(std::span<const std::string> parts) {
    std::string out = "<div class=\"grid\">\n";
    for (const std::string& part : parts) out += part;
    return out + "</div>\n";
}

std::string html_page(std::string_view title, std::string_view body) {
    // The colours c0 to c9 stand out against both backgrounds at least 3 to 1, and text at least 4.5 to 1.
    static constexpr std::string_view style = R"(
:root { color-scheme: light dark; --paper: #ffffff; --card: #f6f7f9; --text: #1b1f24; --quiet: #57606a;
  --line: #c9d1d9; --grid: #e4e8ec; --good: #1a7f37; --bad: #b3261e;
  --c0: #2f6fc0; --c1: #bf5417; --c2: #2a8553; --c3: #9250ad; --c4: #a17305; --c5: #bf3b78; --c6: #28828a;
  --c7: #757521; --c8: #6464cc; --c9: #a05436; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --card: #1d2126; --text: #e6e9ec; --quiet: #a9b2bb; --line: #444c56; --grid: #2b3138;
    --good: #57c274; --bad: #ff8a80;
    --c0: #6aa5ee; --c1: #f0915c; --c2: #5cbd89; --c3: #c490dd; --c4: #d6aa45; --c5: #ee83b2; --c6: #5dbcc4;
    --c7: #b5b55c; --c8: #a0a0f5; --c9: #d99a7e; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 0.75rem 3rem; max-width: 76rem; background: var(--paper); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0 0 0.25rem; }
p { margin: 0.4rem 0; max-width: 48rem; }
.quiet, figcaption { color: var(--quiet); font-size: 0.875rem; }
.good { color: var(--good); } .bad { color: var(--bad); }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem; margin: 1rem 0; }
figure, .card { margin: 0; padding: 0.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  min-width: 0; break-inside: avoid; }
.tiles { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1rem 0; }
.tile { padding: 0.5rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
.tile b { display: block; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; margin: 0.5rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.5rem; border-bottom: 1px solid var(--grid); text-align: left; vertical-align: top; overflow-wrap: normal; }
.number { text-align: right; }
svg { display: block; width: 100%; height: auto; max-width: 34rem; font: 12px system-ui, sans-serif; }
svg text { fill: var(--text); } svg .axis { stroke: var(--quiet); } svg .rule { stroke: var(--grid); }
svg .dashed { stroke: var(--quiet); stroke-dasharray: 4 4; } svg .whisker { stroke: var(--text); stroke-width: 1.5; }
.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 0.9rem; font-size: 0.8125rem; }
.legend i { display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.35em; border-radius: 2px; }
.pictures { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.pictures img { width: 4.5rem; height: auto; image-rendering: pixelated; border: 1px solid var(--line); }
mark { background: none; color: var(--bad); font-weight: 600; text-decoration: underline; }
code { font-size: 0.9em; }
details summary { cursor: pointer; }
@media print { body { max-width: none; } section { break-inside: auto; } .wide { overflow: visible; } }
)";
    std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out += "<link rel=\"icon\" href=\"data:,\">\n";
    out += text("<title>", escaped(title), "</title>\n<style>", style, "</style>\n</head>\n<body>\n");
    return out + text(body, "</body>\n</html>\n");
}

}  // namespace dk
