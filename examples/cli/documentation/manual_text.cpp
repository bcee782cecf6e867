// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "documentation/manual.hpp"

namespace command {
namespace {

// Each line is a sentence or a few; they say what options cannot.
const std::map<std::string, std::string>& texts() {
    static const std::map<std::string, std::string> all{
        {"",
         "dk trains support vector machines, core vector machines, extreme learning machines and many "
         "others\n"
         "on files of numbers, series, strings or graphs, predicts with them, and tells what they learned:\n"
         "the weights of their kernels and their prototypes.\n"
         "Results are summaries on a terminal and in a file; --verbose prints all that is known, and --json\n"
         "one document for programs. Where a file of data is read, - stands for standard input.\n"},
        {"train",
         "The data are CSV, ARFF, LIBSVM's format or series of the UCR and UEA archives, gzip compressed\n"
         "or not. The class or the target is the column named label, class, target or y, or the last of a\n"
         "table without names; --label says otherwise, and 'dk data' shows what was understood. The\n"
         "summary begins with the score on the test data if there are some.\n"},
        {"data",
         "What looks wrong comes first: columns that are constant, the same as others, on other scales, or\n"
         "that tell the class alone, copies of rows, and classes of few rows. Then each column stands with\n"
         "its kind, its missing and distinct values, its range, or its texts with their rows.\n"},
        {"cv",
         "The rows are divided into folds, each of which is predicted by a machine that was trained on the\n"
         "others. --grid compares settings on the same folds; the table of candidates has the best first.\n"
         "Beside each stands how far it is behind the best and the chance of such a difference (corrected\n"
         "resampled t-test). Those that the test does not tell from the best are marked.\n"
         "The model is then trained on all rows with the best settings.\n"},
        {"mkl-compare",
         "Every strategy of weights is cross-validated on the same folds, and every kernel alone; the table\n"
         "of candidates is that of 'dk cv'. With --and the candidates are ranked over several data sets.\n"},
        {"predict",
         "The output is CSV with a line for each row. Where the rows have labels, the accuracy or the error\n"
         "goes to standard error. With --id, or a model that was trained with it, the first column has the\n"
         "names of the rows.\n"},
        {"prototypes",
         "A model that is linear in its feature space decides by pairs of prototypes p+ and p-, each a "
         "convex\n"
         "combination of training rows; machines that learn prototypes of their own show those. The table "
         "has\n"
         "the class of each, how many training rows make it (its support), the nearest rows, and those with\n"
         "the largest coefficients. Rows are counted from 0.\n"},
        {"describe",
         "The names of sections are machines, kernels, kernel_operators, weights, layers, common (parameters "
         "of\n"
         "every machine) and metrics.\n"},
        {"completion",
         "In bash, source the script in ~/.bashrc: source <(dk completion bash). In zsh the file _dk belongs "
         "to a\n"
         "folder of $fpath; in fish dk.fish to ~/.config/fish/completions.\n"},
    };
    return all;
}

}  // namespace

std::string manual_text(const std::string& subcommand) {
    const auto found = texts().find(subcommand);
    return found == texts().end() ? "" : found->second;
}

}  // namespace command
