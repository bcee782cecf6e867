// SPDX-License-Identifier: Apache-2.0
#include "base/system/files.hpp"

#include <cerrno>
#include <utility>

#include "base/error.hpp"

namespace dk {

int Descriptor::release() {
    return std::exchange(value_, -1);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
}

void fail_with_file(const char* what, const std::string& path) {
    fail(Status::io, "cannot ", what, " ", in_quotes(path), ": ", system_message(errno));
}

}  // namespace dk
