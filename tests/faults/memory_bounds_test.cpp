// SPDX-License-Identifier: Apache-2.0
// Small inputs can't ask for large memory. Readers and model files take no more than dk.h says, and what a
// call makes of its input stays within the memory of its control, or is refused before it is allocated.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <string>

#include "../abi/structures.hpp"
#include "allocation_gate.hpp"
#include "work.hpp"

namespace dk_test {
namespace {

constexpr int64_t megabyte = int64_t{1} << 20U;

/// The most memory that a call takes beyond what there is before it.
template <typename Call>
int64_t peak_of(Call call) {
    const int64_t before = live_bytes();
    reset_peak();
    call();
    return peak_bytes() - before;
}

std::string repeated(const std::string& part, int64_t bytes) {
    std::string text;
    while (static_cast<int64_t>(text.size()) < bytes) text += part;
    return text;
}

Control control_of(int64_t megabytes) {
    Control control = create<Control>(dk_control_create);
    check(dk_control_set_threads(control.get(), 2));
    check(dk_control_set_memory(control.get(), megabytes));
    return control;
}

struct Bomb {
    std::string name, file, content;
    const char* options = "";

    friend void PrintTo(const Bomb& bomb, std::ostream* out) { *out << bomb.name; }
};

/// Numbers from 0 on, one for each step.
std::string numbered(int64_t count, const std::string& before, const std::string& after) {
    std::string text;
    for (int64_t i = 0; i < count; ++i) text += before + std::to_string(i) + after;
    return text;
}

/// A file of a precomputed kernel of so many rows.
std::string precomputed(int64_t rows) {
    std::string text;
    for (int64_t i = 1; i <= rows; ++i)
        text += "1 0:" + std::to_string(i) + numbered(rows + 1, " ", ":1").substr(4) + "\n";
    return text;
}

std::vector<Bomb> bombs() {
    constexpr int64_t size = 1000000;
    std::string wide = numbered(100000, "c", ",");
    wide.pop_back();
    return {
        {"delimiters", "x.csv", repeated(",", size) + "\n" + repeated(",", size), "missing=keep header=no"},
        {"short_lines", "x.csv", repeated("1\n", size), "header=no"},
        {"short_rows", "x.csv", repeated("1,2\n", size), "header=no label=1"},
        {"texts", "x.csv", repeated("a\nb\n", size), "header=no"},
        {"blanks", "x.csv", repeated(" x \"", size) + "\n1", "header=no"},
        {"quotes", "x.csv", repeated("\"\"\"\"\n", size), "header=no"},
        {"columns", "x.csv", wide + "\n" + repeated("1,", 199998) + "1\n", "label=none"},
        {"text_labels", "x.csv", "x,label\n" + numbered(30000, "1,the class of the row with number ", "\n"),
         "label=label"},
        {"text_groups", "x.csv", "x,group\n" + numbered(30000, "1,the group of the row with number ", "\n"),
         "groups=group"},
        {"row_names", "x.csv", "x,name\n" + numbered(30000, "1,the name of the row with number ", "\n"),
         "id=name"},
        {"long_column_name", "x.csv", "x," + std::string(4 * size, 'n') + ",label\n1,2,p\n3,4,q\n",
         "label=label"},
        {"long_label", "x.csv", "x,label\n1," + std::string(4 * size, 'n') + "\n3,q\n", "label=label"},
        {"long_group", "x.csv", "x,g\n1," + std::string(4 * size, 'n') + "\n3,q\n", "groups=g label=none"},
        {"long_row_name", "x.csv", "x,id\n1," + std::string(4 * size, 'n') + "\n3,q\n", "id=id label=none"},
        {"long_category", "x.csv", "x,c\n1," + std::string(4 * size, 'n') + "\n3,q\n", "label=none"},
        {"long_attribute", "x.arff",
         "@relation r\n@attribute " + std::string(4 * size, 'n') + " numeric\n@data\n1\n2\n", "label=none"},
        {"doubled_quotes", "x.csv", "x,text\n1,a\n2,\"" + repeated("text \"\" ", 3 * size) + "\"\n"},
        {"one_field", "x.csv", std::string(size, 'x') + "\n" + std::string(size, 'y') + "\n", "header=no"},
        {"escapes", "x.arff",
         "@relation r\n@attribute a string\n@attribute b numeric\n@data\n" + repeated("'\\'',1\n", size)},
        {"long_string", "x.csv", "text\n" + repeated("ab", 6 * size) + "\n", "format=strings"},
        {"precomputed", "x.svm", precomputed(600)},
        {"entries", "x.svm", "1 " + numbered(150000, "", ":1 ").substr(4) + "\n"},
        {"labels", "x.svm", repeated("1\n", size)},
        {"colons", "x.svm", "1 " + repeated(":", size)},
        {"comments", "x.svm", repeated("1 #::\n", size)},
        {"series", "x.csv", "series,x\n" + numbered(150000, "s", ",1\n")},
        {"strings", "x.csv", "text\n" + repeated("ab\n", size), "format=strings"}};
}

class MemoryBounds : public testing::TestWithParam<Bomb> {};

/// What dk.h says: 64 times the file, and 8 bytes for each value.
TEST_P(MemoryBounds, OfReadingAreTheStatedMultiple) {
    const Bomb& bomb = GetParam();
    const TemporaryDirectory directory;
    const std::string path = directory.write(bomb.file, bomb.content);
    const Control control = control_of(0);
    dk_data* out = nullptr;
    const int64_t peak = peak_of([&] {
        const dk_status status = dk_data_from_file(&out, path.c_str(), bomb.options, control.get());
        EXPECT_TRUE(status == DK_OK || status == DK_ERR_INVALID_DATA) << dk_last_error();
    });
    const Data data(out);
    const bool is_dense = dk_data_kind(out) == DK_KIND_DENSE;
    const int64_t values = is_dense ? dk_data_rows(out) * dk_data_cols(out) : 0;
    const auto size = static_cast<int64_t>(bomb.content.size());
    EXPECT_LE(peak, 64 * size + 8 * values + 2 * megabyte);
    std::printf("memory: %s: %.1f times the file\n", bomb.name.c_str(),
                static_cast<double>(peak - 8 * values) / static_cast<double>(size));
}

TEST_P(MemoryBounds, OfTheControlHoldWhileReading) {
    const Bomb& bomb = GetParam();
    const TemporaryDirectory directory;
    const std::string path = directory.write(bomb.file, bomb.content);
    constexpr int64_t allowed = 8;
    const Control control = control_of(allowed);
    dk_data* out = nullptr;
    const int64_t peak = peak_of([&] {
        const dk_status status = dk_data_from_file(&out, path.c_str(), bomb.options, control.get());
        EXPECT_TRUE(status == DK_OK || status == DK_ERR_INVALID_DATA || status == DK_ERR_MEMORY_BUDGET)
            << dk_last_error();
    });
    const Data data(out);
    EXPECT_LE(peak, (allowed + 2) * megabyte);
}

INSTANTIATE_TEST_SUITE_P(Of, MemoryBounds, testing::ValuesIn(bombs()),
                         [](const auto& bomb) { return bomb.param.name; });

TEST(MemoryBoundsOfFiles, CompressedOnesGrowNoFurtherThanTheControlAllows) {
    const TemporaryDirectory directory;
    const std::string path = directory.write_gzip("x.csv.gz", repeated("1,2\n", 200 * megabyte));
    const Control control = control_of(64);
    dk_data* out = nullptr;
    const int64_t peak = peak_of(
        [&] { EXPECT_EQ(dk_data_from_file(&out, path.c_str(), "", control.get()), DK_ERR_MEMORY_BUDGET); });
    EXPECT_EQ(out, nullptr);
    EXPECT_LE(peak, 66 * megabyte);
}

TEST(MemoryBoundsOfFiles, IndicatorsAreRefusedBeforeTheyAreMade) {
    const TemporaryDirectory directory;
    std::string content = "category,class\n";
    for (int64_t row = 0; row < 30000; ++row)
        content += "c" + std::to_string(row % 999) + (row % 2 == 0 ? ",a\n" : ",b\n");
    const std::string path = directory.write("x.csv", content);
    const Control control = control_of(64);
    dk_data* out = nullptr;
    const int64_t peak = peak_of(
        [&] { EXPECT_EQ(dk_data_from_file(&out, path.c_str(), "", control.get()), DK_ERR_MEMORY_BUDGET); });
    EXPECT_NE(std::string(dk_last_error()).find("229 MB"), std::string::npos) << dk_last_error();
    EXPECT_LE(peak, 20 * megabyte);
}

/// A model file with this description, which is no model.
std::string sealed(const std::string& description) {
    const auto little_endian = [](uint64_t value, int bytes) {
        std::string text;
        for (int b = 0; b < bytes; ++b, value >>= 8U) text += static_cast<char>(value & 255U);
        return text;
    };
    const std::string payload = little_endian(description.size(), 8) + description;
    const std::string header = std::string("DKMODEL\0", 8) + little_endian(1, 4) + little_endian(0, 4) +
                               little_endian(payload.size(), 8);
    const std::string all = header + payload;
    const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(all.data()), static_cast<uInt>(all.size()));
    return header + little_endian(checksum, 4) + payload;
}

/// The description of a map that has one list, of so many empty maps, which take a byte each.
std::string empty_maps(uint32_t count) {
    std::string description = "\xa1\x61\x61\x9a";
    for (int shift = 24; shift >= 0; shift -= 8) description += static_cast<char>(count >> shift & 255U);
    return description + std::string(count, '\xa0');
}

TEST(MemoryBoundsOfModels, AreTheStatedMultiple) {
    for (const uint32_t count : {100000U, 400000U, 4000000U}) {
        const std::string file = sealed(empty_maps(count));
        const Control control = control_of(64);
        dk_model* out = nullptr;
        const int64_t peak = peak_of([&] {
            const dk_status expected = count < 500000 ? DK_ERR_MODEL_FORMAT : DK_ERR_MEMORY_BUDGET;
            EXPECT_EQ(dk_model_read(&out, file.data(), static_cast<int64_t>(file.size()), control.get()),
                      expected)
                << dk_last_error();
        });
        EXPECT_EQ(out, nullptr);
        EXPECT_LE(peak, std::min<int64_t>(64 * megabyte, 160 * static_cast<int64_t>(file.size())) + megabyte);
    }
}

TEST(MemoryBoundsOfModels, ColumnsOfAKernelAreRefusedBeforeTheyAreListed) {
    const int64_t offsets[] = {0, 1};
    const int64_t column = 0;
    const double value = 1;
    const Data data =
        create<Data>(dk_data_from_csr, offsets, &column, &value, int64_t{1}, int64_t{1} << 36U, int64_t{1});
    int64_t count = 0;
    const int64_t peak = peak_of([&] {
        EXPECT_EQ(dk_kernel_count(&count, data.get(), "on(0:60000000000, linear)"), DK_ERR_MEMORY_BUDGET);
    });
    EXPECT_LE(peak, megabyte);
}

/// Functions of pairs of classes are as many as the square of these.
class ManyClasses : public testing::TestWithParam<std::string> {};

TEST_P(ManyClasses, TakeTheMemoryOfTheCallOrAreRefused) {
    constexpr int64_t rows = 1200;
    constexpr int64_t allowed = 32;
    const std::string& machine = GetParam();
    Problem problem = make_problem(rows, 5, 2, 2.0, 3);
    for (int64_t row = 0; row < rows; ++row) problem.labels[static_cast<std::size_t>(row)] = row % 300;
    const Data data = dense(problem);
    for (const char* more : {"", " probability=yes"}) {
        const Params params = parameters(machine.c_str(), settings_of(machine) + more + " memory_mb=32");
        const Control control = control_of(0);
        dk_model* out = nullptr;
        const int64_t peak = peak_of([&] {
            const dk_status status = dk_train(&out, data.get(), params.get(), control.get());
            EXPECT_TRUE(status == DK_OK || status == DK_ERR_MEMORY_BUDGET ||
                        status == DK_ERR_INVALID_PARAMETER)
                << dk_status_name(status) << ": " << dk_last_error();
        });
        const Model model(out);
        EXPECT_LE(peak, (allowed + 4) * megabyte) << more;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, ManyClasses, testing::ValuesIn(machines_of("classification")));

struct LandmarkShape {
    int64_t rows, classes, megabytes;
    const char* options;

    friend void PrintTo(const LandmarkShape& shape, std::ostream* out) {
        *out << shape.rows << " rows of " << shape.classes << " classes " << shape.options << " in "
             << shape.megabytes << " MB";
    }
};

/// Where the matrix of all rows does not fit, ridge machines take as many landmarks as do.
class LandmarksByMemory : public testing::TestWithParam<LandmarkShape> {};

TEST_P(LandmarksByMemory, StayWithinIt) {
    const LandmarkShape& shape = GetParam();
    Problem problem = make_problem(shape.rows, 5, 2, 2.0, 3);
    for (int64_t row = 0; row < shape.rows; ++row)
        problem.labels[static_cast<std::size_t>(row)] = row % shape.classes;
    const Data data = dense(problem);
    const Params params = parameters("kelm", std::string("kernel=rbf(gamma=1) ") + shape.options +
                                                 " memory_mb=" + std::to_string(shape.megabytes));
    const Control control = control_of(0);
    dk_model* out = nullptr;
    const int64_t peak = peak_of([&] {
        EXPECT_EQ(dk_train(&out, data.get(), params.get(), control.get()), DK_OK) << dk_last_error();
    });
    const Model model(out);
    EXPECT_LE(peak, (shape.megabytes + 4) * megabyte);
}

INSTANTIATE_TEST_SUITE_P(Of, LandmarksByMemory,
                         testing::Values(LandmarkShape{1200, 300, 32, ""}, LandmarkShape{1500, 2, 32, ""},
                                         LandmarkShape{3000, 100, 64, ""},
                                         LandmarkShape{3000, 100, 64, "offset=yes"},
                                         LandmarkShape{3000, 30, 48, "select_C=yes"},
                                         LandmarkShape{12000, 20, 64, ""}, LandmarkShape{12000, 2, 40, ""},
                                         LandmarkShape{12000, 20, 96, "offset=yes select_C=yes"}));

/// Machines that work on sparse rows. Those of targets learn the labels.
class FarColumns : public testing::TestWithParam<std::string> {
  protected:
    /// Rows of ten columns, of which one has an entry in this column.
    static Data rows_with(int64_t column) {
        const Problem problem = make_problem(12, 10, 2, 2.0, 7);
        std::vector<int64_t> offsets{0};
        std::vector<int64_t> columns;
        std::vector<double> values;
        for (int64_t row = 0; row < 12; ++row) {
            for (int64_t j = 0; j < 10; ++j) {
                columns.push_back(j);
                values.push_back(problem.x[static_cast<std::size_t>(10 * row + j)]);
            }
            if (row == 11) {
                columns.push_back(column);
                values.push_back(1);
            }
            offsets.push_back(static_cast<int64_t>(columns.size()));
        }
        Data data = create<Data>(dk_data_from_csr, offsets.data(), columns.data(), values.data(), int64_t{12},
                                 column + 1, offsets.back());
        check(dk_data_set_labels(data.get(), problem.labels.data(), 12));
        return data;
    }
};

TEST_P(FarColumns, AreRefusedByTheMemoryOfTheCall) {
    const std::string machine = GetParam().substr(0, GetParam().find('/'));
    const std::string kernel = GetParam().substr(GetParam().find('/') + 1);
    constexpr int64_t allowed = 64;
    const std::string settings = settings_of(machine) + " memory_mb=64 kernel=" + kernel;
    const Params params = parameters(machine.c_str(), settings);
    const Control control = control_of(0);
    // The nearer ones fit, where the machine takes few vectors of that length; the farther ones never do.
    for (const int64_t column : {int64_t{100000}, int64_t{450000}, int64_t{2147483646}, int64_t{1} << 36U}) {
        const Data data = rows_with(column);
        dk_model* out = nullptr;
        dk_status status = DK_OK;
        const int64_t peak =
            peak_of([&] { status = dk_train(&out, data.get(), params.get(), control.get()); });
        const Model model(out);
        EXPECT_TRUE(status == DK_OK || status == DK_ERR_MEMORY_BUDGET || status == DK_ERR_UNSUPPORTED)
            << column << ": " << dk_status_name(status) << ": " << dk_last_error();
        if (column > 1000000) {
            EXPECT_NE(status, DK_OK);
        }
        EXPECT_LE(peak, (allowed + 2) * megabyte) << column;
        if (status != DK_OK) continue;
        std::vector<double> predicted(12);
        const Control small = control_of(allowed);
        const int64_t peak_of_predicting =
            peak_of([&] { check(dk_predict(predicted.data(), 12, out, data.get(), small.get())); });
        EXPECT_LE(peak_of_predicting, allowed * megabyte);
    }
}

std::vector<std::string> machines_and_kernels() {
    std::vector<std::string> pairs;
    for (const std::string& machine : described("machines")) {
        pairs.push_back(machine + "/rbf(gamma=auto)");
        pairs.push_back(machine + "/linear");
    }
    pairs.emplace_back("svm/laplacian(gamma=median)");
    pairs.emplace_back("svm/lowrank(rbf, rank=4, method=kmeans)");
    pairs.emplace_back("svm/lowrank(rbf, rank=4, method=random)");
    pairs.emplace_back("kelm/center(rbf)");
    return pairs;
}

INSTANTIATE_TEST_SUITE_P(Of, FarColumns, testing::ValuesIn(machines_and_kernels()), [](const auto& pair) {
    std::string name = pair.param;
    for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    return name;
});

}  // namespace
}  // namespace dk_test
