// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dk {

/// What stands in a file where a value is missing. This is the one place that knows it: headers, columns of
/// numbers and of texts, labels and groups all ask here.
class MissingMarkers {
  public:
    /// Reads the option `missing`: words with commas between them. `refuse` and `keep` say what becomes of
    /// missing values, `only` that the usual markers are plain texts, and any other word is a marker too.
    /// Markers that are given mean that missing values are kept, where nothing else is said.
    explicit MissingMarkers(const std::string& option = "refuse");

    /// Gives the same with this word as the only one beside those that the option gave, as formats have
    /// that say what marks a missing value.
    MissingMarkers with_only(std::string_view word) const;

    bool kept() const { return kept_; }

    /// Tells whether a field says, in whatever column, that its value is missing.
    bool marks(std::string_view field) const;

    /// Tells whether a field says so in a column of numbers. A dash or a point is a text like others
    /// elsewhere, as in a column of signs.
    bool marks_number(std::string_view field) const;

    /// Tells whether a number, such as -999, can be a marker.
    bool may_be_number() const { return has_numbers_; }
    /// Tells whether this number is one.
    bool marks_value(double value) const;

  private:
    bool is_given(std::string_view field) const;

    bool kept_ = false;
    bool usual_ = true;
    bool has_numbers_ = false;
    std::vector<std::string> given_;
};

/// Tells whether a field says that a number is infinite.
bool says_infinite(std::string_view field);

}  // namespace dk
