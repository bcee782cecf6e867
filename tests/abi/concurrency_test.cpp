// SPDX-License-Identifier: Apache-2.0
// These tests use one model from many threads, and expect the same bits for any number of threads inside one
// call.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"
#include "structures.hpp"

namespace dk_test::concurrency_test {
namespace {

/// Gives all numbers that one model has for the data, with the threads of the control.
struct Answers {
    std::vector<double> prediction, decision, probability, explanation, score;
    std::vector<int64_t> confusion;
};

Answers answers(const Model& model, const Data& data, dk_control* control) {
    const dk_model* m = model.get();
    const dk_data* d = data.get();
    const int64_t rows = dk_data_rows(d);
    const int64_t classes = dk_model_class_count(m);
    Answers all;
    all.prediction = values_of<double>(rows, dk_predict, m, d, control);
    all.decision = values_of<double>(rows * dk_model_decision_count(m), dk_decision, m, d, control);
    all.probability = values_of<double>(rows * classes, dk_probability, m, d, control);
    all.explanation = values_of<double>(rows * dk_model_prototype_count(m), dk_explain, m, d, control);
    all.confusion = values_of<int64_t>(classes * classes, dk_confusion, m, d, control);
    all.score.resize(1);
    check(dk_score(all.score.data(), m, d, "auc", control));
    return all;
}

testing::AssertionResult same_answers(const Answers& left, const Answers& right) {
    for (const auto part : {&Answers::prediction, &Answers::decision, &Answers::probability,
                            &Answers::explanation, &Answers::score}) {
        const auto same = same_bits(left.*part, right.*part);
        if (!same) return same;
    }
    if (left.confusion != right.confusion) return testing::AssertionFailure() << "confusion differs";
    return testing::AssertionSuccess();
}

TEST(Concurrency, EightThreadsPredictWithOneModel) {
    const Data data = dense(make_problem(120, 6, 3, 2.0, 41));
    const Data test = dense(make_problem(90, 6, 3, 2.0, 42));
    const Model model = train(data, "svm", "kernel=[rbf(gamma=auto),arccos(1,0)] probability=yes folds=3");
    const Answers expected = answers(model, test, nullptr);
    const std::string info = text_of(dk_model_info, model.get());
    std::atomic<int> different{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 8; ++thread) {
        threads.emplace_back([&, thread] {
            const Control control = control_with(1 + thread % 3);
            for (int round = 0; round < 5; ++round) {
                try {
                    if (!same_answers(answers(model, test, thread % 2 == 0 ? nullptr : control.get()),
                                      expected) ||
                        text_of(dk_model_info, model.get()) != info) {
                        ++different;
                    }
                } catch (const std::exception&) {
                    ++different;
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(different, 0);
}

TEST(Concurrency, ThreadsTrainModelsOfTheirOwn) {
    const Data data = dense(make_problem(80, 4, 2, 1.0, 43));
    const auto expected = bytes_of(train(data, "svm", "probability=yes").get());
    std::atomic<int> different{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&] {
            try {
                if (bytes_of(train(data, "svm", "probability=yes").get()) != expected) ++different;
            } catch (const std::exception&) {
                ++different;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(different, 0) << "one dataset, shared and const";
}

TEST(Concurrency, ManySmallCallsAtOnce) {
    // What calls share inside shows only now and then, so there are thousands of calls.
    const Data data = dense(make_problem(140, 7, 2, 1.0, 50));
    const Model model = train(data, "mean_of_class", "kernel=linear");
    const std::vector<double> expected = decisions(model, data);
    std::atomic<int> different{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&] {
            const Control control = control_with(1);
            std::vector<double> out(140);
            for (int round = 0; round < 2000; ++round) {
                const dk_status status = dk_decision(out.data(), 140, model.get(), data.get(), control.get());
                if (status != DK_OK || !same_bits(out, expected)) ++different;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(different, 0);
}

struct Case {
    std::string name, machine, settings;

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

class ThreadCount : public testing::TestWithParam<Case> {};

TEST_P(ThreadCount, DoesNotChangeABit) {
    // These are more rows than a tile has, and no multiple of anything.
    const Data data = dense(make_problem(270, 7, 3, 6.0, 44));
    const Data test = dense(make_problem(131, 7, 3, 6.0, 45));
    const std::string settings =
        GetParam().settings + " kernel=[rbf(gamma=auto),arccos(1,0),linear] weights=dimkl1 scale=standard " +
        "probability=yes folds=3";
    const auto trained = [&](int32_t threads) {
        return train(data, GetParam().machine.c_str(), settings, control_with(threads).get());
    };
    const Model single = trained(1);
    const auto bytes = bytes_of(single.get());
    const Answers expected = answers(single, test, control_with(1).get());
    for (const int32_t threads : {2, 5}) {
        const Model model = trained(threads);
        EXPECT_EQ(bytes_of(model.get()), bytes) << threads << " threads";
        EXPECT_TRUE(same_answers(answers(model, test, control_with(threads).get()), expected)) << threads;
    }
    EXPECT_EQ(bytes_of(train(data, GetParam().machine.c_str(), settings).get()), bytes) << "all processors";
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const std::string multiclass : {"ovo", "ovr"}) {
        for (const std::string loss : {"hinge", "squared_hinge", "hard"}) {
            all.push_back(
                {"svm_" + loss + "_" + multiclass, "svm", "loss=" + loss + " multiclass=" + multiclass});
        }
        for (const std::string machine : {"fisher", "mean_of_class"}) {
            all.push_back({machine + "_" + multiclass, machine, "multiclass=" + multiclass});
        }
    }
    all.push_back({"svm_single", "svm", "precision=single"});
    return all;
}

INSTANTIATE_TEST_SUITE_P(Machines, ThreadCount, testing::ValuesIn(cases()),
                         [](const auto& information) { return information.param.name; });

// Functions of one class against the rest of sparse rows share a matrix that is known by its features. Some
// machines ask it for blocks and products alone, and some for the whole of it.
TEST(Concurrency, FunctionsOfSparseRowsShareAMatrix) {
    Problem problem = make_problem(300, 60, 5, 1.5, 52);
    for (double& value : problem.x) value = value > 1 ? value : 0;
    const Data data = compressed(problem);
    for (const std::string machine :
         {"svm", "nu_svm", "fisher", "mean_of_class", "rvm", "boosted", "kelm", "bvm"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, machine);
        const std::string own =
            machine == "rvm" || machine == "boosted" || machine == "kelm" ? "" : " multiclass=ovr";
        const std::string settings = "kernel=linear" + own + (machine == "nu_svm" ? " nu=0.3" : "");
        std::vector<unsigned char> expected;
        for (const int32_t threads : {1, 2, 5, 16}) {
            const Params params = parameters(machine.c_str(), settings.c_str());
            const Control control = control_with(threads);
            const Model model = create<Model>(dk_train, data.get(), params.get(), control.get());
            const auto bytes = bytes_of(model.get());
            if (threads == 1) expected = bytes;
            EXPECT_TRUE(bytes == expected) << threads;
        }
    }
}

TEST(Concurrency, ThreadCountDoesNotChangeABitWhereTheRowCacheForgets) {
    // A megabyte holds 145 of the 900 rows of the kernel matrix, and twice as many in single precision. The
    // clouds lie so close together that most rows are support vectors, which are asked for again and again.
    constexpr int64_t rows = 900;
    const Problem problem = make_problem(rows, 5, 2, 0.5, 51);
    const Data points = dense(problem);
    Similarities similarities(
        values_of<double>(rows * rows, dk_gram, points.get(), points.get(), "rbf(gamma=0.2)", nullptr), rows,
        rows);
    const Data known_by_similarity = similarities.data();
    label(known_by_similarity, problem.labels);
    for (const std::string settings : {"C=10", "loss=squared_hinge", "C=100 precision=single"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, settings);
        const auto pairs_asked = [&](const std::string& budget) {
            similarities.pairs = 0;
            train(known_by_similarity, "svm", settings + " neighbours=0 " + budget);
            return similarities.pairs.load();
        };
        // What the callback is asked for again tells that rows are forgotten.
        EXPECT_GT(pairs_asked("memory_mb=1"), 2 * pairs_asked("memory_mb=64"));
        for (const Data* data : {&points, &known_by_similarity}) {
            const char* kernel = data == &points ? " kernel=rbf(gamma=0.2)" : " kernel=gram(0)";
            const auto bytes = [&](int32_t threads) {
                return bytes_of(train(*data, "svm",
                                      settings + kernel + " memory_mb=1 probability=yes folds=3",
                                      control_with(threads).get())
                                    .get());
            };
            const auto expected = bytes(1);
            EXPECT_EQ(bytes(2), expected) << kernel;
            EXPECT_EQ(bytes(5), expected) << kernel;
        }
    }
}

TEST(Concurrency, ThreadCountDoesNotChangeKernelMatrices) {
    const Problem problem = make_problem(517, 9, 2, 1.0, 46);
    const Data left = dense(problem);
    const Data right = dense(make_problem(260, 9, 2, 1.0, 47));
    Random random(48);
    std::vector<double> v(260 * 3);
    for (double& value : v) value = random.normal();
    const Data thin = sparse(problem);
    for (const char* kernel : {"linear", "rbf(gamma=auto)", "laplacian(gamma=0.1)", "arccos(0,1,2)",
                               "poly(degree=3)", "normalize(0.5*rbf(gamma=1) + exp(0.01*linear))"}) {
        const auto numbers = [&](int32_t threads) {
            const Control control = control_with(threads);
            dk_control* c = control.get();
            std::vector<double> all = values_of<double>(517 * 517, dk_gram, left.get(), nullptr, kernel, c);
            const auto append = [&](const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
            append(values_of<double>(517 * 260, dk_gram, left.get(), right.get(), kernel, c));
            append(values_of<float>(517 * 260, dk_gram_f32, left.get(), right.get(), kernel, c));
            append(values_of<double>(517 * 3, dk_gram_product, left.get(), right.get(), kernel, v.data(),
                                     int64_t{3}, c));
            if (std::string(kernel).find("laplacian") ==
                std::string::npos) {  // The laplacian takes dense data only.
                append(values_of<double>(517 * 517, dk_gram, thin.get(), nullptr, kernel, c));
            }
            return all;
        };
        const auto expected = numbers(1);
        EXPECT_TRUE(same_bits(numbers(2), expected)) << kernel;
        EXPECT_TRUE(same_bits(numbers(5), expected)) << kernel;
    }
}

TEST(Concurrency, ThreadCountDoesNotChangeCrossValidation) {
    const Data data = dense(make_problem(150, 5, 3, 2.0, 49));
    const auto bytes = [&](int32_t threads) {
        const Control control = control_with(threads);
        const Params params = parameters("svm", "kernel=rbf(gamma=auto) folds=4 repeats=2 scale=standard");
        return bytes_of(create<Model>(dk_cross_validate, data.get(), params.get(), control.get()).get());
    };
    const auto expected = bytes(1);
    EXPECT_EQ(bytes(2), expected);
    EXPECT_EQ(bytes(5), expected);
}

/// What one call waits for in its callback, the other one does.
struct Meeting {
    std::atomic<bool> begun{false}, answered{false};

    static int32_t in_the_midst(double, const char*, void* user) {
        auto& meeting = *static_cast<Meeting*>(user);
        meeting.begun = true;
        for (int tries = 0; tries < 10000 && !meeting.answered; ++tries)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return 0;
    }
};

TEST(Concurrency, PredictingWaitsForNoOtherCall) {
    const Data data = dense(make_problem(300, 5, 2, 1.0, 53));
    const Data test = dense(make_problem(400000, 5, 2, 1.0, 54));
    const Model model = train(data, "svm", "kernel=rbf(gamma=0.1)");
    Meeting meeting;
    const Control held = control_with(2);
    check(dk_control_set_progress(held.get(), Meeting::in_the_midst, &meeting));
    std::vector<double> of_held(400000);
    std::thread other(
        [&] { check(dk_predict(of_held.data(), 400000, model.get(), test.get(), held.get())); });
    for (int tries = 0; tries < 10000 && !meeting.begun; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto predicted = values_of<double>(300, dk_predict, model.get(), data.get(), nullptr);
    const bool held_still = meeting.begun && !meeting.answered;
    meeting.answered = true;
    other.join();
    EXPECT_TRUE(held_still);
    EXPECT_EQ(predicted.size(), 300U);
}

}  // namespace
}  // namespace dk_test::concurrency_test
