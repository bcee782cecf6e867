// SPDX-License-Identifier: Apache-2.0
#include "exchange/import_model.hpp"

#include <array>

#include "base/error.hpp"
#include "data/reading/read_file.hpp"

namespace dk {

namespace {

std::string format_of_model(std::string_view content) {
    Control uninterrupted;
    ModelText text(content, uninterrupted);
    text.next_line();
    const std::string_view first = text.word();
    if (first == "solver_type") return "liblinear";
    if (first == "svm_type") return "libsvm";
    text.refuse(
        "a model file begins with svm_type (LIBSVM, ThunderSVM) or solver_type (liblinear), this with ",
        in_quotes(first));
}

Model parsed_model(std::string_view content, ImportOptions options, Control& control) {
    if (options.format == "auto") options.format = format_of_model(content);
    ModelText text(content, control);
    return adopt(options.format == "liblinear" ? read_liblinear_model(text, options, control)
                                               : read_libsvm_model(text, options, control),
                 control);
}

}  // namespace

Model import_model(const std::string& path, const ImportOptions& options, Control& control) {
    const FileContent file = read_content(path, control);
    const std::string_view content = without_byte_order_mark(file.view());
    // A short line such as "1 1:1" becomes five numbers and two positions, in vectors that have room for
    // twice as many.
    constexpr double bytes_a_character = 24;
    control.memory().require(bytes_a_character * content.size(),
                             text("a model file of ", content.size(), " bytes"));
    try {
        return parsed_model(content, options, control);
    } catch (const Error& error) {
        // Kernels and prototypes refuse numbers that the file has.
        constexpr std::array of_the_file{Status::invalid_kernel, Status::invalid_data, Status::numerical,
                                         Status::invalid_argument, Status::dimension};
        const bool damaged = std::ranges::find(of_the_file, error.status()) != of_the_file.end();
        fail(damaged ? Status::model_format : error.status(), in_quotes(path), ": ", error.what());
    }
}

}  // namespace dk
