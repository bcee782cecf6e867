// SPDX-License-Identifier: Apache-2.0
// A model tells how far rows lie from its training rows, and how usual that is, so that one can refuse to
// predict what is like nothing it has seen.
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "structures.hpp"

namespace dk_test::novelty_test {
namespace {

std::vector<double> novelty(const Model& model, const Data& data, int32_t threads = 0) {
    return values_of<double>(2 * dk_data_rows(data.get()), dk_novelty, model.get(), data.get(),
                             control_with(threads).get());
}

std::vector<double> p_values(const Model& model, const Data& data) {
    const auto found = novelty(model, data);
    std::vector<double> values;
    for (std::size_t i = 1; i < found.size(); i += 2) values.push_back(found[i]);
    return values;
}

TEST(Novelty, IsTheDistanceFromTheNearestOfHalfTheTrainingRows) {
    // Rows at 0, 10, 20, ..., 90. Five of them are the reference, and all others lie at multiples of 10.
    Problem problem{10, 1, {}, {}};
    for (int64_t i = 0; i < 10; ++i) {
        problem.x.push_back(10.0 * static_cast<double>(i));
        problem.labels.push_back(i % 2);
    }
    const Model model = train(dense(problem), "svm", "kernel=linear scale=none novelty=yes");
    const auto at = [&](double x) { return novelty(model, unlabelled({1, 1, {x}, {}})); };
    int references = 0;
    for (const double x : problem.x) references += at(x)[0] == 0 ? 1 : 0;
    EXPECT_EQ(references, 5);
    for (const double x : problem.x) {
        if (at(x)[0] != 0) continue;
        EXPECT_NEAR(at(x + 1)[0], 1, 1e-9);
        EXPECT_EQ(at(x)[1], 1);  // Each of the five others lies at least as far.
    }
    const auto far = at(-1e6);
    EXPECT_NEAR(far[0], 1e6, 100);
    EXPECT_EQ(far[1], 1.0 / 6);
    // p counts the training rows that lie at least as far.
    std::multiset<double> distances;
    for (const double x : problem.x) {
        if (at(x)[0] != 0) distances.insert(at(x)[0]);
    }
    for (const double x : {-3.0, 4.0, 15.0, 33.0, 104.0, 131.0}) {
        const auto found = at(x);
        const auto farther = std::distance(distances.lower_bound(found[0] - 1e-9), distances.end());
        EXPECT_DOUBLE_EQ(found[1], (1.0 + static_cast<double>(farther)) / 6) << x;
    }
}

TEST(Novelty, IsRarelySmallForRowsThatComeAsTheTrainingRowsDid) {
    constexpr int repetitions = 200;
    for (const char* kernel : {"rbf(gamma=0.5)", "linear", "laplacian(gamma=1)"}) {
        double below = 0;
        for (uint64_t r = 0; r < repetitions; ++r) {
            const Model model = train(dense(make_problem(100, 3, 2, 1.0, 2 * r)), "mean_of_class",
                                      std::string("kernel=") + kernel + " novelty=yes neighbours=0");
            for (const double p : p_values(model, unlabelled(make_problem(20, 3, 2, 1.0, 2 * r + 1))))
                below += p <= 0.1 ? 1 : 0;
        }
        // 0.0980 of them are expected, since p has 51 values; the deviation over trainings is below 0.007.
        EXPECT_NEAR(below / (20 * repetitions), 0.098, 0.021) << kernel;
    }
}

TEST(Novelty, IsTheLeastForRowsFarAway) {
    const Data data = dense(make_problem(200, 3, 2, 1.0, 5));
    for (const char* machine : {"svm", "kelm", "imkpl", "super_sparse", "one_class_svm", "elm"}) {
        const Model model = train(data, machine, "novelty=yes scale=standard kernel=rbf(gamma=0.3)");
        Problem away = make_problem(50, 3, 2, 1.0, 6);
        for (double& value : away.x) value += 30;
        for (const double p : p_values(model, unlabelled(away))) EXPECT_DOUBLE_EQ(p, 1.0 / 101) << machine;
        const Model again = read_model(bytes_of(model.get()));
        EXPECT_TRUE(same_bits(novelty(again, data), novelty(model, data))) << machine;
        const Model plain = train(data, machine, "scale=standard kernel=rbf(gamma=0.3)");
        EXPECT_TRUE(same_bits(decisions(model, data), decisions(plain, data))) << machine;
    }
}

TEST(Novelty, OfARowDependsNeitherOnTheOthersNorOnThreads) {
    const Data data = dense(make_problem(3000, 3, 2, 1.0, 7));
    const Data fresh = unlabelled(make_problem(2500, 3, 2, 1.0, 8));  // more than two pieces of 1024
    const Model model = train(data, "mean_of_class", "novelty=yes kernel=rbf(gamma=0.3) neighbours=0");
    const auto all = novelty(model, fresh, 1);
    EXPECT_TRUE(same_bits(novelty(model, fresh, 5), all));
    for (const int64_t row : {int64_t{0}, int64_t{1023}, int64_t{1024}, int64_t{2499}}) {
        const Data alone = create<Data>(dk_data_select, fresh.get(), &row, int64_t{1});
        const auto own = novelty(model, alone);
        EXPECT_TRUE(same_bits({all.begin() + 2 * row, all.begin() + 2 * row + 2}, own)) << row;
    }
    for (const int32_t threads : {2, 5})
        EXPECT_EQ(bytes_of(train(data, "mean_of_class", "novelty=yes kernel=rbf(gamma=0.3) neighbours=0",
                                 control_with(threads).get())
                               .get()),
                  bytes_of(model.get()));
}

TEST(Novelty, IsOfTextsSeriesAndGraphsToo) {
    for (const Data& data : {strings(30, 3), series(30, 2, 3), graphs(30, 3)}) {
        const Model model = train(data, "mean_of_class", "novelty=yes");
        for (const double p : p_values(model, data)) EXPECT_GE(p, 1.0 / 16);
        EXPECT_TRUE(same_bits(novelty(read_model(bytes_of(model.get())), data), novelty(model, data)));
    }
}

TEST(Novelty, OfCopiesIsNone) {
    const Problem five = make_problem(5, 4, 2, 1.0, 4);
    Problem problem{200, 4, {}, {}};
    for (int64_t i = 0; i < problem.rows; ++i) {
        const auto row = five.x.begin() + 4 * (i % 5);
        problem.x.insert(problem.x.end(), row, row + 4);
        problem.labels.push_back(five.labels[static_cast<std::size_t>(i % 5)]);
    }
    for (double& value : problem.x) value = 100 * value + 1000;
    for (const char* kernel : {"linear", "poly(degree=3)", "rbf(gamma=1e-4)", "laplacian(gamma=0.01)"}) {
        const Model model = train(dense(problem), "mean_of_class",
                                  std::string("scale=none novelty=yes neighbours=0 kernel=") + kernel);
        const auto found = novelty(model, dense(problem));
        for (std::size_t i = 0; i < found.size(); i += 2) {
            EXPECT_EQ(found[i], 0) << kernel;
            EXPECT_EQ(found[i + 1], 1) << kernel;
        }
    }
}

TEST(Novelty, SaysWhereItIsNotKnown) {
    const Problem problem = make_problem(40, 2, 2, 1.0, 9);
    const Data data = dense(problem);
    std::vector<double> out(80);
    const Model plain = train(data, "svm", "kernel=linear");
    expect_failure([&] { return dk_novelty(out.data(), 80, plain.get(), data.get(), nullptr); },
                   DK_ERR_UNSUPPORTED, {"novelty=yes"});
    const Model model = train(data, "svm", "kernel=linear novelty=yes");
    expect_exact_length<double>(
        [&](double* to, int64_t length) { return dk_novelty(to, length, model.get(), data.get(), nullptr); },
        80);
    const auto refuses = [](const Data& rows, dk_status status, const Words& words) {
        expect_no_handle<dk_model>(
            [&](dk_model** to) {
                return dk_train(to, rows.get(), parameters("mean_of_class", "novelty=yes").get(), nullptr);
            },
            status, words);
    };
    refuses(dense(make_problem(3, 2, 2, 1.0, 1)), DK_ERR_INVALID_DATA, {"4", "3"});
    Data similarities =
        gram(values_of<double>(1600, dk_gram, data.get(), nullptr, "linear", nullptr), 40, 40);
    check(dk_data_set_labels(similarities.get(), problem.labels.data(), 40));
    refuses(similarities, DK_ERR_UNSUPPORTED, {"similarities"});
}

}  // namespace
}  // namespace dk_test::novelty_test
