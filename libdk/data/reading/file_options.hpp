// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "data/reading/read_file.hpp"
#include "data/reading/table/reading_options.hpp"

namespace dk {

/// The options of a file: those that were given, and beyond them those of an earlier file.
struct FileOptions {
    ReadingOptions reading;
    std::string format;          // the name of a reader, or auto
    std::string earlier_format;  // the one that was given for the earlier file, or ""
    bool is_latin1 = false;
    Assignments given;
};

/// Reads the options of dk_data_from_file(); throws Error(invalid_parameter).
FileOptions file_options(std::string_view options, const EarlierFile& earlier);

/// Gives the options with which other files of such data are read alike: those that were given, and instead
/// of them what the reader understood. Their size is their own, and so is a format that shows.
Assignments options_to_keep(const FileOptions& options, const std::string& reader,
                            const Assignments& understood);

}  // namespace dk
