// SPDX-License-Identifier: Apache-2.0
// A model file of liblinear has a header with a word and its values on each line, and after the line "w" a
// line for each feature with its weight in each function, and one more for the bias B where B >= 0:
//
//     f_c(x) = sum_j w_jc x_j + w_{n+1,c} B
//
// Two classes have one function, which is positive for the first label, except with Crammer and Singer's
// solver; more classes have one each, of which the largest wins. One class has an offset rho instead of a
// bias. libdk keeps each normal w_c as a row z_c, and the function as 1 k(z_c, x) with the linear kernel.
// Logistic regression has P(c | x) = 1 / (1 + exp(-f_c(x))), divided by its sum over more than two classes.
//
// Fan, Chang, Hsieh, Wang, Lin, LIBLINEAR: a library for large linear classification, JMLR 9, 2008.
#include <array>
#include <numeric>

#include "base/text.hpp"
#include "exchange/column_lines.hpp"
#include "exchange/import_model.hpp"

namespace dk {

namespace {

constexpr std::array<std::string_view, 12> solver_names{"L2R_LR",
                                                        "L2R_LR_DUAL",
                                                        "L1R_LR",
                                                        "L2R_L2LOSS_SVC_DUAL",
                                                        "L2R_L2LOSS_SVC",
                                                        "L2R_L1LOSS_SVC_DUAL",
                                                        "L1R_L2LOSS_SVC",
                                                        "MCSVM_CS",
                                                        "L2R_L2LOSS_SVR",
                                                        "L2R_L2LOSS_SVR_DUAL",
                                                        "L2R_L1LOSS_SVR_DUAL",
                                                        "ONECLASS_SVM"};

struct LinearHeader {
    std::string_view solver = {};
    Index classes = 2;
    std::vector<Index> labels = {};
    std::vector<std::string> names = {};  // libdk writes those of classes that are no integers.
    ColumnLines columns = {};
    Index features = 0;
    double bias = -1;
    double rho = 0;

    bool logistic() const { return solver.ends_with("_LR") || solver.ends_with("_LR_DUAL"); }
    bool regression() const { return solver.find("_SVR") != std::string_view::npos; }
    bool novelty() const { return solver == "ONECLASS_SVM"; }
    bool classifies() const { return !regression() && !novelty(); }
    Index functions() const { return classes == 2 && solver != "MCSVM_CS" ? 1 : classes; }
};

LinearHeader read_linear_header(ModelText& text) {
    constexpr Index largest = 2147483647;
    constexpr Index most_classes = 1 << 24;
    LinearHeader header;
    while (true) {
        if (!text.next_line()) text.refuse("the file ends before the weights");
        const std::string_view key = text.word();
        if (key == "w") break;
        if (key == "solver_type") {
            header.solver = solver_names[text.choice(key, solver_names)];
        } else if (key == "nr_class") {
            header.classes = text.integer(key, 2, most_classes);
        } else if (key == "label") {
            header.labels = text.integers(key, header.classes, -largest_label, largest_label);
        } else if (key == "label_names") {
            header.names = text.names();
        } else if (key == "nr_feature") {
            header.features = text.integer(key, 1, largest);
        } else if (key == "bias") {
            header.bias = text.number(key);
        } else if (key == "rho") {
            header.rho = text.number(key);
        } else if (!header.columns.read(text, key)) {
            text.refuse(in_quotes(key), " is no word of liblinear's model files");
        }
        text.end_line();
    }
    text.end_line();
    if (header.solver.empty()) text.refuse("w comes without solver_type before it");
    if (header.features == 0) text.refuse("w comes without nr_feature before it");
    if (header.classifies() && std::ssize(header.labels) != header.classes)
        text.refuse("label has ", header.labels.size(), " integers, it must have ", header.classes);
    if (!header.names.empty() && std::ssize(header.names) != header.classes)
        text.refuse("label_names has ", header.names.size(), " names for ", header.classes, " classes");
    if (!header.classifies() && header.classes != 2)
        text.refuse("nr_class is ", header.classes, "; it must be 2 for ", header.solver);
    return header;
}

/// Reads the weights, (features and bias) x functions.
std::vector<double> read_weights(ModelText& text, const LinearHeader& header, Control& control) {
    const Index functions = header.functions();
    const Index lines = header.features + (header.bias >= 0 ? 1 : 0);
    if (text.lines_left() < lines)
        text.refuse("there must be ", lines, " lines of weights, only ", text.lines_left(), " lines follow");
    std::vector<double> weights;
    for (Index j = 0; j < lines; ++j) {
        if (!text.next_line()) text.refuse("the file ends after ", j, " of ", lines, " lines of weights");
        for (Index f = 0; f < functions; ++f) weights.push_back(text.number("a weight"));
        text.end_line();
    }
    if (text.next_line()) text.refuse("there are more than ", lines, " lines of weights");
    control.check();
    return weights;
}

/// Where a function of the file stands among libdk's, with its sign there.
struct Place {
    Index function = 0;
    double sign = 1;
};

/// Makes the normals as rows; functions[f] has the place of function f of the file.
SparseMatrix normals_of(const LinearHeader& header, const std::vector<double>& weights,
                        const std::vector<Place>& places) {
    const Index functions = std::ssize(places);
    std::vector<Index> file_function(functions);
    for (Index f = 0; f < functions; ++f) file_function[places[f].function] = f;
    SparseMatrix rows{functions, header.features};
    rows.row_offsets.push_back(0);
    for (const Index f : file_function) {
        for (Index j = 0; j < header.features; ++j) {
            const double value = places[f].sign * weights[j * functions + f];
            if (value == 0) continue;
            rows.columns.push_back(j);
            rows.values.push_back(value);
        }
        rows.row_offsets.push_back(std::ssize(rows.columns));
    }
    return rows;
}

void name_machine(const LinearHeader& header, AdoptedModel& adopted) {
    adopted.machine = header.regression() ? "svr" : header.novelty() ? "one_class_svm" : "svm";
    if (header.logistic()) adopted.loss = "logistic";
    if (header.regression()) adopted.task = "regression";
    if (header.novelty()) adopted.task = "novelty";
}

/// Finds the classes, the rule, and the places of the functions.
std::vector<Place> find_places(const LinearHeader& header, AdoptedModel& adopted) {
    if (header.regression()) {
        adopted.rule = DecisionRule::regression;
        return {{}};
    }
    if (header.novelty()) {
        adopted.classes.values = {-1, 1};
        return {{}};
    }
    AscendingClasses order = order_of_classes(header.labels, header.names);
    adopted.classes = std::move(order.classes);
    if (header.functions() == 1)
        return {{0, function_of_pair(order.positions[0], order.positions[1], 2).sign}};
    adopted.rule = DecisionRule::largest;
    std::vector<Place> places;
    places.reserve(order.positions.size());
    for (const Index position : order.positions) places.push_back({position, 1});
    return places;
}

}  // namespace

AdoptedModel read_liblinear_model(ModelText& text, const ImportOptions& options, Control& control) {
    const LinearHeader header = read_linear_header(text);
    const std::vector<double> weights = read_weights(text, header, control);
    AdoptedModel adopted{
        .program = "liblinear", .type = std::string(header.solver), .machine = "", .kernel = "linear"};
    name_machine(header, adopted);
    const std::vector<Place> places = find_places(header, adopted);
    const Index functions = std::ssize(places);
    const auto sides = function_sides(adopted.rule, adopted.classes.classes());
    adopted.functions.resize(functions);
    for (Index f = 0; f < functions; ++f) {
        const auto [g, sign] = places[f];
        const double bias = header.bias >= 0 ? header.bias * weights[header.features * functions + f] : 0.0;
        ExpansionFunction& function = adopted.functions[g];
        function.rows = {g};
        function.gamma = {1.0};
        function.offset = sign * (header.novelty() ? -header.rho : bias);
        function.positive_class = sides.empty() ? -1 : sides[g].positive;
        function.negative_class = sides.empty() ? -1 : sides[g].negative;
    }
    adopted.groups.resize(functions);
    std::iota(adopted.groups.begin(), adopted.groups.end(), Index{0});
    if (header.logistic()) {
        adopted.calibration.slopes.assign(functions, -1.0);
        adopted.calibration.offsets.assign(functions, 0.0);
    }
    adopted.rows = stored_rows(normals_of(header, weights, places), options, control);
    header.columns.add_to(adopted, text);
    return adopted;
}

}  // namespace dk
