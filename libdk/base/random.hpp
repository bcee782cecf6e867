// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

namespace dk {

/// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and the same numbers on every machine, which
/// the distributions of the standard library do not promise.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }

    /// Uniform in [0, 1).
    double uniform() { return (next() >> 11U) * 0x1p-53; }

    /// Uniform in [0, bound), bound > 0, without modulo bias.
    std::uint64_t below(std::uint64_t bound) {
        const std::uint64_t threshold = -bound % bound;
        std::uint64_t draw = next();
        while (draw < threshold) draw = next();
        return draw % bound;
    }

    /// Normal of mean 0 and variance 1, by Box and Muller.
    double normal() {
        const double radius = std::sqrt(-2 * std::log1p(-uniform()));
        return radius * std::cos(6.283185307179586 * uniform());
    }

    template <typename T>
    void shuffle(std::span<T> values) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
    }

  private:
    std::uint64_t state_;
};

}  // namespace dk
