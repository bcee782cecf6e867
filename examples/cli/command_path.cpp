// SPDX-License-Identifier: Apache-2.0
// dk path computes prototypes as functions of a parameter, such as C or the number of boosting steps, as data
// for a plot.
#include <algorithm>
#include <sstream>

#include "commands.hpp"
#include "learning.hpp"
#include "model_view.hpp"
#include "output/table.hpp"
#include "parameters.hpp"
#include "path_distances.hpp"
#include "reading.hpp"

namespace command {
namespace {

constexpr size_t kMostPoints = 24;

struct PathOptions {
    std::string data;
    std::string machine = "svm";
    std::string over;
    std::vector<std::string> parameters;
    std::string data_options;
    int threads = 0;
    bool coefficients = false;
    bool distances = false;
    bool verbose = false;
    bool json = false;
};

struct Over {
    std::string key;
    std::vector<std::string> values;
};

Over parsed(const std::string& text) {
    const size_t equals = text.find('=');
    Over over{text.substr(0, equals), {}};
    std::istringstream list(text.substr(equals + 1));
    for (std::string value; std::getline(list, value, ':');) over.values.push_back(value);
    return over;
}

// Says how many rows a prototype is made of: 1 / sum a^2 is 1 for a single row and n for the mean of n rows.
double effective_rows(std::span<const double> coefficients) {
    double squares = 0;
    for (const double coefficient : coefficients) squares += coefficient * coefficient;
    return squares > 0 ? 1 / squares : 0;
}

void add_point(Json& points, const std::string& value, const Model& model, bool with_coefficients) {
    const ClassNames classes(model);
    const bool pairs = has_prototype_pairs(model);
    const std::vector<std::string> functions = function_names(model, classes);
    const auto count = static_cast<size_t>(model.prototype_count());
    const auto sides = model.prototype_classes();
    const libdk::Matrix coefficients = model.prototype_coefficients();
    const auto shifts = model.prototype_shifts();
    for (size_t p = 0; p < count; ++p) {
        Json point = {{"value", value}};
        if (pairs) point["function"] = functions[p / 2];
        if (pairs) point["side"] = p % 2 == 0 ? "p+" : "p-";
        if (!classes.empty()) point["class"] = classes.at(sides[p]);
        point["effective_rows"] = effective_rows(coefficients.row(static_cast<int64_t>(p)));
        if (pairs) point["shift"] = shifts[p / 2];
        if (with_coefficients) {
            const auto own = coefficients.row(static_cast<int64_t>(p));
            point["coefficients"] = std::vector<double>(own.begin(), own.end());
        }
        points.push_back(std::move(point));
    }
}

// Prints, for each value, how many prototypes there are and of how many rows they are made.
void print_path(const Json& document, const std::vector<std::string>& values) {
    Output output;
    Table table(
        {document.at("parameter").get<std::string>(), "prototypes", "effective rows", "fewest", "most"});
    for (size_t column = 0; column < 5; ++column) table.align_right(column);
    for (const std::string& value : values) {
        std::vector<double> rows;
        for (const Json& point : document.at("points")) {
            if (point.at("value") == value) rows.push_back(point.at("effective_rows"));
        }
        if (rows.empty()) {
            table.add({value, "0", "", "", ""});
            continue;
        }
        std::ranges::sort(rows);
        table.add({value, std::to_string(rows.size()), rounded(rows[rows.size() / 2], 3),
                   rounded(rows.front(), 3), rounded(rows.back(), 3)});
    }
    table.print(output);
    output.text("\n");
    print_sentence(
        output,
        "A prototype that is the mean of n rows has n effective rows; the median, the fewest and the "
        "most are shown, and each prototype by --verbose");
    output.commit();
}

void run(const PathOptions& options) {
    Control control(options.threads);
    const Over over = parsed(options.over);
    const Data data = read_data(control, options.data, options.data_options);
    Json points = Json::array();
    PathDistances distances(control, data);
    const WorkPart all(control.progress(), 0, 1);
    for (const std::string& value : over.values) {
        const auto at = static_cast<double>(&value - over.values.data());
        const auto count = static_cast<double>(over.values.size());
        const WorkPart part(control.progress(), at / count, (at + 1) / count, over.key + "=" + value);
        Settings settings(options.machine);
        settings.set(options.parameters);
        settings.set(over.key, value);
        const Model model = learned(control, data, settings);
        add_point(points, value, model, options.coefficients);
        if (options.distances) distances.add(value, model);
    }
    Json document = {{"machine", options.machine}, {"parameter", over.key}, {"points", std::move(points)}};
    if (options.distances) document["distances"] = distances.rows();
    const bool many = document.at("points").size() > kMostPoints;
    if (options.json || options.verbose || options.coefficients || options.distances || !many)
        return report(document, options.json);
    print_path(document, over.values);
}

std::string check_over(const std::string& text) {
    const size_t equals = text.find('=');
    const bool good = equals != std::string::npos && equals > 0 && equals + 1 < text.size();
    return good ? "" : "'" + text + "' is not of the form KEY=VALUE:VALUE:...";
}

}  // namespace

void add_path(CLI::App& app) {
    const auto options = std::make_shared<PathOptions>();
    CLI::App* subcommand = app.add_subcommand("path", "Compute prototypes as functions of a parameter");
    subcommand->add_option("DATA", options->data, "Train on the data in this file")->required();
    subcommand->add_option("-m,--machine", options->machine, "Train this machine, see 'dk describe machines'")
        ->type_name("NAME")
        ->capture_default_str();
    subcommand->add_option("--over", options->over, "Train with each of these values of a parameter")
        ->type_name("KEY=A:B:...")
        ->required()
        ->check(check_over, "");
    add_parameters(subcommand, options->parameters, "Set another parameter, such as kernel=linear");
    subcommand->add_flag("--coefficients", options->coefficients,
                         "Print the coefficient of every training row in every prototype too");
    subcommand->add_flag(
        "--distances", options->distances,
        "Print how far prototypes, unit normals and offsets are from those of mean_of_class and of an svm "
        "with C=1e6, in feature space");
    add_data_options(subcommand, options->data_options);
    add_threads(subcommand, options->threads);
    add_verbose(subcommand, options->verbose);
    add_json(subcommand, options->json);
    subcommand->footer(
        "Examples: dk path sonar.csv --over C=0.01:0.1:1:10 -p kernel=linear --json\n"
        "          dk path sonar.csv -m boosted --over max_iterations=1:10:100:1000 --coefficients --json");
    subcommand->callback([options] { run(*options); });
}

}  // namespace command
