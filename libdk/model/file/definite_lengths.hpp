// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace dk {

/// Tells whether all texts, byte strings, arrays and maps of a CBOR document (RFC 8949) say their lengths at
/// their beginning, and none is longer than what is left of the document. The parser calls itself for each
/// chunk of a text of indefinite length, so that a small document can overflow the stack. Models have none.
bool has_definite_lengths(std::span<const std::uint8_t> document);

}  // namespace dk
