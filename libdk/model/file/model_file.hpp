// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace dk {

// A model file is, all numbers being little-endian:
//     8 bytes "DKMODEL" and a zero, u32 major version, u32 minor version,
//     u64 length of the payload, u32 CRC-32 of everything before and of the payload, payload.
// The payload is the u64 length of the description, the description in CBOR, and the bytes of its blocks one
// after the other in the order of the description, whose keys are sorted; in the place of a block the
// description holds the number of its bytes. A reader refuses a larger major version, and a model is written
// with the least version whose readers know what it is made of. A minor version adds fields, which readers of
// earlier ones may ignore.

/// Gives the bytes of a model file.
std::vector<std::uint8_t> write_model(const Model& model);

/// Throws Error(numerical), naming the field, where the model has a number that is not finite, so that no
/// training succeeds whose model could not be kept.
void require_finite_numbers(const Model& model);

/// Reads the bytes of a model file. Throws Error(model_format) for anything that is not a whole, undamaged
/// model, and Error(memory_budget) for one that needs more memory than the control allows.
Model read_model(std::span<const std::uint8_t> bytes, Control& control);

/// The number of bytes before the payload.
inline constexpr std::size_t model_header_size = 28;

/// Gives the number of bytes of the payload that a header announces. Throws Error(model_format) when these
/// are no header of a model that this library reads.
std::uint64_t payload_size(std::span<const std::uint8_t> header);

/// Reads a model file. It looks at the header first, so that it doesn't read what is no model.
std::vector<std::uint8_t> load_model_bytes(const std::string& path, Control& control);

}  // namespace dk
