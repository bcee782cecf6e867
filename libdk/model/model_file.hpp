// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace dk {

// Format, all numbers little-endian:
//     8 bytes "DKMODEL" and a zero, u32 major version, u32 minor version,
//     u64 length of the payload, u32 CRC-32 of everything before and of the payload, payload.
// The payload is the u64 length of the description, the description in CBOR, and the bytes of its blocks
// (their number is in the description) in its order, keys being sorted. Readers refuse a larger major
// version; a minor version adds fields that old readers ignore.

std::vector<std::uint8_t> write_model(const Model& model);

/// Throws Error(model_format) for anything that is not a whole, undamaged model.
Model read_model(std::span<const std::uint8_t> bytes, const PredictorReaders& readers);

/// To a temporary file beside `path`, synced, then renamed: a crash leaves the old file.
void save_bytes(const std::string& path, std::span<const std::uint8_t> bytes);
std::vector<std::uint8_t> load_bytes(const std::string& path);

}  // namespace dk
