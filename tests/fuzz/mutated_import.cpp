// SPDX-License-Identifier: Apache-2.0
// The bytes are choices: a model file of LIBSVM, ThunderSVM or liblinear, and which of its lines and words to
// change, as somebody does who knows the format. A model that is read works with every call, or says why not.
#include <sstream>

#include "import_questions.hpp"
#include "made_models.hpp"

namespace {

using namespace dk_fuzz;

using Line = std::vector<std::string>;
using Lines = std::vector<Line>;

Lines lines_of(const std::string& text) {
    Lines lines;
    std::istringstream input(text);
    for (std::string line; std::getline(input, line);) {
        std::istringstream words(line);
        Line& last = lines.emplace_back();
        for (std::string word; words >> word;) last.push_back(word);
    }
    return lines;
}

/// Files of the programs' kinds of machines, kernels and lines, as LIBSVM's and liblinear's READMEs have
/// them.
constexpr const char* files[] = {
    "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho -0.25\nlabel 3 -1\nprobA -2\n"
    "probB 0.5\nprob_density_marks 1 2 3 4 5 6 7 8 9 10\nnr_sv 1 1\nSV\n0.5 1:1 2:2\n-0.5 1:-1\n",
    "svm_type nu_svc\nkernel_type linear\nnr_class 3\ntotal_sv 4\nrho 1 2 3\nlabel 2 0 1\nprobA 1 -1 2\n"
    "probB 0 1 2\nnr_sv 1 2 1\nSV\n2 4 1:1\n-3 0 2:1\n0 6 1:1\n5 -7 2:1\n",
    "svm_type one_class\nkernel_type polynomial\ndegree 2\ngamma 1\ncoef0 1\nnr_class 2\ntotal_sv 1\nrho "
    "0.5\n"
    "SV\n1 3:1.5\n",
    "svm_type epsilon_svr\nkernel_type precomputed\nnr_class 2\ntotal_sv 2\nrho -1\nprobA 0.5\nSV\n2 0:4\n-3 "
    "0:2\n",
    "svm_type nu_svr\nkernel_type sigmoid\ngamma 1\ncoef0 -1\nnr_class 2\ntotal_sv 2\nrho 1e-3\nSV\n1 1:1 "
    "2:1\n"
    "-1 1:2 9:1\n",
    "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 0 1\nnr_sv 1 1\ncoef\n1 2\nSV\n"
    "1 1:1 2:1\n-1 1:2 2:1\n",
    "solver_type MCSVM_CS\nnr_class 3\nlabel 7 4 5\nnr_feature 2\nbias 0.5\nw\n1 3 -1\n2 -1 0\n1 -1 3\n",
    "solver_type L2R_LR\nnr_class 2\nlabel 1 9\nnr_feature 2\nbias -1\nw\n1.5\n-2\n",
    "solver_type L1R_LR\nnr_class 3\nlabel 1 2 3\nnr_feature 2\nbias 1\nw\n1.5 1 0\n-2 0 1\n0 1 2\n",
    "solver_type L2R_L1LOSS_SVR_DUAL\nnr_class 2\nnr_feature 2\nbias -1\nw\n1.5\n-2\n",
    "solver_type ONECLASS_SVM\nnr_class 2\nnr_feature 2\nbias -1\nrho 0.5\nw\n1.5\n-2\n"};

/// What libdk writes has lines of its own: names of classes, and what scales the columns.
void add_own_exports(std::vector<Lines>& all) {
    const auto data = all_data();
    struct Wanted {
        std::size_t data;
        const char* machine;
        const char* settings;
    };
    static constexpr Wanted wanted[] = {{0, "svm", "kernel=rbf(gamma=1) scale=none probability=yes folds=2"},
                                        {1, "svm", "kernel=linear scale=minmax"},
                                        {2, "svm", "kernel=poly(degree=2)"},
                                        {0, "svr", "kernel=linear scale=standard"},
                                        {0, "one_class_svm", "kernel=rbf(gamma=1) scale=none"}};
    const dk_test::TemporaryDirectory folder;
    const std::string path = folder.path("exported");
    for (const Wanted& one : wanted) {
        const Model model = brief_model(data[one.data], one.machine, one.settings);
        require(model != nullptr, "a machine that LIBSVM has is trained");
        require(succeeded(dk_model_export(model.get(), path.c_str(), "libsvm")),
                "a model that LIBSVM has is written for it");
        all.push_back(lines_of(folder.read("exported")));
    }
}

const std::vector<Lines>& originals() {
    static const std::vector<Lines> all = [] {
        std::vector<Lines> lines;
        for (const char* file : files) lines.push_back(lines_of(file));
        add_own_exports(lines);
        return lines;
    }();
    return all;
}

std::string number_text(Choices& choices) {
    static constexpr const char* integers[] = {"0",
                                               "1",
                                               "2",
                                               "3",
                                               "-1",
                                               "-2",
                                               "4",
                                               "16",
                                               "513",
                                               "65536",
                                               "65537",
                                               "2147483647",
                                               "2147483648",
                                               "9007199254740993",
                                               "-9223372036854775808",
                                               "99999999999999999999",
                                               "nan",
                                               "-inf",
                                               "1e400",
                                               "0x1p3",
                                               "1e-320",
                                               "+1",
                                               "1e",
                                               "-"};
    if (choices.below(2) == 0) return choices.of(integers);
    std::ostringstream text;
    text.precision(17);
    text << choices.number();
    return text.str();
}

/// Changes the number of a word, or one of the two of index:value.
void change_number(Choices& choices, std::string& word) {
    const auto colon = word.find(':');
    const std::string number = number_text(choices);
    if (colon == std::string::npos) {
        word = number;
    } else if (choices.below(2) == 0) {
        word = number + word.substr(colon);
    } else {
        word = word.substr(0, colon + 1) + number;
    }
}

void change_word(Choices& choices, Line& line, const Lines& other) {
    static constexpr const char* words[] = {"c_svc",
                                            "nu_svc",
                                            "one_class",
                                            "epsilon_svr",
                                            "nu_svr",
                                            "linear",
                                            "polynomial",
                                            "rbf",
                                            "sigmoid",
                                            "precomputed",
                                            "L2R_LR",
                                            "MCSVM_CS",
                                            "L2R_L2LOSS_SVR",
                                            "ONECLASS_SVM",
                                            "svm_type",
                                            "kernel_type",
                                            "nr_class",
                                            "total_sv",
                                            "rho",
                                            "label",
                                            "probA",
                                            "probB",
                                            "nr_sv",
                                            "SV",
                                            "w",
                                            "bias",
                                            "machine",
                                            "label_names",
                                            "column_shift",
                                            "column_scale",
                                            "%3Cdk-hostile",
                                            "svm",
                                            "elm",
                                            "%00",
                                            "%",
                                            "1:1",
                                            "0:1"};
    if (line.empty()) {
        line.emplace_back(choices.of(words));
        return;
    }
    std::string& word = line[choices.position(line.size())];
    const uint8_t way = choices.byte();
    if (way < 160) {
        change_number(choices, word);
    } else if (way < 208) {
        word = choices.of(words);
    } else if (const Line& lent = other[choices.position(other.size())]; !lent.empty()) {
        word = lent[choices.position(lent.size())];
    }
}

void mutate(Choices& choices, Lines& lines, const Lines& other) {
    const std::size_t at = choices.position(lines.size());
    Line& line = lines[at];
    const auto position = lines.begin() + static_cast<std::ptrdiff_t>(at);
    switch (choices.below(10)) {
        case 0:
            if (lines.size() > 1) lines.erase(position);
            return;
        case 1:
            lines.insert(position, Line(line));
            return;
        case 2:
            std::swap(line, lines[choices.position(lines.size())]);
            return;
        case 3:
            lines.insert(position, other[choices.position(other.size())]);
            return;
        case 4:
            if (!line.empty()) line.pop_back();
            return;
        case 5:
            line.push_back(number_text(choices));
            return;
        default:
            change_word(choices, line, other);
            return;
    }
}

std::string text_of(const Lines& lines) {
    std::string text;
    for (const Line& line : lines) {
        for (const std::string& word : line) text += word + ' ';
        text += '\n';
    }
    return text;
}

}  // namespace

/// Trains the models before libFuzzer looks at how long an input takes.
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments);
int LLVMFuzzerInitialize(int*, char***) {
    originals();
    scratch_folder();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size) {
    static constexpr const char* options[] = {"auto",
                                              "auto",
                                              "auto",
                                              "libsvm",
                                              "liblinear",
                                              "thundersvm features=4",
                                              "auto data=dense",
                                              "auto data=sparse features=300"};
    scratch_folder();
    Choices choices(bytes, size);
    const auto any_file = [&]() -> const Lines& { return originals()[choices.position(originals().size())]; };
    Lines changed = any_file();
    const char* option = choices.of(options);
    for (int64_t left = 1 + choices.below(3); left > 0; --left) mutate(choices, changed, any_file());
    const std::string text = text_of(changed);
    import_and_ask({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, option);
    return 0;
}
