// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/gram/training_gram.hpp"
#include "model/archive/archive.hpp"

namespace dk {

/// Writes a kernel with what it learned from training rows, as the fields "kernel" and "kernel_states".
void write_kernel(ArchiveWriter out, const Kernel& kernel);
/// Reads such a kernel. `support` are the rows of the model, which are of the kind of data that the kernel
/// compares.
KernelPointer read_kernel(const ArchiveReader& in, const Dataset& support, Control& control);

/// Writes the number type of kernel values, as the field "precision".
void write_precision(ArchiveWriter out, Precision precision);
/// Reads the number type of kernel values.
Precision read_precision(const ArchiveReader& in);

/// Gives the rows that a model is made of, with as much of them as predicting needs.
Dataset kept_rows(const Kernel& kernel, const Dataset& support, Control& control);

}  // namespace dk
