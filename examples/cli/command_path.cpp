// SPDX-License-Identifier: Apache-2.0
// dk path computes prototypes as functions of a parameter, such as C or the number of boosting steps, as data
// for a plot.
#include <cmath>
#include <sstream>

#include "commands.hpp"
#include "model_view.hpp"
#include "parameters.hpp"
#include "reading.hpp"

namespace command {
namespace {

struct PathOptions {
    std::string data;
    std::string machine = "svm";
    std::string over;
    std::vector<std::string> parameters;
    std::string data_options;
    int threads = 0;
    bool coefficients = false;
    bool distances = false;
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
double effective_rows(const double* coefficients, size_t rows) {
    double squares = 0;
    for (size_t i = 0; i < rows; ++i) squares += coefficients[i] * coefficients[i];
    return squares > 0 ? 1 / squares : 0;
}

// A function in feature space by its prototypes: a and c are the coefficients of p+ and p- over the rows.
struct Function {
    std::vector<double> positive;
    std::vector<double> negative;
    double shift = 0;
};

std::vector<Function> functions_of(const Model& model) {
    const int64_t count = dk_model_prototype_count(model.get());
    const int64_t rows = dk_model_training_rows(model.get());
    const auto all = values_of<double>(dk_model_prototype_coefficients, count * rows, model.get());
    std::vector<double> shifts(static_cast<size_t>(dk_model_decision_count(model.get())));
    check(
        dk_model_prototype_offsets(shifts.data(), nullptr, static_cast<int64_t>(shifts.size()), model.get()));
    std::vector<Function> functions;
    auto at = all.begin();
    for (const double shift : shifts) {
        functions.push_back({{at, at + rows}, {at + rows, at + 2 * rows}, shift});
        at += 2 * rows;
    }
    return functions;
}

// The inner products of combinations of rows, from the kernel matrix of the rows.
class FeatureSpace {
  public:
    FeatureSpace(Control& control, const Data& data, const std::string& kernel) {
        rows_ = static_cast<size_t>(dk_data_rows(data.get()));
        gram_.resize(rows_ * rows_);
        control.run([&](dk_control* c) {
            return dk_gram(gram_.data(), static_cast<int64_t>(gram_.size()), data.get(), nullptr,
                           kernel.c_str(), c);
        });
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
        std::vector<double> normal;
        double length;
        double offset;  // b / |w|
    };
    const auto boundary = [&](const Function& f) {
        Boundary of{FeatureSpace::minus(f.positive, f.negative), 0, 0};
        of.length = std::sqrt(std::max(0.0, space.product(of.normal, of.normal)));
        const double squares = space.product(f.negative, f.negative) - space.product(f.positive, f.positive);
        of.offset = (squares + f.shift) / (2 * of.length);
        return of;
    };
    const Boundary w = boundary(ours);
    const Boundary q = boundary(reference);
    const double cosine = space.product(w.normal, q.normal) / (w.length * q.length);
    return {{"p+", space.distance(ours.positive, reference.positive)},
            {"p-", space.distance(ours.negative, reference.negative)},
            {"w", std::sqrt(std::max(0.0, 2 - 2 * cosine))},
            {"b", std::abs(w.offset - q.offset)}};
}

// The functions that others are compared with, and the space in which they are.
struct References {
    FeatureSpace space;
    std::vector<std::pair<std::string, std::vector<Function>>> machines;
};

Model learned(Control& control, const Data& data, const Settings& settings) {
    Model model;
    control.run([&](dk_control* c) {
        dk_model* out = nullptr;
        const dk_status status = dk_train(&out, data.get(), settings.get(), c);
        model.reset(out);
        return status;
    });
    return model;
}

// Trains the references in the kernel of a model. Kernel values are those of the rows as they are.
References references_for(Control& control, const Data& data, const Model& model) {
    const Json info = model_info(model);
    const Json& parameters = info.at("parameters");
    const std::string kernel = info.at("kernel");
    if (!has_prototype_pairs(model) || parameters.at("scale") != "none" ||
        parameters.at("scale_rows") != "none" || parameters.at("layers") != "")
        throw std::runtime_error(
            "--distances needs a machine with pairs of prototypes, and rows as they are: no "
            "scale, scale_rows or layers");
    References references{FeatureSpace(control, data, kernel), {}};
    for (const auto& [machine, cost] : {std::pair("mean_of_class", ""), std::pair("svm", "1e6")}) {
        Settings settings(machine);
        settings.set("kernel", kernel);
        if (*cost != '\0') settings.set("C", cost);
        if (parameters.contains("multiclass"))
            settings.set("multiclass", parameters.at("multiclass").get<std::string>());
        references.machines.emplace_back(machine, functions_of(learned(control, data, settings)));
        if (references.machines.back().second.size() != functions_of(model).size())
            throw std::runtime_error(std::string("--distances: ") + machine + " has other functions");
    }
    return references;
}

void add_distances(Json& points, const std::string& value, const Model& model, const References& references) {
    const std::vector<std::string> names = function_names(model, ClassNames(model));
    const std::vector<Function> functions = functions_of(model);
    for (const auto& [machine, known] : references.machines) {
        for (size_t f = 0; f < functions.size(); ++f) {
            Json row = {{"value", value}, {"function", names[f]}, {"from", machine}};
            row.update(distances_between(references.space, functions[f], known[f]));
            points.push_back(std::move(row));
        }
    }
}

void add_point(Json& points, const std::string& value, const Model& model, bool with_coefficients) {
    const ClassNames classes(model);
    const bool pairs = has_prototype_pairs(model);
    const std::vector<std::string> functions = function_names(model, classes);
    const auto count = static_cast<size_t>(dk_model_prototype_count(model.get()));
    const auto rows = static_cast<size_t>(dk_model_training_rows(model.get()));
    const auto sides =
        values_of<int64_t>(dk_model_prototype_classes, static_cast<int64_t>(count), model.get());
    const auto coefficients =
        values_of<double>(dk_model_prototype_coefficients, static_cast<int64_t>(count * rows), model.get());
    std::vector<double> shifts(functions.size());
    std::vector<double> offsets(functions.size());
    check(dk_model_prototype_offsets(shifts.data(), offsets.data(), static_cast<int64_t>(shifts.size()),
                                     model.get()));
    for (size_t p = 0; p < count; ++p) {
        Json point = {{"value", value}};
        if (pairs) point["function"] = functions[p / 2];
        if (pairs) point["side"] = p % 2 == 0 ? "p+" : "p-";
        if (!classes.empty()) point["class"] = classes.at(sides[p]);
        point["effective_rows"] = effective_rows(coefficients.data() + p * rows, rows);
        if (pairs) point["shift"] = shifts[p / 2];
        if (with_coefficients) {
            const auto first = coefficients.begin() + static_cast<std::ptrdiff_t>(p * rows);
            point["coefficients"] = std::vector<double>(first, first + static_cast<std::ptrdiff_t>(rows));
        }
        points.push_back(std::move(point));
    }
}

void run(const PathOptions& options) {
    Control control(options.threads);
    const Over over = parsed(options.over);
    const Data data = read_data(control, options.data, options.data_options);
    Json points = Json::array();
    Json distances = Json::array();
    for (const std::string& value : over.values) {
        Settings settings(options.machine);
        settings.set(options.parameters);
        settings.set(over.key, value);
        const Model model = learned(control, data, settings);
        add_point(points, value, model, options.coefficients);
        if (options.distances) add_distances(distances, value, model, references_for(control, data, model));
    }
    Json document = {{"machine", options.machine}, {"parameter", over.key}, {"points", std::move(points)}};
    if (options.distances) document["distances"] = std::move(distances);
    report(document, options.json);
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
    add_json(subcommand, options->json);
    subcommand->footer(
        "Examples: dk path sonar.csv --over C=0.01:0.1:1:10 -p kernel=linear --json\n"
        "          dk path sonar.csv -m boosted --over max_iterations=1:10:100:1000 --coefficients --json");
    subcommand->callback([options] { run(*options); });
}

}  // namespace command
