// SPDX-License-Identifier: Apache-2.0
#include "weights/strategy/expression.hpp"

#include "base/text.hpp"
#include "kernel/language/bank.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

void check_expression(ParameterType type, std::string_view value) {
    if (type == ParameterType::kernel && trimmed(value) != "auto") check_kernel_text(value);
    if (type == ParameterType::weights) parse_weights(value);
}

}  // namespace dk
