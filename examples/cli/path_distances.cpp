// SPDX-License-Identifier: Apache-2.0
#include "path_distances.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "learning.hpp"

namespace command {

// These names have no internal linkage, since a class of another file's header is made of them.
namespace paths {

// A function in feature space by its prototypes: the coefficients of p+ and p- over the rows, and its shift
// S.
struct Function {
    std::vector<double> positive;
    std::vector<double> negative;
    double shift = 0;
};

std::vector<Function> functions_of(const Model& model) {
    const int64_t rows = model.training_rows();
    const libdk::Matrix coefficients = model.prototype_coefficients();
    std::vector<Function> functions;
    auto at = coefficients.values.begin();
    for (const double shift : model.prototype_shifts()) {
        functions.push_back({{at, at + rows}, {at + rows, at + 2 * rows}, shift});
        at += 2 * rows;
    }
    return functions;
}

// The inner products of combinations of rows, from the kernel matrix of the rows.
class FeatureSpace {
  public:
    FeatureSpace(Control& control, const Data& data, const std::string& kernel) {
        rows_ = static_cast<size_t>(data.rows());
        gram_ = control.run([&](const libdk::Control& c) { return libdk::gram(data, kernel, c); }).values;
    }

    double product(const std::vector<double>& a, const std::vector<double>& b) const {
        double sum = 0;
        for (size_t i = 0; i < rows_; ++i) {
            if (a[i] == 0) continue;
            for (size_t j = 0; j < rows_; ++j) sum += a[i] * gram_[i * rows_ + j] * b[j];
        }
        return sum;
    }
    double distance(const std::vector<double>& a, const std::vector<double>& b) const {
        const std::vector<double> difference = minus(a, b);
        return std::sqrt(std::max(0.0, product(difference, difference)));
    }
    static std::vector<double> minus(std::vector<double> a, const std::vector<double>& b) {
        for (size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
        return a;
    }

  private:
    size_t rows_;
    std::vector<double> gram_;
};

// How far a function is from a reference (Graf et al. 2009, Figures 1 to 3): its prototypes, its unit normal,
// and its distance from the origin along the normal.
Json distances_between(const FeatureSpace& space, const Function& ours, const Function& reference) {
    struct Boundary {
        std::vector<double> normal;  // w / |w|
        double offset;               // b / |w|
    };
    const auto boundary = [&](const Function& f) {
        std::vector<double> normal = FeatureSpace::minus(f.positive, f.negative);
        const double length = std::sqrt(std::max(0.0, space.product(normal, normal)));
        for (double& coefficient : normal) coefficient /= length;
        const double squares = space.product(f.negative, f.negative) - space.product(f.positive, f.positive);
        return Boundary{std::move(normal), (squares + f.shift) / (2 * length)};
    };
    const Boundary w = boundary(ours);
    const Boundary q = boundary(reference);
    return {{"p+", space.distance(ours.positive, reference.positive)},
            {"p-", space.distance(ours.negative, reference.negative)},
            {"w", space.distance(w.normal, q.normal)},
            {"b", std::abs(w.offset - q.offset)}};
}

}  // namespace paths

using namespace paths;

// The functions that others are compared with, and the space in which they are.
struct References {
    std::string kernel;
    std::string multiclass;
    FeatureSpace space;
    std::vector<std::pair<std::string, std::vector<Function>>> machines = {};
};

namespace {

// Kernel values are those of the rows as they are, so that nothing may have prepared the model's rows.
void require_plain_rows(const Model& model, const Json& info) {
    const Json& parameters = info.at("parameters");
    const bool scales = parameters.at("scale") == "auto" ? info.at("training").contains("scaled")
                                                         : parameters.at("scale") != "none";
    if (has_prototype_pairs(model) && !scales && parameters.at("scale_rows") == "none" &&
        parameters.at("layers") == "")
        return;
    throw std::runtime_error(
        "--distances needs a machine with pairs of prototypes, and rows as they are: scale=none, and no "
        "scale_rows or layers");
}

void train_references(Control& control, const Data& data, References& references) {
    for (const auto& [machine, cost] : {std::pair("mean_of_class", ""), std::pair("svm", "1e6")}) {
        Settings settings(machine);
        settings.set("kernel", references.kernel);
        settings.set("scale", "none");
        if (*cost != '\0') settings.set("C", cost);
        if (!references.multiclass.empty()) settings.set("multiclass", references.multiclass);
        references.machines.emplace_back(machine, paths::functions_of(learned(control, data, settings)));
    }
}

}  // namespace

PathDistances::PathDistances(Control& control, const Data& data) : control_(control), data_(data) {}
PathDistances::~PathDistances() = default;

void PathDistances::add(const std::string& value, const Model& model) {
    const Json info = model_info(model);
    const Json& parameters = info.at("parameters");
    require_plain_rows(model, info);
    const std::string kernel = info.at("kernel");
    const std::string multiclass = parameters.value("multiclass", "");
    if (!references_ || references_->kernel != kernel || references_->multiclass != multiclass) {
        references_ = std::make_unique<References>(
            References{kernel, multiclass, FeatureSpace(control_, data_, kernel)});
        train_references(control_, data_, *references_);
    }
    const std::vector<std::string> names = function_names(model, ClassNames(model));
    const std::vector<Function> functions = paths::functions_of(model);
    for (const auto& [machine, known] : references_->machines) {
        if (known.size() != functions.size())
            throw std::runtime_error("--distances: " + machine + " has other functions");
        for (size_t f = 0; f < functions.size(); ++f) {
            Json row = {{"value", value}, {"function", names[f]}, {"from", machine}};
            row.update(distances_between(references_->space, functions[f], known[f]));
            rows_.push_back(std::move(row));
        }
    }
}

}  // namespace command
