// SPDX-License-Identifier: Apache-2.0
// Rows of one group are never in different folds, wherever the groups come from: the setter or a file's
// column.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "answers.hpp"
#include "expectations.hpp"
#include "files.hpp"

namespace dk_test::groups_test {
namespace {

using Ids = std::vector<int64_t>;
using Sets = std::vector<std::set<int64_t>>;

constexpr uint64_t rule_seed = 1;

/// The groups 1 to 5 with 3, 4, 2, 1 and 2 rows.
const Ids five_groups{2, 1, 3, 1, 2, 5, 2, 4, 1, 3, 2, 5};

Ids folds_of(const Data& data, int64_t folds, uint64_t seed = rule_seed) {
    return values_of<int64_t>(dk_data_rows(data.get()), dk_data_folds, data.get(), folds, seed);
}

/// Gives the groups in each fold.
Sets groups_in(const Ids& fold_of, const Ids& groups, int64_t folds) {
    Sets found(static_cast<std::size_t>(folds));
    for (std::size_t i = 0; i < groups.size(); ++i)
        found.at(static_cast<std::size_t>(fold_of[i])).insert(groups[i]);
    return found;
}

Data unlabelled(int64_t rows) {
    const std::vector<double> x(static_cast<std::size_t>(rows));
    return create<Data>(dk_data_from_dense, x.data(), rows, int64_t{1}, int64_t{1}, DK_ROW_MAJOR);
}

void set_groups(const Data& data, const Ids& groups) {
    check(dk_data_set_groups(data.get(), groups.data(), std::ssize(groups)));
}

TEST(Groups, FoldsOfTheRule) {
    const Data data = unlabelled(12);
    set_groups(data, five_groups);
    EXPECT_EQ(groups_in(folds_of(data, 3), five_groups, 3), (Sets{{2}, {1, 4}, {3, 5}}));
    Ids swapped = five_groups;
    for (int64_t& id : swapped) id = id == 2 ? 4 : id == 4 ? 2 : id;
    set_groups(data, swapped);
    EXPECT_EQ(groups_in(folds_of(data, 3), swapped, 3), (Sets{{4}, {1, 2}, {3, 5}})) << "they replace others";
}

TEST(Groups, NeverStraddleWhateverTheSeed) {
    Random random(5);
    for (int trial = 0; trial < 100; ++trial) {
        const auto rows = static_cast<int64_t>(20 + random.below(60));
        const Data data = dense(make_problem(rows, 1, 3, 1.0, 7));
        Ids groups;
        for (int64_t row = 0; row < rows; ++row)
            groups.push_back(static_cast<int64_t>(random.below(9)) * 1000000007 - 4000000000);
        set_groups(data, groups);
        std::map<int64_t, std::set<int64_t>> folds_of_group;
        const Ids fold_of = folds_of(data, 4, random.bits());
        for (std::size_t i = 0; i < groups.size(); ++i) folds_of_group[groups[i]].insert(fold_of[i]);
        for (const auto& [group, folds] : folds_of_group) EXPECT_EQ(folds.size(), 1U) << group;
        EXPECT_EQ(std::set<int64_t>(fold_of.begin(), fold_of.end()).size(), 4U);
    }
}

TEST(Groups, SelectedRowsKeepThem) {
    const Data data = unlabelled(12);
    set_groups(data, five_groups);
    const Ids rows{11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    const Data turned = create<Data>(dk_data_select, data.get(), rows.data(), int64_t{12});
    Ids groups = five_groups;
    std::ranges::reverse(groups);
    EXPECT_EQ(groups_in(folds_of(turned, 3), groups, 3), (Sets{{2}, {1, 4}, {3, 5}}));
}

TEST(Groups, MoreFoldsThanGroups) {
    const Data data = dense(make_problem(12, 2, 2, 3.0, 1));
    set_groups(data, five_groups);
    Ids out(12);
    expect_failure([&] { return dk_data_folds(out.data(), 12, data.get(), 6, 1); }, DK_ERR_INVALID_ARGUMENT,
                   {"6", "5", "groups"});
    expect_failure([&] { return dk_data_folds(out.data(), 12, data.get(), 1, 1); }, DK_ERR_INVALID_ARGUMENT,
                   {"1", "5", "groups"});
    EXPECT_EQ(dk_data_folds(out.data(), 12, data.get(), 5, 1), DK_OK) << dk_last_error();
    const Params params = parameters("svm", "folds=7 kernel=[linear, rbf]");
    for (const auto train_validated : {dk_cross_validate, dk_mkl_compare}) {
        expect_no_handle<dk_model>(
            [&](dk_model** model) { return train_validated(model, data.get(), params.get(), nullptr); },
            DK_ERR_INVALID_PARAMETER, {"7", "5", "groups"});
    }
}

/// The mean accuracy on held-out rows, of a cross-validation that is run anew.
double validated(const Data& data, const char* settings) {
    const Params params = parameters("svm", settings);
    const Model model = create<Model>(dk_cross_validate, static_cast<const dk_data*>(data.get()),
                                      static_cast<const dk_params*>(params.get()), nullptr);
    return nlohmann::json::parse(
        text_of(dk_model_info, model.get()))["cross_validation"]["metrics"]["accuracy"]["mean"];
}

/// Rows that stand five times, of classes that are a matter of chance.
struct Copies {
    Copies() {
        Random random(3);
        for (int64_t point = 0; point < 30; ++point) {
            const double x = random.normal(), y = random.normal();
            const auto label = static_cast<int64_t>(random.below(2));
            for (int copy = 0; copy < 5; ++copy) {
                problem.x.insert(problem.x.end(), {x, y});
                problem.labels.push_back(label);
                groups.push_back(point);
            }
        }
    }
    Problem problem{150, 2, {}, {}};
    Ids groups;
};

TEST(Groups, ValidationIsOfGroupsThatTrainingDidNotSee) {
    const Copies copies;
    const Data data = dense(copies.problem);
    const char* const settings = "kernel=rbf(gamma=100) C=100";
    EXPECT_GT(validated(data, settings), 0.95) << "copies of a row tell its class";
    set_groups(data, copies.groups);
    EXPECT_LT(validated(data, settings), 0.75);
    EXPECT_LT(validated(data, "kernel=rbf(gamma=100) C=100 repeats=3 grid=C=10:100"), 0.75);
}

class GroupsInFiles : public testing::Test {
  protected:
    TemporaryDirectory directory;

    Data read(const std::string& content, const char* options) const {
        return create<Data>(dk_data_from_file, directory.write("data.csv", content).c_str(), options,
                            nullptr);
    }
    void expect_refused(const std::string& content, const char* options, dk_status status, const Words& words,
                        Place where = Place::current()) const {
        const std::string path = directory.write("data.csv", content);
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), options, nullptr); }, status,
            words, where);
    }
    /// A table with the five groups, called as `name_of` tells, and no classes.
    template <typename NameOf>
    static std::string table(NameOf name_of) {
        std::string content = "x,who,y\n";
        for (const int64_t id : five_groups) content += "1," + name_of(id) + ",2\n";
        return content;
    }
    static std::string number(int64_t id) { return std::to_string(id); }
    static std::string word(int64_t id) { return "patient " + std::to_string(id); }
};

TEST_F(GroupsInFiles, AreAColumnOfNumbersOrTexts) {
    for (const std::string& content : {table(number), table(word)}) {
        for (const char* options : {"groups=who label=none", "groups=1 label=none", "groups=-2 label=none"}) {
            const Data data = read(content, options);
            EXPECT_EQ(dk_data_cols(data.get()), 2) << "the column is no feature";
            EXPECT_EQ(text_of(dk_data_feature_name, data.get(), int64_t{1}), "y");
            EXPECT_EQ(groups_in(folds_of(data, 3), five_groups, 3), (Sets{{2}, {1, 4}, {3, 5}})) << options;
        }
        const Data data = read(content, "groups=none label=none");
        EXPECT_GT(dk_data_cols(data.get()), 2);
        EXPECT_EQ(folds_of(data, 12).size(), 12U);
    }
}

TEST_F(GroupsInFiles, OfSeriesAndStrings) {
    std::string series = "series,who,x\n";
    std::string strings = "who,text\n";
    for (std::size_t i = 0; i < five_groups.size(); ++i) {
        for (int step = 0; step < 3; ++step)
            series += "s" + std::to_string(i) + "," + word(five_groups[i]) + ",1.5\n";
        strings += word(five_groups[i]) + ",abc\n";
    }
    const Data of_series = read(series, "groups=who");
    EXPECT_EQ(dk_data_cols(of_series.get()), 1) << "the column is no channel";
    EXPECT_EQ(groups_in(folds_of(of_series, 3), five_groups, 3), (Sets{{2}, {1, 4}, {3, 5}}));
    const Data of_strings = read(strings, "groups=0 format=strings label=none header=yes");
    EXPECT_EQ(groups_in(folds_of(of_strings, 3), five_groups, 3), (Sets{{2}, {1, 4}, {3, 5}}));
    expect_refused("series,who,x\na,1,1\na,2,1\nb,1,1\n", "groups=who", DK_ERR_INVALID_DATA,
                   {"line 3", "another group"});
}

TEST_F(GroupsInFiles, AreQueriesOfLibsvm) {
    std::string lines;
    for (const int64_t id : five_groups) lines += "1 qid:" + number(id) + " 1:1\n";
    const Data data = read(lines, "format=libsvm");
    EXPECT_EQ(dk_data_cols(data.get()), 1) << "the query is no feature";
    EXPECT_EQ(groups_in(folds_of(data, 3), five_groups, 3), (Sets{{2}, {1, 4}, {3, 5}}));
    EXPECT_EQ(folds_of(read(lines, "format=libsvm groups=none"), 12).size(), 12U);
    expect_refused("1 qid:1 1:2\n0 1:3\n", "format=libsvm", DK_ERR_INVALID_DATA, {"line 2", "qid"});
    expect_refused("1 qid:a 1:2\n", "format=libsvm", DK_ERR_INVALID_DATA, {"line 1", "qid", "integer"});
    expect_refused("1 1:2\n0 1:3\n", "format=libsvm groups=qid", DK_ERR_INVALID_PARAMETER, {"qid"});
}

TEST_F(GroupsInFiles, Mistakes) {
    expect_refused(table(number), "groups=whom", DK_ERR_INVALID_PARAMETER, {"whom", "who"});
    expect_refused(table(number), "groups=3", DK_ERR_INVALID_PARAMETER, {"3", "0", "2"});
    expect_refused("x,who\n1,a\n2,\n3,a\n", "groups=who", DK_ERR_INVALID_DATA, {"line 3", "group"});
    expect_refused("1 1:2\n0 1:3\n", "groups=1 format=libsvm", DK_ERR_INVALID_PARAMETER, {"LIBSVM"});
}

TEST_F(GroupsInFiles, RowsToPredictMayLackThem) {
    const std::string training = "a,who,b,class\n1,x,0,0\n2,x,1,0\n5,y,1,1\n6,y,0,1\n";
    const Data data = read(training, "groups=who");
    const Model model = train(data, "svm", "kernel=linear");
    for (const char* content : {"a,b\n1,0\n6,0\n", "who,b,a\nz,0,1\nz,0,6\n"}) {
        const std::string path = directory.write("more.csv", content);
        const Data more = create<Data>(dk_data_from_file_like, path.c_str(), nullptr,
                                       static_cast<const dk_model*>(model.get()), nullptr);
        EXPECT_EQ(dk_data_cols(more.get()), 2);
        EXPECT_EQ(values_of<double>(2, dk_predict, model.get(), more.get(), nullptr),
                  (std::vector<double>{0, 1}));
    }
    const std::string path = directory.write("more.csv", "a,b\n1,0\n6,0\n");
    expect_no_handle<dk_data>(
        [&](dk_data** out) {
            return dk_data_from_file_like(out, path.c_str(), "groups=who", model.get(), nullptr);
        },
        DK_ERR_INVALID_PARAMETER, {"who"});
}

}  // namespace
}  // namespace dk_test::groups_test
