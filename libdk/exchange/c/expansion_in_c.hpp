// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "exchange/functions/exported_functions.hpp"

namespace dk {

/// The formulas of functions over a row x: what stands before a function, and the statements in it.
struct ExpansionInC {
    std::string functions;  // of layers, which must stand before all else
    std::string constants;
    std::string statements;     // They write W' k(Z, x) + b, or k(Z, x), to the array of this name.
    std::string square_of_row;  // k(x, x), where it was wanted
    std::string variables;      // what the statements need beside p and f

    bool reads_row() const {
        return statements.find("x[c]") != std::string::npos || statements.find("(x, ") != std::string::npos;
    }
};

/// Writes functions, whose sizes are the constants POINTS, FEATURES and FUNCTIONS. The names of functions of
/// layers begin with the prefix.
ExpansionInC expansion_in_c(const ExportedExpansion& functions, std::string_view to, bool wants_square,
                            const std::string& prefix);

}  // namespace dk
