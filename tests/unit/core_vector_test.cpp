// SPDX-License-Identifier: Apache-2.0
// These tests compare the program of core vector machines with brute force, and the machines with the support
// vector machines that they are.
#include "machine/core_vector/core_vector_program.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "solve/ball/enclosing_ball.hpp"
#include "trained.hpp"

namespace dk::test::core_vector_test {
namespace {

/// This source has its positive definite matrix in memory.
class StoredCore final : public TileSource {
  public:
    explicit StoredCore(Eigen::MatrixXd matrix) : matrix_(std::move(matrix)) {
        for (Index i = 0; i < matrix_.rows(); ++i) diagonal_.push_back(matrix_(i, i));
    }
    std::span<const double> diagonal() const override { return diagonal_; }
    Matrix values(std::span<const Index> left, std::span<const Index> right, Control&) override {
        return matrix_(left, right);
    }
    Vector products(std::span<const Index> core, const ConstVectorRef& alpha, Control&) override {
        return matrix_(Eigen::all, core) * alpha;
    }
    const Eigen::MatrixXd& matrix() const { return matrix_; }

  private:
    Eigen::MatrixXd matrix_;
    std::vector<double> diagonal_;
};

Eigen::MatrixXd random_matrix(Index n, Index rank, std::uint64_t seed) {
    const auto values = normal_values(n * rank, seed);
    const Eigen::Map<const Eigen::MatrixXd> factor(values.data(), n, rank);
    return factor * factor.transpose() + 0.05 * Eigen::MatrixXd::Identity(n, n);
}

/// Minimises a'Ka over the simplex by trying every choice of the rows with weight.
double least_value(const Eigen::MatrixXd& k) {
    const Index n = k.rows();
    double best = std::numeric_limits<double>::infinity();
    for (Index choice = 1; choice < (Index{1} << n); ++choice) {
        std::vector<Index> rows;
        for (Index i = 0; i < n; ++i) {
            if ((choice >> i & 1) != 0) rows.push_back(i);
        }
        Eigen::MatrixXd part(std::ssize(rows), std::ssize(rows));
        for (Index r = 0; r < std::ssize(rows); ++r) {
            for (Index c = 0; c < std::ssize(rows); ++c) part(r, c) = k(rows[r], rows[c]);
        }
        // At the optimum K a = value 1 on the chosen rows.
        const Eigen::VectorXd solved = part.ldlt().solve(Eigen::VectorXd::Ones(std::ssize(rows)));
        if (solved.minCoeff() < 0) continue;
        best = std::min(best, 1 / solved.sum());
    }
    return best;
}

double value_of(const CoreSetSolution& solution, const Eigen::MatrixXd& k) {
    double value = 0;
    for (std::size_t r = 0; r < solution.core.size(); ++r) {
        for (std::size_t c = 0; c < solution.core.size(); ++c)
            value += solution.alpha[r] * solution.alpha[c] * k(solution.core[r], solution.core[c]);
    }
    return value;
}

void expect_feasible(const CoreSetSolution& solution) {
    double sum = 0;
    for (const double a : solution.alpha) {
        EXPECT_GT(a, 0);
        sum += a;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_TRUE(std::ranges::is_sorted(solution.core));
}

TEST(CoreSet, SmallProgramsAgainstEveryChoiceOfRows) {
    BegunControl control;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        StoredCore source(random_matrix(11, seed % 2 == 0 ? 11 : 3, seed));
        const auto solution = solve_core_set(source, {.gap = 1e-10, .seed = seed}, control);
        expect_feasible(solution);
        EXPECT_TRUE(solution.converged);
        EXPECT_NEAR(solution.objective, least_value(source.matrix()), 1e-8 * solution.objective) << seed;
        EXPECT_NEAR(solution.objective, value_of(solution, source.matrix()), 1e-12);
    }
}

TEST(CoreSet, TheGapIsACertificate) {
    BegunControl control;
    StoredCore source(random_matrix(700, 30, 21) + 2 * Eigen::MatrixXd::Identity(700, 700));
    const auto exact = solve_core_set(source, {.gap = 1e-8}, control);
    ASSERT_TRUE(exact.converged);
    const double least = exact.objective;
    for (const double gap : {0.5, 0.2, 0.05, 0.01}) {
        const auto solution = solve_core_set(source, {.gap = gap}, control);
        expect_feasible(solution);
        EXPECT_TRUE(solution.converged);
        EXPECT_LE(solution.gap, gap * (1 + 1e-9));
        EXPECT_GE(least, (1 - solution.gap) * solution.objective * (1 - 1e-8));
        EXPECT_GE(solution.objective, least * (1 - 1e-8));
    }
}

/// This source has the matrix F F' + I, and rough products of some kind. It counts both kinds of products.
class FactoredCore final : public TileSource {
  public:
    enum class Rough { none, single, blind, not_a_number, alarmed, noisy };

    FactoredCore(Index rows, Index rank, Rough rough)
        : factor_(Eigen::MatrixXd::Map(normal_values(rows * rank, 31, 0.5).data(), rows, rank)),
          rough_(rough) {
        for (Index i = 0; i < rows; ++i) diagonal_.push_back(factor_.row(i).squaredNorm() + 1);
    }
    std::span<const double> diagonal() const override { return diagonal_; }
    Matrix values(std::span<const Index> left, std::span<const Index> right, Control&) override {
        Matrix out = factor_(left, Eigen::all) * factor_(right, Eigen::all).transpose();
        for (std::size_t i = 0; i < left.size(); ++i) {
            for (std::size_t j = 0; j < right.size(); ++j) out(i, j) += left[i] == right[j] ? 1.0 : 0.0;
        }
        return out;
    }
    Vector products(std::span<const Index> core, const ConstVectorRef& alpha, Control&) override {
        ++exact_looks;
        return exact(core, alpha);
    }
    bool has_rough_products() const override { return rough_ != Rough::none; }
    Vector rough_products(std::span<const Index> core, const ConstVectorRef& alpha, Control&) override {
        ++rough_looks;
        if (rough_ == Rough::single) return exact(core, alpha).cast<float>().cast<double>();
        if (rough_ == Rough::blind) return Vector::Constant(size(), 1e9);
        if (rough_ == Rough::alarmed) return Vector::Constant(size(), -1);
        if (rough_ == Rough::not_a_number)
            return Vector::Constant(size(), std::numeric_limits<double>::quiet_NaN());
        const auto noise = normal_values(size(), rough_looks, 0, 0.2);
        return exact(core, alpha).cwiseProduct(Vector::Map(noise.data(), size()) + Vector::Ones(size()));
    }
    Vector exact(std::span<const Index> core, const ConstVectorRef& alpha) const {
        Vector out = factor_ * (factor_(core, Eigen::all).transpose() * alpha);
        for (std::size_t c = 0; c < core.size(); ++c) out[core[c]] += alpha[c];
        return out;
    }

    Index exact_looks = 0;
    Index rough_looks = 0;

  private:
    Eigen::MatrixXd factor_;
    Rough rough_;
    std::vector<double> diagonal_;
};

TEST(CoreSet, RoughLooksNeverDecideThatItIsFound) {
    using Rough = FactoredCore::Rough;
    for (const Rough rough :
         {Rough::none, Rough::single, Rough::blind, Rough::not_a_number, Rough::alarmed, Rough::noisy}) {
        for (const double gap : {0.5, 0.2}) {
            SCOPED_TRACE(text("rough products ", int(rough), ", gap ", gap));
            BegunControl control;
            FactoredCore source(6000, 12, rough);
            const auto solution = solve_core_set(source, {.gap = gap}, control);
            expect_feasible(solution);
            EXPECT_TRUE(solution.converged);
            EXPECT_LE(solution.gap, gap * (1 + 1e-9));
            EXPECT_LE(std::ssize(solution.core), 2000);  // Rows that only seem to violate don't join.
            const auto alpha = ConstVectorView(solution.alpha.data(), std::ssize(solution.alpha));
            const double lowest = source.exact(solution.core, alpha).minCoeff() / solution.objective;
            EXPECT_NEAR(solution.gap, 1 - lowest * lowest, 1e-9);
            EXPECT_EQ(solution.scans, source.exact_looks + source.rough_looks);
            EXPECT_EQ(solution.rough_scans, source.rough_looks);
            EXPECT_GE(source.exact_looks, 1);
            EXPECT_EQ(source.rough_looks > 0, rough != Rough::none);
        }
    }
}

TEST(CoreSet, ShortfallsBelowRoundingAreLookedForExactly) {
    BegunControl control;
    FactoredCore source(6000, 12, FactoredCore::Rough::single);
    const auto solution = solve_core_set(source, {.gap = 1e-8}, control);
    EXPECT_TRUE(solution.converged);
    EXPECT_EQ(solution.rough_scans, 0);
}

TEST(CoreSet, RoundsThatEndEarlyHaveAnExactGap) {
    BegunControl control;
    FactoredCore source(6000, 12, FactoredCore::Rough::blind);
    const auto solution = solve_core_set(source, {.gap = 0.001, .most_rounds = 3}, control);
    EXPECT_FALSE(solution.converged);
    const auto alpha = ConstVectorView(solution.alpha.data(), std::ssize(solution.alpha));
    const double lowest = source.exact(solution.core, alpha).minCoeff() / solution.objective;
    EXPECT_NEAR(solution.gap, lowest < 0 ? 1 : 1 - lowest * lowest, 1e-9);
}

TEST(CoreSet, LimitsAreKeptAndReported) {
    BegunControl control;
    StoredCore source(random_matrix(900, 200, 22));
    const auto few = solve_core_set(source, {.gap = 1e-6, .most_core = 60}, control);
    EXPECT_LE(std::ssize(few.core), 60);
    EXPECT_FALSE(few.converged);
    EXPECT_GT(few.gap, 1e-6);
    const auto one = solve_core_set(source, {.gap = 1e-6, .most_rounds = 1}, control);
    EXPECT_EQ(one.rounds.size(), 1U);
    EXPECT_FALSE(one.converged);
}

TEST(CoreSet, ExcludedRowsStayOut) {
    BegunControl control;
    StoredCore source(random_matrix(40, 5, 23));
    std::vector<char> excluded(40);
    for (std::size_t i = 0; i < 40; i += 2) excluded[i] = 1;
    const auto solution = solve_core_set(source, {.gap = 1e-8, .excluded = excluded}, control);
    for (const Index i : solution.core) EXPECT_EQ(i % 2, 1);
    EXPECT_TRUE(solution.converged);
}

TEST(CoreSet, ThePapersMethodsApproachTheSameBall) {
    BegunControl control;
    StoredCore source(random_matrix(150, 20, 24));
    const double least = solve_core_set(source, {.gap = 1e-9}, control).objective;
    const auto literal = solve_core_vectors(source, {.epsilon = 1e-6, .sample = 150}, control);
    expect_feasible(literal);
    EXPECT_TRUE(literal.converged);
    EXPECT_NEAR(literal.objective, least, 0.01 * least);
    const auto ball = solve_enclosing_ball(source, {.epsilon = 1e-4, .sample = 150}, control);
    EXPECT_TRUE(ball.converged);
    EXPECT_GE(ball.objective, least * (1 - 1e-9));
    EXPECT_GE(least, (1 - ball.gap) * ball.objective * (1 - 1e-9));  // The gap that it reports is true.
}

/// The kernel matrix of a support vector machine with squared hinge loss: y_i y_j (k_ij + 1) + delta_ij / C.
Eigen::MatrixXd labelled_gram(Index n, double cost, std::uint64_t seed) {
    const Dataset data = random_dense(n, 4, seed);
    const auto values = gram_matrix(make_kernel("rbf(gamma=0.5)", data), data, data);
    const auto noise = normal_values(n, seed + 1);
    Eigen::VectorXd y(n);
    for (Index i = 0; i < n; ++i) y[i] = data.dense().row(i)[0] + 0.5 * noise[i] > 0 ? 1 : -1;
    Eigen::MatrixXd k = Eigen::Map<const Eigen::MatrixXd>(values.data(), n, n).array() + 1;
    k = y.asDiagonal() * k * y.asDiagonal();
    k.diagonal().array() += 1 / cost;
    return k;
}

/// Where the core set's own program is not solved well enough for a small epsilon, its rows are the farthest
/// and hide those outside, and the machine stops with too small a ball.
TEST(CoreSet, RowsOfTheCoreDoNotHideOthers) {
    BegunControl control;
    StoredCore source(labelled_gram(250, 100, 31));
    const Eigen::MatrixXd& k = source.matrix();
    const double least = solve_core_set(source, {.gap = 1e-9}, control).objective;
    const double eta = k.diagonal().maxCoeff();
    for (const double epsilon : {1e-3, 1e-5}) {
        for (const Index sample : {60, 250}) {
            const auto found = solve_core_vectors(source, {.epsilon = epsilon, .sample = sample}, control);
            expect_feasible(found);
            EXPECT_TRUE(found.converged);
            const Eigen::VectorXd products = k(Eigen::all, found.core) * as_vector(found.alpha);
            const double squared_radius = eta - found.objective;
            const double farthest = found.objective + eta - 2 * products.minCoeff();
            EXPECT_LE(farthest, (1 + epsilon) * (1 + epsilon) * squared_radius * (1 + 1e-12)) << epsilon;
            const double above = epsilon == 1e-5 ? 1.001 : infinity;
            EXPECT_LE(found.objective, above * least);
        }
    }
}

TEST(CoreSet, SamplesOfGroupsThatAreAllInTheCoreEnd) {
    BegunControl control;
    StoredCore source(random_matrix(12, 12, 33));
    BallOptions options{.epsilon = 1e-9, .sample = 3};
    for (Index i = 0; i < 12; ++i) options.groups.push_back(i < 2 ? 0 : 1);
    const auto found = solve_core_vectors(source, options, control);
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.objective, least_value(source.matrix()), 1e-5 * found.objective);
}

/// Rows x = -1, 1 with those labels have alpha = 1/2 each, a'Ka = 3/2, w = 2/3 and no offset.
TEST(CoreVectorMachine, TwoPointsByHand) {
    const Dataset data = with_labels(dense(2, 1, {-1, 1}), {-1, 1});
    for (const char* machine : {"cvm", "mcvm"}) {
        const Model model = trained(machine, data, {{"kernel", "linear"}, {"C", "1"}});
        const auto decisions = decided(model, dense(3, 1, {-1, 1, 0.5}));
        EXPECT_NEAR(decisions[0], -2.0 / 3, 1e-9) << machine;
        EXPECT_NEAR(decisions[1], 2.0 / 3, 1e-9);
        EXPECT_NEAR(decisions[2], 1.0 / 3, 1e-9);
    }
}

/// Rows x = 1, 2 with labels -1, 1 and no offset: (k y y' + 1) beta = 1 has the solution beta = 7/6, 2/3, so
/// that w = 1/6. With more classes a constant column acts as an offset.
TEST(CoreVectorMachine, WithoutAnOffset) {
    const Dataset two = with_labels(dense(2, 1, {1, 2}), {-1, 1});
    for (const char* machine : {"cvm", "mcvm"}) {
        const Model model =
            trained(machine, two, {{"kernel", "linear"}, {"C", "1"}, {"offset", "no"}, {"gap", "1e-11"}});
        const auto decisions = decided(model, dense(3, 1, {0, 1, -6}));
        EXPECT_NEAR(decisions[0], 0, 1e-12) << machine;
        EXPECT_NEAR(decisions[1], 1.0 / 6, 1e-9);
        EXPECT_NEAR(decisions[2], -1, 1e-8);
    }
    const Dataset many = blobs(150, 2, 3, 2, 37);
    const auto with_column = [](const Dataset& data) {
        std::vector<double> values;
        for (Index i = 0; i < data.rows(); ++i) {
            const auto row = data.dense().row(i);
            values.insert(values.end(), row.begin(), row.end());
            values.push_back(1);
        }
        return data.with_features(DenseMatrix{data.rows(), data.cols() + 1, values});
    };
    for (const char* machine : {"cvm", "mcvm"}) {
        const Model column =
            trained(machine, with_column(many), {{"kernel", "linear"}, {"offset", "no"}, {"gap", "1e-11"}});
        const Model offset = trained(machine, many, {{"kernel", "linear"}, {"gap", "1e-11"}});
        const auto first = decided(column, with_column(many));
        const auto second = decided(offset, many);
        for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(first[i], second[i], 1e-6) << machine;
    }
}

/// Solves the squared hinge with a penalised offset by Newton's method on the active set: (K_ss + 1 + I/C) u
/// = y_s, f = (K + 1)_s u, where s are the rows with y f < 1.
Eigen::VectorXd newton_coefficients(const Eigen::MatrixXd& k, const Eigen::VectorXd& y, double c) {
    const Index n = k.rows();
    std::vector<Index> active(n);
    for (Index i = 0; i < n; ++i) active[i] = i;
    Eigen::VectorXd u = Eigen::VectorXd::Zero(n);
    for (int round = 0; round < 100; ++round) {
        Eigen::MatrixXd system(std::ssize(active), std::ssize(active));
        Eigen::VectorXd right(std::ssize(active));
        for (Index r = 0; r < std::ssize(active); ++r) {
            right(r) = y(active[r]);
            for (Index s = 0; s < std::ssize(active); ++s)
                system(r, s) = k(active[r], active[s]) + 1 + (r == s ? 1 / c : 0);
        }
        const Eigen::VectorXd part = system.ldlt().solve(right);
        u.setZero();
        for (Index r = 0; r < std::ssize(active); ++r) u(active[r]) = part(r);
        const Eigen::VectorXd f = (k.array() + 1).matrix() * u;
        std::vector<Index> next;
        for (Index i = 0; i < n; ++i) {
            if (y(i) * f(i) < 1) next.push_back(i);
        }
        if (next == active) return u;
        active = next;
    }
    ADD_FAILURE() << "Newton's method did not end";
    return u;
}

TEST(CoreVectorMachine, IsTheSquaredHingeMachineWithAPenalisedOffset) {
    const Dataset data = blobs(160, 3, 2, 1.2, 31, true);
    for (const double c : {0.1, 1.0, 20.0}) {
        const auto kernel = make_kernel("rbf(gamma=0.4)", data);
        const auto matrix = gram_matrix(kernel, data, data);
        const Eigen::Map<const Eigen::MatrixXd> k(matrix.data(), 160, 160);
        Eigen::VectorXd y(160);
        for (Index i = 0; i < 160; ++i) y(i) = data.labels->of_rows[i] == 1 ? 1 : -1;
        const Eigen::VectorXd u = newton_coefficients(k, y, c);
        const Eigen::VectorXd expected = (k.array() + 1).matrix() * u;
        for (const char* machine : {"cvm", "bvm"}) {
            const Model model = trained(
                machine, data, {{"kernel", "rbf(gamma=0.4)"}, {"C", format_number(c)}, {"gap", "1e-11"}});
            const auto decisions = decided(model, data);
            for (Index i = 0; i < 160; ++i) EXPECT_NEAR(decisions[i], expected(i), 1e-5) << machine << c;
            // Here p+ and p- have the coefficients of their sign.
            const auto a = coefficients(model);
            for (Index i = 0; i < 160; ++i) {
                EXPECT_GE(a[i], 0);
                EXPECT_EQ(a[i] > 0 && a[i + 160] > 0, false);
            }
        }
    }
}

// A ball is a valid beginning of a core set; alone it is never below the least objective.
TEST(CoreVectorMachine, TheGapIsCertainHoweverTheCoreSetBegan) {
    const Dataset data = blobs(1000, 5, 2, 1, 37);
    const auto objective = [&](const char* machine, const char* stop, const char* gap) {
        const Model model = trained(
            machine, data,
            {{"kernel", "rbf(gamma=0.3)"}, {"C", "10"}, {"neighbours", "0"}, {"stop", stop}, {"gap", gap}});
        return nlohmann::json::parse(model.training_report)["functions"][0]["objective"].get<double>();
    };
    const double exact = objective("cvm", "gap", "1e-7");
    EXPECT_LE(objective("bvm", "gap", "0.05"), exact * 0.95);
    EXPECT_NEAR(objective("bvm", "gap", "1e-6"), exact, 2e-6 * std::abs(exact));
    EXPECT_GE(objective("bvm", "epsilon", "0.05"), exact * (1 + 1e-9));
}

TEST(CoreVectorMachine, SampleWeightsAreCosts) {
    // Weight 2 counts the row twice.
    const Dataset once = blobs(60, 2, 2, 1, 33);
    Dataset weighted = once;
    weighted.sample_weights.assign(60, 1.0);
    weighted.sample_weights[4] = 2;
    std::vector<Index> rows;
    for (Index i = 0; i < 60; ++i) rows.push_back(i);
    rows.push_back(4);
    const std::vector<Setting> settings{{"kernel", "rbf(gamma=1)"}, {"C", "2"}, {"gap", "1e-11"}};
    const auto first = decided(trained("cvm", weighted, settings), once);
    const auto second = decided(trained("cvm", once.select(rows), settings), once);
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(first[i], second[i], 1e-5);
}

TEST(CoreVectorMachine, AnyDiagonalWillDo) {
    const Dataset data = blobs(200, 4, 2, 2, 35);
    for (const char* kernel : {"linear", "poly(degree=2)", "arccos(0,1,2)", "rbf(gamma=0.2)"}) {
        const Model model = trained("cvm", data, {{"kernel", kernel}, {"gap", "0.001"}});
        const Model exact = trained("svm", data, {{"kernel", kernel}, {"loss", "squared_hinge"}});
        const auto ours = decided(model, data);
        const auto theirs = decided(exact, data);
        Index different = 0;
        for (std::size_t i = 0; i < ours.size(); ++i) different += (ours[i] > 0) != (theirs[i] > 0) ? 1 : 0;
        EXPECT_LE(different, 4) << kernel;
    }
}

TEST(CoreVectorMachine, RefusesKernelsThatAreNotPositiveSemidefinite) {
    const Dataset data = blobs(30, 2, 2, 2, 36);
    for (const char* machine : {"cvm", "bvm", "mcvm"}) {
        const auto message = message_of(Status::unsupported, [&] {
            trained(machine, data, {{"kernel", "sigmoid(gamma=1)"}});
        });
        EXPECT_NE(message.find("positive semidefinite"), std::string::npos) << message;
    }
}

TEST(CoreVectorMachine, HardCasesHaveAnswers) {
    const Dataset opposite = with_labels(dense(4, 1, {1, 1, 2, 2}), {0, 1, 0, 1});
    const Dataset constant = with_labels(dense(500, 2, std::vector<double>(1000, 3.0)), [] {
        std::vector<std::int64_t> labels(500);
        for (std::size_t i = 0; i < 500; i += 3) labels[i] = 1;
        return labels;
    }());
    const Dataset two = with_labels(dense(2, 1, {0, 1}), {0, 1});
    for (const Dataset* data : {&opposite, &constant, &two}) {
        for (const char* c : {"1e-12", "1", "1e12"}) {
            for (const auto& [machine, stop] : {std::pair{"cvm", "gap"},
                                                {"cvm", "epsilon"},
                                                {"mcvm", "gap"},
                                                {"bvm", "gap"},
                                                {"bvm", "epsilon"}}) {
                const Model model =
                    trained(machine, *data, {{"kernel", "rbf(gamma=1)"}, {"C", c}, {"stop", stop}});
                for (const double f : decided(model, *data)) EXPECT_TRUE(std::isfinite(f)) << machine << c;
            }
        }
    }
}

}  // namespace
}  // namespace dk::test::core_vector_test
