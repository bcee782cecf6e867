// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <bit>
#include <charconv>
#include <chrono>
#include <limits>
#include <numeric>
#include <thread>

#include "base/control.hpp"
#include "base/memory_hold.hpp"
#include "base/names/nearest_name.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "support.hpp"

namespace dk::test::base_test {
namespace {

TEST(Numbers, FormattedNumbersReadBackAsTheSame) {
    std::mt19937_64 generator(1);
    for (int i = 0; i < 100000; ++i) {
        const double value = std::bit_cast<double>(generator());
        if (!std::isfinite(value)) continue;
        const auto back = parse_number(format_number(value));
        ASSERT_TRUE(back) << format_number(value);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(value));
    }
    for (const double value : {0.0, -0.0, 5e-324, 1.7976931348623157e308, 0.1, 1.0 / 3}) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(*parse_number(format_number(value))),
                  std::bit_cast<std::uint64_t>(value));
    }
}

// The short way to read a number must not differ from the long one in any bit.
TEST(Numbers, PlainDecimalsAreTheNearestDoubles) {
    std::mt19937_64 generator(4);
    for (int trial = 0; trial < 200000; ++trial) {
        const int whole = static_cast<int>(generator() % 17);
        const int fraction = static_cast<int>(generator() % 17);
        std::string text = generator() % 2 == 0 ? "-" : "";
        for (int d = 0; d < whole; ++d) text += static_cast<char>('0' + generator() % 10);
        if (generator() % 4 != 0) text += '.';
        if (text.ends_with('.'))
            for (int d = 0; d < fraction; ++d) text += static_cast<char>('0' + generator() % 10);
        double expected = 0;
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), expected);
        double value = 0;
        const char* const end = parse_plain_decimal(text.data(), text.data() + text.size(), value);
        const auto digits = std::ranges::count_if(text, [](char c) { return c >= '0' && c <= '9'; });
        ASSERT_EQ(end != nullptr, digits >= 1 && digits <= 15) << text;
        if (end == nullptr) continue;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(expected)) << text;
        EXPECT_EQ(end, stop) << text;
    }
    double value = 0;
    for (const std::string text : {"", "-", ".", "-.", "1e3", "1.5E-3", "abc", "+1", "inf", "nan"})
        EXPECT_EQ(parse_plain_decimal(text.data(), text.data() + text.size(), value), nullptr) << text;
    const std::string followed = "0.25 3:1";
    EXPECT_EQ(parse_plain_decimal(followed.data(), followed.data() + followed.size(), value),
              followed.data() + 4);
    EXPECT_EQ(value, 0.25);
}

TEST(Numbers, ShortestText) {
    EXPECT_EQ(format_number(0.1), "0.1");
    EXPECT_EQ(format_number(10), "10");
    EXPECT_EQ(format_number(-2.5), "-2.5");
    EXPECT_EQ(text("a", 1, ' ', 0.5, std::int64_t{-7}), "a1 0.5-7");
}

TEST(Numbers, WhatIsANumber) {
    EXPECT_EQ(parse_number("1e3"), 1000.0);
    EXPECT_EQ(parse_number("+.5"), 0.5);
    EXPECT_EQ(parse_number("-0"), 0.0);
    const std::string zeros(400, '0');
    for (const std::string& small : std::vector<std::string>{
             "1e-400", "0.1e-400", "12.5E-5000", "1e-9223372036854775807", "1e-99999999999999999999",
             "0." + zeros + "1", zeros + "." + zeros + "12"}) {
        EXPECT_EQ(parse_number(small), 0.0) << small;
        EXPECT_TRUE(std::signbit(parse_number("-" + small).value())) << small;
    }
    for (const std::string& large : std::vector<std::string>{"1e400", "0.1e+5000", "1e9223372036854775807",
                                                             "1e99999999999999999999", "1" + zeros}) {
        EXPECT_FALSE(parse_number(large)) << large;
        EXPECT_FALSE(parse_number("-" + large)) << large;
    }
    EXPECT_EQ(parse_number("1" + zeros + "e-400"), 1.0);
    for (const char* wrong : {"", " ", "1 ", " 1", "1,5", "0x10", "nan", "inf", "-inf", "infinity", "1e999",
                              "++1", "--1", "1e", "e5", "1.2.3", "1d"}) {
        EXPECT_FALSE(parse_number(wrong)) << "'" << wrong << "'";
    }
}

TEST(Numbers, SignsMustNotPileUp) {
    EXPECT_FALSE(parse_number("+-1"));
    EXPECT_FALSE(parse_integer("+-1"));
    EXPECT_FALSE(parse_integer("++1"));
    EXPECT_FALSE(parse_integer("--1"));
}

TEST(Numbers, WhatIsAnInteger) {
    EXPECT_EQ(parse_integer("42"), 42);
    EXPECT_EQ(parse_integer("+42"), 42);
    EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
    for (const char* wrong : {"", "+", "-", "1.0", "1e3", "9223372036854775808", "4 2", "0x1f"}) {
        EXPECT_FALSE(parse_integer(wrong)) << "'" << wrong << "'";
    }
}

TEST(Text, Quotes) {
    EXPECT_EQ(in_quotes("abc"), "'abc'");
    EXPECT_EQ(in_quotes("a\nb\t"), "'a?b?'");
    EXPECT_EQ(in_quotes(std::string(1000, 'x')), "'" + std::string(60, 'x') + "...'");
}

TEST(Text, NearestNameByEdits) {
    const std::vector<std::string> names{"gamma", "degree", "coef0", "tolerance"};
    EXPECT_EQ(nearest_name("gama", names), "gamma");
    EXPECT_EQ(nearest_name("tolerence", names), "tolerance");
    EXPECT_EQ(nearest_name("deg", names), "degree");
    EXPECT_EQ(nearest_name("x", std::vector<std::string>{}), "");
    EXPECT_FALSE(nearest_name(std::string(1000000, 'z'), names).empty());
}

TEST(Text, NearestNameByWhatOtherProgramsCallIt) {
    const std::vector<std::string> names{"C", "gamma", "kernel", "rbf", "gram", "tolerance", "svm"};
    EXPECT_EQ(nearest_name("cost", names), "C");
    EXPECT_EQ(nearest_name("radial", names), "rbf");
    EXPECT_EQ(nearest_name("Gaussian", names), "rbf");
    EXPECT_EQ(nearest_name("precomputed", names), "gram");
    EXPECT_EQ(nearest_name("C-SVC", names), "svm");
    EXPECT_EQ(nearest_name("tol", names), "tolerance");
    // Where nothing is called what the other program means, the spelling decides.
    EXPECT_EQ(nearest_name("radial", std::vector<std::string>{"radius", "height"}), "radius");
}

TEST(Text, SplitTrimJoin) {
    EXPECT_EQ(split(" a, b ,,c ", ','), (std::vector<std::string>{"a", "b", "", "c"}));
    EXPECT_EQ(split("", ','), (std::vector<std::string>{""}));
    EXPECT_EQ(trimmed(" \t\r\n x y \n"), "x y");
    EXPECT_EQ(trimmed(" \n "), "");
    EXPECT_EQ(join(std::vector<std::string>{"a", "b"}, ", "), "a, b");
}

/// The expected numbers are those of the authors' C code.
TEST(RandomNumbers, SplitMix64) {
    Random random(1234567);
    for (const std::uint64_t expected : {6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                                         4593380528125082431U, 16408922859458223821U}) {
        EXPECT_EQ(random.next(), expected);
    }
}

TEST(RandomNumbers, UniformHasTheTop53Bits) {
    Random random(1234567);
    EXPECT_EQ(random.uniform(), static_cast<double>(6457827717110365317U >> 11U) / 9007199254740992.0);
    double sum = 0;
    for (int i = 0; i < 100000; ++i) {
        const double u = random.uniform();
        ASSERT_TRUE(u >= 0 && u < 1);
        sum += u;
    }
    EXPECT_NEAR(sum / 100000, 0.5, 4 / std::sqrt(12.0 * 100000));
}

TEST(RandomNumbers, BelowIsUniform) {
    Random random(5);
    std::vector<double> counts(7);
    for (int i = 0; i < 70000; ++i) ++counts.at(random.below(7));
    double chi_squared = 0;
    for (const double c : counts) chi_squared += (c - 10000) * (c - 10000) / 10000;
    EXPECT_LT(chi_squared, 22.5);  // the 99.9 % quantile for 6 degrees of freedom
    for (int i = 0; i < 100; ++i) EXPECT_EQ(random.below(1), 0U);
    const std::uint64_t half = (std::uint64_t{1} << 63U) + 1;  // This bound rejects most numbers.
    for (int i = 0; i < 1000; ++i) EXPECT_LT(random.below(half), half);
}

TEST(RandomNumbers, NormalFollowsTheFormula) {
    Random random(1);
    Random same(1);
    for (int i = 0; i < 100000; ++i) {
        const double radius = std::sqrt(-2 * std::log1p(-same.uniform()));
        ASSERT_NEAR(random.normal(), radius * std::cos(6.283185307179586 * same.uniform()), 1e-14);
    }
}

/// The C libraries of two systems round logarithms and cosines differently, and so did these numbers.
TEST(RandomNumbers, NormalIsTheSameOnEveryMachine) {
    Random random(1234567);
    for (const double expected : {0x1.b6c588418d882p-2, 0x1.f7b09fc4e0689p-8, -0x1.dbd2bf5508ef2p+0})
        EXPECT_EQ(random.normal(), expected);
    Random many(1);
    std::uint64_t hash = 14695981039346656037U;  // FNV-1a
    for (int i = 0; i < 100000; ++i)
        hash = (hash ^ std::bit_cast<std::uint64_t>(many.normal())) * 1099511628211U;
    EXPECT_EQ(hash, 0x44b82c0a67573c08U);
}

TEST(RandomNumbers, ShufflesEveryOrderAlike) {
    Random random(6);
    std::vector<double> counts(6);
    for (int i = 0; i < 60000; ++i) {
        std::vector<int> values{0, 1, 2};
        random.shuffle(std::span(values));
        const int order = values[0] * 2 + (values[1] > values[2] ? 1 : 0);
        ++counts.at(static_cast<std::size_t>(order));
    }
    double chi_squared = 0;
    for (const double c : counts) chi_squared += (c - 10000) * (c - 10000) / 10000;
    EXPECT_LT(chi_squared, 20.6);  // the 99.9 % quantile for 5 degrees of freedom
}

TEST(ParallelFor, RunsEveryIndexOnce) {
    for (const int threads : {1, 2, 5}) {
        for (const Index count : {0, 1, 3, 1000}) {
            BegunControl control(threads);
            std::vector<std::atomic<int>> runs(count);
            parallel_for(count, control, [&](Index i) { ++runs[i]; });
            EXPECT_TRUE(std::ranges::all_of(runs, [](const auto& r) { return r == 1; }))
                << count << ", " << threads;
        }
    }
}

TEST(ParallelFor, StatesBelongToOneThread) {
    BegunControl control(4);
    std::atomic<int> states{0};
    std::atomic<Index> total{0};
    struct Count {
        std::atomic<Index>* total;
        Index own = 0;
        ~Count() { *total += own; }
    };
    parallel_for_with(
        500, control,
        [&] {
            ++states;
            return Count{&total};
        },
        [](Count& count, Index) { ++count.own; });
    EXPECT_EQ(total, 500);
    EXPECT_LE(states, 4);
}

TEST(ParallelFor, ExceptionsReachTheCaller) {
    for (const int threads : {1, 2, 5}) {
        BegunControl control(threads);
        std::atomic<int> runs{0};
        const auto message = message_of(Status::numerical, [&] {
            parallel_for(100000, control, [&](Index i) {
                ++runs;
                if (i == 10) fail(Status::numerical, "row ", i);
                // The other threads wait, so that they do not do the rest while the failing one waits for its
                // processor.
                if (i > 1000) std::this_thread::sleep_for(std::chrono::microseconds(50));
            });
        });
        EXPECT_EQ(message, "row 10");
        EXPECT_LT(runs, 100000) << "the rest was not left out";
        int sum = 0;  // The failure must leave nothing behind for the next loop.
        parallel_for(1, control, [&](Index) { sum = 1; });
        EXPECT_EQ(sum, 1);
    }
}

TEST(ParallelFor, ExceptionsOfStatesReachTheCaller) {
    BegunControl control(2);
    message_of(Status::out_of_memory, [&] {
        parallel_for_with(
            10, control, []() -> int { fail(Status::out_of_memory, "no state"); }, [](int, Index) {});
    });
}

TEST(ParallelFor, CancelEndsItEarly) {
    for (const int threads : {1, 2, 5}) {
        BegunControl control(threads);
        std::atomic<int> runs{0};
        message_of(Status::cancelled, [&] {
            parallel_for(1000000, control, [&](Index i) {
                ++runs;
                if (i == 20) control.cancel();
            });
        });
        EXPECT_LT(runs, 1000000);
    }
}

// A part that takes long moves the whole on within its interval, on the thread of the call alone.
TEST(Control, ProgressOfPartsMovesTheWhole) {
    BegunControl whole;
    {
        const ProgressScope scope(whole, 0.5, 1.0);
        Control part(Control::Part{0.25, 0.75}, whole);
        part.check(0.5);
        EXPECT_DOUBLE_EQ(whole.progress(), 0.75);
        {
            const ProgressScope half(part, 0.5, 1.0);
            part.check(0.5);
        }
        EXPECT_DOUBLE_EQ(whole.progress(), 0.8125);
        Control silent(Control::Part{}, whole);
        silent.check(1.0);
        EXPECT_DOUBLE_EQ(whole.progress(), 0.8125);
    }
    std::thread([&] {
        Control elsewhere(Control::Part{0.75, 1.0}, whole);
        elsewhere.check(1.0);
    }).join();
    EXPECT_DOUBLE_EQ(whole.progress(), 0.8125);
}

TEST(Control, ProgressOfNestedScopes) {
    BegunControl control;
    {
        const ProgressScope outer(control, 0.2, 0.6, "outer");
        control.check(0.5);
        EXPECT_DOUBLE_EQ(control.progress(), 0.4);
        {
            const ProgressScope inner(control, 0.5, 1.0, "inner");
            control.check(0.5);
            EXPECT_DOUBLE_EQ(control.progress(), 0.5);
            const ProgressHold hold(control);
            control.check(1.0);
            EXPECT_DOUBLE_EQ(control.progress(), 0.5);
        }
    }
    control.check(0.1);  // Progress never falls.
    EXPECT_DOUBLE_EQ(control.progress(), 0.6);
    control.finish();
    EXPECT_DOUBLE_EQ(control.progress(), 1);
}

TEST(Control, TheCallbackHearsStagesAndCancels) {
    Control control;
    std::vector<std::string> stages;
    control.set_callback([&](double, const std::string& stage) {
        stages.push_back(stage);
        return false;
    });
    control.begin();
    const ProgressScope scope(control, 0, 1, "training");
    const auto message = message_of(Status::cancelled, [&] { control.check(0.5); });
    EXPECT_EQ(stages, (std::vector<std::string>{"training"}));
    EXPECT_NE(message.find("training"), std::string::npos);
}

TEST(Control, CancelBeforeBeginIsHeard) {
    Control control;
    control.cancel();
    message_of(Status::cancelled, [&] { control.begin(); });
    control.reset();
    EXPECT_NO_THROW(control.begin());
}

TEST(Memory, WhatIsHeldIsNoLongerThere) {
    constexpr double mebibyte = 1024.0 * 1024.0;
    Control control;
    control.limit_memory(MemoryBudget(100));
    {
        MemoryHold hold(control, 60 * mebibyte, "a file");
        EXPECT_EQ(control.memory().bytes(), 40 * mebibyte);
        EXPECT_EQ(control.memory().part(4).bytes(), 10 * mebibyte);
        hold.take(20 * mebibyte, "its fields");
        EXPECT_EQ(
            message_of(Status::memory_budget, [&] { control.memory().require(30 * mebibyte, "a matrix"); }),
            "a matrix needs 30 MB, but memory_mb allows 20 beside 80 MB that are taken");
        EXPECT_THROW(hold.take(30 * mebibyte, "a matrix"), Error);
        const MemoryHold moved = std::move(hold);
        EXPECT_EQ(control.memory().bytes(), 20 * mebibyte);
    }
    EXPECT_EQ(control.memory().bytes(), 100 * mebibyte);
}

TEST(Memory, BudgetsNameTheFigureNeeded) {
    const MemoryBudget budget(10);
    EXPECT_NO_THROW(budget.require(10.0 * 1024 * 1024, "a matrix"));
    const auto message =
        message_of(Status::memory_budget, [&] { budget.require(11.5 * 1024 * 1024, "a matrix"); });
    EXPECT_NE(message.find("a matrix needs 12 MB"), std::string::npos) << message;
    EXPECT_NE(message.find("10"), std::string::npos) << message;
    EXPECT_GT(MemoryBudget(0).bytes(), 64.0 * 1024 * 1024);
}

}  // namespace
}  // namespace dk::test::base_test
