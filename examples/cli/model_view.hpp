// SPDX-License-Identifier: Apache-2.0
// These functions give what several subcommands tell of a model: its names, its training, its scores on data.
#pragma once

#include <map>

#include "control.hpp"
#include "output.hpp"

namespace command {

// The names of a model's classes, by their positions and by what dk_predict gives.
class ClassNames {
  public:
    explicit ClassNames(const Model& model);
    bool empty() const { return names_.empty(); }  // It is empty for regression.
    const std::vector<std::string>& all() const { return names_; }
    std::string at(int64_t position) const { return position < 0 ? "rest" : names_.at(size_t(position)); }
    // Gives the name of the predicted class, or the number itself for regression.
    Json of_prediction(double label) const { return empty() ? Json(label) : Json(by_label_.at(label)); }

  private:
    std::vector<std::string> names_;
    std::map<double, std::string> by_label_;
};

// The label of each row; empty where the data have none.
std::vector<int64_t> labels_of(const Data& data);

// Says whether each decision function has a pair of prototypes p+, p-.
bool has_prototype_pairs(const Model& model);

// Names each decision function, such as "M vs R".
std::vector<std::string> function_names(const Model& model, const ClassNames& classes);

// Names each prototype, such as "prototype 0 of M".
std::vector<std::string> prototype_names(const Model& model, const ClassNames& classes);

Json model_info(const Model& model);

// Leaves out of the information what other subcommands show better.
Json info_for_people(Json info);

// What whoever uses the model should know: a list of "about" and "text".
Json model_warnings(const Model& model);

// Says on standard error what the summary doesn't tell.
void warn_of(const Json& warnings);

// Computes metrics of the model's predictions for labelled data, and the confusion matrix. Each metric but
// the accuracy makes the library predict once more. The accuracy does not if `predicted` has what dk_predict
// gave for the rows.
enum class Scores { kAccuracy, kAll };
Json score(Control& control, const Model& model, const Data& data, Scores which,
           const std::vector<double>& predicted = {});

}  // namespace command
