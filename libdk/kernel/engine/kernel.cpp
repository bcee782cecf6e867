// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/kernel.hpp"

#include "base/text.hpp"

namespace dk {

std::vector<WeightedKernel> Kernel::terms() const {
    return {};
}

std::string text_on_columns(const Columns& columns, const std::string& function) {
    if (columns.empty()) return function;
    std::string ranges;
    for (std::size_t begin = 0; begin < columns.size();) {
        std::size_t end = begin;
        while (end + 1 < columns.size() && columns[end + 1] == columns[end] + 1) ++end;
        ranges += begin == end ? text(columns[begin], ", ") : text(columns[begin], ":", columns[end], ", ");
        begin = end + 1;
    }
    return "on(" + ranges + function + ")";
}

}  // namespace dk
