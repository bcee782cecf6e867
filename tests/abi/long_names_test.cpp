// SPDX-License-Identifier: Apache-2.0
// Names of columns, classes, groups and rows have at most 65,536 bytes, wherever they come from: models,
// messages and pages have copies of them. Labels that are numbers of rows are not taken for classes by
// mistake.
#include <string>
#include <vector>

#include "expectations.hpp"
#include "files.hpp"
#include "handles.hpp"

namespace dk_test::long_names_test {
namespace {

constexpr std::size_t longest = 65536;

struct Place {
    std::string name, file, before, behind;
    const char* options = "";

    friend void PrintTo(const Place& place, std::ostream* out) { *out << place.name; }
};

class LongNames : public testing::TestWithParam<Place> {};

TEST_P(LongNames, AreRefusedByTheirSize) {
    const auto& [name, file, before, behind, options] = GetParam();
    const TemporaryDirectory directory;
    const auto content = [&, &first = before, &last = behind](std::size_t bytes) {
        return first + std::string(bytes, 'n') + last;
    };
    const Data data =
        create<Data>(dk_data_from_file, directory.write(file, content(longest)).c_str(), options, nullptr);
    EXPECT_GE(dk_data_rows(data.get()), 3);
    const std::string path = directory.write(file, content(longest + 1));
    expect_no_handle<dk_data>(
        [&, wanted = options](dk_data** out) {
            return dk_data_from_file(out, path.c_str(), wanted, nullptr);
        },
        DK_ERR_INVALID_DATA, {"65537", "65536"});
}

INSTANTIATE_TEST_SUITE_P(
    Of, LongNames,
    testing::Values(Place{"column", "x.csv", "x,", ",label\n1,2,p\n3,4,q\n5,6,p\n"},
                    Place{"class", "x.csv", "x,label\n1,", "\n3,q\n5,q\n", "label=label"},
                    Place{"group", "x.csv", "x,g,label\n1,", ",p\n3,h,q\n5,h,p\n", "groups=g label=label"},
                    Place{"row", "x.csv", "x,id,label\n1,", ",p\n3,h,q\n5,i,p\n", "id=id label=label"},
                    Place{"attribute", "x.arff", "@relation r\n@attribute ",
                          " numeric\n@attribute c {a,b}\n@data\n1,a\n2,b\n3,a\n"},
                    Place{"level", "x.arff", "@relation r\n@attribute x numeric\n@attribute c {a,",
                          "}\n@data\n1,a\n2,a\n3,a\n"},
                    Place{"series_label", "x.csv", "series,x,label\ns,1,", "\nt,2,q\nu,2,q\n", "label=label"},
                    Place{"label_of_text", "x.csv", "text,label\nab,", "\ncd,q\nef,q\n",
                          "format=strings label=label"}),
    [](const auto& one) { return one.param.name; });

TEST(LongNames, OfCallersAreRefusedBySize) {
    const Data data = unlabelled(make_problem(2, 2, 2, 1.0, 1));
    const std::string fits(longest, 'n');
    const std::string does_not = fits + "n";
    const std::vector<const char*> good{"a", fits.c_str()};
    const std::vector<const char*> bad{"a", does_not.c_str()};
    for (const auto set : {dk_data_set_label_names, dk_data_set_feature_names, dk_data_set_row_names}) {
        EXPECT_EQ(set(data.get(), good.data(), 2), DK_OK) << dk_last_error();
        expect_failure([&] { return set(data.get(), bad.data(), 2); }, DK_ERR_INVALID_DATA,
                       {"65537", "65536"});
    }
}

Data numbered_rows(int64_t rows, int64_t classes) {
    Problem problem = make_problem(rows, 2, 2, 2.0, 7);
    for (int64_t i = 0; i < rows; ++i) problem.labels[static_cast<std::size_t>(i)] = i % classes;
    return dense(problem);
}

TEST(NumbersOfRows, AreTakenForClassesOnlyWhereOneSaysSo) {
    const Data data = numbered_rows(310, 300);
    for (const char* machine : {"svm", "mean_of_class", "nearest_neighbours"}) {
        for (const auto make : {dk_train, dk_cross_validate}) {
            const Params params = parameters(machine, "kernel=linear");
            expect_no_handle<dk_model>(
                [&](dk_model** out) { return make(out, data.get(), params.get(), nullptr); },
                DK_ERR_INVALID_DATA, {"290", "300", "many_classes=yes"});
        }
    }
    EXPECT_NE(train(data, "mean_of_class", "kernel=linear many_classes=yes"), nullptr);
    EXPECT_NE(train(numbered_rows(266, 256), "mean_of_class", "kernel=linear"), nullptr);
    EXPECT_NE(train(numbered_rows(600, 300), "mean_of_class", "kernel=linear"), nullptr);
    // Folds of classes of few rows have classes of one.
    const Data pairs = numbered_rows(600, 300);
    const Params folds = parameters("mean_of_class", "kernel=linear folds=2 learning_curve=yes");
    EXPECT_NE(create<Model>(dk_cross_validate, pairs.get(), folds.get(), nullptr), nullptr);
    // A regression takes them for what they are.
    EXPECT_NE(train(data, "kernel_ridge", "kernel=linear"), nullptr);
}

/// Values that occur once are no classes of one row, which no fold could judge.
TEST(NumbersOfRows, AreValuesForTheMachineThatChooses) {
    const Model model = train(numbered_rows(300, 300), "auto", "candidates=4");
    EXPECT_EQ(dk_model_task(model.get()), DK_TASK_REGRESSION);
    EXPECT_EQ(dk_model_training_rows(model.get()), 300);
}

}  // namespace
}  // namespace dk_test::long_names_test
