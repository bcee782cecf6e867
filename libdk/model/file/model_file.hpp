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
// description holds the number of its bytes. A reader refuses a larger major version. A minor version adds
// fields, which readers of earlier ones ignore.

/// Gives the bytes of a model file.
std::vector<std::uint8_t> write_model(const Model& model);

/// Reads the bytes of a model file. Throws Error(model_format) for anything that is not a whole, undamaged
/// model.
Model read_model(std::span<const std::uint8_t> bytes);

/// Writes a temporary file beside `path`, syncs it and renames it, so that a crash leaves the old file.
void save_bytes(const std::string& path, std::span<const std::uint8_t> bytes);
/// Reads the whole file.
std::vector<std::uint8_t> load_bytes(const std::string& path);

}  // namespace dk
