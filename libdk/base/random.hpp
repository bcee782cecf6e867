// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace dk {

/// Draws random numbers by SplitMix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators,
/// OOPSLA 2014). The numbers are the same on every machine, which the standard library's distributions do not
/// promise.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }

    /// Draws from the uniform distribution on [0, 1).
    double uniform() { return (next() >> 11U) * 0x1p-53; }

    /// Draws an integer from 0 to bound - 1, each with the same probability; bound > 0.
    std::uint64_t below(std::uint64_t bound) {
        const std::uint64_t threshold = -bound % bound;
        std::uint64_t draw = next();
        while (draw < threshold) draw = next();
        return draw % bound;
    }

    /// Draws from the normal distribution with mean 0 and variance 1, by the method of Box and Muller.
    double normal();

    template <typename T>
    void shuffle(std::span<T> values) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
    }

  private:
    std::uint64_t state_;
};

}  // namespace dk
