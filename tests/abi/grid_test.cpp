// SPDX-License-Identifier: Apache-2.0
// These tests cross-validate over grids, and expect every candidate to have the scores that it has alone.
#include <cmath>
#include <nlohmann/json.hpp>

#include "expectations.hpp"

namespace dk_test::grid_test {
namespace {

nlohmann::json validation(const dk_data* data, const std::string& machine, const std::string& settings,
                          int32_t threads = 2) {
    const Control control = create<Control>(dk_control_create);
    check(dk_control_set_threads(control.get(), threads));
    const Model model =
        create<Model>(dk_cross_validate, data, parameters(machine.c_str(), settings).get(), control.get());
    return nlohmann::json::parse(text_of(dk_model_info, model.get())).at("cross_validation");
}

TEST(Grid, CandidatesHaveTheScoresThatTheyHaveAlone) {
    const Data data = dense(make_problem(160, 4, 3, 1.0, 12));
    for (const std::string scale : {"none", "standard"}) {
        const std::string common = "folds=4 repeats=2 scale=" + scale + " tolerance=1e-8 ";
        const auto grid = validation(data.get(), "svm",
                                     common +
                                         "grid=C=0.5:8;kernel=[rbf(gamma=0.3),arccos(1,0)];loss=hinge:"
                                         "squared_hinge");
        ASSERT_EQ(grid.at("candidates").size(), 8U);
        for (const auto& candidate : grid.at("candidates")) {
            const auto& chosen = candidate.at("parameters");
            const std::string own = common + "C=" + chosen.at("C").get<std::string>() +
                                    " loss=" + chosen.at("loss").get<std::string>() +
                                    " kernel=" + chosen.at("kernel").get<std::string>();
            const auto alone = validation(data.get(), "svm", own);
            EXPECT_EQ(candidate.at("metrics").at("accuracy"), alone.at("metrics").at("accuracy")) << own;
        }
    }
}

// Of a path of C that is so long, the models of a fold share kernel values of its scaled rows.
TEST(Grid, LongPathsHaveTheScoresThatTheyHaveAlone) {
    const Data data = dense(make_problem(160, 4, 3, 1.0, 12));
    for (const std::string settings :
         {"scale=standard kernel=rbf(gamma=0.3) ", "scale=ranks kernel=arccos(1,0) ",
          "scale=minmax kernel=[rbf(gamma=1),linear] weights=mklgl "}) {
        const std::string common = "folds=4 tolerance=1e-8 " + settings;
        const auto grid = validation(data.get(), "svm", common + "grid=C=0.1:1:10:100:1000");
        EXPECT_EQ(grid, validation(data.get(), "svm", common + "grid=C=0.1:1:10:100:1000", 5));
        for (const auto& candidate : grid.at("candidates")) {
            const std::string own = common + "C=" + candidate.at("parameters").at("C").get<std::string>();
            const auto alone = validation(data.get(), "svm", own);
            EXPECT_EQ(candidate.at("metrics").at("accuracy"), alone.at("metrics").at("accuracy")) << own;
        }
    }
}

// A bank over the caller's own similarities keeps its order: its kernels are no matrices of that order.
TEST(Grid, KernelsOverGivenSimilaritiesStandAlone) {
    const auto problem = make_problem(80, 4, 2, 1.0, 19);
    std::vector<double> similarities;
    for (const double gamma : {0.01, 1.0}) {
        for (int64_t i = 0; i < 80; ++i) {
            for (int64_t j = 0; j < 80; ++j) {
                double distance = 0;
                for (int64_t c = 0; c < 4; ++c) {
                    const double d = problem.x[4 * i + c] - problem.x[4 * j + c];
                    distance += d * d;
                }
                similarities.push_back(std::exp(-gamma * distance));
            }
        }
    }
    const Data data = create<Data>(dk_data_from_gram, similarities.data(), int64_t{2}, int64_t{80},
                                   int64_t{80}, int64_t{80}, DK_ROW_MAJOR, int64_t{6400}, nullptr);
    check(dk_data_set_labels(data.get(), problem.labels.data(), 80));
    const auto grid =
        validation(data.get(), "svm", "folds=4 kernel=[gram(1),exp(gram(0))] grid=weights=[each]");
    ASSERT_EQ(grid.at("candidates").size(), 2U);
    for (const auto& candidate : grid.at("candidates")) {
        const std::string kernel = candidate.at("parameters").at("kernel");
        const auto alone = validation(data.get(), "svm", "folds=4 kernel=" + kernel);
        EXPECT_EQ(candidate.at("metrics").at("accuracy"), alone.at("metrics").at("accuracy")) << kernel;
    }
}

TEST(Grid, OfFewBytesAndManyCombinationsIsRefusedBeforeTheyAreMade) {
    std::string many = "1";
    std::string tolerances = "0.001";
    for (int k = 2; k <= 300; ++k) {
        many += ":" + std::to_string(k);
        tolerances += ":0." + std::to_string(1000 + k).substr(1);
    }
    const std::string kernels =
        "kernel=grid(poly, degree=1:2:3:4:5:6:7:8:9:10, gamma=1:2:3:4:5:6:7:8:9:10, "
        "coef0=1:2:3:4:5:6:7:8:9:10)";
    const Data data = dense(make_problem(24, 2, 2, 1.0, 12));
    const Params params = create<Params>(dk_params_create, "svm");
    // 90,000 values of C and the tolerance, with a thousand kernels each.
    check(dk_params_set(params.get(), "grid", (kernels + ";C=" + many + ";tolerance=" + tolerances).c_str()));
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_cross_validate(out, data.get(), params.get(), nullptr); },
        DK_ERR_INVALID_PARAMETER, {"grid", "100000"});
    // 90,000 are allowed, and take more memory than a small budget.
    check(dk_params_set(params.get(), "grid", ("C=" + many + ";tolerance=" + tolerances).c_str()));
    const Control control = control_with(1);
    check(dk_control_set_memory(control.get(), 4));
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_cross_validate(out, data.get(), params.get(), control.get()); },
        DK_ERR_MEMORY_BUDGET, {"grid", "combinations"});
    // A cancel ends the counting.
    dk_control_cancel(control.get());
    check(dk_control_set_memory(control.get(), 1000));
    expect_no_handle<dk_model>(
        [&](dk_model** out) { return dk_cross_validate(out, data.get(), params.get(), control.get()); },
        DK_ERR_CANCELLED);
}

TEST(Grid, ScalingMayBeCompared) {
    const Data data = dense(make_problem(120, 4, 2, 1.0, 17));
    const auto grid = validation(data.get(), "svm", "grid=scale=none:standard;kernel=[rbf(gamma=0.3)]");
    ASSERT_EQ(grid.at("candidates").size(), 2U);
    for (const auto& candidate : grid.at("candidates")) {
        const std::string scale = candidate.at("parameters").at("scale");
        const auto alone = validation(data.get(), "svm", "kernel=rbf(gamma=0.3) scale=" + scale);
        EXPECT_EQ(candidate.at("metrics").at("accuracy"), alone.at("metrics").at("accuracy")) << scale;
    }
}

TEST(Grid, TheBatteryLeavesOutWhatAMachineCannotHave) {
    const Problem problem = make_problem(60, 3, 2, 1.0, 20);
    const Data data = dense(problem);
    check(dk_data_set_targets(data.get(), problem.x.data(), 60));
    // Two kernels alone, uniform weights, and for svr those that need no classes.
    for (const auto& [machine, candidates] : {std::pair("svr", 7U), {"imkpl", 3U}}) {
        const Params params = parameters(machine, "folds=3 kernel=[rbf(gamma=0.1),rbf(gamma=1)]");
        const Model model = create<Model>(dk_mkl_compare, data.get(), params.get(), nullptr);
        const auto info = nlohmann::json::parse(text_of(dk_model_info, model.get()));
        EXPECT_EQ(info.at("cross_validation").at("candidates").size(), candidates) << machine;
    }
    // Without mklgl, which solves a program of one target, and of rows of one weight where errors are
    // squared.
    const auto candidates_of = [&](const Data& rows, const char* machine) {
        const Params params = parameters(machine, "folds=3 kernel=[rbf(gamma=0.1),rbf(gamma=1)]");
        const Model model = create<Model>(dk_mkl_compare, rows.get(), params.get(), nullptr);
        return nlohmann::json::parse(text_of(dk_model_info, model.get()))
            .at("cross_validation")
            .at("candidates")
            .size();
    };
    EXPECT_EQ(candidates_of(data, "kernel_ridge"), 7U);
    check(dk_data_set_targets(data.get(), problem.x.data(), 120));
    EXPECT_EQ(candidates_of(data, "kernel_ridge"), 6U);
    const Data weighed = dense(problem);
    const std::vector<double> weights(60, 2);
    const auto all = candidates_of(weighed, "kelm");
    check(dk_data_set_sample_weights(weighed.get(), weights.data(), 60));
    EXPECT_EQ(candidates_of(weighed, "kelm"), all - 1);
}

TEST(Grid, WidthsAreFoundOnRowsAsTheyAreScaled) {
    Problem problem = make_problem(120, 4, 2, 1.0, 17);
    for (double& x : problem.x) x *= 1000;
    const auto grid =
        validation(dense(problem).get(), "svm", "grid=kernel=[rbf(gamma=median)];scale=none:standard");
    ASSERT_EQ(grid.at("candidates").size(), 2U);
    std::vector<std::string> kernels;
    for (const auto& candidate : grid.at("candidates"))
        kernels.push_back(candidate.at("parameters").at("kernel"));
    EXPECT_NE(kernels[0], kernels[1]);
}

TEST(Grid, TheBestIsTrainedOnAllRows) {
    const Data data = dense(make_problem(150, 4, 2, 0.8, 13));
    const Params params = parameters("svm", "grid=C=0.001:1:50;kernel=[rbf(gamma=0.3),linear]");
    const Model model = create<Model>(dk_cross_validate, data.get(), params.get(), nullptr);
    const auto info = nlohmann::json::parse(text_of(dk_model_info, model.get()));
    const auto& report = info.at("cross_validation");
    double best = -1;
    std::size_t expected = 0;
    for (std::size_t c = 0; c < report.at("candidates").size(); ++c) {
        const double mean = report.at("candidates").at(c).at("metrics").at("accuracy").at("mean");
        if (mean > best) expected = c;
        best = std::max(best, mean);
    }
    EXPECT_EQ(report.at("best"), expected);
    const auto& chosen = report.at("candidates").at(expected).at("parameters");
    EXPECT_EQ(info.at("parameters").at("C"), chosen.at("C"));
    EXPECT_EQ(info.at("kernel"), chosen.at("kernel"));
    EXPECT_EQ(report.at("metrics"), report.at("candidates").at(expected).at("metrics"));
}

TEST(Grid, WaysToWeighABankHaveTheScoresThatTheyHaveAlone) {
    const Data data = dense(make_problem(120, 4, 2, 1.0, 18));
    for (const std::string scale : {"none", "standard"}) {
        const std::string bank = "[rbf(gamma=0.1),rbf(gamma=2),poly(degree=2)]";
        const std::string common = "folds=3 C=4 tolerance=1e-8 scale=" + scale + " ";
        const auto grid = validation(
            data.get(), "svm", common + "kernel=" + bank + " grid=weights=[all,mklgl(p=1,gap=1e-4),each]");
        std::vector<std::string> names;
        for (const auto& candidate : grid.at("candidates")) {
            const auto& chosen = candidate.at("parameters");
            const bool weighed = chosen.contains("weights");
            names.push_back(chosen.at(weighed ? "weights" : "kernel"));
            EXPECT_EQ(chosen.size(), 1U);
            const std::string own =
                common + (weighed ? "kernel=" + bank + " weights=" : "kernel=") + names.back();
            const auto alone = validation(data.get(), "svm", own);
            EXPECT_EQ(candidate.at("metrics").at("accuracy"), alone.at("metrics").at("accuracy")) << own;
        }
        EXPECT_EQ(names, (std::vector<std::string>{"uniform", "dimkl1", "dimkl2", "dimkl3", "dimkl4",
                                                   "dimkl5", "dimkl6", "mklgl", "align", "alignf", "easymkl",
                                                   "umkl", "mklgl(p=1,gap=1e-4)", "rbf(gamma=0.1)",
                                                   "rbf(gamma=2)", "poly(degree=2, gamma=1, coef0=1)"}));
    }
}

TEST(Grid, TheBatteryIsTheGridOfAllWays) {
    const Data data = dense(make_problem(90, 4, 3, 1.0, 19));
    const auto compared = [&](const std::string& settings) {
        const Params params = parameters("svm", "kernel=[rbf(gamma=auto),arccos(1)] " + settings);
        const Model model = create<Model>(dk_mkl_compare, data.get(), params.get(), nullptr);
        return nlohmann::json::parse(text_of(dk_model_info, model.get())).at("cross_validation");
    };
    const auto all = compared("");
    EXPECT_EQ(all.at("candidates").size(), 14U);
    EXPECT_EQ(all,
              validation(data.get(), "svm", "kernel=[rbf(gamma=auto),arccos(1)] grid=weights=[all,each]"));
    EXPECT_EQ(compared("grid=C=1:10").at("candidates").size(), 28U);
    EXPECT_EQ(compared("grid=weights=[uniform,each];C=1:10").at("candidates").size(), 6U);
    const auto first = compared("grid=weights=[each]").at("candidates").at(0).at("parameters");
    EXPECT_EQ(first.at("kernel").get<std::string>().substr(0, 4), "rbf(");
}

TEST(Grid, ListsOfDegreesAreAllOrderedSubsets) {
    const Data data = dense(make_problem(60, 3, 2, 1.0, 14));
    int64_t count = 0;
    for (const auto& [depth, lists] : {std::pair{1, 4}, {2, 16}, {3, 40}, {4, 64}}) {
        check(dk_kernel_count(&count, data.get(), ("arccos_lists(" + std::to_string(depth) + ")").c_str()));
        EXPECT_EQ(count, lists);
    }
    const auto report = validation(data.get(), "cvm", "folds=2 grid=kernel=[arccos_lists(2)]");
    std::vector<std::string> seen;
    for (const auto& candidate : report.at("candidates"))
        seen.push_back(candidate.at("parameters").at("kernel"));
    EXPECT_EQ(seen.size(), 16U);
    EXPECT_EQ(seen.front(), "arccos(0)");
    EXPECT_EQ(seen.back(), "arccos(3, 2)");
}

TEST(Grid, ThreadsDoNotMatter) {
    const Data data = dense(make_problem(120, 4, 3, 1.0, 15));
    const std::string settings = "grid=C=0.5:8;kernel=[rbf(gamma=0.3),arccos_lists(1)]";
    const auto expected = validation(data.get(), "cvm", settings, 1);
    EXPECT_EQ(validation(data.get(), "cvm", settings, 2), expected);
    EXPECT_EQ(validation(data.get(), "cvm", settings, 5), expected);
}

TEST(Grid, MistakesAreNamed) {
    const Params params = parameters("svm");
    const auto refuse = [&](const char* grid, std::initializer_list<dk_status> statuses, const Words& words) {
        expect_failure_in([&] { return dk_params_set(params.get(), "grid", grid); }, statuses, words);
    };
    refuse("C", {DK_ERR_INVALID_PARAMETER}, {"C"});
    refuse("Cc=1:2", {DK_ERR_INVALID_PARAMETER}, {"Cc"});
    refuse("C=1:-2", {DK_ERR_INVALID_PARAMETER}, {"-2"});
    refuse("C=1;C=2", {DK_ERR_INVALID_PARAMETER}, {"twice"});
    refuse("folds=2:3", {DK_ERR_INVALID_PARAMETER}, {"folds"});
    refuse("weights=[dimkl1, dimkl9]", {DK_ERR_INVALID_KERNEL}, {"dimkl9", "nearest"});
    refuse("weights=[dimkl1(form=odd)]", {DK_ERR_INVALID_PARAMETER}, {"odd"});
    refuse("weights=[]", {DK_ERR_INVALID_KERNEL}, {});
    refuse("kernel=[rbf(gamma=-1)]", {DK_ERR_INVALID_KERNEL}, {"-1"});
    const Data data = dense(make_problem(40, 4, 2, 1.0, 16));
    dk_model* out = nullptr;
    expect_failure_in(
        [&] { return dk_cross_validate(&out, data.get(), parameters("svm", "select=rmse").get(), nullptr); },
        {DK_ERR_INVALID_PARAMETER}, {"rmse"});
}

}  // namespace
}  // namespace dk_test::grid_test
