// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/report.hpp"
#include "base/types.hpp"
#include "data/dataset.hpp"

namespace dk {

// The pieces of a model file. Numbers in arrays are binary blocks, little-endian whatever the machine;
// everything read is checked, because a file may be damaged or hostile.

nlohmann::json block(std::span<const double> values);
nlohmann::json block(std::span<const Index> values);

/// Moves the bytes of all blocks out of a description, which keeps their numbers, in its order; and back. A
/// model is hardly anything but blocks, and CBOR is read byte by byte.
std::vector<std::uint8_t> detach_blocks(nlohmann::json& description);
void attach_blocks(nlohmann::json& description, std::span<const std::uint8_t> blocks);

/// The element `key`; throws Error(model_format) naming it when it is missing.
const nlohmann::json& field(const nlohmann::json& object, const std::string& key);

std::vector<double> read_doubles(const nlohmann::json& object, const std::string& key, Index expected);
/// With every value in [lowest, highest].
std::vector<Index> read_indices(const nlohmann::json& object, const std::string& key, Index expected,
                                Index lowest, Index highest);
Index read_count(const nlohmann::json& object, const std::string& key, Index lowest, Index highest);
std::string read_text(const nlohmann::json& object, const std::string& key);
std::vector<std::string> read_texts(const nlohmann::json& object, const std::string& key);

/// Features only; of similarities the training positions and self-similarities.
nlohmann::json archive_features(const Dataset& data);
Dataset read_features(const nlohmann::json& object, Index rows);

nlohmann::ordered_json to_json(const Report& report);

/// Largest count that a file may state, far above any model and far below overflow.
inline constexpr Index largest_count = Index{1} << 40;

}  // namespace dk
