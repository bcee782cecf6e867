// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/archive/archive.hpp"
#include "model/archive/reading_context.hpp"
#include "model/preparation.hpp"

namespace dk {

/// Writes a scaler and layers among the fields of a model.
void write_preparation(ArchiveWriter out, const Preparation& preparation);

/// Reads them again. Throws Error(model_format) where a layer does not fit the columns that the one before it
/// leaves; the context has the columns of the data.
Preparation read_preparation(const ArchiveReader& in, const ReadingContext& context);

}  // namespace dk
