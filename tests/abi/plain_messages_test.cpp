// SPDX-License-Identifier: Apache-2.0
// No exception of the standard library reaches a user: the last message that any test of this program has
// provoked is looked at, besides those that expect_failure sees.
#include <gtest/gtest.h>

#include <memory>

#include "dk/dk.h"
#include "plain_messages.hpp"

namespace dk_test::plain_messages_test {
namespace {

class LastMessages : public testing::EmptyTestEventListener {
    void OnTestEnd(const testing::TestInfo& /*test*/) override {
        EXPECT_EQ(words_of_libraries(dk_last_error()), "") << dk_last_error();
    }
};

const bool listening = [] {
    testing::UnitTest::GetInstance()->listeners().Append(std::make_unique<LastMessages>().release());
    return true;
}();

TEST(PlainMessages, KnowWhatTheStandardLibrarySays) {
    EXPECT_TRUE(listening);
    EXPECT_EQ(words_of_libraries("map::at"), "map::at");
    EXPECT_EQ(words_of_libraries("vector::_M_range_check: __n (which is 3)"), "vector::");
    EXPECT_EQ(words_of_libraries("basic_string::substr: __pos (which is 9)"), "basic_string");
    EXPECT_EQ(words_of_libraries("std::bad_alloc"), "std::");
    EXPECT_EQ(words_of_libraries("bad optional access"), "bad optional");
    EXPECT_EQ(words_of_libraries("[json.exception.type_error.302] type must be string"), "[json");
    EXPECT_EQ(words_of_libraries("C is -1; allowed are numbers above 0 (default 1)"), "");
}

}  // namespace
}  // namespace dk_test::plain_messages_test
