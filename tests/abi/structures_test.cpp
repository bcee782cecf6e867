// SPDX-License-Identifier: Apache-2.0
// These tests check series, strings, graphs and callback similarities as data: what they hold, what their
// constructors refuse, and which kernels they are for.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"
#include "structures.hpp"

namespace dk_test::structures_test {
namespace {

constexpr int64_t huge = std::numeric_limits<int64_t>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr dk_status invalid = DK_ERR_INVALID_ARGUMENT;
constexpr dk_status bad_data = DK_ERR_INVALID_DATA;

const std::vector<dk_status> bad_size{invalid, bad_data};
const std::vector<dk_status> too_large{invalid, bad_data, DK_ERR_OUT_OF_MEMORY};

Similarities ones(int64_t rows, int64_t training_rows) {
    return Similarities{std::vector<double>(static_cast<std::size_t>(rows * training_rows), 1.0), rows,
                        training_rows};
}

TEST(Structures, RowsColumnsAndKinds) {
    const Data three_channels = series(5, 3, 1);
    EXPECT_EQ(dk_data_kind(three_channels.get()), DK_KIND_SERIES);
    EXPECT_EQ(dk_data_rows(three_channels.get()), 5);
    EXPECT_EQ(dk_data_cols(three_channels.get()), 3) << "the channels";
    const Data texts = strings(4, 1);
    EXPECT_EQ(dk_data_kind(texts.get()), DK_KIND_STRINGS);
    EXPECT_EQ(dk_data_rows(texts.get()), 4);
    EXPECT_EQ(dk_data_cols(texts.get()), 1);
    const Data circles = graphs(6, 1);
    EXPECT_EQ(dk_data_kind(circles.get()), DK_KIND_GRAPHS);
    EXPECT_EQ(dk_data_rows(circles.get()), 6);
    EXPECT_EQ(dk_data_cols(circles.get()), 1);
    Similarities similarities = ones(3, 7);
    const Data known = similarities.data();
    EXPECT_EQ(dk_data_kind(known.get()), DK_KIND_GRAM);
    EXPECT_EQ(dk_data_rows(known.get()), 3);
    EXPECT_EQ(dk_data_cols(known.get()), 7);
    EXPECT_EQ(similarities.calls, 0) << "nothing was asked for yet";
}

TEST(Structures, InputsAreCopied) {
    SeriesProblem problem = make_series(4, 2, 3);
    const Data data = unlabelled(problem);
    const std::vector<double> before = values_of<double>(16, dk_gram, data.get(), nullptr, "gak", nullptr);
    problem.values.assign(problem.values.size(), not_a_number);
    problem.lengths.assign(4, 0);
    EXPECT_TRUE(same_bits(values_of<double>(16, dk_gram, data.get(), nullptr, "gak", nullptr), before));
}

TEST(StructuresSeries, NullPointersAndSizes) {
    const std::vector<double> values(6, 1.0);
    const std::vector<int64_t> lengths{1, 2};
    const auto make = [&](const double* v, const int64_t* l, int64_t rows, int64_t channels) {
        return [=](dk_data** out) { return dk_data_from_series(out, v, l, rows, channels); };
    };
    const double* v = values.data();
    const int64_t* l = lengths.data();
    EXPECT_NE(create<Data>(make(v, l, 2, 2)), nullptr);
    expect_failure([&] { return dk_data_from_series(nullptr, v, l, 2, 2); }, invalid, {"out"});
    expect_no_handle<dk_data>(make(nullptr, l, 2, 2), invalid, {"values"});
    expect_no_handle<dk_data>(make(v, nullptr, 2, 2), invalid, {"lengths"});
    for (const int64_t size : {int64_t{0}, int64_t{-1}, -huge, huge}) {
        expect_no_handle<dk_data>(make(v, l, size, 2), invalid, {"rows", std::to_string(size)});
        expect_no_handle<dk_data>(make(v, l, 2, size), invalid, {"channels", std::to_string(size)});
    }
    for (const int64_t size : {int64_t{1} << 40, int64_t{1} << 62}) {
        expect_no_handle_in<dk_data>(make(v, l, 2, size), too_large);
    }
}

TEST(StructuresSeries, LengthsOfNothingAreNamed) {
    const std::vector<double> values(6, 1.0);
    for (const int64_t length : {int64_t{0}, int64_t{-1}, -huge}) {
        const std::vector<int64_t> lengths{1, 2, length};
        expect_no_handle_in<dk_data>(
            [&](dk_data** out) { return dk_data_from_series(out, values.data(), lengths.data(), 3, 2); },
            bad_size, {"series", "2", std::to_string(length)});
    }
    // Their sum is more than fits into 64 bits.
    const std::vector<int64_t> lengths{huge, huge, 3};
    expect_no_handle_in<dk_data>(
        [&](dk_data** out) { return dk_data_from_series(out, values.data(), lengths.data(), 3, 2); },
        too_large);
}

TEST(StructuresSeries, ValuesThatAreNotFiniteAreNamed) {
    for (const double bad : {not_a_number, infinity, -infinity}) {
        SeriesProblem problem{3, std::vector<double>(3 * 13, 1.0), {4, 1, 8}, {}};
        problem.values[3 * (4 + 1 + 6) + 2] = bad;
        expect_no_handle<dk_data>(
            [&](dk_data** out) {
                return dk_data_from_series(out, problem.values.data(), problem.lengths.data(), 3, 3);
            },
            bad_data, {"series", "2", "step", "6", "channel"});
        problem.values.assign(3 * 13, 1.0);
        problem.values[3 * 4 + 1] = bad;
        expect_no_handle<dk_data>(
            [&](dk_data** out) {
                return dk_data_from_series(out, problem.values.data(), problem.lengths.data(), 3, 3);
            },
            bad_data, {"series", "step", "0", "channel", "1"});
    }
}

TEST(StructuresStrings, NullPointersAndSizes) {
    const std::vector<const char*> texts{"a", "", "c"};
    expect_failure([&] { return dk_data_from_strings(nullptr, texts.data(), 3); }, invalid, {"out"});
    expect_no_handle<dk_data>([](dk_data** out) { return dk_data_from_strings(out, nullptr, 3); }, invalid,
                              {"strings"});
    for (const int64_t rows : {int64_t{0}, int64_t{-1}, -huge, huge}) {
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_strings(out, texts.data(), rows); }, invalid,
            {"rows", std::to_string(rows)});
    }
    const std::vector<const char*> holed{"a", "b", nullptr};
    expect_no_handle<dk_data>([&](dk_data** out) { return dk_data_from_strings(out, holed.data(), 3); },
                              invalid, {"2"});
    EXPECT_EQ(dk_data_rows(from_texts({"a", "", "c"}).get()), 3) << "strings may be empty";
}

/// These texts have lone and missing continuation bytes, forms longer than needed, surrogates, characters
/// beyond U+10FFFF, and one that is cut at the end.
const std::vector<std::string> no_utf8{"\xff",     "\x80",         "\xc3",         "a\xc3z",
                                       "\xc0\x80", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                       "\xf8",     "ab\xe2\x82",   "\xf0\x9f\x98"};

TEST(StructuresStrings, OnlyUtf8) {
    for (const std::string& bad : no_utf8) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, testing::PrintToString(bad));
        const std::vector<const char*> texts{"fine", bad.c_str(), "fine"};
        expect_no_handle<dk_data>([&](dk_data** out) { return dk_data_from_strings(out, texts.data(), 3); },
                                  bad_data, {"UTF-8"});
    }
    EXPECT_EQ(dk_data_rows(from_texts({"é", "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"}).get()),
              4);
}

TEST(StructuresStrings, TheStringThatIsNoUtf8IsNamedByItsRow) {
    const std::vector<const char*> texts{"fine", "fine", "fine", "fine", "fine", "a\xff", "fine"};
    expect_no_handle<dk_data>([&](dk_data** out) { return dk_data_from_strings(out, texts.data(), 7); },
                              bad_data, {"5"});
}

struct Graphs {
    std::vector<int64_t> node_counts{3, 2}, node_labels{1, 2, 3, 4, 5}, edge_counts{2, 1},
        edges{0, 1, 1, 2, 0, 1};

    dk_status operator()(dk_data** out) const {
        return dk_data_from_graphs(out, node_counts.data(), node_labels.data(), edge_counts.data(),
                                   edges.data(), static_cast<int64_t>(node_counts.size()));
    }
};

TEST(StructuresGraphs, NullPointersAndSizes) {
    const Graphs good;
    EXPECT_NE(create<Data>(good), nullptr);
    const int64_t* nodes = good.node_counts.data();
    const int64_t* labels = good.node_labels.data();
    const int64_t* counts = good.edge_counts.data();
    const int64_t* edges = good.edges.data();
    const auto make = [](const int64_t* n, const int64_t* l, const int64_t* c, const int64_t* e,
                         int64_t rows) {
        return [=](dk_data** out) { return dk_data_from_graphs(out, n, l, c, e, rows); };
    };
    expect_failure([&] { return dk_data_from_graphs(nullptr, nodes, labels, counts, edges, 2); }, invalid,
                   {"out"});
    expect_no_handle<dk_data>(make(nullptr, labels, counts, edges, 2), invalid, {"node_counts"});
    expect_no_handle<dk_data>(make(nodes, labels, nullptr, edges, 2), invalid, {"edge_counts"});
    expect_no_handle<dk_data>(make(nodes, labels, counts, nullptr, 2), invalid, {"edges"});
    for (const int64_t rows : {int64_t{0}, int64_t{-1}, -huge, huge}) {
        expect_no_handle<dk_data>(make(nodes, labels, counts, edges, rows), invalid,
                                  {"rows", std::to_string(rows)});
    }
    const std::vector<int64_t> none{0, 0};
    EXPECT_NE(create<Data>(make(nodes, labels, none.data(), nullptr, int64_t{2})), nullptr);
}

TEST(StructuresGraphs, WithoutLabelsAllNodesAreZero) {
    Graphs plain;
    const Data unnamed =
        create<Data>(dk_data_from_graphs, plain.node_counts.data(), static_cast<const int64_t*>(nullptr),
                     plain.edge_counts.data(), plain.edges.data(), int64_t{2});
    plain.node_labels.assign(5, 0);
    const Data zeros = create<Data>(plain);
    const auto matrix = [](const Data& data) {
        return values_of<double>(4, dk_gram, data.get(), nullptr, "weisfeiler_lehman", nullptr);
    };
    EXPECT_TRUE(same_bits(matrix(unnamed), matrix(zeros)));
    EXPECT_FALSE(same_bits(matrix(unnamed), matrix(create<Data>(Graphs{}))));
}

TEST(StructuresGraphs, CountsThatNoGraphHasAreNamed) {
    for (const int64_t count : {int64_t{0}, int64_t{-1}, -huge}) {
        Graphs bad;
        bad.node_counts[1] = count;
        expect_no_handle_in<dk_data>(bad, bad_size, {"graph", "1", "node_counts", std::to_string(count)});
    }
    for (const int64_t count : {int64_t{-1}, -huge}) {
        Graphs bad;
        bad.edge_counts[1] = count;
        expect_no_handle_in<dk_data>(bad, bad_size, {"graph", "1", "edge_counts", std::to_string(count)});
    }
    Graphs large;
    large.node_counts = {huge, huge};
    expect_no_handle_in<dk_data>(large, too_large);
    large = {};
    large.edge_counts = {huge, huge};
    expect_no_handle_in<dk_data>(large, too_large);
}

TEST(StructuresGraphs, EdgesOfNodesThatAreNotThere) {
    for (const int64_t node : {int64_t{2}, int64_t{3}, int64_t{-1}, huge, -huge}) {
        for (const std::size_t end : {4U, 5U}) {
            Graphs bad;
            bad.edges[end] = node;  // the only edge of graph 1, whose nodes are 0 and 1
            expect_no_handle<dk_data>(bad, bad_data, {"edge", "0", "graph", "1", std::to_string(node)});
        }
    }
}

TEST(StructuresSimilarity, NullPointersAndSizes) {
    Similarities known = ones(2, 2);
    const auto make = [&](int64_t rows, int64_t training_rows, int32_t concurrent) {
        return [&known, rows, training_rows, concurrent](dk_data** out) {
            return dk_data_from_similarity(out, rows, training_rows, &Similarities::look_up, &known, nullptr,
                                           concurrent);
        };
    };
    expect_failure(
        [&] { return dk_data_from_similarity(nullptr, 2, 2, &Similarities::look_up, &known, nullptr, 0); },
        invalid, {"out"});
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_from_similarity(out, 2, 2, nullptr, &known, nullptr, 0); },
        invalid, {"callback"});
    for (const int64_t size : {int64_t{0}, int64_t{-1}, -huge, huge}) {
        expect_no_handle<dk_data>(make(size, 2, 0), invalid, {"rows", std::to_string(size)});
        expect_no_handle<dk_data>(make(2, size, 0), invalid, {"training_rows", std::to_string(size)});
    }
    for (const int32_t concurrent : {-1, 2, 4711}) {
        expect_no_handle<dk_data>(make(2, 2, concurrent), invalid,
                                  {"concurrent", std::to_string(concurrent)});
    }
    for (const double bad : {not_a_number, infinity}) {
        const std::vector<double> self{1.0, bad};
        expect_no_handle<dk_data>(
            [&](dk_data** out) {
                return dk_data_from_similarity(out, 2, 2, &Similarities::look_up, &known, self.data(), 0);
            },
            bad_data, {"self", "1"});
    }
}

/// Expects the kernel matrix of some rows to be that of all, with the rows and columns chosen.
void expect_selected(const Data& data, const char* kernel) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, kernel);
    const int64_t rows = dk_data_rows(data.get());
    const std::vector<int64_t> chosen{4, 0, 4, 3};
    const Data some = create<Data>(dk_data_select, data.get(), chosen.data(), int64_t{4});
    EXPECT_EQ(dk_data_kind(some.get()), dk_data_kind(data.get()));
    EXPECT_EQ(dk_data_cols(some.get()), dk_data_cols(data.get()));
    const std::vector<double> whole =
        values_of<double>(rows * rows, dk_gram, data.get(), nullptr, kernel, nullptr);
    std::vector<double> expected;
    std::vector<int64_t> labels;
    for (const int64_t i : chosen) {
        for (const int64_t j : chosen) expected.push_back(whole[static_cast<std::size_t>(i * rows + j)]);
        labels.push_back(labels_of(data)[static_cast<std::size_t>(i)]);
    }
    EXPECT_TRUE(
        nearly_equal(values_of<double>(16, dk_gram, some.get(), nullptr, kernel, nullptr), expected, 1e-12));
    EXPECT_EQ(labels_of(some), labels);
    const std::vector<int64_t> outside{0, rows};
    expect_no_handle<dk_data>(
        [&](dk_data** out) { return dk_data_select(out, data.get(), outside.data(), 2); }, invalid,
        {std::to_string(rows)});
}

TEST(Structures, SelectedRows) {
    expect_selected(series(6, 2, 5), "gak(sigma=2)");
    expect_selected(series(6, 2, 5), "dtw(gamma=0.1)");
    expect_selected(strings(6, 5), "subsequence");
    expect_selected(graphs(6, 5), "weisfeiler_lehman");
}

TEST(Structures, KernelsOfOtherDataNameBoth) {
    const Problem problem = make_problem(6, 2, 2, 3.0, 1);
    Similarities known = ones(6, 6);
    Data similarities = known.data();
    label(similarities, alternating_labels(6));
    struct Kind {
        Data data;
        const char* name;
        std::vector<std::string> foreign;
    };
    std::vector<Kind> kinds;
    kinds.push_back({dense(problem), "dense", {"gak", "dtw", "spectrum", "edit", "weisfeiler_lehman"}});
    kinds.push_back({sparse(problem), "sparse", {"gak", "mismatch", "weisfeiler_lehman"}});
    kinds.push_back({std::move(similarities), "gram", {"gak", "rbf", "spectrum", "weisfeiler_lehman"}});
    kinds.push_back({series(6, 2, 1), "series", {"rbf", "linear", "spectrum", "weisfeiler_lehman", "gram"}});
    kinds.push_back({strings(6, 1), "strings", {"rbf", "linear", "circular", "gak", "dtw", "gram"}});
    kinds.push_back({graphs(6, 1), "graphs", {"rbf", "matern", "subsequence", "gak", "gram"}});
    for (const Kind& kind : kinds) {
        for (const std::string& kernel : kind.foreign) {
            for (const std::string& written : {kernel, "normalize(" + kernel + ")", "center(" + kernel + ")",
                                               "lowrank(" + kernel + ", rank=2)"}) {
                const testing::ScopedTrace trace(__FILE__, __LINE__, written);
                const std::vector<dk_status> misfit{DK_ERR_UNSUPPORTED, DK_ERR_INVALID_KERNEL,
                                                    DK_ERR_DIMENSION, bad_data};
                const Params params = parameters("svm", "kernel=" + written);
                expect_no_handle_in<dk_model>(
                    [&](dk_model** out) { return dk_train(out, kind.data.get(), params.get(), nullptr); },
                    misfit, {kernel, kind.name});
                std::vector<double> out(36);
                expect_failure_in(
                    [&] {
                        return dk_gram(out.data(), 36, kind.data.get(), nullptr, written.c_str(), nullptr);
                    },
                    misfit, {kernel, kind.name});
            }
        }
    }
}

TEST(Structures, WhatOnlyMatricesHave) {
    std::vector<Data> all;
    all.push_back(series(6, 2, 1));
    all.push_back(strings(6, 1));
    all.push_back(graphs(6, 1));
    for (const Data& data : all) {
        std::vector<double> values(static_cast<std::size_t>(6 * dk_data_cols(data.get())));
        const auto length = static_cast<int64_t>(values.size());
        expect_failure_in([&] { return dk_data_values(values.data(), length, data.get()); },
                          {DK_ERR_UNSUPPORTED, bad_data});
        for (const std::string setting : {"scale=standard", "scale=minmax", "impute=mean", "impute=median"}) {
            const Params params = parameters("svm", setting);
            const std::string key = setting.substr(0, setting.find('='));
            expect_no_handle<dk_model>(
                [&](dk_model** out) { return dk_train(out, data.get(), params.get(), nullptr); },
                DK_ERR_UNSUPPORTED, {key});
        }
    }
}

}  // namespace
}  // namespace dk_test::structures_test
