// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"

namespace dk {

/// The lines "label qid:query index:value ..." of a file, where queries may lack. In a file where rows have
/// several labels, "3,1", some may have none. Index 1 is column 0 of the matrix, so that index 0 is column
/// -1.
struct LibsvmRows {
    SparseMatrix matrix = {};
    std::vector<std::string_view> labels = {};
    std::vector<std::int64_t> queries = {};  // This is empty where the file has none.
    bool has_zero = false;                   // The index 0 stands somewhere.
    bool has_sets = false;                   // Rows have labels with commas between them, or none.
};

/// Reads the lines of a file, parts of it in several threads. It reports the first mistake in the file, which
/// an index is that is smaller than the least one.
/// `are_sets` says that rows may have several labels, or none, also where no line of this file has a comma.
LibsvmRows read_libsvm_rows(std::string_view content, Index least_index, bool are_sets, Control& control);

}  // namespace dk
