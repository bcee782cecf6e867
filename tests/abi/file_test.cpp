// SPDX-License-Identifier: Apache-2.0
// These tests read CSV files with all kinds of headers, delimiters, label columns, quotes, line ends and
// compression, and expect the line in the message for every way in which a file is no good.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "expectations.hpp"
#include "files.hpp"
#include "handles.hpp"

namespace dk_test::file_test {
namespace {

constexpr dk_status bad_data = DK_ERR_INVALID_DATA;

class CsvFile : public testing::Test {
  protected:
    TemporaryDirectory directory;

    Data read(const std::string& content, const char* options = nullptr) const {
        return create<Data>(dk_data_from_file, directory.write("data.csv", content).c_str(), options,
                            nullptr);
    }

    void expect_refused(const std::string& content, const Words& words = {}, const char* options = nullptr,
                        const std::string& name = "data.csv", Place where = Place::current()) const {
        const std::string path = directory.write(name, content);
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), options, nullptr); }, bad_data,
            words, where);
    }

    static std::vector<double> values(const Data& data) {
        const int64_t length = dk_data_rows(data.get()) * dk_data_cols(data.get());
        return values_of<double>(length, dk_data_values, data.get());
    }

    static std::vector<std::string> names(const Data& data) {
        std::vector<std::string> found;
        for (int64_t col = 0; col < dk_data_cols(data.get()); ++col) {
            found.push_back(text_of(dk_data_feature_name, data.get(), col));
        }
        return found;
    }

    static void expect_no_labels(const Data& data, Place where = Place::current()) {
        std::vector<int64_t> out(static_cast<std::size_t>(dk_data_rows(data.get())));
        expect_failure([&] { return dk_data_labels(out.data(), dk_data_rows(data.get()), data.get()); },
                       bad_data, {}, where);
    }
};

using Numbers = std::vector<double>;
using Labels = std::vector<int64_t>;
using Names = std::vector<std::string>;

TEST_F(CsvFile, HeaderAndLabelColumnAreFound) {
    for (const std::string name : {"label", "class", "Target", "Y", "CLASS"}) {
        const Data data = read("a,b," + name + "\n1,2.5,7\n-3,4e-1,-8\n");
        EXPECT_EQ(dk_data_kind(data.get()), DK_KIND_DENSE);
        EXPECT_EQ(values(data), (Numbers{1, 2.5, -3, 0.4})) << name;
        EXPECT_EQ(labels_of(data), (Labels{7, -8})) << name;
        EXPECT_EQ(names(data), (Names{"a", "b"})) << name;
    }
    const Data first = read("class,a\n3,10\n4,20\n");
    EXPECT_EQ(values(first), (Numbers{10, 20}));
    EXPECT_EQ(labels_of(first), (Labels{3, 4}));
}

TEST_F(CsvFile, WithoutHeaderEverythingIsData) {
    const Data data = read("1,2\n3,4\n");
    EXPECT_EQ(values(data), (Numbers{1, 2, 3, 4}));
    EXPECT_EQ(names(data), (Names{"f1", "f2"}));
    expect_no_labels(data);
}

TEST_F(CsvFile, HeaderOption) {
    EXPECT_EQ(names(read("1,2\n3,4\n", "header=yes")), (Names{"1", "2"}));
    EXPECT_EQ(values(read("1,2\n3,4\n", "header=yes")), (Numbers{3, 4}));
    EXPECT_EQ(values(read("1,2\n3,4\n", "header=no")), (Numbers{1, 2, 3, 4}));
    expect_refused("a,b\n3,4\n", {"line", "1"}, "header=no");
}

TEST_F(CsvFile, LabelOption) {
    const std::string content = "a,b,c\n1,2,3\n4,5,6\n";
    EXPECT_EQ(labels_of(read(content, "label=b")), (Labels{2, 5}));
    EXPECT_EQ(names(read(content, "label=b")), (Names{"a", "c"}));
    EXPECT_EQ(labels_of(read(content, "label=0")), (Labels{1, 4}));
    EXPECT_EQ(labels_of(read(content, "label=2")), (Labels{3, 6}));
    EXPECT_EQ(labels_of(read(content, "label=-1")), (Labels{3, 6}));
    EXPECT_EQ(labels_of(read("1,2\n3,4\n", "header=no label=-1")), (Labels{2, 4}));
    const Data none = read("a,label\n1,2\n", "label=none");
    EXPECT_EQ(values(none), (Numbers{1, 2}));
    expect_no_labels(none);
    const std::vector<dk_status> allowed{bad_data, DK_ERR_INVALID_PARAMETER, DK_ERR_INVALID_ARGUMENT};
    const std::string path = directory.write("data.csv", content);
    for (const std::string missing : {"d", "3", "-4", "99999999999999999999"}) {
        expect_no_handle_in<dk_data>(
            [&](dk_data** out) {
                return dk_data_from_file(out, path.c_str(), ("label=" + missing).c_str(), nullptr);
            },
            allowed, {missing});
    }
}

TEST_F(CsvFile, LabelsAreIntegersNamesOrTargets) {
    EXPECT_EQ(labels_of(read("a,y\n1,-1\n1,+1\n1,9007199254740993\n")), (Labels{-1, 1, 9007199254740993}));
    const Data named = read("a,y\n1,pear\n2,apple\n3,pear\n4,Zoe\n");
    EXPECT_EQ(labels_of(named), (Labels{2, 1, 2, 0}));
    const Model model = train(named, "mean_of_class");
    EXPECT_EQ(text_of(dk_model_class_name, model.get(), int64_t{1}), "apple");
    EXPECT_EQ(labels_of(read("a,y\n1,1\n2,x\n3,1\n")), (Labels{0, 1, 0}))
        << "one text makes all of them names";
    expect_no_labels(read("a,y\n1,0.5\n2,1.5\n3,2\n"));
    expect_no_labels(read("a,y\n1,1e300\n2,-1e300\n"));
}

TEST_F(CsvFile, EmptyOrNonFiniteLabels) {
    expect_refused("a,y\n1,3\n2,\n3,4\n", {"line", "3"});
    expect_refused("a,y\n1,0.5\n2,nan\n", {"line", "3"});
    expect_refused("a,y\n1,0.5\n2,inf\n", {"line", "3"});
}

TEST_F(CsvFile, Delimiters) {
    EXPECT_EQ(values(read("a;b\n1;2\n")), (Numbers{1, 2}));
    EXPECT_EQ(values(read("a\tb\n1\t2\n")), (Numbers{1, 2}));
    EXPECT_EQ(values(read("a;b\n1;2\n", "delimiter=;")), (Numbers{1, 2}));
    EXPECT_EQ(values(read("a,b\n1,2\n", "delimiter=,")), (Numbers{1, 2}));
    EXPECT_EQ(values(read("a\tb\n1\t2\n", "delimiter=tab")), (Numbers{1, 2}));
    EXPECT_EQ(values(read("a b\n1 2\n", "delimiter=space")), (Numbers{1, 2}));
    const std::string tsv = directory.write("data.tsv", "a\ty\n1.5\t2\n");
    const Data data = create<Data>(dk_data_from_file, tsv.c_str(), nullptr, nullptr);
    EXPECT_EQ(values(data), (Numbers{1.5}));
    EXPECT_EQ(labels_of(data), (Labels{2}));
}

TEST_F(CsvFile, LineEndsBlanksAndByteOrderMark) {
    const Numbers expected{1, 2, 3, 4};
    for (const char* content :
         {"a,b\n1,2\n3,4", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r\n1,2\r\n3,4", "a,b\n1,2\n3,4\n\n\n",
          "\xef\xbb\xbf"
          "a,b\n1,2\n3,4\n"}) {
        const Data data = read(content);
        EXPECT_EQ(values(data), expected) << content;
        EXPECT_EQ(names(data), (Names{"a", "b"})) << content;
    }
    EXPECT_EQ(values(read("\xef\xbb\xbf"
                          "1,2\n3,4\n")),
              expected)
        << "the mark is no field";
    EXPECT_EQ(values(read("a,b\n 1 , 2\n3 ,4 \n")), expected) << "blanks around numbers";
    EXPECT_EQ(labels_of(read("a,y\r\n1,red\r\n2,blue\r\n")), (Labels{1, 0}));
    EXPECT_EQ(text_of(dk_model_class_name, train(read("a,y\r\n1,red\r\n2,blue\r\n"), "mean_of_class").get(),
                      int64_t{1}),
              "red")
        << "no carriage return in the name";
}

TEST_F(CsvFile, QuotedFields) {
    const Data data =
        read("\"width, cm\",\"the \"\"b\"\"\",\"class\"\n\"1\",\"2.5\",\"Doe, J\"\n3,4,\"x \"\"y\"\"\"\n");
    EXPECT_EQ(names(data), (Names{"width, cm", "the \"b\""}));
    EXPECT_EQ(values(data), (Numbers{1, 2.5, 3, 4}));
    const Model model = train(data, "mean_of_class");
    EXPECT_EQ(text_of(dk_model_class_name, model.get(), int64_t{0}), "Doe, J");
    EXPECT_EQ(text_of(dk_model_class_name, model.get(), int64_t{1}), "x \"y\"");
    expect_refused("a,b\n1,\"2\n3,4\n", {"line"});
}

TEST_F(CsvFile, NumbersAreReadToTheLastBit) {
    const Data data = read(
        "a\n0.1\n1e-5\n123456789.123456789\n1.7976931348623157e308\n4.9406564584124654e-324\n-0\n+2.5\n.5\n5."
        "\n1E3\n");
    const Numbers expected{
        0.1, 1e-5,  123456789.123456789, 1.7976931348623157e308, 4.9406564584124654e-324, -0.0, 2.5, 0.5,
        5.0, 1000.0};
    EXPECT_TRUE(same_bits(values(data), expected));
    EXPECT_EQ(values(read("a\n1e-400\n")), (Numbers{0.0})) << "nearest to the number, as every reader has it";
}

TEST_F(CsvFile, FieldsThatAreNoNumbersNameLineAndField) {
    for (const std::string field : {"x", "", "NA", "1e400", "-1e400", "nan", "inf", "-Inf", "1.2.3", "1e",
                                    "0x10", "--1", "1 2", "\xff"}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, field);
        expect_refused("a,b,c\n1,2,3\n4," + field + ",6\n7,8,9\n", {"line", "3"});
    }
    expect_refused("a,b,c\n1,2,3\n4,bogus,6\n", {"line", "3", "bogus"});
}

TEST_F(CsvFile, RaggedRowsNameTheLine) {
    expect_refused("a,b\n1,2\n3\n", {"line", "3"});
    expect_refused("a,b\n1,2\n3,4,5\n", {"line", "3", "2"});
    expect_refused("a,b\n1,2,3\n", {"line", "2"});
    expect_refused("a,b\n1,2\n3,4,\n", {"line", "3"});
}

TEST_F(CsvFile, FilesWithNothingInThem) {
    expect_refused("");
    expect_refused("\n");
    expect_refused("\n\n\r\n");
    expect_refused("\xef\xbb\xbf");
    expect_refused("a,b,label\n");
    expect_refused("label\n1\n2\n", {}, nullptr);
    expect_refused("", {}, nullptr, "data");
    expect_refused("", {}, "format=csv", "data");
}

TEST_F(CsvFile, NamesOfColumns) {
    expect_refused("a,a\n1,2\n", {"a"});
    // A column without a name has that of its position.
    EXPECT_EQ(names(read("a,\n1,2\n")), (Names{"a", "f2"}));
    EXPECT_EQ(names(read(",b,\n1,2,3\n")), (Names{"f1", "b", "f3"}));
    expect_refused("f2,\n1,2\n", {"f2"});
}

TEST_F(CsvFile, FilesThatCannotBeRead) {
    for (const char* options : {static_cast<const char*>(nullptr), "format=csv", "format=libsvm"}) {
        const std::string missing = directory.path("missing.csv");
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, missing.c_str(), options, nullptr); },
            DK_ERR_IO, {"missing.csv"});
        const std::string folder = directory.path("");
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, folder.c_str(), options, nullptr); },
            DK_ERR_IO);
    }
    const std::vector<std::string> strange{"", std::string(1 << 20, 'p'), "/dev/null/x"};
    for (const std::string& path : strange) {
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), nullptr, nullptr); }, DK_ERR_IO);
    }
}

TEST_F(CsvFile, AFieldOfBlanksTextAndQuotesTakesTimeInProportionToItsLength) {
    // Quadratic time would be minutes.
    const std::string field = std::string(1 << 20, ' ') + "x" + std::string(1 << 20, '"');
    expect_refused("a,b,c\n1,2,3\n4," + field + ",6\n", {"line", "3"});
}

TEST_F(CsvFile, BinaryGarbage) {
    Random random(9);
    for (int round = 0; round < 200; ++round) {
        std::string garbage;
        for (std::size_t i = 0; i < 300; ++i) garbage.push_back(static_cast<char>(random.below(256)));
        expect_refused(garbage, {}, nullptr, "garbage.svm");
        for (const char* name : {"garbage.csv", "garbage", "garbage.csv.gz"}) {
            expect_refused("a,b\n1,2\n3," + garbage + "\n5,6\n", {}, nullptr, name);
            expect_refused(garbage, {}, nullptr, name);
        }
    }
    expect_refused(std::string("a,b\n1,2\0\n3,4\n", 14), {"line"});
    expect_refused(std::string(1 << 20, '\0'));
    expect_refused(std::string(1 << 20, 'x'));
    expect_refused(std::string(1 << 20, '"'));
}

TEST_F(CsvFile, GzipWhateverTheName) {
    const std::string content = "a,b,label\n1,2,5\n3,4,6\n";
    for (const char* name : {"data.csv.gz", "data.csv", "data"}) {
        const std::string path = directory.write_gzip(name, content);
        const Data data = create<Data>(dk_data_from_file, path.c_str(), nullptr, nullptr);
        EXPECT_EQ(values(data), (Numbers{1, 2, 3, 4})) << name;
        EXPECT_EQ(labels_of(data), (Labels{5, 6})) << name;
    }
    const std::string plain = directory.write("plain.csv.gz", content);
    EXPECT_EQ(values(create<Data>(dk_data_from_file, plain.c_str(), nullptr, nullptr)),
              (Numbers{1, 2, 3, 4}));
}

TEST_F(CsvFile, EveryTruncationAndDamageOfGzip) {
    std::string content = "a,b\n";
    for (int row = 0; row < 50; ++row)
        content += std::to_string(row) + "," + std::to_string(row * row) + "\n";
    directory.write_gzip("whole.csv.gz", content);
    const std::string bytes = directory.read("whole.csv.gz");
    const std::vector<dk_status> allowed{bad_data, DK_ERR_IO};
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const std::string path = directory.write("cut.csv.gz", bytes.substr(0, length));
        expect_no_handle_in<dk_data>(
            [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), nullptr, nullptr); }, allowed);
    }
    std::string damaged = bytes;
    damaged[bytes.size() / 2] = static_cast<char>(damaged[bytes.size() / 2] ^ 4);
    const std::string path = directory.write("damaged.csv.gz", damaged);
    expect_no_handle_in<dk_data>(
        [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), nullptr, nullptr); }, allowed);
}

TEST_F(CsvFile, EveryDamageOfALaterMemberOfGzip) {
    directory.write_gzip("first.csv.gz", "a,b\n1,2\n");
    directory.write_gzip("later.csv.gz", "3,4\n5,6\n");
    const std::string first = directory.read("first.csv.gz");
    const std::string later = directory.read("later.csv.gz");
    const auto read = [&](dk_data** out, const std::string& bytes) {
        const std::string path = directory.write("members.csv.gz", bytes);
        return dk_data_from_file(out, path.c_str(), "header=yes label=none", nullptr);
    };
    const auto expect_all_rows = [&](const std::string& bytes) {
        EXPECT_EQ(values(create<Data>([&](dk_data** out) { return read(out, bytes); })),
                  (Numbers{1, 2, 3, 4, 5, 6}));
    };
    expect_all_rows(first + later);
    expect_all_rows(first + later + std::string(512, '\0'));
    for (std::size_t at = 0; at < later.size(); ++at) {
        std::string damaged = later;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        dk_data* out = nullptr;
        const dk_status status = read(&out, first + damaged);
        const Data owned(out);
        if (status == DK_OK) {
            EXPECT_EQ(values(owned), (Numbers{1, 2, 3, 4, 5, 6})) << "byte " << at;
        } else {
            EXPECT_EQ(status, DK_ERR_IO) << "byte " << at << ": " << dk_last_error();
        }
    }
    for (const std::string& behind : {later.substr(0, 1), later.substr(0, 15), std::string("5,6\n")})
        expect_no_handle<dk_data>([&](dk_data** out) { return read(out, first + later + behind); }, DK_ERR_IO,
                                  {"members.csv.gz"});
}

TEST_F(CsvFile, ATruncatedGzipFileIsToldByItsName) {
    directory.write_gzip("whole.csv.gz", "a,b\n1,2\n3,4\n");
    const std::string bytes = directory.read("whole.csv.gz");
    const std::string path = directory.write("cut.csv.gz", bytes.substr(0, bytes.size() / 2));
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_file(out, path.c_str(), nullptr, nullptr); }, DK_ERR_IO,
        {"cut.csv.gz", "unexpected end of file"});
    EXPECT_EQ(std::string(dk_last_error()).find("fd:"), std::string::npos) << dk_last_error();
}

TEST_F(CsvFile, BadOptions) {
    const std::string path = directory.write("data.csv", "a,b\n1,2\n");
    const std::vector<dk_status> allowed{DK_ERR_INVALID_PARAMETER, DK_ERR_INVALID_ARGUMENT};
    for (const auto& [options, word] :
         std::vector<std::pair<std::string, std::string>>{{"heder=yes", "header"},
                                                          {"header=maybe", "maybe"},
                                                          {"format=xml", "xml"},
                                                          {"delimiter=abc", "abc"},
                                                          {"format", "format"},
                                                          {"=csv", ""},

                                                          {"cols=-3", "-3"},
                                                          {"cols=many", "many"},
                                                          {"cols=99999999999999999999", "cols"},
                                                          {std::string(1 << 20, 'o'), ""}}) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, options.substr(0, 80));
        const Words words = word.empty() ? Words{} : Words{word};
        expect_no_handle_in<dk_data>(
            [&, text = options](dk_data** out) {
                return dk_data_from_file(out, path.c_str(), text.c_str(), nullptr);
            },
            allowed, words);
    }
    EXPECT_EQ(values(create<Data>(dk_data_from_file, path.c_str(), "", nullptr)), (Numbers{1, 2}));
    EXPECT_EQ(values(create<Data>(dk_data_from_file, path.c_str(), "  format=csv   header=auto ", nullptr)),
              (Numbers{1, 2}));
}

}  // namespace
}  // namespace dk_test::file_test
