// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "data/dataset.hpp"
#include "model/archive/archive.hpp"
#include "model/archive/reading_context.hpp"

namespace dk {

/// Writes the features of data, without labels. Of similarities it writes the training rows' positions and
/// their similarities to themselves.
void write_features(ArchiveWriter out, const Dataset& data);

/// Reads features of so many rows. Throws Error(model_format) where they contradict each other.
Dataset read_features(const ArchiveReader& in, Index rows);

/// Reads rows with which a predictor compares those that it is given, so that they are of their kind and have
/// their columns.
Dataset read_compared_rows(const ArchiveReader& in, Index rows, const ReadingContext& context);

}  // namespace dk
