// SPDX-License-Identifier: Apache-2.0
#include "output/table.hpp"

#include <algorithm>
#include <numeric>

namespace command {
namespace {

constexpr size_t kGap = 2;        // Between two columns.
constexpr size_t kLeastText = 8;  // Texts are not cut to less before columns are left out.

size_t total_of(const std::vector<size_t>& widths, size_t shown) {
    const auto end = widths.begin() + static_cast<std::ptrdiff_t>(shown);
    return std::accumulate(widths.begin(), end, size_t{0}) + kGap * (shown > 0 ? shown - 1 : 0);
}

// Narrows the widest column of those that may be narrowed until the sum fits. Tells whether it does.
bool narrow(std::vector<size_t>& widths, const std::vector<bool>& may, size_t least, size_t room) {
    for (size_t total = total_of(widths, widths.size()); total > room; --total) {
        size_t widest = widths.size();
        for (size_t c = 0; c < widths.size(); ++c) {
            if (may[c] && widths[c] > least && (widest == widths.size() || widths[c] > widths[widest]))
                widest = c;
        }
        if (widest == widths.size()) return false;
        --widths[widest];
    }
    return true;
}

}  // namespace

Table::Table(const std::vector<std::string>& names) {
    for (const std::string& name : names) names_.push_back(printable(name));
}

void Table::add(const std::vector<std::string>& cells, Tone tone) {
    Row row{{}, tone};
    for (const std::string& cell : cells) row.cells.push_back(printable(cell));
    rows_.push_back(std::move(row));
}

void Table::align_right(size_t column) {
    right_.resize(std::max(right_.size(), column + 1), false);
    right_[column] = true;
}

std::vector<size_t> Table::widths() const {
    std::vector<size_t> widths;
    const auto widen = [&](const std::vector<std::string>& cells) {
        widths.resize(std::max(widths.size(), cells.size()), 0);
        for (size_t c = 0; c < cells.size(); ++c) widths[c] = std::max(widths[c], columns_of(cells[c]));
    };
    widen(names_);
    for (const Row& row : rows_) widen(row.cells);
    return widths;
}

// Writes the first `shown` cells, and an ellipsis where some are left out.
std::string Table::line(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                        size_t shown) const {
    std::string line;
    for (size_t c = 0; c < std::min(shown, cells.size()); ++c) {
        const std::string text = shortened(cells[c], widths[c]);
        const std::string padding(widths[c] - columns_of(text), ' ');
        line += (c > 0 ? std::string(kGap, ' ') : "") + (is_right(c) ? padding + text : text + padding);
    }
    if (shown < widths.size()) line += std::string(kGap, ' ') + "\u2026";
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

void Table::print(Output& output, size_t indent, LongCells long_cells) const {
    std::vector<size_t> widths = this->widths();
    const size_t columns = widths.size();
    size_t shown = columns;
    const size_t limit = columns_of_line();
    if (limit > 0) {
        const size_t room = limit > indent ? limit - indent : 1;
        std::vector<bool> texts(columns);
        for (size_t c = 0; c < columns; ++c) texts[c] = !is_right(c);
        const bool wraps = long_cells == LongCells::last_wrapped && columns > 0;
        if (wraps) {
            // The last column gets what the others leave, if that is enough to read.
            constexpr size_t readable = 24;
            const size_t others = total_of(widths, columns) - widths.back();
            if (others + readable <= room) widths.back() = std::min(widths.back(), room - others);
        }
        if (!narrow(widths, texts, kLeastText, room)) {
            while (shown > 1 && total_of(widths, shown) + kGap + 1 > room) --shown;
            if (shown == 1) widths[0] = std::min(widths[0], room > kGap + 1 ? room - kGap - 1 : 1);
        }
    }
    const std::string before(indent, ' ');
    const auto print_row = [&](const std::vector<std::string>& cells, Tone tone) {
        std::vector<std::string> further;
        std::vector<std::string> first = cells;
        if (long_cells == LongCells::last_wrapped && limit > 0 && shown == columns &&
            cells.size() == columns) {
            further = wrapped(cells.back(), widths.back());
            first.back() = further.front();
        }
        output.text(before + toned(tone, line(first, widths, shown)) + "\n");
        const size_t left = indent + total_of(widths, columns) - (columns > 0 ? widths.back() : 0);
        for (size_t i = 1; i < further.size(); ++i) output.text(std::string(left, ' ') + further[i] + "\n");
    };
    if (!names_.empty()) print_row(names_, Tone::heading);
    for (const Row& row : rows_) print_row(row.cells, row.tone);
}

void print_sentence(Output& output, const std::string& text) {
    for (const std::string& line : wrapped(text, columns_of_line())) output.text(line + "\n");
}

}  // namespace command
