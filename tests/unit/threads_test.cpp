// SPDX-License-Identifier: Apache-2.0
// Every result is the same to the last bit for any number of threads.
#include <algorithm>
#include <numeric>
#include <type_traits>

#include "pipeline/train.hpp"
#include "support.hpp"

namespace dk::test::threads_test {
namespace {

const std::vector<std::string>& kernels() {
    static const std::vector<std::string> all{"linear",
                                              "poly(degree=5)",
                                              "rbf(gamma=0.1)",
                                              "rbf(gamma=50)",
                                              "laplacian",
                                              "anova(degree=2)",
                                              "sigmoid",
                                              "arccos(0, 1, 2)",
                                              "normalize(poly)",
                                              "exp(0.1*linear)",
                                              "0.5*linear*rbf + arccos(1) + 2",
                                              "on(1:2, rbf)",
                                              "cauchy",
                                              "matern(gamma=median, nu=2.5)",
                                              "rational_quadratic(gamma=3)",
                                              "exponential",
                                              "bessel",
                                              "spline",
                                              "circular",
                                              "spherical",
                                              "(cosine)^3",
                                              "center(rbf)"};
    return all;
}

template <typename T>
std::vector<T> rows_of(const GramEngine<T>& engine, const std::vector<Index>& wanted, int threads) {
    BegunControl control(threads);
    std::vector<T> rows(wanted.size() * engine.cols());
    engine.rows_of(wanted, rows.data(), control);
    return rows;
}

template <typename T>
std::vector<double> product(const GramEngine<T>& engine, const std::vector<double>& v, Index columns,
                            int threads) {
    BegunControl control(threads);
    std::vector<double> out(engine.rows() * columns);
    engine.product(v.data(), columns, out.data(), control);
    return out;
}

std::vector<double> square_product(const GramEngine<double>& engine, const std::vector<double>& v,
                                   Index columns, int threads) {
    BegunControl control(threads);
    std::vector<double> out(engine.cols() * columns);
    normal_product(engine, {}, v.data(), columns, out.data(), control);
    return out;
}

template <typename T>
void expect_equal_for_threads(const std::string& text, const Dataset& left, const Dataset& right) {
    const auto kernel = make_kernel(text, left);
    const GramEngine<T> engine(kernel, left, right);
    const auto v = normal_values(right.rows() * 3, 5);
    std::vector<Index> some{left.rows() - 1, 0, 7, 7};
    for (Index i = 0; i < left.rows(); i += 2) some.push_back(i);
    const auto matrix = gram_matrix<T>(kernel, left, right, 1);
    for (const int threads : {2, 5}) {
        EXPECT_EQ(gram_matrix<T>(kernel, left, right, threads), matrix)
            << text << ", " << threads << " threads";
        EXPECT_EQ(rows_of(engine, some, threads), rows_of(engine, some, 1))
            << text << ", " << threads << " threads";
        EXPECT_EQ(rows_of(engine, {3}, threads), rows_of(engine, {3}, 1))
            << text << ", " << threads << " threads";
        for (const Index columns : {1, 3}) {
            EXPECT_EQ(product(engine, v, columns, threads), product(engine, v, columns, 1))
                << text << ", " << threads << " threads";
            if constexpr (std::is_same_v<T, double>) {
                EXPECT_EQ(square_product(engine, v, columns, threads), square_product(engine, v, columns, 1))
                    << text << ", " << threads << " threads";
            }
        }
    }
}

TEST(Threads, SymmetricMatrices) {
    const Dataset data = random_dense(333, 9, 1, 0.5);
    const Dataset sparse = to_sparse(data);
    for (const auto& text : kernels()) {
        expect_equal_for_threads<double>(text, data, data);
        expect_equal_for_threads<float>(text, data, data);
        expect_equal_for_threads<double>(text, sparse, sparse);
    }
}

TEST(Threads, MatricesOfTwoDatasets) {
    const Dataset left = random_dense(290, 5, 2, 3);
    const Dataset right = random_dense(401, 5, 3, 3);
    for (const auto& text : kernels()) {
        expect_equal_for_threads<double>(text, left, right);
        expect_equal_for_threads<float>(text, left, right);
    }
}

TEST(Threads, RepeatedRunsAreEqual) {
    const Dataset data = random_dense(260, 5, 4);
    const auto kernel = make_kernel("arccos(1, 0) + rbf", data);
    const auto first = gram_matrix(kernel, data, data, 5);
    for (int run = 0; run < 5; ++run) EXPECT_EQ(gram_matrix(kernel, data, data, 5), first);
}

struct Learned {
    std::vector<double> decisions;
    std::vector<double> weights;
    std::vector<double> shifts;
    std::vector<double> coefficients;
    bool operator==(const Learned&) const = default;
};

TEST(Threads, AnEngineComputesTheSameAfterACancelledCall) {
    const Dataset data = random_dense(400, 9, 1, 0.5);
    std::vector<Index> all(data.rows());
    std::iota(all.begin(), all.end(), Index{0});
    for (const Dataset& rows : {data, to_sparse(data)}) {
        for (const char* text : {"rbf(gamma=0.1)", "laplacian", "0.5*linear*rbf + arccos(1) + 2"}) {
            const GramEngine<double> engine(make_kernel(text, rows), rows, rows);
            const auto expected = rows_of(engine, all, 2);
            std::vector<double> unfinished(expected.size());
            BegunControl cancelled(2);
            cancelled.cancel();
            EXPECT_THROW(engine.rows_of(all, unfinished.data(), cancelled), Error) << text;
            EXPECT_EQ(rows_of(engine, all, 2), expected) << text;
            // The other thread may have done all the work before the calling one asks whether to go on.
            BegunControl declining(2);
            declining.set_callback([](double, const std::string&) { return false; });
            try {
                engine.rows_of(all, unfinished.data(), declining);
            } catch (const Error& error) {
                EXPECT_EQ(error.status(), Status::cancelled) << text;
            }
            EXPECT_EQ(rows_of(engine, all, 2), expected) << text;
        }
    }
}

Learned learn(const Dataset& data, const std::string& machine,
              const std::vector<std::pair<std::string, std::string>>& parameters, int threads) {
    BegunControl control(threads);
    auto settings = default_specification(machine);
    for (const auto& [key, value] : parameters) set_parameter(settings, key, value);
    const Model model = train(data, settings, control);
    Learned learned;
    learned.decisions = decisions(model, data, control);
    learned.weights = model.kernel_weights;
    learned.shifts = model.predictor->prototypes().shifts;
    learned.coefficients.resize(model.predictor->prototypes().count() * data.rows());
    model.predictor->prototype_coefficients(learned.coefficients.data());
    return learned;
}

TEST(Threads, MachinesAndWeights) {
    std::vector<std::int64_t> labels(150);
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int64_t>(i % 3);
    auto values = normal_values(150 * 6, 6);
    for (std::size_t e = 0; e < values.size(); e += 6) values[e] += 2.0 * static_cast<double>(e / 6 % 3);
    const Dataset data = with_labels(dense(150, 6, values), labels);
    const std::vector<std::pair<std::string, std::string>> bank{
        {"kernel", "[linear, rbf, arccos(1, 0), laplacian]"}, {"weights", "dimkl5"}};
    for (const char* machine : {"svm", "fisher", "mean_of_class", "kelm", "rvm", "boosted", "iskpl"}) {
        for (const char* precision : {"double", "single"}) {
            auto parameters = bank;
            parameters.emplace_back("precision", precision);
            const Learned one = learn(data, machine, parameters, 1);
            for (const int threads : {2, 5}) {
                EXPECT_TRUE(learn(data, machine, parameters, threads) == one)
                    << machine << ", " << precision << ", " << threads;
            }
        }
    }
}

}  // namespace
}  // namespace dk::test::threads_test
