// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace command {

/// Keeps memory that was given back for what comes next, the first of it in huge pages: a command on a small
/// file takes longer to get memory from the system, page by page, than to compute. At the start of a process;
/// where the C library is another than glibc it does nothing.
void keep_memory();

}  // namespace command
