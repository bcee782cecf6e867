// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "support.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk::test {

/// Gives what the report of weights says under a name.
template <typename Value>
Value entry(const KernelWeights& result, const std::string& wanted) {
    for (const auto& [name, value] : result.report.entries()) {
        if (name == wanted) return std::get<Value>(value);
    }
    ADD_FAILURE() << "no " << wanted;
    return {};
}

}  // namespace dk::test
