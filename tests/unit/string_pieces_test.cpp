// SPDX-License-Identifier: Apache-2.0
// Pieces of text in which two weighted sets differ, against shares counted by hand.
#include "report/string_pieces.hpp"

#include <gtest/gtest.h>

namespace dk::string_pieces_test {
namespace {

TEST(StringPieces, AreThoseWhoseSharesDifferMost) {
    Control control;
    const StringSet strings{{"abc", "abcd", "xyz\u00e4", "bcdbcd", ""}};
    Vector own(5);
    own << 1, 3, 0, 0, 0;
    Vector other(5);
    other << 0, 0, 2, 1, 1;
    const std::vector<StringPiece> pieces = telling_pieces(strings, own, other, 4, control);
    // Shares of own: abc 1, bcd 3/4. Shares of other: xyz and yz\u00e4 1/2, bcd, cdb and dbc 1/4.
    ASSERT_EQ(pieces.size(), 4U);
    EXPECT_EQ(pieces[0].characters, U"abc");
    EXPECT_DOUBLE_EQ(pieces[0].difference, 1);
    EXPECT_EQ(pieces[1].characters, U"bcd");
    EXPECT_DOUBLE_EQ(pieces[1].difference, 0.5);
    EXPECT_EQ(pieces[2].characters, U"xyz");
    EXPECT_DOUBLE_EQ(pieces[2].difference, -0.5);
    EXPECT_EQ(pieces[3].characters, U"yz\u00e4");
}

TEST(StringPieces, OfEqualSetsAreNone) {
    Control control;
    const StringSet strings{{"abcd", "bcde"}};
    const Vector weights = Vector::Ones(2);
    EXPECT_TRUE(telling_pieces(strings, weights, 2 * weights, 4, control).empty());
}

TEST(StringPieces, AreMarkedWhereTheyAreMoreFrequentAndOverlap) {
    const std::vector<StringPiece> pieces = {{U"aba", 0.5}, {U"<\u00e4>", 0.4}, {U"xyz", -0.3}};
    EXPECT_EQ(with_pieces_marked("cababac xyz <\u00e4>", pieces),
              "<code>c<mark>ababa</mark>c xyz <mark>&lt;\u00e4&gt;</mark></code>");
    EXPECT_EQ(with_pieces_marked("", pieces), "<code></code>");
    std::string long_text(500, 'a');
    long_text += "aba";
    const std::string page = with_pieces_marked(long_text, pieces);
    EXPECT_EQ(page, "<code>" + std::string(120, 'a') + "\u2026</code>");
}

}  // namespace
}  // namespace dk::string_pieces_test
