// SPDX-License-Identifier: Apache-2.0
#include "solve/rotations.hpp"

// Highway compiles this file once for every instruction set and dispatches at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solve/rotations.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;

/// One vector of columns: the row that the next rotation shares stays in a register.
template <class Tag>
void rotate_columns(Tag d, std::span<const Rotation> rotations, double* matrix, Index stride) {
    auto upper = hn::Zero(d);
    for (std::size_t r = 0; r < rotations.size(); ++r) {
        const auto& [row, cosine, sine] = rotations[r];
        double* at = matrix + row * stride;
        if (r == 0 || rotations[r - 1].row != row + 1) upper = hn::LoadU(d, at + stride);
        const auto lower = hn::LoadU(d, at);
        const auto c = hn::Set(d, cosine);
        const auto s = hn::Set(d, sine);
        hn::StoreU(hn::MulAdd(s, lower, hn::Mul(c, upper)), d, at + stride);
        upper = hn::MulSub(c, lower, hn::Mul(s, upper));
        if (r + 1 == rotations.size() || rotations[r + 1].row != row - 1) hn::StoreU(upper, d, at);
    }
}

/// The same for four vectors at once, whose chains of operations overlap.
void rotate_four(std::span<const Rotation> rotations, double* matrix, Index stride) {
    const D d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    auto upper0 = hn::Zero(d);
    auto upper1 = upper0;
    auto upper2 = upper0;
    auto upper3 = upper0;
    for (std::size_t r = 0; r < rotations.size(); ++r) {
        const auto& [row, cosine, sine] = rotations[r];
        double* low = matrix + row * stride;
        double* high = low + stride;
        if (r == 0 || rotations[r - 1].row != row + 1) {
            upper0 = hn::LoadU(d, high);
            upper1 = hn::LoadU(d, high + lanes);
            upper2 = hn::LoadU(d, high + 2 * lanes);
            upper3 = hn::LoadU(d, high + 3 * lanes);
        }
        const auto c = hn::Set(d, cosine);
        const auto s = hn::Set(d, sine);
        const auto step = [&](auto& upper, Index at) {
            const auto lower = hn::LoadU(d, low + at);
            hn::StoreU(hn::MulAdd(s, lower, hn::Mul(c, upper)), d, high + at);
            upper = hn::MulSub(c, lower, hn::Mul(s, upper));
        };
        step(upper0, 0);
        step(upper1, lanes);
        step(upper2, 2 * lanes);
        step(upper3, 3 * lanes);
        if (r + 1 < rotations.size() && rotations[r + 1].row == row - 1) continue;
        hn::StoreU(upper0, d, low);
        hn::StoreU(upper1, d, low + lanes);
        hn::StoreU(upper2, d, low + 2 * lanes);
        hn::StoreU(upper3, d, low + 3 * lanes);
    }
}

void rotate(std::span<const Rotation> rotations, double* matrix, Index stride, Index first, Index last) {
    const D d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    Index j = first;
    for (; j + 4 * lanes <= last; j += 4 * lanes) rotate_four(rotations, matrix + j, stride);
    for (; j + lanes <= last; j += lanes) rotate_columns(d, rotations, matrix + j, stride);
    for (; j < last; ++j) rotate_columns(hn::CappedTag<double, 1>(), rotations, matrix + j, stride);
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

HWY_EXPORT(rotate);

void apply_rotations(std::span<const Rotation> rotations, double* matrix, Index stride, Index first,
                     Index last) {
    HWY_DYNAMIC_DISPATCH(rotate)(rotations, matrix, stride, first, last);
}

}  // namespace dk
#endif  // HWY_ONCE
