// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// Texts in UTF-8.
struct StringSet {
    std::vector<std::string> texts = {};

    Index rows() const { return std::ssize(texts); }

    Index row_count() const { return rows(); }
    Index column_count() const { return 1; }
    double bytes() const;
    StringSet select(std::span<const Index> chosen) const;
    void require_finite() const {}  // There are no numbers.
};

}  // namespace dk
