// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "solve/squares/ridge_factor.hpp"

namespace dk {

/// A factor that is made at first need and kept for all further calls, of several threads too.
class FactorAtNeed {
  public:
    /// Gives the factor, which `make` makes where there is none. Nothing is locked meanwhile, since `make`
    /// may ask others, and of several threads that need it at once each makes it; the first one's is kept.
    std::shared_ptr<const RidgeFactor> get(const std::function<std::shared_ptr<const RidgeFactor>()>& make) {
        if (auto known = kept(nullptr)) return known;
        return kept(make());
    }

  private:
    /// Keeps what is given where there is none yet, and gives what is kept.
    std::shared_ptr<const RidgeFactor> kept(std::shared_ptr<const RidgeFactor> given) {
        const std::lock_guard lock(mutex_);
        if (!factor_) factor_ = std::move(given);
        return factor_;
    }

    std::mutex mutex_;
    std::shared_ptr<const RidgeFactor> factor_;
};

}  // namespace dk
