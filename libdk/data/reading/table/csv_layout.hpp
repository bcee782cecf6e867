// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "data/reading/table/csv_table.hpp"

namespace dk {

/// Finds what separates the fields of a table: the mark of which all first lines have as many.
char guess_delimiter(std::string_view content, char label_delimiter = 0);

/// The names of features, which may be indicators "name=text" of a column `name`.
class FeatureNames {
  public:
    explicit FeatureNames(const std::vector<std::string>& names) : sorted_(names.begin(), names.end()) {
        std::ranges::sort(sorted_);
    }
    /// Says whether a name is that of a column of the features.
    bool have(std::string_view name) const {
        if (name.empty()) return false;
        if (std::ranges::binary_search(sorted_, name)) return true;
        const std::string indicator = text(name, "=");
        const auto after = std::ranges::lower_bound(sorted_, std::string_view(indicator));
        return after != sorted_.end() && after->starts_with(indicator);
    }

    /// Gives the names of the columns that became the features, in their order: those before the equals signs
    /// of indicators, each once.
    static std::vector<std::string> columns_of(const std::vector<std::string>& features) {
        std::vector<std::string> columns;
        for (const std::string& feature : features) {
            const std::string column = feature.substr(0, feature.find('='));
            if (columns.empty() || columns.back() != column) columns.push_back(column);
        }
        return columns;
    }

  private:
    std::vector<std::string_view> sorted_;
};

/// Says whether the first line is a header: it has a name that the options or readers know, or text above a
/// number of the second line, or names of columns of text. A line that stands alone is a header if it has
/// only text. A marker of a missing value is no text.
bool looks_like_header(const CsvTable& table, const ReadingOptions& options, Control& control);

/// Takes the line sep=; with which spreadsheets tell the delimiter, and gives it where it is there.
std::optional<char> take_delimiter_line(std::string_view& content);

/// Lines at the beginning of a file that begin with #.
struct Comments {
    Index lines = 0;
    std::string_view last = {};  // the text of the last one
};

/// Takes comments from the beginning of a content. Where # is the name of the first column, or all lines
/// begin with it, there are none.
Comments take_comments(std::string_view& content);

/// Makes the first row the names of the columns.
void take_header(CsvTable& table);

}  // namespace dk
