// SPDX-License-Identifier: Apache-2.0
// These tests pass null pointers, buffers of the wrong length and positions that do not exist, to training,
// models and kernel matrices.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::bad_arguments_model_test {
namespace {

constexpr int64_t huge = std::numeric_limits<int64_t>::max();
constexpr dk_status invalid = DK_ERR_INVALID_ARGUMENT;

/// The model has three classes one against one: three functions, six prototypes, two kernels. Everything is
/// linear, so that coordinates exist.
class BadModelArguments : public testing::Test {
  protected:
    Data data = dense(make_problem(18, 2, 3, 4.0, 2));
    Model model = train(
        data, "svm", "kernel=[linear,2*linear] weights=fixed(0.5,0.5) probability=yes neighbours=4 folds=3");
    const dk_model* m = model.get();
    const dk_data* d = data.get();
};

TEST_F(BadModelArguments, LengthsOfPredictions) {
    expect_exact_length<double>([&](double* o, int64_t n) { return dk_predict(o, n, m, d, nullptr); }, 18);
    expect_exact_length<double>([&](double* o, int64_t n) { return dk_decision(o, n, m, d, nullptr); },
                                18 * 3);
    expect_exact_length<double>([&](double* o, int64_t n) { return dk_probability(o, n, m, d, nullptr); },
                                18 * 3);
    expect_exact_length<double>([&](double* o, int64_t n) { return dk_explain(o, n, m, d, nullptr); },
                                18 * 6);
    expect_exact_length<int64_t>([&](int64_t* o, int64_t n) { return dk_confusion(o, n, m, d, nullptr); }, 9);
}

TEST_F(BadModelArguments, LengthsOfModelParts) {
    expect_exact_length<int64_t>([&](int64_t* o, int64_t n) { return dk_model_classes(o, n, m); }, 3);
    expect_exact_length<double>([&](double* o, int64_t n) { return dk_model_kernel_weights(o, n, m); }, 2);
    expect_exact_length<int64_t>([&](int64_t* o, int64_t n) { return dk_model_prototype_classes(o, n, m); },
                                 6);
    expect_exact_length<double>(
        [&](double* o, int64_t n) { return dk_model_prototype_coefficients(o, n, m); }, 6 * 18);
    expect_exact_length<double>([&](double* o, int64_t n) { return dk_model_prototype_coordinates(o, n, m); },
                                6 * 2);
    expect_exact_length<int64_t>(
        [&](int64_t* o, int64_t n) { return dk_model_prototype_nearest(o, nullptr, n, m); }, 6 * 4);
}

TEST_F(BadModelArguments, OptionalHalvesOfOutputs) {
    std::vector<int64_t> rows(24);
    std::vector<double> distances(26, -1.0);
    EXPECT_EQ(dk_model_prototype_nearest(rows.data(), distances.data(), 24, m), DK_OK) << dk_last_error();
    EXPECT_EQ(distances[24], -1.0);
    expect_failure([&] { return dk_model_prototype_nearest(nullptr, distances.data(), 24, m); }, invalid,
                   {"out_rows"});
    std::vector<double> shift(3), offset(3), alone(3);
    EXPECT_EQ(dk_model_prototype_offsets(shift.data(), offset.data(), 3, m), DK_OK) << dk_last_error();
    EXPECT_EQ(dk_model_prototype_offsets(alone.data(), nullptr, 3, m), DK_OK) << dk_last_error();
    EXPECT_TRUE(same_bits(alone, shift));
    EXPECT_EQ(dk_model_prototype_offsets(nullptr, alone.data(), 3, m), DK_OK) << dk_last_error();
    EXPECT_TRUE(same_bits(alone, offset));
    for (const int64_t wrong : {2, 4, 0, -3}) {
        expect_failure([&] { return dk_model_prototype_offsets(shift.data(), nullptr, wrong, m); }, invalid,
                       {std::to_string(wrong), "3"});
    }
}

TEST_F(BadModelArguments, NullModelOrData) {
    std::vector<double> numbers(200);
    std::vector<int64_t> integers(200);
    double* x = numbers.data();
    int64_t* k = integers.data();
    const dk_model* none = nullptr;
    expect_failure([&] { return dk_predict(x, 18, none, d, nullptr); }, invalid, {"model"});
    expect_failure([&] { return dk_predict(x, 18, m, nullptr, nullptr); }, invalid, {"data"});
    expect_failure([&] { return dk_decision(x, 54, none, d, nullptr); }, invalid, {"model"});
    expect_failure([&] { return dk_decision(x, 54, m, nullptr, nullptr); }, invalid, {"data"});
    expect_failure([&] { return dk_probability(x, 54, none, d, nullptr); }, invalid, {"model"});
    expect_failure([&] { return dk_probability(x, 54, m, nullptr, nullptr); }, invalid, {"data"});
    expect_failure([&] { return dk_explain(x, 108, none, d, nullptr); }, invalid, {"model"});
    expect_failure([&] { return dk_explain(x, 108, m, nullptr, nullptr); }, invalid, {"data"});
    expect_failure([&] { return dk_confusion(k, 9, none, d, nullptr); }, invalid, {"model"});
    expect_failure([&] { return dk_confusion(k, 9, m, nullptr, nullptr); }, invalid, {"data"});
    expect_failure([&] { return dk_score(x, none, d, "accuracy", nullptr); }, invalid, {"model"});
    expect_failure([&] { return dk_score(x, m, nullptr, "accuracy", nullptr); }, invalid, {"data"});
    expect_failure([&] { return dk_score(x, m, d, nullptr, nullptr); }, invalid, {"metric"});
    expect_failure([&] { return dk_score(nullptr, m, d, "accuracy", nullptr); }, invalid, {"out"});
    expect_failure([&] { return dk_model_classes(k, 3, none); }, invalid, {"model"});
    expect_failure([&] { return dk_model_kernel_weights(x, 2, none); }, invalid, {"model"});
    expect_failure([&] { return dk_model_prototype_classes(k, 6, none); }, invalid, {"model"});
    expect_failure([&] { return dk_model_prototype_coefficients(x, 108, none); }, invalid, {"model"});
    expect_failure([&] { return dk_model_prototype_coordinates(x, 12, none); }, invalid, {"model"});
    expect_failure([&] { return dk_model_prototype_nearest(k, x, 24, none); }, invalid, {"model"});
    expect_failure([&] { return dk_model_prototype_offsets(x, x, 3, none); }, invalid, {"model"});
    expect_failure([&] { return dk_model_normals(x, 3, none); }, invalid, {"model"});
    expect_failure([&] { return dk_model_normals(nullptr, 3, m); }, invalid, {"out"});
    expect_failure([&] { return dk_model_normals(x, 2, m); }, invalid, {"2", "3"});
}

TEST_F(BadModelArguments, TextsAndPositions) {
    std::vector<char> text(4096);
    int64_t needed = 0;
    expect_failure([&] { return dk_model_info(text.data(), 4096, &needed, nullptr); }, invalid, {"model"});
    expect_failure([&] { return dk_model_write(text.data(), 4096, &needed, nullptr); }, invalid, {"model"});
    expect_failure([&] { return dk_model_class_name(text.data(), 4096, &needed, nullptr, 0); }, invalid,
                   {"model"});
    expect_failure([&] { return dk_model_kernel_name(text.data(), 4096, &needed, nullptr, 0); }, invalid,
                   {"model"});
    for (const int64_t position : {int64_t{-1}, int64_t{3}, huge, -huge}) {
        expect_failure([&] { return dk_model_class_name(text.data(), 4096, &needed, m, position); }, invalid,
                       {std::to_string(position)});
    }
    for (const int64_t kernel : {int64_t{-1}, int64_t{2}, huge, -huge}) {
        expect_failure([&] { return dk_model_kernel_name(text.data(), 4096, &needed, m, kernel); }, invalid,
                       {std::to_string(kernel)});
    }
}

TEST_F(BadModelArguments, Training) {
    const Params params = parameters("svm");
    for (const auto fit : {dk_train, dk_cross_validate, dk_mkl_compare}) {
        expect_failure([&] { return fit(nullptr, d, params.get(), nullptr); }, invalid, {"out"});
        expect_no_handle<dk_model>([&](dk_model** out) { return fit(out, nullptr, params.get(), nullptr); },
                                   invalid, {"data"});
        expect_no_handle<dk_model>([&](dk_model** out) { return fit(out, d, nullptr, nullptr); }, invalid,
                                   {"params"});
    }
}

TEST_F(BadModelArguments, SavingAndReading) {
    const unsigned char byte = 0;
    expect_failure([] { return dk_model_save(nullptr, "model.dk"); }, invalid, {"model"});
    expect_failure([&] { return dk_model_save(m, nullptr); }, invalid, {"path"});
    expect_failure([&] { return dk_model_read(nullptr, &byte, 1, nullptr); }, invalid, {"out"});
    expect_no_handle<dk_model>([](dk_model** out) { return dk_model_read(out, nullptr, 10, nullptr); },
                               invalid, {"bytes"});
    expect_no_handle<dk_model>([&](dk_model** out) { return dk_model_read(out, &byte, -10, nullptr); },
                               invalid, {"size", "-10"});
}

class BadGramArguments : public testing::Test {
  protected:
    Data left = dense(make_problem(3, 2, 2, 1.0, 3));
    Data right = dense(make_problem(5, 2, 2, 1.0, 4));
    const dk_data* l = left.get();
    const dk_data* r = right.get();
    static constexpr const char* bank = "[linear, rbf(gamma=1)]";
};

TEST_F(BadGramArguments, Lengths) {
    expect_exact_length<double>([&](double* o, int64_t n) { return dk_gram(o, n, l, r, bank, nullptr); },
                                2 * 3 * 5);
    expect_exact_length<double>(
        [&](double* o, int64_t n) { return dk_gram(o, n, l, nullptr, bank, nullptr); }, 2 * 3 * 3);
    expect_exact_length<float>([&](float* o, int64_t n) { return dk_gram_f32(o, n, l, r, bank, nullptr); },
                               2 * 3 * 5);
    const std::vector<double> v(10, 1.0);
    expect_exact_length<double>(
        [&](double* o, int64_t n) { return dk_gram_product(o, n, l, r, "linear", v.data(), 2, nullptr); },
        3 * 2);
}

TEST_F(BadGramArguments, NullPointers) {
    std::vector<double> out(30);
    std::vector<float> single(30);
    const std::vector<double> v(10, 1.0);
    int64_t count = 0;
    double* o = out.data();
    expect_failure([&] { return dk_kernel_count(nullptr, l, "linear"); }, invalid, {"out"});
    expect_failure([&] { return dk_kernel_count(&count, nullptr, "linear"); }, invalid, {"data"});
    expect_failure([&] { return dk_kernel_count(&count, l, nullptr); }, invalid, {"kernel"});
    expect_failure([&] { return dk_gram(o, 15, nullptr, r, "linear", nullptr); }, invalid, {"left"});
    expect_failure([&] { return dk_gram(o, 15, l, r, nullptr, nullptr); }, invalid, {"kernel"});
    expect_failure([&] { return dk_gram_f32(single.data(), 15, nullptr, r, "linear", nullptr); }, invalid,
                   {"left"});
    expect_failure([&] { return dk_gram_f32(single.data(), 15, l, r, nullptr, nullptr); }, invalid,
                   {"kernel"});
    expect_failure([&] { return dk_gram_product(o, 6, nullptr, r, "linear", v.data(), 2, nullptr); }, invalid,
                   {"left"});
    expect_failure([&] { return dk_gram_product(o, 6, l, r, nullptr, v.data(), 2, nullptr); }, invalid,
                   {"kernel"});
    expect_failure([&] { return dk_gram_product(o, 6, l, r, "linear", nullptr, 2, nullptr); }, invalid,
                   {"v"});
    for (const int64_t cols : {int64_t{0}, int64_t{-2}, huge}) {
        expect_failure([&] { return dk_gram_product(o, 6, l, r, "linear", v.data(), cols, nullptr); },
                       invalid, {"v_cols", std::to_string(cols)});
    }
}

TEST_F(BadGramArguments, ShapesThatDoNotFit) {
    const Data wide = dense(make_problem(5, 4, 2, 1.0, 4));
    std::vector<double> out(15);
    std::vector<float> single(15);
    const std::vector<double> v(5, 1.0);
    expect_failure([&] { return dk_gram(out.data(), 15, l, wide.get(), "linear", nullptr); },
                   DK_ERR_DIMENSION, {"2", "4"});
    expect_failure([&] { return dk_gram_f32(single.data(), 15, l, wide.get(), "linear", nullptr); },
                   DK_ERR_DIMENSION, {"2", "4"});
    expect_failure(
        [&] { return dk_gram_product(out.data(), 3, l, wide.get(), "linear", v.data(), 1, nullptr); },
        DK_ERR_DIMENSION, {"2", "4"});
}

TEST_F(BadGramArguments, ProductOfABankIsRefused) {
    std::vector<double> out(3);
    const std::vector<double> v(5, 1.0);
    expect_failure_in([&] { return dk_gram_product(out.data(), 3, l, r, bank, v.data(), 1, nullptr); },
                      {DK_ERR_INVALID_KERNEL, DK_ERR_UNSUPPORTED}, {"2"});
}

TEST_F(BadGramArguments, NonFiniteFactorIsNamed) {
    std::vector<double> out(6);
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        std::vector<double> v(10, 1.0);
        v[3 * 2 + 1] = bad;
        expect_failure([&] { return dk_gram_product(out.data(), 6, l, r, "linear", v.data(), 2, nullptr); },
                       DK_ERR_INVALID_DATA, {"v", "7"});
    }
}

}  // namespace
}  // namespace dk_test::bad_arguments_model_test
