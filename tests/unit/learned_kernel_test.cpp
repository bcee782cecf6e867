// SPDX-License-Identifier: Apache-2.0
// These tests check kernels that learn from the training rows: centring, spectrum correction, and their
// states.
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "kernel/operator/corrected.hpp"
#include "trained.hpp"

namespace dk::test::learned_kernel_test {
namespace {

KernelPointer restored_kernel(const std::string& text, const Dataset& data, std::vector<KernelState> states) {
    Control control;
    return restore_kernel(text, data, std::move(states), control);
}

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix matrix_of(const KernelPointer& kernel, const Dataset& left, const Dataset& right, int threads = 1) {
    const auto values = gram_matrix(kernel, left, right, threads);
    return Eigen::Map<const Matrix>(values.data(), left.rows(), right.rows());
}

std::vector<KernelState> states_of(const KernelPointer& kernel) {
    std::vector<const KernelState*> found;
    kernel->collect_states(found);
    std::vector<KernelState> states;
    for (const auto* state : found) states.push_back(*state);
    return states;
}

Dataset some_strings() {
    return Dataset(StringSet{{"abcab", "cabba", "", "aaaa", "bcbc", "abcabc", "ab"}});
}

/// Makes a matrix with eigenvalues of both signs and zero, at random angles.
std::vector<double> indefinite(Index n, std::uint64_t seed) {
    const auto values = normal_values(n * n, seed);
    const Eigen::Map<const Matrix> square(values.data(), n, n);
    const Matrix out = square + square.transpose();
    return {out.data(), out.data() + out.size()};
}

void expect_close(const Matrix& found, const Matrix& expected, double bound, const std::string& name) {
    const double scale = std::max(expected.cwiseAbs().maxCoeff(), 1e-300);
    EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), bound * scale) << name;
}

TEST(Centred, TrainingRowsAreHkh) {
    const Dataset vectors = random_dense(150, 4, 1, 2);
    const Dataset texts = some_strings();
    for (const auto& [kernel, data] : {std::pair<std::string, Dataset>{"rbf(gamma=0.1)", vectors},
                                       {"poly(degree=3)", vectors},
                                       {"arccos(1, 0)", vectors},
                                       {"linear + 5", to_sparse(vectors)},
                                       {"sigmoid(gamma=0.1)", vectors},
                                       {"spectrum(length=2)", texts},
                                       {"gram", gram_data(40, indefinite(40, 2))}}) {
        const Index n = data.rows();
        const auto centred = make_kernel("center(" + kernel + ")", data);
        const Matrix found = matrix_of(centred, data, data);
        const Matrix h = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / static_cast<double>(n));
        const Matrix inner = matrix_of(make_kernel(kernel, data), data, data);
        const double scale = inner.cwiseAbs().maxCoeff();
        EXPECT_LE((found - h * inner * h).cwiseAbs().maxCoeff(), 1e-12 * scale) << kernel;
        EXPECT_LE(found.rowwise().sum().cwiseAbs().maxCoeff(), 1e-11 * scale) << kernel;
        EXPECT_LE(found.colwise().sum().cwiseAbs().maxCoeff(), 1e-11 * scale) << kernel;
        const auto self = GramEngine<double>(centred, data, data).self(Side::left);
        for (Index i = 0; i < n; ++i) EXPECT_NEAR(self[i], found(i, i), 1e-13 * scale) << kernel;
    }
}

TEST(Centred, NewRowsByTheDefinition) {
    const Dataset data = random_dense(60, 3, 3, 1);
    const Dataset left = random_dense(20, 3, 4, 1);
    const Dataset right = random_dense(25, 3, 5, 1);
    for (const char* kernel : {"rbf(gamma=0.3)", "poly(degree=2)", "linear"}) {
        const auto inner = make_kernel(kernel, data);
        const auto centred = make_kernel(text("center(", kernel, ")"), data);
        const Matrix to_data = matrix_of(inner, left, data);
        const Matrix from_data = matrix_of(inner, data, right);
        Matrix expected = matrix_of(inner, left, right);
        expected.colwise() -= to_data.rowwise().mean();
        expected.rowwise() -= from_data.colwise().mean();
        expected.array() += matrix_of(inner, data, data).mean();
        expect_close(matrix_of(centred, left, right), expected, 1e-13, kernel);
        // A new row that equals a training row has the same values.
        expect_close(matrix_of(centred, data.select(std::vector<Index>{7, 3}), right),
                     matrix_of(centred, data, right)(std::vector<Index>{7, 3}, Eigen::all), 1e-13, kernel);
    }
}

/// The centred linear kernel has the features of the centred rows.
TEST(Centred, LinearIsCentringTheRows) {
    const Dataset data = random_dense(30, 4, 6, 3);
    Eigen::Map<const Matrix> rows(data.dense().values.data(), 30, 4);
    const Matrix moved = rows.rowwise() - rows.colwise().mean();
    expect_close(matrix_of(make_kernel("center(linear)", data), data, data), moved * moved.transpose(), 1e-13,
                 "center(linear)");
}

TEST(Centred, InsideAndAroundOthers) {
    const Dataset data = random_dense(40, 3, 7);
    const Matrix h = Matrix::Identity(40, 40) - Matrix::Constant(40, 40, 1.0 / 40);
    const Matrix rbf = matrix_of(make_kernel("rbf(gamma=0.5)", data), data, data);
    const Matrix linear = matrix_of(make_kernel("linear", data), data, data);
    expect_close(matrix_of(make_kernel("2*center(rbf(gamma=0.5)) + linear", data), data, data),
                 2 * h * rbf * h + linear, 1e-12, "sum");
    expect_close(matrix_of(make_kernel("center(center(rbf(gamma=0.5)))", data), data, data), h * rbf * h,
                 1e-12, "twice");
    const Matrix product = (h * rbf * h).cwiseProduct(linear);
    expect_close(matrix_of(make_kernel("center(center(rbf(gamma=0.5))*linear)", data), data, data),
                 h * product * h, 1e-12, "product");
}

TEST(Centred, CostsMoreForEachAroundAnotherSoThatTheyAreFew) {
    const Dataset data = random_dense(10, 3, 7);
    EXPECT_NO_THROW(make_kernel("center(center(center(center(linear))))", data));
    for (const char* kernel : {"center(center(center(center(center(linear)))))",
                               "center(exp(center(rbf*center(2*center(center(linear)) + rbf))))"}) {
        const auto message = message_of(Status::invalid_kernel, [&] { make_kernel(kernel, data); });
        EXPECT_NE(message.find("more than 4 times"), std::string::npos) << message;
    }
}

/// No kernel may learn from a shifted one: the shift is on the training diagonal alone, and rows that come
/// later do not know it.
TEST(Corrected, ShiftsStandOutside) {
    const Dataset data = gram_data(40, indefinite(40, 8));
    for (const char* text :
         {"center(corrected(gram, method=shift))", "lowrank(corrected(gram, method=shift), rank=40)",
          "corrected(2*corrected(gram, method=shift) + gram, method=clip)",
          "center(exp(0.1*corrected(gram, method=shift)))"}) {
        const auto message = message_of(Status::invalid_kernel, [&] { make_kernel(text, data); });
        EXPECT_NE(message.find("shift"), std::string::npos) << message;
    }
    EXPECT_NO_THROW(make_kernel("corrected(center(gram), method=shift)", data));
}

/// Gives the matrix with f of the eigenvalues.
Matrix with_eigenvalues(const Matrix& matrix, const std::function<double(double)>& f) {
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix);
    return solver.eigenvectors() * solver.eigenvalues().unaryExpr(f).asDiagonal() *
           solver.eigenvectors().transpose();
}

const std::vector<std::pair<std::string, std::function<double(double)>>>& spectral_methods() {
    static const std::vector<std::pair<std::string, std::function<double(double)>>> all{
        {"clip", [](double v) { return std::max(v, 0.0); }},
        {"flip", [](double v) { return std::abs(v); }},
        {"square", [](double v) { return v * v; }}};
    return all;
}

struct Indefinite {
    std::string kernel;
    Dataset data;
};

std::vector<Indefinite> indefinite_kernels() {
    return {{"sigmoid(gamma=0.7, coef0=-1)", random_dense(70, 3, 9)},
            {"sigmoid(gamma=0.7, coef0=-1)", to_sparse(random_dense(50, 3, 10))},
            {"gram", gram_data(45, indefinite(45, 11))},
            {"linear + -0.5*rbf(gamma=1)", random_dense(60, 4, 12)},
            {"edit(gamma=0.1)", some_strings()}};
}

TEST(Corrected, EigenvaluesOfTheTrainingRows) {
    for (const auto& [kernel, data] : indefinite_kernels()) {
        const Matrix inner = matrix_of(make_kernel(kernel, data), data, data);
        const Eigen::SelfAdjointEigenSolver<Matrix> solver(inner);
        if (kernel.find("edit") == std::string::npos) {
            ASSERT_LT(solver.eigenvalues().minCoeff(), -1e-3)
                << kernel;  // Otherwise there would be nothing to test.
        }
        for (const auto& [method, f] : spectral_methods()) {
            if (solver.eigenvalues().minCoeff() >= 0) continue;
            const auto corrected = make_kernel("corrected(" + kernel + ", method=" + method + ")", data);
            EXPECT_TRUE(corrected->positive_semidefinite()) << kernel;
            expect_close(matrix_of(corrected, data, data), with_eigenvalues(inner, f), 1e-8,
                         kernel + ", " + method);
        }
    }
}

TEST(Corrected, ShiftAddsTheLowestToTheDiagonal) {
    for (const auto& [kernel, data] : indefinite_kernels()) {
        const Matrix inner = matrix_of(make_kernel(kernel, data), data, data);
        const double lowest = Eigen::SelfAdjointEigenSolver<Matrix>(inner).eigenvalues().minCoeff();
        if (lowest >= 0) continue;
        const auto corrected = make_kernel("corrected(" + kernel + ", method=shift)", data);
        const Matrix found = matrix_of(corrected, data, data);
        expect_close(found, inner + std::abs(lowest) * Matrix::Identity(inner.rows(), inner.cols()), 1e-12,
                     kernel);
        EXPECT_EQ(found - Matrix(found.diagonal().asDiagonal()),
                  inner - Matrix(inner.diagonal().asDiagonal()))
            << kernel;
        EXPECT_GE(Eigen::SelfAdjointEigenSolver<Matrix>(found).eigenvalues().minCoeff(),
                  -1e-10 * found.cwiseAbs().maxCoeff());
    }
}

/// Rows chosen from the training rows know which ones they are, however often one of them is chosen.
TEST(Corrected, ShiftedRowsOfChosenTwins) {
    const Dataset data = random_dense(70, 3, 13);
    const auto corrected = make_kernel("corrected(sigmoid(gamma=0.7, coef0=-1), method=shift)", data);
    const Matrix whole = matrix_of(corrected, data, data);
    const std::vector<Index> chosen{5, 69, 0, 5};
    const Dataset right = data.select(chosen);
    BegunControl control;
    const GramEngine<double> engine(corrected, data, right);
    std::vector<double> values(70 * chosen.size());
    engine.matrices(values.data(), control);
    for (std::size_t i = 0; i < 70; ++i) {
        for (std::size_t j = 0; j < chosen.size(); ++j) {
            EXPECT_NEAR(values[i * chosen.size() + j], whole(static_cast<Index>(i), chosen[j]), 1e-14);
        }
    }
    const std::vector<Index> wanted{5, 1, 5, 69, 69};
    std::vector<double> rows(wanted.size() * chosen.size());
    engine.rows_of(wanted, rows.data(), control);
    for (std::size_t r = 0; r < wanted.size(); ++r) {
        for (std::size_t j = 0; j < chosen.size(); ++j) {
            EXPECT_NEAR(rows[r * chosen.size() + j], whole(wanted[r], chosen[j]), 1e-14)
                << "row " << wanted[r] << " asked for at " << r << ", column " << chosen[j];
        }
    }
}

TEST(Corrected, NewRowsAreTreatedAsTrainingRows) {
    const Dataset data = random_dense(50, 3, 14);
    const std::vector<Index> some{3, 14, 49};
    for (const auto& [method, f] : spectral_methods()) {
        const auto corrected =
            make_kernel("corrected(sigmoid(gamma=0.7, coef0=-1), method=" + method + ")", data);
        const Matrix training = matrix_of(corrected, data, data);
        expect_close(matrix_of(corrected, data.select(some), data), training(some, Eigen::all), 1e-9, method);
        // The value is k(x, Z) U f(L) / L^2 U' k(Z, z).
        const Dataset left = random_dense(7, 3, 15);
        const auto inner = make_kernel("sigmoid(gamma=0.7, coef0=-1)", data);
        const Matrix to_data = matrix_of(inner, left, data);
        const Matrix middle = with_eigenvalues(matrix_of(inner, data, data), [&, &g = f](double v) {
            return std::abs(v) < 1e-12 ? 0.0 : g(v) / (v * v);
        });
        const Matrix expected = to_data * middle * to_data.transpose();
        // Eigenvalues far below the largest are left out, so only most of the digits are the same.
        expect_close(matrix_of(corrected, left, left), expected, 1e-4, method);
    }
}

TEST(Corrected, SemidefiniteKernelsAreLeftAlone) {
    const Dataset data = random_dense(30, 3, 16);
    BegunControl control;
    for (const char* text : {"rbf", "linear", "poly(degree=2)", "laplacian", "arccos(0)"}) {
        const auto kernel = make_kernel(text, data);
        for (const char* method : {"clip", "flip", "square", "shift"}) {
            const Correction correction = corrected(kernel, spectrum_method(method), data, control);
            EXPECT_EQ(correction.kernel, kernel) << text;
            EXPECT_FALSE(correction.changed) << text;
            EXPECT_EQ(correction.negative_eigenvalues, 0) << text;
            EXPECT_EQ(make_kernel(dk::text("corrected(", text, ", method=", method, ")"), data)->text(),
                      kernel->text());
        }
    }
}

TEST(Corrected, CountsWhatWasNegative) {
    // The eigenvalues of this matrix are 3, -1 and 0.5.
    const Dataset data = gram_data(3, {1, 2, 0, 2, 1, 0, 0, 0, 0.5});
    BegunControl control;
    const Correction correction = corrected(make_kernel("gram", data), SpectrumMethod::clip, data, control);
    EXPECT_TRUE(correction.changed);
    EXPECT_EQ(correction.negative_eigenvalues, 1);
    EXPECT_NEAR(correction.lowest_eigenvalue, -1, 1e-14);
    EXPECT_NEAR(correction.highest_eigenvalue, 3, 1e-14);
    Matrix expected(3, 3);
    expected << 1.5, 1.5, 0, 1.5, 1.5, 0, 0, 0, 0.5;
    expect_close(matrix_of(correction.kernel, data, data), expected, 1e-13, "clip");
    const Dataset negative = gram_data(2, {-1, 0, 0, -2});
    message_of(Status::numerical, [&] { make_kernel("corrected(gram)", negative); });
    expected.resize(2, 2);
    expected << 1, 0, 0, 2;
    expect_close(matrix_of(make_kernel("corrected(gram, method=flip)", negative), negative, negative),
                 expected, 1e-13, "flip");
}

/// A kernel follows from its text and its states, whatever other kernels stand around it.
TEST(LearnedKernels, StatesRestoreThem) {
    const Dataset data = random_dense(60, 4, 17, 0.5);
    const Dataset other = random_dense(15, 4, 18, 0.5);
    for (const char* text : {
             "center(poly)",
             "center(center(rbf) + linear)",
             "lowrank(rbf, rank=12)",
             "lowrank(laplacian, rank=7, method=uniform, seed=4)",
             "lowrank(rbf, rank=9, method=kmeans)",
             "lowrank(arccos(1, 0), rank=33, method=random)",
             "on(0:1, lowrank(cauchy, rank=8, method=random))",
             "center(lowrank(rbf, rank=10))",
             "lowrank(center(rbf), rank=10)",
             "corrected(sigmoid(coef0=-1))",
             "corrected(sigmoid(coef0=-1), method=flip)",
             "corrected(sigmoid(coef0=-1), method=shift)",
             "corrected(sigmoid(coef0=-1), method=square)",
             "normalize(corrected(sigmoid(coef0=-1), method=flip))",
             "2*center(rbf)*lowrank(linear, rank=3) + (center(linear))^2 + exp(lowrank(rbf, rank=5)) + 1",
             "lowrank(corrected(sigmoid(coef0=-1)), rank=20)",
             "center(rbf(gamma=median)) + corrected(rbf)",
             "on(1:2, center(rbf)) + on(0, 3, lowrank(rbf, rank=6))",
         }) {
        const auto kernel = make_kernel(text, data);
        const auto restored = restored_kernel(kernel->text(), data, states_of(kernel));
        EXPECT_EQ(restored->text(), kernel->text());
        EXPECT_EQ(restored->positive_semidefinite(), kernel->positive_semidefinite()) << text;
        EXPECT_EQ(gram_matrix(restored, data, data), gram_matrix(kernel, data, data)) << text;
        EXPECT_EQ(gram_matrix(restored, other, data), gram_matrix(kernel, other, data)) << text;
        // Other rows do not change what was learned.
        const auto elsewhere = restored_kernel(kernel->text(), other, states_of(kernel));
        EXPECT_EQ(gram_matrix(elsewhere, other, data), gram_matrix(kernel, other, data)) << text;
        EXPECT_EQ(states_of(restored).size(), states_of(kernel).size()) << text;
    }
}

TEST(LearnedKernels, SemidefiniteWhereTheySaySo) {
    const Dataset data = random_dense(50, 3, 23);
    for (const char* text : {"center(rbf)", "center(poly)*laplacian", "lowrank(sigmoid(coef0=-1), rank=20)",
                             "lowrank(arccos(1, 1), rank=40, method=random)", "lowrank(center(rbf), rank=9)",
                             "corrected(sigmoid(coef0=-1)) + center(linear)"}) {
        const auto kernel = make_kernel(text, data);
        EXPECT_TRUE(kernel->positive_semidefinite()) << text;
        const Matrix matrix = matrix_of(kernel, data, data);
        const auto eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(matrix).eigenvalues();
        EXPECT_GE(eigenvalues.minCoeff(), -1e-10 * eigenvalues.maxCoeff()) << text;
    }
    EXPECT_FALSE(make_kernel("center(sigmoid(coef0=-1))", data)->positive_semidefinite());
}

TEST(LearnedKernels, DamagedStatesAreRefused) {
    const Dataset data = random_dense(20, 3, 19);
    for (const char* text : {"center(rbf)", "lowrank(rbf, rank=5)", "lowrank(rbf, rank=6, method=random)",
                             "corrected(sigmoid(coef0=-1), method=shift)"}) {
        const auto kernel = make_kernel(text, data);
        message_of(Status::model_format, [&] { restored_kernel(kernel->text(), data, {}); });
        auto states = states_of(kernel);
        states.front().numbers.push_back(1);
        message_of(Status::model_format, [&] { restored_kernel(kernel->text(), data, std::move(states)); });
        message_of(Status::model_format, [&] { restored_kernel(kernel->text(), data, {KernelState{}}); });
    }
}

/// A model file may hold any state, but no state may lead outside of the data.
TEST(LearnedKernels, ImpossibleStatesAreRefused) {
    const Dataset data = random_dense(20, 3, 21);
    const auto expect_error = [&](const std::string& kernel,
                                  const std::function<void(KernelState&)>& damage) {
        const auto made = make_kernel(kernel, data);
        auto states = states_of(made);
        damage(states.front());
        EXPECT_THROW(
            {
                const auto restored = restored_kernel(made->text(), data, std::move(states));
                gram_matrix(restored, data, data);
            },
            Error)
            << kernel;
    };
    for (const char* kernel : {"lowrank(rbf, rank=5)", "center(rbf)", "corrected(sigmoid(coef0=-1))"}) {
        expect_error(kernel, [&](KernelState& state) { state.rows.front() = random_dense(5, 7, 22); });
        expect_error(kernel, [&](KernelState& state) { state.rows.clear(); });
    }
    const char* random = "lowrank(rbf, rank=6, method=random)";
    // The state holds the features, the number of columns, and the columns.
    expect_error(random, [](KernelState& state) { state.shape[2] = 1000; });
    expect_error(random, [](KernelState& state) { state.shape[4] = -1; });
    expect_error(random, [](KernelState& state) { state.shape[1] = 9223372036854775807; });
    expect_error(random, [](KernelState& state) { state.shape[0] = 0; });
    expect_error(random, [](KernelState& state) { state.shape.back() = 4; });
    expect_error(random, [](KernelState& state) { state.shape.clear(); });
}

TEST(LearnedKernels, BitsDoNotDependOnThreads) {
    const Dataset data = random_dense(140, 4, 20);
    for (const char* text : {"center(rbf)", "corrected(sigmoid(coef0=-1))",
                             "corrected(sigmoid(coef0=-1), method=square)", "center(poly)*rbf"}) {
        BegunControl one;
        const auto kernel = make_kernel(text, data, &one);
        const auto expected = gram_matrix(kernel, data, data, 1);
        for (const int threads : {2, 3}) {
            BegunControl control(threads);
            EXPECT_EQ(gram_matrix(make_kernel(text, data, &control), data, data, threads), expected) << text;
        }
    }
}

TEST(LearnedKernels, BanksAskForAllThatTheyLearn) {
    // Each of 60 kernels holds 300 x 60 reference values, which take 144,000 bytes, and a number, so that 36
    // fit 5 MiB.
    const Dataset data = blobs(300, 60, 2, 3, 5);
    const std::string bank = "each_feature(center(rbf(gamma=1)))";
    const std::string message = message_of(Status::memory_budget, [&] {
        trained("mean_of_class", data, {{"kernel", bank}, {"memory_mb", "5"}});
    });
    EXPECT_NE(message.find("first 37 kernels"), std::string::npos) << message;
    trained("mean_of_class", data, {{"kernel", bank}, {"memory_mb", "40"}});
}

}  // namespace
}  // namespace dk::test::learned_kernel_test
