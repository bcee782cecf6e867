// SPDX-License-Identifier: Apache-2.0
// Tables of the Arrow C data interface: what their columns become, beside the same table as a file or as an
// array, and that each struct is released once on every path.
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "answers.hpp"
#include "arrow_tables.hpp"
#include "read_files.hpp"

namespace dk_test::arrow_test {
namespace {

using arrow::Column;
using arrow::doubles;
using arrow::numbers;
using arrow::table;
using arrow::texts;

class Arrow : public ReadFiles {
  protected:
    arrow::Producer producer;

    void TearDown() override { EXPECT_EQ(producer.living(), 0) << "structs that nobody has released"; }

    dk_status try_to_take(dk_data** out, const Column& whole, const char* options = nullptr,
                          const dk_model* like = nullptr, dk_control* control = nullptr) {
        ArrowSchema schema = producer.schema(whole);
        ArrowArray array = producer.array(whole);
        const dk_status status = dk_data_from_arrow(out, &schema, &array, options, like, control);
        EXPECT_EQ(schema.release, nullptr);
        EXPECT_EQ(array.release, nullptr);
        return status;
    }
    Data take(const Column& whole, const char* options = nullptr, const dk_model* like = nullptr) {
        dk_data* made = nullptr;
        check(try_to_take(&made, whole, options, like));
        return Data(made);
    }
    Data take_stream(std::vector<Column> tables, const char* options = nullptr) {
        ArrowArrayStream stream = producer.stream(std::move(tables));
        dk_data* made = nullptr;
        check(dk_data_from_arrow_stream(&made, &stream, options, nullptr, nullptr));
        return Data(made);
    }
    void expect_refused(const Column& whole, const Words& words, const char* options = nullptr,
                        dk_status status = DK_ERR_INVALID_DATA, Place where = Place::current()) {
        expect_no_handle<dk_data>([&](dk_data** out) { return try_to_take(out, whole, options); }, status,
                                  words, where);
    }
    static std::vector<int64_t> labels(const Data& data) {
        return values_of<int64_t>(dk_data_rows(data.get()), dk_data_labels, data.get());
    }
};

/// Gives rows [begin, end) of a table, as offsets and lengths say it: at the whole, or at each column.
Column rows_of(Column whole, int64_t begin, int64_t end, bool at_columns) {
    (at_columns ? whole.children.front() : whole).length = end - begin;
    whole.length = end - begin;
    if (!at_columns) {
        whole.offset = begin;
        return whole;
    }
    for (Column& column : whole.children) {
        column.offset = begin;
        column.length = end - begin;
    }
    return whole;
}

TEST_F(Arrow, NumbersOfEveryTypeAreFeatures) {
    const Data data = take(table({
        numbers<int8_t>("c", "c", {-128, 127}),
        numbers<uint8_t>("C", "C", {0, 255}),
        numbers<int16_t>("s", "s", {-32768, 32767}),
        numbers<uint16_t>("S", "S", {0, 65535}),
        numbers<int32_t>("i", "i", {-2147483647 - 1, 2147483647}),
        numbers<uint32_t>("I", "I", {0, 4294967295U}),
        numbers<int64_t>("l", "l", {-9007199254740992, 9007199254740992}),
        numbers<uint64_t>("L", "L", {0, 9007199254740992U}),
        numbers<uint16_t>("e", "e", {0xC100, 0x0001}),  // -2.5, and 2^-24, the least half
        numbers<float>("f", "f", {0.1F, -3e38F}),
        doubles("g", {0.1, -1e300}),
        Column{"b", "b", 2, 0, 0, {std::nullopt, arrow::Buffer{2}}},
    }));
    EXPECT_EQ(names(data),
              (std::vector<std::string>{"c", "C", "s", "S", "i", "I", "l", "L", "e", "f", "g", "b"}));
    EXPECT_TRUE(same_bits(values(data), {-128,
                                         0,
                                         -32768,
                                         0,
                                         -2147483648.0,
                                         0,
                                         -9007199254740992.0,
                                         0,
                                         -2.5,
                                         static_cast<double>(0.1F),
                                         0.1,
                                         0,  //
                                         127,
                                         255,
                                         32767,
                                         65535,
                                         2147483647.0,
                                         4294967295.0,
                                         9007199254740992.0,
                                         9007199254740992.0,
                                         std::ldexp(1.0, -24),
                                         static_cast<double>(-3e38F),
                                         -1e300,
                                         1}));
}

TEST_F(Arrow, HalvesBeyondNumbersAreRefused) {
    expect_refused(table({numbers<uint16_t>("h", "e", {0x3C00, 0x7C00})}), {"row 1", "not finite"});
    expect_refused(table({numbers<uint16_t>("h", "e", {0x7E00, 0x3C00})}), {"row 0", "missing"});
}

// 300 rows are more than are written at once, and each form of a part takes another way.
TEST_F(Arrow, ATableInPartsIsTheTable) {
    std::vector<double> x(300);
    std::vector<int32_t> y(300);
    arrow::Texts colours(300);
    std::vector<bool> present(300, true);
    for (std::size_t i = 0; i < 300; ++i) {
        x[i] = 0.25 * static_cast<double>(i * i % 97);
        y[i] = static_cast<int32_t>(i % 7);
        if (i % 5 != 3) colours[i] = i % 3 == 0 ? "red" : "a colour of more than twelve bytes";
        present[i] = i % 11 != 4;
    }
    const Column whole = table({doubles("x", x, present), numbers("z", "i", y), texts("colour", colours),
                                arrow::text_views("view", colours)});
    const Data data = take(whole, "missing=keep");
    EXPECT_EQ(names(data),
              (std::vector<std::string>{"x", "z", "colour=a colour of more than twelve bytes", "colour=red",
                                        "view=a colour of more than twelve bytes", "view=red"}));
    const auto all = values(data);
    for (std::size_t i = 0; i < 300; ++i) {
        const auto row = std::vector<double>(all.begin() + static_cast<int64_t>(i) * 6,
                                             all.begin() + static_cast<int64_t>(i) * 6 + 6);
        if (present[i]) {
            EXPECT_EQ(row[0], x[i]);
        } else {
            EXPECT_TRUE(std::isnan(row[0]));
        }
        EXPECT_EQ(row[1], y[i]);
        for (const std::size_t at : {2U, 4U}) {
            if (!colours[i]) {
                EXPECT_TRUE(std::isnan(row[at]) && std::isnan(row[at + 1]));
            } else {
                EXPECT_EQ(row[at + 1], i % 3 == 0 ? 1 : 0);
                EXPECT_EQ(row[at] + row[at + 1], 1);
            }
        }
    }
    for (const bool at_columns : {false, true}) {
        const Data parts =
            take_stream({rows_of(whole, 0, 1, at_columns), rows_of(whole, 1, 130, at_columns),
                         rows_of(whole, 130, 130, at_columns), rows_of(whole, 130, 300, at_columns)},
                        "missing=keep");
        EXPECT_EQ(names(parts), names(data));
        EXPECT_TRUE(same_bits(values(parts), all));
    }
}

TEST_F(Arrow, ATableIsReadAsTheFileThatSaysTheSame) {
    const Data of_file = read("id,age,colour,class\n7,31.5,red,no\n3,28,blue,yes\n9,40.25,red,yes\n");
    const Column age = doubles("age", {31.5, 28, 40.25});
    const Column ids = numbers<int64_t>("id", "l", {7, 3, 9});
    const Column classes = texts("class", {"no", "yes", "yes"});
    const std::vector<Column> colours{
        texts("colour", {"red", "blue", "red"}),
        arrow::texts_with<int64_t>("colour", "U", {"red", "blue", "red"}),
        arrow::text_views("colour", {"red", "blue", "red"}),
        arrow::dictionary("colour", {2, 0, 2}, texts("", {"blue", "unused", "red"})),
    };
    for (const Column& colour : colours) {
        const Data data = take(table({ids, age, colour, classes}));
        EXPECT_EQ(names(data), names(of_file));
        EXPECT_TRUE(same_bits(values(data), values(of_file)));
        EXPECT_EQ(labels(data), labels(of_file));
        const std::string settings = "kernel=rbf(gamma=1)";
        EXPECT_TRUE(same_bits(decisions(train(data, "svm", settings), data),
                              decisions(train(of_file, "svm", settings), of_file)));
    }
}

TEST_F(Arrow, NullsAndNanAreMissing) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Column whole = table({doubles("x", {1, nan, 3}), doubles("z", {1, 2, 3}, {true, true, false})});
    expect_refused(whole, {"row 1", "x", "missing", "missing=keep"});
    const Data kept = take(whole, "missing=keep");
    EXPECT_TRUE(std::isnan(values(kept)[2]) && std::isnan(values(kept)[5]));
    // A producer need not count them.
    Column uncounted = table({doubles("x", {1, 2, 3}, {true, false, true})});
    uncounted.children[0].null_count = -1;
    EXPECT_TRUE(std::isnan(values(take(uncounted, "missing=keep"))[1]));
    // A number may say so too, and no text does but by an option or by being empty.
    EXPECT_TRUE(
        std::isnan(values(take(table({numbers<int32_t>("x", "i", {1, -999})}), "missing=keep,-999"))[1]));
    EXPECT_EQ(names(take(table({texts("country", {"NA", "None", "NA"})}))),
              (std::vector<std::string>{"country=NA", "country=None"}));
    EXPECT_TRUE(std::isnan(values(take(table({texts("t", {"", "a"})}), "missing=keep"))[0]));
    // A column without any value is one of missing numbers.
    const Column nothing{"n", "empty", 3, 3};
    EXPECT_TRUE(std::isnan(values(take(table({doubles("x", {1, 2, 3}), nothing}), "missing=keep"))[1]));
    const double infinity = std::numeric_limits<double>::infinity();
    expect_refused(table({doubles("x", {1, infinity})}), {"row 1", "not finite"}, "missing=keep");
}

TEST_F(Arrow, LabelsGroupsAndNamesAreWhatTheOptionsSay) {
    const Column whole = table({doubles("x", {1, 2, 3}), numbers<int64_t>("kind", "l", {5, -2, 5}),
                                texts("who", {"a", "b", "a"}), texts("name", {"r1", "r2", "r3"})});
    const Data data = take(whole, "label=kind groups=who id=name");
    EXPECT_EQ(names(data), std::vector<std::string>{"x"});
    EXPECT_EQ(labels(data), (std::vector<int64_t>{5, -2, 5}));
    EXPECT_EQ(text_of(dk_data_row_name, data.get(), int64_t{1}), "r2");
    // Integers beyond 2^53 keep all their digits.
    const Data large = take(table({doubles("x", {1, 2}), numbers<int64_t>("y", "l", {9007199254740993, 1})}));
    EXPECT_EQ(labels(large), (std::vector<int64_t>{9007199254740993, 1}));
    const Data several = take(whole, "label=x,kind");
    const auto told = nlohmann::json::parse(text_of(dk_data_describe, several.get(), nullptr));
    EXPECT_EQ(told.at("answers").at("targets")[1].at("least"), -2);
    // Rows without a label are left out where one says so.
    const Column some =
        table({doubles("x", {1, 2, 3}), numbers<int8_t>("y", "c", {1, 0, 2}, {true, false, true})});
    expect_refused(some, {"row 1", "label", "unlabelled=skip"});
    const Data labelled = take(some, "unlabelled=skip");
    EXPECT_TRUE(same_bits(values(labelled), {1, 3}));
    EXPECT_EQ(labels(labelled), (std::vector<int64_t>{1, 2}));
    expect_refused(whole, {"kond", "nearest"}, "label=kond", DK_ERR_INVALID_PARAMETER);
    expect_refused(whole, {"delimiter", "files"}, "delimiter=;", DK_ERR_INVALID_PARAMETER);
    expect_refused(table({doubles("x", {1, 2}), doubles("x", {1, 2})}), {"x", "twice"});
}

TEST_F(Arrow, ListsAreVectorsOrSeries) {
    const Data vectors =
        take(table({arrow::fixed_lists("v", 2, doubles("", {1, 2, 3, 4})), doubles("x", {5, 6})}));
    EXPECT_EQ(names(vectors), (std::vector<std::string>{"v[0]", "v[1]", "x"}));
    EXPECT_TRUE(same_bits(values(vectors), {1, 2, 5, 3, 4, 6}));

    // Two columns are two channels; a list of pairs is two channels of one column.
    const std::vector<double> steps{1, 10, 2, 20, 3, 30};
    const std::vector<int64_t> lengths{1, 2};
    const Data expected =
        create<Data>(dk_data_from_series, steps.data(), lengths.data(), int64_t{2}, int64_t{2});
    const Data columns = take(table({arrow::lists("a", {0, 1, 3}, doubles("", {1, 2, 3})),
                                     arrow::lists("b", {0, 1, 3}, numbers<float>("", "f", {10, 20, 30})),
                                     texts("class", {"no", "yes"})}));
    const Data pairs =
        take(table({arrow::lists("p", {0, 1, 3}, arrow::fixed_lists("", 2, doubles("", steps)))}));
    EXPECT_EQ(dk_data_kind(columns.get()), DK_KIND_SERIES);
    EXPECT_EQ(names(columns), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(names(pairs), (std::vector<std::string>{"p[0]", "p[1]"}));
    EXPECT_EQ(labels(columns), (std::vector<int64_t>{0, 1}));
    const auto distances = [](const Data& data) {
        return values_of<double>(4, dk_gram, data.get(), nullptr, "gak(sigma=10)", nullptr);
    };
    EXPECT_TRUE(same_bits(distances(columns), distances(expected)));
    EXPECT_TRUE(same_bits(distances(pairs), distances(expected)));

    const Column series = arrow::lists("a", {0, 1, 3}, doubles("", {1, 2, 3}));
    expect_refused(table({series, doubles("x", {1, 2})}), {"x", "series", "ignore"});
    expect_refused(table({series, arrow::lists("b", {0, 2, 3}, doubles("", {1, 2, 3}))}),
                   {"row 0", "1", "2", "b"});
    expect_refused(table({arrow::lists("a", {0, 0, 3}, doubles("", {1, 2, 3}))}), {"row 0", "no steps"});
    expect_refused(table({arrow::lists("a", {0, 1, 3}, doubles("", {1, 2, 3}, {true, false, true}))}),
                   {"finite"});
}

TEST_F(Arrow, AModelHasItsColumnsFromWhereverTheyStand) {
    const Column trained = table({doubles("x", {1, 2, 3, 4}), texts("colour", {"red", "blue", "red", "blue"}),
                                  texts("class", {"a", "b", "a", "b"})});
    const Data training = take(trained);
    const Model model = train(training, "svm", "kernel=rbf(gamma=1)");
    // The label lacks, a column is new, the others have changed places, and green is no colour of the
    // training.
    const Data rows =
        take(table({texts("colour", {"blue", "green"}), Column{"tdD", "day", 2, 0, 0, {{}, arrow::Buffer(8)}},
                    numbers<int32_t>("x", "i", {2, 3})}),
             "ignore=day", model.get());
    EXPECT_TRUE(same_bits(values(rows), {2, 1, 0, 3, 0, 0}));
    const Data of_file = read_like(model, "colour,x\nblue,2\ngreen,3\n");
    EXPECT_TRUE(same_bits(decisions(model, rows), decisions(model, of_file)));
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return try_to_take(out, table({doubles("x", {1})}), nullptr, model.get()); },
        DK_ERR_DIMENSION, {"colour=blue"});
    // A model that fills missing values has nulls kept.
    const Model filling = train(training, "svm", "kernel=rbf(gamma=1) impute=mean");
    const Data with_null =
        take(table({doubles("x", {1}, {false}), texts("colour", {"red"})}), nullptr, filling.get());
    EXPECT_TRUE(all_finite(decisions(filling, with_null)));
}

TEST_F(Arrow, OtherTypesAreRefusedByName) {
    const std::vector<std::pair<const char*, const char*>> formats{
        {"tdD", "dates"},     {"tsu:UTC", "times"},    {"tts", "times"},  {"tDs", "durations"},
        {"tiM", "intervals"}, {"d:19,10", "decimals"}, {"z", "bytes"},    {"Z", "bytes"},
        {"vz", "bytes"},      {"w:16", "bytes"},       {"+s", "structs"}, {"+m", "maps"},
        {"+r", "runs"},       {"+ud:0", "+ud:0"},      {"+vl", "+vl"},    {"?", "?"},
        {"", "format"}};
    for (const auto& [format, word] : formats) {
        SCOPED_TRACE(format);
        const Column column{format, "odd", 1, 0, 0, {std::nullopt, arrow::Buffer(16)}};
        expect_refused(table({doubles("x", {1}), column}), {"odd", word}, nullptr, DK_ERR_UNSUPPORTED);
        EXPECT_EQ(names(take(table({doubles("x", {1}), column}), "ignore=odd")),
                  std::vector<std::string>{"x"});
    }
    expect_refused(table({arrow::lists("l", {0, 1}, texts("", {"a"}))}), {"l", "lists of numbers"}, nullptr,
                   DK_ERR_UNSUPPORTED);
    expect_refused(table({arrow::lists("l", {0, 1}, arrow::lists("", {0, 1}, doubles("", {1})))}), {"l"},
                   nullptr, DK_ERR_UNSUPPORTED);
}

// What libdk does not read is refused where it is needed, and nowhere else: ignore= names columns or their
// places, the label by its name comes before it, and no column's name is taken for a word of the option.
TEST_F(Arrow, ColumnsAreIgnoredAsThoseOfAFileAre) {
    const Column x = doubles("x", {1, 2});
    const Column day{"tdD", "day", 2, 0, 0, {std::nullopt, arrow::Buffer(8)}};
    EXPECT_EQ(names(take(table({x, day}), "ignore=1")), std::vector<std::string>{"x"});
    expect_refused(table({x, day}), {"day", "dates"}, "label=day", DK_ERR_UNSUPPORTED);
    expect_refused(table({x, day}), {"day", "dates"}, nullptr, DK_ERR_UNSUPPORTED);
    for (const char* options : {"ignore=class", "label=class ignore=class", "label=guess ignore=class"}) {
        const Data data = take(table({x, texts("class", {"a", "b"})}), options);
        EXPECT_EQ(names(data), std::vector<std::string>{"x"}) << options;
        EXPECT_EQ(labels(data), (std::vector<int64_t>{0, 1})) << options;
    }
    EXPECT_EQ(names(take(table({x, texts("n", {"r", "s"})}), "id=n ignore=n")),
              std::vector<std::string>{"x"});
    EXPECT_EQ(names(take(table({x, x, doubles("z", {3, 4})}), "ignore=x")),
              (std::vector<std::string>{"x", "z"}));
    EXPECT_EQ(names(take(table({x, doubles("auto", {3, 4})}))), (std::vector<std::string>{"x", "auto"}));
    EXPECT_EQ(names(take(table({x, doubles("none", {3, 4})}), "ignore=none")),
              (std::vector<std::string>{"x", "none"}));
    // Columns without a name are features, like those of a file.
    EXPECT_EQ(names(take(table({x, doubles("", {3, 4})}))), (std::vector<std::string>{"x", "f2"}));
    EXPECT_EQ(dk_data_cols(take(table({doubles("", {1, 2}), doubles("", {3, 4})})).get()), 2);
    // What counts the rows is left out, whatever numbers it has.
    EXPECT_EQ(names(take(table({doubles("id", {0, 1, 2}), doubles("x", {5, 5, 6})}))),
              std::vector<std::string>{"x"});
}

TEST_F(Arrow, LabelsOfEveryKindOfColumn) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Column some = table({doubles("x", {1, 2, 3}), doubles("y", {1, nan, 2})});
    expect_refused(some, {"row 1", "label", "missing"});
    EXPECT_EQ(labels(take(some, "unlabelled=skip")), (std::vector<int64_t>{1, 2}));
    // An element of a list of a fixed size is a column as others are.
    const Column lists = table({arrow::fixed_lists("v", 2, doubles("", {1, 7, 2, 8})), doubles("x", {5, 6})});
    const Data data = take(lists, "label=v[1]");
    EXPECT_EQ(names(data), (std::vector<std::string>{"v[0]", "x"}));
    EXPECT_EQ(labels(data), (std::vector<int64_t>{7, 8}));
    EXPECT_EQ(dk_data_cols(take(lists, "label=v[0],v[1]").get()), 1);
    const Column series = arrow::lists("s", {0, 1, 2}, doubles("", {1, 2}));
    const Column other = arrow::lists("", {0, 1, 2}, doubles("", {1, 2}));
    for (const char* options : {"label=s", "groups=s", "id=s"})
        expect_refused(table({series, other}), {"s", "series"}, options);
    expect_refused(table({series, other}), {"s", "series"}, "label=0,1");
    expect_refused(table({series, doubles("a", {1, 2}), doubles("b", {1, 2})}), {"series", "one column"},
                   "label=a,b", DK_ERR_INVALID_PARAMETER);
    EXPECT_EQ(dk_data_cols(take(table({series, other})).get()), 2);
    for (const char* options : {"label=none,x", "label=auto,x", "label=x,none"})
        expect_refused(some, {"label"}, options, DK_ERR_INVALID_PARAMETER);
}

/// What is wrong with a table, and what the message says.
struct Wrong {
    const char* what;
    std::function<void(Column&)> spoil;
    Words words;
};

TEST_F(Arrow, WrongStructsAreRefused) {
    const Column right = table(
        {doubles("x", {1, 2}), texts("t", {"a", "b"}), arrow::dictionary("d", {0, 1}, texts("", {"p", "q"})),
         arrow::fixed_lists("v", 1, doubles("", {1, 2})), arrow::text_views("w", {"a", "b"})});
    EXPECT_EQ(dk_data_cols(take(right).get()), 8);
    const auto column = [](Column& whole, std::size_t k) -> Column& { return whole.children[k]; };
    const std::vector<Wrong> wrongs{
        {"no table", [](Column& w) { w.format = "g"; }, {"table", "g"}},
        {"no columns", [](Column& w) { w.children.clear(); }, {"0 columns"}},
        {"no rows", [](Column& w) { w.length = 0; }, {"no rows"}},
        {"negative length", [](Column& w) { w.length = -1; }, {"-1"}},
        {"more rows than a column", [](Column& w) { w.length = 3; }, {"x", "2", "3"}},
        {"negative offset", [&](Column& w) { column(w, 0).offset = -1; }, {"x", "-1"}},
        {"huge offset", [&](Column& w) { column(w, 0).offset = std::numeric_limits<int64_t>::max(); }, {"x"}},
        {"no buffers", [&](Column& w) { column(w, 0).buffers.clear(); }, {"x", "0 buffers"}},
        {"a null buffer", [&](Column& w) { column(w, 0).buffers[1] = std::nullopt; }, {"x", "NULL"}},
        {"nulls without bits", [&](Column& w) { column(w, 0).null_count = 1; }, {"x", "1 missing"}},
        {"falling offsets",
         [&](Column& w) {
             column(w, 1).buffers[1] = arrow::bytes_of_values<int32_t>({0, 2, 1});
         },
         {"t", "offsets"}},
        {"negative offsets",
         [&](Column& w) {
             column(w, 1).buffers[1] = arrow::bytes_of_values<int32_t>({-1, 1, 2});
         },
         {"t", "-1"}},
        {"no dictionary",
         [&](Column& w) {
             column(w, 2).dictionary.clear();
             column(w, 2).format = "u";
         },
         {"d"}},
        {"a position that is none",
         [&](Column& w) {
             column(w, 2).buffers[1] = arrow::Buffer{0, 2};
         },
         {"2"}},
        {"positions that are no integers",
         [&](Column& w) {
             column(w, 2).format = "g";
             column(w, 2).buffers[1] = arrow::Buffer(16);
         },
         {"d", "integers"}},
        {"too few elements", [&](Column& w) { column(column(w, 3), 0).length = 1; }, {"v", "1", "2"}},
        {"a list without elements", [&](Column& w) { column(w, 3).children.clear(); }, {"v", "0"}},
        {"a list of a size that is none", [&](Column& w) { column(w, 3).format = "+w:x"; }, {"v", "x"}},
        {"a view of a buffer that is none",
         [&](Column& w) {
             (*column(w, 4).buffers[1])[0] = 13;
             (*column(w, 4).buffers[1])[8] = 9;
         },
         {"w", "offsets"}},
        {"a view beyond its buffer",
         [&](Column& w) { (*column(w, 4).buffers[1])[0] = 13; },
         {"w", "offsets"}},
    };
    for (const Wrong& wrong : wrongs) {
        SCOPED_TRACE(wrong.what);
        Column whole = right;
        wrong.spoil(whole);
        expect_refused(whole, wrong.words);
    }
    // A schema of other columns than its array, and one whose array misses a row as a whole.
    ArrowSchema schema = producer.schema(right);
    ArrowArray array = producer.array(table({doubles("x", {1})}));
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_arrow(out, &schema, &array, nullptr, nullptr, nullptr); },
        DK_ERR_INVALID_DATA, {"1", "5"});
    Column holed = right;
    holed.null_count = 1;
    holed.buffers = {arrow::Buffer{1}};
    expect_refused(holed, {"row 1", "as a whole"});
}

TEST_F(Arrow, SchemasThatLeadBackToThemselvesEnd) {
    const Column list = table({arrow::lists("l", {0, 1}, doubles("", {1}))});
    const Column words = table({arrow::dictionary("d", {0}, texts("", {"p"}))});
    for (const Column& whole : {list, words}) {
        ArrowSchema schema = producer.schema(whole);
        ArrowArray array = producer.array(whole);
        ArrowSchema& column = *schema.children[0];
        ArrowSchema** children = column.children;
        ArrowSchema* dictionary = column.dictionary;
        ArrowSchema* first = children != nullptr ? children[0] : nullptr;
        if (first != nullptr) children[0] = &column;
        if (dictionary != nullptr) column.dictionary = &column;
        // The producer frees its own again, which is why its pointers are put back before.
        auto* const release = schema.release;
        struct Mended {
            ArrowSchema* schema;
            ArrowSchema* first;
            ArrowSchema* dictionary;
            void (*release)(ArrowSchema*);
            void* data;
        };
        static Mended mended;
        mended = {&column, first, dictionary, release, schema.private_data};
        schema.private_data = &mended;
        schema.release = [](ArrowSchema* released) {
            if (mended.first != nullptr) mended.schema->children[0] = mended.first;
            if (mended.dictionary != nullptr) mended.schema->dictionary = mended.dictionary;
            released->private_data = mended.data;
            mended.release(released);
        };
        expect_no_handle_in<dk_data>(
            [&](dk_data** out) {
                return dk_data_from_arrow(out, &schema, &array, nullptr, nullptr, nullptr);
            },
            {DK_ERR_INVALID_DATA, DK_ERR_UNSUPPORTED}, {});
    }
}

TEST_F(Arrow, EveryStructIsReleasedOnceWhateverIsWrong) {
    const Column whole = table({doubles("x", {1, 2}), texts("y", {"a", "b"})});
    EXPECT_EQ(try_to_take(nullptr, whole), DK_ERR_INVALID_ARGUMENT);
    expect_refused(whole, {"laebl"}, "laebl=y", DK_ERR_INVALID_PARAMETER);
    ArrowSchema schema = producer.schema(whole);
    ArrowArray array = producer.array(whole);
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_arrow(out, nullptr, &array, nullptr, nullptr, nullptr); },
        DK_ERR_INVALID_ARGUMENT, {"schema"});
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_arrow(out, &schema, nullptr, nullptr, nullptr, nullptr); },
        DK_ERR_INVALID_ARGUMENT, {"array"});
    // What has been released is not read.
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_arrow(out, &schema, &array, nullptr, nullptr, nullptr); },
        DK_ERR_INVALID_ARGUMENT, {"released"});
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_arrow_stream(out, nullptr, nullptr, nullptr, nullptr); },
        DK_ERR_INVALID_ARGUMENT, {"stream"});
    ArrowArrayStream failing = producer.stream({whole}, 5);
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_arrow_stream(out, &failing, nullptr, nullptr, nullptr); },
        DK_ERR_INVALID_DATA, {"lost its connection", "5"});
    EXPECT_EQ(failing.release, nullptr);
    const Control cancelled = create<Control>(dk_control_create);
    check(dk_control_cancel(cancelled.get()));
    dk_data* out = nullptr;
    EXPECT_EQ(try_to_take(&out, whole, nullptr, nullptr, cancelled.get()), DK_ERR_CANCELLED);
    ArrowArrayStream stream = producer.stream({whole});
    EXPECT_EQ(dk_data_from_arrow_stream(&out, &stream, nullptr, nullptr, cancelled.get()), DK_ERR_CANCELLED);
    EXPECT_EQ(out, nullptr);
}

TEST_F(Arrow, MemoryIsAskedFor) {
    const Control control = create<Control>(dk_control_create);
    check(dk_control_set_memory(control.get(), 4));
    const auto expect_too_large = [&](const Column& whole, const Words& words) {
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return try_to_take(out, whole, nullptr, nullptr, control.get()); },
            DK_ERR_MEMORY_BUDGET, words);
    };
    const std::vector<double> many(300000, 1.0);
    expect_too_large(table({doubles("x", many), doubles("z", many)}), {"300000"});
    expect_too_large(table({arrow::fixed_lists("v", 300000, doubles("", many))}), {"columns"});
    expect_too_large(table({arrow::lists("s", {0, 300000}, doubles("", many)),
                            arrow::lists("t", {0, 300000}, doubles("", many))}),
                     {"series"});
    // Each row of the training is a prototype here.
    std::vector<int8_t> classes(2000);
    for (std::size_t i = 0; i < classes.size(); ++i) classes[i] = static_cast<int8_t>(i % 2);
    const std::vector<double> some(many.begin(), many.begin() + 2000);
    const Data data = take(table({doubles("x", some), numbers("y", "c", classes)}));
    const Model model = train(data, "nearest_neighbours", "neighbours=1");
    ArrowSchema schema{};
    ArrowArray array{};
    expect_failure(
        [&] {
            return dk_predict_arrow(&schema, &array, model.get(), data.get(), "explanation", control.get());
        },
        DK_ERR_MEMORY_BUDGET, {"prototypes"});
}

TEST_F(Arrow, AnswersAreATableThatCanBeRead) {
    const Column whole =
        table({doubles("x", {1, 2, 3, 4, 5, 6}), texts("name", {"r1", "r2", "r3", "r4", "r5", "r6"}),
               texts("class", {"a", "b", "c", "a", "b", "c"})});
    const Data data = take(whole, "id=name");
    const Model model = train(data, "svm", "kernel=rbf(gamma=1) probability=yes");
    ArrowSchema schema{};
    ArrowArray array{};
    check(dk_predict_arrow(&schema, &array, model.get(), data.get(),
                           "prediction,decision,probability,explanation", nullptr));
    EXPECT_STREQ(schema.format, "+s");
    EXPECT_STREQ(schema.children[0]->name, "id");
    EXPECT_STREQ(schema.children[1]->name, "prediction");
    EXPECT_STREQ(schema.children[1]->format, "i");
    const auto* positions = static_cast<const int32_t*>(array.children[1]->buffers[1]);
    const auto predicted = predictions(model, data);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(positions[i], predicted[i]);
    const int64_t width =
        2 + dk_model_decision_count(model.get()) + 3 + dk_model_prototype_count(model.get());
    ASSERT_EQ(array.n_children, width);
    EXPECT_STREQ(schema.children[width - 1 - dk_model_prototype_count(model.get())]->name, "probability[c]");
    const auto column_of = [&](int64_t k, int64_t i) {
        return static_cast<const double*>(array.children[k]->buffers[1])[i];
    };
    const auto decided = decisions(model, data);
    const auto probable = probabilities(model, data);
    const auto explained = explanations(model, data);
    for (int64_t i = 0; i < 6; ++i) {
        std::vector<double> row;
        for (int64_t k = 2; k < width; ++k) row.push_back(column_of(k, i));
        std::vector<double> expected;
        for (const auto* part : {&decided, &probable, &explained}) {
            const int64_t count = static_cast<int64_t>(part->size()) / 6;
            expected.insert(expected.end(), part->begin() + i * count, part->begin() + (i + 1) * count);
        }
        EXPECT_TRUE(same_bits(row, expected));
    }
    // The answer is a table like others: its dictionary of classes becomes labels.
    dk_data* made = nullptr;
    check(dk_data_from_arrow(&made, &schema, &array, "label=prediction id=id", nullptr, nullptr));
    const Data again(made);
    EXPECT_EQ(schema.release, nullptr);
    EXPECT_EQ(text_of(dk_data_row_name, again.get(), int64_t{4}), "r5");
    const auto read_labels = labels(again);
    EXPECT_EQ(std::vector<double>(read_labels.begin(), read_labels.end()), predicted);
}

TEST_F(Arrow, AnswersHaveTheTypesOfTheirTasks) {
    const auto format_of = [](const Model& model, const Data& data, const char* what, const char* name) {
        ArrowSchema schema{};
        ArrowArray array{};
        check(dk_predict_arrow(&schema, &array, model.get(), data.get(), what, nullptr));
        const std::string format = schema.children[0]->format;
        EXPECT_STREQ(schema.children[0]->name, name);
        EXPECT_EQ(array.children[0]->null_count, 0);
        schema.release(&schema);
        array.release(&array);
        EXPECT_EQ(schema.release, nullptr);
        return format;
    };
    const Data classes = take(table({doubles("x", {1, 2, 3, 4}), numbers<int8_t>("y", "c", {1, 2, 1, 2})}));
    EXPECT_EQ(format_of(train(classes, "svm"), classes, nullptr, "prediction"), "l");
    EXPECT_EQ(format_of(train(classes, "svm"), classes, "decision", "decision[0]"), "g");
    EXPECT_EQ(format_of(train(classes, "kernel_ridge"), classes, "prediction", "prediction"), "g");
    const std::vector<double> two{1, 10, 2, 20, 3, 30, 4, 40};
    check(dk_data_set_targets(classes.get(), two.data(), 8));
    EXPECT_EQ(format_of(train(classes, "kernel_ridge"), classes, "prediction", "prediction[0]"), "g");

    const Model model = train(classes, "svm");
    ArrowSchema schema{};
    ArrowArray array{};
    schema.release = [](ArrowSchema*) {};
    expect_failure(
        [&] { return dk_predict_arrow(&schema, &array, model.get(), classes.get(), "all", nullptr); },
        DK_ERR_INVALID_ARGUMENT, {"all", "probability"});
    EXPECT_EQ(schema.release, nullptr);
    expect_failure(
        [&] { return dk_predict_arrow(&schema, &array, model.get(), classes.get(), "probability", nullptr); },
        DK_ERR_UNSUPPORTED, {"probability"});
    expect_failure(
        [&] { return dk_predict_arrow(nullptr, &array, model.get(), classes.get(), nullptr, nullptr); },
        DK_ERR_INVALID_ARGUMENT, {"out_schema"});
    expect_failure(
        [&] { return dk_predict_arrow(&schema, nullptr, model.get(), classes.get(), nullptr, nullptr); },
        DK_ERR_INVALID_ARGUMENT, {"out_array"});
}

}  // namespace
}  // namespace dk_test::arrow_test
