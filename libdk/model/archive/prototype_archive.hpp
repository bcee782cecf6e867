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

/// Writes and reads the prototypes p+ and p- of each function.
void write_pairs(ArchiveWriter out, const PrototypeSet& set);
PrototypeSet read_pairs(const ArchiveReader& in, Index functions, Index classes, Index training_rows);

}  // namespace dk
