// SPDX-License-Identifier: Apache-2.0
// These functions ask a model everything that dk.h lets a caller ask. Each call may fail, but only as dk.h
// says; where it succeeds, its numbers are finite, its JSON is JSON, and its page shows no text as markup.
#ifndef DK_TESTS_FUZZ_QUESTIONS_HPP
#define DK_TESTS_FUZZ_QUESTIONS_HPP

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "files.hpp"
#include "harness.hpp"

namespace dk_fuzz {

using Bytes = std::vector<uint8_t>;

/// A text that does harm wherever it is not escaped; require_harmless() looks for it in pages.
constexpr std::string_view hostile_text = "'\"><dk-hostile a=\"</script>";

inline Bytes written(const Model& model) {
    int64_t needed = 0;
    if (!succeeded(dk_model_write(nullptr, 0, &needed, model.get()))) return {};
    Bytes file(static_cast<std::size_t>(needed));
    require(succeeded(dk_model_write(file.data(), needed, &needed, model.get())),
            "a model that has a size is written");
    return file;
}

/// Asks a call for rows x cols numbers unless they are many, and expects none to be infinite or not a number.
template <typename Function, typename... Arguments>
void ask_numbers(const char* call, int64_t rows, int64_t cols, Function function, Arguments... arguments) {
    require(rows >= 0 && cols >= 0, "counts are not negative");
    if (cols > 0 && rows > most_elements / cols) return;
    for (const double value : attempt_values<double>(rows * cols, function, arguments...).values)
        require(std::isfinite(value), (std::string("finite numbers of ") + call).c_str());
}

/// Asks for so many integers unless they are many.
template <typename Function, typename... Arguments>
void ask_integers(int64_t length, Function function, Arguments... arguments) {
    require(length >= 0, "counts are not negative");
    attempt_values<int64_t>(length, function, arguments...);
}

/// Asks for a text that is JSON.
template <typename Function, typename... Arguments>
void ask_json(Function function, Arguments... arguments) {
    const std::string text = attempt_text(function, arguments...);
    require(text.empty() || nlohmann::json::accept(text), "a text that is called JSON can be parsed");
}

/// Asks what the model says of itself.
inline void ask_about(const Model& model) {
    const dk_model* handle = model.get();
    const int64_t prototypes = dk_model_prototype_count(handle);
    const int64_t kernels = dk_model_kernel_count(handle);
    const int64_t classes = dk_model_class_count(handle);
    const int64_t functions = dk_model_decision_count(handle);
    ask_json(dk_model_info, handle);
    ask_json(dk_model_warnings, handle);
    ask_integers(classes, dk_model_classes, handle);
    if (classes > 0) attempt_text(dk_model_class_name, handle, classes - 1);
    ask_numbers("dk_model_kernel_weights", kernels, 1, dk_model_kernel_weights, handle);
    if (kernels > 0) attempt_text(dk_model_kernel_name, handle, kernels - 1);
    ask_integers(prototypes, dk_model_prototype_classes, handle);
    ask_numbers("dk_model_prototype_coefficients", prototypes, dk_model_training_rows(handle),
                dk_model_prototype_coefficients, handle);
    // A column that no layer kept has no coordinate, which is NaN.
    const int64_t features = dk_model_feature_count(handle);
    if (prototypes <= most_elements / std::max<int64_t>(features, 1))
        for (const double value :
             attempt_values<double>(prototypes * features, dk_model_prototype_coordinates, handle).values)
            require(!std::isinf(value), "a coordinate is not infinite");
    const auto nearest = [handle](double* out, int64_t length) {
        std::vector<int64_t> rows(static_cast<std::size_t>(length));
        return dk_model_prototype_nearest(rows.data(), out, length, handle);
    };
    ask_numbers("dk_model_prototype_nearest", prototypes, dk_model_prototype_neighbours(handle), nearest);
    const auto shifts = [handle](double* out, int64_t length) {
        return dk_model_prototype_offsets(out, nullptr, length, handle);
    };
    const auto offsets = [handle](double* out, int64_t length) {
        return dk_model_prototype_offsets(nullptr, out, length, handle);
    };
    ask_numbers("dk_model_prototype_offsets", functions, 1, shifts);
    ask_numbers("dk_model_prototype_offsets", functions, 1, offsets);
    ask_numbers("dk_model_dual_offsets", functions, 1, dk_model_dual_offsets, handle);
    ask_numbers("dk_model_dual_coefficients", functions, dk_model_training_rows(handle),
                dk_model_dual_coefficients, handle);
    ask_numbers("dk_model_normals", functions, 1, dk_model_normals, handle);
    require(dk_model_prototype_pairs(handle) >= 0, "a model has pairs or not");
}

/// Asks what the model says of rows.
inline void ask_of_rows(const Model& model, const Data& data, const Limits& limits) {
    const dk_model* handle = model.get();
    const dk_data* rows = data.get();
    dk_control* control = limits.get();
    const int64_t count = dk_data_rows(rows);
    const int64_t classes = dk_model_class_count(handle);
    ask_numbers("dk_predict", count, dk_model_target_count(handle), dk_predict, handle, rows, control);
    ask_numbers("dk_decision", count, dk_model_decision_count(handle), dk_decision, handle, rows, control);
    ask_numbers("dk_probability", count, classes, dk_probability, handle, rows, control);
    ask_numbers("dk_explain", count, dk_model_prototype_count(handle), dk_explain, handle, rows, control);
    ask_numbers("dk_transform", count, dk_model_transform_count(handle), dk_transform, handle, rows, control);
    // A column that no layer kept is NaN.
    if (const int64_t features = dk_model_feature_count(handle); count <= most_elements / features) {
        for (const double value :
             attempt_values<double>(count * features, dk_reconstruct, handle, rows, control).values)
            require(!std::isinf(value), "a reconstruction is not infinite");
    }
    ask_numbers("dk_deviation", count, 1, dk_deviation, handle, rows, control);
    ask_numbers("dk_novelty", count, 2, dk_novelty, handle, rows, control);
    const auto sets = [](double* out, int64_t length, const dk_model* of, const dk_data* asked,
                         dk_control* with) { return dk_predict_set(out, length, of, asked, 0.5, with); };
    // An interval is as wide as all numbers where few rows were held out.
    for (const double value :
         attempt_values<double>(count * (classes > 0 ? classes : 2), sets, handle, rows, control).values)
        require(!std::isnan(value), "the end of an interval is a number");
}

/// Asks how good the model is on rows that have answers, and for the models that are made of it and of them.
inline void ask_with_answers(const Model& model, const Data& data, const Limits& limits) {
    const dk_model* handle = model.get();
    const dk_data* rows = data.get();
    dk_control* control = limits.get();
    const int64_t classes = dk_model_class_count(handle);
    if (classes <= 256) ask_integers(classes * classes, dk_confusion, handle, rows, control);
    for (const char* metric : {"accuracy", "f1", "auc", "eer", "nauc", "mcc", "mae", "rmse", "r2"}) {
        const auto score = [&](double* out, int64_t) { return dk_score(out, handle, rows, metric, control); };
        ask_numbers(metric, 1, 1, score);
    }
    const auto distance = [&](double* out, int64_t) {
        return dk_model_drift(out, out + 1, out + 2, handle, rows, rows, 1, control);
    };
    ask_numbers("dk_model_drift", 3, 1, distance);
    const auto look_into = [](const Model& made) {
        if (!made) return;
        ask_about(made);
        require(!written(made).empty(), "a model that a call makes is written");
    };
    look_into(attempt<Model>(dk_move_threshold, handle, rows, "miss_cost=2", control));
    look_into(attempt<Model>(dk_calibrate, handle, rows, 0, control));
    const Params small = attempt<Params>(dk_params_create, dk_model_task(handle) == DK_TASK_REGRESSION
                                                               ? "super_sparse_regression"
                                                               : "super_sparse");
    succeeded(dk_params_parse(small.get(), "prototypes=2 max_iterations=3 copies=0"));
    look_into(attempt<Model>(dk_compress, handle, rows, small.get(), control));
    const int64_t first = 0;
    look_into(attempt<Model>(dk_model_update, handle, rows, &first, int64_t{1}, control));
}

/// Finds a word that is no number and stands alone, as printf writes it, and gives the text around it.
inline std::string_view around_word(std::string_view text, std::string_view word) {
    const auto letter = [&](std::size_t at) {
        const char c = at < text.size() ? text[at] : ' ';
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    constexpr std::size_t margin = 60;
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        if ((at == 0 || !letter(at - 1)) && !letter(at + word.size()))
            return text.substr(at > margin ? at - margin : 0, 2 * margin);
    }
    return {};
}

inline void require_harmless(std::string_view page) {
    require(page.find("<dk-hostile") == std::string_view::npos, "a page shows no text as markup");
    for (const char* word : {"nan", "inf"}) {
        const std::string_view found = around_word(page, word);
        require(found.empty(), std::string("a page shows no number that is none: ").append(found).c_str());
    }
}

/// The folder of documents. A target asks for it before it forks, so that its processes share one, and the
/// first removes it.
inline const dk_test::TemporaryDirectory& scratch_folder() {
    static const dk_test::TemporaryDirectory folder;
    return folder;
}

/// Asks for the explanation of a row, for pages, and for files for other programs.
inline void ask_for_documents(const Model& model, const Data& data, const Limits& limits) {
    const dk_test::TemporaryDirectory& folder = scratch_folder();
    const dk_model* handle = model.get();
    dk_control* control = limits.get();
    const dk_data* none = nullptr;
    for (const dk_data* training : {static_cast<const dk_data*>(data.get()), none})
        ask_json(dk_explain_row, handle, data.get(), int64_t{1}, training, control);
    const std::string path = folder.path("page");
    for (const char* options : {"rows=3", "for=manager"}) {
        if (succeeded(dk_report(path.c_str(), &handle, 1, data.get(), data.get(), options, control)))
            require_harmless(folder.read("page"));
    }
    const std::array both{handle, handle};
    if (succeeded(dk_report(path.c_str(), both.data(), 2, data.get(), nullptr, nullptr, control)))
        require_harmless(folder.read("page"));
    for (const char* format : {"libsvm", "onnx", "c"})
        succeeded(dk_model_export(handle, path.c_str(), format));
}

}  // namespace dk_fuzz

#endif  // DK_TESTS_FUZZ_QUESTIONS_HPP
