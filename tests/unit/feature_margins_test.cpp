// SPDX-License-Identifier: Apache-2.0
// MKLGL of squared slack in kernels with features, against the way that goes through kernel matrices.
#include "weights/group_lasso/feature_margins.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "kernel/lowrank/feature_map.hpp"
#include "trained.hpp"
#include "weights_report.hpp"

namespace dk::test::feature_margins_test {
namespace {

/// A kernel with features that does not tell anyone of them.
class WithoutFeatures final : public Kernel {
  public:
    explicit WithoutFeatures(KernelPointer inner) : inner_(std::move(inner)) {}
    std::string text() const override { return inner_->text(); }
    bool works_on(DataKind kind) const override { return inner_->works_on(kind); }
    bool positive_semidefinite() const override { return inner_->positive_semidefinite(); }
    bool constant_diagonal() const override { return inner_->constant_diagonal(); }
    std::unique_ptr<Evaluator<double>> bind(Operands<double>& operands) const override {
        return inner_->bind(operands);
    }
    std::unique_ptr<Evaluator<float>> bind(Operands<float>& operands) const override {
        return inner_->bind(operands);
    }

  private:
    KernelPointer inner_;
};

Bank with_features(const Dataset& data) {
    return make_bank(
        "normalize([lowrank(rbf(gamma=0.05),rank=12), lowrank(rbf(gamma=1),rank=25), "
        "lowrank(rbf(gamma=20),rank=30)])",
        data);
}

Bank without_features(const Bank& bank) {
    Bank plain;
    for (const KernelPointer& kernel : bank) plain.push_back(std::make_shared<WithoutFeatures>(kernel));
    return plain;
}

KernelWeights weigh(const std::string& text, const Bank& bank, const Dataset& data,
                    const MachineLoss& loss = {.errors = ErrorLoss::squared_hinge}) {
    BegunControl control;
    const auto specification = parse_weights(text);
    return specification.strategy->weigh(
        {bank, data, {}, specification.parameters, 3, 1, MemoryBudget(0), control, {}, loss});
}

void expect_alike(const KernelWeights& found, const KernelWeights& known, double accuracy) {
    const double objective = entry<double>(known, "objective");
    EXPECT_NEAR(entry<double>(found, "objective"), objective, accuracy * objective);
    for (std::size_t k = 0; k < known.weights.size(); ++k)
        EXPECT_NEAR(found.weights[k], known.weights[k], 30 * std::sqrt(accuracy)) << "kernel " << k;
    EXPECT_TRUE(entry<bool>(found, "converged"));
}

TEST(FeatureMargins, AreThoseOfKernelMatrices) {
    for (const Index classes : {2, 3}) {
        const Dataset data = blobs(300, 3, classes, 0.7, 31, true);
        const Bank bank = with_features(data);
        for (const char* p : {"1.1", "1.333", "3"}) {
            const std::string text = std::string("mklgl(gap=1e-7,max_iterations=3000,p=") + p + ")";
            SCOPED_TRACE(text);
            ASSERT_TRUE(have_features(bank, data.rows()));
            const KernelWeights found = weigh(text, bank, data);
            expect_alike(found, weigh(text, without_features(bank), data), 1e-6);
            EXPECT_LE(entry<double>(found, "gap"), 1e-7);
            EXPECT_GE(entry<double>(found, "gap"), -1e-12);
        }
    }
}

TEST(FeatureMargins, HeedCostsOfRowsAndClasses) {
    Dataset data = blobs(300, 3, 2, 0.7, 32);
    for (Index i = 0; i < 300; ++i)
        data.sample_weights.push_back(i % 7 == 0 ? 0 : 0.5 + 0.01 * static_cast<double>(i));
    const Bank bank = with_features(data);
    const MachineLoss loss{.errors = ErrorLoss::squared_hinge, .class_costs = {1, 4}};
    const std::string text = "mklgl(gap=1e-7,max_iterations=3000)";
    const KernelWeights found = weigh(text, bank, data, loss);
    expect_alike(found, weigh(text, without_features(bank), data, loss), 1e-6);
    const MachineLoss balanced{.errors = ErrorLoss::squared_hinge, .balanced = true};
    expect_alike(weigh(text, bank, data, balanced), weigh(text, without_features(bank), data, balanced),
                 1e-6);
}

TEST(FeatureMargins, ObjectivesFallAndGapsBoundThem) {
    const Dataset data = blobs(400, 3, 2, 0.5, 33);
    const Bank bank = with_features(data);
    const double best = entry<double>(weigh("mklgl(gap=1e-9)", bank, data), "objective");
    const KernelWeights found = weigh("mklgl(gap=1e-6)", bank, data);
    const auto objectives = entry<std::vector<double>>(found, "objectives");
    const auto gaps = entry<std::vector<double>>(found, "gaps");
    for (std::size_t turn = 0; turn < objectives.size(); ++turn) {
        EXPECT_LE(objectives[turn] * (1 - gaps[turn]), best * (1 + 1e-12));
        EXPECT_GE(objectives[turn], best * (1 - 1e-12));
        if (turn > 0) {
            EXPECT_LT(objectives[turn], objectives[turn - 1]);
        }
    }
    // Newton's steps end soon.
    EXPECT_LE(objectives.size(), 15U);
}

TEST(FeatureMargins, AreTheSameForAnyThreads) {
    const Dataset data = blobs(500, 3, 2, 0.5, 34);
    const Bank bank = with_features(data);
    std::vector<std::vector<double>> found;
    for (const int threads : {1, 2, 5}) {
        BegunControl control(threads);
        const auto specification = parse_weights("mklgl");
        found.push_back(specification.strategy
                            ->weigh({bank,
                                     data,
                                     {},
                                     specification.parameters,
                                     3,
                                     1,
                                     MemoryBudget(0),
                                     control,
                                     {},
                                     {.errors = ErrorLoss::squared_hinge}})
                            .weights);
    }
    EXPECT_EQ(found[1], found[0]);
    EXPECT_EQ(found[2], found[0]);
}

/// A wide kernel has eigenvalues down to the rounding of the landmarks' matrix, which matter where errors
/// cost much.
TEST(FeatureMargins, ConvergeWhereLandmarksHardlyDiffer) {
    const Dataset data = blobs(1600, 3, 2, 0.7, 35);
    const KernelPointer kernel = make_bank("lowrank(rbf(gamma=0.02),rank=400)", data).front();
    for (const double cost : {1.0, 100.0, 1e4, 1e6}) {
        SCOPED_TRACE(cost);
        MarginRows rows;
        for (const Index label : data.labels->of_rows) rows.signs.push_back(label == 1 ? 1.0 : -1.0);
        rows.costs.assign(rows.signs.size(), cost);
        BegunControl control;
        const FeatureMarginSolution found = solve_feature_margin(
            kernel, data, rows, {.gap = 1e-8, .most_steps = 200}, MemoryBudget(0), control);
        EXPECT_TRUE(found.converged);
        EXPECT_LE(found.gap, 1e-8);
        EXPECT_GE(found.gap, -1e-9);
    }
}

TEST(FeatureMargins, AskTheBudget) {
    const Dataset data = blobs(4000, 3, 2, 0.5, 35);
    const Bank bank = with_features(data);
    BegunControl control;
    const auto specification = parse_weights("mklgl");
    message_of(Status::memory_budget, [&] {
        specification.strategy->weigh({bank,
                                       data,
                                       {},
                                       specification.parameters,
                                       3,
                                       1,
                                       MemoryBudget(1),
                                       control,
                                       {},
                                       {.errors = ErrorLoss::squared_hinge}});
    });
}

/// Trains a machine of squared slack in a kernel, and gives its decisions on other rows.
std::vector<double> decisions_in(const KernelPointer& kernel, const Dataset& data, const Dataset& others,
                                 const std::string& multiclass) {
    BegunControl control(2);
    const Machine machine = svm_machine();
    auto specs = machine.parameters;
    specs.insert(specs.end(), {parameter::neighbours, parameter::precision});
    Parameters parameters("machine svm", specs);
    for (const auto& [key, value] : {Setting{"loss", "squared_hinge"}, Setting{"C", "2"},
                                     Setting{"tolerance", "1e-9"}, Setting{"multiclass", multiclass}})
        parameters.set(key, value);
    const Bank bank{kernel};
    const TrainedMachine trained =
        machine.train({data, kernel, bank, parameters, Precision::real64, MemoryBudget(0), control});
    std::vector<double> all;
    trained.predictor->decide(
        others, [&](std::span<const double> values) { all.insert(all.end(), values.begin(), values.end()); },
        control);
    return all;
}

TEST(FeatureMargins, MakeTheMachineThatKernelMatricesMake) {
    for (const char* multiclass : {"ovo", "ovr"}) {
        const Dataset data = blobs(300, 3, 3, 0.6, 37);
        const Dataset others = blobs(50, 3, 3, 0.6, 38);
        const KernelPointer kernel =
            make_kernel("lowrank(rbf(gamma=0.3),rank=25) + 0.5*lowrank(rbf(gamma=2),rank=10)", data);
        const auto found = decisions_in(kernel, data, others, multiclass);
        const auto known = decisions_in(std::make_shared<WithoutFeatures>(kernel), data, others, multiclass);
        ASSERT_EQ(found.size(), known.size());
        for (std::size_t e = 0; e < known.size(); ++e) EXPECT_NEAR(found[e], known[e], 1e-5) << multiclass;
    }
}

/// Checks that a kernel has the values that its features give.
void expect_features_of(const std::string& text, const Dataset& data) {
    SCOPED_TRACE(text);
    BegunControl control;
    const KernelPointer kernel = make_bank(text, data).front();
    const FeatureMap* map = kernel->feature_map();
    ASSERT_NE(map, nullptr);
    const LargeArray<double> values = map->features(data, control);
    const Eigen::Map<const Matrix> phi(values.data(), data.rows(), map->dimension());
    const Matrix products = phi * phi.transpose();
    const auto known = gram_matrix(std::make_shared<WithoutFeatures>(kernel), data, data);
    const Eigen::Map<const Matrix> K(known.data(), data.rows(), data.rows());
    EXPECT_LE((products - K).cwiseAbs().maxCoeff(), 1e-12 * (1 + K.cwiseAbs().maxCoeff()));
    // Raw features give the same features, and the same sums of them.
    Matrix raw(data.rows(), map->raw_dimension());
    map->write_raw_features(data, view(raw.data(), raw.rows(), raw.cols()), control);
    const auto expect_near = [](const Matrix& one, const Matrix& other) {
        EXPECT_LE((one - other).cwiseAbs().maxCoeff(), 1e-9 * (1 + other.cwiseAbs().maxCoeff()));
    };
    expect_near(map->combined(raw, control), phi);
    const Matrix w = Matrix::Random(map->dimension(), 2);
    expect_near(raw * map->to_raw(w, control), phi * w);
    const Matrix v = Matrix::Random(data.rows(), 2);
    expect_near(map->from_raw(raw.transpose() * v, control), phi.transpose() * v);
}

TEST(FeatureMaps, OfSumsAndNormalisedKernels) {
    const Dataset data = blobs(60, 3, 2, 0.5, 36);
    const std::string first = "lowrank(rbf(gamma=0.5),rank=9)";
    const std::string second = "lowrank(rbf(gamma=3),rank=14)";
    expect_features_of("normalize(" + first + ")", data);
    expect_features_of(first + " + 0.3*" + second, data);
    expect_features_of("2*" + first + " + 1.5", data);
    expect_features_of("normalize(" + first + " + " + second + ")", data);
    // The parts and their sum, from the definition.
    const auto a = gram_matrix(make_bank(first, data).front(), data, data);
    const auto b = gram_matrix(make_bank(second, data).front(), data, data);
    const auto sum =
        gram_matrix(make_bank("0.25*" + first + " + 2*" + second + " + 3", data).front(), data, data);
    for (std::size_t e = 0; e < sum.size(); ++e) EXPECT_NEAR(sum[e], 0.25 * a[e] + 2 * b[e] + 3, 1e-12);
    const auto cosine = gram_matrix(make_bank("normalize(" + first + ")", data).front(), data, data);
    for (std::size_t i = 0; i < 60; ++i) {
        for (std::size_t j = 0; j < 60; ++j)
            EXPECT_NEAR(cosine[60 * i + j], a[60 * i + j] / std::sqrt(a[61 * i] * a[61 * j]), 1e-12);
    }
    // A sum with a kernel that has no features has none.
    EXPECT_EQ(make_bank(first + " + rbf", data).front()->feature_map(), nullptr);
    EXPECT_EQ(make_bank(first + "*" + second, data).front()->feature_map(), nullptr);
}

TEST(FeatureMaps, OfRowsWithoutLength) {
    // The last row is orthogonal to all landmarks of a linear kernel, which are among the others.
    const Dataset data = dense(4, 2, {1, 0, 2, 0, 3, 0, 0, 0});
    const auto K = gram_matrix(make_bank("normalize(lowrank(linear,rank=1))", data).front(), data, data);
    EXPECT_NEAR(K[1], 1, 1e-12);
    EXPECT_EQ(K[3], 0);
    EXPECT_EQ(K[15], 1);
}

}  // namespace
}  // namespace dk::test::feature_margins_test
