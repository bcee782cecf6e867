// SPDX-License-Identifier: Apache-2.0
// Files in LIBSVM's format differ by who wrote them: indices from 0, queries, several labels, the rows of a
// kernel's matrix, and columns that training did not have.
#include "answers.hpp"
#include "read_files.hpp"

namespace dk_test::libsvm_dialects_test {
namespace {

using Numbers = std::vector<double>;
using Labels = std::vector<int64_t>;

class LibsvmDialects : public ReadFiles {
  protected:
    Data read_lines(const std::string& content, const char* options = nullptr) const {
        return read_named("data.svm", content, options);
    }
    void expect_refused(const std::string& content, const char* options, const Words& words,
                        dk_status status = DK_ERR_INVALID_DATA, Place where = Place::current()) const {
        expect_refused_as("data.svm", content, options, words, status, where);
    }
    const std::string zero_based = "1 0:0.5 1:1\n-1 0:0.1 1:2\n1 0:0.6 1:1\n-1 0:0.2 1:2\n";
};

TEST_F(LibsvmDialects, AnIndexOfZeroSaysThatIndicesCountFromZero) {
    const Data data = read_lines(zero_based);
    EXPECT_EQ(dk_data_cols(data.get()), 2);
    EXPECT_EQ(labels_of(data), (Labels{1, -1, 1, -1}));
    EXPECT_EQ(products(read_lines("1 0:2 3:1\n2 3:5\n")), (Numbers{5, 5, 5, 25}));
    EXPECT_EQ(dk_data_cols(read_lines("1 0:2 3:1\n2 3:5\n").get()), 4);
    EXPECT_EQ(dk_data_cols(read_lines("1 1:2 3:1\n").get()), 3);
    EXPECT_EQ(dk_data_cols(read_lines("1 1:2 3:1\n", "index_base=0").get()), 4);
    EXPECT_EQ(dk_data_cols(read_lines("# by sklearn\n# Column indices are zero-based\n1 1:2 3:1\n").get()),
              4);
    expect_refused(zero_based, "index_base=1", {"line 1", "0:0.5", "index_base=0"});
    expect_refused(zero_based, "index_base=2", {"index_base", "2"}, DK_ERR_INVALID_PARAMETER);
    expect_refused("1 0:1 0:2\n", nullptr, {"line 1", "increase"});
}

TEST_F(LibsvmDialects, AnIndexOfZeroCanStandAnywhereInALargeFile) {
    std::string content;
    for (int row = 0; row < 60000; ++row) content += row == 50000 ? "1 0:3 1:4\n" : "2 1:4\n";
    const Data data = read_lines(content);
    ASSERT_EQ(dk_data_cols(data.get()), 2);
    const std::vector<int64_t> rows{0, 50000};
    const Data some = create<Data>(dk_data_select, data.get(), rows.data(), int64_t{2});
    EXPECT_EQ(products(some), (Numbers{16, 16, 16, 25}));
}

TEST_F(LibsvmDialects, AModelKnowsFromWhereIndicesCount) {
    const Model zero = train(read_lines(zero_based), "svm", "kernel=linear");
    // Without an index 0, these are columns 1 all the same.
    EXPECT_EQ(products(read_named_like(zero, "new.svm", "1 1:3\n")), (Numbers{9}));
    EXPECT_EQ(predictions(zero, read_named_like(zero, "new.svm", "1 1:1\n1 1:2\n")), (Numbers{1, -1}));
    EXPECT_NE(text_of(dk_model_info, zero.get()).find("\"index_base\":\"0\""), std::string::npos);
    const Model one = train(read_lines("1 1:1\n-1 1:2 2:1\n"), "svm", "kernel=linear");
    const std::string path = directory.write("new.svm", zero_based);
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_file_like(out, path.c_str(), nullptr, one.get(), nullptr); },
        DK_ERR_INVALID_DATA, {"line 1", "index_base=0"});
}

TEST_F(LibsvmDialects, ColumnsThatTrainingDidNotHaveAreLeftOut) {
    const Model model =
        train(read_lines("1 1:2 3:1\n-1 1:-2 2:1\n1 1:3\n-1 1:-3\n"), "svm", "kernel=rbf(gamma=1)");
    const Data wide = read_named_like(model, "new.svm", "1 1:2 3:1 4:7\n-1 9:1\n1 2:1 100000:1\n");
    EXPECT_EQ(dk_data_cols(wide.get()), 3);
    EXPECT_EQ(products(wide), (Numbers{5, 0, 0, 0, 0, 0, 0, 0, 1}));
    const Data narrow = read_named_like(model, "new.svm", "1 1:2\n");
    EXPECT_EQ(predictions(model, narrow), (Numbers{1}));
}

TEST_F(LibsvmDialects, LinesOfTextOrWithoutALabelSayWhatToDo) {
    expect_refused("1 1:2\nspam 1:2\n", nullptr, {"line 2", "spam", "CSV"});
    expect_refused("1 1:2\n1:2 2:3\n", nullptr, {"line 2", "label", "1:2"});
}

TEST_F(LibsvmDialects, RowsOfAPrecomputedKernelAreSimilarities) {
    const std::string content = "1 0:1 1:4 2:1 3:0\n-1 0:2 1:1 2:5 3:2\n1 0:3 1:0 2:2 3:6\n";
    const Data data = read_lines(content);
    EXPECT_EQ(dk_data_kind(data.get()), DK_KIND_GRAM);
    EXPECT_EQ(values_of<double>(9, dk_gram, data.get(), nullptr, "gram(0)", nullptr),
              (Numbers{4, 1, 0, 1, 5, 2, 0, 2, 6}));
    EXPECT_EQ(labels_of(data), (Labels{1, -1, 1}));
    const Model model = train(data, "svm", "kernel=gram(0)");
    const Data rows = read_named_like(model, "new.svm", "1 0:9 1:3 2:0.5\n-1 0:1 2:4\n");
    EXPECT_EQ(dk_data_kind(rows.get()), DK_KIND_GRAM);
    EXPECT_EQ(dk_data_cols(rows.get()), 3);
    EXPECT_EQ(predictions(model, rows).size(), 2U);
    const Data table = read_lines(content, "index_base=0");
    EXPECT_EQ(dk_data_kind(table.get()), DK_KIND_SPARSE);
    EXPECT_EQ(dk_data_cols(table.get()), 4);
    expect_refused("1 1:2\n", "format=precomputed", {"row 1", "0:1"});
}

TEST_F(LibsvmDialects, CommentsAndRowsWithoutFeatures) {
    const Data data = read_lines("# a header\n2 qid:1 1:0.5 2:1 # doc a\n1 qid:1\n2 qid:2 1:0.5\n");
    EXPECT_EQ(products(data), (Numbers{1.25, 0, 0.25, 0, 0, 0, 0.25, 0, 0.25}));
    EXPECT_EQ(labels_of(data), (Labels{2, 1, 2}));
}

}  // namespace
}  // namespace dk_test::libsvm_dialects_test
