// SPDX-License-Identifier: Apache-2.0
// A layer of kernel principal components: rows go on as their coordinates along the directions in which the
// training rows vary most in the feature space of a kernel, or of a weighed bank of kernels. Whatever rows
// the kernels take, series, strings or graphs too, the next layer and the machine are given numbers. The
// formulas stand in machine/components/centred_spectrum.cpp, those of other rows in
// model/principal_components.cpp.
//
// B. Schoelkopf, A. Smola, K.-R. Mueller, Nonlinear component analysis as a kernel eigenvalue problem, Neural
// Computation 10, 1998; J. Zhuang, J. Wang, S. C. H. Hoi, X. Lan, Unsupervised multiple kernel learning, ACML
// 2011, for weights=umkl.
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "kernel/algebra/algebra.hpp"
#include "machine/components/component_learning.hpp"
#include "pipeline/layers/layer_kind.hpp"
#include "weights/strategy/expression.hpp"
#include "weights/strategy/weighed_bank.hpp"

namespace dk {

namespace parameter {
namespace {

void check_components(const std::string& value) {
    const double number = parse_number(value).value_or(0);
    if (number < 1 || number == std::floor(number)) return;
    fail(Status::invalid_parameter, "components cannot be ", value,
         "; allowed is a number from 1 on, or below 1 a share of the rows");
}

constexpr RealKey layer_components{
    "components",
    100,
    {.minimum = 0, .maximum = 1000000, .minimum_excluded = true},
    "This is the number of components, or below 1 their share of the number of training "
    "rows; there are fewer where the rows have fewer."};

ParameterSpec checked_components() {
    ParameterSpec spec = layer_components;
    spec.check = check_components;
    return spec;
}

constexpr RealKey layer_variance{
    "variance",
    0,
    {0, 1},
    "With a value above 0 there are as many components as have this share of the "
    "rows' variance in feature space, and `components` does not count."};
constexpr FlagKey layer_whitens{"whiten", false, "With yes, each component has the variance 1."};

}  // namespace
}  // namespace parameter

namespace {

Index component_count(const LayerProblem& problem) {
    const double number = problem.parameters[parameter::layer_components];
    if (number >= 1) return static_cast<Index>(number);
    return static_cast<Index>(std::ceil(number * static_cast<double>(problem.data.rows())));
}

void require_no_search(const std::string& weights) {
    if (parse_weights(weights).strategy->searches)
        fail(Status::unsupported, "weights=", weights,
             " trains machines in each kernel, and a layer has none; a machine's own bank can be weighed so");
}

LearnedColumns learn_layer(const LayerProblem& problem) {
    require_no_search(problem.parameters[parameter::weights]);
    Control& control = problem.control;
    WeighedBank weighed;
    {
        const ProgressScope scope(control, 0, 0.3);
        const std::string& given = problem.parameters[parameter::kernel];
        Bank bank =
            make_bank(given == "auto" ? default_kernel(problem.data.kind()) : given, problem.data, &control);
        weighed = weighed_bank(std::move(bank), problem.parameters[parameter::weights],
                               {.data = problem.data,
                                .cost = 1,
                                .seed = problem.seed,
                                .budget = problem.budget,
                                .control = control});
    }
    const ProgressScope scope(control, 0.3, 1);
    const KernelPointer kernel = combine(weighed.bank, weighed.weights);
    ComponentLearning found =
        learn_components(kernel, problem.data,
                         {.choice = {component_count(problem), problem.parameters[parameter::layer_variance]},
                          .whitens = problem.parameters[parameter::layer_whitens],
                          .precision = problem.precision},
                         control);
    control.memory().require(16.0 * problem.data.rows() * found.learned.count(),
                             text("features of ", problem.data.rows(), " rows"));
    const Matrix features = found.features();
    Dataset rows = problem.data.with_features(
        DenseMatrix{features.rows(), features.cols(), {features.data(), features.data() + features.size()}});
    rows.feature_names.clear();
    Report report;
    std::vector<Report> kernels;
    for (std::size_t k = 0; k < weighed.bank.size(); ++k)
        kernels.emplace_back().add("kernel", weighed.bank[k]->text()).add("weight", weighed.weights[k]);
    report.add("kernels", std::move(kernels));
    report.add("weight_report", Report::JsonText{weighed.report});
    for (const auto& [name, value] : found.report.entries()) report.add(name, value);
    return {std::make_shared<const PrincipalComponents>(std::move(found.learned), control), std::move(rows),
            std::move(report)};
}

}  // namespace

LayerKind kernel_pca_layer() {
    return {
        .name = "kernel_pca",
        .doc =
            "Rows go on as their coordinates along the principal components in the feature space of a "
            "kernel or of a bank of kernels, which a strategy weighs.",
        .reference =
            "Schoelkopf, Smola, Mueller, Nonlinear component analysis as a kernel eigenvalue problem, "
            "Neural Computation 10, 1998; Rebai, BenAyed, Mahdi, Deep multilayer multiple kernel learning, "
            "Neural Computing and Applications 27, 2016",
        .parameters = {parameter::kernel, parameter::weights, parameter::checked_components(),
                       parameter::layer_variance, parameter::layer_whitens},
        .learn = learn_layer};
}

}  // namespace dk
