// SPDX-License-Identifier: Apache-2.0
#include "work.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "../abi/matcher.hpp"
#include "../abi/structures.hpp"

namespace dk_test {

namespace {

std::string text_of_bytes(const std::vector<unsigned char>& bytes) {
    return {bytes.begin(), bytes.end()};
}

std::string text_of_numbers(const std::vector<double>& numbers) {
    std::string text(numbers.size() * sizeof(double), '\0');
    std::memcpy(text.data(), numbers.data(), text.size());
    return text;
}

/// What a work that makes a handle keeps.
template <typename Handle>
struct Making {
    Control control;
    Data data;
    Params params;
    Model model;
    std::vector<unsigned char> bytes;
    TemporaryDirectory directory;
    std::string path;
    Handle* made = nullptr;

    Making() : control(create<Control>(dk_control_create)) {
        check(dk_control_set_threads(control.get(), 1));  // The allocations come in the same order each time.
    }
};

using MakingModel = Making<dk_model>;
using MakingData = Making<dk_data>;

std::string outcome(MakingModel& kept) {
    const Model model(std::exchange(kept.made, nullptr));
    return model ? text_of_bytes(bytes_of(model.get())) : "";
}

std::string outcome(MakingData& kept) {
    const Data data(std::exchange(kept.made, nullptr));
    if (!data) return "";
    const int64_t rows = dk_data_rows(data.get());
    std::string text = std::to_string(rows) + " x " + std::to_string(dk_data_cols(data.get()));
    if (dk_data_kind(data.get()) == DK_KIND_DENSE)
        text +=
            text_of_numbers(values_of<double>(rows * dk_data_cols(data.get()), dk_data_values, data.get()));
    return text;
}

template <typename Handle>
Work making(std::shared_ptr<Making<Handle>> kept, std::function<dk_status(Making<Handle>&)> call) {
    Making<Handle>* const raw = kept.get();
    return {[raw, call] { return call(*raw); }, [raw] { return outcome(*raw); }, std::move(kept)};
}

NamedWork training(const std::string& name, const std::string& machine, const std::string& settings,
                   const std::function<Data()>& rows) {
    return {name, [=] {
                auto kept = std::make_shared<MakingModel>();
                kept->data = rows();
                kept->params = parameters(machine.c_str(), settings);
                return making<dk_model>(std::move(kept), [](MakingModel& k) {
                    return dk_train(&k.made, k.data.get(), k.params.get(), k.control.get());
                });
            }};
}

/// Names of tests have letters, digits and lines below alone.
std::string test_name(const std::string& text) {
    std::string name;
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            name += c;
        } else if (!name.empty() && name.back() != '_') {
            name += '_';
        }
    }
    return name;
}

/// A call that fills numbers.
NamedWork filling(const std::string& name, const std::string& settings,
                  const std::function<int64_t(const dk_model*)>& width,
                  dk_status (*function)(double*, int64_t, const dk_model*, const dk_data*, dk_control*),
                  const char* machine = "svm") {
    return {name, [=] {
                struct Kept : MakingModel {
                    std::vector<double> numbers;
                };
                auto kept = std::make_shared<Kept>();
                kept->data = training_rows();
                kept->model = train(kept->data, machine, settings);
                kept->numbers.resize(12 * static_cast<std::size_t>(width(kept->model.get())));
                Kept* const k = kept.get();
                return Work{[k, function] {
                                return function(k->numbers.data(), static_cast<int64_t>(k->numbers.size()),
                                                k->model.get(), k->data.get(), k->control.get());
                            },
                            [k] { return text_of_numbers(k->numbers); }, std::move(kept)};
            }};
}

NamedWork reading(const std::string& name, const std::string& file, const std::string& content,
                  const char* options = nullptr, bool compressed = false) {
    return {name, [=] {
                auto kept = std::make_shared<MakingData>();
                kept->path = compressed ? kept->directory.write_gzip(file, content)
                                        : kept->directory.write(file, content);
                return making<dk_data>(std::move(kept), [options](MakingData& k) {
                    return dk_data_from_file(&k.made, k.path.c_str(), options, k.control.get());
                });
            }};
}

}  // namespace

std::vector<std::string> described(const std::string& list) {
    const auto all = nlohmann::json::parse(text_of(dk_describe));
    std::vector<std::string> names;
    for (const auto& entry : all.at(list)) names.push_back(entry.at("name").get<std::string>());
    return names;
}

std::vector<std::string> machines_of(const std::string& task) {
    const auto all = nlohmann::json::parse(text_of(dk_describe));
    std::vector<std::string> names;
    for (const auto& machine : all.at("machines")) {
        if (machine.at("task") == task) names.push_back(machine.at("name"));
    }
    return names;
}

Data training_rows(int64_t rows) {
    const Problem problem = make_problem(rows, 3, 2, 2.0, 7);
    Data data = dense(problem);
    std::vector<double> targets;
    for (int64_t row = 0; row < rows; ++row) targets.push_back(problem.x[static_cast<std::size_t>(3 * row)]);
    check(dk_data_set_targets(data.get(), targets.data(), rows));
    return data;
}

Data rows_with_label_sets() {
    Data data = training_rows();
    const int64_t rows = dk_data_rows(data.get());
    std::vector<int64_t> offsets{0};
    std::vector<int64_t> labels;
    for (int64_t row = 0; row < rows; ++row) {
        for (int64_t label = 0; label < row % 3; ++label) labels.push_back(label);
        offsets.push_back(static_cast<int64_t>(labels.size()));
    }
    const std::array names{"one", "two"};
    check(dk_data_set_label_sets(data.get(), offsets.data(), static_cast<int64_t>(offsets.size()),
                                 labels.data(), static_cast<int64_t>(labels.size()), names.data(), 2));
    return data;
}

Data rows_of_kind(const std::string& kind, int64_t rows) {
    if (kind == "dense") return training_rows(rows);
    if (kind == "sparse") return sparse(make_problem(rows, 9, 2, 2.0, 7));
    if (kind == "series") return series(rows, 2, 7);
    if (kind == "strings") return strings(rows, 7);
    if (kind == "graphs") return graphs(rows, 7);
    const Data other = training_rows(rows);
    const auto values =
        values_of<double>(rows * rows, dk_gram, other.get(), nullptr, "rbf(gamma=0.5)", nullptr);
    Data data = gram(values, rows, rows);
    label(data, alternating_labels(rows));
    return data;
}

std::string settings_of(const std::string& machine) {
    for (const char* name : {"imkpl", "iskpl", "kglvq", "akglvq", "dkmld", "midl_surrogate", "super_sparse",
                             "super_sparse_regression", "selected_svm", "reduced_svm"}) {
        if (machine == name) return "prototypes=2";
    }
    if (machine == "mkldpl") return "atoms=2";
    if (machine.starts_with("similarity")) return "basis=k_medoids prototypes=4";
    if (machine == "elm") return "hidden=8 select_C=yes";
    return "";
}

const std::vector<KernelCase>& kernel_cases() {
    static const std::vector<KernelCase> cases{{"linear", "dense"},
                                               {"linear", "sparse"},
                                               {"poly(degree=3, coef0=1)", "dense"},
                                               {"cosine", "dense"},
                                               {"rbf(gamma=auto)", "dense"},
                                               {"rbf(gamma=median)", "sparse"},
                                               {"laplacian", "dense"},
                                               {"anova(degree=2)", "dense"},
                                               {"cauchy", "dense"},
                                               {"rational_quadratic", "dense"},
                                               {"exponential", "dense"},
                                               {"bessel", "dense"},
                                               {"spline", "dense"},
                                               {"constant + rbf", "dense"},
                                               {"matern(nu=2.5)", "dense"},
                                               {"circular(gamma=0.01)", "dense"},
                                               {"spherical(gamma=0.01)", "dense"},
                                               {"exp(-1*linear)*chi_square", "histograms"},
                                               {"additive_chi_square", "histograms"},
                                               {"intersection", "histograms"},
                                               {"sigmoid(coef0=1)", "dense"},
                                               {"arccos(0,1,2)", "dense"},
                                               {"neural_tangent(depth=2, bias_variance=0.5)", "dense"},
                                               {"gak(sigma=1)", "series"},
                                               {"dtw(gamma=0.1)", "series"},
                                               {"soft_dtw(gamma=0.1)", "series"},
                                               {"spectrum(length=2)", "strings"},
                                               {"mismatch(length=3)", "strings"},
                                               {"subsequence(length=2)", "strings"},
                                               {"edit", "strings"},
                                               {"weisfeiler_lehman", "graphs"},
                                               {"gram(0)", "gram"},
                                               {"normalize(poly(degree=2))", "dense"},
                                               {"center(rbf)", "dense"},
                                               {"corrected(sigmoid, method=clip)", "dense"},
                                               {"lowrank(rbf(gamma=median), rank=4)", "dense"},
                                               {"lowrank(rbf, rank=4, method=kmeans)", "dense"},
                                               {"lowrank(rbf, rank=4, method=random)", "dense"},
                                               {"on(0:1, rbf)", "dense"},
                                               {"each_feature(rbf)", "dense"},
                                               {"each_channel(gak)", "series"},
                                               {"grid(rbf, gamma=0.1:1:10)", "dense"},
                                               {"arccos_lists(2)", "dense"},
                                               {"0.3*rbf(gamma=1) + 0.7*linear*(linear + 1)^2", "dense"}};
    return cases;
}

std::vector<NamedWork> works_of_machines() {
    std::vector<NamedWork> works;
    for (const std::string& machine : described("machines")) {
        works.push_back(
            training("machine_" + machine, machine, settings_of(machine), [] { return training_rows(); }));
    }
    works.push_back(training("probability", "svm", "probability=yes", [] { return training_rows(); }));
    works.push_back(training("layers", "svm",
                             "layers=[kernel_pca(rbf,components=3),anova_f(2),large_margin] scale_rows=l2",
                             [] { return training_rows(); }));
    works.push_back(
        training("layers_counted", "svm", "layers=mutual_information", [] { return training_rows(); }));
    for (const std::string machine : {"svm", "kelm"})
        works.push_back(training("label_sets_" + machine, machine, "probability=yes",
                                 [] { return rows_with_label_sets(); }));
    for (const std::string& strategy : described("weights")) {
        const std::string weights = strategy == "fixed"   ? "fixed(1,2)"
                                    : strategy == "gamkl" ? "gamkl(population=4,generations=1)"
                                                          : strategy;
        works.push_back(training("weights_" + strategy, "svm",
                                 "kernel=[rbf(gamma=1),linear] weights=" + weights,
                                 [] { return training_rows(); }));
    }
    return works;
}

std::vector<NamedWork> works_of_kernels() {
    std::vector<NamedWork> works;
    for (const KernelCase& kernel : kernel_cases()) {
        const std::string kind = kernel.data;
        const auto rows = [kind] {
            if (kind != "histograms") return rows_of_kind(kind);
            Problem problem = make_problem(12, 3, 2, 2.0, 7);
            for (double& value : problem.x) value = std::abs(value);
            return dense(problem);
        };
        works.push_back(training("kernel_" + test_name(kernel.text) + "_on_" + kind, "mean_of_class",
                                 "kernel=[" + kernel.text + "]", rows));
    }
    const auto matched = [] {
        static const Problem problem = make_problem(12, 3, 2, 2.0, 7);
        static Matcher matcher(problem);
        Data data = matcher.data();
        label(data, problem.labels);
        return data;
    };
    works.push_back(training("kernel_similarity", "mean_of_class", "kernel=similarity", matched));
    for (const std::string gradient : {"directional", "scaled_difference", "central"}) {
        works.push_back(training("prototypes_" + gradient, "super_sparse",
                                 "kernel=similarity prototypes=2 max_iterations=3 gradient=" + gradient,
                                 matched));
    }
    return works;
}

std::vector<NamedWork> works_of_files() {
    const std::string numbers = "a,b,class\n1,2,x\n3,4,y\n\"5\",6,x\n7,8,y\n";
    return {reading("read_csv", "rows.csv", numbers),
            reading("read_categories", "rows.csv", "colour,b,class\nred,2,x\nblue,?,y\nred,6,x\n",
                    "missing=keep"),
            reading("read_quotes", "rows.csv", "a,b\n\"x\"\"y\",2\n\"x\"\"z\",3\n"),
            reading("read_libsvm", "rows.svm", "1 1:2 3:4\n-1 2:5\n1 1:1\n"),
            reading("read_label_sets", "rows.svm", "3,1 1:2 3:4\n 2:5\n1 1:1\n"),
            reading("read_gzip", "rows.csv.gz", numbers, nullptr, true),
            reading("read_series", "rows.csv", "series,t,x,class\na,0,1,u\na,1,2,u\nb,0,3,v\nb,1,5,v\n"),
            reading("read_strings", "rows.csv", "text,class\nabc,u\nacd,v\nbcd,u\n", "format=strings")};
}

std::vector<NamedWork> works_of_models() {
    std::vector<NamedWork> works;
    const auto one = [](const dk_model*) -> int64_t { return 1; };
    works.push_back(filling("predict", "", one, dk_predict));
    const auto predict_rows = [](double* out, int64_t length, const dk_model* model, const dk_data* data,
                                 dk_control* control) {
        static constexpr std::array<double, 300> x{};  // The work allocates nothing of its own.
        return dk_predict_rows(nullptr, 0, nullptr, 0, out, length, model, x.data(), dk_data_rows(data), 3,
                               control);
    };
    works.push_back(filling("predict_rows", "probability=yes", dk_model_class_count, predict_rows));
    works.push_back(filling("deviation", "", one, dk_deviation, "kernel_ridge"));
    works.push_back(filling("decision", "kernel=arccos(1)", dk_model_decision_count, dk_decision));
    works.push_back(filling("explain", "", dk_model_prototype_count, dk_explain));
    works.push_back(
        filling("features", "kernel=lowrank(rbf,rank=4)", dk_model_transform_count, dk_transform));
    works.push_back(filling("reconstruct", "", dk_model_feature_count, dk_reconstruct, "kernel_pca"));
    works.push_back(filling("probabilities", "probability=yes", dk_model_class_count, dk_probability));
    const auto predict_set = [](double* out, int64_t length, const dk_model* model, const dk_data* data,
                                dk_control* control) {
        return dk_predict_set(out, length, model, data, 0, control);
    };
    works.push_back(filling("sets", "confidence=0.5", dk_model_class_count, predict_set));
    works.push_back({"calibrate", [] {
                         auto kept = std::make_shared<MakingModel>();
                         kept->data = training_rows();
                         kept->model = train(kept->data, "svm");
                         return making<dk_model>(std::move(kept), [](MakingModel& k) {
                             return dk_calibrate(&k.made, k.model.get(), k.data.get(), 1, k.control.get());
                         });
                     }});
    works.push_back({"move_threshold", [] {
                         auto kept = std::make_shared<MakingModel>();
                         kept->data = training_rows();
                         kept->model = train(kept->data, "svm");
                         return making<dk_model>(std::move(kept), [](MakingModel& k) {
                             return dk_move_threshold(&k.made, k.model.get(), k.data.get(), "miss_cost=3",
                                                      k.control.get());
                         });
                     }});
    works.push_back({"update", [] {
                         auto kept = std::make_shared<MakingModel>();
                         kept->data = training_rows();
                         kept->model = train(kept->data, "kelm", "updatable=yes");
                         return making<dk_model>(std::move(kept), [](MakingModel& k) {
                             const int64_t gone[] = {0, 3};
                             return dk_model_update(&k.made, k.model.get(), k.data.get(), gone, 2,
                                                    k.control.get());
                         });
                     }});
    works.push_back({"drift", [] {
                         struct Kept : MakingModel {
                             double distance = 0;
                             double p = 0;
                         };
                         auto kept = std::make_shared<Kept>();
                         kept->data = training_rows();
                         kept->model = train(kept->data, "svm");
                         Kept* const k = kept.get();
                         return Work{[k] {
                                         return dk_model_drift(&k->distance, nullptr, &k->p, k->model.get(),
                                                               k->data.get(), k->data.get(), 1,
                                                               k->control.get());
                                     },
                                     [k] {
                                         return text_of_numbers({k->distance, k->p});
                                     },
                                     std::move(kept)};
                     }});
    works.push_back(
        {"score", [] {
             struct Kept : MakingModel {
                 double value = 0;
             };
             auto kept = std::make_shared<Kept>();
             kept->data = training_rows();
             kept->model = train(kept->data, "svm");
             Kept* const k = kept.get();
             return Work{
                 [k] { return dk_score(&k->value, k->model.get(), k->data.get(), "auc", k->control.get()); },
                 [k] { return text_of_numbers({k->value}); }, std::move(kept)};
         }});
    works.push_back({"compress", [] {
                         auto kept = std::make_shared<MakingModel>();
                         kept->data = training_rows();
                         kept->model = train(kept->data, "svm");
                         kept->params = parameters("super_sparse", "prototypes=2");
                         return making<dk_model>(std::move(kept), [](MakingModel& k) {
                             return dk_compress(&k.made, k.model.get(), k.data.get(), k.params.get(),
                                                k.control.get());
                         });
                     }});
    for (const auto& [name, settings] :
         {std::pair{"cross_validate", "folds=2 grid=C=1:10;kernel=[rbf(gamma=1),linear]"},
          {"tune", "folds=2 kernel=rbf tune=auto trials=12 learning_curve=yes"}}) {
        works.push_back({name, [settings = std::string(settings)] {
                             auto kept = std::make_shared<MakingModel>();
                             kept->data = training_rows();
                             kept->params = parameters("svm", settings);
                             return making<dk_model>(std::move(kept), [](MakingModel& k) {
                                 return dk_cross_validate(&k.made, k.data.get(), k.params.get(),
                                                          k.control.get());
                             });
                         }});
    }
    works.push_back({"mkl_compare", [] {
                         auto kept = std::make_shared<MakingModel>();
                         kept->data = training_rows();
                         kept->params = parameters("svm", "folds=2 kernel=[rbf(gamma=1),linear]");
                         return making<dk_model>(std::move(kept), [](MakingModel& k) {
                             return dk_mkl_compare(&k.made, k.data.get(), k.params.get(), k.control.get());
                         });
                     }});
    for (const char* machine : {"svm", "imkpl", "super_sparse"}) {
        const std::string settings = settings_of(machine);
        works.push_back({std::string("read_model_") + machine, [=] {
                             auto kept = std::make_shared<MakingModel>();
                             kept->bytes = bytes_of(train(training_rows(), machine, settings).get());
                             return making<dk_model>(std::move(kept), [](MakingModel& k) {
                                 return dk_model_read(&k.made, k.bytes.data(),
                                                      static_cast<int64_t>(k.bytes.size()), k.control.get());
                             });
                         }});
    }
    works.push_back({"load", [] {
                         auto kept = std::make_shared<MakingModel>();
                         kept->path = kept->directory.path("model.dk");
                         check(dk_model_save(train(training_rows(), "svm").get(), kept->path.c_str()));
                         return making<dk_model>(std::move(kept), [](MakingModel& k) {
                             return dk_model_load(&k.made, k.path.c_str(), k.control.get());
                         });
                     }});
    works.push_back({"import", [] {
                         auto kept = std::make_shared<MakingModel>();
                         kept->path = kept->directory.path("model.libsvm");
                         check(dk_model_export(train(training_rows(), "svm", "kernel=rbf(gamma=1)").get(),
                                               kept->path.c_str(), "libsvm"));
                         return making<dk_model>(std::move(kept), [](MakingModel& k) {
                             return dk_model_import(&k.made, k.path.c_str(), "auto", k.control.get());
                         });
                     }});
    for (const char* format : {"libsvm", "onnx", "c"}) {
        works.push_back(
            {std::string("export_") + format, [=] {
                 auto kept = std::make_shared<MakingModel>();
                 kept->path = kept->directory.path("model");
                 kept->model = train(training_rows(), "svm", "kernel=rbf(gamma=1)");
                 MakingModel* const k = kept.get();
                 return Work{[k, format] { return dk_model_export(k->model.get(), k->path.c_str(), format); },
                             [k] { return k->directory.read("model"); }, std::move(kept)};
             }});
    }
    works.push_back({"save", [] {
                         auto kept = std::make_shared<MakingModel>();
                         kept->path = kept->directory.path("model.dk");
                         kept->model = train(training_rows(), "svm");
                         MakingModel* const k = kept.get();
                         return Work{[k] { return dk_model_save(k->model.get(), k->path.c_str()); },
                                     [k] { return k->directory.read("model.dk"); }, std::move(kept)};
                     }});
    works.push_back({"parameters", [] {
                         auto kept = std::make_shared<MakingModel>();
                         kept->params = parameters("svm");
                         MakingModel* const k = kept.get();
                         return Work{[k] {
                                         return dk_params_parse(k->params.get(),
                                                                "C=2 kernel=[rbf(gamma=1), linear] "
                                                                "weights=dimkl1(form=variance)");
                                     },
                                     [] { return std::string(); }, std::move(kept)};
                     }});
    works.push_back({"copies", [] {
                         auto kept = std::make_shared<MakingData>();
                         kept->data = training_rows();
                         return making<dk_data>(std::move(kept), [](MakingData& k) {
                             const int64_t rows[] = {3, 1, 3};
                             return dk_data_select(&k.made, k.data.get(), rows, 3);
                         });
                     }});
    return works;
}

std::vector<NamedWork> all_works() {
    std::vector<NamedWork> works;
    for (const auto& some : {works_of_machines(), works_of_kernels(), works_of_files(), works_of_models(),
                             works_of_reports(), works_of_tables()})
        works.insert(works.end(), some.begin(), some.end());
    return works;
}

}  // namespace dk_test
