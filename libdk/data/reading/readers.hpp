// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "data/reading/table/reading_options.hpp"

namespace dk {

/// What tells the format of a file: its name in lower case, without the ending of a compression, and what
/// stands in it.
struct FileLook {
    std::string name;
    std::string_view content;

    bool is_named(std::string_view ending) const { return name.ends_with(ending); }
};

/// How sure it is that a file has a format. The surest format reads the file.
enum class Likeness { none, possible, by_look, by_name, certain };

/// A format of files and how one is read.
struct Reader {
    std::string name;  // as the option `format` gives it
    std::string documentation;
    Likeness (*likeness)(const FileLook& file);
    /// Parses the whole content; throws Error(invalid_data) that names the line of a mistake.
    Dataset (*parse)(std::string_view content, const ReadingOptions& options, Control& control);
    /// Names the format that such a file has by its look, where only the option or another file tells the two
    /// apart. Files like an earlier one then have this format.
    std::string looks_like = {};
};

/// Lists the readers. Where a file is as likely of two formats, the first one has it.
std::span<const Reader> readers();

/// Finds a reader that the option `format` names, or null.
const Reader* find_reader(std::string_view name);

/// Finds the reader of a file by its look. `earlier` is the format of an earlier file with such data, or "".
const Reader& reader_of(const FileLook& file, std::string_view earlier);

}  // namespace dk
