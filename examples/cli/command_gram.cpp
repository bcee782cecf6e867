// SPDX-License-Identifier: Apache-2.0
// dk gram writes the kernel matrix of one or two datasets.
#include <cmath>
#include <optional>
#include <type_traits>

#include "commands.hpp"
#include "control.hpp"
#include "output.hpp"
#include "reading.hpp"
#include "system.hpp"

namespace command {
namespace {

struct GramOptions {
    std::string left;
    std::string right;
    std::string kernel;
    std::string output;
    std::string data_options;
    int threads = 0;
    bool single_precision = false;
    bool json = false;
};

struct Shape {
    int64_t kernels;
    int64_t rows;
    int64_t cols;
};

// Gives the length of the array that dk_gram fills, and refuses one that would make the machine swap.
int64_t checked_length(const Shape& shape, size_t element_size) {
    const double bytes = static_cast<double>(shape.kernels) * static_cast<double>(shape.rows) *
                         static_cast<double>(shape.cols) * static_cast<double>(element_size);
    const double memory = physical_memory();
    if (bytes > memory / 2) {
        throw std::runtime_error("the kernel values need " + rounded(bytes / 1e9) +
                                 " GB, more than half of the " + rounded(memory / 1e9) +
                                 " GB of this machine");
    }
    return shape.kernels * shape.rows * shape.cols;
}

// Says what stands around and between numbers. CSV has a line for each row and an empty line between the
// matrices of a bank; JSON has arrays of matrices, of rows, of numbers.
struct Style {
    const char *open, *open_matrix, *open_row, *close_row, *next_row, *close_matrix, *next_matrix, *close,
        *infinity;
};
constexpr Style kCsv = {"", "", "", "", "\n", "\n", "\n", "", nullptr};
constexpr Style kJson = {"[", "[", "[", "]", ",", "]", ",", "]", "null"};

// Writes a kernel value. JSON has no infinity, which the values of a kernel such as exp(linear) can reach.
template <typename Element>
void write_number(Output& output, Element value, const Style& style) {
    if (style.infinity != nullptr && !std::isfinite(value)) return output.text(style.infinity);
    output.number(value);
}

template <typename Element>
void write_matrices(Output& output, const std::vector<Element>& values, const Shape& shape,
                    const Style& style) {
    auto value = values.begin();
    output.text(style.open);
    for (int64_t kernel = 0; kernel < shape.kernels; ++kernel) {
        output.text(kernel == 0 ? "" : style.next_matrix);
        output.text(style.open_matrix);
        for (int64_t row = 0; row < shape.rows; ++row) {
            output.text(row == 0 ? "" : style.next_row);
            output.text(style.open_row);
            for (int64_t col = 0; col < shape.cols; ++col) {
                if (col > 0) output.text(",");
                write_number(output, *value++, style);
            }
            output.text(style.close_row);
        }
        output.text(style.close_matrix);
    }
    output.text(style.close);
}

// Fills `out` with the kernel values of all rows of A with all rows of B, or of A where there is no B.
template <typename Element>
void compute(std::span<Element> out, const Data& left, const std::optional<Data>& right,
             const std::string& kernel, const libdk::Control& control) {
    if constexpr (std::is_same_v<Element, double>) {
        if (!right) return libdk::gram(out, left, kernel, control);
    }
    libdk::gram(out, left, right ? *right : left, kernel, control);
}

template <typename Element>
void compute_and_write(const GramOptions& options) {
    Control control(options.threads);
    const Data left = read_data(control, options.left, options.data_options);
    std::optional<Data> right;
    if (!options.right.empty()) right = read_data(control, options.right, options.data_options);
    const Data& columns = right ? *right : left;
    const Shape shape = {libdk::kernel_count(columns, options.kernel), left.rows(), columns.rows()};
    const int64_t length = checked_length(shape, sizeof(Element));
    require_writable(options.output);
    std::vector<Element> values(static_cast<size_t>(length));
    control.run([&](const libdk::Control& c) {
        compute(std::span(values), left, right, options.kernel, c);
        return true;
    });
    if (!options.output.empty() || !options.json) {
        Output output(options.output);
        write_matrices(output, values, shape, kCsv);
        output.commit();
    }
    if (!options.json) return;
    Json head = {{"kernels", shape.kernels}, {"rows", shape.rows}, {"cols", shape.cols}};
    if (!options.output.empty()) {
        head["output"] = options.output;
        return report(head, true);
    }
    // A document with the matrices would be too large for memory, so they are written after its head.
    std::string text = head.dump();
    text.back() = ',';
    Output output;
    output.text(text + "\"matrices\":");
    write_matrices(output, values, shape, kJson);
    output.text("}\n");
    output.commit();
}

}  // namespace

void add_gram(CLI::App& app) {
    const auto options = std::make_shared<GramOptions>();
    CLI::App* subcommand =
        app.add_subcommand("gram", "Compute the kernel values of all rows of A with all rows of B");
    subcommand->add_option("A", options->left, "Read the rows A from this file; - is standard input")
        ->required();
    subcommand->add_option("B", options->right,
                           "Read the rows B from this file, or take those of A if it is absent");
    subcommand->add_option("-k,--kernel", options->kernel, "Use this kernel or bank of kernels")
        ->type_name("SPEC")
        ->required();
    add_output(subcommand, options->output, "Write the matrix to this file instead of standard output");
    subcommand->add_flag("--float", options->single_precision, "Compute in single precision");
    add_data_options(subcommand, options->data_options);
    add_threads(subcommand, options->threads);
    add_json(subcommand, options->json);
    subcommand->callback([options] {
        if (options->single_precision) {
            compute_and_write<float>(*options);
        } else {
            compute_and_write<double>(*options);
        }
    });
}

}  // namespace command
