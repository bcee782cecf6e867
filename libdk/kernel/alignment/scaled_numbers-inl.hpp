// SPDX-License-Identifier: Apache-2.0
//
// Numbers that are not negative and beyond the range of a double: a value times two to the power of an
// integer exponent, which is a double itself. Files that Highway compiles once for every set of instructions
// include this one again for each set. So its guard changes with Highway's target.
#if defined(DK_KERNEL_ALIGNMENT_SCALED_NUMBERS) == defined(HWY_TARGET_TOGGLE)
#ifdef DK_KERNEL_ALIGNMENT_SCALED_NUMBERS
#undef DK_KERNEL_ALIGNMENT_SCALED_NUMBERS
#else
#define DK_KERNEL_ALIGNMENT_SCALED_NUMBERS
#endif

#include <hwy/highway.h>

#include "kernel/alignment/series_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {

/// value 2^exponent in every lane.
struct Scaled {
    V value;
    V exponent;
};

/// The exponent of 0, or less. Integers beyond it are still exact in a double.
constexpr double nothing = -1e15;

/// Exponents that scales may have are few, so that neighbours often have the same.
HWY_INLINE V whole_strides(V e) {
    constexpr double stride = 128;
    return hn::Mul(constant(stride), hn::Round(hn::Mul(e, constant(1 / stride))));
}

/// Gives 2^e for integers e, of which those outside a double's range are taken for its ends.
HWY_INLINE V power_of_two(V e) {
    const hn::RebindToSigned<D> integers;
    const V within = hn::Min(hn::Max(e, constant(-1022)), constant(1023));
    return hn::BitCast(D(),
                       hn::ShiftLeft<52>(hn::Add(hn::ConvertTo(integers, within), hn::Set(integers, 1023))));
}

/// Gives x 2^e, also where 2^e is beyond the range and the product is not.
HWY_INLINE V times_power(V x, V e) {
    if (hn::AllTrue(D(), hn::Eq(e, hn::Zero(D())))) return x;
    const V half = hn::Floor(hn::Mul(e, constant(0.5)));
    return hn::Mul(hn::Mul(x, power_of_two(half)), power_of_two(hn::Sub(e, half)));
}

/// Gives the integer part of log2 x, or less than any exponent where x is 0.
HWY_INLINE V log2_of(V x) {
    const hn::RebindToSigned<D> integers;
    const auto bits = hn::ShiftRight<52>(hn::BitCast(integers, x));
    const V exponent = hn::Sub(hn::ConvertTo(D(), bits), constant(1023));
    return hn::IfThenElse(hn::Gt(x, hn::Zero(D())), exponent, constant(nothing));
}
HWY_INLINE V size_of(const Scaled& number) {
    return hn::Add(number.exponent, log2_of(number.value));
}

/// Gives the same number with a value in [1, 2), or 0.
HWY_INLINE Scaled normalised(const Scaled& number) {
    const hn::RebindToSigned<D> integers;
    const auto bits = hn::BitCast(integers, number.value);
    const auto one = hn::Set(integers, std::int64_t{1023} << 52U);
    const auto digits = hn::And(bits, hn::Set(integers, (std::int64_t{1} << 52U) - 1));
    const auto some = hn::Gt(number.value, hn::Zero(D()));
    return {hn::IfThenElseZero(some, hn::BitCast(D(), hn::Or(digits, one))),
            hn::IfThenElse(some, size_of(number), constant(nothing))};
}

HWY_INLINE Scaled product(const Scaled& a, const Scaled& b) {
    return {hn::Mul(a.value, b.value), hn::Add(a.exponent, b.exponent)};
}

/// Gives (a + b) + c of normalised numbers.
HWY_INLINE Scaled sum(const Scaled& a, const Scaled& b, const Scaled& c) {
    const V top = hn::Max(a.exponent, hn::Max(b.exponent, c.exponent));
    const auto at_top = [&](const Scaled& number) {
        return hn::Mul(number.value, power_of_two(hn::Sub(number.exponent, top)));
    };
    return {hn::Add(hn::Add(at_top(a), at_top(b)), at_top(c)), top};
}

}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
