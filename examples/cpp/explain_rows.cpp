// SPDX-License-Identifier: Apache-2.0
//
// Trains a support vector machine with a bank of kernels on two thirds of a CSV file, and says of the first
// rows of the last third what they are and what speaks for it.
//
//   explain_rows ../data/sonar.csv
#include <dk/dk.hpp>

#include <cstdio>

namespace {

/// The rows of fold 0, or all the others.
libdk::Data part_of(const libdk::Data& data, const std::vector<std::int64_t>& folds, bool held_out) {
    std::vector<std::int64_t> rows;
    for (std::int64_t i = 0; i < data.rows(); ++i) {
        if ((folds[static_cast<std::size_t>(i)] == 0) == held_out) rows.push_back(i);
    }
    return data.select(rows);
}

void explain_rows(const std::string& path) {
    const libdk::Control control({.progress = [](double fraction, std::string_view stage) {
        std::fprintf(stderr, "\r%3.0f %% %-20.*s", 100 * fraction, static_cast<int>(stage.size()),
                     stage.data());
        return true;  // false would stop it
    }});
    const libdk::Data data = libdk::Data::file(path);
    const auto folds = data.folds(3);
    const libdk::Data test = part_of(data, folds, true);
    libdk::Parameters parameters("svm", "C=10 scale=standard");
    parameters.set("kernel", "[rbf(gamma=0.01), rbf(gamma=0.1), arccos(1)]").set("weights", "mklgl");
    const libdk::Model model = libdk::Model::train(part_of(data, folds, false), parameters, control);
    std::fprintf(stderr, "\r%30s\r", "");

    std::printf("accuracy on rows that it has not seen: %.3f\n", model.score(test, "accuracy"));
    for (const auto& [kernel, weight] : model.weights()) std::printf("  %.3f %s\n", weight, kernel.c_str());
    const auto names = model.class_names();
    const auto predicted = model.predict(test);
    const libdk::Explanation said = model.explain(test);
    const auto prototypes = model.prototypes();
    for (std::int64_t row = 0; row < 3; ++row) {
        std::printf("row %d is %s:", static_cast<int>(row),
                    names[static_cast<std::size_t>(predicted[row])].c_str());
        for (std::size_t p = 0; p < prototypes.size(); ++p)
            std::printf("  prototype of %s, nearest to row %d, %+.2f", names[prototypes[p].position].c_str(),
                        static_cast<int>(prototypes[p].nearest.front()),
                        said.contributions(row, static_cast<std::int64_t>(p)));
        std::printf("  offset %+.2f\n", said.offsets.front());
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: explain_rows FILE.csv\n");
        return 2;
    }
    try {
        explain_rows(argv[1]);
    } catch (const libdk::Error& error) {
        std::fprintf(stderr, "%s: %s\n", libdk::name_of(error.status()).c_str(), error.what());
        return 1;
    }
    return 0;
}
