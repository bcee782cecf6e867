// SPDX-License-Identifier: Apache-2.0
// A model as C99: arrays of its points, coefficients and offsets, and functions that compute
//
//     f(x) = W' k(Z, x) + b,
//
// or the classes' distances to their nearest prototypes, elect a class as class_scores() does, and give
// probabilities as class_probabilities() does. They call nothing but the functions of <math.h>.
#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "exchange/c/c_words.hpp"
#include "exchange/c/codes_in_c.hpp"
#include "exchange/c/expansion_in_c.hpp"
#include "exchange/c/preparation_in_c.hpp"
#include "exchange/export_model.hpp"
#include "exchange/functions/exported_functions.hpp"

namespace dk {

namespace {

/// Writes the class of the largest probability, and of those whose probabilities are the same, where each
/// class has a decision, that of the largest decision.
std::string election_by_probability(const Model& model, std::string_view prefix) {
    const bool falling = model.calibration.slopes.front() < 0;
    const bool of_classes = model.rule == DecisionRule::one_vs_rest || model.rule == DecisionRule::largest;
    std::string larger = "p[c] > p[best]";
    if (of_classes)
        larger += text(" || (p[c] == p[best] && decisions[c] ", falling ? ">" : "<", " decisions[best])");
    return text("    double p[CLASSES];\n    int c, best = 0;\n    ", prefix,
                "_probabilities(row, p);\n    for (c = 1; c < CLASSES; ++c)\n        if (", larger,
                ") best = c;\n    return classes[best];\n");
}

/// Writes the class that decisions elect, by the rule of the model.
std::string election(const Model& model, std::string_view prefix) {
    if (model.elects_by_probability()) return election_by_probability(model, prefix);
    switch (model.rule) {
        case DecisionRule::regression:
            // Of several quantiles it is the middle one.
            return text("    return decisions[", (model.predictor->decision_count() - 1) / 2, "];\n");
        case DecisionRule::binary:
            return "    return classes[decisions[0] > 0];\n";
        case DecisionRule::one_vs_rest:
        case DecisionRule::largest:
        case DecisionRule::labels:
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
        out += "    for (c = 0; c < CLASSES; ++c)\n        if (norms[c] > 0) decisions[c] /= norms[c];\n";
    return out +
           "    for (c = 1; c < CLASSES; ++c)\n        if (decisions[c] > decisions[best]) best = c;\n"
           "    return classes[best];\n";
}

/// Writes how the products with prototypes, which `sums` has, become a decision of each class.
std::string decisions_of_nearest(const std::string& square_of_row) {
    return text("    for (f = 0; f < FUNCTIONS; ++f) {\n        sums[f] = fmax(", square_of_row,
                " + squares[f] - 2 * sums[f], 0);\n        farthest = fmax(farthest, sums[f]);\n    }\n"
                "    for (f = 0; f < CLASSES; ++f) decisions[f] = -2 * farthest - 1;\n"
                "    for (f = 0; f < FUNCTIONS; ++f)\n        if (-sums[f] > decisions[class_of[f]]) "
                "decisions[class_of[f]] = -sums[f];\n    return CLASSES;\n");
}

/// The statements that let quantiles ascend.
constexpr const char* sorted_quantiles = R"(    for (p = 1; p < FUNCTIONS; ++p) {
        const double quantile = decisions[p];
        for (f = p; f > 0 && decisions[f - 1] > quantile; --f) decisions[f] = decisions[f - 1];
        decisions[f] = quantile;
    }
)";

/// Writes the decision by a row's distance from a span, whose scores and mean `sums` has.
std::string decision_of_span(const PrincipalSpan& span, const std::string& square_of_row) {
    return text("    sums[FUNCTIONS - 1] = ", square_of_row, " - 2 * sums[FUNCTIONS - 1] + ",
                c_number(span.grand_mean),
                ";\n    for (f = 0; f + 1 < FUNCTIONS; ++f) sums[FUNCTIONS - 1] -= sums[f] * sums[f];\n"
                "    decisions[0] = ",
                c_number(span.threshold), " - sums[FUNCTIONS - 1];\n    return 1;\n");
}

/// Writes how the values with all points, which `sums` has, become the scores of the classes: as many times
/// as there are voters, the nearest point is looked for among those that are left.
std::string decisions_of_neighbours(const NeighbourRule& rule, const std::string& square_of_row) {
    const std::string share = c_number(1 / static_cast<double>(rule.count));
    return text(
        "    for (p = 0; p < POINTS; ++p) sums[p] = ", square_of_row,
        " + squares[p] - 2 * sums[p];\n"
        "    for (f = 0; f < CLASSES; ++f) decisions[f] = 0;\n"
        "    for (f = 1; f <= ",
        rule.count,
        "; ++f) {\n        int nearest = 0;\n        double *score;\n"
        "        for (p = 1; p < POINTS; ++p)\n            if (sums[p] < sums[nearest]) nearest = p;\n"
        "        sums[nearest] = HUGE_VAL;\n        score = decisions + class_of[nearest];\n"
        "        *score += *score == 0 ? ",
        share, " + 0.5 * ", share, " / f : ", share, ";\n    }\n    return CLASSES;\n");
}

/// Writes choquet_integral() of the machines' bounded decisions for each function.
std::string integrals_in_c(const FuzzyRule& rule) {
    std::string out = text("enum { MACHINES = ", rule.measures.front().sources,
                           ", SETS = ", rule.measures.front().worth.size(), " };\n");
    std::vector<double> worth;
    for (const FuzzyMeasure& measure : rule.measures)
        worth.insert(worth.end(), measure.worth.begin(), measure.worth.end());
    return out + c_array("worth[DECISIONS * SETS]", worth) + R"(
static void integrate(const double *sums, double *decisions) {
    int f, k, turn;
    for (f = 0; f < DECISIONS; ++f) {
        int set = 0;
        decisions[f] = 0;
        for (turn = 0; turn < MACHINES; ++turn) {
            int best = -1, more;
            double bounded;
            for (k = 0; k < MACHINES; ++k)
                if (!(set >> k & 1) && (best < 0 || sums[k * DECISIONS + f] > sums[best * DECISIONS + f])) best = k;
            more = set | 1 << best;
            bounded = sums[best * DECISIONS + f] / sqrt(1 + sums[best * DECISIONS + f] * sums[best * DECISIONS + f]);
            decisions[f] += bounded * (worth[f * SETS + more] - worth[f * SETS + set]);
            set = more;
        }
    }
}
)";
}

/// Writes the function that computes the decisions of a row, which `prepared` makes x of. Quantiles are
/// sorted, so that they do not cross.
std::string decision_function(const ExportedFunctions& functions, const ExpansionInC& in_c,
                              const std::string& prepared, bool sorted, std::string_view prefix) {
    std::string variables = in_c.variables;
    const bool counts = prepared.find("(j = ") != std::string::npos;
    if (counts && variables.find(", j") == std::string::npos) variables = ", j" + variables;
    std::string out = text("\nint ", prefix, "_decide(const double *row, double *decisions) {\n    int p, f",
                           variables, ";\n");
    if (functions.nearest || functions.span || functions.codes || functions.fuzzy)
        out += "    double sums[FUNCTIONS];\n";
    if (functions.neighbours) out += "    double sums[POINTS];\n";
    if (functions.nearest) out += "    double farthest = 0;\n";
    out += prepared + in_c.statements;
    if (!in_c.reads_row()) out += "    (void)x;\n";
    if (sorted) out += sorted_quantiles;
    out += functions.nearest      ? decisions_of_nearest(in_c.square_of_row)
           : functions.span       ? decision_of_span(*functions.span, in_c.square_of_row)
           : functions.codes      ? "    decide_by_codes(sums, decisions);\n    return CLASSES;\n"
           : functions.fuzzy      ? "    integrate(sums, decisions);\n    return DECISIONS;\n"
           : functions.neighbours ? decisions_of_neighbours(*functions.neighbours, in_c.square_of_row)
                                  : "    return FUNCTIONS;\n";
    return out + "}\n";
}

/// Writes the sigmoids of the decisions, and how they become the probabilities of classes.
std::string probability_function(const Model& model, std::string_view prefix) {
    std::string out = c_array("slopes[]", model.calibration.slopes) +
                      c_array("sigmoid_offsets[]", model.calibration.offsets) + R"(
static double positive(double decision, int f) {
    const double u = slopes[f] * decision + sigmoid_offsets[f];
    return u >= 0 ? exp(-u) / (1 + exp(-u)) : 1 / (1 + exp(u));
}
)";
    out += text("\nint ", prefix, "_probabilities(const double *row, double *probabilities) {\n",
                "    double decisions[DECISIONS];\n");
    const std::string decide = text("    ", prefix, "_decide(row, decisions);\n");
    if (model.rule == DecisionRule::binary)
        return out + decide +
               "    probabilities[1] = positive(decisions[0], 0);\n    probabilities[0] = 1 - "
               "probabilities[1];\n    return CLASSES;\n}\n";
    if (model.rule == DecisionRule::labels)
        return out + "    int c;\n" + decide +
               "    for (c = 0; c < CLASSES; ++c) probabilities[c] = positive(decisions[c], c);\n"
               "    return CLASSES;\n}\n";
    if (model.rule != DecisionRule::one_vs_one)
        return out + "    double sum = 0;\n    int c;\n" + decide +
               "    for (c = 0; c < CLASSES; ++c) sum += probabilities[c] = positive(decisions[c], c);\n"
               "    for (c = 0; c < CLASSES; ++c) probabilities[c] = sum > 0 ? probabilities[c] / sum : 1.0 "
               "/ "
               "CLASSES;\n    return CLASSES;\n}\n";
    return out + R"(    double r[CLASSES][CLASSES], q[CLASSES][CLASSES], qp[CLASSES], most, all, step;
    int a, b, f, round;
)" + decide +
           R"(    for (f = 0, a = 0; a < CLASSES; ++a) {
        r[a][a] = 0;
        for (b = a + 1; b < CLASSES; ++b, ++f) {
            r[a][b] = fmin(fmax(positive(decisions[f], f), 1e-7), 1 - 1e-7);
            r[b][a] = 1 - r[a][b];
        }
    }
    /* Pairs are coupled by the second method of Wu, Lin and Weng, JMLR 5, 2004. */
    for (a = 0; a < CLASSES; ++a) {
        for (q[a][a] = 0, b = 0; b < CLASSES; ++b) {
            q[a][a] += r[b][a] * r[b][a];
            if (b != a) q[a][b] = -r[b][a] * r[a][b];
        }
        probabilities[a] = 1.0 / CLASSES;
    }
    for (round = 0; round < 100; ++round) {
        for (all = 0, a = 0; a < CLASSES; ++a) {
            for (qp[a] = 0, b = 0; b < CLASSES; ++b) qp[a] += q[a][b] * probabilities[b];
            all += probabilities[a] * qp[a];
        }
        for (most = 0, a = 0; a < CLASSES; ++a) most = fmax(most, fabs(qp[a] - all));
        if (most < 1e-10) break;
        for (a = 0; a < CLASSES; ++a) {
            step = (all - qp[a]) / q[a][a];
            probabilities[a] += step;
            all = (all + step * (step * q[a][a] + 2 * qp[a])) / ((1 + step) * (1 + step));
            for (b = 0; b < CLASSES; ++b) {
                qp[b] = (qp[b] + step * q[b][a]) / (1 + step);
                probabilities[b] /= 1 + step;
            }
        }
    }
    return CLASSES;
}
)";
}

std::string constants_of(const Model& model, const ExportedFunctions& functions, const ExpansionInC& in_c) {
    std::string out =
        text("\nenum { FEATURES = ", functions.points.cols(), ", POINTS = ", functions.points.rows(),
             ", FUNCTIONS = ", functions.weights.cols(), ", DECISIONS = ", model.predictor->decision_count(),
             ", CLASSES = ", model.classes.classes(), " };\n\n", in_c.constants);
    if (functions.nearest || functions.neighbours) {
        const auto& squares = functions.nearest ? functions.nearest->squares : functions.neighbours->squares;
        const auto& classes = functions.nearest ? functions.nearest->classes : functions.neighbours->classes;
        out += c_array("squares[]", squares) + "static const int class_of[] = {";
        for (const Index c : classes) out += text(c, ", ");
        out += "};\n";
    }
    const bool by_distance =
        model.rule == DecisionRule::one_vs_one || model.rule == DecisionRule::one_vs_rest;
    if (by_distance && !model.elects_by_probability()) out += c_array("norms[FUNCTIONS]", functions.norms);
    if (model.rule != DecisionRule::regression && model.rule != DecisionRule::labels)
        out += c_array("classes[CLASSES]", model.classes.values);
    return out;
}

std::string signature_of_prediction(const Model& model, std::string_view prefix) {
    return model.predicts_several() ? text("int ", prefix, "_predict(const double *row, double *values)")
                                    : text("double ", prefix, "_predict(const double *row)");
}

/// Writes the prediction of several numbers: the decisions, or of labels whether these are above 0, or their
/// probabilities above one half where these elect.
std::string several_predictions(const Model& model, std::string_view prefix) {
    if (model.rule != DecisionRule::labels) return text("    return ", prefix, "_decide(row, values);\n");
    const bool by_probability = model.elects_by_probability();
    return text("    int f;\n    ", prefix, by_probability ? "_probabilities" : "_decide",
                "(row, values);\n    for (f = 0; f < DECISIONS; ++f) values[f] = values[f] > ",
                by_probability ? "0.5" : "0", ";\n    return DECISIONS;\n");
}

/// Writes what the file is for a reader, with the declarations of its functions.
std::string head_of_file(const Model& model, Index points, std::string_view prefix) {
    const bool regression = model.rule == DecisionRule::regression;
    std::string out =
        text("/* A model of libdk: machine ", c_comment(model.machine), ", ", points, " points, kernel ",
             c_comment(model.kernel), ".\n * ", prefix, "_decide writes ", model.predictor->decision_count(),
             " decisions for a row of ", model.features, " features and gives their number.\n * ", prefix,
             "_predict ",
             model.rule == DecisionRule::labels
                 ? "writes for each label 1 where a row is predicted to have it and else 0, and "
                   "gives their number."
             : model.predicts_several()    ? "writes the targets of a row and gives their number."
             : regression                  ? "gives the value of a row."
             : model.classes.names.empty() ? "gives the label of a row, as the model elects it."
                                           : "gives the position of a row's class, as the model elects it.");
    if (!model.calibration.empty())
        out +=
            text("\n * ", prefix, "_probabilities writes a probability for each class, in the order of ",
                 model.classes.names.empty() ? "their labels" : "their names", ", and gives their number.");
    out += text(" */\n#include <math.h>\n\nint ", prefix, "_decide(const double *row, double *decisions);\n",
                signature_of_prediction(model, prefix), ";\n");
    if (!model.calibration.empty())
        out += text("int ", prefix, "_probabilities(const double *row, double *probabilities);\n");
    if (model.classes.names.empty()) return out;
    out += text("extern const char *const ", prefix, "_class_names[];\nconst char *const ", prefix,
                "_class_names[] = {");
    for (const std::string& class_name : model.classes.names) out += c_string(class_name) + ", ";
    return out + "};\n";
}

}  // namespace

std::string c_text(const Model& model, std::string_view name) {
    require_rows_of_numbers(model, "c");
    const ExportedFunctions functions = exported_functions(model, "c");
    const bool keeps_sums = functions.nearest || functions.span || functions.neighbours;
    const char* const values = keeps_sums || functions.codes || functions.fuzzy ? "sums" : "decisions";
    const ExpansionInC in_c = expansion_in_c(functions, values, keeps_sums, "features_");
    const PreparationInC preparation = preparation_in_c(functions.scaler, functions.layers);
    std::string out =
        head_of_file(model, functions.points.rows(), name) +
        text("\nenum { COLUMNS = ", model.features, " };\n") + preparation.definitions + in_c.functions +
        constants_of(model, functions, in_c) + (functions.codes ? codes_in_c(*functions.codes) : "") +
        (functions.fuzzy ? integrals_in_c(*functions.fuzzy) : "") +
        decision_function(functions, in_c, preparation.statements, model.predicts_levels(), name);
    if (!model.calibration.empty()) out += "\n" + probability_function(model, name);
    out += "\n" + signature_of_prediction(model, name) + " {\n";
    if (model.predicts_several()) return out + several_predictions(model, name) + "}\n";
    return out + text("    double decisions[DECISIONS];\n    ", name, "_decide(row, decisions);\n",
                      election(model, name), "}\n");
}

}  // namespace dk
