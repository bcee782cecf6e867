// SPDX-License-Identifier: Apache-2.0
// These tests pass null pointers, sizes that no matrix has, and layouts and indices that do not exist, to
// data, parameters and controls. Models and kernel matrices are in bad_arguments_model_test.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::bad_arguments_test {
namespace {

constexpr int64_t huge = std::numeric_limits<int64_t>::max();
constexpr dk_status invalid = DK_ERR_INVALID_ARGUMENT;

Data small() {
    return dense(make_problem(6, 2, 2, 3.0, 1));
}

TEST(BadArguments, FreeingNothingDoesNothing) {
    dk_data_free(nullptr);
    dk_params_free(nullptr);
    dk_model_free(nullptr);
    dk_control_free(nullptr);
}

TEST(BadArguments, MatrixShapes) {
    const std::vector<double> x(12, 1.0);
    const std::vector<float> single(12, 1.0F);
    struct Shape {
        int64_t rows, cols, ld;
        dk_layout layout;
        Words words;
    };
    const std::vector<Shape> shapes{{0, 4, 4, DK_ROW_MAJOR, {"rows", "0"}},
                                    {-7, 4, 4, DK_ROW_MAJOR, {"rows", "-7"}},
                                    {3, 0, 4, DK_ROW_MAJOR, {"cols", "0"}},
                                    {3, -9, 4, DK_ROW_MAJOR, {"cols", "-9"}},
                                    {3, 4, 3, DK_ROW_MAJOR, {"ld", "3", "4"}},
                                    {3, 4, 2, DK_COL_MAJOR, {"ld", "2", "3"}},
                                    {3, 4, 0, DK_ROW_MAJOR, {"ld", "0"}},
                                    {3, 4, -4, DK_ROW_MAJOR, {"ld", "-4"}},
                                    {3, 4, -huge, DK_COL_MAJOR, {"ld"}},
                                    {1 << 24, 1, int64_t{1} << 40, DK_ROW_MAJOR, {"ld", "16777216 rows"}},
                                    {1, 1 << 24, int64_t{1} << 20, DK_COL_MAJOR, {"ld", "16777216 columns"}},
                                    {3, 4, 4, 2, {"layout", "2"}},
                                    {3, 4, 4, -1, {"layout", "-1"}},
                                    {3, 4, 4, 4711, {"layout", "4711"}},
                                    {-huge, -huge, -huge, DK_ROW_MAJOR, {"rows"}}};
    for (const Shape& s : shapes) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, testing::PrintToString(s.words));
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_from_dense(out, x.data(), s.rows, s.cols, s.ld, s.layout); },
            invalid, s.words);
        expect_no_handle<dk_data>(
            [&](dk_data** out) {
                return dk_data_from_dense_f32(out, single.data(), s.rows, s.cols, s.ld, s.layout);
            },
            invalid, s.words);
        expect_no_handle<dk_data>(
            [&](dk_data** out) {
                return dk_data_from_gram(out, x.data(), 1, s.rows, s.cols, s.ld, s.layout, 12, nullptr);
            },
            invalid, s.words);
    }
}

TEST(BadArguments, SizesWhoseProductOverflowsAreRefusedBeforeReading) {
    const double x = 1.0;
    const float single = 1.0F;
    for (const int64_t size : {int64_t{1} << 31, int64_t{1} << 33, int64_t{1} << 62, huge}) {
        const std::vector<dk_status> allowed{invalid, DK_ERR_OUT_OF_MEMORY};
        // 2^31 squared fits into 64 bits, but 8 bytes for each element do not.
        expect_no_handle_in<dk_data>(
            [&](dk_data** out) { return dk_data_from_dense(out, &x, size, size, size, DK_ROW_MAJOR); },
            allowed);
        expect_no_handle_in<dk_data>(
            [&](dk_data** out) {
                return dk_data_from_dense_f32(out, &single, size, size, size, DK_COL_MAJOR);
            },
            allowed);
        expect_no_handle_in<dk_data>(
            [&](dk_data** out) {
                return dk_data_from_gram(out, &x, size, size, size, size, DK_ROW_MAJOR, size, nullptr);
            },
            allowed);
    }
}

TEST(BadArguments, NullMatrices) {
    const std::vector<double> x(4, 1.0);
    const std::vector<float> single(4, 1.0F);
    expect_failure([&] { return dk_data_from_dense(nullptr, x.data(), 2, 2, 2, DK_ROW_MAJOR); }, invalid,
                   {"out"});
    expect_failure([&] { return dk_data_from_dense_f32(nullptr, single.data(), 2, 2, 2, DK_ROW_MAJOR); },
                   invalid, {"out"});
    expect_failure([&] { return dk_data_from_gram(nullptr, x.data(), 1, 2, 2, 2, DK_ROW_MAJOR, 4, nullptr); },
                   invalid, {"out"});
    expect_no_handle<dk_data>(
        [](dk_data** out) { return dk_data_from_dense(out, nullptr, 2, 2, 2, DK_ROW_MAJOR); }, invalid,
        {"x"});
    expect_no_handle<dk_data>(
        [](dk_data** out) { return dk_data_from_dense_f32(out, nullptr, 2, 2, 2, DK_COL_MAJOR); }, invalid,
        {"x"});
    expect_no_handle<dk_data>(
        [](dk_data** out) { return dk_data_from_gram(out, nullptr, 1, 2, 2, 2, DK_ROW_MAJOR, 4, nullptr); },
        invalid, {"x"});
}

TEST(BadArguments, GramMatricesAndStride) {
    const std::vector<double> x(32, 1.0);
    const auto stack = [&](int64_t matrices, int64_t stride) {
        return [&x, matrices, stride](dk_data** out) {
            return dk_data_from_gram(out, x.data(), matrices, 3, 3, 4, DK_ROW_MAJOR, stride, nullptr);
        };
    };
    expect_no_handle<dk_data>(stack(0, 12), invalid, {"matrices", "0"});
    expect_no_handle<dk_data>(stack(-3, 12), invalid, {"matrices", "-3"});
    // Each matrix has three rows of stride 4, the last with 3 elements, so that matrices less than 11 apart
    // overlap.
    expect_no_handle<dk_data>(stack(2, 8), invalid, {"matrix_stride", "8"});
    expect_no_handle<dk_data>(stack(2, 0), invalid, {"matrix_stride", "0"});
    expect_no_handle<dk_data>(stack(2, -12), invalid, {"matrix_stride", "-12"});
    expect_no_handle_in<dk_data>(stack(2, huge), {invalid, DK_ERR_OUT_OF_MEMORY});
    EXPECT_NE(create<Data>(stack(2, 12)), nullptr);
    EXPECT_NE(create<Data>(stack(1, 0)), nullptr) << "one matrix needs no stride";
}

TEST(BadArguments, CompressedRows) {
    const std::vector<int64_t> offsets{0, 1, 2};
    const std::vector<int64_t> columns{0, 2};
    const std::vector<double> values{1.0, 2.0};
    const auto csr = [](const int64_t* o, const int64_t* c, const double* v, int64_t rows, int64_t cols,
                        int64_t entries) {
        return [=](dk_data** out) { return dk_data_from_csr(out, o, c, v, rows, cols, entries); };
    };
    const int64_t* o = offsets.data();
    const int64_t* c = columns.data();
    const double* v = values.data();
    expect_failure([&] { return dk_data_from_csr(nullptr, o, c, v, 2, 3, 2); }, invalid, {"out"});
    expect_no_handle<dk_data>(csr(nullptr, c, v, 2, 3, 2), invalid, {"row_offsets"});
    expect_no_handle<dk_data>(csr(o, nullptr, v, 2, 3, 2), invalid, {"columns"});
    expect_no_handle<dk_data>(csr(o, c, nullptr, 2, 3, 2), invalid, {"values"});
    expect_no_handle<dk_data>(csr(o, c, v, 0, 3, 2), invalid, {"rows", "0"});
    expect_no_handle<dk_data>(csr(o, c, v, -2, 3, 2), invalid, {"rows", "-2"});
    expect_no_handle<dk_data>(csr(o, c, v, 2, 0, 2), invalid, {"cols", "0"});
    expect_no_handle<dk_data>(csr(o, c, v, 2, -3, 2), invalid, {"cols", "-3"});
    expect_no_handle<dk_data>(csr(o, c, v, 2, 3, -5), invalid, {"entries", "-5"});
    const std::vector<int64_t> no_offsets{0, 0, 0};
    EXPECT_NE(create<Data>(csr(no_offsets.data(), nullptr, nullptr, 2, 3, 0)), nullptr);
}

TEST(BadArguments, LabelsTargetsWeightsAndNames) {
    Data data = small();
    const std::vector<int64_t> labels(9, 1);
    const std::vector<double> numbers(9, 1.0);
    const std::vector<const char*> names{"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    struct Setter {
        std::function<dk_status(dk_data*, bool, int64_t)> call;
        const char* argument;
        int64_t length;
    };
    const std::vector<Setter> setters{
        {[&](dk_data* d, bool give, int64_t n) {
             return dk_data_set_labels(d, give ? labels.data() : nullptr, n);
         },
         "labels", 6},
        {[&](dk_data* d, bool give, int64_t n) {
             return dk_data_set_label_names(d, give ? names.data() : nullptr, n);
         },
         "labels", 6},
        {[&](dk_data* d, bool give, int64_t n) {
             return dk_data_set_targets(d, give ? numbers.data() : nullptr, n);
         },
         "targets", 6},
        {[&](dk_data* d, bool give, int64_t n) {
             return dk_data_set_sample_weights(d, give ? numbers.data() : nullptr, n);
         },
         "weights", 6},
        {[&](dk_data* d, bool give, int64_t n) {
             return dk_data_set_groups(d, give ? labels.data() : nullptr, n);
         },
         "groups", 6},
        {[&](dk_data* d, bool give, int64_t n) {
             return dk_data_set_feature_names(d, give ? names.data() : nullptr, n);
         },
         "names", 2}};
    for (const Setter& setter : setters) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, setter.argument);
        expect_failure([&] { return setter.call(nullptr, true, setter.length); }, invalid, {"data"});
        expect_failure([&] { return setter.call(data.get(), false, setter.length); }, invalid,
                       {setter.argument});
        for (const int64_t wrong : {setter.length - 1, setter.length + 1, int64_t{0}, int64_t{-6}, huge}) {
            expect_failure([&] { return setter.call(data.get(), true, wrong); }, invalid,
                           {std::to_string(wrong), std::to_string(setter.length)});
        }
        EXPECT_EQ(setter.call(data.get(), true, setter.length), DK_OK) << dk_last_error();
    }
    std::vector<const char*> holed(names.begin(), names.begin() + 6);
    holed[4] = nullptr;
    expect_failure([&] { return dk_data_set_label_names(data.get(), holed.data(), 6); }, invalid, {"4"});
    holed = {"a", nullptr};
    expect_failure([&] { return dk_data_set_feature_names(data.get(), holed.data(), 2); }, invalid, {"1"});
}

TEST(BadArguments, QuestionsAboutNothing) {
    EXPECT_EQ(dk_data_rows(nullptr), -1);
    EXPECT_EQ(dk_data_cols(nullptr), -1);
    EXPECT_EQ(dk_data_kind(nullptr), -1);
    EXPECT_EQ(dk_control_progress(nullptr), -1.0);
    EXPECT_EQ(dk_model_class_count(nullptr), -1);
    EXPECT_EQ(dk_model_task(nullptr), -1);
    EXPECT_EQ(dk_model_fills_missing(nullptr), -1);
    EXPECT_EQ(dk_params_task(nullptr), -1);
    EXPECT_EQ(dk_model_feature_count(nullptr), -1);
    EXPECT_EQ(dk_model_decision_count(nullptr), -1);
    EXPECT_EQ(dk_model_target_count(nullptr), -1);
    EXPECT_EQ(dk_model_kernel_count(nullptr), -1);
    EXPECT_EQ(dk_model_prototype_count(nullptr), -1);
    EXPECT_EQ(dk_model_prototype_neighbours(nullptr), -1);
    EXPECT_EQ(dk_model_training_rows(nullptr), -1);
}

TEST(BadArguments, ReadingData) {
    const Data data = small();
    expect_exact_length<int64_t>([&](int64_t* out, int64_t n) { return dk_data_labels(out, n, data.get()); },
                                 6);
    expect_exact_length<double>([&](double* out, int64_t n) { return dk_data_values(out, n, data.get()); },
                                12);
    expect_exact_length<int64_t>(
        [&](int64_t* out, int64_t n) { return dk_data_folds(out, n, data.get(), 2, 1); }, 6);
    std::vector<int64_t> labels(6);
    std::vector<double> values(12);
    std::vector<char> text(16);
    int64_t needed = 0;
    expect_failure([&] { return dk_data_labels(labels.data(), 6, nullptr); }, invalid, {"data"});
    expect_failure([&] { return dk_data_values(values.data(), 12, nullptr); }, invalid, {"data"});
    expect_failure([&] { return dk_data_folds(labels.data(), 6, nullptr, 2, 1); }, invalid, {"data"});
    for (const int64_t folds : {int64_t{1}, int64_t{0}, int64_t{-4}, int64_t{7}, huge}) {
        expect_failure([&] { return dk_data_folds(labels.data(), 6, data.get(), folds, 1); }, invalid,
                       {"folds", std::to_string(folds)});
    }
    const auto name = [&](const dk_data* d, int64_t column) {
        return [&, d, column] { return dk_data_feature_name(text.data(), 16, &needed, d, column); };
    };
    expect_failure(name(nullptr, 0), invalid, {"data"});
    for (const int64_t column : {int64_t{-1}, int64_t{2}, huge, -huge}) {
        expect_failure(name(data.get(), column), invalid, {"column", std::to_string(column)});
    }
}

TEST(BadArguments, SelectingRows) {
    const Data data = small();
    const std::vector<int64_t> rows{0, 5, 5};
    const auto select = [&](const dk_data* d, std::vector<int64_t> chosen) {
        return [d, chosen](dk_data** out) {
            return dk_data_select(out, d, chosen.data(), static_cast<int64_t>(chosen.size()));
        };
    };
    expect_failure([&] { return dk_data_select(nullptr, data.get(), rows.data(), 3); }, invalid, {"out"});
    expect_no_handle<dk_data>(select(nullptr, rows), invalid, {"data"});
    expect_no_handle<dk_data>([&](dk_data** out) { return dk_data_select(out, data.get(), nullptr, 3); },
                              invalid, {"rows"});
    for (const int64_t count : {int64_t{0}, int64_t{-3}, -huge}) {
        expect_no_handle<dk_data>(
            [&](dk_data** out) { return dk_data_select(out, data.get(), rows.data(), count); }, invalid,
            {"count", std::to_string(count)});
    }
    for (const int64_t row : {int64_t{-1}, int64_t{6}, huge, -huge}) {
        expect_no_handle<dk_data>(select(data.get(), {0, row}), invalid, {std::to_string(row)});
    }
}

TEST(BadArguments, Files) {
    expect_failure([] { return dk_data_from_file(nullptr, "data.csv", nullptr, nullptr); }, invalid, {"out"});
    expect_no_handle<dk_data>([](dk_data** out) { return dk_data_from_file(out, nullptr, nullptr, nullptr); },
                              invalid, {"path"});
    expect_no_handle<dk_model>([](dk_model** out) { return dk_model_load(out, nullptr, nullptr); }, invalid,
                               {"path"});
    expect_failure([] { return dk_model_load(nullptr, "model.dk", nullptr); }, invalid, {"out"});
}

TEST(BadArguments, Parameters) {
    const Params params = parameters("svm");
    dk_params* p = params.get();
    std::vector<char> text(64);
    int64_t needed = 0;
    expect_failure([] { return dk_params_create(nullptr, "svm"); }, invalid, {"out"});
    expect_no_handle<dk_params>([](dk_params** out) { return dk_params_create(out, nullptr); }, invalid,
                                {"machine"});
    expect_failure([] { return dk_params_set(nullptr, "C", "1"); }, invalid, {"params"});
    expect_failure([&] { return dk_params_set(p, nullptr, "1"); }, invalid, {"key"});
    expect_failure([&] { return dk_params_set(p, "C", nullptr); }, invalid, {"value"});
    expect_failure([] { return dk_params_set_int(nullptr, "folds", 3); }, invalid, {"params"});
    expect_failure([&] { return dk_params_set_int(p, nullptr, 3); }, invalid, {"key"});
    expect_failure([] { return dk_params_set_double(nullptr, "C", 3.0); }, invalid, {"params"});
    expect_failure([&] { return dk_params_set_double(p, nullptr, 3.0); }, invalid, {"key"});
    expect_failure([] { return dk_params_parse(nullptr, "C=1"); }, invalid, {"params"});
    expect_failure([&] { return dk_params_parse(p, nullptr); }, invalid, {"text"});
    expect_failure([&] { return dk_params_get(text.data(), 64, &needed, nullptr, "C"); }, invalid,
                   {"params"});
    expect_failure([&] { return dk_params_get(text.data(), 64, &needed, p, nullptr); }, invalid, {"key"});
}

TEST(BadArguments, Controls) {
    const Control control = create<Control>(dk_control_create);
    expect_failure([] { return dk_control_create(nullptr); }, invalid, {"out"});
    expect_failure([] { return dk_control_set_threads(nullptr, 2); }, invalid, {"control"});
    expect_failure([] { return dk_control_set_memory(nullptr, 2); }, invalid, {"control"});
    for (const int64_t megabytes : {int64_t{-1}, (int64_t{1} << 40U) + 1}) {
        expect_failure([&] { return dk_control_set_memory(control.get(), megabytes); }, invalid,
                       {"megabytes", std::to_string(megabytes)});
        EXPECT_EQ(dk_control_set_memory(control.get(), 0), DK_OK);
    }
    expect_failure([] { return dk_control_set_progress(nullptr, nullptr, nullptr); }, invalid, {"control"});
    // There is no message, because what is safe in a signal handler may not touch what belongs to the thread.
    EXPECT_EQ(dk_control_cancel(nullptr), invalid);
    expect_failure([] { return dk_control_reset(nullptr); }, invalid, {"control"});
    constexpr int32_t largest = std::numeric_limits<int32_t>::max();
    for (const int32_t threads : {-1, 1025, largest, -largest}) {
        expect_failure([&] { return dk_control_set_threads(control.get(), threads); }, invalid,
                       {"threads", std::to_string(threads), "1024"});
    }
    for (const int32_t threads : {0, 1, 2, 1024}) {
        EXPECT_EQ(dk_control_set_threads(control.get(), threads), DK_OK) << threads;
    }
    EXPECT_EQ(dk_control_set_progress(control.get(), nullptr, nullptr), DK_OK);
}

/// What a callback meets that calls libdk with the control of its own call.
struct Reentry {
    dk_control* control;
    const dk_data* data;
    int calls = 0;
};

TEST(BadArguments, AControlIsInUseDuringItsCall) {
    const Data data = dense(make_problem(30, 3, 2, 2.0, 71));
    const Params params = parameters("svm", "");
    const Control control = create<Control>(dk_control_create);
    Reentry reentry{control.get(), data.get()};
    const auto callback = [](double, const char*, void* user) -> int32_t {
        auto& within = *static_cast<Reentry*>(user);
        ++within.calls;
        dk_control* own = within.control;
        double out = 0;
        expect_failure([&] { return dk_gram(&out, 1, within.data, within.data, "rbf", own); }, invalid,
                       {"control", "in use"});
        expect_failure([&] { return dk_control_set_threads(own, 1); }, invalid, {"control", "in use"});
        expect_failure([&] { return dk_control_set_memory(own, 1); }, invalid, {"control", "in use"});
        expect_failure([&] { return dk_control_set_progress(own, nullptr, nullptr); }, invalid,
                       {"control", "in use"});
        expect_failure([&] { return dk_control_reset(own); }, invalid, {"control", "in use"});
        EXPECT_GE(dk_control_progress(own), 0.0);
        return 0;
    };
    check(dk_control_set_progress(control.get(), callback, &reentry));
    for (int call = 1; call <= 2; ++call) {
        const int before = reentry.calls;
        const Model model = create<Model>(dk_train, data.get(), params.get(), control.get());
        EXPECT_GT(reentry.calls, before);
    }
}

}  // namespace
}  // namespace dk_test::bad_arguments_test
