// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"

namespace dk {

/// A parameter of the model's machine, and the values over which its prototypes are followed.
struct PathOption {
    std::string key = {};
    std::vector<double> values = {};
};

/// For whom a page is written: who knows kernel machines, or who decides what to do with their predictions.
enum class PageReader { analyst, manager };

/// How a report shows rows.
struct ReportOptions {
    PageReader reader = PageReader::analyst;
    Index picture_width = 0;  // Rows are pictures where this is above 0.
    Index picture_height = 0;
    Index worst_rows = 20;  // so many rows that are most wrong
    PathOption path = {};
    std::string title = {};
};

/// Reads options such as "image=32x32 rows=10"; throws Error(invalid_parameter) for others.
ReportOptions report_options(std::string_view text);

/// What a report is made of: the model, rows to score it on, and the training rows or null.
struct ReportedModel {
    const Model& model;
    const Dataset& data;
    const Dataset* training;
    const ReportOptions& options;
};

/// Writes the page that shows a model, in HTML.
std::string report_page(const ReportedModel& reported, Control& control);

/// Writes the page of the same for who decides what to do with predictions (manager_page.cpp).
std::string manager_page(const ReportedModel& reported, Control& control);

/// Writes the page that compares models on the same rows.
std::string comparison_page(std::span<const Model* const> models, const Dataset& data,
                            const ReportOptions& options, Control& control);

}  // namespace dk
