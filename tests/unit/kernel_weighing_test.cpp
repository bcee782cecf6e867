// SPDX-License-Identifier: Apache-2.0
// What kernels cost in interpretable multiple-kernel prototype learning, and how alike they are: values by
// hand, the definitions, and what flat and doubled kernels must not win.
#include "machine/dictionary/kernel_weighing.hpp"

#include <nlohmann/json.hpp>

#include "kernel/language/bank.hpp"
#include "model/model.hpp"
#include "pipeline/train.hpp"
#include "support.hpp"

namespace dk::test::kernel_weighing_test {
namespace {

Matrix matrix_of(const KernelPointer& kernel, const Dataset& data) {
    const auto values = gram_matrix(kernel, data, data);
    return view(values.data(), data.rows(), data.rows());
}

/// Six rows of two classes; column b is constant and column c is 1 in the last row alone.
class SixRows : public testing::Test {
  protected:
    static constexpr std::array<double, 6> a{0, 1, 2, 6, 7, 9}, c{0, 0, 0, 0, 0, 1}, d{1, 4, 2, 3, 5, 0};
    static Dataset rows() {
        std::vector<double> values;
        for (std::size_t i = 0; i < 6; ++i) values.insert(values.end(), {a[i], 5, c[i], d[i]});
        return with_labels(dense(6, 4, values), {0, 0, 0, 1, 1, 1});
    }
    Vector costs(Centring centre) {
        Vector weights = equal_weights(facts);
        LargeMatrix gram = stream.combined(weights);
        PrototypeLearning learning(gram, {0, 3, 6}, {.prototypes = 2, .rows_of_prototype = 2}, control);
        learning.initialise();  // No row has a code, so that M = 0.
        KernelWeighing weighing(stream, facts, learning, gram,
                                {.centre = centre, .neighbours = 2, .lambda = 0, .mu = 1}, control);
        return weighing.costs();
    }

    BegunControl control;
    const MemoryBudget budget{1000};
    const Dataset data = rows();
    const Bank bank = make_bank(
        "[on(0, rbf(gamma=mean)), on(1, rbf(gamma=1)), on(2, rbf(gamma=mean)), on(3, rbf(gamma=mean))]",
        data);
    BankMatrices stream{bank, data, budget, control};
    const BankFacts facts{stream, 2048, budget, control};
};

TEST_F(SixRows, FlatKernelsAreLeftOut) {
    EXPECT_EQ(facts.informative(), (std::vector<Index>{0, 2, 3}));
    const Vector expected{{0.509363155278, 1, 0.683262356123, 0.510275971402}};
    EXPECT_LE((facts.mean_similarities() - expected).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(equal_weights(facts), (Vector{{1.0 / 3, 0, 1.0 / 3, 1.0 / 3}}));
}

TEST_F(SixRows, CostsByHand) {
    // <K, W> has the rows' own similarities, 6, beside the sums of (7), whose constant is 2 for each of 12
    // neighbours.
    const Vector of_neighbours = costs(Centring::none).array() - 6 + 24;
    EXPECT_LE(
        (of_neighbours - Vector{{6.513645823629, 17.701277589793, 21.542845440735}}).cwiseAbs().maxCoeff(),
        1e-11);
    const Vector centred = costs(Centring::local).array() - 6;
    EXPECT_LE((centred - Vector{{-11.373996313035, 1.900425863264, 3.666157097557}}).cwiseAbs().maxCoeff(),
              1e-11);
}

TEST_F(SixRows, AllThatFlatnessWouldWinIsTakenAway) {
    // Without codes, W off the diagonal has the neighbours' terms alone.
    EXPECT_LE((costs(Centring::all) - costs(Centring::local)).cwiseAbs().maxCoeff(), 1e-11);
}

double centred_alignment(const Matrix& k, const Matrix& l) {
    const Index n = k.rows();
    const Matrix centring = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / n);
    const Matrix hkh = centring * k * centring;
    const Matrix hlh = centring * l * centring;
    return (hkh.array() * hlh.array()).sum() / (hkh.norm() * hlh.norm());
}

TEST(BankFacts, SketchesEstimateTheCentredAlignment) {
    const Dataset data = random_dense(150, 6, 3);
    const Bank bank =
        make_bank("[each_feature(rbf(gamma=1)), rbf(gamma=0.1), linear, rbf(gamma=0.12)]", data);
    BegunControl control;
    const MemoryBudget budget(1000);
    BankMatrices stream(bank, data, budget, control);
    const BankFacts facts(stream, 2048, budget, control);
    // linear has no unit diagonal; what is estimated does not ask for it.
    double squares = 0;
    for (Index l = 0; l < 9; ++l) {
        EXPECT_EQ(facts.alignments(l)[l], 1);
        for (Index m = 0; m < 9; ++m) {
            const double exact = centred_alignment(matrix_of(bank[l], data), matrix_of(bank[m], data));
            EXPECT_NEAR(facts.alignments(l)[m], exact, 6 / std::sqrt(2048.0)) << l << " and " << m;
            EXPECT_EQ(facts.alignments(l)[m], l == m ? 1 : facts.alignments(m)[l]);
            squares += (facts.alignments(l)[m] - exact) * (facts.alignments(l)[m] - exact) / 72;
        }
    }
    EXPECT_LE(std::sqrt(squares), 1.2 / std::sqrt(2048.0));
}

TEST(BankFacts, ThreadsChangeNoBit) {
    const Dataset data = random_dense(600, 4, 4);
    const Bank bank = make_bank("each_feature(rbf(gamma=1))", data);
    const auto found = [&](int threads) {
        BegunControl control(threads);
        const MemoryBudget budget(1000);
        BankMatrices stream(bank, data, budget, control);
        const BankFacts facts(stream, 256, budget, control);
        return facts.alignments(2);
    };
    EXPECT_EQ(found(1), found(2));
    EXPECT_EQ(found(1), found(5));
}

/// Rows of three classes that two columns tell apart, beside noise; `last` is one more column.
Dataset with_column(const std::vector<double>& last, std::uint64_t seed) {
    const Index rows = std::ssize(last);
    const auto noise = normal_values(rows * 6, seed);
    std::vector<double> values;
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(i % 3);
        for (Index j = 0; j < 6; ++j)
            values.push_back(noise[i * 6 + j] + (j == labels.back() && j < 2 ? 3 : 0));
        values.push_back(last[i]);
    }
    return with_labels(dense(rows, 7, values), labels);
}

std::vector<double> weights_of(const Dataset& data, const std::string& kernel,
                               const std::vector<std::pair<std::string, std::string>>& settings) {
    BegunControl control;
    auto specification = default_specification("imkpl");
    set_parameter(specification, "kernel", kernel);
    for (const auto& [key, value] : settings) set_parameter(specification, key, value);
    return train(data, specification, control).kernel_weights;
}

TEST(KernelWeighing, AConstantColumnHasNoKernel) {
    const Dataset data = with_column(std::vector<double>(60, 4.0), 5);
    EXPECT_EQ(weights_of(data, "each_feature(rbf(gamma=mean))", {}).size(), 6U);
    const auto written =
        weights_of(data, "[on(0:5, rbf(gamma=mean)), on(6, rbf(gamma=1)), on(1, rbf(gamma=mean))]", {});
    ASSERT_EQ(written.size(), 3U);
    EXPECT_EQ(written[1], 0) << "it is in the bank, and flat";
}

TEST(KernelWeighing, ARareIndicatorWinsLessWhenCostsAreCentred) {
    double centred = 0;
    double raw = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        std::vector<double> rare(90, 0.0);
        for (std::size_t i = 0; i < 4; ++i) rare[(17 * i + seed) % 90] = 1;
        const Dataset data = with_column(rare, seed);
        const auto weight_of_rare = [&](const char* centre) {
            return weights_of(data, "each_feature(rbf(gamma=mean))",
                              {{"centre", centre}, {"rho", "3"}, {"kappa", "0"}})
                .back();
        };
        centred += weight_of_rare("all") / 6;
        raw += weight_of_rare("none") / 6;
    }
    EXPECT_LT(centred, 0.5 * raw);
}

TEST(BankFacts, CopiesAreWhollyAlike) {
    const Dataset data = random_dense(100, 3, 8);
    const Bank bank = make_bank("[on(0, rbf(gamma=1)), on(1, rbf(gamma=1)), on(0, rbf(gamma=1))]", data);
    BegunControl control;
    const MemoryBudget budget(1000);
    BankMatrices stream(bank, data, budget, control);
    EXPECT_NEAR(BankFacts(stream, 64, budget, control).alignments(0)[2], 1, 1e-12);
}

TEST(KernelWeighing, TuningNamesWhatItCompared) {
    const Dataset data = with_column(normal_values(90, 70), 6);
    BegunControl control;
    auto specification = default_specification("imkpl");
    set_parameter(specification, "kernel", "each_feature(rbf(gamma=mean))");
    set_parameter(specification, "choose_weights", "yes");
    const Model model = train(data, specification, control);
    BegunControl three(3);
    EXPECT_EQ(train(data, specification, three).training_report, model.training_report) << "with any threads";
    const auto report = nlohmann::json::parse(model.training_report);
    const auto& candidates = report.at("tuning").at("candidates");
    ASSERT_EQ(candidates.size(), 8U);
    double best = 0;
    for (const auto& candidate : candidates) {
        EXPECT_LE(candidate.at("accuracy").get<double>(), 1);
        best = std::max(best, candidate.at("accuracy").get<double>());
    }
    EXPECT_GE(best, 0.9);
    // What was given comes first, and stays where the best is better by less than one standard error of the
    // paired difference, which is at most the root of the number of rows.
    const auto& given = candidates.at(0);
    EXPECT_EQ(given.at("policy"), "diverse");
    EXPECT_EQ(given.at("rho"), 10);
    ASSERT_EQ(report.at("policy"), "diverse");
    EXPECT_LE(best - given.at("accuracy").get<double>(), 1 / std::sqrt(90.0));
}

/// Each column tells a little of the class and one kernel only a ninth of that: more are better by far.
TEST(KernelWeighing, TuningLeavesWhatIsClearlyWorse) {
    constexpr Index rows = 120;
    constexpr Index cols = 9;
    std::vector<double> x = normal_values(rows * cols, 71);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(i % 2);
        for (Index j = 0; j < cols; ++j) x[i * cols + j] += 0.9 * static_cast<double>(i % 2);
    }
    BegunControl control;
    auto specification = default_specification("imkpl");
    set_parameter(specification, "kernel", "each_feature(rbf(gamma=mean))");
    set_parameter(specification, "policy", "quadratic");
    set_parameter(specification, "kernels", "1");
    set_parameter(specification, "choose_weights", "yes");
    const Model model = train(with_labels(dense(rows, cols, x), labels), specification, control);
    const auto tuning = nlohmann::json::parse(model.training_report).at("tuning").at("candidates");
    EXPECT_EQ(tuning.at(0).at("kernels"), 1);
    EXPECT_GT(std::ranges::count_if(model.kernel_weights, [](double w) { return w > 0; }), 1);
}

}  // namespace
}  // namespace dk::test::kernel_weighing_test
