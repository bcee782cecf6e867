// SPDX-License-Identifier: Apache-2.0
// A prototype of texts is a set of training texts t_i with weights a_i. What tells two prototypes a and b
// apart are the pieces p of three characters whose shares differ most:
//
//     d(p) = sum over texts that have p of (a_i / sum a - b_i / sum b).
//
//     letters    code
//     a, b       own, other
//     d(p)       StringPiece::difference
#include "report/string_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.hpp"
#include "data/characters.hpp"
#include "report/drawing/html.hpp"

namespace dk {

namespace {

constexpr std::size_t piece_length = 3;
constexpr std::size_t most_shown_characters = 120;
constexpr std::size_t most_text_bytes = 1'000'000;

std::set<std::u32string> pieces_of(std::string_view text) {
    const std::u32string characters = characters_of(text);
    std::set<std::u32string> pieces;
    for (std::size_t at = 0; at + piece_length <= characters.size(); ++at)
        pieces.insert(characters.substr(at, piece_length));
    return pieces;
}

}  // namespace

std::vector<StringPiece> telling_pieces(const StringSet& strings, const ConstVectorRef& own,
                                        const ConstVectorRef& other, std::size_t most, Control& control) {
    const Vector weights = own / own.sum() - other / other.sum();
    std::size_t bytes = 0;
    for (Index i = 0; i < strings.rows(); ++i) {
        if (weights[i] != 0) bytes += strings.texts[i].size();
    }
    constexpr double bytes_a_piece = 128;  // There are no more pieces than bytes.
    if (bytes > most_text_bytes) return {};
    control.memory().require(bytes_a_piece * static_cast<double>(bytes), "the pieces of texts of a report");
    std::map<std::u32string, double> differences;
    for (Index i = 0; i < strings.rows(); ++i) {
        if (weights[i] == 0) continue;
        control.check();
        for (const std::u32string& piece : pieces_of(strings.texts[i])) differences[piece] += weights[i];
    }
    std::vector<StringPiece> pieces;
    for (const auto& [characters, difference] : differences) {
        if (std::abs(difference) > 1e-12) pieces.push_back({characters, difference});
    }
    std::ranges::stable_sort(pieces, std::ranges::greater{},
                             [](const StringPiece& piece) { return std::abs(piece.difference); });
    if (pieces.size() > most) pieces.resize(most);
    return pieces;
}

std::string with_pieces_marked(std::string_view text, std::span<const StringPiece> pieces) {
    const std::string beginning = shortened(text, most_shown_characters);
    const std::u32string characters = characters_of(beginning);
    std::vector<bool> marked(characters.size(), false);
    for (const StringPiece& piece : pieces) {
        if (piece.difference <= 0) continue;
        for (std::size_t at = characters.find(piece.characters); at != std::u32string::npos;
             at = characters.find(piece.characters, at + 1))
            std::fill_n(marked.begin() + static_cast<std::ptrdiff_t>(at), piece.characters.size(), true);
    }
    std::string out = "<code>";
    for (std::size_t begin = 0; begin < characters.size();) {
        std::size_t end = begin;
        while (end < characters.size() && marked[end] == marked[begin]) ++end;
        const std::string run = escaped(text_of(characters.substr(begin, end - begin)));
        out += marked[begin] ? dk::text("<mark>", run, "</mark>") : run;
        begin = end;
    }
    return out + "</code>";
}

}  // namespace dk
