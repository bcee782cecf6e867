// SPDX-License-Identifier: Apache-2.0
// These tests expect a row to get the same bits alone, in any batch, in any order and for any number of
// threads.
#include <cmath>

#include "expectations.hpp"

namespace dk_test::batch_invariance_test {
namespace {

struct Case {
    std::string name, machine, settings;
    bool targets = false;

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

constexpr int64_t cols = 40;  // beyond the few columns whose differences are taken one by one

/// Makes rows of which a share of the values is not zero.
Problem problem_of(int64_t rows, double share, uint64_t seed) {
    Problem problem = make_problem(rows, cols, 3, 1.5, seed);
    Random random(seed + 100);
    for (double& value : problem.x) value = random.uniform() < share ? std::abs(value) : 0;
    return problem;
}

Problem selected(const Problem& problem, const std::vector<int64_t>& rows) {
    Problem some{static_cast<int64_t>(rows.size()), problem.cols, {}, {}};
    for (const int64_t row : rows) {
        const auto first = problem.x.begin() + row * problem.cols;
        some.x.insert(some.x.end(), first, first + problem.cols);
        some.labels.push_back(problem.labels[static_cast<std::size_t>(row)]);
    }
    return some;
}

/// Gives everything that is said of each row: decisions, explanations, the prediction, probabilities.
std::vector<double> answers(const dk_model* model, const Data& data, bool probable, int32_t threads) {
    const Control control = create<Control>(dk_control_create);
    check(dk_control_set_threads(control.get(), threads));
    const int64_t rows = dk_data_rows(data.get());
    std::vector<std::vector<double>> parts{
        values_of<double>(rows * dk_model_decision_count(model), dk_decision, model, data.get(),
                          control.get()),
        values_of<double>(rows * dk_model_prototype_count(model), dk_explain, model, data.get(),
                          control.get()),
        values_of<double>(rows, dk_predict, model, data.get(), control.get())};
    if (probable)
        parts.push_back(values_of<double>(rows * dk_model_class_count(model), dk_probability, model,
                                          data.get(), control.get()));
    std::vector<double> all;
    for (int64_t row = 0; row < rows; ++row) {
        for (const auto& part : parts) {
            const auto width = static_cast<std::ptrdiff_t>(part.size()) / rows;
            all.insert(all.end(), part.begin() + row * width, part.begin() + (row + 1) * width);
        }
    }
    return all;
}

class BatchInvariance : public testing::TestWithParam<Case> {
  protected:
    void expect_the_same_bits(const Data& training, const Problem& test, Data (*data_of)(const Problem&),
                              const std::string& more) const {
        if (GetParam().targets) {
            std::vector<double> targets(static_cast<std::size_t>(dk_data_rows(training.get())));
            Random random(9);
            for (double& target : targets) target = random.uniform();
            check(dk_data_set_targets(training.get(), targets.data(), static_cast<int64_t>(targets.size())));
        }
        const Params params = parameters(GetParam().machine.c_str(), GetParam().settings + " " + more);
        const Model model = create<Model>(dk_train, training.get(), params.get(), nullptr);
        const bool probable = GetParam().settings.find("probability=yes") != std::string::npos;
        const auto whole = answers(model.get(), data_of(test), probable, 1);
        const auto width = static_cast<std::ptrdiff_t>(whole.size()) / test.rows;
        EXPECT_TRUE(same_bits(answers(model.get(), data_of(test), probable, 3), whole)) << more;
        std::vector<int64_t> backwards;
        for (int64_t row = test.rows - 1; row >= 0; --row) backwards.push_back(row);
        for (const auto& rows : std::vector<std::vector<int64_t>>{{0},
                                                                  {1},
                                                                  {test.rows - 1},
                                                                  {3, 100},
                                                                  {5, 6, 7, 8, 9, 10, 11},
                                                                  {150, 149, 2, 2, 77},
                                                                  backwards}) {
            const auto some = answers(model.get(), data_of(selected(test, rows)), probable, 2);
            for (std::size_t r = 0; r < rows.size(); ++r) {
                const auto begin = some.begin() + static_cast<std::ptrdiff_t>(r) * width;
                const auto expected = whole.begin() + rows[r] * width;
                ASSERT_TRUE(same_bits(std::vector<double>(begin, begin + width),
                                      std::vector<double>(expected, expected + width)))
                    << more << ", row " << rows[r] << " of a batch of " << rows.size();
            }
        }
    }
};

TEST_P(BatchInvariance, OfDenseRows) {
    const Problem test = problem_of(310, 1, 2);
    for (const std::string precision : {"precision=double", "precision=single"})
        expect_the_same_bits(dense(problem_of(170, 1, 1)), test, dense, precision);
}

TEST_P(BatchInvariance, OfSparseRows) {
    // The rows have few values, so many that training rows are computed as dense ones, or the training set is
    // unlike the rows asked for.
    for (const auto& [training_share, share] :
         {std::pair{0.1, 0.1}, std::pair{0.6, 0.6}, std::pair{0.6, 0.1}}) {
        const Problem test = problem_of(310, share, 2);
        for (const std::string precision : {"precision=double", "precision=single"})
            expect_the_same_bits(compressed(problem_of(170, training_share, 1)), test, compressed, precision);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, BatchInvariance,
    testing::Values(
        Case{"svm", "svm", "C=10 kernel=rbf(gamma=0.02)"},
        Case{"svm_probable", "svm", "C=10 kernel=rbf(gamma=0.02) probability=yes"},
        Case{"svm_few_columns", "svm", "C=10 kernel=on(0:9,rbf(gamma=0.1))"},
        Case{"svm_linear", "svm", "C=1 kernel=linear"},
        Case{"svm_logistic", "svm", "C=3 loss=logistic kernel=rbf(gamma=0.02)"},
        Case{"svm_laplacian", "svm", "kernel=laplacian(gamma=0.1)"},
        Case{"svm_anova", "svm", "kernel=anova(gamma=0.1, degree=2)"},
        Case{"svm_bank", "svm", "kernel=[rbf(gamma=0.1),arccos(1,0),intersection,normalize(poly)]"},
        Case{"svm_lowrank", "svm", "C=1 kernel=lowrank(rbf(gamma=0.02),rank=30)"},
        Case{"svm_centred", "svm", "C=1 kernel=center(matern(gamma=0.1))"},
        Case{"svm_corrected", "svm", "C=1 kernel=corrected(sigmoid,method=clip)"},
        Case{"svr", "svr", "C=5 epsilon=0.1 kernel=rbf(gamma=0.02)", true},
        Case{"one_class_svm", "one_class_svm", "nu=0.2 kernel=rbf(gamma=0.02)"},
        Case{"cvm", "cvm", "C=10 kernel=arccos(0,1,2)"}, Case{"mcvm", "mcvm", "C=10 kernel=rbf(gamma=0.02)"},
        Case{"kelm", "kelm", "C=10 kernel=arccos(1,0)"},
        Case{"large_margin", "svm", "layers=[kernel_pca(rbf,components=5),large_margin(max_iterations=5)]"},
        Case{"elm_sigmoid", "elm", "features=sigmoid kernel=linear hidden=30 select_C=yes"},
        Case{"tangent", "kelm", "kernel=neural_tangent(depth=2,bias_variance=0.3)"},
        Case{"kernel_ridge", "kernel_ridge", "C=10 kernel=poly(degree=2)", true},
        Case{"rvm", "rvm", "kernel=rbf(gamma=0.02)"},
        Case{"boosted", "boosted", "C=5 kernel=rbf(gamma=0.02)"},
        Case{"imkpl", "imkpl", "kernel=[rbf(gamma=0.02),arccos(1)] prototypes=4"},
        Case{"iskpl", "iskpl", "kernel=rbf(gamma=0.02) prototypes=3"},
        Case{"kglvq", "kglvq", "kernel=rbf(gamma=0.02) prototypes=3"},
        Case{"defimkl", "defimkl", "kernel=[rbf(gamma=0.02),linear]"},
        Case{"kernel_pca", "kernel_pca", "components=20 kernel=rbf(gamma=0.02)"},
        Case{"clusters", "kernel_k_means", "clusters=5 kernel=rbf(gamma=0.02)"},
        Case{"layers", "svm",
             "kernel=rbf(gamma=0.02) "
             "layers=[kernel_pca(rbf,components=20),anova_f(0.5),kernel_pca(arccos(1))] "
             "scale_rows=l1"},
        Case{"nearest_neighbours", "nearest_neighbours", "kernel=rbf(gamma=0.02)"},
        Case{"nearest_rule", "mean_of_class", "kernel=rbf(gamma=0.02) multiclass=nearest"},
        Case{"prototype_selection", "prototype_selection", "kernel=rbf(gamma=0.02)"},
        Case{"mkldpl", "mkldpl", "kernel=[rbf(gamma=0.02),arccos(1)] atoms=4"},
        Case{"dkmld", "dkmld", "kernel=rbf(gamma=0.02) prototypes=3"},
        Case{"midl_surrogate", "midl_surrogate", "kernel=rbf(gamma=0.02) prototypes=3"},
        Case{"super_sparse", "super_sparse", "kernel=rbf(gamma=0.02) prototypes=5 max_iterations=5"},
        Case{"similarity_ridge", "similarity_ridge", "kernel=rbf(gamma=0.02)"},
        Case{"similarity_lasso", "similarity_lasso", "kernel=rbf(gamma=0.02) lambda=0.02"},
        Case{"selected_svm", "selected_svm", "kernel=rbf(gamma=0.02) selection=exact"},
        Case{"reduced_svm", "reduced_svm", "kernel=rbf(gamma=0.02) prototypes=5"},
        Case{"fisher", "fisher", "kernel=rbf(gamma=0.02)"},
        Case{"mean_of_class", "mean_of_class", "kernel=rbf(gamma=0.02)"}),
    [](const testing::TestParamInfo<Case>& one) { return one.param.name; });

}  // namespace
}  // namespace dk_test::batch_invariance_test
