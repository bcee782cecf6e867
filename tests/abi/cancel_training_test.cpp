// SPDX-License-Identifier: Apache-2.0
// Every machine, family of kernels and way of weighing answers a cancel within 0.2 s of processor time.
#include <algorithm>
#include <cmath>
#include <string>

#include "cancel.hpp"
#include "structures.hpp"

namespace dk_test::cancel_training_test {
namespace {

struct Work {
    std::string name, machine, settings;
    int64_t rows;
    std::string data = "dense";

    friend void PrintTo(const Work& work, std::ostream* out) { *out << work.name; }
};

/// Sparse rows with a few entries in many columns, as texts have.
Data sparse_rows(int64_t rows) {
    constexpr int64_t columns = 3000;
    Random random(31);
    std::vector<int64_t> offsets{0};
    std::vector<int64_t> indices;
    std::vector<double> values;
    for (int64_t row = 0; row < rows; ++row) {
        int64_t column = row % 2;
        while (column < columns) {
            indices.push_back(column);
            values.push_back(random.uniform());
            column += 1 + static_cast<int64_t>(random.below(150));
        }
        offsets.push_back(static_cast<int64_t>(indices.size()));
    }
    Data data = create<Data>(dk_data_from_csr, offsets.data(), indices.data(), values.data(), rows, columns,
                             offsets.back());
    label(data, alternating_labels(rows));
    return data;
}

Data data_of(const Work& work, int64_t rows) {
    if (work.data == "sparse") return sparse_rows(rows);
    if (work.data == "strings") return strings(rows, 3);
    if (work.data == "graphs") return graphs(rows, 3);
    if (work.data == "series") return series(rows, 2, 3);
    Problem problem = make_problem(rows, 20, 2, 1.0, 51);
    if (work.data == "histograms")
        std::ranges::transform(problem.x, problem.x.begin(), [](double x) { return std::abs(x); });
    Data data = dense(problem);
    std::vector<double> targets;
    for (int64_t row = 0; row < rows; ++row)
        targets.push_back(std::sin(problem.x[static_cast<std::size_t>(20 * row)]) +
                          0.1 * static_cast<double>(row % 7));
    check(dk_data_set_targets(data.get(), targets.data(), rows));
    return data;
}

class CancelTraining : public testing::TestWithParam<Work> {};

TEST_P(CancelTraining, IsAnsweredSoon) {
    const Work& work = GetParam();
    // Where something slows the library down, there is less work, so that the test takes no longer.
    const Data data = data_of(work, slowed_down() ? work.rows / 3 : work.rows);
    const Params params = parameters(work.machine.c_str(), work.settings);
    cancel_at_moments(training_call(dk_train, data.get(), params.get()));
}

const std::string rbf = "kernel=rbf(gamma=0.05) ";

INSTANTIATE_TEST_SUITE_P(
    Of, CancelTraining,
    testing::Values(
        Work{"svm", "svm", "C=1000 kernel=[rbf(gamma=0.05),linear] weights=dimkl1 probability=yes", 600},
        Work{"svm_squared", "svm", "loss=squared_hinge C=100 kernel=rbf(gamma=0.01)", 1500},
        Work{"svm_logistic", "svm", rbf + "loss=logistic C=10", 2500},
        Work{"svm_logistic_lowrank", "svm",
             "loss=logistic kernel=lowrank(rbf(gamma=0.05),rank=200,method=uniform)", 30000},
        Work{"svm_logistic_sparse", "svm", "loss=logistic kernel=linear C=100", 15000, "sparse"},
        Work{"svm_hard", "svm", "loss=hard kernel=rbf(gamma=1)", 4000},
        Work{"svm_linear_dense", "svm", "kernel=linear C=10", 60000},
        Work{"svm_linear_sparse", "svm", "kernel=linear C=100", 40000, "sparse"},
        Work{"svm_single", "svm", rbf + "C=1000 precision=single", 4000},
        Work{"svm_small_cache", "svm", rbf + "C=100 memory_mb=4", 1500},
        Work{"nu_svm", "nu_svm", rbf + "nu=0.3", 2500}, Work{"svr", "svr", rbf + "C=100 epsilon=0.01", 1500},
        Work{"quantile_regression", "quantile_regression", rbf + "C=100", 1500},
        Work{"nu_svr", "nu_svr", rbf + "C=100", 1200},
        Work{"one_class_svm", "one_class_svm", rbf + "nu=0.4", 6000}, Work{"cvm", "cvm", rbf + "C=10", 2500},
        Work{"bvm", "bvm", rbf + "C=10", 2500}, Work{"mcvm", "mcvm", rbf + "C=10", 2500},
        Work{"fisher", "fisher", rbf, 2000}, Work{"kelm", "kelm", rbf + "leave_one_out=yes", 2000},
        Work{"kelm_tuned", "kelm", rbf + "tune_kernel=leave_one_out", 300},
        Work{"kelm_select", "kelm", rbf + "select_C=yes", 1000},
        Work{"kernel_ridge", "kernel_ridge", rbf, 2500}, Work{"elm", "elm", "hidden=800", 6000},
        Work{"large_margin", "svm", "kernel=rbf(gamma=0.1) layers=large_margin", 2000},
        Work{"elm_sigmoid", "elm", "features=sigmoid kernel=linear hidden=600 select_C=yes", 6000},
        Work{"rvm", "rvm", rbf, 500}, Work{"rvr", "rvr", rbf, 800},
        Work{"boosted", "boosted", rbf + "C=0 max_iterations=1000", 800},
        Work{"imkpl", "imkpl", "kernel=each_feature(rbf(gamma=0.3)) prototypes=10", 400},
        Work{"imkpl_tuned", "imkpl", "kernel=each_feature(rbf(gamma=0.3)) prototypes=6 choose_weights=yes",
             150},
        Work{"iskpl", "iskpl", rbf + "prototypes=10", 600},
        Work{"kglvq", "kglvq", rbf + "prototypes=20", 1500},
        Work{"akglvq", "akglvq", rbf + "prototypes=20 epochs=1", 1200},
        Work{"prototype_selection", "prototype_selection", rbf, 1500},
        Work{"nearest_rule", "svm", rbf + "multiclass=nearest C=10", 2500},
        Work{"umkl_rows", "mean_of_class", "kernel=[rbf(gamma=0.02),linear] weights=umkl(rows=normalise)",
             3000},
        Work{"defimkl", "defimkl", "kernel=grid(rbf,gamma=0.01:0.02:0.03:0.04:0.05:0.1:0.2:0.3) C=10", 600},
        Work{"gamkl", "kelm", "kernel=grid(rbf,gamma=0.01:0.1:1) weights=gamkl", 250},
        Work{"kernel_pca", "kernel_pca", rbf + "components=300", 1500},
        Work{"clusters", "kernel_k_means", rbf + "clusters=200 starts=100", 1500},
        Work{"spectral_clusters", "kernel_k_means", rbf + "clusters=20 method=spectral starts=100", 1200},
        Work{"kernel_pca_lanczos", "kernel_pca", rbf + "components=30", 3000},
        Work{"layers", "svm", rbf + "layers=[kernel_pca(rbf,components=200),mutual_information,kernel_pca]",
             1200},
        Work{"mkldpl", "mkldpl", "kernel=each_feature(rbf(gamma=0.3))", 500},
        Work{"dkmld", "dkmld", "kernel=each_feature(rbf(gamma=0.3))", 600},
        Work{"midl_surrogate", "midl_surrogate", "kernel=each_feature(rbf(gamma=0.3))", 600},
        Work{"super_sparse", "super_sparse", rbf + "prototypes=40 max_iterations=20", 2500},
        Work{"super_sparse_regression", "super_sparse_regression", rbf + "prototypes=40 max_iterations=20",
             2500},
        Work{"similarity_ridge", "similarity_ridge", rbf, 1200},
        Work{"similarity_ridge_folds", "similarity_ridge", rbf + "basis=random prototypes=500 folds=4", 1500},
        Work{"similarity_ridge_regression", "similarity_ridge_regression",
             rbf + "basis=k_medoids prototypes=300", 2500},
        Work{"similarity_lasso", "similarity_lasso", rbf, 500},
        Work{"similarity_lasso_regression", "similarity_lasso_regression",
             rbf + "basis=border prototypes=1000 lambda=0.001", 3000},
        Work{"selected_svm", "selected_svm", rbf + "selection=exact", 2000},
        Work{"selected_svm_bounds", "selected_svm", rbf + "selection=kpca", 400},
        Work{"reduced_svm", "reduced_svm", rbf + "prototypes=20", 1500},
        Work{"reduced_svm_gradient", "reduced_svm", "kernel=arccos(1) polish=yes prototypes=5", 300},
        Work{"landmark_select", "kelm", rbf + "solver=falkon landmarks=300 select_C=yes offset=yes", 6000},
        Work{"falkon", "kelm", rbf + "solver=falkon landmarks=400 max_iterations=10", 5000},
        Work{"mean_of_class", "mean_of_class", "kernel=arccos(1,2)", 8000},
        Work{"alignf", "mean_of_class", "kernel=grid(rbf,gamma=0.01:0.1:1) weights=alignf", 2500},
        Work{"easymkl", "mean_of_class", "kernel=grid(rbf,gamma=0.01:0.1:1) weights=easymkl", 2500},
        Work{"umkl", "mean_of_class", "kernel=grid(rbf,gamma=0.01:0.1:1) weights=umkl(alternate=yes)", 2000},
        Work{"mklgl", "mean_of_class", "kernel=grid(rbf,gamma=0.01:0.1:1) weights=mklgl(C=10)", 2000},
        Work{"dimkl1", "mean_of_class", "kernel=grid(rbf,gamma=0.01:0.1:1) weights=dimkl1", 4000},
        Work{"dimkl6", "mean_of_class", "kernel=grid(rbf,gamma=0.01:1) weights=dimkl6", 3000}),
    [](const auto& work) { return work.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Kernels, CancelTraining,
    testing::Values(
        Work{"laplacian", "mean_of_class", "kernel=laplacian(gamma=0.1)", 6000},
        Work{"chi_square", "mean_of_class", "kernel=chi_square(gamma=0.1)", 5000, "histograms"},
        Work{"sparse", "mean_of_class", "kernel=rbf(gamma=0.1)", 2500, "sparse"},
        Work{"gak", "mean_of_class", "kernel=gak(sigma=1)", 900, "series"},
        Work{"gak_width", "mean_of_class", "kernel=gak", 900, "series"},
        Work{"dtw", "mean_of_class", "kernel=dtw(gamma=0.1)", 900, "series"},
        Work{"kernel_of_spectrum", "mean_of_class", "kernel=spectrum(length=3)", 3000, "strings"},
        Work{"mismatch", "mean_of_class", "kernel=mismatch(length=4)", 800, "strings"},
        Work{"subsequence", "mean_of_class", "kernel=subsequence(length=3)", 700, "strings"},
        Work{"edit", "mean_of_class", "kernel=edit", 900, "strings"},
        Work{"weisfeiler_lehman", "mean_of_class", "kernel=weisfeiler_lehman", 3000, "graphs"},
        Work{"median", "mean_of_class", "kernel=rbf(gamma=median)", 8000},
        Work{"lowrank", "svm", "kernel=lowrank(rbf(gamma=0.05), rank=300)", 6000},
        Work{"lowrank_large", "svm", "kernel=lowrank(rbf(gamma=0.05), rank=1500)", 4000},
        Work{"lowrank_kmeans", "mean_of_class", "kernel=lowrank(rbf(gamma=0.05), rank=200, method=kmeans)",
             6000},
        Work{"lowrank_random", "svm", "kernel=lowrank(rbf(gamma=0.05), rank=2000, method=random)", 4000},
        Work{"center", "mean_of_class", "kernel=center(arccos(1,2))", 5000},
        Work{"corrected", "svm", "kernel=corrected(sigmoid(gamma=2, coef0=-1), method=flip)", 800},
        Work{"spectrum", "fisher", "kernel=sigmoid(gamma=2, coef0=-1) spectrum=square", 1000},
        Work{"spectrum_of_many", "fisher", "kernel=sigmoid(gamma=2, coef0=-1) spectrum=clip", 1500}),
    [](const auto& work) { return work.param.name; });

}  // namespace
}  // namespace dk_test::cancel_training_test
