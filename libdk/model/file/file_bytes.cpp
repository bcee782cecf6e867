// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/error.hpp"
#include "base/files/files.hpp"
#include "base/memory.hpp"
#include "model/file/model_file.hpp"

namespace dk {

namespace {

/// Reads `count` more bytes, or as many as the file has, and tells whether it has them all.
bool read_more(std::vector<std::uint8_t>& bytes, std::size_t count, const Descriptor& file,
               const std::string& path) {
    const std::size_t used = bytes.size();
    bytes.resize(used + count);
    const auto read = read_all(file, std::span(bytes).subspan(used));
    if (!read) fail_with_file("read", path);
    bytes.resize(used + *read);
    return *read == count;
}

}  // namespace

std::vector<std::uint8_t> load_model_bytes(const std::string& path, Control& control) {
    const Descriptor file = open_to_read(path);
    if (!file.is_open()) fail_with_file("open", path);
    std::vector<std::uint8_t> bytes;
    static_cast<void>(read_more(bytes, model_header_size, file, path));
    const std::uint64_t payload = payload_size(bytes);
    const auto facts = facts_of(file);
    if (!facts) fail_with_file("read", path);
    if (facts->is_regular && 1.0 * payload > 1.0 * facts->bytes) {
        fail(Status::model_format, "truncated or damaged model: a file of ", facts->bytes,
             " bytes, whose header says that its payload has ", payload);
    }
    control.memory().require(1.0 * payload, text("a model file of ", payload, " bytes"));
    if (facts->is_regular) bytes.reserve(model_header_size + payload + 1);
    constexpr std::uint64_t chunk = std::uint64_t{1} << 22U;
    std::uint64_t left = payload + 1;  // The one more lets a read see the end.
    while (left > 0) {
        control.check();
        const std::uint64_t some = std::min(left, chunk);
        if (!read_more(bytes, some, file, path)) break;
        left -= some;
    }
    return bytes;
}

}  // namespace dk
