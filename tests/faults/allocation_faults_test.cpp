// SPDX-License-Identifier: Apache-2.0
// Every allocation of every call is refused in turn. Each call then says so, leaves nothing behind, and does
// the same as ever when there is memory again. With DK_FAULTS=all each number is tried, else the first 300
// and then fewer.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "../abi/plain_messages.hpp"
#include "allocation_gate.hpp"
#include "work.hpp"

namespace dk_test {
namespace {

bool tries_all() {
    const char* const faults = std::getenv("DK_FAULTS");
    return faults != nullptr && std::string(faults) == "all";
}

/// The number that is tried after this one.
int64_t next_number(int64_t number) {
    constexpr int64_t one_by_one = 300;
    return number < one_by_one || tries_all() ? number + 1 : number + number / 8;
}

/// Ends the process where a call hangs.
class Watchdog {
  public:
    Watchdog() { alarm(60); }
    ~Watchdog() { alarm(0); }
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
};

struct Counts {
    int64_t calls = 0;
    int64_t failed = 0;
    int64_t refused = 0;
};

/// Refuses allocations until a call needs no more of them than were let pass.
Counts refuse_each(const Work& work, Refusal refusal, bool warm) {
    Counts counts;
    for (int64_t number = 1;; number = next_number(number)) {
        const Watchdog watchdog;
        const int64_t before = live_blocks();
        refuse_allocation(number, refusal);
        const dk_status status = work.call();
        const int64_t refused = allow_allocations();
        ++counts.calls;
        counts.refused += refused;
        if (status != DK_OK) {
            ++counts.failed;
            EXPECT_EQ(status, DK_ERR_OUT_OF_MEMORY)
                << dk_last_error() << ", allocation " << number << " was refused";
            EXPECT_NE(std::string(dk_last_error()), "");
            EXPECT_EQ(dk_test::words_of_libraries(dk_last_error()), "");
            if (warm) {
                EXPECT_EQ(live_blocks(), before) << "allocation " << number << " was refused";
            }
        } else {
            work.outcome();
        }
        if (refused == 0 || testing::Test::HasFailure()) return counts;
    }
}

class AllocationFaults : public testing::TestWithParam<NamedWork> {};

TEST_P(AllocationFaults, AreErrorsAndLoseNothing) {
    const Work work = GetParam().make();
    // What the library makes once, in its first call, must come to be in a later one.
    refuse_each(work, Refusal::once, false);
    ASSERT_FALSE(HasFailure());
    allow_allocations();
    ASSERT_EQ(work.call(), DK_OK) << dk_last_error();
    const std::string expected = work.outcome();
    allocations_since();
    ASSERT_EQ(work.call(), DK_OK);
    const int64_t allocations = allocations_since();
    work.outcome();
    const Counts once = refuse_each(work, Refusal::once, true);
    const Counts after = refuse_each(work, Refusal::ever_after, true);
    EXPECT_GT(once.failed, 0);
    EXPECT_GT(after.failed, 0);
    ASSERT_EQ(work.call(), DK_OK) << dk_last_error();
    EXPECT_EQ(work.outcome(), expected);
    RecordProperty("allocations", std::to_string(allocations));
    std::printf("faults: %s: %lld allocations, %lld calls, %lld failed\n", GetParam().name.c_str(),
                static_cast<long long>(allocations), static_cast<long long>(once.calls + after.calls),
                static_cast<long long>(once.failed + after.failed));
}

INSTANTIATE_TEST_SUITE_P(Of, AllocationFaults, testing::ValuesIn(all_works()),
                         [](const auto& work) { return work.param.name; });

TEST(AllocationFaults, MeetEveryMachineKernelAndStrategy) {
    std::string texts;
    for (const NamedWork& work : all_works()) texts += work.name + "\n";
    for (const KernelCase& kernel : kernel_cases()) texts += kernel.text + "\n";
    for (const char* list : {"machines", "kernels", "weights", "kernel_operators"}) {
        for (const std::string& name : described(list))
            EXPECT_NE(texts.find(name), std::string::npos) << name << " of " << list << " is not tried";
    }
}

}  // namespace
}  // namespace dk_test
