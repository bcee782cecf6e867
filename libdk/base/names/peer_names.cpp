// SPDX-License-Identifier: Apache-2.0
#include "base/names/peer_names.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace dk {

namespace {

struct PeerName {
    std::string_view peer;  // in small letters, without points, dashes and underscores
    std::string_view here;
};

/// The names are those of LIBSVM, scikit-learn, e1071, kernlab, caret, pandas and R's readers.
constexpr auto peer_names = std::to_array<PeerName>({{"adaboost", "boosted"},
                                                     {"additivechi2", "additive_chi_square"},
                                                     {"alpha", "lambda"},
                                                     {"anovadot", "anova"},
                                                     {"arccosine", "arccos"},
                                                     {"bandwidth", "gamma"},
                                                     {"besseldot", "bessel"},
                                                     {"c", "C"},
                                                     {"cache", "memory_mb"},
                                                     {"cachesize", "memory_mb"},
                                                     {"chi2", "chi_square"},
                                                     {"chisquared", "chi_square"},
                                                     {"class", "label"},
                                                     {"classweights", "class_weight"},
                                                     {"cost", "C"},
                                                     {"cross", "folds"},
                                                     {"csupport", "svm"},
                                                     {"csvc", "svm"},
                                                     {"csvm", "svm"},
                                                     {"cv", "folds"},
                                                     {"dec", "decimal"},
                                                     {"decisionfunctionshape", "multiclass"},
                                                     {"discriminant", "fisher"},
                                                     {"dot", "linear"},
                                                     {"drop", "ignore"},
                                                     {"eps", "tolerance"},
                                                     {"epsilonregression", "svr"},
                                                     {"epsilonsvr", "svr"},
                                                     {"epssvr", "svr"},
                                                     {"exponentiatedquadratic", "rbf"},
                                                     {"features", "components"},
                                                     {"fileencoding", "encoding"},
                                                     {"ga", "gak"},
                                                     {"gaussian", "rbf"},
                                                     {"gaussianprocess", "kernel_ridge"},
                                                     {"gausspr", "kernel_ridge"},
                                                     {"globalalignment", "gak"},
                                                     {"glvq", "kglvq"},
                                                     {"gmlvq", "akglvq"},
                                                     {"gpr", "kernel_ridge"},
                                                     {"hiddenunits", "hidden"},
                                                     {"histogram", "intersection"},
                                                     {"index", "id"},
                                                     {"indexcol", "id"},
                                                     {"iterations", "max_iterations"},
                                                     {"k", "neighbours"},
                                                     {"kfd", "fisher"},
                                                     {"kfold", "folds"},
                                                     {"kneighbors", "nearest_neighbours"},
                                                     {"knn", "nearest_neighbours"},
                                                     {"kpca", "kernel_pca"},
                                                     {"krr", "kernel_ridge"},
                                                     {"ksvm", "svm"},
                                                     {"laplace", "laplacian"},
                                                     {"laplacedot", "laplacian"},
                                                     {"lda", "fisher"},
                                                     {"lengthscale", "gamma"},
                                                     {"levenshtein", "edit"},
                                                     {"libsvm", "svm"},
                                                     {"lin", "linear"},
                                                     {"linearsvc", "svm"},
                                                     {"lssvm", "kernel_ridge"},
                                                     {"lvq", "kglvq"},
                                                     {"matrix", "gram"},
                                                     {"maxit", "max_iterations"},
                                                     {"maxiter", "max_iterations"},
                                                     {"memory", "memory_mb"},
                                                     {"metric", "select"},
                                                     {"minmax", "intersection"},
                                                     {"mlp", "sigmoid"},
                                                     {"multiquadric", "rational_quadratic"},
                                                     {"na", "missing"},
                                                     {"nastrings", "missing"},
                                                     {"navalues", "missing"},
                                                     {"ncomp", "components"},
                                                     {"ncomponents", "components"},
                                                     {"nearestcentroid", "mean_of_class"},
                                                     {"nearestneighbors", "nearest_neighbours"},
                                                     {"neighbors", "neighbours"},
                                                     {"nepochs", "epochs"},
                                                     {"nfolds", "folds"},
                                                     {"nhidden", "hidden"},
                                                     {"nlandmarks", "landmarks"},
                                                     {"nneighbors", "neighbours"},
                                                     {"nneighbours", "neighbours"},
                                                     {"normalise", "scale"},
                                                     {"normalize", "scale"},
                                                     {"novelty", "one_class_svm"},
                                                     {"ntk", "neural_tangent"},
                                                     {"nusvc", "nu_svm"},
                                                     {"nystroem", "lowrank"},
                                                     {"nystrom", "lowrank"},
                                                     {"oneclass", "one_class_svm"},
                                                     {"oneclassification", "one_class_svm"},
                                                     {"parsedates", "dates"},
                                                     {"pca", "kernel_pca"},
                                                     {"penalty", "C"},
                                                     {"polydot", "poly"},
                                                     {"polynomial", "poly"},
                                                     {"precomputed", "gram"},
                                                     {"prob", "probability"},
                                                     {"probmodel", "probability"},
                                                     {"radial", "rbf"},
                                                     {"randomseed", "seed"},
                                                     {"randomstate", "seed"},
                                                     {"rbfdot", "rbf"},
                                                     {"reg", "lambda"},
                                                     {"regularization", "lambda"},
                                                     {"relevancevector", "rvm"},
                                                     {"response", "label"},
                                                     {"ridge", "lambda"},
                                                     {"rownames", "id"},
                                                     {"scaled", "scale"},
                                                     {"scoring", "select"},
                                                     {"se", "rbf"},
                                                     {"sep", "delimiter"},
                                                     {"separator", "delimiter"},
                                                     {"sigma", "gamma"},
                                                     {"skip", "ignore"},
                                                     {"squaredexponential", "rbf"},
                                                     {"standardise", "scale"},
                                                     {"standardize", "scale"},
                                                     {"splinedot", "spline"},
                                                     {"stringdot", "spectrum"},
                                                     {"supportvectorregression", "svr"},
                                                     {"svc", "svm"},
                                                     {"tanh", "sigmoid"},
                                                     {"tanhdot", "sigmoid"},
                                                     {"target", "label"},
                                                     {"tol", "tolerance"},
                                                     {"type", "machine"},
                                                     {"usecols", "ignore"},
                                                     {"vanilladot", "linear"},
                                                     {"warping", "dtw"},
                                                     {"weights", "class_weight"},
                                                     {"width", "gamma"},
                                                     {"wl", "weisfeiler_lehman"},
                                                     {"y", "label"}});

/// Leaves out what programs write names with.
std::string plain(std::string_view name) {
    std::string letters;
    for (const char c : name) {
        if (c == '.' || c == '-' || c == '_') continue;
        letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return letters;
}

}  // namespace

std::vector<std::string_view> names_of_peers(std::string_view name) {
    constexpr std::size_t longest = 64;
    const std::string letters = plain(name.substr(0, longest));
    std::vector<std::string_view> meant;
    for (const PeerName& one : peer_names) {
        if (one.peer == letters) meant.push_back(one.here);
    }
    return meant;
}

}  // namespace dk
