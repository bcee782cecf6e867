// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "solve/squares/ridge_factor.hpp"

namespace dk {

/// A factor that is made at first need and kept for all further calls, of several threads too.
class FactorAtNeed {
  public:
    /// Gives the factor, which `make` makes where there is none. Calls of other threads wait meanwhile.
    std::shared_ptr<const RidgeFactor> get(const std::function<std::shared_ptr<const RidgeFactor>()>& make) {
        const std::lock_guard lock(mutex_);
        if (!factor_) factor_ = make();
        return factor_;
    }

  private:
    std::mutex mutex_;
    std::shared_ptr<const RidgeFactor> factor_;
};

}  // namespace dk
