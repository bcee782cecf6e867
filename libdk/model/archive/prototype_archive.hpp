// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/archive/archive.hpp"
#include "prototype/canonical.hpp"

namespace dk {

/// Writes the training rows that are nearest to each prototype.
void write_nearest_rows(ArchiveWriter out, const PrototypeSet& set);

/// Reads them into a set whose prototypes have their classes already. Throws Error(model_format) where they
/// do not fit.
void read_nearest_rows(const ArchiveReader& in, Index training_rows, PrototypeSet& set);

}  // namespace dk
