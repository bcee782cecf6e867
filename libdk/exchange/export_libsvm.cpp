// SPDX-License-Identifier: Apache-2.0
// LIBSVM's format has one kernel and a function for each pair of classes, in which a support vector of class
// i takes part only where i is one of the pair. A row that is in other functions too, as super-sparse models
// have them, becomes several support vectors: one for each class of a set of classes that covers its pairs.
//
// Scaled columns, x' = (x - m) / s, are folded into the support vectors z':
//
//     linear             z'.x' = (z' / s).x - z'.(m / s), whose last part goes to the offset
//     rbf, all s equal   gamma |z' - x'|^2 = (gamma / s^2) |(s z' + m) - x|^2
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "exchange/export_model.hpp"
#include "exchange/formula/kernel_formula.hpp"
#include "exchange/functions/exported_functions.hpp"

namespace dk {

namespace {

/// The kernel as LIBSVM has it.
struct LibsvmKernel {
    std::string name;
    std::string lines;  // with its parameters
};

LibsvmKernel libsvm_kernel(const Expression& call) {
    const auto line = [&](const char* key) { return text(key, " ", parameter_of(call, key), "\n"); };
    if (call.kind == Expression::Kind::call && call.name == "linear") return {"linear", ""};
    if (call.kind == Expression::Kind::call && call.name == "rbf") return {"rbf", line("gamma")};
    if (call.kind == Expression::Kind::call && call.name == "sigmoid")
        return {"sigmoid", line("gamma") + line("coef0")};
    if (call.kind == Expression::Kind::call && call.name == "poly")
        return {"polynomial", line("degree") + line("gamma") + line("coef0")};
    if (call.kind == Expression::Kind::call && call.name == "gram") return {"precomputed", ""};
    fail(Status::unsupported,
         "LIBSVM's kernels are linear, poly, rbf, sigmoid and gram over all columns, and the model has "
         "another");
}

/// Takes the weight of the model's one kernel into the coefficients.
void fold_weight(ExportedFunctions& functions) {
    const Expression& kernel = *functions.kernel.expression;
    if (kernel.kind != Expression::Kind::product || kernel.children.size() != 2) return;
    const auto number = std::ranges::find(kernel.children, Expression::Kind::number, &Expression::kind);
    if (number == kernel.children.end()) return;
    functions.weights *= number->number;
    functions.kernel.expression =
        std::make_shared<const Expression>(kernel.children[number == kernel.children.begin() ? 1 : 0]);
}

/// Gives the call with a parameter that has been divided.
std::shared_ptr<const Expression> with_quotient(Expression call, std::string_view key, double divisor) {
    std::ranges::find(call.arguments, key, &Argument::key)->values.front().number /= divisor;
    return std::make_shared<const Expression>(std::move(call));
}

/// Takes the scaling of columns into the support vectors.
void fold_scaling(ExportedFunctions& functions) {
    const Scaler& scaler = functions.scaler;
    if (scaler.rows != RowScale::none)
        fail(Status::unsupported,
             "LIBSVM's format cannot scale rows, which the model does (scale_rows=", name_of(scaler.rows),
             ")");
    if (!scaler.ranks.empty())
        fail(Status::unsupported,
             "LIBSVM's format cannot rank values, which the model does (scale=ranks); train it with another "
             "scale, such as standard");
    if (scaler.shift.empty()) return;
    DenseMatrix points = functions.points.dense();
    if (!scaler.fill.empty())
        fail(Status::unsupported, "LIBSVM's format has no place for what fills missing values (impute)");
    const std::vector<double>& shift = scaler.shift;
    const std::vector<double>& scale = scaler.scale;
    const bool alike = std::ranges::all_of(scale, [&](double s) { return s == scale.front(); });
    const Expression& kernel = *functions.kernel.expression;
    const bool linear = kernel.name == "linear";
    if (!linear && !(kernel.name == "rbf" && alike))
        fail(Status::unsupported,
             "LIBSVM's format has no scaling of columns, which the model has; with kernel ", kernel.name,
             " it cannot be taken into the support vectors. Train with scale=none on data that are scaled");
    for (Index i = 0; i < points.rows; ++i) {
        double constant = 0;
        for (Index j = 0; j < points.cols; ++j) {
            double& z = points.row(i)[j];
            z = linear ? z / scale[j] : z * scale[j] + shift[j];
            constant += z * shift[j];
        }
        if (!linear) continue;
        for (std::size_t f = 0; f < functions.offsets.size(); ++f)
            functions.offsets[f] -= functions.weights(i, static_cast<Index>(f)) * constant;
    }
    if (!linear) functions.kernel.expression = with_quotient(kernel, "gamma", scale.front() * scale.front());
    functions.points = Dataset(std::move(points));
    functions.scaler = {};
}

/// A support vector of the file: a point, and the coefficients in the columns of the format.
struct SupportVectorLine {
    Index point;
    std::vector<double> coefficients;
};

/// Lists the support vectors of each class of the file.
using VectorsByClass = std::vector<std::vector<SupportVectorLine>>;

/// A pair of classes i < j, for whose function a point has a coefficient.
struct PairTerm {
    Index i;
    Index j;
    double weight;
};

/// Finds the class that most pairs have, and of a lone pair the class on whose side the point is.
Index covering_class(std::span<const PairTerm> terms, Index classes) {
    if (terms.size() == 1) return terms[0].weight > 0 ? terms[0].i : terms[0].j;
    std::vector<Index> counts(classes);
    for (const PairTerm& term : terms) {
        ++counts[term.i];
        ++counts[term.j];
    }
    return std::ranges::max_element(counts) - counts.begin();
}

void add_point(Index point, std::vector<PairTerm> terms, VectorsByClass& vectors) {
    const Index classes = std::ssize(vectors);
    while (!terms.empty()) {
        const Index c = covering_class(terms, classes);
        SupportVectorLine vector{point, std::vector<double>(classes - 1)};
        for (const PairTerm& term : terms) {
            if (term.i == c) vector.coefficients[term.j - 1] = term.weight;
            if (term.j == c) vector.coefficients[term.i] = term.weight;
        }
        vectors[c].push_back(std::move(vector));
        std::erase_if(terms, [&](const PairTerm& term) { return term.i == c || term.j == c; });
    }
}

VectorsByClass vectors_of(const ExportedFunctions& functions, Index classes) {
    VectorsByClass vectors(classes);
    for (Index p = 0; p < functions.weights.rows(); ++p) {
        std::vector<PairTerm> terms;
        Index f = 0;
        for (Index i = 0; i < classes; ++i) {
            for (Index j = i + 1; j < classes; ++j, ++f) {
                const double weight = functions.weights(p, f);
                if (weight != 0) terms.push_back({i, j, weight});
            }
        }
        add_point(p, std::move(terms), vectors);
    }
    return vectors;
}

void append_values(std::string& out, const Dataset& points, Index p) {
    const auto append = [&](Index column, double value) {
        if (value != 0) out += text(column + 1, ":", value, " ");
    };
    if (points.kind() == DataKind::gram) {
        out += text("0:", points.gram().column(points.identity().place(p)) + 1);
    } else if (points.kind() == DataKind::dense) {
        for (Index j = 0; j < points.cols(); ++j) append(j, points.dense().row(p)[j]);
    } else {
        const SparseMatrix& sparse = points.sparse();
        for (Index e = sparse.row_offsets[p]; e < sparse.row_offsets[p + 1]; ++e)
            append(sparse.columns[e], sparse.values[e]);
    }
}

template <typename Values>
std::string line_of(const char* key, const Values& values, double sign = 1) {
    std::string line = key;
    for (const auto value : values) line += text(" ", sign == 1 ? value : -value);
    return line + "\n";
}

/// The lines that classifiers have: labels, of which that of the positive class comes first, and sigmoids.
std::string class_lines(const Model& model, const VectorsByClass& vectors) {
    std::vector<std::int64_t> labels = model.classes.values;
    if (model.rule == DecisionRule::binary) std::ranges::reverse(labels);
    for (const std::int64_t label : labels) {
        if (label != static_cast<std::int32_t>(label))
            fail(Status::unsupported, "LIBSVM's labels have 32 bits; label ", label, " has more");
    }
    std::vector<Index> sizes;
    sizes.reserve(vectors.size());
    for (const auto& of_class : vectors) sizes.push_back(std::ssize(of_class));
    std::string lines = line_of("label", labels);
    if (!model.calibration.empty())
        lines += line_of("probA", model.calibration.slopes) + line_of("probB", model.calibration.offsets);
    return lines + line_of("nr_sv", sizes);
}

std::string machine_type_of(const Model& model) {
    if (model.task == "novelty") return "one_class";
    const Index functions = model.predictor->decision_count();
    if (model.rule == DecisionRule::regression && functions > 1)
        fail(Status::unsupported, "LIBSVM's format has one function for a regression, the model has ",
             functions, "; train it with one level");
    if (model.rule == DecisionRule::regression) return model.machine == "nu_svr" ? "nu_svr" : "epsilon_svr";
    if (model.rule == DecisionRule::labels)
        fail(Status::unsupported, "LIBSVM's format predicts one class a row, the model has several labels");
    const bool pairs = model.rule == DecisionRule::binary || model.rule == DecisionRule::one_vs_one;
    if (!pairs)
        fail(Status::unsupported,
             "LIBSVM's format has a function for each pair of classes, the model has one for "
             "each class (multiclass=",
             name_of(model.rule), ")");
    return model.machine == "nu_svm" ? "nu_svc" : "c_svc";
}

}  // namespace

std::string libsvm_text(const Model& model) {
    const std::string type = machine_type_of(model);
    ExportedFunctions functions = exported_functions(model, "libsvm");
    fold_weight(functions);
    libsvm_kernel(*functions.kernel.expression);
    fold_scaling(functions);
    const LibsvmKernel kernel = libsvm_kernel(*functions.kernel.expression);
    const bool classifies = type == "c_svc" || type == "nu_svc";
    const Index classes = classifies ? model.classes.classes() : 2;
    const VectorsByClass vectors = vectors_of(functions, classes);
    Index total = 0;
    for (const auto& of_class : vectors) total += std::ssize(of_class);
    std::string out = text("svm_type ", type, "\nkernel_type ", kernel.name, "\n", kernel.lines, "nr_class ",
                           classes, "\ntotal_sv ", total, "\n");
    out += line_of("rho", functions.offsets, -1);
    if (classifies) out += class_lines(model, vectors);
    out += "SV\n";
    for (const auto& of_class : vectors) {
        for (const SupportVectorLine& vector : of_class) {
            for (const double coefficient : vector.coefficients) out += text(coefficient, " ");
            append_values(out, functions.points, vector.point);
            out += "\n";
        }
    }
    return out;
}

}  // namespace dk
