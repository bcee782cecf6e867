// SPDX-License-Identifier: Apache-2.0
// Models learn from further rows and forget some. Machines that keep all rows become what training on the
// rows that are left would make, and machines of few rows what training on these few and the further ones
// makes.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "structures.hpp"

namespace dk_test::update_test {
namespace {

using nlohmann::json;
using Rows = std::vector<int64_t>;

Model updated(const Model& model, const dk_data* further, const Rows& forget, int32_t threads = 0) {
    return create<Model>(dk_model_update, model.get(), further, forget.data(),
                         static_cast<int64_t>(forget.size()), control_with(threads).get());
}

Rows range(int64_t first, int64_t end) {
    Rows rows(static_cast<std::size_t>(end - first));
    std::iota(rows.begin(), rows.end(), first);
    return rows;
}

Data some_rows(const Data& data, const Rows& rows) {
    return create<Data>(dk_data_select, data.get(), rows.data(), static_cast<int64_t>(rows.size()));
}

json info_of(const Model& model) {
    return json::parse(text_of(dk_model_info, model.get()));
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

/// Labels and targets of the rows, so that any machine learns from them.
Data with_targets(Data data, const Problem& problem) {
    std::vector<double> targets;
    for (int64_t i = 0; i < problem.rows; ++i)
        targets.push_back(std::sin(problem.x[static_cast<std::size_t>(i * problem.cols)]));
    check(dk_data_set_targets(data.get(), targets.data(), problem.rows));
    return data;
}

struct RidgeCase {
    const char* machine;
    const char* settings;
    bool sparse = false;
    int64_t rows = 700;  // more than two panels of a factor

    friend void PrintTo(const RidgeCase& one, std::ostream* out) {
        *out << one.machine << " " << one.settings << (one.sparse ? " sparse " : " ") << one.rows;
    }
};

class RidgeUpdate : public testing::TestWithParam<RidgeCase> {};

TEST_P(RidgeUpdate, IsTrainingOnTheRowsThatAreLeft) {
    const RidgeCase& one = GetParam();
    const int64_t n = one.rows;
    const int64_t tenth = n / 10;
    const Problem problem = make_problem(n + 3 * tenth, 4, 3, 1.0, 11);
    const Data all = with_targets(one.sparse ? compressed(problem) : dense(problem), problem);
    const Data fresh = unlabelled(make_problem(200, 4, 3, 1.0, 12));
    const std::string settings = std::string(one.settings) + " scale=none";
    Model model = train(some_rows(all, range(0, n)), one.machine, settings + " updatable=yes");
    const std::string before = bytes_of(model.get()).empty() ? "" : text_of(dk_model_info, model.get());
    const Model first = updated(model, some_rows(all, range(n, n + tenth)).get(), {});
    EXPECT_EQ(text_of(dk_model_info, model.get()), before);
    const auto expect_trained_on = [&](const Model& found, const Rows& rows) {
        const Model again = train(some_rows(all, rows), one.machine, settings);
        const auto expected = decisions(again, fresh);
        EXPECT_LT(largest_difference(decisions(found, fresh), expected), 1e-8);
        if (dk_model_class_count(again.get()) > 0) {
            EXPECT_EQ(predictions(found, fresh), predictions(again, fresh));
        }
    };
    expect_trained_on(first, range(0, n + tenth));
    // The first rows leave, some from the middle, and a row of those that came.
    Rows gone = range(0, tenth);
    gone.insert(gone.end(), {n / 2, n / 2 + 7, n + 3});
    const Model second = updated(first, some_rows(all, range(n + tenth, n + 2 * tenth)).get(), gone);
    Rows left = range(tenth, n + 2 * tenth);
    std::erase_if(left, [&](int64_t row) { return std::ranges::count(gone, row) > 0; });
    expect_trained_on(second, left);
    EXPECT_EQ(dk_model_training_rows(second.get()), n + 2 * tenth);
    const json told = info_of(second).at("training").at("update");
    EXPECT_EQ(told.at("further"), tenth);
    EXPECT_EQ(told.at("forgotten"), tenth + 3);
    // A model that was saved makes its factor anew.
    const Model loaded = read_model(bytes_of(second.get()));
    const Model third = updated(loaded, some_rows(all, range(n + 2 * tenth, n + 3 * tenth)).get(), {});
    const Rows last = range(n + 2 * tenth, n + 3 * tenth);
    left.insert(left.end(), last.begin(), last.end());
    expect_trained_on(third, left);
    const Model forgetting = updated(third, nullptr, range(tenth, 2 * tenth));
    left.erase(left.begin(), left.begin() + tenth);
    expect_trained_on(forgetting, left);
}

INSTANTIATE_TEST_SUITE_P(
    Machines, RidgeUpdate,
    testing::Values(RidgeCase{"kelm", "kernel=rbf(gamma=0.5)"},
                    RidgeCase{"kelm", "kernel=rbf(gamma=0.5)", true},
                    RidgeCase{"kelm", "kernel=rbf(gamma=0.5) offset=yes", false, 60},
                    RidgeCase{"kernel_ridge", "kernel=laplacian(gamma=0.3) C=100"},
                    RidgeCase{"kernel_ridge", "kernel=rbf(gamma=0.5) offset=yes", true, 100},
                    RidgeCase{"kernel_ridge", "kernel=\"0.5*rbf(gamma=0.5) + 0.5*linear\"", false, 300},
                    RidgeCase{"kernel_ridge", "kernel=linear"},
                    RidgeCase{"fisher", "kernel=rbf(gamma=0.5)", false, 90},
                    RidgeCase{"mean_of_class", "kernel=rbf(gamma=0.5)", false, 90}));

TEST(Update, KeepsItsPrecisionOverManySteps) {
    constexpr int64_t window = 120;
    constexpr int64_t steps = 60;
    const Problem problem = make_problem(window + steps, 3, 2, 1.0, 3);
    const Data all = dense(problem);
    Model model =
        train(some_rows(all, range(0, window)), "kelm", "kernel=rbf(gamma=1) C=1e4 scale=none updatable=yes");
    for (int64_t step = 0; step < steps; ++step)
        model = updated(model, some_rows(all, {window + step}).get(), {step});
    const Model again =
        train(some_rows(all, range(steps, window + steps)), "kelm", "kernel=rbf(gamma=1) C=1e4 scale=none");
    const auto expected = decisions(again, all);
    EXPECT_LT(largest_difference(decisions(model, all), expected), 1e-7);
}

/// The rows that have coefficients in some prototype.
Rows kept_rows(const Model& model) {
    const int64_t rows = dk_model_training_rows(model.get());
    const int64_t prototypes = dk_model_prototype_count(model.get());
    const auto coefficients =
        values_of<double>(rows * prototypes, dk_model_prototype_coefficients, model.get());
    Rows kept;
    for (int64_t i = 0; i < rows; ++i) {
        bool used = false;
        for (int64_t p = 0; p < prototypes; ++p)
            used = used || coefficients[static_cast<std::size_t>(p * rows + i)] != 0;
        if (used) kept.push_back(i);
    }
    return kept;
}

class FewRows : public testing::TestWithParam<const char*> {};

TEST_P(FewRows, AreTrainedAgainWithTheFurtherOnes) {
    const std::string settings = std::string(GetParam());
    const std::string machine = settings.substr(0, settings.find(' '));
    const std::string parameters =
        settings.substr(settings.find(' ')) + " kernel=rbf(gamma=0.4) scale=none tolerance=1e-8";
    for (const int64_t classes : {2, 3}) {
        const Problem problem = make_problem(300, 3, classes, 1.5, 21);
        const Data all = with_targets(dense(problem), problem);
        const Data fresh = unlabelled(make_problem(100, 3, classes, 1.5, 22));
        const Model model =
            train(some_rows(all, range(0, 270)), machine.c_str(), parameters + " updatable=yes");
        Rows rows = kept_rows(model);
        const int64_t gone = rows[1];
        const Model changed = updated(model, some_rows(all, range(270, 300)).get(), {gone});
        rows.erase(rows.begin() + 1);
        const Rows further = range(270, 300);
        rows.insert(rows.end(), further.begin(), further.end());
        const Model again = train(some_rows(all, rows), machine.c_str(), parameters);
        EXPECT_LT(largest_difference(decisions(changed, fresh), decisions(again, fresh)), 1e-5);
        const Rows now = kept_rows(changed);
        EXPECT_EQ(std::ranges::count(now, gone), 0);
        EXPECT_TRUE(std::ranges::includes(rows, now));
        EXPECT_GT(std::ranges::count_if(now, [](int64_t row) { return row >= 270; }), 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, FewRows,
                         testing::Values("svm C=2", "svm C=2 multiclass=ovr", "svm C=2 loss=squared_hinge",
                                         "svr C=2 epsilon=0.05"));

TEST(Update, OfAnSvmSolvesItsProgramToTheToleranceOnTheRowsThatItHas) {
    const Problem problem = make_problem(600, 3, 2, 0.8, 31);
    const Data all = dense(problem);
    Model model =
        train(some_rows(all, range(0, 500)), "svm", "kernel=rbf(gamma=0.4) scale=none updatable=yes");
    for (int64_t step = 0; step < 10; ++step) {
        Rows rows = kept_rows(model);
        const Rows further = range(500 + 10 * step, 510 + 10 * step);
        model = updated(model, some_rows(all, further).get(), {});
        rows.insert(rows.end(), further.begin(), further.end());
        const json found = info_of(model).at("training").at("functions").at(0);
        EXPECT_LE(found.at("gap").get<double>(), 1e-3);
        EXPECT_TRUE(found.at("converged").get<bool>());
        const Model again =
            train(some_rows(all, rows), "svm", "kernel=rbf(gamma=0.4) scale=none tolerance=1e-9");
        const double best = info_of(again).at("training").at("functions").at(0).at("objective");
        EXPECT_NEAR(found.at("objective").get<double>(), best, 1e-3 * std::abs(best));
    }
}

TEST(Update, StartsAtTheCoefficientsThatItHasSoThatItTakesFewerSteps) {
    const Data all = dense(make_problem(2020, 3, 2, 0.8, 32));
    const std::string settings = "kernel=rbf(gamma=0.4) C=0.1 scale=none precision=double";
    const Model model = train(some_rows(all, range(0, 2000)), "svm", settings + " updatable=yes");
    Rows rows = kept_rows(model);
    const Model changed = updated(model, some_rows(all, range(2000, 2020)).get(), {});
    const Rows further = range(2000, 2020);
    rows.insert(rows.end(), further.begin(), further.end());
    const Model again = train(some_rows(all, rows), "svm", settings);
    const auto steps = [](const Model& of) {
        return info_of(of).at("training").at("functions").at(0).at("iterations").get<int64_t>();
    };
    EXPECT_LT(3 * steps(changed), steps(again));
}

TEST(Update, KeepsScalesNamesAndWeightsOfRows) {
    Problem problem = make_problem(120, 2, 2, 1.0, 41);
    for (std::size_t i = 0; i < problem.x.size(); i += 2) problem.x[i] *= 1000;
    const auto weighted = [&](int64_t first, int64_t end, const std::vector<double>& weights) {
        Data rows = some_rows(dense(problem), range(first, end));
        if (!weights.empty())
            check(
                dk_data_set_sample_weights(rows.get(), weights.data(), static_cast<int64_t>(weights.size())));
        return rows;
    };
    std::vector<double> weights(100);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = i % 3 == 0 ? 2.0 : 0.5;
    const std::string settings = "kernel=rbf(gamma=0.5) C=1 tolerance=1e-8 ";
    const Model model = train(weighted(0, 100, weights), "svm", settings + "scale=standard updatable=yes");
    const Data fresh = unlabelled(make_problem(50, 2, 2, 1.0, 42));
    // Rows without weights count once; with the same effect as weights of 1.
    const Model plain = updated(model, weighted(100, 120, {}).get(), {});
    const Model ones = updated(model, weighted(100, 120, std::vector<double>(20, 1.0)).get(), {});
    const Model heavy = updated(model, weighted(100, 120, std::vector<double>(20, 9.0)).get(), {});
    EXPECT_TRUE(same_bits(decisions(plain, fresh), decisions(ones, fresh)));
    EXPECT_GT(largest_difference(decisions(plain, fresh), decisions(heavy, fresh)), 0.01);
}

TEST(Update, OfStringsSeriesAndGraphsJoinsRowsOfTheirKind) {
    const auto expect_joined = [](const Data& data, const char* kernel) {
        const int64_t n = dk_data_rows(data.get());
        const std::string settings = std::string("kernel=") + kernel;
        const Model model = train(some_rows(data, range(0, n - 4)), "kelm", settings + " updatable=yes");
        const Model changed = updated(model, some_rows(data, range(n - 4, n)).get(), {1, 2});
        Rows left = range(0, n);
        left.erase(left.begin() + 1, left.begin() + 3);
        const Model again = train(some_rows(data, left), "kelm", settings);
        EXPECT_LT(largest_difference(decisions(changed, data), decisions(again, data)), 1e-10) << kernel;
    };
    expect_joined(strings(24, 5), "spectrum(length=2)");
    expect_joined(series(24, 2, 5), "gak(sigma=1)");
    expect_joined(graphs(24, 5), "weisfeiler_lehman(iterations=2)");
}

TEST(Update, IsTheSameForAnyNumberOfThreads) {
    const Problem problem = make_problem(1200, 4, 3, 1.0, 51);
    const Data all = dense(problem);
    for (const char* machine : {"kelm", "svm"}) {
        const Model model =
            train(some_rows(all, range(0, 1100)), machine, "kernel=rbf(gamma=0.5) updatable=yes");
        const Data further = some_rows(all, range(1100, 1200));
        const Model one = updated(model, further.get(), range(0, 50), 1);
        for (const int32_t threads : {2, 5})
            EXPECT_EQ(bytes_of(updated(model, further.get(), range(0, 50), threads).get()),
                      bytes_of(one.get()))
                << machine << threads;
    }
}

TEST(Update, PrototypesOfSelectionsAreChosenAmongThemAndTheFurtherRows) {
    const Problem problem = make_problem(200, 2, 2, 3.0, 61);
    const Data all = dense(problem);
    const Model model =
        train(some_rows(all, range(0, 150)), "prototype_selection", "kernel=rbf(gamma=0.5) updatable=yes");
    const Rows before = kept_rows(model);
    const Model changed = updated(model, some_rows(all, range(150, 200)).get(), {before.front()});
    for (const int64_t row : kept_rows(changed))
        EXPECT_TRUE(row >= 150 || (row != before.front() && std::ranges::count(before, row) > 0)) << row;
    double score = 0;
    check(dk_score(&score, changed.get(), all.get(), "accuracy", nullptr));
    EXPECT_GT(score, 0.9);
}

/// Rows of two classes, moved to the right.
Problem moved_classes(int64_t rows, double by, uint64_t seed) {
    Problem problem = make_problem(rows, 2, 2, 3.0, seed);
    for (double& value : problem.x) value += by;
    return problem;
}

TEST(Update, MovesThePrototypesThatAMachineHas) {
    const Data first = dense(moved_classes(150, 0, 62));
    const Data further = dense(moved_classes(150, 3, 63));
    const Data fresh = dense(moved_classes(200, 3, 64));
    for (const char* machine : {"kglvq", "akglvq"}) {
        const std::string settings = "kernel=rbf(gamma=0.1) prototypes=2 scale=none updatable=yes ";
        // Without an epoch nothing moves them, and further rows are in none.
        const Model still = train(first, machine, settings + "epochs=0");
        if (machine == std::string("kglvq")) {
            const Model same = updated(still, further.get(), {});
            EXPECT_LT(largest_difference(decisions(same, fresh), decisions(still, fresh)), 1e-12);
        }
        const Model model = train(first, machine, settings);
        const Model changed = updated(model, further.get(), {3}, 1);
        EXPECT_EQ(bytes_of(updated(read_model(bytes_of(model.get())), further.get(), {3}, 2).get()),
                  bytes_of(changed.get()))
            << machine;
        double before = 0;
        double after = 0;
        check(dk_score(&before, model.get(), fresh.get(), "accuracy", nullptr));
        check(dk_score(&after, changed.get(), fresh.get(), "accuracy", nullptr));
        EXPECT_GT(after, before) << machine;
        EXPECT_GT(after, 0.9) << machine;
        EXPECT_EQ(std::ranges::count(kept_rows(changed), 3), 0) << machine;
    }
}

// Where few rows join, prototypes that have learned already begin at a smaller cost than new ones.
TEST(Update, OfPrototypesGoesOnWhereLearningEnded) {
    const Data all = dense(moved_classes(310, 0, 65));
    const std::string settings = "kernel=rbf(gamma=0.3) prototypes=2 scale=none ";
    const Model model = train(some_rows(all, range(0, 300)), "kglvq", settings + "updatable=yes");
    const json costs =
        info_of(updated(model, some_rows(all, range(300, 310)).get(), {})).at("training").at("costs");
    const json again = info_of(train(all, "kglvq", settings)).at("training").at("costs");
    EXPECT_LT(costs.front().get<double>(), again.front().get<double>());
}

TEST(Update, MayReplaceAllRows) {
    const Problem problem = make_problem(160, 2, 2, 1.0, 81);
    const Data all = dense(problem);
    for (const char* machine : {"kelm", "svm"}) {
        const std::string settings = "kernel=rbf(gamma=1) scale=none";
        const Model model = train(some_rows(all, range(0, 40)), machine, settings + " updatable=yes");
        const Model changed = updated(model, some_rows(all, range(40, 160)).get(), range(0, 40));
        const Model again = train(some_rows(all, range(40, 160)), machine, settings);
        EXPECT_LT(largest_difference(decisions(changed, all), decisions(again, all)), 1e-8) << machine;
    }
}

TEST(Update, DropsWhatIsOfTheEarlierModel) {
    const Problem problem = make_problem(100, 2, 2, 1.0, 82);
    const Data all = dense(problem);
    const Data first = some_rows(all, range(0, 60));
    const Data rest = some_rows(all, range(60, 100));
    const std::string settings = "kernel=rbf(gamma=1) updatable=yes novelty=yes confidence=0.9";
    const Model model =
        create<Model>(dk_cross_validate, first.get(), parameters("kelm", settings).get(), nullptr);
    EXPECT_TRUE(info_of(model).contains("cross_validation"));
    const Model changed = updated(model, rest.get(), range(0, 60));
    EXPECT_FALSE(info_of(changed).contains("cross_validation"));
    EXPECT_FALSE(info_of(changed).contains("confidence"));
    // No forgotten row is known any more: none lies at a reference row.
    const auto novel = values_of<double>(120, dk_novelty, changed.get(), first.get(), nullptr);
    for (std::size_t i = 0; i < novel.size(); i += 2) EXPECT_GT(novel[i], 0);
    const Model machine = train(first, "svm", "kernel=rbf(gamma=1) updatable=yes novelty=yes");
    EXPECT_TRUE(info_of(updated(machine, rest.get(), {})).at("novelty").get<bool>());
    EXPECT_FALSE(info_of(updated(machine, rest.get(), {0})).at("novelty").get<bool>());
}

TEST(Update, OfACompressedModelIsNone) {
    const Data data = dense(make_problem(60, 2, 2, 1.0, 83));
    const Model model = train(data, "svm", "kernel=rbf(gamma=1) updatable=yes novelty=yes");
    const Model compressed =
        create<Model>(dk_compress, model.get(), data.get(),
                      parameters("super_sparse", "prototypes=4 kernel=rbf(gamma=2)").get(), nullptr);
    expect_no_handle<dk_model>(
        [&](dk_model** out) {
            return dk_model_update(out, compressed.get(), data.get(), nullptr, 0, nullptr);
        },
        DK_ERR_UNSUPPORTED, {"updatable=yes"});
    const Model again = read_model(bytes_of(compressed.get()));
    EXPECT_EQ(decisions(again, data), decisions(compressed, data));
    EXPECT_FALSE(info_of(compressed).at("novelty").get<bool>());
}

TEST(Update, IsOfTheMachinesThatTheDescriptionNames) {
    const Problem problem = make_problem(60, 2, 2, 2.0, 84);
    const Data data = with_targets(dense(problem), problem);
    const json described = json::parse(text_of(dk_describe));
    int updating = 0;
    for (const json& machine : described.at("machines")) {
        const std::string name = machine.at("name");
        const Params params = parameters(name.c_str(), "updatable=yes");
        if (!machine.at("updates").get<bool>()) {
            expect_no_handle<dk_model>(
                [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); },
                DK_ERR_UNSUPPORTED, {name, "updatable"});
            continue;
        }
        ++updating;
        const Model model = create<Model>(dk_train, data.get(), params.get(), nullptr);
        const Model changed = updated(model, data.get(), {kept_rows(model).front()});
        EXPECT_EQ(dk_model_training_rows(changed.get()), 120) << name;
        EXPECT_EQ(predictions(read_model(bytes_of(changed.get())), data), predictions(changed, data)) << name;
    }
    EXPECT_GE(updating, 10);
}

TEST(Update, SaysWhatCannotBeUpdated) {
    const Problem problem = make_problem(40, 2, 2, 1.0, 71);
    const Data data = dense(problem);
    const auto fails = [&](const Model& model, const dk_data* further, const Rows& forget, dk_status status,
                           const Words& words) {
        expect_no_handle<dk_model>(
            [&](dk_model** out) {
                return dk_model_update(out, model.get(), further, forget.data(),
                                       static_cast<int64_t>(forget.size()), nullptr);
            },
            status, words);
    };
    const Model plain = train(data, "svm", "kernel=linear");
    fails(plain, data.get(), {}, DK_ERR_UNSUPPORTED, {"updatable=yes"});
    const Model model = train(data, "kelm", "kernel=rbf(gamma=1) updatable=yes");
    fails(model, nullptr, {}, DK_ERR_INVALID_ARGUMENT, {"nothing", "forget_count"});
    fails(model, data.get(), {40}, DK_ERR_INVALID_ARGUMENT, {"40", "39"});
    fails(model, data.get(), {-1}, DK_ERR_INVALID_ARGUMENT, {"-1"});
    fails(model, unlabelled(problem).get(), {}, DK_ERR_INVALID_DATA, {"labels"});
    Problem other = problem;
    other.labels[5] = 77;
    fails(model, dense(other).get(), {}, DK_ERR_INVALID_DATA, {"77", "5"});
    fails(model, dense(make_problem(10, 3, 2, 1.0, 1)).get(), {}, DK_ERR_DIMENSION, {"3", "2"});
    Rows even;
    for (int64_t i = 0; i < 40; i += 2) even.push_back(i);
    fails(model, nullptr, even, DK_ERR_INVALID_DATA, {"class"});
    fails(model, nullptr, range(0, 40), DK_ERR_INVALID_DATA, {"row"});
    const Model moved =
        create<Model>(dk_move_threshold, train(data, "svm", "kernel=linear updatable=yes").get(), data.get(),
                      "miss_cost=2", nullptr);
    fails(moved, data.get(), {}, DK_ERR_UNSUPPORTED, {"threshold"});
    expect_failure([&] { return dk_model_update(nullptr, model.get(), data.get(), nullptr, 0, nullptr); },
                   DK_ERR_INVALID_ARGUMENT, {"out"});
    for (const int64_t count : {int64_t{-1}, int64_t{2}}) {
        expect_no_handle<dk_model>(
            [&](dk_model** out) {
                return dk_model_update(out, model.get(), data.get(), nullptr, count, nullptr);
            },
            DK_ERR_INVALID_ARGUMENT, {count < 0 ? "forget_count" : "forget"});
    }
    const auto refuses = [&](const Data& rows, const char* machine, const std::string& settings,
                             const Words& words) {
        expect_no_handle<dk_model>(
            [&](dk_model** out) {
                return dk_train(out, rows.get(), parameters(machine, settings + " updatable=yes").get(),
                                nullptr);
            },
            DK_ERR_UNSUPPORTED, words);
    };
    for (const char* machine : {"elm", "imkpl", "nu_svm", "rvm", "super_sparse", "nearest_neighbours"})
        refuses(data, machine, "", {machine, "updated"});
    refuses(data, "kelm", "tune_kernel=evidence", {"tune_kernel"});
    refuses(data, "svm", "layers=[kernel_pca(rbf, components=2)]", {"layers", "components"});
    Data similarities =
        gram(values_of<double>(1600, dk_gram, data.get(), nullptr, "linear", nullptr), 40, 40);
    check(dk_data_set_labels(similarities.get(), problem.labels.data(), 40));
    refuses(similarities, "kelm", "", {"similarities"});
}

}  // namespace
}  // namespace dk_test::update_test
