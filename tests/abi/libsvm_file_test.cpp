// SPDX-License-Identifier: Apache-2.0
// These tests read LIBSVM files, which have sparse lines "label index:value ..." with indices from 1, and try
// every way in which a line is no good.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "files.hpp"
#include "handles.hpp"

namespace dk_test::libsvm_file_test {
namespace {

constexpr dk_status bad_data = DK_ERR_INVALID_DATA;
using Numbers = std::vector<double>;
using Labels = std::vector<int64_t>;

class LibsvmFile : public testing::Test {
  protected:
    TemporaryDirectory directory;

    Data read(const std::string& content, const char* options = nullptr,
              const std::string& name = "data.svm") const {
        return create<Data>(dk_data_from_file, directory.write(name, content).c_str(), options, nullptr);
    }

    void expect_refused(const std::string& content, const Words& words = {},
                        Place where = Place::current()) const {
        const testing::ScopedTrace trace(where.file_name(), where.line(), content.substr(0, 80));
        const std::string path = directory.write("data.svm", content);
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), nullptr, nullptr); }, bad_data,
            words, where);
    }

    /// Gives inner products of the rows, which is how sparse values are seen from outside.
    static Numbers products(const Data& data) {
        const int64_t rows = dk_data_rows(data.get());
        return values_of<double>(rows * rows, dk_gram, data.get(), nullptr, "linear", nullptr);
    }
};

TEST_F(LibsvmFile, LabelsIndicesAndValues) {
    const Data data = read("+1 1:0.5 3:2\n-1 2:1\n7\n");
    EXPECT_EQ(dk_data_kind(data.get()), DK_KIND_SPARSE);
    EXPECT_EQ(dk_data_rows(data.get()), 3);
    EXPECT_EQ(dk_data_cols(data.get()), 3);
    EXPECT_EQ(labels_of(data), (Labels{1, -1, 7}));
    EXPECT_EQ(products(data), (Numbers{4.25, 0, 0, 0, 1, 0, 0, 0, 0}));
}

TEST_F(LibsvmFile, FormatIsFoundByNameContentOrOption) {
    const std::string content = "1 1:0.5 2:1\n-1 2:2\n";
    for (const char* name : {"data.svm", "data.libsvm", "data", "data.txt"}) {
        EXPECT_EQ(products(read(content, nullptr, name)), (Numbers{1.25, 2, 2, 4})) << name;
    }
    EXPECT_EQ(products(read(content, "format=libsvm", "data.csv")), (Numbers{1.25, 2, 2, 4}));
    EXPECT_EQ(dk_data_kind(read("1,2\n3,4\n", nullptr, "numbers").get()), DK_KIND_DENSE);
    EXPECT_EQ(dk_data_kind(read("1,2\n3,4\n", "format=csv", "numbers.svm").get()), DK_KIND_DENSE);
}

TEST_F(LibsvmFile, BlanksAndLineEnds) {
    for (const char* content :
         {"1 1:0.5 2:1\n-1 2:2", "1 1:0.5 2:1\r\n-1 2:2\r\n", "1  1:0.5   2:1 \n-1\t2:2\n\n",
          "\xef\xbb\xbf"
          "1 1:0.5 2:1\n-1 2:2\n"}) {
        const Data data = read(content);
        EXPECT_EQ(products(data), (Numbers{1.25, 2, 2, 4})) << content;
        EXPECT_EQ(labels_of(data), (Labels{1, -1})) << content;
    }
}

TEST_F(LibsvmFile, ColumnsOption) {
    const std::string content = "1 1:0.5 3:1\n";
    EXPECT_EQ(dk_data_cols(read(content, "cols=5").get()), 5);
    EXPECT_EQ(dk_data_cols(read(content, "cols=3").get()), 3);
    EXPECT_EQ(dk_data_cols(read(content, "cols=2").get()), 3) << "at least";
    EXPECT_EQ(dk_data_cols(read("1\n2\n", "cols=4").get()), 4);
}

TEST_F(LibsvmFile, TestFilesThatLackTheLastColumns) {
    const Model model = train(read("1 1:2 3:1\n-1 1:-2 2:1\n1 1:3\n-1 1:-3\n"), "svm");
    const Data narrow = read("1 1:2\n-1 1:-2\n", "cols=3");
    EXPECT_EQ(predictions(model, narrow), (Numbers{1, -1}));
}

TEST_F(LibsvmFile, DecimalLabelsAreTargets) {
    const Data data = read("0.5 1:1\n1.25 1:2\n");
    std::vector<int64_t> out(2);
    expect_failure([&] { return dk_data_labels(out.data(), 2, data.get()); }, bad_data);
}

TEST_F(LibsvmFile, MalformedLinesAreNamed) {
    const std::string good = "1 1:0.5 3:2\n";
    for (const char* line :
         {"1 -1:1",    "1 2:1 1:1", "1 1:1 1:2", "1 1",     "1 1:",    "1 :1",
          "1 :",       "1 a:1",     "1 1:a",     "1 1:nan", "1 1:inf", "1 1:-Inf",
          "1 1:1e400", "1 1.5:1",   "1 1:1:1",   "1 1 :1",  "1 1: 1",  "1 99999999999999999999:1",
          "1 1:1,2:1", "nan 1:1",   "inf 1:1",   "1:1 2:1", "1,2 1:a", "1 1:0x10",
          "1 1:--1",   "1 +1:+-1"}) {
        expect_refused(good + line + "\n" + good, {"line", "2"});
    }
    expect_refused("");
    expect_refused("\n\n");
}

TEST_F(LibsvmFile, HugeIndicesAreAnErrorOrJustColumns) {
    for (const char* index : {"9223372036854775807", "9223372036854775806", "4294967297", "2147483648"}) {
        const std::string path = directory.write("huge.svm", std::string("1 1:1 ") + index + ":1\n-1 2:1\n");
        dk_data* out = nullptr;
        const dk_status status = dk_data_from_file(&out, path.c_str(), nullptr, nullptr);
        const Data data(out);
        if (status == DK_OK) {
            EXPECT_EQ(std::to_string(dk_data_cols(data.get())), index);
            EXPECT_EQ(products(data), (Numbers{2, 0, 0, 1})) << index;
        } else {
            EXPECT_EQ(status, bad_data) << dk_last_error();
        }
    }
}

TEST_F(LibsvmFile, Gzip) {
    for (const char* name : {"data.svm.gz", "data.libsvm.gz", "data.svm", "data"}) {
        const std::string path = directory.write_gzip(name, "1 1:0.5 2:1\n-1 2:2\n");
        EXPECT_EQ(products(create<Data>(dk_data_from_file, path.c_str(), nullptr, nullptr)),
                  (Numbers{1.25, 2, 2, 4}))
            << name;
    }
}

TEST_F(LibsvmFile, ManyRowsAndLongLines) {
    std::string content;
    for (int row = 0; row < 3000; ++row)
        content += (row % 2 == 0 ? "1 " : "-1 ") + std::to_string(row + 1) + ":1\n";
    const Data many = read(content);
    EXPECT_EQ(dk_data_rows(many.get()), 3000);
    EXPECT_EQ(dk_data_cols(many.get()), 3000);
    std::string line = "1";
    for (int col = 1; col <= 200000; ++col) line += " " + std::to_string(col) + ":1";
    const Data wide = read(line + "\n" + line + "\n");
    EXPECT_EQ(dk_data_cols(wide.get()), 200000);
    EXPECT_EQ(products(wide), Numbers(4, 200000.0));
}

/// Makes rows (r, 1) for r = 0, 1, ..., some with a comment that looks like entries, in a file that is read
/// in several parts.
std::string numbered_rows(int rows) {
    std::string content;
    for (int row = 0; row < rows; ++row) {
        content += (row % 3 == 0 ? "1 1:" : "2 1:") + std::to_string(row) + " 2:1";
        content += row % 7 == 0 ? " # was 3:4 and 5:6\n" : "\n";
    }
    return content;
}

TEST_F(LibsvmFile, LargeFilesAreReadByAnyNumberOfThreads) {
    constexpr int rows = 60000;
    const std::string content = numbered_rows(rows);
    ASSERT_GT(content.size(), 900000U);
    const std::string path = directory.write("data.svm", content);
    for (const int threads : {1, 2, 5, 0}) {
        const Control control = create<Control>(dk_control_create);
        ASSERT_EQ(dk_control_set_threads(control.get(), threads), DK_OK);
        const Data data = create<Data>(dk_data_from_file, path.c_str(), nullptr, control.get());
        ASSERT_EQ(dk_data_rows(data.get()), rows) << threads;
        ASSERT_EQ(dk_data_cols(data.get()), 2) << threads;
        const Labels labels = labels_of(data);
        for (int row = 0; row < rows; ++row)
            ASSERT_EQ(labels[static_cast<size_t>(row)], row % 3 == 0 ? 1 : 2);
        // This checks every 500th row, and its inner product with row 10.
        std::vector<int64_t> selected{10};
        for (int64_t row = 0; row < rows; row += 500) selected.push_back(row);
        const Data some =
            create<Data>(dk_data_select, data.get(), selected.data(), static_cast<int64_t>(selected.size()));
        const Numbers values = products(some);
        for (std::size_t i = 1; i < selected.size(); ++i)
            EXPECT_EQ(values[i], 10.0 * static_cast<double>(selected[i]) + 1) << threads;
    }
}

TEST_F(LibsvmFile, TheFirstMistakeOfALargeFileIsTold) {
    std::string content = numbered_rows(30000);
    content += "1 1:1 1:2\n";  // line 30001
    content += numbered_rows(20000) + "1 1:wrong\n" + numbered_rows(10000);
    for (int run = 0; run < 10; ++run) expect_refused(content, {"line 30001:", "increase"});
}

}  // namespace
}  // namespace dk_test::libsvm_file_test
