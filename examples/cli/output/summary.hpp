// SPDX-License-Identifier: Apache-2.0
// This file tells people in a few lines what a model is, how its training went and how good it is. All that
// is known stands in the documents that --verbose and --json print.
#pragma once

#include <string>
#include <vector>

#include "output.hpp"

namespace command {

// A few lines of a name and a sentence each, which the terminal's width breaks between words.
class Summary {
  public:
    void add(const std::string& name, const std::string& text);
    // Puts the score of labelled data, as `score` gives it, and which classes are taken for which.
    void add_scores(const Json& scores, const std::string& data);
    // Puts the means over the folds of a cross-validation, that of the metric that selects first.
    void add_validation(const Json& info);
    // Puts the machine with the parameters that are not the default, its kernels, rows and prototypes.
    void add_model(const Json& info);
    // Puts whether the training converged, and in how many steps.
    void add_training(const Json& info);
    // Puts how the threshold between two classes was moved, and how rows lie about it.
    void add_threshold(const Json& threshold);
    void print(Output& output) const;

  private:
    struct Line {
        std::string name, text;
    };
    void add_kernels(const Json& info);
    void add_failures(const Json& validation);
    void add_learning_curve(const Json& validation, const std::string& metric);

    std::vector<Line> lines_;
};

// Gives "1 row" or "12 rows".
std::string counted(int64_t count, const std::string& one, const std::string& several);

// Gives the metric that chooses among candidates.
std::string selecting_metric(const Json& info);

}  // namespace command
