// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "kernel/engine/kernel.hpp"
#include "model/archive/archive.hpp"
#include "model/archive/reading_context.hpp"

namespace dk {

/// How far a row lies from the training rows, and how usual that is.
struct RowNovelty {
    double distance = 0;  // from the nearest reference row in feature space
    double p = 1;         // how likely a row like the training rows lies at least as far
};

/// What tells how far rows may lie from the training rows: some training rows as reference, and how far
/// others lie from these.
class NoveltyReference {
  public:
    NoveltyReference(KernelPointer kernel, Dataset rows, std::vector<double> distances);

    /// Tells it of each row, which is prepared as training rows were.
    std::vector<RowNovelty> of(const Dataset& data, Control& control) const;
    void write(ArchiveWriter out) const;

  private:
    KernelPointer kernel_;
    Dataset rows_;
    std::vector<double> distances_;  // of other training rows from their nearest reference row; these ascend
};

/// Draws the reference rows, at most half of all and at most 1000, and measures at most 2000 others. Throws
/// Error(unsupported) for similarities, and Error(invalid_data) for fewer than four rows.
NoveltyReference novelty_reference(const KernelPointer& kernel, const Dataset& data, std::uint64_t seed,
                                   Control& control);

/// Reads it for a model whose machine is given rows of this kind.
NoveltyReference read_novelty(const ArchiveReader& in, const KernelPointer& kernel,
                              const ReadingContext& context);

}  // namespace dk
