// SPDX-License-Identifier: Apache-2.0
// Models of libdk decide alike where LIBSVM reads them, and where a C compiler does.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "libsvm_files.hpp"

namespace dk_reference {
namespace {

struct ExportCase {
    const char* name;
    const char* machine;
    const char* parameters;
    std::vector<int> labels;
    const char* compressed =
        "";  // the parameters of a compression, which makes few prototypes for all functions
};

libdk::Model trained(const ExportCase& test, const Rows& rows) {
    libdk::Data data = dense(rows);
    if (test.labels.empty()) {
        data.set_targets(rows.targets);
    } else {
        data.set_labels(std::vector<std::int64_t>(rows.targets.begin(), rows.targets.end()));
    }
    libdk::Parameters parameters(test.machine, test.parameters);
    libdk::Model model = libdk::Model::train(data, parameters);
    if (*test.compressed == 0) return model;
    return model.compress(data, libdk::Parameters("super_sparse", test.compressed));
}

class ExportedToLibsvm : public testing::TestWithParam<ExportCase> {};

TEST_P(ExportedToLibsvm, DecidesAlike) {
    const Rows rows = random_rows(90, 5, GetParam().labels, 21);
    const libdk::Model model = trained(GetParam(), rows);
    const std::string path = file_name(GetParam().name);
    model.export_to(path, "libsvm");
    const LibsvmModel theirs = loaded(path);
    ASSERT_NE(theirs, nullptr);
    const Rows others = random_rows(30, 5, GetParam().labels, 22);
    expect_same_decisions(*theirs, model, others, dense(others));
    std::remove(path.c_str());
}

const std::vector<int> two{1, 2};
const std::vector<int> four{3, 1, 4, 15};

INSTANTIATE_TEST_SUITE_P(
    Machines, ExportedToLibsvm,
    testing::Values(ExportCase{"binary", "svm", "kernel=rbf(gamma=0.2) probability=yes", two},
                    ExportCase{"pairs", "svm", "kernel=poly(degree=2,gamma=0.5,coef0=1)", four},
                    ExportCase{"scaled_linear", "svm", "kernel=linear scale=standard", four},
                    ExportCase{"weighed", "svm", "kernel=0.25*rbf(gamma=0.2)", two},
                    ExportCase{"regression", "svr", "kernel=rbf(gamma=0.1)", {}},
                    ExportCase{"ridge", "kernel_ridge", "kernel=poly(degree=2,gamma=0.3,coef0=1)", {}},
                    ExportCase{"novelty", "one_class_svm", "kernel=rbf(gamma=0.1)", {}},
                    ExportCase{"compressed", "svm", "kernel=rbf(gamma=0.1)", four, "prototypes=6"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ExportedModel, SaysWhyItIsRefused) {
    const Rows rows = random_rows(90, 5, four, 21);
    const std::string path = file_name("refused");
    const auto refusal = [&](const char* machine, const char* parameters, const char* format) {
        try {
            trained({"", machine, parameters, four}, rows).export_to(path, format);
        } catch (const libdk::Error& error) {
            EXPECT_EQ(error.status(), libdk::Status::unsupported) << error.what();
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(refusal("svm", "kernel=rbf(gamma=0.1) scale=standard", "libsvm").find("scaling"),
              std::string::npos);
    EXPECT_NE(refusal("svm", "kernel=arccos(1)", "libsvm").find("kernels"), std::string::npos);
    for (const char* format : {"c", "onnx"})
        EXPECT_NE(
            refusal("svm", "kernel=corrected(sigmoid(gamma=1,coef0=-2),method=shift)", format).find("shift"),
            std::string::npos);
    EXPECT_NE(refusal("svm", "kernel=center(rbf(gamma=0.1))", "libsvm").find("kernels"), std::string::npos);
    EXPECT_NE(refusal("svm", "kernel=linear multiclass=nearest", "libsvm").find("pair"), std::string::npos);
    EXPECT_NE(refusal("svm", "multiclass=ovr kernel=linear", "libsvm").find("pair"), std::string::npos);
    EXPECT_NE(refusal("defimkl", "kernel=[rbf(gamma=0.1),linear]", "libsvm").find("pair"), std::string::npos);
    EXPECT_NE(refusal("svm", "kernel=linear layers=anova_f(2)", "libsvm").find("layers"), std::string::npos);
    EXPECT_EQ(std::fopen(path.c_str(), "r"), nullptr);
}

/// A compiled model, whose file is named model.c so that its functions are model_decide and model_predict.
class CompiledModel {
  public:
    CompiledModel(const libdk::Model& model, const std::string& name) : source_(file_name(name) + ".c") {
        model.export_to(source_, "c");
        const std::string command = std::string(DK_C_COMPILER) +
                                    " -std=c99 -Wall -Wextra -pedantic -Werror -O2 -shared -fPIC -o '" +
                                    library_ + "' '" + source_ + "' -lm";
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
        handle_ = dlopen(library_.c_str(), RTLD_NOW);
        if (handle_ == nullptr) return;
        const std::string prefix =
            source_.substr(source_.rfind('/') + 1, source_.rfind('.') - source_.rfind('/') - 1);
        decide_ =
            reinterpret_cast<int (*)(const double*, double*)>(dlsym(handle_, (prefix + "_decide").c_str()));
        predict_ = reinterpret_cast<double (*)(const double*)>(dlsym(handle_, (prefix + "_predict").c_str()));
        predict_several_ =
            reinterpret_cast<int (*)(const double*, double*)>(dlsym(handle_, (prefix + "_predict").c_str()));
        probabilities_ = reinterpret_cast<int (*)(const double*, double*)>(
            dlsym(handle_, (prefix + "_probabilities").c_str()));
    }
    ~CompiledModel() {
        if (handle_ != nullptr) dlclose(handle_);
        std::remove(source_.c_str());
        std::remove(library_.c_str());
    }
    CompiledModel(const CompiledModel&) = delete;
    CompiledModel& operator=(const CompiledModel&) = delete;

    bool works() const { return decide_ != nullptr && predict_ != nullptr; }
    std::vector<double> decide(const double* row) const {
        std::vector<double> values(64);
        values.resize(static_cast<std::size_t>(decide_(row, values.data())));
        return values;
    }
    double predict(const double* row) const { return predict_(row); }
    /// The prediction of several numbers, whose function writes them.
    std::vector<double> predict_several(const double* row) const {
        std::vector<double> values(64);
        values.resize(static_cast<std::size_t>(predict_several_(row, values.data())));
        return values;
    }
    std::vector<double> probabilities(const double* row) const {
        std::vector<double> values(64);
        values.resize(
            static_cast<std::size_t>(probabilities_ == nullptr ? 0 : probabilities_(row, values.data())));
        return values;
    }

  private:
    std::string source_;
    std::string library_ = source_ + ".so";
    void* handle_ = nullptr;
    int (*decide_)(const double*, double*) = nullptr;
    double (*predict_)(const double*) = nullptr;
    int (*predict_several_)(const double*, double*) = nullptr;  // the same, where it writes several numbers
    int (*probabilities_)(const double*, double*) = nullptr;
};

/// Adds rows where formulas are at their limits: those that were learned from, nearly the same, longer and
/// opposite ones, and zeros.
Rows with_hard_rows(Rows rows, const Rows& training, bool histograms) {
    const auto add = [&](std::size_t i, double factor, double apart) {
        for (std::size_t j = 0; j < rows.cols; ++j)
            rows.values.push_back(training.row(i)[j] * factor + (j == 0 ? apart : 0.0));
    };
    for (std::size_t i = 0; i < 8; ++i) {
        add(i, 1, 0);
        add(i, 1, 1e-9);
        add(i, 3, 0);
        if (!histograms) add(i, -1, 0);
    }
    add(0, 0, 0);
    return rows;
}

class ExportedToC : public testing::TestWithParam<ExportCase> {};

/// Gives rows whose values are large.
Rows larger(Rows rows, double factor) {
    for (double& value : rows.values) value *= factor;
    return rows;
}

TEST(ExportedToCOfFarRows, KernelsAreZeroThere) {
    const Rows rows = random_rows(60, 3, two, 33);
    const Rows far = larger(random_rows(20, 3, two, 34), 1e130);
    for (const char* kernel :
         {"spherical(gamma=0.1)", "matern(gamma=0.1,nu=2.5)", "on(0:1,circular(gamma=0.1))"}) {
        const std::string parameters = std::string("scale=none kernel=") + kernel;
        const libdk::Model model = trained({"", "svm", parameters.c_str(), two}, rows);
        const CompiledModel compiled(model, "far");
        ASSERT_TRUE(compiled.works());
        const libdk::Matrix decisions = model.decision(dense(far));
        for (std::size_t i = 0; i < far.count(); ++i)
            EXPECT_NEAR(compiled.decide(far.row(i))[0], decisions.row(static_cast<std::int64_t>(i))[0], 1e-12)
                << kernel;
    }
}

// Squares of features so small vanish, and the direction of the features is left.
TEST(ExportedToCOfFarRows, NormalisedFeaturesKeepTheirDirection) {
    const Rows rows = random_rows(60, 2, two, 35);
    for (const char* kernel : {"normalize(lowrank(rbf(gamma=1),rank=8))",
                               "[normalize(lowrank(laplacian(gamma=5),rank=7)),linear]"}) {
        const std::string parameters = std::string("scale=none kernel=") + kernel;
        const libdk::Model model = trained({"", "svm", parameters.c_str(), two}, rows);
        const CompiledModel compiled(model, "direction");
        ASSERT_TRUE(compiled.works());
        for (double distance = 15; distance < 60; distance += 0.5) {
            const Rows far{.cols = 2, .values = {distance, 0.1}, .targets = {1}};
            const double decision = model.decision(dense(far)).row(0)[0];
            EXPECT_NEAR(compiled.decide(far.row(0))[0], decision, 1e-11) << kernel << " " << distance;
        }
    }
}

TEST(ExportedModel, OfRanksGrowsWithColumnsAndNotWithTheirSquare) {
    constexpr std::size_t columns = 300;
    const Rows rows = random_rows(80, columns, two, 36);
    const std::string path = file_name("ranks");
    trained({"", "svm", "kernel=linear scale=ranks", two}, rows).export_to(path, "onnx");
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    ASSERT_NE(file, nullptr);
    std::fseek(file, 0, SEEK_END);
    // Three numbers for each knot, and the points.
    EXPECT_LT(std::ftell(file), static_cast<long>(8 * columns * (3 * 80 + 80) + 100000));
    std::fclose(file);
    std::remove(path.c_str());
}

TEST(ExportedModel, RefusesConstantsThatAreNoNumbers) {
    const Rows rows = larger(random_rows(60, 3, two, 35), 1e120);
    const libdk::Model model =
        trained({"", "svm", "scale=none kernel=normalize(poly(degree=2,gamma=1,coef0=0))", two}, rows);
    for (const char* format : {"c", "onnx"}) {
        try {
            model.export_to(file_name("infinite"), format);
            ADD_FAILURE() << format;
        } catch (const libdk::Error& error) {
            EXPECT_EQ(error.status(), libdk::Status::unsupported);
            EXPECT_NE(std::string(error.what()).find("finite"), std::string::npos);
        }
    }
}

TEST_P(ExportedToC, DecidesAndPredictsAlike) {
    Rows rows = random_rows(90, 5, GetParam().labels, 31);
    Rows others = random_rows(50, 5, GetParam().labels, 32);
    const std::string parameters = GetParam().parameters;
    const bool histograms = parameters.find("chi_square") != std::string::npos ||
                            parameters.find("intersection") != std::string::npos;
    if (histograms) {
        for (Rows* some : {&rows, &others}) {
            for (double& value : some->values) value = std::abs(value);
        }
    }
    // Zeros are a direction of their own, as support rows too. Rows that are the same are as near to any
    // other, so that those that vote are told apart by rounding alone.
    const std::size_t zeros = std::string_view(GetParam().machine) == "nearest_neighbours" ? 1 : 2;
    for (std::size_t j = 0; j < zeros * rows.cols; ++j) rows.values[j] = 0;
    others = with_hard_rows(others, rows, histograms);
    const libdk::Model model = trained(GetParam(), rows);
    const CompiledModel compiled(model, GetParam().name);
    ASSERT_TRUE(compiled.works());
    const libdk::Data data = dense(others);
    const libdk::Matrix decisions = model.decision(data);
    const auto predicted = model.predict(data);
    const bool probable = parameters.find("probability=yes") != std::string::npos;
    const libdk::Matrix probabilities = probable ? model.probability(data) : libdk::Matrix();
    for (std::size_t i = 0; i < others.count(); ++i) {
        const auto found = compiled.decide(others.row(i));
        ASSERT_EQ(static_cast<std::int64_t>(found.size()), model.decision_count());
        const auto own = decisions.row(static_cast<std::int64_t>(i));
        for (std::size_t f = 0; f < found.size(); ++f)
            EXPECT_NEAR(found[f], own[f], 1e-12 * (100 + std::abs(own[f]))) << "row " << i;
        EXPECT_NEAR(compiled.predict(others.row(i)), predicted[i], 1e-11 * (1 + std::abs(predicted[i])));
        const auto likely = compiled.probabilities(others.row(i));
        ASSERT_EQ(!likely.empty(), probable);
        for (std::size_t c = 0; c < likely.size(); ++c)
            EXPECT_NEAR(likely[c], probabilities.row(static_cast<std::int64_t>(i))[c], 1e-12) << "row " << i;
    }
}

/// Each row has those of two labels that its first and third column are positive for.
libdk::Data with_label_sets(const Rows& rows) {
    libdk::Data data = dense(rows);
    std::vector<std::int64_t> offsets{0};
    std::vector<std::int64_t> labels;
    for (std::size_t i = 0; i < rows.count(); ++i) {
        for (const std::size_t j : {0, 2}) {
            if (rows.row(i)[j] > 0) labels.push_back(static_cast<std::int64_t>(j / 2));
        }
        offsets.push_back(static_cast<std::int64_t>(labels.size()));
    }
    data.set_label_sets(offsets, labels, {"first", "third"});
    return data;
}

TEST(ExportedModel, WritesSeveralLabelsAndTargets) {
    const Rows rows = random_rows(80, 5, two, 41);
    const Rows others = random_rows(30, 5, two, 42);
    libdk::Data targets = dense(rows);
    targets.set_targets(rows.values);  // The columns themselves are five targets.
    std::vector<libdk::Model> models;
    for (const char* more : {"", "probability=yes", "probability=yes elect=probability"})
        models.push_back(libdk::Model::train(
            with_label_sets(rows), libdk::Parameters("svm", std::string("kernel=rbf(gamma=0.2) ") + more)));
    models.push_back(
        libdk::Model::train(targets, libdk::Parameters("kernel_ridge", "kernel=rbf(gamma=0.2)")));
    const libdk::Data data = dense(others);
    for (const libdk::Model& model : models) {
        const CompiledModel compiled(model, "several");
        ASSERT_TRUE(compiled.works());
        const auto predicted = model.predict(data);
        const auto width = static_cast<std::size_t>(model.target_count());
        for (std::size_t i = 0; i < others.count(); ++i) {
            const auto found = compiled.predict_several(others.row(i));
            ASSERT_EQ(found.size(), width);
            for (std::size_t t = 0; t < width; ++t) EXPECT_NEAR(found[t], predicted[i * width + t], 1e-11);
            const auto likely = compiled.probabilities(others.row(i));
            if (likely.empty()) continue;
            const libdk::Matrix own = model.probability(data);
            for (std::size_t c = 0; c < width; ++c)
                EXPECT_NEAR(likely[c], own.row(static_cast<std::int64_t>(i))[c], 1e-12);
        }
    }
    try {
        models.front().export_to(file_name("labels"), "libsvm");
        ADD_FAILURE();
    } catch (const libdk::Error& error) {
        EXPECT_EQ(error.status(), libdk::Status::unsupported);
        EXPECT_NE(std::string(error.what()).find("several labels"), std::string::npos);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, ExportedToC,
    testing::Values(
        ExportCase{"c_binary", "svm", "kernel=rbf(gamma=0.2) scale=standard", two},
        ExportCase{"c_pairs", "svm", "kernel=poly(degree=3,gamma=0.5,coef0=1) scale=minmax", four},
        ExportCase{"c_rest", "svm", "kernel=sigmoid(gamma=0.1,coef0=0) multiclass=ovr", four},
        ExportCase{"c_bank", "svm", "kernel=rbf(gamma=0.2)+0.5*linear*rbf(gamma=0.1)+linear^2+2", two},
        ExportCase{"c_regression", "svr", "kernel=rbf(gamma=0.1) impute=mean", {}},
        ExportCase{"c_quantiles", "quantile_regression", "kernel=rbf(gamma=0.1) levels=0.1,0.5,0.9", {}},
        ExportCase{"c_novelty", "one_class_svm", "kernel=rbf(gamma=0.1)", {}},
        ExportCase{"c_readme", "svm",
                   "C=10 scale=standard weights=dimkl1 kernel=[rbf(gamma=0.002),rbf(gamma=1/d),arccos(0),"
                   "arccos(1),arccos(1,0),arccos(2,1,0)]",
                   two},
        ExportCase{"c_networks", "svm",
                   "kernel=[arccos(0),arccos(3,2),arccos(0,1,2),arccos(3,weight_variance=0.3),"
                   "arccos(1,0,bias_variance=0.2),normalize(arccos(2,3,bias_variance=0.5)),"
                   "neural_tangent(depth=3),normalize(neural_tangent(depth=2,bias_variance=0.1))]",
                   two},
        ExportCase{"c_unit_networks", "svm",
                   "kernel=[normalize(neural_tangent(depth=2)),normalize(arccos(2,0,bias_variance=0.1))]",
                   four},
        ExportCase{"c_raw_networks", "fisher", "kernel=arccos(1,2)+neural_tangent(depth=1,bias_variance=2)",
                   four},
        ExportCase{"c_radial", "svm",
                   "kernel=[laplacian(gamma=0.1),cauchy(gamma=0.2),rational_quadratic(gamma=0.3,alpha=2),"
                   "matern(gamma=0.1,nu=0.5),matern(gamma=0.2,nu=1.5),matern(gamma=0.3,nu=2.5),"
                   "spherical(gamma=0.05),anova(gamma=0.2,degree=2),on(1:2,circular(gamma=0.05))]",
                   four},
        ExportCase{"c_histograms", "svm", "kernel=[chi_square(gamma=0.1),additive_chi_square,intersection]",
                   two},
        ExportCase{"c_views", "svm",
                   "kernel=[each_feature(rbf(gamma=0.3)),on(0:2,poly(degree=2,gamma=0.5,coef0=1)),cosine,"
                   "normalize(poly(degree=2,gamma=1,coef0=0)),exp(0.1*cosine)] scale=minmax",
                   four},
        ExportCase{"c_ranks", "svm", "kernel=rbf(gamma=0.5) scale=ranks impute=median", four},
        ExportCase{"c_unit_rows", "svm", "kernel=rbf(gamma=0.5) scale_rows=l2 scale=standard", four},
        ExportCase{"c_absolute_rows", "svm", "kernel=rbf(gamma=0.5) scale_rows=l1", two},
        ExportCase{"c_largest_rows", "svm", "kernel=rbf(gamma=0.5) scale_rows=max scale=minmax", two},
        ExportCase{"c_standard_rows", "svm", "kernel=rbf(gamma=0.5) scale_rows=standard", two},
        ExportCase{"c_nearest", "kglvq", "kernel=rbf(gamma=0.2) scale=standard", four},
        ExportCase{"c_nearest_unnormalised", "kglvq", "kernel=linear normalize=no", four},
        ExportCase{"c_nearest_of_functions", "svm", "kernel=arccos(1,0) multiclass=nearest", four},
        ExportCase{"c_kept_columns", "svm", "kernel=rbf(gamma=0.2) layers=anova_f(3) scale=standard", four},
        ExportCase{
            "c_components", "svm",
            "kernel=rbf(gamma=0.2) layers=[kernel_pca([rbf(gamma=0.1),linear],components=4),anova_f(2)] "
            "scale=minmax",
            two},
        ExportCase{"c_white_components", "fisher",
                   "kernel=linear layers=[mutual_information(4),kernel_pca(lowrank(rbf(gamma=0.1),rank=12),"
                   "components=3,whiten=yes),kernel_pca(arccos(1),components=2)]",
                   two},
        ExportCase{"c_metric_of_neighbours", "nearest_neighbours",
                   "neighbours=5 kernel=rbf(gamma=0.2) "
                   "layers=[kernel_pca(rbf(gamma=0.1),components=4),large_margin]",
                   four},
        ExportCase{"c_constant", "svm", "kernel=constant layers=anova_f(1)", two},
        ExportCase{"c_constant_neighbours", "nearest_neighbours", "kernel=constant", two},
        ExportCase{"c_one_component",
                   "kernel_ridge",
                   "kernel=constant layers=kernel_pca(constant+linear,components=1)",
                   {}},
        ExportCase{"c_neighbours", "nearest_neighbours", "neighbours=3 kernel=linear scale=standard", four},
        ExportCase{"c_low_rank", "svm", "kernel=lowrank(rbf(gamma=0.2),rank=20) probability=yes", two},
        ExportCase{
            "c_low_rank_centres", "kernel_ridge", "kernel=lowrank(rbf(gamma=0.2),rank=10,method=kmeans)", {}},
        ExportCase{"c_low_rank_nearest", "svm", "kernel=lowrank(arccos(1,0),rank=15) multiclass=nearest",
                   four},
        ExportCase{
            "c_low_rank_span", "kernel_pca", "kernel=lowrank(rbf(gamma=0.2),rank=12) components=4", {}},
        ExportCase{"c_low_rank_neighbours", "nearest_neighbours",
                   "neighbours=3 kernel=lowrank(rbf(gamma=0.2),rank=12)", four},
        ExportCase{"c_centred", "svm",
                   "kernel=[center(rbf(gamma=0.1)),normalize(center(poly(degree=2,gamma=0.5,coef0=1))),"
                   "center(0.5*linear+rbf(gamma=0.3)),on(1:3,center(rbf(gamma=0.5)))]",
                   four},
        ExportCase{"c_centred_nearest", "kglvq", "kernel=center(rbf(gamma=0.2)) normalize=no", four},
        ExportCase{"c_random_features", "svm",
                   "kernel=lowrank(rbf(gamma=0.2),rank=30,method=random) probability=yes", four},
        ExportCase{
            "c_random_rectifiers",
            "kernel_ridge",
            "kernel=lowrank(arccos(1,0,2),rank=20,method=random) layers=kernel_pca(linear,components=3)",
            {}},
        ExportCase{"c_random_nearest", "svm",
                   "kernel=lowrank(laplacian(gamma=0.2),rank=30,method=random) multiclass=nearest", four},
        ExportCase{
            "c_random_scores", "svm",
            "kernel=linear layers=kernel_pca(lowrank(rbf(gamma=0.1),rank=16,method=random),components=3)",
            two},
        ExportCase{"c_random_nodes", "elm", "kernel=linear features=sigmoid hidden=25 scale=symmetric", four},
        ExportCase{"c_random_kernel_nodes", "elm", "kernel=rbf(gamma=0.2) hidden=40", four},
        ExportCase{"c_features_in_banks", "svm",
                   "kernel=[lowrank(rbf(gamma=0.2),rank=9),on(0:2,lowrank(rbf(gamma=0.3),rank=7)),"
                   "lowrank(center(rbf(gamma=0.4)),rank=6),center(lowrank(rbf(gamma=0.1),rank=5)),"
                   "normalize(lowrank(poly(degree=2,gamma=1,coef0=1),rank=8)),"
                   "center(center(rbf(gamma=0.2))),lowrank(rbf(gamma=0.5),rank=12,method=random)]",
                   four},
        ExportCase{"c_corrected", "svm",
                   "kernel=[corrected(sigmoid(gamma=1,coef0=-2),method=flip),"
                   "corrected(sigmoid(gamma=0.7,coef0=-1),method=square)]",
                   two},
        ExportCase{"c_bessel", "svm",
                   "kernel=[bessel(gamma=0.3,order=0),bessel(gamma=300,order=0),bessel(gamma=9,order=1),"
                   "bessel(gamma=400,order=2),bessel(gamma=40,order=5),bessel(gamma=900,order=20),"
                   "bessel(gamma=2,order=50)]",
                   four},
        ExportCase{"c_spline", "svm", "kernel=[normalize(spline),on(1:2,spline),on(0:2,spline)] scale=minmax",
                   four},
        ExportCase{"c_fuzzy", "defimkl", "kernel=[rbf(gamma=0.1),linear,poly(degree=2)] scale=standard",
                   four},
        ExportCase{"c_fuzzy_pair", "defimkl",
                   "kernel=[rbf(gamma=0.1),center(rbf(gamma=0.5)),lowrank(rbf(gamma=0.3),rank=10)] "
                   "layers=anova_f(3)",
                   two},
        ExportCase{"c_span", "kernel_pca", "kernel=rbf(gamma=0.2) components=5 scale=standard", {}},
        ExportCase{"c_interpretable", "imkpl",
                   "kernel=[rbf(gamma=0.2),linear] prototypes=8 prototypes_of_row=3", four},
        ExportCase{"c_interpretable_layered", "iskpl",
                   "kernel=rbf(gamma=0.2) layers=anova_f(3) scale=standard", two},
        ExportCase{"c_dictionary_pairs", "mkldpl", "kernel=[rbf(gamma=0.2),poly(degree=2)] atoms=4", four},
        ExportCase{"c_levels", "dkmld", "kernel=rbf(gamma=0.2)", four},
        ExportCase{"c_class_dictionaries", "midl_surrogate", "kernel=rbf(gamma=0.2)", four},
        ExportCase{"c_residual", "imkpl", "kernel=rbf(gamma=0.2) decision=residual", four},
        ExportCase{"c_probable", "svm", "kernel=rbf(gamma=0.2) probability=yes", two},
        ExportCase{"c_probable_pairs", "svm", "kernel=rbf(gamma=0.2) probability=yes", four},
        ExportCase{"c_probable_rest", "svm",
                   "kernel=rbf(gamma=0.2) probability=yes multiclass=ovr elect=probability", four},
        ExportCase{"c_probable_election", "svm", "kernel=linear C=0.01 probability=yes elect=probability",
                   four},
        ExportCase{"c_temperature", "svm",
                   "kernel=rbf(gamma=0.2) probability=yes multiclass=ovr calibration=temperature", four},
        ExportCase{"c_compressed", "svm", "kernel=rbf(gamma=0.1) scale=standard", four, "prototypes=6"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace dk_reference
