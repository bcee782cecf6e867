// SPDX-License-Identifier: Apache-2.0
// The parts of a report. Each gives a section of the page, and "" where the model or the rows have nothing of
// that kind.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/metrics/metrics.hpp"
#include "report/report_page.hpp"

namespace dk {

/// What the model says of the rows, computed once for all sections.
struct ScoredRows {
    std::vector<double> decisions = {};
    std::vector<Index> elected = {};               // of classifiers and novelty detectors
    std::optional<ClassPredictions> classes = {};  // where the rows have classes that the model knows
    std::optional<ValuePredictions> values = {};   // where the rows have targets
    std::map<std::string, double> metrics = {};    // of either
    std::vector<double> probabilities = {};        // rows x classes, or nothing
    std::string not_scored = {};                   // why the rows are not compared with what they are
};
ScoredRows scored_rows(const Model& model, const Dataset& data, Control& control);

std::string summary_section(const ReportedModel& reported, const ScoredRows& scored);
std::string performance_section(const ReportedModel& reported, const ScoredRows& scored);
std::string kernels_section(const ReportedModel& reported, const ScoredRows& scored, Control& control);
std::string prototypes_section(const ReportedModel& reported, Control& control);
std::string map_section(const ReportedModel& reported, const ScoredRows& scored, Control& control);
std::string importance_section(const ReportedModel& reported, const ScoredRows& scored, Control& control);
std::string path_section(const ReportedModel& reported, Control& control);
std::string data_section(const ReportedModel& reported, Control& control);
std::string training_section(const ReportedModel& reported);
std::string choice_section(const ReportedModel& reported);
std::string wrong_rows_section(const ReportedModel& reported, const ScoredRows& scored, Control& control);

/// Names a class, or the sign of a novelty detector.
std::string class_text(const Model& model, Index position);
/// Chooses at most `most` rows, evenly spread.
std::vector<Index> spread_rows(Index rows, Index most);
/// Shows one row as what it is: a picture, lines, text, or the values of its first columns.
std::string shown_row(const ReportedModel& reported, const Dataset& rows, Index row);
/// Tells whether the rows are pictures of the size that the options say.
bool shows_pictures(const ReportedModel& reported, const Dataset& rows);

}  // namespace dk
