// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kernel/engine/gram_engine.hpp"

namespace dk {

/// Computes out = K v for the first kernel's matrix K, which is never stored. Both sides must be the same
/// dataset. Each pair's value is computed once and serves both of its rows. The sums are the same bits for
/// any number of threads, but not those of GramEngine::product(), which adds in another order.
void symmetric_product(const GramEngine<double>& engine, std::span<const double> v, std::span<double> out,
                       Control& control);

}  // namespace dk
