// SPDX-License-Identifier: Apache-2.0
// Each function adds its subcommand to the command line. The parser runs the subcommand as a callback.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace command {

void add_data(CLI::App& app);
void add_train(CLI::App& app);
void add_cross_validate(CLI::App& app);
void add_tune(CLI::App& app);
void add_mkl_compare(CLI::App& app);
void add_prototypes_compare(CLI::App& app);
void add_compress(CLI::App& app);
void add_threshold(CLI::App& app);
void add_update(CLI::App& app);
void add_drift(CLI::App& app);
void add_import(CLI::App& app);
void add_export(CLI::App& app);
void add_path(CLI::App& app);
void add_predict(CLI::App& app);
void add_explain(CLI::App& app);
void add_report(CLI::App& app);
void add_weights(CLI::App& app);
void add_prototypes(CLI::App& app);
void add_info(CLI::App& app);
void add_describe(CLI::App& app);
void add_gram(CLI::App& app);
void add_completion(CLI::App& app);
void add_man(CLI::App& app);

inline void add_json(CLI::App* subcommand, bool& json) {
    subcommand->add_flag("--json", json, "Print one JSON document instead of a table");
}
inline void add_verbose(CLI::App* subcommand, bool& verbose) {
    subcommand->add_flag("--verbose", verbose, "Print everything that is known, and not a summary");
}
inline void add_threads(CLI::App* subcommand, int& threads) {
    subcommand->add_option("--threads", threads, "Use this many threads, or one for each processor if 0")
        ->type_name("N");
}
inline CLI::Option* add_output(CLI::App* subcommand, std::string& path, const std::string& description) {
    const auto check = [](const std::string& name) {
        return std::string(name.empty() ? "the name is empty" : "");
    };
    return subcommand->add_option("-o,--output", path, description)->type_name("FILE")->check(check, "");
}
inline void add_parameters(CLI::App* subcommand, std::vector<std::string>& pairs,
                           const std::string& description) {
    const auto check = [](const std::string& text) {
        const size_t equals = text.find('=');
        return equals == std::string::npos || equals == 0 ? "'" + text + "' is not of the form KEY=VALUE"
                                                          : "";
    };
    subcommand->add_option("-p,--parameter", pairs, description)
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->check(check, "");
}
inline void add_data_options(CLI::App* subcommand, std::string& options) {
    subcommand
        ->add_option(
            "--data-options", options,
            "Read the data with these options: format=, header=, delimiter=, label=, label_delimiter=, "
            "text=, "
            "ignore=, id=, groups=, missing=, decimal=, thousands=, dates=, encoding=, unlabelled=, "
            "index_base=, cols=")
        ->type_name("\"KEY=VALUE ...\"");
    const auto add = [&](const std::string& key, const std::string& description) {
        const auto append = [&options, key](const std::string& value) {
            options += (options.empty() ? "" : " ") + key + "=\"" + value + "\"";
        };
        // What is appended here comes after --data-options, which is read first.
        subcommand->add_option_function<std::string>("--" + key, append, description)->type_name("COLUMN");
    };
    add("label",
        "Take this column as the label, by its name or its index from 0; -1 is the last, none is none");
    add("ignore", "Leave these columns out, with commas between them");
    add("id", "Name the rows by this column, which is no feature");
}

}  // namespace command
