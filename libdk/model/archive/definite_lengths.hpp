// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/control.hpp"

namespace dk {

/// Counts the items of a CBOR document all of whose lengths are definite and lie within it, as those are that
/// libdk writes; gives nothing for another. Items of indefinite length can nest or follow one another without
/// end, which overflows the stack of a reader that recurses.
std::optional<std::size_t> count_definite_items(std::span<const std::uint8_t> document, Control& control);

}  // namespace dk
