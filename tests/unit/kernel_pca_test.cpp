// SPDX-License-Identifier: Apache-2.0
// Kernel principal components. The worked example was derived independently of this library.
#include <Eigen/Dense>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kernel_pca_scores.hpp"
#include "pipeline/machine_specification.hpp"
#include "pipeline/train.hpp"
#include "support.hpp"

namespace dk::test::kernel_pca_test {
namespace {

Model fitted(const Dataset& data, const std::string& settings, int threads = 1) {
    BegunControl control(threads);
    auto specification = default_specification("kernel_pca");
    std::istringstream words(settings);
    for (std::string word; words >> word;) {
        const auto equals = word.find('=');
        set_parameter(specification, word.substr(0, equals), word.substr(equals + 1));
    }
    return train(data, specification, control);
}

Matrix scores_of(const Model& model, const Dataset& data) {
    BegunControl control;
    Matrix scores(data.rows(), model.predictor->transform_count());
    model.predictor->transform(data, scores.data(), control);
    return scores;
}

nlohmann::json report_of(const Model& model) {
    return nlohmann::json::parse(model.training_report);
}

Dataset worked_example() {
    return dense(5, 2, {0, 0, 1, 0, 0, 1, 2, 1, 1, 3});
}

/// The distance of rows from the span is the threshold less the decision.
double novelty(const Model& model, const Dataset& data) {
    BegunControl control;
    double decision = 0;
    model.predictor->decide(
        data, [&](std::span<const double> d) { decision = d[0]; }, control);
    return report_of(model)["threshold"].get<double>() - decision;
}

TEST(KernelPca, GivesTheWorkedExample) {
    const Model model = fitted(worked_example(), "kernel=rbf(gamma=0.5) components=4 nu=1");
    const auto values = report_of(model)["eigenvalues"].get<std::vector<double>>();
    const std::vector<double> expected{1.262841763114, 0.971936284921, 0.559939230785, 0.265979751415};
    ASSERT_EQ(values.size(), 4U);
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(values[j], expected[j], 1e-11);
    const Matrix scores = scores_of(model, worked_example());
    Matrix known(5, 2);
    known << -0.514963302794, -0.214679005426, -0.306246189089, 0.274138991236, -0.338968920217,
        -0.321462897466, 0.339297876539, 0.728092682413, 0.820880535560, -0.466089770757;
    EXPECT_LT((scores.leftCols(2) - known).cwiseAbs().maxCoeff(), 1e-11);
    const Dataset other = dense(1, 2, {1, 1});
    Matrix others(1, 4);
    others << -0.032697623960, 0.256144200964, 0.215529178960, -0.270898202062;
    EXPECT_LT((scores_of(model, other) - others).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_NEAR(novelty(model, other), 0.272220263371, 1e-11);
    const Model two = fitted(worked_example(), "kernel=rbf(gamma=0.5) components=2");
    EXPECT_NEAR(novelty(two, other), 0.392058926235, 1e-11);
    EXPECT_NEAR(report_of(two)["variance_explained"].get<double>(),
                (1.262841763114 + 0.971936284921) / 3.060697030234, 1e-11);
}

/// The rows of kernel_pca_scores.py.
Dataset rows_of_sines(Index first, Index count) {
    constexpr Index columns = 4;
    std::vector<double> values;
    for (Index i = first; i < first + count; ++i) {
        for (Index j = 0; j < columns; ++j) values.push_back(std::sin(1.0 + 7.0 * i + 3.0 * j * j));
    }
    return dense(count, columns, values);
}

TEST(KernelPca, IsThatOfScikitLearn) {
    for (const KnownComponents& known : components_of_scikit_learn) {
        SCOPED_TRACE(known.kernel);
        const auto count = std::ssize(known.eigenvalues);
        const Model model =
            fitted(rows_of_sines(0, 60), "kernel=" + known.kernel + " components=" + std::to_string(count));
        const auto values = report_of(model)["eigenvalues"].get<std::vector<double>>();
        ASSERT_EQ(std::ssize(values), count);
        const double largest = known.eigenvalues.front();
        for (Index j = 0; j < count; ++j) EXPECT_NEAR(values[j], known.eigenvalues[j], 1e-10 * largest);
        const Matrix scores = scores_of(model, rows_of_sines(60, 10));
        const Eigen::Map<const Matrix> theirs(known.scores.data(), 10, count);
        for (Index j = 0; j < count; ++j) {
            const double sign = scores.col(j).dot(theirs.col(j)) < 0 ? -1 : 1;
            EXPECT_LE((sign * scores.col(j) - theirs.col(j)).cwiseAbs().maxCoeff(), 1e-10)
                << "component " << j;
        }
    }
}

TEST(KernelPca, TheLinearKernelGivesPrincipalComponents) {
    const Dataset data = random_dense(40, 5, 3, 2.0);
    Eigen::MatrixXd X = view(data.dense().values.data(), 40, 5);
    X.rowwise() -= X.colwise().mean().eval();
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(X, Eigen::ComputeThinV);
    const Model model = fitted(data, "kernel=linear components=5");
    const auto values = report_of(model)["eigenvalues"].get<std::vector<double>>();
    for (Index j = 0; j < 5; ++j)
        EXPECT_NEAR(values[j], std::pow(svd.singularValues()[j], 2), 1e-10 * values[0]);
    const Matrix scores = scores_of(model, data);
    const Eigen::MatrixXd expected = X * svd.matrixV();
    for (Index j = 0; j < 5; ++j) {
        const double sign = scores.col(j).dot(expected.col(j)) > 0 ? 1 : -1;
        EXPECT_LT((scores.col(j) - sign * expected.col(j)).norm(), 1e-9 * expected.col(j).norm());
    }
}

/// With all components the scores have the products of the centred matrix, and no row is far from their span.
TEST(KernelPca, AllComponentsGiveBackTheCentredMatrix) {
    const Dataset data = random_dense(30, 3, 4);
    const auto K = gram_matrix(make_kernel("rbf(gamma=0.3)", data), data, data);
    const Eigen::MatrixXd H = Eigen::MatrixXd::Identity(30, 30) - Eigen::MatrixXd::Constant(30, 30, 1 / 30.0);
    const Eigen::MatrixXd centred = H * view(K.data(), 30, 30) * H;
    const Model model = fitted(data, "kernel=rbf(gamma=0.3) components=30");
    const Matrix scores = scores_of(model, data);
    EXPECT_LT((scores * scores.transpose() - centred).cwiseAbs().maxCoeff(), 1e-10);
    const Matrix whitened = scores_of(fitted(data, "kernel=rbf(gamma=0.3) components=9 whiten=yes"), data);
    for (Index j = 0; j < 9; ++j) {
        EXPECT_NEAR(whitened.col(j).mean(), 0, 1e-9);
        EXPECT_NEAR(whitened.col(j).squaredNorm() / 30, 1, 1e-9);
    }
}

TEST(KernelPca, ConstantsAddedToTheKernelChangeNothing) {
    const Dataset data = random_dense(25, 3, 5);
    const Matrix plain = scores_of(fitted(data, "kernel=rbf(gamma=0.3) components=5"), data);
    const Matrix raised = scores_of(fitted(data, "kernel=rbf(gamma=0.3)+7 components=5"), data);
    EXPECT_LT((plain - raised).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(KernelPca, LowRankIsExactWhereTheRankIsAll) {
    const Dataset data = random_dense(40, 2, 6);
    const Matrix whole = scores_of(fitted(data, "kernel=poly(degree=2,coef0=1) components=4"), data);
    const Matrix low =
        scores_of(fitted(data, "kernel=lowrank(poly(degree=2,coef0=1),rank=20) components=4"), data);
    EXPECT_LT((whole - low).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(KernelPca, AShareOfTheVarianceChoosesTheNumber) {
    const Dataset data = random_dense(60, 4, 7);
    const auto all = report_of(fitted(data, "kernel=rbf(gamma=0.1) components=60"));
    const auto shares = all["variance_shares"].get<std::vector<double>>();
    for (const double share : {0.5, 0.9, 0.99}) {
        std::int64_t expected = 0;
        for (double sum = 0; sum < share; ++expected) sum += shares[static_cast<std::size_t>(expected)];
        const Model model = fitted(data, "kernel=rbf(gamma=0.1) variance=" + std::to_string(share));
        EXPECT_EQ(report_of(model)["components"].get<std::int64_t>(), expected);
    }
}

/// A share may need more components than are looked for at first.
TEST(KernelPca, AShareThatNeedsManyComponentsHasThem) {
    const Dataset data = random_dense(150, 4, 10);
    const auto report = report_of(fitted(data, "kernel=rbf(gamma=5) variance=0.99"));
    EXPECT_GT(report["components"].get<std::int64_t>(), 64);
    EXPECT_GE(report["variance_explained"].get<double>(), 0.99 - 1e-9);
}

/// Many rows are not decomposed whole.
TEST(KernelPca, LanczosFindsTheSame) {
    const Dataset data = random_dense(2100, 3, 8);
    const Model some = fitted(data, "kernel=rbf(gamma=0.2) components=6", 2);
    const Model all = fitted(data, "kernel=rbf(gamma=0.2) components=600", 2);
    const auto a = report_of(some)["eigenvalues"].get<std::vector<double>>();
    const auto b = report_of(all)["eigenvalues"].get<std::vector<double>>();
    for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(a[j], b[j], 1e-10 * b[0]);
    EXPECT_LT((scores_of(some, data) - scores_of(all, data).leftCols(6)).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(KernelPca, TheShareNuOfTheRowsIsOutside) {
    const Dataset data = random_dense(200, 3, 9);
    for (const double nu : {0.0, 0.05, 0.3}) {
        const Model model = fitted(data, "kernel=rbf(gamma=0.5) components=8 nu=" + std::to_string(nu));
        BegunControl control;
        Index outside = 0;
        model.predictor->decide(
            data,
            [&](std::span<const double> d) {
                outside += std::ranges::count_if(d, [](double v) { return v < 0; });
            },
            control);
        EXPECT_EQ(outside, static_cast<Index>(std::floor(nu * 200 + 1e-9)));
    }
}

/// Prototypes of the Gaussian kernel are shown as the points whose images are nearest to them.
TEST(KernelPca, PreImagesAreNearestToThePrototypes) {
    const Dataset data = worked_example();
    const Model model = fitted(data, "kernel=rbf(gamma=0.5) components=2 neighbours=3");
    const auto& set = model.predictor->prototypes();
    Matrix places(set.count(), 2);
    model.predictor->prototype_coordinates(places.data());
    Matrix combinations(set.count(), 5);
    model.predictor->prototype_coefficients(combinations.data());
    const KernelPointer kernel = make_kernel("rbf(gamma=0.5)", data);
    const auto product_at = [&](const Matrix& place, Index p) {
        const auto k = gram_matrix(kernel, dense(1, 2, {place(0, 0), place(0, 1)}), data);
        return combinations.row(p).dot(as_vector(k).transpose());
    };
    for (Index p = 0; p < set.count(); ++p) {
        EXPECT_NEAR(combinations.row(p).sum(), 1, 1e-12);
        const Matrix here = places.row(p);
        for (const auto& [right, up] : {std::pair(1e-3, 0.0), {-1e-3, 0.0}, {0.0, 1e-3}, {0.0, -1e-3}}) {
            Matrix moved = here;
            moved(0, 0) += right;
            moved(0, 1) += up;
            EXPECT_GE(product_at(here, p), product_at(moved, p)) << p;
        }
    }
}

Matrix reconstructed(const Model& model, const Dataset& data) {
    BegunControl control(2);
    std::vector<double> out(data.rows() * data.cols());
    reconstruct(model, data, out, control);
    return Eigen::Map<const Matrix>(out.data(), data.rows(), data.cols());
}

Matrix values_of(const Dataset& data) {
    return Eigen::Map<const Matrix>(data.dense().values.data(), data.rows(), data.cols());
}

TEST(KernelPca, ReconstructsTheWorkedExample) {
    const Model model = fitted(worked_example(), "kernel=rbf(gamma=0.5) components=2");
    const Matrix image = reconstructed(model, dense(1, 2, {1, 1}));
    EXPECT_NEAR(image(0, 0), 1.212293340546, 1e-9);
    EXPECT_NEAR(image(0, 1), 0.504879769911, 1e-9);
}

TEST(KernelPca, ReconstructsRowsFromAllComponents) {
    const Dataset data = random_dense(25, 3, 14, 5, 2);
    for (const char* settings :
         {"kernel=linear components=3", "kernel=rbf(gamma=0.05) components=25 whiten=yes",
          "kernel=linear components=3 scale=standard", "kernel=laplacian(gamma=0.3) components=25"}) {
        const Matrix again = reconstructed(fitted(data, settings), data);
        EXPECT_LE((again - values_of(data)).cwiseAbs().maxCoeff(), 1e-6) << settings;
    }
}

TEST(KernelPca, ReconstructsByPrincipalComponentsWithTheLinearKernel) {
    const Dataset data = random_dense(40, 4, 15, 1, 2);
    const Dataset others = random_dense(10, 4, 16, 1, 2);
    const Matrix X = values_of(data);
    const Eigen::RowVectorXd mean = X.colwise().mean();
    const Eigen::MatrixXd centred = X.rowwise() - mean;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(centred, Eigen::ComputeThinV);
    const Eigen::MatrixXd V = svd.matrixV().leftCols(2);
    const Eigen::MatrixXd known = ((values_of(others).rowwise() - mean) * V * V.transpose()).rowwise() + mean;
    const Matrix again = reconstructed(fitted(data, "kernel=linear components=2"), others);
    EXPECT_LE((again - known).cwiseAbs().maxCoeff(), 1e-10);
}

/// Rows near a circle come nearer to it.
TEST(KernelPca, ReconstructsRowsWithLessNoise) {
    const auto noise = normal_values(400, 17, 0, 0.25);
    std::vector<double> values;
    for (Index i = 0; i < 200; ++i) {
        const double angle = 0.0314159 * static_cast<double>(i);
        values.push_back(2 * std::cos(angle) + noise[2 * i]);
        values.push_back(2 * std::sin(angle) + noise[2 * i + 1]);
    }
    const Dataset data = dense(200, 2, values);
    const Matrix again = reconstructed(fitted(data, "kernel=rbf(gamma=0.3) components=4"), data);
    const auto error = [](const Matrix& points) {
        return (points.rowwise().norm().array() - 2).square().mean();
    };
    EXPECT_LT(error(again), 0.5 * error(values_of(data)));
}

TEST(KernelPca, AlikeRowsHaveNoComponents) {
    EXPECT_THROW(fitted(dense(4, 2, {1, 2, 1, 2, 1, 2, 1, 2}), "kernel=rbf(gamma=1)"), Error);
}

}  // namespace
}  // namespace dk::test::kernel_pca_test
