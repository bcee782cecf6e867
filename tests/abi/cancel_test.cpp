// SPDX-License-Identifier: Apache-2.0
// Every call with a control answers a cancel within 0.2 s of processor time, whoever asks and when. Progress
// never falls, and comes on the calling thread.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "cancel.hpp"
#include "files.hpp"

namespace dk_test::cancel_test {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

struct Work {
    std::string name, machine, settings;
    int64_t rows;
    dk_status (*fit)(dk_model**, const dk_data*, const dk_params*, dk_control*) = dk_train;

    friend void PrintTo(const Work& work, std::ostream* out) { *out << work.name; }
};

/// Works whose phases differ, asked in all ways that there are.
class Cancel : public testing::TestWithParam<Work> {
  protected:
    const int64_t rows = slowed_down() ? GetParam().rows / 3 : GetParam().rows;
    const Data data = dense(make_problem(rows, 20, 2, 1.0, 51));
    const Params params = parameters(GetParam().machine.c_str(), GetParam().settings);
    const Call call = training_call(GetParam().fit, data.get(), params.get());
};

TEST_P(Cancel, AtManyMoments) {
    cancel_at_moments(call, 8);
}

TEST_P(Cancel, BeforeTheCallAndAgainUntilReset) {
    const Control control = create<Control>(dk_control_create);
    check(dk_control_cancel(control.get()));
    for (int again = 0; again < 2; ++again) {
        const double seconds = soonest([&] {
            const double begin = processor_seconds();
            expect_failure([&] { return call(control.get()); }, DK_ERR_CANCELLED);
            return processor_seconds() - begin;
        });
        EXPECT_LE(seconds, allowed_seconds());
    }
    check(dk_control_reset(control.get()));
    EXPECT_EQ(dk_control_progress(control.get()), 0.0);
    EXPECT_EQ(call(control.get()), DK_OK) << dk_last_error();
}

struct Progress {
    std::thread::id caller = std::this_thread::get_id();
    double last = 0.0;
    int calls = 0;
    int stop_after = -1;
    bool other_thread = false, fell = false, outside = false, nameless = false;
    dk_control* to_cancel = nullptr;
    double asked = 0;  // the processor time
};

int32_t on_progress(double fraction, const char* stage, void* user) {
    auto& progress = *static_cast<Progress*>(user);
    ++progress.calls;
    progress.other_thread |= std::this_thread::get_id() != progress.caller;
    progress.fell |= fraction < progress.last;
    progress.outside |= !(fraction >= 0.0 && fraction <= 1.0);
    progress.nameless |= stage == nullptr || *stage == '\0';
    progress.last = fraction;
    if (progress.calls != progress.stop_after) return 0;
    progress.asked = processor_seconds();
    if (progress.to_cancel == nullptr) return 1;
    dk_control_cancel(progress.to_cancel);
    return 0;
}

TEST_P(Cancel, ProgressRisesOnTheCallingThread) {
    const Control control = create<Control>(dk_control_create);
    Progress progress;
    check(dk_control_set_progress(control.get(), on_progress, &progress));
    std::atomic<bool> finished{false};
    bool polled_well = true;
    std::thread poller([&] {
        for (double last = 0.0; !finished; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
            const double now = dk_control_progress(control.get());
            polled_well = polled_well && now >= last && now <= 1.0;
            last = now;
        }
    });
    const Clock::time_point begin = Clock::now();
    EXPECT_EQ(call(control.get()), DK_OK) << dk_last_error();
    const Seconds whole = Clock::now() - begin;
    finished = true;
    poller.join();
    EXPECT_TRUE(polled_well) << "polled progress stays in [0, 1] and never falls";
    EXPECT_GE(progress.calls, 1) << "in " << whole.count() << " s";
    EXPECT_LE(progress.calls, 5 + 25.0 * whole.count()) << "about 20 a second in " << whole.count() << " s";
    EXPECT_FALSE(progress.other_thread);
    EXPECT_FALSE(progress.fell);
    EXPECT_FALSE(progress.outside);
    EXPECT_FALSE(progress.nameless);
    EXPECT_EQ(dk_control_progress(control.get()), 1.0) << "all done";
    check(dk_control_set_progress(control.get(), nullptr, nullptr));
    const int before = progress.calls;
    EXPECT_EQ(call(control.get()), DK_OK) << dk_last_error();
    EXPECT_EQ(progress.calls, before) << "NULL removes the callback";
}

TEST_P(Cancel, ThroughTheCallback) {
    for (const int stop_after : {1, 2}) {
        for (const bool by_control : {false, true}) {
            const double seconds = soonest([&] {
                const Control control = create<Control>(dk_control_create);
                check(dk_control_set_threads(control.get(), 1));
                Progress progress;
                progress.stop_after = stop_after;
                progress.to_cancel = by_control ? control.get() : nullptr;
                check(dk_control_set_progress(control.get(), on_progress, &progress));
                EXPECT_EQ(call(control.get()), DK_ERR_CANCELLED);
                EXPECT_GE(progress.calls, stop_after);
                if (!by_control) {
                    EXPECT_EQ(progress.calls, stop_after) << "called again after it asked to stop";
                }
                return processor_seconds() - progress.asked;
            });
            EXPECT_LE(seconds, allowed_seconds());
        }
    }
}

/// Another thread asks while two work.
TEST_P(Cancel, FromAnotherThread) {
    const Control control = create<Control>(dk_control_create);
    check(dk_control_set_threads(control.get(), 2));
    std::atomic<bool> begun{false};
    std::thread other([&] {
        while (!begun) std::this_thread::yield();
        check(dk_control_cancel(control.get()));
    });
    const auto callback = [](double, const char*, void* user) -> int32_t {
        *static_cast<std::atomic<bool>*>(user) = true;
        return 0;
    };
    check(dk_control_set_progress(control.get(), callback, &begun));
    const dk_status status = call(control.get());
    begun = true;
    other.join();
    EXPECT_TRUE(status == DK_ERR_CANCELLED || status == DK_OK) << dk_last_error();
    check(dk_control_reset(control.get()));
    EXPECT_EQ(call(control.get()), DK_OK) << dk_last_error();
}

INSTANTIATE_TEST_SUITE_P(
    Of, Cancel,
    testing::Values(
        Work{"svm", "svm", "C=1000 kernel=[rbf(gamma=0.05),linear] weights=dimkl1 probability=yes", 600},
        Work{"kelm", "kelm", "kernel=rbf(gamma=0.05) leave_one_out=yes", 2000},
        Work{"svm_cross", "svm", "C=100 kernel=rbf(gamma=0.05) folds=4", 1000, dk_cross_validate},
        Work{"fisher_cross", "fisher", "kernel=rbf(gamma=0.05) folds=3", 1500, dk_cross_validate},
        Work{"grid", "mean_of_class", "kernel=rbf(gamma=0.05) folds=3 grid=kernel=[rbf(gamma=1),arccos(1,2)]",
             3000, dk_cross_validate},
        Work{"mkl_compare", "mean_of_class", "kernel=[rbf(gamma=1),arccos(1,2)] folds=3", 600,
             dk_mkl_compare}),
    [](const auto& work) { return work.param.name; });

TEST(CancelCall, KernelMatrices) {
    const Data data = dense(make_problem(4000, 30, 2, 1.0, 53));
    const std::vector<double> v(4000, 1.0);
    std::vector<double> out(4000 * 4000);
    std::vector<float> single(4000 * 4000);
    cancel_at_moments([&](dk_control* control) {
        return dk_gram(out.data(), 4000 * 4000, data.get(), nullptr, "arccos(0,1,2,3)", control);
    });
    cancel_at_moments([&](dk_control* control) {
        return dk_gram_f32(single.data(), 4000 * 4000, data.get(), nullptr, "arccos(0,1,2,3)", control);
    });
    cancel_at_moments([&](dk_control* control) {
        return dk_gram_product(out.data(), 4000, data.get(), nullptr, "arccos(0,1,2,3)", v.data(), 1,
                               control);
    });
}

TEST(CancelCall, WhileMemoryIsTouchedForTheFirstTime) {
    // The kernel matrix of 10000 rows has 800 MB, which take longer to fill with zeros than a cancel may.
    const Data data = dense(make_problem(10000, 2, 2, 1.0, 58));
    const Params params = parameters("fisher", "kernel=rbf(gamma=1)");
    for (const double seconds : {0.01, 0.05, 0.1, 0.3}) {
        const double answer = soonest([&] {
            const Answer given = cancelled_after(seconds, training_call(dk_train, data.get(), params.get()));
            EXPECT_EQ(given.status, DK_ERR_CANCELLED);
            return given.status == DK_ERR_CANCELLED ? given.processor : 1e9;
        });
        EXPECT_LE(answer, allowed_seconds()) << "asked after " << seconds << " s";
    }
}

TEST(CancelCall, OfModels) {
    const int64_t rows = slowed_down() ? 3000 : 10000;
    const Data training = dense(make_problem(1500, 20, 3, 0.5, 56));
    const Data data = dense(make_problem(rows, 20, 3, 0.5, 57));
    const Model model = train(training, "svm", "kernel=arccos(0,1,2) probability=yes folds=3");
    const dk_model* const m = model.get();
    const dk_data* const d = data.get();
    std::vector<double> out(static_cast<std::size_t>(rows * 6));
    std::vector<int64_t> counts(9);
    cancel_at_moments([&](dk_control* c) { return dk_predict(out.data(), rows, m, d, c); });
    cancel_at_moments([&](dk_control* c) { return dk_decision(out.data(), 3 * rows, m, d, c); });
    cancel_at_moments([&](dk_control* c) { return dk_probability(out.data(), 3 * rows, m, d, c); });
    cancel_at_moments([&](dk_control* c) { return dk_explain(out.data(), 6 * rows, m, d, c); });
    cancel_at_moments([&](dk_control* c) { return dk_score(out.data(), m, d, "auc", c); });
    cancel_at_moments([&](dk_control* c) { return dk_confusion(counts.data(), 9, m, d, c); });
    const Params params = parameters("super_sparse", "prototypes=20 max_iterations=20");
    cancel_at_moments([&](dk_control* c) {
        dk_model* compressed = nullptr;
        const dk_status status = dk_compress(&compressed, m, training.get(), params.get(), c);
        dk_model_free(compressed);
        return status;
    });
}

TEST(CancelCall, OfFeaturesOfRows) {
    const int64_t rows = slowed_down() ? 3000 : 10000;
    const Data training = dense(make_problem(600, 20, 3, 0.5, 56));
    const Data data = dense(make_problem(rows, 20, 3, 0.5, 57));
    for (const std::string settings :
         {"elm hidden=1000", "iskpl kernel=rbf(gamma=0.02) prototypes=20",
          "super_sparse kernel=rbf(gamma=0.02) prototypes=600 max_iterations=1"}) {
        const std::size_t blank = settings.find(' ');
        const Model model = train(training, settings.substr(0, blank).c_str(), settings.substr(blank + 1));
        const int64_t length = rows * dk_model_transform_count(model.get());
        std::vector<double> out(static_cast<std::size_t>(length));
        cancel_at_moments(
            [&](dk_control* c) { return dk_transform(out.data(), length, model.get(), data.get(), c); });
    }
}

/// Files of many megabytes of each format.
TEST(CancelCall, OfReaders) {
    const std::size_t lines = slowed_down() ? 60000 : 600000;
    const auto repeated = [](const std::string& first, const std::string& line, std::size_t times) {
        std::string text = first;
        for (std::size_t i = 0; i < times; ++i) text += line;
        return text;
    };
    const TemporaryDirectory directory;
    const std::string numbers = repeated("", "1.25,2.5,-3.125,4,5\n", lines);
    const std::vector<std::pair<std::string, std::string>> files{
        {directory.write("numbers.csv", numbers), "label=4"},
        {directory.write("texts.csv", repeated("a,b,c\n", "red,green,x\nblue,\"green\",y\n", lines / 2)), ""},
        {directory.write("quoted.csv", "a,b\n" + repeated("1,\"", "some text, ", 3 * lines) + "\"\n2,x\n"),
         "format=strings text=b"},
        {directory.write("rows.svm", repeated("", "1 1:0.5 3:2.25 9:1e-3\n-1 2:0.5\n", lines)), ""},
        {directory.write(
             "row.svm", "1" +
                            [&] {
                                std::string text;
                                for (std::size_t i = 1; i < 4 * lines; ++i)
                                    text += " " + std::to_string(i) + ":1.5";
                                return text + "\n";
                            }()),
         ""},
        {directory.write("series.csv", repeated("series,x,y\n", "a,1.5,2\nb,1,2.5\n", lines)), ""},
        {directory.write("strings.csv", repeated("text\n", "some words of a text\n", 4 * lines)),
         "format=strings"},
        {directory.write_gzip("numbers.csv.gz", numbers), "label=4"}};
    for (const auto& file : files) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, file.first);
        cancel_at_moments([&](dk_control* control) {
            dk_data* out = nullptr;
            const dk_status status =
                dk_data_from_file(&out, file.first.c_str(), file.second.c_str(), control);
            EXPECT_EQ(status == DK_OK, out != nullptr);
            dk_data_free(out);
            return status;
        });
    }
}

TEST(CancelCall, OfModelFiles) {
    const TemporaryDirectory directory;
    const std::string path = directory.path("model.dk");
    const Model model = train(dense(make_problem(slowed_down() ? 4000 : 20000, 300, 2, 0.5, 58)),
                              "mean_of_class", "kernel=rbf(gamma=0.01) neighbours=0");
    check(dk_model_save(model.get(), path.c_str()));
    const auto bytes = bytes_of(model.get());
    const auto ended = [](dk_status status, dk_model* out) {
        dk_model_free(out);
        return status;
    };
    cancel_at_moments([&](dk_control* control) {
        dk_model* out = nullptr;
        const dk_status status = dk_model_load(&out, path.c_str(), control);
        return ended(status, out);
    });
    cancel_at_moments([&](dk_control* control) {
        dk_model* out = nullptr;
        const dk_status status =
            dk_model_read(&out, bytes.data(), static_cast<int64_t>(bytes.size()), control);
        return ended(status, out);
    });
}

TEST(CancelCall, OfExplanationsAndPages) {
    const TemporaryDirectory directory;
    const std::string path = directory.path("page.html");
    const Data data = dense(make_problem(slowed_down() ? 400 : 1500, 20, 2, 0.5, 56));
    const Model ridge = train(data, "kelm", "kernel=[rbf(gamma=0.05),linear]");
    const dk_model* const m = ridge.get();
    const dk_data* const d = data.get();
    int64_t needed = 0;
    cancel_at_moments([&](dk_control* c) { return dk_explain_row(nullptr, 0, &needed, m, d, 3, d, c); });
    cancel_at_moments([&](dk_control* c) { return dk_report(path.c_str(), &m, 1, d, d, nullptr, c); });
    const Data few = dense(make_problem(250, 10, 2, 0.2, 57));
    const Model svm = train(few, "svm", "C=10 kernel=rbf(gamma=0.2)");
    cancel_at_moments([&](dk_control* c) {
        return dk_explain_row(nullptr, 0, &needed, svm.get(), few.get(), 3, few.get(), c);
    });
}

TEST(CancelCall, EveryCallWithAControlSeesACancel) {
    const Data data = dense(make_problem(30, 3, 2, 2.0, 56));
    const Model model = train(data, "svm", "probability=yes folds=3");
    const Control control = create<Control>(dk_control_create);
    check(dk_control_cancel(control.get()));
    dk_control* c = control.get();
    const dk_model* m = model.get();
    const dk_data* d = data.get();
    std::vector<double> out(900);
    std::vector<float> single(900);
    std::vector<int64_t> counts(4);
    double* o = out.data();
    expect_failure([&] { return dk_predict(o, 30, m, d, c); }, DK_ERR_CANCELLED);
    expect_failure([&] { return dk_decision(o, 30, m, d, c); }, DK_ERR_CANCELLED);
    expect_failure([&] { return dk_probability(o, 60, m, d, c); }, DK_ERR_CANCELLED);
    expect_failure([&] { return dk_explain(o, 60, m, d, c); }, DK_ERR_CANCELLED);
    int64_t needed = 0;
    expect_failure([&] { return dk_explain_row(nullptr, 0, &needed, m, d, 0, d, c); }, DK_ERR_CANCELLED);
    expect_failure([&] { return dk_report("/nowhere/page.html", &m, 1, d, d, nullptr, c); },
                   DK_ERR_CANCELLED);
    expect_failure([&] { return dk_score(o, m, d, "accuracy", c); }, DK_ERR_CANCELLED);
    expect_failure([&] { return dk_confusion(counts.data(), 4, m, d, c); }, DK_ERR_CANCELLED);
    const std::vector<int64_t> genuine{0, 1};
    expect_failure(
        [&] { return dk_verification_curve(o, o + 100, 1, o + 200, genuine.data(), nullptr, 2, c); },
        DK_ERR_CANCELLED);
    expect_failure([&] { return dk_mean_ranks(o, 3, o + 100, 2, 3, c); }, DK_ERR_CANCELLED);
    expect_failure([&] { return dk_jaccard_stability(o, counts.data(), 2, 2, c); }, DK_ERR_CANCELLED);
    expect_failure([&] { return dk_prototype_measures(o, nullptr, 2, m, d, c); }, DK_ERR_CANCELLED);
    expect_failure([&] { return dk_gram(o, 900, d, nullptr, "linear", c); }, DK_ERR_CANCELLED);
    expect_failure([&] { return dk_gram_f32(single.data(), 900, d, nullptr, "linear", c); },
                   DK_ERR_CANCELLED);
    expect_failure([&] { return dk_gram_product(o, 30, d, nullptr, "linear", out.data() + 100, 1, c); },
                   DK_ERR_CANCELLED);
    const Params params = parameters("svm");
    expect_no_handle<dk_model>([&](dk_model** model_out) { return dk_train(model_out, d, params.get(), c); },
                               DK_ERR_CANCELLED);
    expect_no_handle<dk_model>(
        [&](dk_model** model_out) { return dk_cross_validate(model_out, d, params.get(), c); },
        DK_ERR_CANCELLED);
}

TEST(CancelCall, ANonZeroReturnStopsItsOwnCallOnly) {
    const Data data = dense(make_problem(4000, 30, 2, 1.0, 57));
    std::vector<double> out(4000);
    const std::vector<double> v(4000, 1.0);
    const auto multiply = [&](dk_control* control) {
        return dk_gram_product(out.data(), 4000, data.get(), nullptr, "arccos(0,1,2,3)", v.data(), 1,
                               control);
    };
    const Control control = create<Control>(dk_control_create);
    Progress progress;
    progress.stop_after = 1;
    check(dk_control_set_progress(control.get(), on_progress, &progress));
    ASSERT_EQ(multiply(control.get()), DK_ERR_CANCELLED);
    check(dk_control_set_progress(control.get(), nullptr, nullptr));
    EXPECT_EQ(multiply(control.get()), DK_OK) << "only dk_control_cancel stays until a reset";
}

TEST(CancelCall, FreshControl) {
    const Control control = create<Control>(dk_control_create);
    EXPECT_EQ(dk_control_progress(control.get()), 0.0);
    EXPECT_EQ(dk_control_reset(control.get()), DK_OK);
    EXPECT_EQ(dk_control_progress(control.get()), 0.0);
}

}  // namespace
}  // namespace dk_test::cancel_test
