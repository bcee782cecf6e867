// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// A value as it is written: 0.5, 5/d (a number over the number of columns), a rule that finds it on the
/// training data (auto, median, mean; 2*median for a multiple), or another word.
struct WrittenValue {
    enum class Kind { number, per_column, rule, word };
    Kind kind = Kind::number;
    double number = 1;  // of a rule: its factor
    std::string word = {};
};

struct Expression;

/// key=value, a value, or an expression; values may be lists a:b:c.
struct Argument {
    std::string key = {};  // empty for positional arguments
    std::vector<WrittenValue> values = {};
    std::shared_ptr<const Expression> expression = nullptr;  // when the argument is a kernel
    Index position = 0;
};

/// The syntax tree of the kernel language; positions count characters from 1.
struct Expression {
    enum class Kind { number, call, sum, product, power, bank };
    Kind kind = Kind::number;
    double number = 0;  // of a power: the exponent
    std::string name = {};
    std::vector<Argument> arguments = {};
    std::vector<Expression> children = {};
    Index position = 0;
};

/// Parses a kernel or weight specification. Errors name the position and what was expected.
///
///     sum     := product ('+' product)*
///     product := power ('*' power)*
///     power   := factor [ '^' integer ]
///     factor  := number | name [ '(' arguments ')' ] | '[' sum (',' sum)* ']' | '(' sum ')'
Expression parse_expression(std::string_view text);

/// Throws Error(invalid_kernel): "specification, character 5: ...".
[[noreturn]] void fail_at(Index position, const std::string& message);

}  // namespace dk
