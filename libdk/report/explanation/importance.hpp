// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace dk {

/// How much worse a model predicts when one column tells nothing.
struct ColumnImportance {
    std::string name;
    double loss = 0;       // the mean fall of the measure over the shuffles
    double deviation = 0;  // of that over the shuffles
};

/// The importances of columns, the largest first, and the measure that falls.
struct Importances {
    std::string measure = {};  // accuracy, or r2
    double score = 0;          // of the rows as they are
    Index rows = 0;            // so many took part
    std::vector<ColumnImportance> columns = {};
};

/// Shuffles each column of labelled rows five times, and measures what that costs. Columns that a reader made
/// of one, such as colour=red and colour=blue, are shuffled together. At most 1000 rows take part, which
/// `seed` draws. There are none for rows without columns, without answers, and of more than 300 columns.
Importances permutation_importances(const Model& model, const Dataset& data, std::uint64_t seed,
                                    Control& control);

}  // namespace dk
