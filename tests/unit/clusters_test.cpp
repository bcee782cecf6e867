// SPDX-License-Identifier: Apache-2.0
// Kernel k-means is compared with all partitions of few rows, with what it is in input space, and with
// clusters that are known; spectral clusters are of forms that have no mean of their own.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "machine/clustering/best_clusters.hpp"
#include "model/file/model_file.hpp"
#include "pipeline/score.hpp"
#include "pipeline/search/cross_validate.hpp"
#include "trained.hpp"

namespace dk::test::clusters_test {
namespace {

std::vector<double> clusters_of(const Model& model, const Dataset& data) {
    BegunControl control;
    return predictions(model, data, control);
}

/// Points around `centres` far apart, so many around each.
Dataset islands(const std::vector<Index>& sizes, std::uint64_t seed) {
    std::vector<double> values;
    for (std::size_t c = 0; c < sizes.size(); ++c) {
        auto own = normal_values(2 * sizes[c], seed + c, 0, 0.3);
        for (std::size_t e = 0; e < own.size(); e += 2) own[e] += 10 * static_cast<double>(c);
        values.insert(values.end(), own.begin(), own.end());
    }
    return dense(std::ssize(values) / 2, 2, values);
}

TEST(Clusters, OfIslandsAreTheIslands) {
    const Dataset data = islands({12, 30, 20}, 3);
    for (const char* kernel : {"linear", "rbf(gamma=0.1)", "laplacian(gamma=0.2)"}) {
        for (const char* method : {"k_means", "spectral"}) {
            if (std::string_view(kernel) == "linear" && std::string_view(method) == "spectral") continue;
            const Model model =
                trained("kernel_k_means", data,
                        {{"clusters", "3"}, {"method", method}, {"kernel", kernel}, {"scale", "none"}});
            EXPECT_EQ(model.task, "clustering");
            const auto found = clusters_of(model, data);
            // Clusters are numbered by their sizes, the largest first.
            for (Index i = 0; i < data.rows(); ++i)
                EXPECT_EQ(found[i], i < 12 ? 2 : i < 42 ? 0 : 1) << kernel << method << i;
            const auto C = coefficients(model);
            for (Index i = 0; i < data.rows(); ++i) {
                EXPECT_EQ(C[i], i >= 12 && i < 42 ? 1.0 / 30 : 0);
                EXPECT_EQ(C[2 * data.rows() + i], i < 12 ? 1.0 / 12 : 0);
            }
        }
    }
}

double energy_of(const ConstMatrixRef& gram, unsigned members, Control& control) {
    RowClusters clusters(2);
    for (Index i = 0; i < gram.rows(); ++i) clusters[(members >> static_cast<unsigned>(i)) & 1U].push_back(i);
    return clusters[0].empty() || clusters[1].empty() ? infinity : cluster_energy(gram, clusters, control);
}

/// With many starts the best of all 2^10 partitions is found.
TEST(Clusters, AreTheBestOfAllPartitions) {
    BegunControl control;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Dataset data = random_dense(10, 2, seed);
        const auto values = gram_matrix(make_kernel("rbf(gamma=0.7)", data), data, data);
        const Matrix K = view(values.data(), 10, 10);
        double least = infinity;
        for (unsigned members = 0; members < 1024; ++members)
            least = std::min(least, energy_of(K, members, control));
        const FoundClusters found = best_clusters(K, 2, 60, 100, seed, control);
        EXPECT_NEAR(found.energy, least, 1e-12) << seed;
        EXPECT_TRUE(found.converged);
    }
}

TEST(Clusters, OfALinearKernelAreThoseOfKMeans) {
    const Dataset data = random_dense(60, 3, 9);
    const Model model =
        trained("kernel_k_means", data, {{"kernel", "linear"}, {"clusters", "5"}, {"scale", "none"}});
    const auto found = clusters_of(model, data);
    const auto C = coefficients(model);
    const Matrix means =
        view(C.data(), 5, data.rows()) * view(data.dense().values.data(), data.rows(), data.cols());
    double energy = 0;
    for (Index i = 0; i < data.rows(); ++i) {
        const Vector row = view(data.dense().values.data(), data.rows(), data.cols()).row(i);
        const Vector squares = (means.rowwise() - row.transpose()).rowwise().squaredNorm();
        Index nearest = 0;
        energy += squares.minCoeff(&nearest);
        EXPECT_EQ(found[i], nearest) << i;
    }
    const auto report = nlohmann::json::parse(model.training_report);
    EXPECT_NEAR(report.at("energy").get<double>(), energy, 1e-9);
    const auto sizes = report.at("sizes").get<std::vector<double>>();
    EXPECT_TRUE(std::ranges::is_sorted(sizes, std::greater()));
    for (std::size_t c = 0; c < sizes.size(); ++c)
        EXPECT_EQ(std::ranges::count(found, static_cast<double>(c)), sizes[c]);
}

/// A ring around another one has its mean where the other one's is. Means divide the
/// plane into halves, and the graph of rows follows the rings.
TEST(Clusters, SpectralOnesMayBeRings) {
    std::vector<double> values;
    for (Index i = 0; i < 150; ++i) {
        const double radius = i < 50 ? 1 : 4;
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / (i < 50 ? 50 : 100);
        values.push_back(radius * std::cos(angle));
        values.push_back(radius * std::sin(angle));
    }
    const Dataset data = dense(150, 2, values);
    const Model spectral =
        trained("kernel_k_means", data,
                {{"clusters", "2"}, {"method", "spectral"}, {"kernel", "rbf(gamma=4)"}, {"scale", "none"}});
    const auto found = clusters_of(spectral, data);
    for (Index i = 0; i < data.rows(); ++i) EXPECT_EQ(found[i], i < 50 ? 1 : 0) << i;
    const Model means =
        trained("kernel_k_means", data, {{"clusters", "2"}, {"kernel", "linear"}, {"scale", "none"}});
    const auto halves = clusters_of(means, data);
    EXPECT_NE(found, halves);
}

TEST(Clusters, AreTheSameForAnyThreadsAndSurviveFiles) {
    const Dataset data = random_dense(300, 4, 21);
    auto specification = default_specification("kernel_k_means");
    set_parameter(specification, "kernel", "rbf(gamma=0.2)");
    for (const char* method : {"k_means", "spectral"}) {
        set_parameter(specification, "method", method);
        BegunControl one(1);
        const Model model = train(data, specification, one);
        const auto bytes = write_model(model);
        for (const int threads : {2, 5}) {
            BegunControl several(threads);
            EXPECT_EQ(write_model(train(data, specification, several)), bytes) << method << threads;
        }
        BegunControl control;
        const Model read = read_model(bytes, control);
        EXPECT_EQ(read.task, "clustering");
        EXPECT_EQ(decided(read, data), decided(model, data));
    }
}

/// A row as far from both means as rounding tells moves no other row for ever.
TEST(Clusters, EndWhereRowsAreAsNearToBoth) {
    for (Index most = 1; most <= 30; ++most) {
        std::vector<double> line{0};
        for (Index i = 1; i <= most; ++i)
            line.insert(line.end(), {static_cast<double>(i), static_cast<double>(-i)});
        for (const char* starts : {"1", "10"}) {
            const Model model =
                trained("kernel_k_means", dense(std::ssize(line), 1, line),
                        {{"clusters", "2"}, {"kernel", "linear"}, {"scale", "none"}, {"starts", starts}});
            EXPECT_TRUE(nlohmann::json::parse(model.training_report).at("converged").get<bool>()) << most;
        }
    }
}

TEST(Clusters, SayWhereTheyHaveNotConverged) {
    const Dataset data = random_dense(300, 2, 33);
    for (const char* method : {"k_means", "spectral"}) {
        const auto converged = [&](const char* rounds) {
            const Model model = trained("kernel_k_means", data,
                                        {{"clusters", "20"},
                                         {"method", method},
                                         {"kernel", "rbf(gamma=1)"},
                                         {"starts", "1"},
                                         {"max_iterations", rounds}});
            return nlohmann::json::parse(model.training_report).at("converged").get<bool>();
        };
        EXPECT_FALSE(converged("1")) << method;
        EXPECT_TRUE(converged("300")) << method;
    }
}

TEST(Clusters, AreFewerWhereRowsAreTheSame) {
    const Dataset data = dense(6, 1, {1, 1, 1, 5, 5, 9});
    const Model model =
        trained("kernel_k_means", data, {{"clusters", "6"}, {"kernel", "linear"}, {"scale", "none"}});
    EXPECT_EQ(clusters_of(model, data), (std::vector<double>{0, 0, 0, 1, 1, 2}));
    const auto message = message_of(Status::invalid_data, [&] {
        trained("kernel_k_means", dense(3, 1, {2, 2, 2}), {{"kernel", "linear"}});
    });
    EXPECT_NE(message.find("all 3 rows are the same in the feature space of kernel linear"),
              std::string::npos);
}

TEST(Clusters, RefuseWhatTheyHaveNot) {
    const Dataset data = islands({10, 12}, 5);
    EXPECT_NE(message_of(Status::unsupported,
                         [&] {
                             trained("kernel_k_means", data,
                                     {{"method", "spectral"}, {"kernel", "linear"}, {"scale", "standard"}});
                         })
                  .find("takes similarities of at least 0"),
              std::string::npos);
    const Model model = trained("kernel_k_means", data, {{"clusters", "2"}});
    BegunControl control;
    const Dataset labelled = with_labels(data, std::vector<std::int64_t>(22, 1));
    EXPECT_NE(message_of(Status::unsupported, [&] { score_all(model, labelled, control); })
                  .find("finds clusters, whose numbers are no classes"),
              std::string::npos);
    auto specification = default_specification("kernel_k_means");
    EXPECT_NE(message_of(Status::unsupported, [&] { cross_validate(data, specification, control); })
                  .find("finds clusters, which nothing says to be true"),
              std::string::npos);
    for (const Setting& more : {Setting{"probability", "yes"}, {"confidence", "0.9"}, {"updatable", "yes"}})
        message_of(Status::unsupported, [&] { trained("kernel_k_means", data, {more}); });
}

}  // namespace
}  // namespace dk::test::clusters_test
