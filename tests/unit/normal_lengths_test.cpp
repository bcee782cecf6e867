// SPDX-License-Identifier: Apache-2.0
// Machines that know the length |w| of their functions' normal vectors from the solver say the same as the
// sum gamma' K gamma over their support rows.
#include "matrix/matrix.hpp"
#include "model/kernel_expansion.hpp"
#include "trained.hpp"

namespace dk::test::normal_lengths_test {
namespace {

/// Gives gamma' K gamma of each function, by kernel values of double precision.
std::vector<double> squared_lengths(const Model& model, const Dataset& training) {
    const auto& learned = dynamic_cast<const KernelExpansion&>(*model.predictor).learned();
    Matrix gamma = Matrix::Zero(training.rows(), std::ssize(learned.offsets));
    for (const WeightBlock& block : learned.gamma) {
        for (Index i = 0; i < block.rows; ++i) {
            for (std::size_t c = 0; c < block.columns.size(); ++c)
                gamma(learned.support_ids[block.first + i], block.columns[c]) =
                    block.weights[i * block.columns.size() + c];
        }
    }
    const auto values = gram_matrix(make_kernel(model.kernel, training), training, training);
    const auto k = view(values.data(), training.rows(), training.rows());
    std::vector<double> lengths;
    for (Index f = 0; f < gamma.cols(); ++f) lengths.push_back(gamma.col(f).dot(k * gamma.col(f)));
    return lengths;
}

void expect_lengths(const std::string& machine, const Dataset& training, std::vector<Setting> settings) {
    for (const auto& [precision, tolerance] :
         {std::pair("double", 1e-10), {"auto", 1e-10}, {"single", 2e-4}}) {
        settings.emplace_back("precision", precision);
        const Model model = trained(machine, training, settings);
        const auto expected = squared_lengths(model, training);
        const auto& norms = model.predictor->prototypes().norms;
        ASSERT_EQ(norms.size(), expected.size());
        for (std::size_t f = 0; f < norms.size(); ++f)
            EXPECT_NEAR(norms[f] * norms[f], expected[f], tolerance * expected[f])
                << machine << " " << precision << " " << f;
        settings.pop_back();
    }
}

/// Gives the settings with those that all tests of a set of classes share.
std::vector<Setting> with(std::vector<Setting> own, const std::vector<Setting>& common) {
    own.insert(own.end(), common.begin(), common.end());
    return own;
}

TEST(NormalLengths, OfMarginMachines) {
    for (const Index classes : {2, 3}) {
        Dataset training = blobs(330, 5, classes, 2, 9, true);
        training.sample_weights.assign(training.rows(), 1.0);
        for (Index i = 0; i < training.rows(); i += 7) training.sample_weights[i] = 0;
        for (const char* multiclass : {"ovo", "ovr"}) {
            for (const char* neighbours : {"0", "2"}) {
                const std::vector<Setting> common{
                    {"kernel", "rbf(gamma=0.2)"}, {"multiclass", multiclass}, {"neighbours", neighbours}};
                expect_lengths("svm", training, with({{"C", "3"}, {"class_weight", "balanced"}}, common));
                expect_lengths("svm", training, with({{"C", "3"}, {"loss", "squared_hinge"}}, common));
                expect_lengths("nu_svm", training, with({{"nu", "0.3"}}, common));
            }
            expect_lengths("svm", training,
                           {{"kernel", "rbf(gamma=5)"}, {"loss", "hard"}, {"multiclass", multiclass}});
        }
    }
}

/// Where the functions are small beside their targets, their lengths do not drown in those.
TEST(NormalLengths, OfSmallFunctions) {
    for (const Index classes : {2, 3}) {
        const Dataset training = blobs(330, 5, classes, 2, 9);
        for (const char* loss : {"hinge", "squared_hinge"})
            expect_lengths("svm", training, {{"kernel", "rbf(gamma=0.2)"}, {"C", "1e-13"}, {"loss", loss}});
        expect_lengths("svm", training, {{"kernel", "1e-16 * rbf(gamma=0.2)"}, {"C", "1"}});
    }
}

/// A solver that had to stop early tells the length of what it found.
TEST(NormalLengths, OfUnfinishedSolutions) {
    for (const Index classes : {2, 3}) {
        const Dataset training = blobs(330, 5, classes, 2, 10);
        for (const char* steps : {"1", "7", "60"})
            expect_lengths("svm", training,
                           {{"kernel", "rbf(gamma=0.2)"}, {"C", "3"}, {"max_iterations", steps}});
    }
}

/// So many rows are solved by working sets, and most of them leave the program before its end.
TEST(NormalLengths, OfShrunkenPrograms) {
    const Dataset training = blobs(3000, 2, 2, 1.5, 12);
    expect_lengths("svm", training, {{"kernel", "rbf(gamma=2)"}, {"C", "30"}});
}

TEST(NormalLengths, OfKernelsWithFeatures) {
    const Dataset training = blobs(330, 5, 3, 2, 11);
    for (const char* kernel : {"linear", "lowrank(rbf(gamma=0.2), rank=20)", "[linear, rbf(gamma=1)]"})
        expect_lengths("svm", training, {{"kernel", kernel}, {"C", "2"}});
}

}  // namespace
}  // namespace dk::test::normal_lengths_test
