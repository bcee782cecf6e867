// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// A value as it is written: a number (0.5), a number over the number of columns (5/d), a rule that finds the
/// value on the training data (auto, median, mean) or its multiple (2*median), or another word.
struct WrittenValue {
    enum class Kind { number, per_column, rule, word };
    Kind kind = Kind::number;
    double number = 1;  // the number, or the factor of a rule
    std::string word = {};
};

struct Expression;

/// An argument of a call: key=value, a value alone, or a kernel. The value may be a list a:b:c.
struct Argument {
    std::string key = {};  // is empty where the argument has no key
    std::vector<WrittenValue> values = {};
    std::shared_ptr<const Expression> expression = nullptr;  // the kernel, where the argument is one
    Index position = 0;
};

/// A node of the syntax tree of the kernel language. Positions count the characters of the text from 1.
struct Expression {
    enum class Kind { number, call, sum, product, power, bank };
    Kind kind = Kind::number;
    double number = 0;  // the number, or the exponent of a power
    std::string name = {};
    std::vector<Argument> arguments = {};
    std::vector<Expression> children = {};
    Index position = 0;
};

/// Parses a kernel or weight specification by the grammar below. Errors name the position and what was
/// expected.
///
///     sum     := product ('+' product)*
///     product := power ('*' power)*
///     power   := factor [ '^' integer ]
///     factor  := number | name [ '(' arguments ')' ] | '[' sum (',' sum)* ']' | '(' sum ')'
Expression parse_expression(std::string_view text);

/// Throws Error(invalid_kernel) with a message such as "specification, character 5: ...".
[[noreturn]] void fail_at(Index position, const std::string& message);

}  // namespace dk
