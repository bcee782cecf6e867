// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exchange/adopted_model.hpp"
#include "exchange/model_text.hpp"

namespace dk {

/// What libdk's own writers tell of columns, for which the formats of other programs have no lines: their
/// names, what fills missing values, and the shifts and scales of the values that the functions are of.
struct ColumnLines {
    std::vector<std::string> names = {};
    std::vector<double> fill = {};
    std::vector<double> shift = {};
    std::vector<double> scale = {};

    /// Reads a line of the header that begins with this word; gives false for other words.
    bool read(ModelText& text, std::string_view key);
    /// Adds them to a model whose rows are known.
    void add_to(AdoptedModel& adopted, const ModelText& text) const;
};

}  // namespace dk
