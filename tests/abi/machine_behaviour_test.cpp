// SPDX-License-Identifier: Apache-2.0
// These tests check what every machine owes, whatever it learns: the same bits for any number of threads,
// models that survive writing, prototypes that explain decisions.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "expectations.hpp"

namespace dk_test::machine_behaviour_test {
namespace {

struct Case {
    std::string name, machine, settings;
    int64_t classes;  // 0 where the rows have targets instead

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

constexpr int64_t rows = 260;
constexpr int64_t cols = 5;

std::vector<double> targets_of(const Problem& problem) {
    std::vector<double> targets;
    for (int64_t i = 0; i < problem.rows; ++i) {
        const double* x = problem.x.data() + i * problem.cols;
        targets.push_back(x[0] * x[1] - 0.5 * x[2]);
    }
    return targets;
}

Data data_of(const Case& one, int64_t count, uint64_t seed) {
    const Problem problem = make_problem(count, cols, std::max<int64_t>(one.classes, 2), 1.5, seed);
    Data data = dense(problem);
    if (one.classes > 0) return data;
    const auto targets = targets_of(problem);
    check(dk_data_set_targets(data.get(), targets.data(), count));
    return data;
}

/// Gives values that stand row by row, so many in each, as a matrix.
Eigen::MatrixXd row_major(const std::vector<double>& values, int64_t columns) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const RowMajor>(values.data(), static_cast<int64_t>(values.size()) / columns, columns);
}

/// Tells whether a machine's prototypes are points that functions compare rows with.
bool has_terms(const std::string& machine) {
    return machine.starts_with("super_sparse") || machine.starts_with("similarity") ||
           machine == "selected_svm" || machine == "reduced_svm";
}

class EveryMachine : public testing::TestWithParam<Case> {
  protected:
    Model train_with(int32_t threads) const {
        const Control control = create<Control>(dk_control_create);
        check(dk_control_set_threads(control.get(), threads));
        const Params params = parameters(GetParam().machine.c_str(), GetParam().settings);
        return create<Model>(dk_train, training.get(), params.get(), control.get());
    }
    std::vector<double> decisions_of(const dk_model* model) const {
        return values_of<double>(40 * dk_model_decision_count(model), dk_decision, model, test.get(),
                                 nullptr);
    }

    /// Checks the prototypes of a model that learned them itself.
    void expect_shares(const dk_model* model) const {
        const int64_t prototypes = dk_model_prototype_count(model);
        const auto said = values_of<double>(40 * prototypes, dk_explain, model, test.get(), nullptr);
        const auto coefficients =
            values_of<double>(prototypes * rows, dk_model_prototype_coefficients, model);
        const auto labels = values_of<int64_t>(rows, dk_data_labels, training.get());
        for (const double a : coefficients) EXPECT_GE(a, 0);
        const auto decisions = decisions_of(model);
        const auto classes = static_cast<std::size_t>(dk_model_decision_count(model));
        const auto known = values_of<int64_t>(dk_model_class_count(model), dk_model_classes, model);
        for (std::size_t i = 0; i < 40; ++i) {
            std::vector<double> expected(classes);
            double sum = 0;
            for (int64_t p = 0; p < prototypes; ++p) {
                const double share =
                    said[i * static_cast<std::size_t>(prototypes) + static_cast<std::size_t>(p)];
                EXPECT_GE(share, 0);
                sum += share;
                const auto own = coefficients.begin() + p * rows;
                const double mass = std::accumulate(own, own + rows, 0.0);
                for (int64_t r = 0; r < rows; ++r) {
                    const auto c =
                        std::ranges::find(known, labels[static_cast<std::size_t>(r)]) - known.begin();
                    expected[static_cast<std::size_t>(c)] += share * own[r] / mass;
                }
            }
            EXPECT_NEAR(sum, 1, 1e-12);
            for (std::size_t c = 0; c < classes; ++c)
                EXPECT_NEAR(decisions[i * classes + c], expected[c], 1e-12);
        }
    }

    /// Checks prototypes of classes, whose contributions sum to the decisions of their classes.
    void expect_sums_of_classes(const dk_model* model) const {
        const int64_t prototypes = dk_model_prototype_count(model);
        const int64_t classes = dk_model_decision_count(model);
        const Eigen::MatrixXd said =
            row_major(values_of<double>(40 * prototypes, dk_explain, model, test.get(), nullptr), prototypes);
        const auto class_of = values_of<int64_t>(prototypes, dk_model_prototype_classes, model);
        const Eigen::MatrixXd decisions = row_major(decisions_of(model), classes);
        Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(40, classes);
        for (int64_t p = 0; p < prototypes; ++p)
            sums.col(class_of[static_cast<std::size_t>(p)]) += said.col(p);
        EXPECT_LE((sums - decisions).cwiseAbs().maxCoeff(), 1e-10 * (1 + decisions.cwiseAbs().maxCoeff()));
        // The class with the largest decision is predicted.
        const auto known = values_of<int64_t>(classes, dk_model_classes, model);
        const auto predicted = values_of<double>(40, dk_predict, model, test.get(), nullptr);
        for (Eigen::Index i = 0; i < 40; ++i) {
            Eigen::Index best = 0;
            decisions.row(i).maxCoeff(&best);
            EXPECT_EQ(predicted[static_cast<std::size_t>(i)],
                      static_cast<double>(known[static_cast<std::size_t>(best)]));
        }
    }

    /// Checks atoms of levels for two classes: with its sign for the second class, what each contributes adds
    /// up to the decision but for an offset.
    void expect_linear_codes(const dk_model* model) const {
        const int64_t prototypes = dk_model_prototype_count(model);
        ASSERT_EQ(dk_model_decision_count(model), 2);
        Eigen::MatrixXd said =
            row_major(values_of<double>(40 * prototypes, dk_explain, model, test.get(), nullptr), prototypes);
        const auto class_of = values_of<int64_t>(prototypes, dk_model_prototype_classes, model);
        for (int64_t p = 0; p < prototypes; ++p) {
            if (class_of[static_cast<std::size_t>(p)] == 0) said.col(p) *= -1;
        }
        const Eigen::VectorXd rest = row_major(decisions_of(model), 2).col(1) - said.rowwise().sum();
        EXPECT_LE((rest.array() - rest[0]).abs().maxCoeff(), 1e-9);
    }

    /// Gives k(x, z) of the test rows x and of the model's prototypes z, which stand at their coordinates.
    Eigen::MatrixXd similarities_of_prototypes(const dk_model* model) const {
        const int64_t prototypes = dk_model_prototype_count(model);
        const auto coordinates = values_of<double>(prototypes * cols, dk_model_prototype_coordinates, model);
        const Data points =
            create<Data>(dk_data_from_dense, coordinates.data(), prototypes, cols, cols, DK_ROW_MAJOR);
        const std::string kernel = text_of(dk_model_kernel_name, model, int64_t{0});
        const auto values =
            values_of<double>(40 * prototypes, dk_gram, test.get(), points.get(), kernel.c_str(), nullptr);
        return row_major(values, prototypes);
    }

    /// Checks prototypes that are free vectors. A prototype z says weight * k(x, z) of x, and every
    /// function's decisions are such a sum over all prototypes plus its offset. The weight that a prototype
    /// speaks with is the largest of its weights in the functions.
    void expect_terms(const dk_model* model) const {
        const int64_t prototypes = dk_model_prototype_count(model);
        const int64_t functions = dk_model_decision_count(model);
        EXPECT_EQ(dk_model_prototype_pairs(model), 0);
        const double accuracy =
            GetParam().settings.find("precision=single") == std::string::npos ? 1e-9 : 1e-5;
        const Eigen::MatrixXd K = similarities_of_prototypes(model);
        const Eigen::MatrixXd said =
            row_major(values_of<double>(40 * prototypes, dk_explain, model, test.get(), nullptr), prototypes);
        Eigen::VectorXd offsets(functions);
        check(dk_model_prototype_offsets(nullptr, offsets.data(), functions, model));
        const Eigen::MatrixXd sums =
            row_major(decisions_of(model), functions).rowwise() - offsets.transpose();
        // There are more rows than prototypes, so that weights that give all decisions can't be had by
        // chance.
        const Eigen::MatrixXd W = K.colPivHouseholderQr().solve(sums);
        const double largest = W.cwiseAbs().maxCoeff();
        EXPECT_LE((K * W - sums).cwiseAbs().maxCoeff(), accuracy * largest);
        for (int64_t p = 0; p < prototypes; ++p) {
            Eigen::Index main = 0;
            W.row(p).cwiseAbs().maxCoeff(&main);
            EXPECT_LE((said.col(p) - W(p, main) * K.col(p)).cwiseAbs().maxCoeff(), accuracy * largest)
                << "prototype " << p;
        }
        if (functions > 1) return;
        EXPECT_LE((said.rowwise().sum() - sums).cwiseAbs().maxCoeff(), 1e-12 * (1 + largest));
    }

    /// Checks the mean and the ends of components: what they say and the offset are the decision.
    void expect_components(const dk_model* model) const {
        const int64_t prototypes = dk_model_prototype_count(model);
        EXPECT_EQ(prototypes, 2 * dk_model_transform_count(model) + 1);
        const Eigen::MatrixXd said =
            row_major(values_of<double>(40 * prototypes, dk_explain, model, test.get(), nullptr), prototypes);
        double offset = 0;
        check(dk_model_prototype_offsets(nullptr, &offset, 1, model));
        const Eigen::VectorXd rest = row_major(decisions_of(model), 1).col(0) - said.rowwise().sum();
        EXPECT_LE((rest.array() - offset).abs().maxCoeff(), 1e-10 * (1 + said.cwiseAbs().maxCoeff()));
        EXPECT_LE(said.col(0).maxCoeff(), 0);
        EXPECT_GE(said.rightCols(prototypes - 1).minCoeff(), 0);
    }

    /// Checks machines of several kernels: what the prototypes of a function say is its decision.
    void expect_sums_of_functions(const dk_model* model) const {
        const int64_t prototypes = dk_model_prototype_count(model);
        const int64_t functions = dk_model_decision_count(model);
        const Eigen::MatrixXd said =
            row_major(values_of<double>(40 * prototypes, dk_explain, model, test.get(), nullptr), prototypes);
        Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(40, functions);
        for (int64_t p = 0; p < prototypes; ++p) sums.col(p / 2 % functions) += said.col(p);
        const Eigen::MatrixXd decisions = row_major(decisions_of(model), functions);
        EXPECT_LE((sums - decisions).cwiseAbs().maxCoeff(), 1e-10 * (1 + said.cwiseAbs().maxCoeff()));
    }

    const Data training = data_of(GetParam(), rows, 3);
    const Data test = data_of(GetParam(), 40, 4);
};

TEST_P(EveryMachine, GivesTheSameBitsForAnyNumberOfThreads) {
    const auto expected = bytes_of(train_with(1).get());
    EXPECT_EQ(bytes_of(train_with(2).get()), expected);
    EXPECT_EQ(bytes_of(train_with(5).get()), expected);
}

TEST_P(EveryMachine, SurvivesWritingAndReading) {
    const Model model = train_with(2);
    const auto bytes = bytes_of(model.get());
    const Model again =
        create<Model>(dk_model_read, bytes.data(), static_cast<int64_t>(bytes.size()), nullptr);
    EXPECT_EQ(bytes_of(again.get()), bytes);
    EXPECT_TRUE(same_bits(decisions_of(again.get()), decisions_of(model.get())));
    EXPECT_EQ(text_of(dk_model_info, again.get()), text_of(dk_model_info, model.get()));
    EXPECT_TRUE(same_bits(values_of<double>(40, dk_predict, again.get(), test.get(), nullptr),
                          values_of<double>(40, dk_predict, model.get(), test.get(), nullptr)));
}

TEST_P(EveryMachine, IsExplainedByItsPrototypes) {
    const Model model = train_with(2);
    const int64_t functions = dk_model_decision_count(model.get());
    const int64_t prototypes = dk_model_prototype_count(model.get());
    if (has_terms(GetParam().machine)) return expect_terms(model.get());
    if (GetParam().machine == "defimkl") return expect_sums_of_functions(model.get());
    if (GetParam().machine == "kernel_pca") return expect_components(model.get());
    if (GetParam().machine == "dkmld") return expect_linear_codes(model.get());
    if (GetParam().machine == "imkpl" || GetParam().machine == "iskpl") return expect_shares(model.get());
    const bool averages = GetParam().settings.find("averaging=paper") != std::string::npos;
    if (dk_model_prototype_pairs(model.get()) == 0 && !averages) return expect_sums_of_classes(model.get());
    ASSERT_EQ(prototypes, 2 * functions);
    const auto decisions = decisions_of(model.get());
    const auto said = values_of<double>(40 * prototypes, dk_explain, model.get(), test.get(), nullptr);
    std::vector<double> offsets(static_cast<std::size_t>(functions));
    check(dk_model_prototype_offsets(nullptr, offsets.data(), functions, model.get()));
    std::vector<double> sums;
    std::vector<double> sizes;
    for (std::size_t e = 0; e < decisions.size(); ++e) {
        const double offset = offsets[e % offsets.size()];
        sizes.push_back(1 + std::abs(said[2 * e]) + std::abs(said[2 * e + 1]) + std::abs(offset));
        sums.push_back(said[2 * e] + said[2 * e + 1] + offset);
    }
    // Decisions of levels ascend in each row, where functions may cross.
    if (dk_model_task(model.get()) == DK_TASK_REGRESSION) {
        for (auto row = sums.begin(); row != sums.end(); row += functions) std::sort(row, row + functions);
    }
    for (std::size_t e = 0; e < decisions.size(); ++e) EXPECT_NEAR(sums[e], decisions[e], 1e-10 * sizes[e]);
    const auto coefficients =
        values_of<double>(prototypes * rows, dk_model_prototype_coefficients, model.get());
    for (int64_t p = 0; p < prototypes; p += 2) {
        const auto sum = [&](int64_t q) {
            const auto begin = coefficients.begin() + q * rows;
            for (auto a = begin; a != begin + rows; ++a) EXPECT_GE(*a, 0);
            return std::accumulate(begin, begin + rows, 0.0);
        };
        // What a sum lacks of 1 is at the origin of feature space, and at most one of the two lacks any.
        EXPECT_LE(sum(p), 1 + 1e-12);
        EXPECT_LE(sum(p + 1), 1 + 1e-12);
        EXPECT_NEAR(std::max(sum(p), sum(p + 1)), 1, 1e-12);
    }
}

TEST_P(EveryMachine, LearnsTheSameFromSparseRows) {
    const Problem problem = make_problem(rows, cols, std::max<int64_t>(GetParam().classes, 2), 1.5, 3);
    const Data sparse_data = sparse(problem);
    if (GetParam().classes == 0) {
        const auto targets = targets_of(problem);
        check(dk_data_set_targets(sparse_data.get(), targets.data(), rows));
    }
    const Params params = parameters(GetParam().machine.c_str(), GetParam().settings);
    const Model model = create<Model>(dk_train, sparse_data.get(), params.get(), nullptr);
    const auto ours = values_of<double>(rows * dk_model_decision_count(model.get()), dk_decision, model.get(),
                                        sparse_data.get(), nullptr);
    const Model of_dense = train_with(1);
    const auto theirs = values_of<double>(static_cast<int64_t>(ours.size()), dk_decision, of_dense.get(),
                                          training.get(), nullptr);
    EXPECT_TRUE(nearly_equal(ours, theirs, 1e-9));
}

INSTANTIATE_TEST_SUITE_P(
    Machines, EveryMachine,
    testing::Values(
        Case{"svm", "svm", "C=10 kernel=rbf(gamma=0.2)", 2},
        Case{"svm_pairs", "svm", "C=10 kernel=rbf(gamma=0.2)", 5},
        Case{"svm_rest", "svm", "C=10 kernel=rbf(gamma=0.2) multiclass=ovr", 4},
        Case{"svm_squared", "svm", "C=2 loss=squared_hinge kernel=arccos(1,0)", 4},
        Case{"svm_single", "svm", "C=10 kernel=rbf(gamma=0.2) precision=single neighbours=0", 5},
        Case{"svm_linear", "svm", "C=1 kernel=linear", 3},
        Case{"svm_logistic", "svm", "C=3 loss=logistic kernel=rbf(gamma=0.2)", 4},
        Case{"svm_logistic_lowrank", "svm", "loss=logistic kernel=lowrank(rbf(gamma=0.2),rank=20)", 3},
        Case{"svm_logistic_linear", "svm", "loss=logistic multiclass=ovr kernel=linear", 3},
        Case{"svm_lowrank", "svm", "C=1 kernel=lowrank(rbf(gamma=0.2),rank=40)", 3},
        Case{"nu_svm", "nu_svm", "nu=0.3 kernel=rbf(gamma=0.2)", 3},
        Case{"svr", "svr", "C=5 epsilon=0.1 kernel=rbf(gamma=0.2)", 0},
        Case{"quantile_regression", "quantile_regression", "C=5 levels=0.2,0.5,0.8 kernel=rbf(gamma=0.2)", 0},
        Case{"expectiles", "quantile_regression", "loss=expectile kernel=rbf(gamma=0.2)", 0},
        Case{"nu_svr", "nu_svr", "C=5 nu=0.4 kernel=rbf(gamma=0.2)", 0},
        Case{"defimkl", "defimkl", "C=5 kernel=[rbf(gamma=0.1),rbf(gamma=2)]", 2},
        Case{"defimkl_rest", "defimkl", "kernel=[rbf(gamma=0.1),rbf(gamma=2),linear] lambda=0.1 p=2", 4},
        Case{"kernel_pca", "kernel_pca", "components=4 kernel=rbf(gamma=0.2)", 2},
        Case{"clusters", "kernel_k_means", "clusters=4 kernel=rbf(gamma=0.2)", 2},
        Case{"spectral_clusters", "kernel_k_means", "clusters=3 method=spectral kernel=rbf(gamma=0.2)", 2},
        Case{"kernel_pca_linear", "kernel_pca", "components=2 kernel=linear whiten=yes", 2},
        Case{"layers", "svm",
             "C=5 scale_rows=l2 kernel=rbf(gamma=0.2) "
             "layers=[kernel_pca([rbf(gamma=0.2),linear],weights=umkl,components=9),anova_f(6)]",
             4},
        Case{"layers_components", "kelm",
             "kernel=arccos(1) layers=[kernel_pca(rbf,variance=0.9,whiten=yes),mutual_information(4)]", 2},
        Case{"layers_regression", "svr", "layers=kernel_pca(rbf,components=12) scale_rows=max", 0},
        Case{"one_class", "one_class_svm", "nu=0.2 kernel=rbf(gamma=0.2)", 2},
        Case{"cvm", "cvm", "C=10 gap=1e-9 kernel=rbf(gamma=0.2)", 4},
        Case{"cvm_deep", "cvm", "C=10 kernel=arccos(0,1,2)", 2},
        Case{"cvm_literal", "cvm", "C=10 stop=epsilon epsilon=0.001 kernel=rbf(gamma=0.2)", 2},
        Case{"bvm", "bvm", "C=10 kernel=rbf(gamma=0.2)", 3},
        Case{"bvm_literal", "bvm", "C=10 stop=epsilon epsilon=0.001 kernel=rbf(gamma=0.2)", 3},
        Case{"kelm", "kelm", "C=10 kernel=arccos(1,0) leave_one_out=yes", 4},
        Case{"kelm_chosen", "kelm", "select_C=yes offset=yes kernel=rbf(gamma=0.2)", 2},
        Case{"kelm_landmarks", "kelm",
             "solver=falkon landmarks=60 select_C=yes offset=yes kernel=rbf(gamma=0.2)", 3},
        Case{"kelm_tuned", "kelm", "kernel=rbf(gamma=0.2) tune_kernel=evidence", 3},
        Case{"kelm_lowrank", "kelm", "C=10 kernel=lowrank(rbf(gamma=0.2),rank=40)", 3},
        Case{
            "large_margin", "svm",
            "C=5 kernel=rbf(gamma=0.2) layers=[kernel_pca(rbf,components=6),large_margin(max_iterations=10)]",
            4},
        Case{"elm_sigmoid", "elm", "C=100 features=sigmoid kernel=linear hidden=40", 3},
        Case{"kelm_tangent", "kelm", "kernel=neural_tangent(depth=3,bias_variance=0.1)", 4},
        Case{"kernel_ridge", "kernel_ridge", "C=10 offset=yes kernel=rbf(gamma=0.2)", 0},
        Case{"rvm", "rvm", "kernel=rbf(gamma=0.2)", 3},
        Case{"rvm_raw", "rvm", "kernel=rbf(gamma=0.2) centred=no", 2},
        Case{"rvr", "rvr", "kernel=rbf(gamma=0.2)", 0},
        Case{"boosted", "boosted", "C=5 kernel=rbf(gamma=0.2)", 3},
        Case{"imkpl", "imkpl", "kernel=each_feature(rbf(gamma=0.3)) prototypes=4", 3},
        Case{"imkpl_capped", "imkpl", "kernel=[linear,rbf(gamma=0.3),arccos(1)] policy=capped", 2},
        Case{"iskpl", "iskpl", "kernel=poly(degree=2) prototypes=3", 4},
        Case{"iskpl_single", "iskpl", "kernel=rbf(gamma=0.2) precision=single", 2},
        Case{"kglvq", "kglvq", "kernel=rbf(gamma=0.2) prototypes=3", 4},
        Case{"akglvq", "akglvq", "kernel=[rbf(gamma=0.2),linear] rows_of_prototype=4", 3},
        Case{"akglvq_hull", "akglvq", "kernel=rbf(gamma=0.2) sparse=hull precision=single", 2},
        Case{"boosted_averages", "boosted", "kernel=rbf(gamma=0.2) averaging=paper max_iterations=300", 3},
        Case{"nearest_neighbours", "nearest_neighbours", "kernel=rbf(gamma=0.2) voters=7", 3},
        Case{"nearest_rule", "svm", "C=5 kernel=rbf(gamma=0.2) multiclass=nearest", 4},
        Case{"nearest_rule_of_two", "mean_of_class", "kernel=linear multiclass=nearest", 2},
        Case{"prototype_selection", "prototype_selection", "kernel=rbf(gamma=0.2)", 3},
        Case{"prototype_selection_linear", "prototype_selection", "kernel=linear epsilon=1.5", 2},
        Case{"mkldpl", "mkldpl", "kernel=[rbf(gamma=0.2),arccos(1)] atoms=5 max_iterations=5", 3},
        Case{"mkldpl_objective", "mkldpl", "kernel=each_feature(rbf) policy=objective atoms=4", 2},
        Case{"dkmld", "dkmld", "kernel=each_feature(rbf) prototypes=6", 2},
        Case{"midl_surrogate", "midl_surrogate", "kernel=[rbf(gamma=0.2),cauchy] max_iterations=8", 3},
        Case{"super_sparse", "super_sparse", "kernel=rbf(gamma=0.2) prototypes=6 max_iterations=20", 4},
        Case{"super_sparse_two", "super_sparse", "kernel=rbf(gamma=0.2) prototypes=5 teacher=none", 2},
        Case{"super_sparse_l1", "super_sparse_regression",
             "kernel=rbf(gamma=0.2) prototypes=6 penalty=l1 lambda=0.01 max_iterations=20", 0},
        Case{"super_sparse_single", "super_sparse",
             "kernel=laplacian(gamma=0.2) prototypes=3 precision=single max_iterations=5", 2},
        Case{"similarity_ridge", "similarity_ridge",
             "kernel=rbf(gamma=0.2) basis=k_medoids prototypes=12 per_class=yes", 4},
        Case{"similarity_ridge_folds", "similarity_ridge_regression",
             "kernel=rbf(gamma=0.2) basis=random prototypes=15 folds=4", 0},
        Case{"similarity_lasso", "similarity_lasso", "kernel=rbf(gamma=0.2) basis=border prototypes=20", 2},
        Case{"similarity_lasso_many", "similarity_lasso",
             "kernel=rbf(gamma=0.2) basis=spanning prototypes=15 lambda=0.01 precision=single", 3},
        Case{"similarity_lasso_all", "similarity_lasso_regression", "kernel=rbf(gamma=0.2) lambda=0.02", 0},
        Case{"selected_svm", "selected_svm", "C=5 kernel=rbf(gamma=0.2) prototypes=5", 4},
        Case{"selected_svm_exact", "selected_svm", "C=5 kernel=rbf(gamma=0.2) prototypes=8 selection=exact",
             2},
        Case{"reduced_svm", "reduced_svm", "C=5 kernel=rbf(gamma=0.2) prototypes=5", 2},
        Case{"reduced_svm_many", "reduced_svm", "C=5 kernel=rbf(gamma=0.2) prototypes=3 polish=yes", 3},
        Case{"align", "svm", "C=5 kernel=[rbf(gamma=0.1),rbf(gamma=2)] weights=align", 3},
        Case{"alignf", "svm", "C=5 kernel=[rbf(gamma=0.1),rbf(gamma=2)] weights=alignf", 3},
        Case{"easymkl", "svm", "C=5 kernel=[rbf(gamma=0.1),rbf(gamma=2)] weights=easymkl", 3},
        Case{"umkl", "svm", "C=5 kernel=[rbf(gamma=0.1),rbf(gamma=2)] weights=umkl(alternate=yes)", 3},
        Case{"gamkl", "kelm",
             "kernel=[rbf(gamma=0.1),rbf(gamma=2)] weights=gamkl(population=6,generations=3)", 3},
        Case{"mklgl", "svm", "C=5 kernel=[rbf(gamma=0.1),rbf(gamma=2)] weights=mklgl", 3},
        Case{"dimkl6", "svm", "C=5 kernel=[rbf(gamma=0.1),rbf(gamma=2)] weights=dimkl6", 3},
        Case{"mcvm", "mcvm", "C=10 gap=1e-9 kernel=rbf(gamma=0.2)", 5},
        Case{"fisher", "fisher", "kernel=rbf(gamma=0.2)", 3},
        Case{"mean_of_class", "mean_of_class", "kernel=rbf(gamma=0.2)", 3}),
    [](const testing::TestParamInfo<Case>& one) { return one.param.name; });

}  // namespace
}  // namespace dk_test::machine_behaviour_test
