// SPDX-License-Identifier: Apache-2.0
// A model file of LIBSVM has a header with a word and its values on each line, and after the line "SV" a line
// for each support vector: its coefficients, and its values as index:value. With classes i < j in the order
// of the file, which is that of their first rows in training, the function of a pair
//
//     f_ij(x) = sum_{s in class i} a_{j-1,s} k(x_s, x) + sum_{s in class j} a_{i,s} k(x_s, x) - rho_ij
//
// is positive for class i. libdk's classes ascend, so that a pair whose classes change places changes its
// sign, and with it P(i | f) = 1 / (1 + exp(A f + B)) becomes 1 / (1 + exp(A f - B)).
//
//     LIBSVM                    code
//     a_{m,s}, column m         SupportVectors::coefficients, support vectors x columns
//     rho, probA, probB         Header::rho, probability_slopes, probability_offsets
//     nSV                       Header::class_sizes
//
// ThunderSVM writes a line "coef" with the normal of a linear machine, which the support vectors tell too.
//
// Chang, Lin, LIBSVM: a library for support vector machines, ACM TIST 2, 2011; Wen, Shi, Li, He, Chen,
// ThunderSVM: a fast SVM library on GPUs and CPUs, JMLR 19, 2018.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "base/text.hpp"
#include "exchange/column_lines.hpp"
#include "exchange/import_model.hpp"
#include "machine/machine.hpp"

namespace dk {

namespace {

constexpr Index largest_integer = 2147483647;

struct MachineType {
    std::string_view libsvm;
    const char* machine;
    const char* task;
};
constexpr std::array machine_types{
    MachineType{"c_svc", "svm", "classification"}, MachineType{"nu_svc", "nu_svm", "classification"},
    MachineType{"one_class", "one_class_svm", "novelty"}, MachineType{"epsilon_svr", "svr", "regression"},
    MachineType{"nu_svr", "nu_svr", "regression"}};
constexpr std::array<std::string_view, 5> machine_type_names{"c_svc", "nu_svc", "one_class", "epsilon_svr",
                                                             "nu_svr"};
constexpr std::array<std::string_view, 5> kernel_type_names{"linear", "polynomial", "rbf", "sigmoid",
                                                            "precomputed"};

struct Header {
    Index machine = -1;
    Index kernel = -1;
    Index degree = 3;
    double gamma = 0;
    double coef0 = 0;
    Index classes = 2;
    Index vectors = 0;
    std::vector<double> rho = {};
    std::vector<Index> labels = {};
    std::vector<double> probability_slopes = {};
    std::vector<double> probability_offsets = {};
    std::vector<Index> class_sizes = {};
    // What libdk writes for other programs that LIBSVM's lines have no place for.
    std::string machine_name = {};
    std::vector<std::string> names = {};
    ColumnLines columns = {};

    bool classifies() const { return machine == 0 || machine == 1; }
    bool precomputed() const { return kernel == 4; }
    Index pairs() const { return classes * (classes - 1) / 2; }
};

/// Reads one line of the header that libdk's own writers add; gives false for other words.
bool read_addition(ModelText& text, std::string_view key, Header& header) {
    if (key == "machine") {
        header.machine_name = text.word();
    } else if (key == "label_names") {
        header.names = text.names();
    } else {
        return header.columns.read(text, key);
    }
    return true;
}

/// Reads a line that has a value or a number of values for each pair of classes. Counts are those of lines
/// that come before.
bool read_header_value(ModelText& text, std::string_view key, Header& header) {
    // A class has at least its label, and a pair its rho, so that files of so many classes are large.
    constexpr Index most_classes = 65536;
    if (key == "svm_type") {
        header.machine = text.choice(key, machine_type_names);
    } else if (key == "kernel_type") {
        header.kernel = text.choice(key, kernel_type_names);
    } else if (key == "degree") {
        header.degree = text.integer(key, 0, largest_integer);
    } else if (key == "gamma") {
        header.gamma = text.number(key);
    } else if (key == "coef0") {
        header.coef0 = text.number(key);
    } else if (key == "nr_class") {
        header.classes = text.integer(key, 2, most_classes);
    } else if (key == "total_sv") {
        header.vectors = text.integer(key, 0, largest_integer);
    } else if (key == "rho") {
        header.rho = text.numbers(key, header.pairs());
    } else if (key == "label") {
        header.labels = text.integers(key, header.classes, -largest_label, largest_label);
    } else if (key == "probA") {
        header.probability_slopes = text.numbers(key, header.pairs());
    } else if (key == "probB") {
        header.probability_offsets = text.numbers(key, header.pairs());
    } else if (key == "nr_sv") {
        header.class_sizes = text.integers(key, header.classes, 0, largest_integer);
    } else if (key == "coef" || key == "prob_density_marks") {
        if (key == "coef" && !text.more()) text.next_line();  // ThunderSVM has the numbers on the next line.
        text.numbers(key);
    } else {
        return false;
    }
    return true;
}

void check_header(const ModelText& text, const Header& header) {
    if (header.machine < 0) text.refuse("SV comes without svm_type before it");
    if (header.kernel < 0) text.refuse("SV comes without kernel_type before it");
    if (std::ssize(header.rho) != header.pairs())
        text.refuse("rho has ", header.rho.size(), " numbers, it must have ", header.pairs());
    if (!header.classifies()) {
        if (header.classes != 2)
            text.refuse("nr_class is ", header.classes, "; it must be 2 for ",
                        machine_type_names[header.machine]);
        return;
    }
    if (header.labels.empty()) text.refuse("a classifier needs a line label before SV");
    if (header.class_sizes.empty()) text.refuse("a classifier needs a line nr_sv before SV");
    // These lines may have come before that of nr_class.
    const bool of_classes =
        std::ssize(header.labels) == header.classes && std::ssize(header.class_sizes) == header.classes;
    const bool of_pairs =
        header.probability_slopes.empty() || std::ssize(header.probability_slopes) == header.pairs();
    if (!of_classes || !of_pairs)
        text.refuse("label, nr_sv, probA or probB have not the numbers of ", header.classes, " classes");
    const Index sum = std::accumulate(header.class_sizes.begin(), header.class_sizes.end(), Index{0});
    if (sum != header.vectors)
        text.refuse("nr_sv adds up to ", sum, " support vectors, total_sv is ", header.vectors);
    if (!header.names.empty() && std::ssize(header.names) != header.classes)
        text.refuse("label_names has ", header.names.size(), " names for ", header.classes, " classes");
    if (header.probability_slopes.size() != header.probability_offsets.size())
        text.refuse("probA and probB must stand together");
}

Header read_header(ModelText& text) {
    Header header;
    std::set<std::string> seen;
    while (true) {
        if (!text.next_line()) text.refuse("the file ends before the support vectors");
        const std::string key(text.word());
        if (key == "SV") break;
        if (!seen.insert(key).second) text.refuse(in_quotes(key), " stands twice");
        if (!read_header_value(text, key, header) && !read_addition(text, key, header))
            text.refuse(in_quotes(key), " is no word of LIBSVM's model files");
        text.end_line();
    }
    text.end_line();
    check_header(text, header);
    return header;
}

struct SupportVectors {
    Index columns = 1;                      // of the coefficients: one fewer than there are classes
    std::vector<double> coefficients = {};  // support vectors x columns
    SparseMatrix rows = {};
    std::vector<Index> serials = {};  // the training rows that they are, from 0, of a precomputed kernel

    double coefficient(Index vector, Index column) const { return coefficients[vector * columns + column]; }
};

struct IndexedValue {
    Index index;
    double value;
};

IndexedValue parse_indexed(const ModelText& text, std::string_view word) {
    const auto colon = word.find(':');
    const auto index = parse_integer(word.substr(0, std::min(colon, word.size())));
    const auto value = parse_number(colon == std::string_view::npos ? "" : word.substr(colon + 1));
    if (!index || *index < 0 || *index > largest_integer || !value)
        text.refuse("expected index:value with a finite value, found ", in_quotes(word));
    return {*index, *value};
}

void read_values(ModelText& text, SparseMatrix& rows) {
    for (Index before = 0; text.more();) {
        const std::string_view word = text.word();
        const auto [index, value] = parse_indexed(text, word);
        if (index <= before)
            text.refuse("indices count from 1 and must increase, ", in_quotes(word), " follows ", before);
        before = index;
        rows.cols = std::max(rows.cols, index);
        rows.columns.push_back(index - 1);
        rows.values.push_back(value);
    }
    rows.row_offsets.push_back(std::ssize(rows.columns));
    ++rows.rows;
}

/// Reads "0:serial". ThunderSVM lets the similarities follow.
Index read_serial(ModelText& text) {
    const std::string_view word = text.word();
    const auto [index, serial] = parse_indexed(text, word);
    if (index != 0 || serial < 1 || serial > largest_integer || serial != std::floor(serial))
        text.refuse(
            "a support vector of a precomputed kernel is 0:serial with a serial number from 1, found ",
            in_quotes(word));
    while (text.more()) parse_indexed(text, text.word());
    return static_cast<Index>(serial) - 1;
}

SupportVectors read_vectors(ModelText& text, const Header& header, Control& control) {
    if (text.lines_left() < header.vectors)
        text.refuse("total_sv is ", header.vectors, ", only ", text.lines_left(), " lines follow");
    SupportVectors vectors;
    vectors.columns = header.classes - 1;
    vectors.rows.row_offsets.push_back(0);
    for (Index s = 0; s < header.vectors; ++s) {
        if (!text.next_line())
            text.refuse("the file ends after ", s, " of ", header.vectors, " support vectors");
        for (Index c = 0; c < vectors.columns; ++c)
            vectors.coefficients.push_back(text.number("a coefficient"));
        if (header.precomputed()) {
            vectors.serials.push_back(read_serial(text));
        } else {
            read_values(text, vectors.rows);
        }
    }
    if (text.next_line()) text.refuse("there are more than total_sv = ", header.vectors, " support vectors");
    control.check();
    vectors.rows.cols = std::max<Index>(vectors.rows.cols, 1);
    return vectors;
}

/// Makes rows that know only which training rows they are.
Dataset rows_of_serials(const ModelText& text, const std::vector<Index>& serials,
                        const ImportOptions& options) {
    std::vector<Index> sorted = serials;
    std::ranges::sort(sorted);
    const auto again = std::ranges::adjacent_find(sorted);
    if (again != sorted.end()) text.refuse("serial number ", *again + 1, " stands twice");
    const Index shown = sorted.empty() ? 1 : sorted.back() + 1;
    if (options.features > 0 && options.features < shown)
        fail(Status::invalid_parameter, "features=", options.features, ": the file has serial number ",
             shown);
    GramMatrices gram{.matrices = 1, .rows = std::ssize(serials), .cols = std::max(shown, options.features)};
    gram.columns = serials;
    return Dataset(std::move(gram));
}

std::string kernel_text(const Header& header) {
    switch (header.kernel) {
        case 1:
            return text("poly(degree=", header.degree, ", gamma=", header.gamma, ", coef0=", header.coef0,
                        ")");
        case 2:
            return text("rbf(gamma=", header.gamma, ")");
        case 3:
            return text("sigmoid(gamma=", header.gamma, ", coef0=", header.coef0, ")");
        case 4:
            return "gram(0)";
        default:
            return "linear";
    }
}

/// Makes the functions of pairs of classes, in libdk's order and with its signs.
void add_pairs(const Header& header, const SupportVectors& vectors, AdoptedModel& adopted, Control& control) {
    const Index classes = header.classes;
    AscendingClasses order = order_of_classes(header.labels, header.names);
    adopted.classes = std::move(order.classes);
    adopted.rule = classes == 2 ? DecisionRule::binary : DecisionRule::one_vs_one;
    constexpr double bytes_a_pair = 200;  // of its function, sides and numbers
    control.memory().require(bytes_a_pair * static_cast<double>(header.pairs()),
                             dk::text("functions of ", classes, " classes"));
    const auto sides = function_sides(adopted.rule, classes);
    adopted.functions.resize(sides.size());
    std::vector<Index> begins(classes + 1);
    std::partial_sum(header.class_sizes.begin(), header.class_sizes.end(), begins.begin() + 1);
    for (Index c = 0; c < classes && classes > 2; ++c)
        adopted.groups.insert(adopted.groups.end(), header.class_sizes[c], c);
    const bool calibrated = !header.probability_slopes.empty();
    if (calibrated) {
        adopted.calibration.slopes.resize(sides.size());
        adopted.calibration.offsets.resize(sides.size());
    }
    for (Index i = 0, pair = 0; i < classes; ++i) {
        for (Index j = i + 1; j < classes; ++j, ++pair) {
            const PairFunction place = function_of_pair(order.positions[i], order.positions[j], classes);
            const Index f = place.function;
            const double sign = place.sign;
            ExpansionFunction& function = adopted.functions[f];
            function.positive_class = sides[f].positive;
            function.negative_class = sides[f].negative;
            function.offset = -sign * header.rho[pair];
            const auto add = [&](Index c, Index column) {
                for (Index s = begins[c]; s < begins[c + 1]; ++s) {
                    function.rows.push_back(s);
                    function.gamma.push_back(sign * vectors.coefficient(s, column));
                }
            };
            add(i, j - 1);
            add(j, i);
            if (!calibrated) continue;
            adopted.calibration.slopes[f] = header.probability_slopes[pair];
            adopted.calibration.offsets[f] = sign * header.probability_offsets[pair];
        }
    }
}

/// Makes the one function of a regression or a novelty detector.
void add_function(const Header& header, const SupportVectors& vectors, AdoptedModel& adopted) {
    ExpansionFunction function;
    function.offset = -header.rho.front();
    function.gamma = vectors.coefficients;
    function.rows.resize(function.gamma.size());
    std::iota(function.rows.begin(), function.rows.end(), Index{0});
    if (adopted.task == "novelty") {
        adopted.classes.values = {-1, 1};
        function.positive_class = 1;
    } else {
        adopted.rule = DecisionRule::regression;
        function.positive_class = function.negative_class = -1;
    }
    adopted.functions.push_back(std::move(function));
}

/// Takes what LIBSVM's own lines have no place for.
void add_additions(const ModelText& text, const Header& header, AdoptedModel& adopted) {
    if (!header.machine_name.empty()) {
        const auto known = machines();
        const auto named = std::ranges::find(known, header.machine_name, &Machine::name);
        if (named == known.end()) text.refuse("there is no machine ", in_quotes(header.machine_name));
        if (name_of(named->task) != adopted.task)
            text.refuse("machine ", header.machine_name, " is no machine for ", adopted.task);
        adopted.machine = header.machine_name;
    }
    header.columns.add_to(adopted, text);
}

}  // namespace

AdoptedModel read_libsvm_model(ModelText& text, const ImportOptions& options, Control& control) {
    const Header header = read_header(text);
    SupportVectors vectors = read_vectors(text, header, control);
    const MachineType& type = machine_types[header.machine];
    AdoptedModel adopted{.program = options.format == "thundersvm" ? "thundersvm" : "libsvm",
                         .type = std::string(type.libsvm),
                         .machine = type.machine,
                         .task = type.task,
                         .kernel = kernel_text(header)};
    constexpr Index neighbours = 5;
    adopted.neighbours = header.precomputed() ? 0 : neighbours;
    if (header.classifies()) {
        add_pairs(header, vectors, adopted, control);
    } else {
        add_function(header, vectors, adopted);
    }
    adopted.rows = header.precomputed() ? rows_of_serials(text, vectors.serials, options)
                                        : stored_rows(std::move(vectors.rows), options, control);
    add_additions(text, header, adopted);
    return adopted;
}

}  // namespace dk
