// SPDX-License-Identifier: Apache-2.0
// The command is written with dk.hpp and nothing else of the library.
#pragma once

#include <dk/dk.hpp>

namespace command {

using libdk::Data;
using libdk::Model;
using LibraryError = libdk::Error;

inline Data select_row(const Data& data, int64_t row) {
    return data.select({&row, 1});
}

}  // namespace command
