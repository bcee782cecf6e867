// SPDX-License-Identifier: Apache-2.0
// A model as C99: arrays of its points, coefficients and offsets, and two functions that compute
//
//     f(x) = W' k(Z, x) + b
//
// and elect a class as class_scores() does. They call nothing but the functions of <math.h>.
#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "exchange/exported_functions.hpp"

namespace dk {

namespace {

/// A kernel as an expression of C, and what it reads: the inner product or the squared distance.
struct CKernel {
    std::string code;
    bool inner = false;
    bool distance = false;
    bool power = false;
};

/// Makes a kernel of parts, which reads what they read.
CKernel joined_kernel(std::string code, const std::vector<CKernel>& parts) {
    CKernel out{std::move(code)};
    for (const CKernel& part : parts) {
        out.inner |= part.inner;
        out.distance |= part.distance;
        out.power |= part.power;
    }
    return out;
}

/// Writes a number so that C reads the same double.
std::string c_number(double value) {
    std::string number = format_number(value);
    if (number.find_first_of(".e") == std::string::npos) number += ".0";
    return value < 0 ? "(" + number + ")" : number;
}

CKernel c_kernel(const Expression& expression);

CKernel c_call(const Expression& call) {
    const auto parameter = [&](const char* key) { return c_number(parameter_of(call, key)); };
    if (call.name == "linear") return {.code = "inner", .inner = true};
    if (call.name == "rbf") return {.code = "exp(-" + parameter("gamma") + " * distance)", .distance = true};
    const auto line = [&] { return parameter("gamma") + " * inner + " + parameter("coef0"); };
    if (call.name == "sigmoid") return {.code = "tanh(" + line() + ")", .inner = true};
    if (call.name == "poly") {
        const auto degree = std::to_string(static_cast<int>(parameter_of(call, "degree")));
        return {.code = "power(" + line() + ", " + degree + ")", .inner = true, .power = true};
    }
    if (call.name == "exp" && call.arguments.size() == 1 && call.arguments.front().expression) {
        const CKernel part = c_kernel(*call.arguments.front().expression);
        return joined_kernel("exp(" + part.code + ")", {part});
    }
    fail(Status::unsupported,
         "format c has the kernels linear, poly, rbf and sigmoid over all columns, their "
         "sums, products and powers; the model has kernel ",
         call.name);
}

CKernel c_kernel(const Expression& expression) {
    using Kind = Expression::Kind;
    if (expression.kind == Kind::number) return {.code = c_number(expression.number)};
    if (expression.kind == Kind::call) return c_call(expression);
    std::vector<CKernel> parts;
    for (const Expression& child : expression.children) parts.push_back(c_kernel(child));
    if (expression.kind == Kind::power) {
        const auto exponent = std::to_string(static_cast<int>(expression.number));
        CKernel raised = joined_kernel("power(" + parts.front().code + ", " + exponent + ")", parts);
        raised.power = true;
        return raised;
    }
    std::string code;
    for (const CKernel& part : parts) {
        if (!code.empty()) code += expression.kind == Kind::sum ? " + " : " * ";
        code += part.code;
    }
    return joined_kernel("(" + code + ")", parts);
}

template <typename Values>
std::string c_array(const std::string& declaration, const Values& values) {
    std::string out = "static const double " + declaration + " = {";
    Index on_line = 0;
    for (const auto value : values) {
        out += on_line++ % 6 == 0 ? "\n    " : " ";
        out += c_number(static_cast<double>(value)) + ",";
    }
    return out + "\n};\n";
}

/// Writes a text as C has it; what is no plain letter becomes an octal number.
std::string c_string(std::string_view name) {
    constexpr std::string_view digits = "01234567";
    std::string out = "\"";
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= ' ' && byte < 127 && c != '"' && c != '\\' && c != '?') {
            out += c;
        } else {
            out += {'\\', digits[byte >> 6U], digits[(byte >> 3U) & 7U], digits[byte & 7U]};
        }
    }
    return out + "\"";
}

/// Writes a text as a part of a comment of C, which nothing in it can end: what is no plain letter becomes a
/// question mark, and stars and slashes stand apart.
std::string c_comment(std::string_view words) {
    std::string out;
    for (const char c : words) {
        const bool marks = (c == '/' || c == '*') && !out.empty() && (out.back() == '/' || out.back() == '*');
        if (marks) out += ' ';
        out += c >= ' ' && c < 127 && c != '\\' ? c : '?';
    }
    return out;
}

/// Writes the class that decisions elect, by the rule of the model.
std::string election(const Model& model) {
    switch (model.rule) {
        case DecisionRule::regression:
            return "    return decisions[0];\n";
        case DecisionRule::binary:
            return "    return classes[decisions[0] > 0];\n";
        case DecisionRule::one_vs_rest:
        case DecisionRule::largest:
            break;
        case DecisionRule::one_vs_one:
            return R"(    double votes[CLASSES] = {0}, sums[CLASSES] = {0}, leading = 0;
    int a, b, f, best = 0;
    for (f = 0, a = 0; a < CLASSES; ++a)
        for (b = a + 1; b < CLASSES; ++b, ++f) votes[decisions[f] >= 0 ? a : b] += 1;
    for (a = 0; a < CLASSES; ++a)
        if (votes[a] > leading) leading = votes[a];
    /* Among the classes that lead, the distances of their pairs decide. */
    for (f = 0, a = 0; a < CLASSES; ++a) {
        for (b = a + 1; b < CLASSES; ++b, ++f) {
            const double distance = norms[f] > 0 ? decisions[f] / norms[f] : decisions[f];
            if (votes[a] != leading || votes[b] == leading) sums[a] += distance;
            if (votes[b] != leading || votes[a] == leading) sums[b] -= distance;
        }
    }
    for (a = 0; a < CLASSES; ++a) votes[a] += 0.5 * sums[a] / (1 + fabs(sums[a]));
    for (a = 1; a < CLASSES; ++a)
        if (votes[a] > votes[best]) best = a;
    return classes[best];
)";
    }
    const bool divided = model.rule == DecisionRule::one_vs_rest;
    std::string out = "    int c, best = 0;\n";
    if (divided)
        out += "    for (c = 0; c < FUNCTIONS; ++c)\n        if (norms[c] > 0) decisions[c] /= norms[c];\n";
    return out +
           "    for (c = 1; c < FUNCTIONS; ++c)\n        if (decisions[c] > decisions[best]) best = c;\n"
           "    return classes[best];\n";
}

/// Writes the loop that computes the decisions of a row.
std::string decision_body(const ExportedFunctions& functions, const CKernel& kernel) {
    std::string out = "    int p, j, f;\n";
    const bool prepared = !functions.shift.empty() || !functions.fill.empty();
    if (prepared) {
        out += "    double x[FEATURES];\n    for (j = 0; j < FEATURES; ++j) {\n";
        out += functions.fill.empty() ? "        x[j] = row[j];\n"
                                      : "        x[j] = isnan(row[j]) ? fill[j] : row[j];\n";
        if (!functions.shift.empty()) out += "        x[j] = (x[j] - shift[j]) / scale[j];\n";
        out += "    }\n";
    } else {
        out += "    const double *const x = row;\n";
    }
    out +=
        "    for (f = 0; f < FUNCTIONS; ++f) decisions[f] = offsets[f];\n"
        "    for (p = 0; p < POINTS; ++p) {\n"
        "        const double *const z = points + p * FEATURES;\n";
    if (kernel.inner) out += "        double inner = 0;\n";
    if (kernel.distance) out += "        double distance = 0;\n";
    out += "        double value;\n        for (j = 0; j < FEATURES; ++j) {\n";
    if (kernel.inner) out += "            inner += x[j] * z[j];\n";
    if (kernel.distance) out += "            distance += (x[j] - z[j]) * (x[j] - z[j]);\n";
    return out + "        }\n        value = " + kernel.code +
           ";\n        for (f = 0; f < FUNCTIONS; ++f) decisions[f] += weights[p * FUNCTIONS + f] * value;\n "
           "   }\n"
           "    return FUNCTIONS;\n";
}

std::string constants_of(const Model& model, const ExportedFunctions& functions, const DenseMatrix& points) {
    std::string out =
        text("enum { FEATURES = ", points.cols, ", POINTS = ", points.rows,
             ", FUNCTIONS = ", functions.offsets.size(), ", CLASSES = ", model.classes.classes(), " };\n\n");
    const Matrix& W = functions.weights;
    out += c_array("points[POINTS * FEATURES]", points.values);
    out += c_array("weights[POINTS * FUNCTIONS]", std::span(W.data(), static_cast<std::size_t>(W.size())));
    out += c_array("offsets[FUNCTIONS]", functions.offsets);
    if (!functions.shift.empty())
        out += c_array("shift[FEATURES]", functions.shift) + c_array("scale[FEATURES]", functions.scale);
    if (!functions.fill.empty()) out += c_array("fill[FEATURES]", functions.fill);
    if (model.rule == DecisionRule::one_vs_one || model.rule == DecisionRule::one_vs_rest)
        out += c_array("norms[FUNCTIONS]", functions.norms);
    if (model.rule != DecisionRule::regression) out += c_array("classes[CLASSES]", model.classes.values);
    return out;
}

}  // namespace

std::string c_text(const Model& model, std::string_view name) {
    require_rows_of_numbers(model, "c");
    const ExportedFunctions functions = exported_functions(model, "c");
    const CKernel kernel = c_kernel(functions.kernel);
    const Dataset dense = with_dense_rows(functions.points, 1, MemoryBudget(0));
    const std::string prefix(name);
    std::string out = text("/* A model of libdk: machine ", c_comment(model.machine), ", ", dense.rows(),
                           " points, kernel ", c_comment(model.kernel), ".\n * ", prefix, "_decide writes ",
                           functions.offsets.size(), " decisions for a row of ", dense.cols(),
                           " features and gives their number.\n * ", prefix, "_predict gives ",
                           model.rule == DecisionRule::regression ? "the value of a row"
                           : model.classes.names.empty()          ? "the label of a row"
                                                                  : "the position of a row's class",
                           ", as the decisions elect it. */\n#include <math.h>\n\n");
    out += text("int ", prefix, "_decide(const double *row, double *decisions);\ndouble ", prefix,
                "_predict(const double *row);\n");
    if (!model.classes.names.empty()) {
        out += text("extern const char *const ", prefix, "_class_names[];\nconst char *const ", prefix,
                    "_class_names[] = {");
        for (const std::string& class_name : model.classes.names) out += c_string(class_name) + ", ";
        out += "};\n";
    }
    out += "\n" + constants_of(model, functions, dense.dense());
    if (kernel.power)
        out +=
            "\nstatic double power(double base, int exponent) {\n    double value = 1;\n"
            "    for (; exponent > 0; exponent /= 2, base *= base)\n"
            "        if (exponent % 2 == 1) value *= base;\n    return value;\n}\n";
    out += text("\nint ", prefix, "_decide(const double *row, double *decisions) {\n",
                decision_body(functions, kernel), "}\n\ndouble ", prefix,
                "_predict(const double *row) {\n    double decisions[FUNCTIONS];\n    ", prefix,
                "_decide(row, decisions);\n", election(model), "}\n");
    return out;
}

}  // namespace dk
