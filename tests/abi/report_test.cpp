// SPDX-License-Identifier: Apache-2.0
// What dk_report promises: a page that needs nothing else, for every machine and every kind of data.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "expectations.hpp"
#include "files.hpp"
#include "structures.hpp"

namespace dk_test::report_test {
namespace {

class ReportPage : public testing::Test {
  protected:
    TemporaryDirectory directory;

    std::string page(const std::vector<const dk_model*>& models, const Data& data,
                     const dk_data* training = nullptr, const char* options = nullptr,
                     dk_control* control = nullptr) const {
        const std::string path = directory.path("page.html");
        check(dk_report(path.c_str(), models.data(), static_cast<int64_t>(models.size()), data.get(),
                        training, options, control));
        std::ifstream file(path, std::ios::binary);
        std::ostringstream content;
        content << file.rdbuf();
        return content.str();
    }
};

std::size_t count_of(const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

/// Expects tags that end in the order in which they began, no number that is none, and nothing from
/// elsewhere.
void expect_sound_page(const std::string& page) {
    EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    for (const char* foreign : {"http:", "https:", "<script", "src=\"/", "url("})
        EXPECT_EQ(count_of(page, foreign), 0U);
    for (const char* number : {">nan<", ">inf<", "\"nan", "\"inf", "\"-inf", " nan", "-nan"})
        EXPECT_EQ(count_of(page, number), 0U) << number;
    std::vector<std::string> open;
    for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
        const std::size_t end = page.find('>', at);
        ASSERT_NE(end, std::string::npos);
        std::string tag = page.substr(at + 1, end - at - 1);
        if (tag.starts_with("!") || tag.ends_with("/")) continue;
        const std::string name = tag.substr(0, tag.find(' '));
        if (name == "meta" || name == "link" || name == "img" || name == "br") continue;
        if (!name.starts_with("/")) {
            open.push_back(name);
            continue;
        }
        ASSERT_FALSE(open.empty()) << tag;
        ASSERT_EQ("/" + open.back(), name) << page.substr(at > 200 ? at - 200 : 0, 260);
        open.pop_back();
    }
    EXPECT_TRUE(open.empty());
    for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1)) {
        const std::string chart = page.substr(at, page.find("</svg>", at) - at);
        const bool marks =
            count_of(chart, "<rect") + count_of(chart, "<circle") + count_of(chart, "stroke=\"var") > 0;
        EXPECT_TRUE(marks) << "a chart without marks: " << chart.substr(0, 200);
    }
}

class ReportOfMachine : public ReportPage, public testing::WithParamInterface<std::string> {};

TEST_P(ReportOfMachine, IsASoundPage) {
    const Problem problem = make_problem(50, 4, 3, 2.0, 17);
    const Params params = parameters(GetParam().c_str());
    Data data = dense(problem);
    if (dk_params_task(params.get()) == DK_TASK_REGRESSION) {
        data = unlabelled(problem);
        check(dk_data_set_targets(data.get(), problem.x.data(), problem.rows));
    }
    const Model model = create<Model>(dk_train, data.get(), params.get(), nullptr);
    const std::string with_training = page({model.get()}, data, data.get());
    expect_sound_page(with_training);
    EXPECT_GE(count_of(with_training, "<svg"), 2U);
    EXPECT_LT(with_training.size(), 2'000'000U);
    expect_sound_page(page({model.get()}, data));
    expect_sound_page(page({model.get()}, data, data.get(), "for=manager"));
}

std::vector<std::string> all_machines() {
    std::vector<std::string> names;
    const auto described = nlohmann::json::parse(text_of(dk_describe));
    for (const nlohmann::json& machine : described.at("machines")) names.push_back(machine.at("name"));
    return names;
}

INSTANTIATE_TEST_SUITE_P(All, ReportOfMachine, testing::ValuesIn(all_machines()),
                         [](const auto& one) { return one.param; });

TEST_F(ReportPage, OfSeriesStringsAndGraphs) {
    const auto expect_page = [&](const Data& data) {
        const Model model = train(data, "svm");
        expect_sound_page(page({model.get()}, data, data.get()));
    };
    expect_page(series(30, 2, 3));
    expect_page(strings(30, 3));
    expect_page(graphs(30, 3));
}

TEST_F(ReportPage, OfTextsMarksWhatTellsPrototypesApart) {
    Random random(3);
    std::vector<std::string> texts;
    for (int64_t row = 0; row < 40; ++row) {
        std::string text;
        for (int i = 0; i < 12; ++i) text += "acgt"[random.below(4)];
        texts.push_back(text + (row % 2 == 0 ? "xyz" : "uvw") + text);
    }
    Data data = from_texts(texts);
    label(data, alternating_labels(40));
    const Model model = train(data, "svm");
    const std::string content = page({model.get()}, data, data.get());
    expect_sound_page(content);
    std::string marked;
    for (std::size_t at = content.find("<mark>"); at != std::string::npos;
         at = content.find("<mark>", at + 1))
        marked += content.substr(at, content.find("</mark>", at) - at);
    EXPECT_GT(count_of(marked, "xyz"), 0U);
    EXPECT_GT(count_of(marked, "uvw"), 0U);
}

/// Three columns of which the second alone tells the class, and the third is a whole number from 0 to 9.
Problem one_telling_column(int64_t rows, uint64_t seed) {
    Problem problem{rows, 3, {}, {}};
    Random random(seed);
    for (int64_t i = 0; i < rows; ++i) {
        problem.labels.push_back(i % 2);
        problem.x.push_back(random.normal());
        problem.x.push_back(random.normal() + (i % 2 == 0 ? -2 : 2));
        problem.x.push_back(std::floor(10 * random.uniform()));
    }
    return problem;
}

TEST_F(ReportPage, TellsWhichColumnsMatter) {
    const Data data = dense(one_telling_column(200, 3));
    const std::array names{"noise", "signal", "digit"};
    check(dk_data_set_feature_names(data.get(), names.data(), 3));
    const Model model = train(data, "svm", "scale=standard");
    const std::string all = page({model.get()}, data);
    const std::size_t at = all.find("What matters");
    ASSERT_NE(at, std::string::npos);
    EXPECT_LT(all.find("signal", at), std::min(all.find("noise", at), all.find("digit", at)));
    // Half of the rows are on the wrong side when the column is shuffled; nearly all are right before.
    EXPECT_NE(all.find("Fall of the accuracy"), std::string::npos);
    EXPECT_EQ(page({model.get()}, unlabelled(one_telling_column(200, 3))).find("What matters"),
              std::string::npos);
}

TEST_F(ReportPage, ForAManagerSpeaksOfCasesAndNotOfKernels) {
    const Data data = dense(one_telling_column(120, 5));
    const Model validated =
        create<Model>(dk_cross_validate, data.get(), parameters("svm", "scale=standard").get(), nullptr);
    const std::string told = page({validated.get()}, data, data.get(), "for=manager rows=4");
    expect_sound_page(told);
    for (const char* part : {"How good it is", "of 100", "What matters", "Some cases", "Why this model",
                             "counts as the positive class", "always says the most frequent class"})
        EXPECT_EQ(count_of(told, part) > 0, true) << part;
    for (const char* word : {"kernel", "prototype", "gamma", "support"})
        EXPECT_EQ(count_of(told, word), 0U) << word;
    const Model plain = train(data, "svm");
    EXPECT_NE(page({plain.get()}, data, data.get(), "for=manager").find("Nobody has measured"),
              std::string::npos);
    EXPECT_NE(
        page({plain.get()}, data, nullptr, "for=manager").find("cases of this page are predicted rightly"),
        std::string::npos);
    EXPECT_EQ(page({validated.get()}, data, data.get(), "for=manager rows=4", control_with(1).get()), told);
    expect_failure(
        [&] {
            const dk_model* model = plain.get();
            return dk_report("page.html", &model, 1, data.get(), nullptr, "for=everybody", nullptr);
        },
        DK_ERR_INVALID_PARAMETER, {"everybody", "manager"});
    // Labels that tell nothing: the model is not surely better than a guess.
    Problem noise = make_problem(100, 3, 2, 0.0, 9);
    const Data nothing = dense(noise);
    const Model guessing = create<Model>(dk_cross_validate, nothing.get(), parameters("svm").get(), nullptr);
    EXPECT_NE(page({guessing.get()}, nothing, nullptr, "for=manager").find("not surely better"),
              std::string::npos);
}

TEST_F(ReportPage, OfACrossValidatedModelShowsTheCandidates) {
    const Data data = dense(make_problem(60, 4, 2, 1.0, 17));
    const Params params = parameters("svm", "grid=C=0.1:1:10");
    const Model model = create<Model>(dk_cross_validate, data.get(), params.get(), nullptr);
    const std::string content = page({model.get()}, data, data.get());
    expect_sound_page(content);
    for (const char* candidate : {"C=0.1", "C=1", "C=10"})
        EXPECT_GT(count_of(content, candidate), 0U) << candidate;
}

TEST_F(ReportPage, FollowsPrototypesOverAParameter) {
    const Problem problem = make_problem(60, 4, 3, 1.0, 17);
    const Data data = dense(problem);
    for (const char* machine : {"svm", "imkpl", "kglvq", "fisher"}) {
        SCOPED_TRACE(machine);
        const Model model = train(data, machine, "scale=standard");
        const char* options = std::string(machine) == "svm"     ? "path=C=0.1:1:10"
                              : std::string(machine) == "imkpl" ? "path=lambda=0.1:1"
                              : std::string(machine) == "kglvq" ? "path=prototypes=1:2:3"
                                                                : "path=regularisation=0.001:0.1";
        const std::string content = page({model.get()}, data, data.get(), options);
        expect_sound_page(content);
        EXPECT_EQ(count_of(content, "Path of the prototypes"), 1U);
    }
    const Model model = train(data, "svm");
    EXPECT_EQ(count_of(page({model.get()}, data, data.get()), "Path of the prototypes"), 0U);
    Data targets = unlabelled(problem);
    check(dk_data_set_targets(targets.get(), problem.x.data(), problem.rows));
    const Model regression = train(targets, "svr");
    expect_sound_page(page({regression.get()}, targets, targets.get(), "path=epsilon=0.01:0.1"));
}

TEST_F(ReportPage, APathMayHaveOtherNumbersOfPrototypes) {
    const Data data = dense(make_problem(60, 4, 3, 1.0, 17));
    const Model few = train(data, "kglvq", "prototypes=1");
    expect_sound_page(page({few.get()}, data, data.get(), "path=prototypes=2:2"));
    const Model many = train(data, "kglvq", "prototypes=4");
    expect_sound_page(page({many.get()}, data, data.get(), "path=prototypes=1:2:3"));
}

TEST_F(ReportPage, APathTellsWhichValueCannotBeTrained) {
    const Problem problem = make_problem(40, 3, 2, 0.5, 5);
    Problem rare = problem;
    for (std::size_t i = 4; i < rare.labels.size(); ++i) rare.labels[i] = rare.labels[0];
    rare.labels[1] = rare.labels[0] == 3 ? -2 : 3;
    const Data data = dense(rare);
    const Model model = train(data, "nu_svm", "nu=0.02");
    const dk_model* const one = model.get();
    const std::string path = directory.path("page.html");
    expect_failure_in(
        [&] { return dk_report(path.c_str(), &one, 1, data.get(), data.get(), "path=nu=0.02:0.9", nullptr); },
        {DK_ERR_INVALID_PARAMETER, DK_ERR_INVALID_DATA}, {"nu=0.9"});
}

/// In a small C, below what any row needs, every row is bound by it, so that the prototypes of two classes of
/// equal size are the means of their classes (generalised prototype framework).
TEST_F(ReportPage, APathBeginsAtTheMeansOfTheClasses) {
    const Problem problem = make_problem(40, 3, 2, 0.5, 5);
    const int64_t positive = std::ranges::count_if(problem.labels, [](int64_t label) { return label > 0; });
    ASSERT_EQ(2 * positive, problem.rows);
    const Data data = dense(problem);
    const Model model = train(data, "svm", "C=10");
    const std::string content = page({model.get()}, data, data.get(), "path=C=1e-6:10");
    EXPECT_EQ(count_of(content, "<title>prototype 0 of 3: -6, 20</title>"), 1U);
    EXPECT_EQ(count_of(content, "<title>prototype 1 of -2: -6, 20</title>"), 1U);
}

TEST_F(ReportPage, NamesMayHoldWhatMarkupIsMadeOf) {
    const Problem problem = make_problem(40, 3, 2, 1.0, 3);
    Data data = unlabelled(problem);
    std::vector<const char*> names;
    for (const int64_t label : problem.labels) names.push_back(label < 0 ? "<b>\"&'" : "</svg>");
    check(dk_data_set_label_names(data.get(), names.data(), problem.rows));
    const std::vector<const char*> features{"<script>", "a&b", "\"quoted\""};
    check(dk_data_set_feature_names(data.get(), features.data(), 3));
    const Model model = train(data, "svm");
    expect_sound_page(page({model.get()}, data, data.get()));
}

TEST_F(ReportPage, ShowsPicturesWhereRowsArePictures) {
    const Problem problem = make_problem(40, 12, 2, 3.0, 3);
    const Data data = dense(problem);
    const Model model = train(data, "svm");
    const std::string with_pictures = page({model.get()}, data, data.get(), "image=4x3 rows=5");
    expect_sound_page(with_pictures);
    EXPECT_GT(count_of(with_pictures, "data:image/png;base64,iVBORw0KGgo"), 4U);
    EXPECT_EQ(count_of(page({model.get()}, data, data.get()), "<img"), 0U);
}

TEST_F(ReportPage, IsTheSameBytesForAnyNumberOfThreads) {
    const Data data = dense(make_problem(90, 6, 3, 1.0, 2));
    const Model model = train(data, "svm", "kernel=[rbf(gamma=0.1),linear] weights=dimkl1 probability=yes");
    const Control one = control_with(1);
    const Control three = control_with(3);
    EXPECT_EQ(page({model.get()}, data, data.get(), nullptr, one.get()),
              page({model.get()}, data, data.get(), nullptr, three.get()));
}

TEST_F(ReportPage, SaysWhenItsRowsAreThoseThatTheModelLearned) {
    const Problem problem = make_problem(90, 6, 3, 1.0, 2);
    const Data data = dense(problem);
    const Data copy = dense(problem);
    Problem changed = problem;
    changed.x.back() += 1;
    const Model model = train(data, "svm");
    const char* said = "rows that the model was trained on";
    EXPECT_EQ(count_of(page({model.get()}, data, data.get()), said), 1U);
    EXPECT_EQ(count_of(page({model.get()}, copy, data.get()), said), 1U) << "a copy has the same rows";
    EXPECT_EQ(count_of(page({model.get()}, dense(changed), data.get()), said), 0U);
    EXPECT_EQ(count_of(page({model.get()}, data), said), 0U) << "nobody says which rows it learned";
}

TEST_F(ReportPage, OfTenThousandRowsIsSmall) {
    const Data data = dense(make_problem(300, 6, 20, 3.0, 2));
    const Data rows = dense(make_problem(10000, 6, 20, 3.0, 4));
    const Model model = train(data, "svm");
    const std::string content = page({model.get()}, rows, data.get());
    expect_sound_page(content);
    EXPECT_LT(content.size(), 2'000'000U);
}

TEST_F(ReportPage, ComparesModels) {
    const Data data = dense(make_problem(60, 4, 3, 1.0, 17));
    const Model svm = train(data, "svm");
    const Model fisher = train(data, "fisher");
    const std::string content = page({svm.get(), fisher.get()}, data);
    expect_sound_page(content);
    EXPECT_GT(count_of(content, "1: svm"), 0U);
    EXPECT_GT(count_of(content, "2: fisher"), 0U);
    EXPECT_EQ(count_of(content, ">best<"), 1U);
    EXPECT_GE(count_of(content, "<td class=\"number\">100 %</td>"), 2U) << "each model agrees with itself";
}

TEST_F(ReportPage, OfValuesThatDifferInTheirLastDigits) {
    const Problem problem = make_problem(30, 3, 2, 1.0, 3);
    Data data = unlabelled(problem);
    std::vector<double> targets(30, 3.0);
    targets[4] = std::nextafter(3.0, 4.0);
    check(dk_data_set_targets(data.get(), targets.data(), 30));
    const Model model = train(data, "kernel_ridge", "offset=yes C=0.001");
    expect_sound_page(page({model.get()}, data, data.get()));
}

TEST_F(ReportPage, ColumnsMayComeInAnotherOrderAndWithOthers) {
    const Problem problem = make_problem(40, 2, 2, 2.0, 3);
    const std::vector<const char*> names{"a", "b"};
    Data data = dense(problem);
    check(dk_data_set_feature_names(data.get(), names.data(), 2));
    const Model model = train(data, "svm");
    std::vector<double> wide;
    for (std::size_t i = 0; i < 40; ++i) {
        for (const double value : {problem.x[2 * i + 1], 1e6, problem.x[2 * i]}) wide.push_back(value);
    }
    Data rows =
        create<Data>(dk_data_from_dense, wide.data(), int64_t{40}, int64_t{3}, int64_t{3}, DK_ROW_MAJOR);
    const std::vector<const char*> others{"b", "more", "a"};
    check(dk_data_set_feature_names(rows.get(), others.data(), 3));
    check(dk_data_set_labels(rows.get(), problem.labels.data(), 40));
    Data same = dense(problem);
    check(dk_data_set_feature_names(same.get(), names.data(), 2));
    EXPECT_EQ(page({model.get()}, rows, data.get()), page({model.get()}, same, data.get()))
        << "the page looks at the model's columns alone";
}

TEST_F(ReportPage, RowsWithoutLabelsOrOfOtherClassesAreShownWithoutScores) {
    const Problem problem = make_problem(40, 3, 2, 1.0, 3);
    const Model model = train(dense(problem), "svm");
    expect_sound_page(page({model.get()}, unlabelled(problem)));
    Problem other = problem;
    other.labels[0] = 77;
    const std::string content = page({model.get()}, dense(other));
    expect_sound_page(content);
    EXPECT_GT(count_of(content, "77"), 0U);
}

TEST_F(ReportPage, RefusesWhatItCannotShow) {
    const Problem problem = make_problem(30, 3, 2, 1.0, 2);
    const Data data = dense(problem);
    const Data few = dense(make_problem(20, 3, 2, 1.0, 3));
    const Model model = train(data, "svm");
    Data targets = unlabelled(problem);
    check(dk_data_set_targets(targets.get(), problem.x.data(), problem.rows));
    const Model regression = train(targets, "kernel_ridge");
    const std::string path = directory.path("none.html");
    const dk_model* one = model.get();
    const auto report = [&](const char* file, const dk_model* const* models, int64_t count,
                            const dk_data* rows, const dk_data* training, const char* options) {
        return [=] { return dk_report(file, models, count, rows, training, options, nullptr); };
    };
    expect_failure_in(report(nullptr, &one, 1, data.get(), nullptr, nullptr), {DK_ERR_INVALID_ARGUMENT},
                      {"path"});
    expect_failure_in(report(path.c_str(), nullptr, 1, data.get(), nullptr, nullptr),
                      {DK_ERR_INVALID_ARGUMENT}, {"models"});
    expect_failure_in(report(path.c_str(), &one, 0, data.get(), nullptr, nullptr), {DK_ERR_INVALID_ARGUMENT},
                      {"0"});
    expect_failure_in(report(path.c_str(), &one, 101, data.get(), nullptr, nullptr),
                      {DK_ERR_INVALID_ARGUMENT}, {"101"});
    expect_failure_in(report(path.c_str(), &one, 1, nullptr, nullptr, nullptr), {DK_ERR_INVALID_ARGUMENT},
                      {"data"});
    expect_failure_in(report(path.c_str(), &one, 1, data.get(), few.get(), nullptr), {DK_ERR_DIMENSION},
                      {"20", "30"});
    for (const char* options : {"image=3", "image=0x3", "image=3x-1", "rows=0", "rows=many"})
        expect_failure_in(report(path.c_str(), &one, 1, data.get(), nullptr, options),
                          {DK_ERR_INVALID_PARAMETER}, {});
    expect_failure_in(report(path.c_str(), &one, 1, data.get(), nullptr, "imag=3x3"),
                      {DK_ERR_INVALID_PARAMETER}, {"imag", "image"});
    for (const char* options : {"path=C", "path=C=1", "path=C=1:many", "path=nosuch=1:2", "path=C=1:-1"})
        expect_failure_in(report(path.c_str(), &one, 1, data.get(), data.get(), options),
                          {DK_ERR_INVALID_PARAMETER}, {});
    expect_failure_in(report(path.c_str(), &one, 1, data.get(), nullptr, "path=C=1:2"),
                      {DK_ERR_INVALID_ARGUMENT}, {"training rows"});
    const Data other = dense(make_problem(30, 3, 3, 1.0, 2));
    for (const dk_data* training : {other.get(), targets.get()})
        expect_failure_in(report(path.c_str(), &one, 1, data.get(), training, "path=C=1:2"),
                          {DK_ERR_INVALID_DATA}, {"classes"});
    const dk_model* nothing[] = {model.get(), nullptr};
    expect_failure_in(report(path.c_str(), nothing, 2, data.get(), nullptr, nullptr),
                      {DK_ERR_INVALID_ARGUMENT}, {"1"});
    const dk_model* mixed[] = {model.get(), regression.get()};
    expect_failure_in(report(path.c_str(), mixed, 2, data.get(), nullptr, nullptr), {DK_ERR_INVALID_ARGUMENT},
                      {"regression"});
    const std::string nowhere = directory.path("no/such/folder.html");
    expect_failure_in(report(nowhere.c_str(), &one, 1, data.get(), nullptr, nullptr), {DK_ERR_IO}, {});
    EXPECT_FALSE(std::ifstream(path).good()) << "a refused report writes no file";
}

}  // namespace
}  // namespace dk_test::report_test
