// SPDX-License-Identifier: Apache-2.0
// These tests read the files of two archives of time series: .ts of UEA, which declares what it has, and .tsv
// of UCR, which has a label and a series in each line.
#include "answers.hpp"
#include "read_files.hpp"
#include "structures.hpp"

namespace dk_test::series_archive_test {
namespace {

using Labels = std::vector<int64_t>;

class SeriesArchive : public ReadFiles {
  protected:
    /// Takes series for the same where a kernel that sees every step is 1 for each with its twin.
    static void expect_series(const Data& found, const SeriesProblem& expected,
                              Place where = Place::current()) {
        const testing::ScopedTrace trace(where.file_name(), where.line(), "compared here");
        ASSERT_EQ(dk_data_kind(found.get()), DK_KIND_SERIES);
        ASSERT_EQ(dk_data_rows(found.get()), expected.rows());
        ASSERT_EQ(dk_data_cols(found.get()), expected.channels);
        const Data twins = unlabelled(expected);
        const int64_t rows = expected.rows();
        for (const char* kernel : {"dtw(gamma=100)", "gak(sigma=0.3)"}) {
            const auto across =
                values_of<double>(rows * rows, dk_gram, found.get(), twins.get(), kernel, nullptr);
            for (int64_t row = 0; row < rows; ++row)
                EXPECT_NEAR(across[static_cast<std::size_t>(row * rows + row)], 1.0, 1e-12) << kernel << row;
        }
    }
    const std::string motions =
        "# Basic motions\n"
        "@problemName BasicMotions\n"
        "@timeStamps false\n"
        "@missing false\n"
        "@univariate false\n"
        "@dimensions 2\n"
        "@equalLength false\n"
        "@classLabel true Standing Running\n"
        "@data\n"
        "1,2,3:10,20,30:Standing\n"
        "-4, 5 : 40,50 : Running\n"
        "6:60:Standing\n";
    const SeriesProblem motion_series{2, {1, 10, 2, 20, 3, 30, -4, 40, 5, 50, 6, 60}, {3, 2, 1}, {}};
};

TEST_F(SeriesArchive, DimensionsOfTsFilesAreChannels) {
    for (const char* file : {"motions.ts", "motions", "motions.txt"}) {
        const Data data = read_named(file, motions);
        expect_series(data, motion_series);
        EXPECT_EQ(labels_of(data), (Labels{1, 0, 1})) << "Running stands before Standing";
    }
    const std::string path = directory.write_gzip("motions.ts.gz", motions);
    expect_series(create<Data>(dk_data_from_file, path.c_str(), nullptr, nullptr), motion_series);
    EXPECT_FALSE(is_labelled(read_named("motions.ts", motions, "label=none")));
}

TEST_F(SeriesArchive, TsFilesWithoutLabelsOrWithTargets) {
    const Data plain = read_named("x.ts",
                                  "@problemName x\n@timestamps false\n@univariate true\n@classLabel false\n"
                                  "@data\n1,2,3\n4,5\n");
    expect_series(plain, {1, {1, 2, 3, 4, 5}, {3, 2}, {}});
    EXPECT_FALSE(is_labelled(plain));
    const Data targets = read_named("x.ts",
                                    "@problemName x\n@univariate true\n@targetLabel true\n@data\n"
                                    "0,1:0.5\n2,3:1.5\n1,1:0.75\n");
    EXPECT_FALSE(is_labelled(targets));
    const Model model = train(targets, "kernel_ridge", "kernel=gak(sigma=1) scale=none");
    EXPECT_EQ(predictions(model, targets).size(), 3U);
}

TEST_F(SeriesArchive, TsFilesToPredictMayLackLabels) {
    const Model model =
        train(read_named("motions.ts", motions), "svm", "kernel=dtw(gamma=0.01) spectrum=clip");
    const std::string header =
        "@problemName x\n@univariate false\n@dimensions 2\n@classLabel true Standing Running\n";
    EXPECT_FALSE(is_labelled(read_named_like(model, "new.ts", header + "@data\n1,2:10,20:?\n4,5:40,50:?\n")));
    EXPECT_EQ(predictions(model, read_named_like(model, "new.ts", header + "@data\n6:60:?\n")).size(), 1U);
}

TEST_F(SeriesArchive, MistakesInTsFiles) {
    const auto expect_refused = [&](const std::string& old_text, const std::string& new_text,
                                    const Words& words, Place where = Place::current()) {
        std::string content = motions;
        content.replace(content.find(old_text), old_text.size(), new_text);
        expect_refused_as("motions.ts", content, nullptr, words, DK_ERR_INVALID_DATA, where);
    };
    expect_refused("20,30", "?,30", {"line 10", "dimension 2", "value 2", "missing"});
    expect_refused("20,30", "NaN,30", {"line 10", "dimension 2", "value 2", "missing"});
    expect_refused("20,30", "x,30", {"line 10", "dimension 2", "value 2", "x"});
    expect_refused("20,30", "20", {"line 10", "dimension 2", "2", "3"});
    expect_refused(": 40,50 ", "", {"line 11", "1 dimensions", "2"});
    expect_refused("60:Standing", "60:Jumping", {"line 12", "Jumping", "@classLabel"});
    expect_refused("60:Standing", "60:?", {"line 12", "label", "missing"});
    expect_refused("@timeStamps false", "@timeStamps true", {"line 3", "time stamps"});
    expect_refused("@dimensions 2", "@dimensions two", {"line 6", "@dimensions"});
    expect_refused("@classLabel true", "@classLabel perhaps", {"line 8", "perhaps", "true", "false"});
    expect_refused("@data\n", "", {"line 9"});
    expect_refused_as("x.ts", "@problemName x\n@classLabel false\n@data\n", nullptr, {"no series"});
    expect_refused_as("x.ts", "@problemName x\n", nullptr, {"@data"});
}

TEST_F(SeriesArchive, UcrFilesHaveALabelAndASeriesInEachLine) {
    const std::string content = "1\t0.5\t-0.25\t1e1\n-1\t2\t3\t4\n1\t5\t6\tNaN\n";
    const SeriesProblem expected{1, {0.5, -0.25, 10, 2, 3, 4, 5, 6}, {3, 3, 2}, {}};
    for (const char* file : {"GunPoint_TRAIN.tsv", "GunPoint_TEST.tsv"}) {
        const Data data = read_named(file, content);
        expect_series(data, expected);
        EXPECT_EQ(labels_of(data), (Labels{1, -1, 1}));
    }
    expect_series(read_named("other.tsv", content, "format=ucr"), expected);
    EXPECT_EQ(dk_data_kind(read_named("other.tsv", "1\t2\t3\n4\t5\t6\n").get()), DK_KIND_DENSE)
        << "a table of numbers looks alike";
    EXPECT_EQ(dk_data_kind(read_named("x_TRAIN.tsv", "a\tb\tc\n1\t2\t3\n").get()), DK_KIND_DENSE)
        << "names of columns are no series";
    // So the archive was before, with blanks or commas.
    const Data older =
        read_named("GunPoint_TRAIN.txt", "  1.0000000e+00  5.0e-01  -2.5e-01\n  2.0000000e+00  2  3\n");
    expect_series(older, {1, {0.5, -0.25, 2, 3}, {2, 2}, {}});
    EXPECT_EQ(labels_of(older), (Labels{1, 2}));
    EXPECT_EQ(labels_of(read_named("x.csv", "1,2,3\n4,5,6\n", "format=ucr label=-1")), (Labels{3, 6}));
    expect_series(read_named("x.csv", "1,2\n4,5\n", "format=ucr label=none"), {1, {1, 2, 4, 5}, {2, 2}, {}});
}

TEST_F(SeriesArchive, AModelOfUcrSeriesReadsTablesAsSeries) {
    const Model model = train(read_named("x.tsv", "1\t1\t2\t3\n2\t-1\t-2\t-3\n", "format=ucr"), "svm",
                              "kernel=dtw spectrum=clip");
    const Data data = read_named_like(model, "new.tsv", "1\t1\t2\n2\t-3\t-4\n");
    expect_series(data, {1, {1, 2, -3, -4}, {2, 2}, {}});
    EXPECT_EQ(dk_data_kind(read_named_like(model, "motions.ts", motions).get()), DK_KIND_SERIES);
}

TEST_F(SeriesArchive, MistakesInUcrFiles) {
    expect_refused_as("x.tsv", "1\t2\tNaN\t3\n", "format=ucr", {"line 1", "value 2", "missing"});
    expect_refused_as("x.tsv", "1\t2\n2\tNaN\n", "format=ucr", {"line 2"});
    expect_refused_as("x.tsv", "1\t2\n2\n", "format=ucr", {"line 2", "label"});
    expect_refused_as("x.tsv", "1\t2\n2\tx\n", "format=ucr", {"line 2", "value 1", "x"});
    expect_refused_as("x.tsv", "1\t2\n?\t3\n", "format=ucr", {"line 2", "label"});
    expect_refused_as("x.tsv", "\n", "format=ucr", {"no series"});
    expect_refused_as("x.tsv", "1\t2\n", "format=ucr label=kind", {"kind", "-1"}, DK_ERR_INVALID_PARAMETER);
}

}  // namespace
}  // namespace dk_test::series_archive_test
