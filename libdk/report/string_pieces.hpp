// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/control.hpp"
#include "data/kind/string_set.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Three characters that stand side by side, and in how many of one side's texts more than of the other's
/// they stand: a difference of two shares.
struct StringPiece {
    std::u32string characters;
    double difference;
};

/// Finds the pieces in which two weighted sets of the same texts differ most. The weights of either set are
/// taken as shares of their sum, which must not be zero. Gives nothing where the texts are very long
/// together.
std::vector<StringPiece> telling_pieces(const StringSet& strings, const ConstVectorRef& own,
                                        const ConstVectorRef& other, std::size_t most, Control& control);

/// Writes the beginning of a text as a part of a page, with the places marked where one of the pieces stands
/// that are more frequent on its own side.
std::string with_pieces_marked(std::string_view text, std::span<const StringPiece> pieces);

}  // namespace dk
