// SPDX-License-Identifier: Apache-2.0
// The rules of model/dictionary in C. A row has the products r with the prototypes u_p, and a code by them:
// by pursuit of non-negative values (NonnegativeCodes), by orthogonal pursuit in each class or by analysis
// (ClassReconstruction), or by one prototype of each level (LevelCodes). The functions are those of
// solve/squares, statement by statement, so that they choose alike.
#include "exchange/c/codes_in_c.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "exchange/c/c_words.hpp"
#include "model/dictionary/class_reconstruction.hpp"
#include "model/dictionary/level_codes.hpp"
#include "model/dictionary/nonnegative_codes.hpp"

namespace dk {

namespace {

std::string c_integers(std::string_view declaration, std::span<const Index> values) {
    std::string out = text("static const int ", declaration, " = {");
    for (const Index value : values) out += text(value, ", ");
    return out + "};\n";
}

std::string c_matrix(const std::string& declaration, const Matrix& values) {
    return c_array(declaration, std::span(values.data(), static_cast<std::size_t>(values.size())));
}

/// contributions_to_nearness() and sums_of_classes().
constexpr const char* nearness_function = R"(
static void decide_by_nearness(const double *r, const double *code, double *decisions) {
    int p, q;
    for (p = 0; p < CLASSES; ++p) decisions[p] = 0;
    for (p = 0; p < PROTOTYPES; ++p) {
        double square = 0;
        if (code[p] == 0) continue;
        for (q = 0; q < PROTOTYPES; ++q)
            if (class_of[q] == class_of[p]) square += code[q] * products[p * PROTOTYPES + q];
        decisions[class_of[p]] += code[p] * (2 * r[p] - square);
    }
}
)";

/// GrowingCholesky.
constexpr const char* cholesky_functions = R"(
static int append_to_factor(double l[MOST][MOST], int rows, const double *row, double diagonal, double least) {
    int i, j;
    for (i = 0; i < rows; ++i) {
        double value = row[i];
        for (j = 0; j < i; ++j) value -= l[i][j] * l[rows][j];
        l[rows][i] = value / l[i][i];
        diagonal -= l[rows][i] * l[rows][i];
    }
    if (!(diagonal > least)) return 0;
    l[rows][rows] = sqrt(diagonal);
    return 1;
}

static void solve_by_factor(double l[MOST][MOST], int rows, double *x) {
    int i, j;
    for (i = 0; i < rows; ++i) {
        for (j = 0; j < i; ++j) x[i] -= l[i][j] * x[j];
        x[i] /= l[i][i];
    }
    for (i = rows - 1; i >= 0; --i) {
        for (j = i + 1; j < rows; ++j) x[i] -= l[j][i] * x[j];
        x[i] /= l[i][i];
    }
}
)";

/// orthogonal_pursuit() among the prototypes of one class.
constexpr const char* orthogonal_pursuit_function = R"(
static void pursue(const double *r, int own, double *code) {
    double l[MOST][MOST], values[MOST], row[MOST], left[PROTOTYPES], smallest = 0;
    int support[MOST], taken[PROTOTYPES] = {0}, count = 0, j, k;
    for (j = 0; j < PROTOTYPES; ++j) {
        left[j] = r[j];
        if (class_of[j] == own) smallest = fmax(smallest, 1e-12 * fabs(r[j]));
    }
    while (count < MOST) {
        int best = -1;
        double largest = 0;
        for (j = 0; j < PROTOTYPES; ++j) {
            const double square = products[j * PROTOTYPES + j];
            if (class_of[j] != own || taken[j] || !(square > 0) || !(fabs(left[j]) > smallest)) continue;
            if (left[j] * left[j] / square > largest) {
                largest = left[j] * left[j] / square;
                best = j;
            }
        }
        if (best < 0) break;
        taken[best] = 1;
        for (k = 0; k < count; ++k) row[k] = products[best * PROTOTYPES + support[k]];
        if (!append_to_factor(l, count, row, products[best * PROTOTYPES + best],
                              1e-10 * products[best * PROTOTYPES + best]))
            continue;
        support[count++] = best;
        for (k = 0; k < count; ++k) values[k] = r[support[k]];
        solve_by_factor(l, count, values);
        for (j = 0; j < PROTOTYPES; ++j)
            for (left[j] = r[j], k = 0; k < count; ++k) left[j] -= values[k] * products[support[k] * PROTOTYPES + j];
    }
    for (k = 0; k < count; ++k) code[support[k]] = values[k];
}
)";

/// nonnegative_pursuit() of 1/2 x'Hx - r'x with the products H.
constexpr const char* nonnegative_pursuit_function = R"(
static void factor_support(double l[MOST][MOST], const int *support, int count) {
    double row[MOST];
    int s, t;
    for (s = 0; s < count; ++s) {
        for (t = 0; t < s; ++t) row[t] = products[support[s] * PROTOTYPES + support[t]];
        append_to_factor(l, s, row, products[support[s] * PROTOTYPES + support[s]], 0);
    }
}

/* Solves for the support, from which leaves what would not be positive; gives how many are left. */
static int solve_support(const double *r, int *support, double *values, int count) {
    double l[MOST][MOST], target[MOST];
    int s, left;
    while (count > 0) {
        double step = 1;
        int positive = 1;
        factor_support(l, support, count);
        for (s = 0; s < count; ++s) target[s] = r[support[s]];
        solve_by_factor(l, count, target);
        for (s = 0; s < count; ++s) {
            if (target[s] > 0) continue;
            positive = 0;
            step = fmin(step, values[s] > target[s] ? values[s] / (values[s] - target[s]) : 0.0);
        }
        if (positive) {
            for (s = 0; s < count; ++s) values[s] = target[s];
            return count;
        }
        for (left = 0, s = 0; s < count; ++s) {
            const double way = values[s] > target[s] ? values[s] / (values[s] - target[s]) : 0.0;
            if (target[s] <= 0 && way <= step) continue;
            support[left] = support[s];
            values[left++] = values[s] + step * (target[s] - values[s]);
        }
        if (left == count) return 0;
        count = left;
    }
    return 0;
}

static double objective_of(const double *r, const int *support, const double *values, int count) {
    double sum = 0;
    int s, t;
    for (s = 0; s < count; ++s) {
        double product = 0;
        for (t = 0; t < count; ++t) product += products[support[s] * PROTOTYPES + support[t]] * values[t];
        sum += values[s] * (0.5 * product - r[support[s]]);
    }
    return sum;
}

static void pursue(const double *r, double *code) {
    double l[MOST][MOST], values[MOST], kept[MOST], row[MOST], gradient[PROTOTYPES];
    double objective = 0, scale = 0, largest = 0;
    int support[MOST], before[MOST], banned[PROTOTYPES], count = 0, turn, j, s;
    for (j = 0; j < PROTOTYPES; ++j) largest = fmax(largest, products[j * PROTOTYPES + j]);
    for (j = 0; j < PROTOTYPES; ++j) {
        gradient[j] = -r[j];
        scale = fmax(scale, fabs(r[j]));
        banned[j] = !(products[j * PROTOTYPES + j] > 1e-14 * largest);
    }
    for (turn = 0; turn < 10 * MOST + 50 && count < MOST; ++turn) {
        int best = -1, had = count;
        double least = -1e-9 * scale, square, lower;
        for (j = 0; j < PROTOTYPES; ++j) {
            int has = banned[j] || gradient[j] >= least;
            for (s = 0; s < count; ++s) has = has || support[s] == j;
            if (has) continue;
            least = gradient[j];
            best = j;
        }
        if (best < 0) break;
        square = products[best * PROTOTYPES + best];
        if (count > 0) {
            factor_support(l, support, count);
            for (s = 0; s < count; ++s) row[s] = products[best * PROTOTYPES + support[s]];
            if (!append_to_factor(l, count, row, square, 1e-10 * square)) {
                banned[best] = 1;
                continue;
            }
        }
        for (s = 0; s < count; ++s) {
            before[s] = support[s];
            kept[s] = values[s];
        }
        support[count] = best;
        values[count] = 0;
        count = solve_support(r, support, values, count + 1);
        lower = objective_of(r, support, values, count);
        if (!(lower < objective)) {
            count = had;
            for (s = 0; s < count; ++s) {
                support[s] = before[s];
                values[s] = kept[s];
            }
            banned[best] = 1;
            continue;
        }
        objective = lower;
        for (j = 0; j < PROTOTYPES; ++j)
            for (gradient[j] = -r[j], s = 0; s < count; ++s)
                gradient[j] += values[s] * products[support[s] * PROTOTYPES + j];
    }
    for (j = 0; j < PROTOTYPES; ++j) code[j] = 0;
    for (s = 0; s < count; ++s) code[support[s]] = values[s];
}
)";

constexpr const char* begin_of_decision = R"(
static void decide_by_codes(const double *r, double *decisions) {
    double code[PROTOTYPES];
    int p;
)";

std::string codes_of(const NonnegativeCodes& rule, const PrototypeFacts& facts) {
    std::string out = text("enum { MOST = ", std::min(rule.limit(), facts.count()), " };\n") +
                      cholesky_functions + nonnegative_pursuit_function;
    if (rule.decision() == NonnegativeCodes::Decision::residual)
        return out + nearness_function + begin_of_decision + R"(    int nearest = 0, any = 0;
    pursue(r, code);
    for (p = 0; p < PROTOTYPES; ++p) any = any || code[p] != 0;
    decide_by_nearness(r, code, decisions);
    for (p = 1; p < PROTOTYPES; ++p)
        if (r[p] > r[nearest]) nearest = p;
    if (!any) decisions[class_of[nearest]] = 1;
}
)";
    return out + c_array("masses[PROTOTYPES]", facts.masses) +
           c_matrix("class_shares[CLASSES * PROTOTYPES]", facts.class_shares) + begin_of_decision +
           R"(    int c, nearest = 0;
    double sum = 0;
    pursue(r, code);
    for (p = 0; p < PROTOTYPES; ++p) sum += code[p] *= masses[p];
    for (p = 1; p < PROTOTYPES; ++p)
        if (r[p] > r[nearest]) nearest = p;
    for (p = 0; p < PROTOTYPES; ++p) code[p] = sum > 0 ? code[p] / sum : p == nearest;
    for (c = 0; c < CLASSES; ++c)
        for (decisions[c] = 0, p = 0; p < PROTOTYPES; ++p)
            decisions[c] += class_shares[c * PROTOTYPES + p] * code[p];
}
)";
}

std::string codes_of(const ClassReconstruction& rule, const PrototypeFacts& facts) {
    if (rule.analyses())
        return nearness_function + std::string(begin_of_decision) +
               R"(    for (p = 0; p < PROTOTYPES; ++p) code[p] = r[PROTOTYPES + p];
    decide_by_nearness(r, code, decisions);
}
)";
    return text("enum { MOST = ", std::min(rule.limit(), facts.count()), " };\n") + cholesky_functions +
           orthogonal_pursuit_function + nearness_function + begin_of_decision +
           R"(    for (p = 0; p < PROTOTYPES; ++p) code[p] = 0;
    for (p = 0; p < CLASSES; ++p) pursue(r, p, code);
    decide_by_nearness(r, code, decisions);
}
)";
}

std::string codes_of(const LevelCodes& rule) {
    const Vector& offsets = rule.class_offsets();
    return text("enum { LEVELS = ", rule.begins().size() - 1, " };\n") +
           c_integers("level_begins[]", rule.begins()) +
           c_matrix("class_functions[CLASSES * PROTOTYPES]", rule.functions()) +
           c_array("class_offsets[CLASSES]", offsets) + begin_of_decision + R"(    double left[PROTOTYPES];
    int c, level;
    for (p = 0; p < PROTOTYPES; ++p) {
        left[p] = r[p];
        code[p] = 0;
    }
    for (level = 0; level < LEVELS; ++level) {
        int best = level_begins[level];
        for (p = best; p < level_begins[level + 1]; ++p)
            if (fabs(left[p]) > fabs(left[best])) best = p;
        code[best] = left[best];
        for (p = 0; p < PROTOTYPES; ++p) left[p] -= code[best] * products[p * PROTOTYPES + best];
    }
    for (c = 0; c < CLASSES; ++c)
        for (decisions[c] = class_offsets[c], p = 0; p < PROTOTYPES; ++p)
            decisions[c] += class_functions[c * PROTOTYPES + p] * code[p];
}
)";
}

}  // namespace

std::string codes_in_c(const DictionaryCodes& codes) {
    const PrototypeFacts& facts = codes.facts;
    const std::string constants = text("enum { PROTOTYPES = ", facts.count(), " };\n") +
                                  c_matrix("products[PROTOTYPES * PROTOTYPES]", facts.products);
    if (const auto* levels = dynamic_cast<const LevelCodes*>(codes.rule.get()))
        return constants + codes_of(*levels);
    const bool uses_classes = [&] {
        const auto* rule = dynamic_cast<const NonnegativeCodes*>(codes.rule.get());
        return rule == nullptr || rule->decision() == NonnegativeCodes::Decision::residual;
    }();
    const std::string classes = uses_classes ? c_integers("class_of[PROTOTYPES]", facts.classes) : "";
    if (const auto* nonnegative = dynamic_cast<const NonnegativeCodes*>(codes.rule.get()))
        return constants + classes + codes_of(*nonnegative, facts);
    return constants + classes + codes_of(dynamic_cast<const ClassReconstruction&>(*codes.rule), facts);
}

}  // namespace dk
