// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"
#include "data/reading/table/missing_markers.hpp"

namespace dk {

/// How a file is read. The options are those of dk_data_from_file(); a format reads those that concern it.
struct ReadingOptions {
    std::string header = "auto";                // auto, yes or no
    std::string delimiter = "auto";             // auto or one character
    std::string decimal = "auto";               // auto, a point or a comma
    std::string thousands = "auto";             // auto, none, a point, a comma or an apostrophe
    std::string dates = "refuse";               // refuse, text, days, yearday or weekday
    std::string label = "auto";                 // auto, none, guess, a name or an index
    char label_delimiter = 0;                   // between the labels of a row; 0 where each row has one
    bool skip_unlabelled = false;               // Rows whose label is missing are left out.
    std::string text = "auto";                  // auto, a name or an index
    MissingMarkers missing = MissingMarkers();  // what says that a value is missing, and what becomes of it
    std::string ignore = "auto";                // auto, none, or names and indices with commas between them
    std::string groups = "auto";                // auto, none, a name or an index
    std::string id = "none";                    // none, a name or an index
    std::string index_base = "auto";            // auto, 0 or 1
    Index least_columns = 0;                    // of files that may lack the last ones, as LIBSVM's may
    // These are of an earlier file with such data, such as a model was trained on.
    std::vector<std::string> earlier_features = {};  // Their names, where they had names.
    Index earlier_columns = 0;  // This many features there were, or 0 without such a file.
    bool may_lack = false;      // The label and what is ignored were columns of that file and may lack here.
    bool groups_may_lack = false;  // So may the groups.
    bool id_may_lack = false;      // So may the names of rows.
};

}  // namespace dk
