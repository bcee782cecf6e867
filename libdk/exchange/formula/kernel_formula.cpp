// SPDX-License-Identifier: Apache-2.0
// The kernels of columns as formulas, which the writers of formats put into their words. Each formula is that
// of the kernel's own file in kernel/family.
#include "exchange/formula/kernel_formula.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

double parameter_of(const Expression& call, std::string_view key) {
    const auto found = std::ranges::find(call.arguments, key, &Argument::key);
    if (found == call.arguments.end() || found->values.size() != 1)
        fail(Status::internal, "kernel ", call.name, " without parameter ", key);
    return found->values.front().number;
}

Quantity KernelTerms::sum(ColumnSum sum, const std::vector<Quantity>& factors) const {
    if (compared == RowPair::row_and_point) return writer.pair_sum(sum, columns, factors);
    const auto own = [&](RowSum of) {
        return compared == RowPair::row_and_row ? writer.row_sum(of, columns) : writer.point_sum(of, columns);
    };
    if (sum == ColumnSum::inner) return own(RowSum::squares);
    if (sum == ColumnSum::splines) return own(RowSum::splines);
    if (sum == ColumnSum::minimum || sum == ColumnSum::harmonic) return own(RowSum::values);
    return number(0);
}

KernelTerms KernelTerms::after(const LearnedFeatures& part, bool unit) const {
    FormulaWriter& features = writer.after(part, unit);
    KernelTerms terms{features, std::vector<Index>(features.points().cols()), compared};
    std::iota(terms.columns.begin(), terms.columns.end(), Index{0});
    return terms;
}

Quantity KernelTerms::left_sum(RowSum sum) const {
    return compared == RowPair::point_and_point ? writer.point_sum(sum, columns)
                                                : writer.row_sum(sum, columns);
}

Quantity KernelTerms::right_sum(RowSum sum) const {
    return compared == RowPair::row_and_row ? writer.row_sum(sum, columns) : writer.point_sum(sum, columns);
}

namespace {

using Call = const Expression&;
using Terms = const KernelTerms&;

Quantity distance(Terms terms) {
    return terms.sum(ColumnSum::squares);
}

/// |x - z| sqrt(factor), with all digits where the rows are close.
Quantity exact_length(Terms terms, double factor) {
    return sqrt(factor * terms.sum(ColumnSum::exact_squares));
}

Quantity constant(Call call, Terms terms) {
    return terms.number(parameter_of(call, "value"));
}
Quantity linear(Call, Terms terms) {
    return terms.sum(ColumnSum::inner);
}
Quantity line(Call call, Terms terms) {
    return parameter_of(call, "coef0") + parameter_of(call, "gamma") * terms.sum(ColumnSum::inner);
}
Quantity poly(Call call, Terms terms) {
    return power(line(call, terms), parameter_of(call, "degree"));
}
Quantity sigmoid(Call call, Terms terms) {
    return tanh(line(call, terms));
}
Quantity rbf(Call call, Terms terms) {
    return exp(-parameter_of(call, "gamma") * distance(terms));
}
Quantity laplacian(Call call, Terms terms) {
    return exp(-parameter_of(call, "gamma") * terms.sum(ColumnSum::absolute));
}
Quantity chi_square(Call call, Terms terms) {
    return exp(-parameter_of(call, "gamma") * terms.sum(ColumnSum::chi_square));
}
Quantity additive_chi_square(Call, Terms terms) {
    return terms.sum(ColumnSum::harmonic);
}
Quantity intersection(Call, Terms terms) {
    return terms.sum(ColumnSum::minimum);
}
Quantity anova(Call call, Terms terms) {
    const double columns = std::ssize(terms.columns);
    const Quantity unlike = terms.sum(ColumnSum::unlikeness, {terms.number(parameter_of(call, "gamma"))});
    return power(1 - 1 / columns * unlike, parameter_of(call, "degree"));
}
Quantity rational_quadratic(Call call, Terms terms) {
    const double alpha = parameter_of(call, "alpha");
    return power(1 + parameter_of(call, "gamma") / alpha * distance(terms), -alpha);
}
Quantity cauchy(Call call, Terms terms) {
    return terms.number(1) / (1 + parameter_of(call, "gamma") * distance(terms));
}
Quantity exponential(Call call, Terms terms) {
    const double gamma = parameter_of(call, "gamma");
    return exp(-1.0 * exact_length(terms, gamma * gamma));
}
Quantity matern(Call call, Terms terms) {
    const double nu = parameter_of(call, "nu");
    // Beyond 1000 the kernel is 0, and the square of r would overflow.
    const Quantity length = exact_length(terms, 4 * nu * parameter_of(call, "gamma"));
    const Quantity r = -1.0 * at_least(-1000, -1.0 * length);
    Quantity falling = exp(-1.0 * r);
    if (nu == 0.5) return falling;
    if (nu == 1.5) return (1 + r) * falling;
    return (1 + (r + 1.0 / 3 * power(r, 2))) * falling;
}
/// Where u >= 1, w = 1 - u is taken as 0, and the kernels are 0. acos u is the angle with the gaps 1 - u and
/// 1
/// + u.
Quantity circular(Call call, Terms terms) {
    const Quantity w = at_least(0, 1 - exact_length(terms, parameter_of(call, "gamma")));
    const Quantity u = 1 - w;
    return 2 / std::numbers::pi * (angle(w, 1 + u) - u * sqrt(w * (1 + u)));
}
/// 1 - 3/2 u + 1/2 u^3 = w^2 (3 - w) / 2
Quantity spherical(Call call, Terms terms) {
    const Quantity w = at_least(0, 1 - exact_length(terms, parameter_of(call, "gamma")));
    return 0.5 * (power(w, 2) * (3 - w));
}
Quantity bessel(Call call, Terms terms) {
    const double gamma = parameter_of(call, "gamma");
    return bessel_formula(gamma * terms.sum(ColumnSum::exact_squares),
                          static_cast<int>(parameter_of(call, "order")));
}
Quantity spline(Call, Terms terms) {
    return 1 + terms.sum(ColumnSum::splines);
}
Quantity network(Call call, Terms terms) {
    return network_formula(call, terms, false);
}

struct KernelWithFormula {
    std::string_view name;
    Quantity (*formula)(Call call, Terms terms);
};
constexpr std::array kernels_with_formulas{KernelWithFormula{"linear", linear},
                                           KernelWithFormula{"constant", constant},
                                           KernelWithFormula{"poly", poly},
                                           KernelWithFormula{"sigmoid", sigmoid},
                                           KernelWithFormula{"rbf", rbf},
                                           KernelWithFormula{"laplacian", laplacian},
                                           KernelWithFormula{"cauchy", cauchy},
                                           KernelWithFormula{"rational_quadratic", rational_quadratic},
                                           KernelWithFormula{"exponential", exponential},
                                           KernelWithFormula{"matern", matern},
                                           KernelWithFormula{"circular", circular},
                                           KernelWithFormula{"spherical", spherical},
                                           KernelWithFormula{"chi_square", chi_square},
                                           KernelWithFormula{"additive_chi_square", additive_chi_square},
                                           KernelWithFormula{"intersection", intersection},
                                           KernelWithFormula{"anova", anova},
                                           KernelWithFormula{"bessel", bessel},
                                           KernelWithFormula{"spline", spline},
                                           KernelWithFormula{"arccos", network},
                                           KernelWithFormula{"neural_tangent", network}};

/// The columns that on(0:9, 12, k) names, among those of the terms.
KernelTerms restricted_terms(Call call, Terms terms) {
    KernelTerms some = terms;
    some.columns.clear();
    for (const Index j : columns_named_by(call)) some.columns.push_back(terms.columns.at(j));
    return some;
}

/// The kernel that a formula is of, with what its operators have learned.
class WholeFormula {
  public:
    WholeFormula(const ExportedKernel& kernel, std::string_view format) : kernel_(kernel), format_(format) {}

    Quantity of(const Expression& kernel, Terms terms) const {
        using Kind = Expression::Kind;
        if (kernel.kind == Kind::number) return terms.number(kernel.number);
        if (kernel.kind == Kind::call) return of_call(kernel, terms);
        Quantity whole = of(kernel.children.front(), terms);
        if (kernel.kind == Kind::power) return power(whole, kernel.number);
        for (std::size_t k = 1; k < kernel.children.size(); ++k) {
            const Quantity part = of(kernel.children[k], terms);
            whole = kernel.kind == Kind::sum ? whole + part : whole * part;
        }
        return whole;
    }

  private:
    Quantity of_call(Call call, Terms terms) const {
        const auto* inner = call.arguments.empty() ? nullptr : call.arguments.back().expression.get();
        if (const LearnedFeatures* part = learned_by(call)) return learned(*part, terms);
        if (call.name == "on" && inner) return of(*inner, restricted_terms(call, terms));
        if (call.name == "exp" && inner) return exp(of(*inner, terms));
        if (call.name == "normalize" && inner) return normalised(*inner, terms);
        const auto* found = std::ranges::find(kernels_with_formulas, call.name, &KernelWithFormula::name);
        if (found != kernels_with_formulas.end()) return found->formula(call, terms);
        std::vector<std::string> names;
        names.reserve(kernels_with_formulas.size());
        for (const auto& kernel : kernels_with_formulas) names.emplace_back(kernel.name);
        fail(Status::unsupported, "format ", format_, " has the kernels ", join(names, ", "),
             ", with exp, normalize, center, lowrank, corrected and on, their sums, products and powers; the "
             "model has kernel ",
             call.name);
    }

    /// Gives what an operator has learned; null for others.
    const LearnedFeatures* learned_by(Call call) const {
        for (const auto& part : kernel_.learned) {
            if (part->call == &call) return part.get();
        }
        return nullptr;
    }

    Quantity learned(const LearnedFeatures& part, Terms terms) const {
        const KernelTerms features = terms.after(part, false);
        if (part.call->name != "center") return features.sum(ColumnSum::inner);
        const auto* inner = part.call->arguments.front().expression.get();
        return of(*inner, terms) - (features.left_sum(RowSum::values) + features.right_sum(RowSum::values)) +
               terms.number(part.grand_mean);
    }

    /// k(x, z) / sqrt(k(x, x) k(z, z)); where k(x, x) is 0, it is 1 for two such rows and else 0.
    Quantity normalised(Call kernel, Terms terms) const {
        if (kernel.name == "arccos" || kernel.name == "neural_tangent")
            return network_formula(kernel, terms, true);
        if (terms.compared != RowPair::row_and_point) return terms.number(1);
        if (const LearnedFeatures* part = learned_by(kernel); part != nullptr && kernel.name != "center") {
            // The squares of features may vanish where the features do not.
            const KernelTerms unit = terms.after(*part, true);
            const Quantity zero = (1 - positive(unit.left_sum(RowSum::squares))) *
                                  (1 - positive(unit.right_sum(RowSum::squares)));
            return unit.sum(ColumnSum::inner) + zero;
        }
        const Quantity left = of(kernel, terms.of_row());
        const Quantity right = of(kernel, terms.of_point());
        const Quantity both_zero = (1 - positive(left)) * (1 - positive(right));
        return of(kernel, terms) * reciprocal_root(left) * reciprocal_root(right) + both_zero;
    }

    const ExportedKernel& kernel_;
    std::string_view format_;
};

}  // namespace

Quantity kernel_formula(const ExportedKernel& kernel, const KernelTerms& terms, std::string_view format) {
    return WholeFormula(kernel, format).of(*kernel.expression, terms);
}

}  // namespace dk
