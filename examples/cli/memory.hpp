// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace command {

/// Makes the process keep freed memory for later use, some of it in huge pages, because a command on a small
/// file takes longer to get memory from the system, page by page, than to compute. main() calls it first. It
/// does nothing where the C library is not glibc.
void keep_memory();

}  // namespace command
