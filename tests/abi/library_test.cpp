// SPDX-License-Identifier: Apache-2.0
// These tests check what the library says of itself, and whose message dk_last_error is.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::library_test {
namespace {

TEST(Library, VersionIsThatOfTheHeader) {
    const std::string version = std::to_string(DK_VERSION_MAJOR) + "." + std::to_string(DK_VERSION_MINOR) +
                                "." + std::to_string(DK_VERSION_PATCH);
    EXPECT_EQ(dk_version_string(), version);
    EXPECT_EQ(dk_version_number(), DK_VERSION_MAJOR * 10000 + DK_VERSION_MINOR * 100 + DK_VERSION_PATCH);
    const std::string build = dk_build_info();
    EXPECT_NE(build.find(version), std::string::npos) << build;
    EXPECT_EQ(build.find('\n'), std::string::npos) << "one line";
    EXPECT_EQ(dk_build_info(), dk_build_info()) << "static text";
}

TEST(Library, EveryStatusHasItsName) {
    const std::vector<const char*> names{"DK_OK",
                                         "DK_ERR_INVALID_ARGUMENT",
                                         "DK_ERR_INVALID_PARAMETER",
                                         "DK_ERR_INVALID_KERNEL",
                                         "DK_ERR_INVALID_DATA",
                                         "DK_ERR_DIMENSION",
                                         "DK_ERR_OUT_OF_MEMORY",
                                         "DK_ERR_MEMORY_BUDGET",
                                         "DK_ERR_CANCELLED",
                                         "DK_ERR_UNSUPPORTED",
                                         "DK_ERR_IO",
                                         "DK_ERR_MODEL_FORMAT",
                                         "DK_ERR_NUMERICAL",
                                         "DK_ERR_BUFFER_TOO_SMALL",
                                         "DK_ERR_INTERNAL",
                                         "DK_ERR_CALLBACK"};
    for (std::size_t status = 0; status < names.size(); ++status) {
        EXPECT_STREQ(dk_status_name(static_cast<dk_status>(status)), names[status]);
    }
    constexpr int32_t largest = std::numeric_limits<int32_t>::max();
    for (const dk_status unknown : {-1, 16, 1000, largest, -largest - 1}) {
        EXPECT_STREQ(dk_status_name(unknown), "DK_ERR_UNKNOWN") << unknown;
    }
}

TEST(Library, MessagesBelongToTheirThread) {
    leave_old_message();
    const std::string mine = dk_last_error();
    EXPECT_NE(mine.find(old_message), std::string::npos);
    std::string fresh = "not empty";
    std::string theirs;
    std::thread other([&] {
        fresh = dk_last_error();
        EXPECT_EQ(dk_control_reset(nullptr), DK_ERR_INVALID_ARGUMENT);
        theirs = dk_last_error();
    });
    other.join();
    EXPECT_EQ(fresh, "") << "there was no failure on the new thread";
    EXPECT_EQ(theirs.find(old_message), std::string::npos);
    EXPECT_EQ(dk_last_error(), mine);
}

/// Tells whether the bytes are UTF-8: every lead byte is followed by as many bytes as it announces.
bool is_utf8(const std::string& text) {
    int following = 0;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (following > 0) {
            if ((byte & 0xC0U) != 0x80U) return false;
            --following;
        } else if (byte >= 0x80U) {
            if (byte < 0xC2U || byte > 0xF4U) return false;
            following = byte >= 0xF0U ? 3 : byte >= 0xE0U ? 2 : 1;
        }
    }
    return following == 0;
}

TEST(Library, MessagesAreUtf8WhateverTheyQuote) {
    const Params params = parameters("svm");
    // A message that quotes only the beginning must not cut a letter in two, wherever it cuts.
    for (std::size_t before = 0; before < 4; ++before) {
        std::string letters(before, 'a');
        for (int letter = 0; letter < 200; ++letter) letters += "\xf0\x9f\x98\x80";
        for (const std::string& text : {letters, std::string(before, 'a') + "\xff\xfe\xe9"}) {
            const char* hostile = text.c_str();
            expect_failure([&] { return dk_params_set(params.get(), hostile, "1"); },
                           DK_ERR_INVALID_PARAMETER);
            EXPECT_TRUE(is_utf8(dk_last_error())) << dk_last_error();
            expect_failure([&] { return dk_params_set(params.get(), "C", hostile); },
                           DK_ERR_INVALID_PARAMETER);
            EXPECT_TRUE(is_utf8(dk_last_error())) << dk_last_error();
            expect_failure([&] { return dk_params_set(params.get(), "kernel", hostile); },
                           DK_ERR_INVALID_KERNEL);
            EXPECT_TRUE(is_utf8(dk_last_error())) << dk_last_error();
            expect_no_handle<dk_data>(
                [&](dk_data** out) { return dk_data_from_file(out, hostile, nullptr, nullptr); }, DK_ERR_IO);
            EXPECT_TRUE(is_utf8(dk_last_error())) << dk_last_error();
        }
    }
}

TEST(Library, SuccessKeepsTheLastFailure) {
    leave_old_message();
    EXPECT_NE(parameters("svm"), nullptr);
    EXPECT_NE(std::string(dk_last_error()).find(old_message), std::string::npos);
}

TEST(Library, MemoryBudgetIsRefusedAtOnceWithTheFigure) {
    // 6000 x 6000 doubles are 275 MB, and a kernel Fisher needs them all.
    const Data data = dense(make_problem(6000, 2, 2, 3.0, 1));
    const Params params = parameters("fisher", "memory_mb=64");
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); },
        DK_ERR_MEMORY_BUDGET, {"64", "memory_mb"});
}

TEST(Library, ASmallBudgetGivesTheSameMachine) {
    const Data data = dense(make_problem(1500, 3, 2, 2.0, 1));
    // The whole matrix needs 17 MB. The smaller budgets hold 699 of its rows and 87.
    const Model whole = train(data, "svm", "tolerance=1e-6");
    for (const std::string budget : {"memory_mb=8", "memory_mb=1"}) {
        const Model cached = train(data, "svm", "tolerance=1e-6 " + budget);
        EXPECT_TRUE(nearly_equal(decisions(cached, data), decisions(whole, data), 1e-6)) << budget;
    }
}

}  // namespace
}  // namespace dk_test::library_test
