// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/types.hpp"

namespace dk {

/// What the values of an attribute of an ARFF file are.
enum class ArffKind { number, nominal, string, date };

struct ArffAttribute {
    std::string name;
    ArffKind kind = ArffKind::number;
    std::vector<std::string> levels = {};  // of a nominal attribute, which ascend
    std::string first_level = {};          // the one that the file has first

    bool has_level(std::string_view text) const;
};

/// One line of an ARFF file: words, which may stand in quotes of either kind, brackets, and a comment after
/// a per cent sign.
class ArffLine {
  public:
    /// Words in which a backslash stood before a character are kept in `unescaped`.
    ArffLine(std::string_view line, Index number, std::deque<std::string>& unescaped);

    Index number() const { return number_; }
    /// Passes blanks, and tells whether nothing but a comment follows.
    bool at_end();
    /// Passes blanks and this mark where it follows.
    bool accept(char mark);
    /// Takes what stands up to one of the marks, or what stands in quotes; it may be empty.
    std::string_view word(std::string_view marks);
    /// Tells whether the last word stood in quotes.
    bool was_quoted() const { return was_quoted_; }

    template <typename... Words>
    [[noreturn]] void refuse(const Words&... words) const {
        fail(Status::invalid_data, "line ", number_, ": ", words...);
    }

  private:
    std::string_view quoted_word(char quote);

    std::string_view rest_;
    Index number_;
    std::deque<std::string>& unescaped_;
    bool was_quoted_ = false;
};

/// What stands before the data of an ARFF file, and where these begin.
struct ArffHeader {
    std::vector<ArffAttribute> attributes;
    std::string_view data;
    Index lines = 0;  // of the file before the data
    /// So many of the first attributes, or where it is negative of the last, say which labels a row has: the
    /// relation's name ends with "-C 6" in files of MEKA. It is 0 where the name does not tell.
    Index label_attributes = 0;
};

/// Reads the declarations of an ARFF file.
ArffHeader read_arff_header(std::string_view content, Control& control);

/// Takes the first line of a text, without its end.
std::string_view take_line(std::string_view& text);

/// Reads a weight {w} that may end a row, 1 where it is not there.
double take_arff_weight(ArffLine& line);

/// Throws where a nominal attribute does not have this level.
void require_level(const ArffLine& line, const ArffAttribute& attribute, std::string_view text);

}  // namespace dk
