// SPDX-License-Identifier: Apache-2.0
// Trains small models of many machines and kernels, and writes the payload of each file, which is what the
// target `model` takes, to the directory that is named: dk_make_corpus tests/fuzz/corpus/model
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "handles.hpp"
#include "structures.hpp"

namespace {

using namespace dk_test;

struct Wanted {
    const char* name;
    const char* machine;
    const char* settings;
};

void write_payload(const std::string& path, const Model& model) {
    constexpr std::size_t header = 28;
    const auto bytes = bytes_of(model.get());
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()) + header,
               static_cast<std::streamsize>(bytes.size() - header));
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

void write_models(const std::string& directory, const Data& data, const std::vector<Wanted>& all) {
    for (const Wanted& wanted : all) {
        const std::string settings = std::string("neighbours=1 ") + wanted.settings;
        write_payload(directory + "/" + wanted.name, train(data, wanted.machine, settings));
    }
}

void write_corpus(const std::string& directory) {
    constexpr int64_t rows = 8;
    const Problem two = make_problem(rows, 2, 2, 2.0, 1);
    const Problem three = make_problem(rows + 1, 2, 3, 2.0, 2);
    const Data targets = dense(two);
    check(dk_data_set_targets(targets.get(), two.x.data(), rows));
    write_models(
        directory, dense(two),
        {{"svm_rbf", "svm", "kernel=rbf(gamma=0.5) scale=standard impute=mean"},
         {"svm_single", "svm", "kernel=poly(degree=2,coef0=1) precision=single"},
         {"svm_bank", "svm", "kernel=[cauchy,matern(nu=1.5),cosine] weights=dimkl1"},
         {"svm_mklgl", "svm", "kernel=[rbf(gamma=1),linear] weights=mklgl"},
         {"svm_each_feature", "svm", "kernel=each_feature(laplacian)"},
         {"svm_lowrank", "svm", "kernel=lowrank(rbf(gamma=0.5),rank=3)"},
         {"svm_lowrank_random", "svm", "kernel=lowrank(rbf(gamma=0.5),rank=3,method=random)"},
         {"svm_center", "svm", "kernel=center(arccos(1,0))"},
         {"svm_corrected", "svm", "kernel=corrected(sigmoid(gamma=1,coef0=-1))"},
         {"svm_operators", "svm", "kernel=0.3*normalize(poly)+exp(linear)*on(0,circular)"},
         {"nu_svm", "nu_svm", "kernel=spherical nu=0.3"},
         {"one_class_svm", "one_class_svm", "kernel=rbf(gamma=0.5)"},
         {"kernel_pca", "kernel_pca", "kernel=rbf(gamma=0.5) components=3"},
         {"clusters", "kernel_k_means", "kernel=rbf(gamma=0.5) clusters=3"},
         {"layers", "mean_of_class", "scale_rows=l2 layers=[kernel_pca(rbf,components=3),anova_f(2)]"},
         {"nearest_neighbours", "nearest_neighbours", "kernel=rbf(gamma=0.5) voters=2"},
         {"defimkl", "defimkl", "kernel=[rbf(gamma=0.5),linear]"},
         {"bvm", "bvm", "kernel=arccos(1)"},
         {"rvm", "rvm", "kernel=rbf(gamma=0.5)"},
         {"boosted", "boosted", "kernel=rbf(gamma=0.5)"},
         {"boosted_averages", "boosted", "kernel=rbf(gamma=0.5) averaging=paper max_iterations=20"},
         {"fisher", "fisher", "kernel=linear"},
         {"elm", "elm", "kernel=rbf(gamma=0.5) hidden=3"},
         {"large_margin", "svm", "layers=large_margin(max_iterations=3)"},
         {"elm_sigmoid", "elm", "features=sigmoid kernel=linear hidden=3"},
         {"tangent", "kelm", "kernel=neural_tangent(depth=2,bias_variance=0.5)"}});
    write_models(directory, dense(three),
                 {{"svm_probability", "svm", "kernel=rbf(gamma=0.5) probability=yes folds=2"},
                  {"svm_ovr", "svm", "kernel=rational_quadratic multiclass=ovr"},
                  {"mcvm", "mcvm", "kernel=rbf(gamma=0.5)"},
                  {"kelm", "kelm", "kernel=rbf(gamma=0.5)"},
                  {"imkpl", "imkpl", "kernel=each_feature(rbf(gamma=0.5)) prototypes=1"},
                  {"iskpl", "iskpl", "kernel=rbf(gamma=0.5) prototypes=1"},
                  {"kglvq", "kglvq", "kernel=rbf(gamma=0.5) prototypes=1"},
                  {"mkldpl", "mkldpl", "kernel=rbf(gamma=0.5) atoms=1"},
                  {"dkmld", "dkmld", "kernel=rbf(gamma=0.5) prototypes=1"},
                  {"midl_surrogate", "midl_surrogate", "kernel=rbf(gamma=0.5) prototypes=1"},
                  {"super_sparse", "super_sparse", "kernel=rbf(gamma=0.5) prototypes=2"},
                  {"mean_of_class", "mean_of_class", "kernel=linear"}});
    write_models(directory, targets,
                 {{"svr", "svr", "kernel=rbf(gamma=0.5)"},
                  {"kernel_ridge", "kernel_ridge", "kernel=rbf(gamma=0.5)"},
                  {"super_sparse_regression", "super_sparse_regression", "kernel=linear prototypes=2"}});
    write_models(directory, sparse(two),
                 {{"sparse", "svm", "kernel=rbf(gamma=0.5)"},
                  {"sparse_super_sparse", "super_sparse", "kernel=linear prototypes=2"}});
    write_models(
        directory, series(6, 2, 3),
        {{"series_gak", "svm", "kernel=gak(sigma=1)"}, {"series_dtw", "svm", "kernel=dtw spectrum=clip"}});
    write_models(directory, strings(6, 4),
                 {{"strings_bank", "svm", "kernel=[normalize(spectrum),edit]"},
                  {"strings_mismatch", "svm", "kernel=mismatch(length=2)"},
                  {"strings_lowrank", "svm", "kernel=lowrank(subsequence,rank=2)"}});
    write_models(directory, graphs(6, 5), {{"graphs", "svm", "kernel=weisfeiler_lehman"}});
    const std::vector<double> matrix{2.0, 0.5, 0.1, 0.0, 0.5, 2.0, 0.0, 0.2,
                                     0.1, 0.0, 2.0, 0.4, 0.0, 0.2, 0.4, 2.0};
    const Data similarities = gram(matrix, 4, 4);
    label(similarities, {1, 1, 2, 2});
    write_models(directory, similarities,
                 {{"gram", "svm", "kernel=gram(0)"}, {"gram_center", "svm", "kernel=center(gram(0))"}});
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: dk_make_corpus DIRECTORY\n");
        return 2;
    }
    try {
        write_corpus(arguments[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "dk_make_corpus: %s\n", error.what());
        return 1;
    }
}
