// SPDX-License-Identifier: Apache-2.0
// The bytes are a whole use of the library: data of any kind with extreme values, a machine, a kernel and
// settings. What comes out is saved and read, and must answer as before.
#include <array>

#include "harness.hpp"

namespace {

using namespace dk_fuzz;

Data dense_data(Choices& choices, int64_t rows) {
    const int64_t cols = 1 + choices.below(4);
    const bool missing = choices.below(4) == 0;
    const auto make = missing ? dk_data_from_dense_missing : dk_data_from_dense;
    return attempt<Data>(make, choices.numbers(rows * cols).data(), rows, cols, cols, DK_ROW_MAJOR);
}

Data sparse_data(Choices& choices, int64_t rows) {
    const int64_t cols = 1 + choices.below(6);
    std::vector<int64_t> offsets{0};
    std::vector<int64_t> columns;
    for (int64_t row = 0; row < rows; ++row) {
        const uint8_t stored = choices.byte();
        for (int64_t col = 0; col < cols; ++col) {
            if (((stored >> col) & 1) != 0) columns.push_back(col);
        }
        offsets.push_back(static_cast<int64_t>(columns.size()));
    }
    return attempt<Data>(dk_data_from_csr, offsets.data(), columns.data(),
                         choices.numbers(offsets.back()).data(), rows, cols, offsets.back());
}

Data gram_data(Choices& choices, int64_t rows) {
    const int64_t matrices = 1 + choices.below(2);
    std::vector<double> all = choices.numbers(matrices * rows * rows);
    for (int64_t matrix = 0; matrix < matrices; ++matrix) {
        double* values = all.data() + matrix * rows * rows;
        for (int64_t row = 0; row < rows; ++row) {
            for (int64_t col = 0; col < row; ++col) values[row * rows + col] = values[col * rows + row];
        }
    }
    return attempt<Data>(dk_data_from_gram, all.data(), matrices, rows, rows, rows, DK_ROW_MAJOR, rows * rows,
                         nullptr);
}

Data series_data(Choices& choices, int64_t rows) {
    const int64_t channels = 1 + choices.below(2);
    std::vector<int64_t> lengths;
    int64_t steps = 0;
    for (int64_t row = 0; row < rows; ++row) {
        lengths.push_back(1 + choices.below(5));
        steps += lengths.back();
    }
    return attempt<Data>(dk_data_from_series, choices.numbers(steps * channels).data(), lengths.data(), rows,
                         channels);
}

Data string_data(Choices& choices, int64_t rows) {
    std::vector<std::string> texts;
    for (int64_t row = 0; row < rows; ++row) {
        std::string text;
        for (int64_t left = choices.below(8); left > 0; --left) text += static_cast<char>(choices.byte());
        texts.push_back(text);
    }
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    return attempt<Data>(dk_data_from_strings, pointers.data(), rows);
}

Data graph_data(Choices& choices, int64_t rows) {
    std::vector<int64_t> node_counts, node_labels, edge_counts, edges;
    for (int64_t row = 0; row < rows; ++row) {
        const int64_t nodes = 1 + choices.below(4);
        node_counts.push_back(nodes);
        for (int64_t node = 0; node < nodes; ++node) node_labels.push_back(choices.below(3));
        edge_counts.push_back(choices.below(4));
        for (int64_t end = 0; end < 2 * edge_counts.back(); ++end) edges.push_back(choices.below(nodes));
    }
    return attempt<Data>(dk_data_from_graphs, node_counts.data(), node_labels.data(), edge_counts.data(),
                         edges.data(), rows);
}

/// Mostly sets of a few labels, and sometimes offsets and positions of any size.
void set_label_sets(Choices& choices, const Data& data) {
    const std::array names{"sea", "beach", "city"};
    std::vector<int64_t> offsets{0};
    std::vector<int64_t> labels;
    for (int64_t row = 0; row < dk_data_rows(data.get()); ++row) {
        for (int64_t left = choices.below(4); left > 0; --left) labels.push_back(choices.below(3));
        offsets.push_back(static_cast<int64_t>(labels.size()));
    }
    if (choices.below(8) == 0) offsets[offsets.size() / 2] = choices.below(1000) - 500;
    if (!labels.empty() && choices.below(8) == 0) labels.back() = choices.below(1000) - 500;
    succeeded(dk_data_set_label_sets(data.get(), offsets.data(), static_cast<int64_t>(offsets.size()),
                                     labels.data(), static_cast<int64_t>(labels.size()), names.data(),
                                     choices.below(4)));
}

void label(Choices& choices, const Data& data) {
    const int64_t rows = dk_data_rows(data.get());
    const uint8_t wanted = choices.byte();
    if ((wanted & 1) == 0) {
        const int64_t classes = 1 + choices.below(4);
        std::vector<int64_t> labels;
        for (int64_t row = 0; row < rows; ++row) labels.push_back(choices.below(classes) * 3 - 3);
        succeeded(dk_data_set_labels(data.get(), labels.data(), rows));
    }
    if ((wanted & 5) == 5) set_label_sets(choices, data);
    if ((wanted & 2) != 0) succeeded(dk_data_set_targets(data.get(), choices.numbers(rows).data(), rows));
    if ((wanted & 12) == 12)
        succeeded(dk_data_set_sample_weights(data.get(), choices.numbers(rows).data(), rows));
    if ((wanted & 48) == 48) {
        std::vector<int64_t> groups;
        for (int64_t row = 0; row < rows; ++row) groups.push_back(choices.below(4));
        succeeded(dk_data_set_groups(data.get(), groups.data(), rows));
    }
}

Data made_of(Choices& choices) {
    constexpr Data (*makers[])(Choices&, int64_t) = {dense_data,  sparse_data, gram_data,
                                                     series_data, string_data, graph_data};
    const auto make = choices.of(makers);
    Data data = make(choices, 1 + choices.below(12));
    if (data) label(choices, data);
    return data;
}

constexpr const char* kernels[] = {"auto",
                                   "linear",
                                   "poly(degree=3,coef0=1)",
                                   "poly(degree=2)",
                                   "cosine",
                                   "rbf",
                                   "rbf(gamma=1e300)",
                                   "rbf(gamma=1e-300)",
                                   "laplacian",
                                   "anova(degree=2)",
                                   "cauchy",
                                   "rational_quadratic",
                                   "exponential",
                                   "bessel(order=2)",
                                   "spline",
                                   "constant + rbf",
                                   "matern(nu=2.5)",
                                   "circular",
                                   "spherical",
                                   "chi_square",
                                   "additive_chi_square",
                                   "intersection",
                                   "sigmoid",
                                   "arccos(0,1,2)",
                                   "arccos(3)",
                                   "gak",
                                   "gak(sigma=1)",
                                   "dtw(slope=2)",
                                   "soft_dtw",
                                   "spectrum",
                                   "mismatch",
                                   "mismatch(length=2,mismatches=1)",
                                   "subsequence",
                                   "edit",
                                   "weisfeiler_lehman",
                                   "gram(0)",
                                   "gram(1)",
                                   "exp(linear)",
                                   "normalize(linear)",
                                   "normalize(gram(0))",
                                   "center(rbf)",
                                   "center(gram(0))",
                                   "lowrank(rbf,rank=3)",
                                   "lowrank(linear,rank=2,method=kmeans)",
                                   "lowrank(rbf,rank=4,method=random)",
                                   "lowrank(gram(0),rank=2)",
                                   "corrected(sigmoid,method=clip)",
                                   "corrected(gram(0),method=shift)",
                                   "corrected(dtw,method=square)",
                                   "on(0,rbf)",
                                   "each_feature(rbf)",
                                   "each_channel(gak)",
                                   "grid(rbf,gamma=0.1:1:10)",
                                   "arccos_lists(2)",
                                   "[rbf(gamma=1),linear,poly]",
                                   "[spectrum,edit]",
                                   "[gram(0),gram(1)]",
                                   "0.5*rbf+2*linear",
                                   "rbf*linear"};

constexpr const char* settings[] = {"max_iterations=1000",
                                    "C=1e300",
                                    "C=1e-300",
                                    "loss=squared_hinge",
                                    "loss=logistic",
                                    "loss=hard",
                                    "tolerance=1e-12",
                                    "class_weight=balanced",
                                    "multiclass=ovr",
                                    "probability=yes",
                                    "scale=standard",
                                    "scale=robust",
                                    "scale=minmax",
                                    "impute=mean",
                                    "impute=median",
                                    "spectrum=clip",
                                    "spectrum=flip",
                                    "spectrum=shift",
                                    "spectrum=square",
                                    "precision=single",
                                    "neighbours=0",
                                    "folds=2",
                                    "seed=7",
                                    "weights=dimkl1",
                                    "weights=dimkl2",
                                    "weights=dimkl3",
                                    "weights=dimkl4",
                                    "weights=dimkl5",
                                    "weights=dimkl6",
                                    "weights=mklgl",
                                    "weights=fixed(1,2,3)",
                                    "lambda=0",
                                    "penalty=l1",
                                    "prototypes=2",
                                    "choose_prototypes=yes",
                                    "nu=0.5",
                                    "epsilon=0",
                                    "hidden=3"};

/// All that a model says of the rows that it was trained on.
struct Answers {
    Answer<double> predictions, decisions, probabilities, sets, explanations, features;

    bool operator==(const Answers&) const = default;
};

Answers answers(const Model& model, const Data& data) {
    const dk_model* handle = model.get();
    const int64_t rows = dk_data_rows(data.get());
    const Limits limits(1000);
    const auto ask = [&](int64_t columns, auto function) {
        return attempt_values<double>(rows * columns, function, handle, data.get(), limits.get());
    };
    const auto predict_set = [](double* out, int64_t length, const dk_model* of, const dk_data* asked,
                                dk_control* control) {
        return dk_predict_set(out, length, of, asked, 0.5, control);
    };
    return {ask(dk_model_target_count(handle), dk_predict),
            ask(dk_model_decision_count(handle), dk_decision),
            ask(dk_model_class_count(handle), dk_probability),
            ask(dk_model_class_count(handle), predict_set),
            ask(dk_model_prototype_count(handle), dk_explain),
            ask(dk_model_transform_count(handle), dk_transform)};
}

Model read(const std::vector<uint8_t>& bytes) {
    const Limits limits(1000);
    return attempt<Model>(dk_model_read, bytes.data(), static_cast<int64_t>(bytes.size()), limits.get());
}

/// Names of a few kinds: plain, empty, the same twice, of categories, no UTF-8, or any bytes.
std::vector<std::string> some_names(Choices& choices, int64_t count) {
    static constexpr const char* names[] = {"a", "b", "a=x", "a=y", "", "\xff", "long name", "\u00e4"};
    std::vector<std::string> all;
    for (int64_t k = 0; k < count; ++k) {
        const uint8_t way = choices.byte();
        all.push_back(way < 192 ? "column " + std::to_string(k) : std::string(choices.of(names)));
    }
    return all;
}

std::vector<const char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    return pointers;
}

void name(Choices& choices, const Data& data) {
    dk_data* handle = data.get();
    const int64_t rows = dk_data_rows(handle);
    const int64_t cols = dk_data_cols(handle);
    const auto columns = some_names(choices, cols);
    succeeded(dk_data_set_feature_names(handle, pointers_to(columns).data(), cols));
    const auto lines = some_names(choices, rows);
    succeeded(dk_data_set_row_names(handle, pointers_to(lines).data(), rows));
    if (choices.below(2) == 0) {
        const auto classes = some_names(choices, rows);
        succeeded(dk_data_set_label_names(handle, pointers_to(classes).data(), rows));
    }
    attempt_text(dk_data_feature_name, handle, cols - 1);
    attempt_text(dk_data_row_name, handle, rows - 1);
    const Limits limits(1000);
    attempt_text(dk_data_describe, handle, limits.get());
}

/// Trains on rows with names, and predicts rows whose columns have others, or come in another order.
void train_with_names(Choices& choices, const Data& data, const Params& params) {
    name(choices, data);
    const Limits limits(1000);
    const Model model = attempt<Model>(dk_train, data.get(), params.get(), limits.get());
    const int64_t rows = dk_data_rows(data.get());
    attempt_values<int64_t>(rows, dk_data_folds, data.get(), 2 + choices.below(3), uint64_t{1});
    std::vector<int64_t> some;
    for (int64_t left = choices.below(6); left > 0; --left) some.push_back(choices.below(rows + 1));
    const Data selected =
        attempt<Data>(dk_data_select, data.get(), some.data(), static_cast<int64_t>(some.size()));
    if (!selected) return;
    name(choices, selected);
    if (!model) return;
    attempt_values<double>(dk_data_rows(selected.get()) * dk_model_target_count(model.get()), dk_predict,
                           model.get(), selected.get(), limits.get());
    std::vector<double> purity(static_cast<std::size_t>(dk_model_prototype_count(model.get())));
    succeeded(dk_prototype_measures(purity.data(), nullptr, static_cast<int64_t>(purity.size()), model.get(),
                                    data.get(), limits.get()));
}

/// Compares learners by scores, and selections by what they have in common.
void compare(Choices& choices) {
    const int64_t sets = choices.below(6);
    const int64_t learners = choices.below(6);
    const Limits limits(1000);
    const auto scores = choices.numbers(sets * learners);
    attempt_values<double>(learners, dk_mean_ranks, scores.data(), sets, learners, limits.get());
    double out[3] = {};
    succeeded(dk_critical_difference(out, learners, sets, choices.number()));
    succeeded(dk_resampled_test(out, out + 1, out + 2, scores.data(), sets, choices.number()));
    std::vector<int64_t> selected;
    for (int64_t k = 0; k < sets * learners; ++k)
        selected.push_back(choices.below(8) == 0 ? choices.below(9) - 1 : choices.below(2));
    succeeded(dk_jaccard_stability(out, selected.data(), sets, learners, limits.get()));
    succeeded(dk_selection_stability(out, selected.data(), sets, learners));
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    Choices choices(bytes, size);
    const Params params = attempt<Params>(dk_params_create, choices.of(machines));
    succeeded(dk_params_set(params.get(), "kernel", choices.of(kernels)));
    for (int64_t left = choices.below(4); left > 0; --left)
        succeeded(dk_params_parse(params.get(), choices.of(settings)));
    const bool validate = choices.below(8) == 0;
    const Data data = made_of(choices);
    if (!data) return 0;
    const Limits limits(4);
    const Model model =
        attempt<Model>(validate ? dk_cross_validate : dk_train, data.get(), params.get(), limits.get());
    if (!model) return 0;
    attempt_text(dk_model_info, model.get());
    attempt_text(dk_model_warnings, model.get());
    double p = 0.5;
    succeeded(dk_model_drift(nullptr, nullptr, &p, model.get(), data.get(), data.get(), 1, limits.get()));
    require(p > 0 && p <= 1, "a probability is one");
    attempt<Model>(dk_move_threshold, model.get(), data.get(), "false_alarms=0.4 sure=0.5 miss_cost=2",
                   limits.get());
    const int64_t first = 0;
    attempt<Model>(dk_model_update, model.get(), data.get(), &first, 1, limits.get());
    std::vector<double> novelty(static_cast<std::size_t>(2 * dk_data_rows(data.get())));
    succeeded(dk_novelty(novelty.data(), static_cast<int64_t>(novelty.size()), model.get(), data.get(),
                         limits.get()));
    int64_t needed = 0;
    if (!succeeded(dk_model_write(nullptr, 0, &needed, model.get()))) return 0;
    std::vector<uint8_t> file(static_cast<std::size_t>(needed));
    require(succeeded(dk_model_write(file.data(), needed, &needed, model.get())),
            "a model that has a size is written");
    const Model again = read(file);
    require(again != nullptr, "a model that was written is read");
    require(answers(again, data) == answers(model, data), "a model that was read answers as before");
    train_with_names(choices, data, params);
    compare(choices);
    return 0;
}
