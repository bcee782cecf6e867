// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "data/dataset.hpp"
#include "model/archive/archive.hpp"

namespace dk {

/// Writes the features of data, without labels. Of similarities it writes the training rows' positions and
/// their similarities to themselves.
void write_features(ArchiveWriter out, const Dataset& data);

/// Reads features of so many rows. Throws Error(model_format) where they contradict each other.
Dataset read_features(const ArchiveReader& in, Index rows);

}  // namespace dk
