// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <type_traits>

#include "kernel/engine/gram_engine.hpp"
#include "kernel/gram/training_gram.hpp"

namespace dk {

/// The rows that a predictor compares others with, prepared for its kernel in its precision.
class ModelRows {
  public:
    /// `rows` must outlive it. They are prepared under the control of the call that makes or reads the model.
    ModelRows(const Kernel& kernel, Precision precision, const Dataset& rows, Control& control) {
        if (precision == Precision::real32) {
            single_.emplace(kernel, rows, control);
        } else {
            wide_.emplace(kernel, rows, control);
        }
    }

    template <typename T>
    const PreparedRows<T>& in() const {
        if constexpr (std::is_same_v<T, float>) {
            return *single_;
        } else {
            return *wide_;
        }
    }

  private:
    std::optional<PreparedRows<double>> wide_;
    std::optional<PreparedRows<float>> single_;
};

}  // namespace dk
