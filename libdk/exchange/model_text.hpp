// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/types.hpp"

namespace dk {

/// Reads another program's model file word by word and line by line. Whatever is wrong with the file is
/// Error(model_format) that names the line.
class ModelText {
  public:
    ModelText(std::string_view content, Control& control) : rest_(content), control_(control) {}

    /// Goes to the next line that has a word, and tells whether there is one.
    bool next_line();
    /// Takes the next word of the line; it is empty at the line's end.
    std::string_view word();
    /// Tells whether the line has another word.
    bool more();
    /// Refuses a line that goes on.
    void end_line();
    /// Counts the lines from the next one on, which bounds what the rest of the file can hold.
    Index lines_left() const;

    /// Takes the next word as a finite number, or as an integer from `lowest` to `highest`. `what` is what a
    /// message calls it.
    double number(std::string_view what);
    Index integer(std::string_view what, Index lowest, Index highest);
    /// Takes the rest of the line as numbers or integers, of which there have to be `count`.
    std::vector<double> numbers(std::string_view what, Index count);
    std::vector<Index> integers(std::string_view what, Index count, Index lowest, Index highest);
    /// Takes the rest of the line as so many numbers as there are.
    std::vector<double> numbers(std::string_view what);
    /// Takes the rest of the line as names, in which characters may stand as % and two hexadecimal digits.
    std::vector<std::string> names();
    /// Takes the next word, which has to be one of `names`, and gives its position.
    template <typename Names>
    Index choice(std::string_view what, const Names& names);

    template <typename... Words>
    [[noreturn]] void refuse(const Words&... words) const {
        fail(Status::model_format, "line ", line_number_, ": ", words...);
    }

  private:
    std::string_view rest_;
    std::string_view line_;
    Index line_number_ = 0;
    Control& control_;
};

template <typename Names>
Index ModelText::choice(std::string_view what, const Names& names) {
    const std::string_view found = word();
    const auto at = std::ranges::find(names, found);
    if (at == std::end(names) || found.empty()) {
        std::string allowed;
        for (const std::string_view name : names) {
            if (!name.empty()) allowed.append(allowed.empty() ? "" : ", ").append(name);
        }
        refuse(what, " is ", in_quotes(found), "; known are ", allowed);
    }
    return at - std::begin(names);
}

}  // namespace dk
