// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.hpp"

#include <cerrno>
#include <random>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

int Descriptor::release() {
    return std::exchange(value_, -1);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
}

std::string take_free_name(const std::string& path, const std::function<bool(const std::string&)>& take) {
    constexpr int most_attempts = 1000;
    std::random_device number;  // Names that others can guess could be taken before.
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        std::string name = text(path, ".", number(), ".tmp");
        if (take(name)) return name;
        if (errno != EEXIST) break;
    }
    fail_with_file("write", path);
}

void fail_with_file(const char* what, const std::string& path) {
    fail(Status::io, "cannot ", what, " ", in_quotes(path), ": ", system_message(errno));
}

}  // namespace dk
