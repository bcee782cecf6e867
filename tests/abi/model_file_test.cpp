// SPDX-License-Identifier: Apache-2.0
// These tests expect that what is read back from a model file answers with the same bits, that the bytes are
// the same every time, and that not one truncated or damaged byte is let through.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "files.hpp"
#include "handles.hpp"

namespace dk_test::model_file_test {
namespace {

void expect_no_model(const Bytes& bytes, const std::string& what) {
    dk_model* out = nullptr;
    const dk_status status = dk_model_read(&out, bytes.data(), static_cast<int64_t>(bytes.size()), nullptr);
    const Model model(out);
    EXPECT_EQ(status, DK_ERR_MODEL_FORMAT) << what << ": " << (status == DK_OK ? "" : dk_last_error());
    EXPECT_EQ(model, nullptr) << what;
}

struct Case {
    std::string name, machine, settings;
    bool sparse_rows = false;

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

class ModelFile : public testing::TestWithParam<Case> {
  protected:
    TemporaryDirectory directory;
    const Problem problem = make_problem(30, 3, 3, 2.0, 31);
    Data data = GetParam().sparse_rows ? sparse(problem) : dense(problem);
    Data test = GetParam().sparse_rows ? sparse(make_problem(11, 3, 3, 2.0, 32))
                                       : dense(make_problem(11, 3, 3, 2.0, 32));
    bool with_probabilities = GetParam().settings.find("probability=yes") != std::string::npos;

    Model trained() const { return train(data, GetParam().machine.c_str(), GetParam().settings); }
};

TEST_P(ModelFile, ReadsBackTheSameModel) {
    const Model model = trained();
    const std::string path = directory.path("model.dk");
    check(dk_model_save(model.get(), path.c_str()));
    expect_same_answers(create<Model>(dk_model_load, path.c_str(), nullptr), model, test, with_probabilities);
    expect_same_answers(read_model(bytes_of(model.get())), model, test, with_probabilities);
    const Bytes bytes = bytes_of(model.get());
    EXPECT_EQ(directory.read("model.dk"), std::string(bytes.begin(), bytes.end()));
}

TEST_P(ModelFile, TheSameTrainingGivesTheSameBytes) {
    EXPECT_EQ(bytes_of(trained().get()), bytes_of(trained().get()));
}

INSTANTIATE_TEST_SUITE_P(
    Models, ModelFile,
    testing::Values(
        Case{"svm", "svm", "kernel=[rbf(gamma=auto),arccos(1,0)] weights=dimkl1 scale=standard"},
        Case{"svm_probability", "svm", "probability=yes folds=3 scale=robust"},
        Case{"svm_sets", "svm", "confidence=0.7 confidence_by_class=yes folds=3"},
        Case{"svm_ovr", "svm", "multiclass=ovr loss=squared_hinge class_weight=balanced scale=minmax"},
        Case{"svm_logistic", "svm", "loss=logistic C=2"}, Case{"svm_linear", "svm", "kernel=linear"},
        Case{"svm_single", "svm", "precision=single"},
        Case{"svm_features", "svm", "kernel=each_feature(rbf(gamma=auto)) weights=dimkl3"},
        Case{"fisher", "fisher", "kernel=normalize(poly(degree=2,coef0=1)) probability=yes folds=3"},
        Case{"kelm", "kelm", "kernel=arccos(1,0) scale=standard leave_one_out=yes"},
        Case{"large_margin", "svm", "layers=[large_margin(2),kernel_pca(rbf,components=3)]"},
        Case{"elm_sigmoid", "elm", "features=sigmoid kernel=linear scale=symmetric hidden=9"},
        Case{
            "tangent", "kelm",
            "kernel=[neural_tangent(depth=2,weight_variance=2,bias_variance=0.3),arccos(1,bias_variance=1)]"},
        Case{"imkpl", "imkpl", "kernel=each_feature(rbf(gamma=auto)) prototypes=3 scale=standard"},
        Case{"iskpl", "iskpl", "kernel=[linear,rbf(gamma=1)] probability=yes folds=3"},
        Case{"kglvq", "kglvq", "kernel=rbf(gamma=1) prototypes=2 probability=yes"},
        Case{"mkldpl", "mkldpl", "kernel=[linear,rbf(gamma=1)] atoms=3"},
        Case{"dkmld", "dkmld", "kernel=[linear,rbf(gamma=1)] prototypes=3"},
        Case{"super_sparse", "super_sparse",
             "kernel=rbf(gamma=auto) prototypes=3 scale=standard probability=yes"},
        Case{"similarity_lasso", "similarity_lasso", "kernel=rbf(gamma=auto) scale=standard"},
        Case{"selected_svm", "selected_svm", "kernel=rbf(gamma=auto) prototypes=3 scale=standard"},
        Case{"reduced_svm", "reduced_svm", "kernel=rbf(gamma=auto) prototypes=3 scale=standard"},
        Case{"boosted_averages", "boosted", "kernel=rbf(gamma=1) averaging=paper max_iterations=50"},
        Case{"nearest_neighbours", "nearest_neighbours", "kernel=rbf(gamma=1) scale=minmax voters=3"},
        Case{"nearest_rule", "fisher", "kernel=rbf(gamma=1) multiclass=nearest"},
        Case{"defimkl", "defimkl", "kernel=[linear,rbf(gamma=1)] scale=standard"},
        Case{"kernel_pca", "kernel_pca", "kernel=rbf(gamma=auto) components=4"},
        Case{"clusters", "kernel_k_means", "kernel=rbf(gamma=auto) clusters=4"},
        Case{"layers", "svm",
             "scale_rows=l1 scale=minmax layers=[anova_f(3),kernel_pca([rbf,linear]),anova_f(0.5)]"},
        Case{"rows_sparse", "svm", "kernel=linear scale_rows=l2", true},
        Case{"rvm", "rvm", "kernel=rbf(gamma=auto)"}, Case{"boosted", "boosted", "kernel=rbf(gamma=auto)"},
        Case{"mean_of_class", "mean_of_class", "kernel=0.5*rbf(gamma=1)+exp(0.1*linear)"},
        Case{"svm_sparse", "svm", "kernel=linear", true},
        Case{"fisher_sparse", "fisher", "scale=none", true}),
    [](const auto& information) { return information.param.name; });

TEST(ModelFileContent, NamesOfClassesAndFeaturesAreKept) {
    const Data data = dense(make_problem(8, 2, 2, 3.0, 1));
    const std::vector<const char*> classes{"où", "a \"b\"", "où", "a \"b\"",
                                           "où", "a \"b\"", "où", "a \"b\""};
    const std::vector<const char*> features{"größe", "x,y\n"};
    check(dk_data_set_label_names(data.get(), classes.data(), 8));
    check(dk_data_set_feature_names(data.get(), features.data(), 2));
    const Model model = read_model(bytes_of(train(data, "fisher").get()));
    EXPECT_EQ(text_of(dk_model_class_name, model.get(), int64_t{0}), "a \"b\"");
    EXPECT_EQ(text_of(dk_model_class_name, model.get(), int64_t{1}), "où");
    EXPECT_NE(text_of(dk_model_info, model.get()).find("größe"), std::string::npos);
    EXPECT_EQ(values_of<int64_t>(2, dk_model_classes, model.get()), (std::vector<int64_t>{0, 1}));
}

TEST(ModelFileContent, ExtremeLabelsAreKept) {
    Problem problem = make_problem(8, 2, 2, 3.0, 1);
    for (int64_t& label : problem.labels) label = label > 0 ? INT64_MAX : INT64_MIN;
    const Model model = read_model(bytes_of(train(dense(problem), "mean_of_class").get()));
    // No double tells them apart, so that predictions are positions of classes whose names are the digits.
    EXPECT_EQ(values_of<int64_t>(2, dk_model_classes, model.get()), (std::vector<int64_t>{0, 1}));
    EXPECT_EQ(text_of(dk_model_class_name, model.get(), int64_t{0}), std::to_string(INT64_MIN));
    EXPECT_EQ(text_of(dk_model_class_name, model.get(), int64_t{1}), std::to_string(INT64_MAX));
}

/// Makes a model of few bytes.
Bytes small_model() {
    return bytes_of(
        train(dense(make_problem(4, 1, 2, 4.0, 1)), "mean_of_class", "kernel=linear neighbours=1").get());
}

TEST(DamagedModel, EveryTruncation) {
    const Bytes bytes = small_model();
    ASSERT_NE(read_model(bytes), nullptr);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        // The copy has exactly this length, so that a sanitizer sees every byte read behind its end.
        Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
        if (length == 0) cut.reserve(1);
        expect_no_model(cut, "the first " + std::to_string(length) + " bytes");
    }
}

TEST(DamagedModel, EveryBitFlip) {
    const Bytes bytes = small_model();
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            Bytes damaged = bytes;
            damaged[at] = static_cast<unsigned char>(damaged[at] ^ (1U << bit));
            expect_no_model(damaged, "bit " + std::to_string(bit) + " of byte " + std::to_string(at));
        }
    }
}

TEST(DamagedModel, AppendedSwappedAndRandomBytes) {
    const Bytes bytes = small_model();
    Bytes longer = bytes;
    longer.push_back(0);
    expect_no_model(longer, "one byte more");
    Bytes twice = bytes;
    twice.insert(twice.end(), bytes.begin(), bytes.end());
    expect_no_model(twice, "two models");
    Random random(17);
    for (int round = 0; round < 2000; ++round) {
        Bytes damaged = bytes;
        const std::size_t left = random.below(bytes.size());
        const std::size_t right = random.below(bytes.size());
        std::swap(damaged[left], damaged[right]);
        if (damaged != bytes) expect_no_model(damaged, "swapped bytes");
        for (unsigned char& byte : damaged) byte = static_cast<unsigned char>(random.below(256));
        expect_no_model(damaged, "noise");
    }
}

TEST(DamagedModel, ForeignFiles) {
    TemporaryDirectory directory;
    for (const std::string& content :
         {std::string("PK\x03\x04 a zip file"),
          std::string("\x7f"
                      "ELF"),
          std::string("{\"model\": 1}"), std::string("svm_type c_svc\nkernel_type rbf\n"),
          std::string(100000, '\0'), std::string(100000, '\xff'), std::string()}) {
        const std::string path = directory.write("foreign", content);
        expect_no_handle<dk_model>([&](dk_model** out) { return dk_model_load(out, path.c_str(), nullptr); },
                                   DK_ERR_MODEL_FORMAT);
    }
}

TEST(DamagedModel, TruncatedFile) {
    TemporaryDirectory directory;
    const Bytes bytes = small_model();
    for (std::size_t length = 0; length < bytes.size(); length += 7) {
        const std::string path = directory.write(
            "cut", std::string(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)));
        expect_no_handle<dk_model>([&](dk_model** out) { return dk_model_load(out, path.c_str(), nullptr); },
                                   DK_ERR_MODEL_FORMAT);
    }
}

}  // namespace
}  // namespace dk_test::model_file_test
