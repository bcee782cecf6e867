// SPDX-License-Identifier: Apache-2.0
// This header changes the bytes of a model file so that its checksum stays right, as somebody does who means
// harm.
#ifndef DK_TESTS_ABI_MODEL_BYTES_HPP
#define DK_TESTS_ABI_MODEL_BYTES_HPP

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dk_test {

using Bytes = std::vector<unsigned char>;

// A model file is a frame, all numbers little endian: magic (8), major version (4), minor version (4), length
// of the payload (8), CRC-32 of the 24 bytes before it and of the payload (4), payload. The payload is the
// length of the description (8), the description in CBOR, and the bytes of the blocks that it names.
constexpr std::size_t version_at = 8;
constexpr std::size_t length_at = 16;
constexpr std::size_t checksum_at = 24;
constexpr std::size_t payload_at = 28;
constexpr std::size_t description_at = payload_at + 8;

inline void put(Bytes& bytes, std::size_t at, uint64_t value, std::size_t count) {
    for (std::size_t byte = 0; byte < count; ++byte) {
        bytes[at + byte] = static_cast<unsigned char>(value >> (8 * byte));
    }
}

inline uint64_t number_at(const Bytes& bytes, std::size_t at, std::size_t count) {
    uint64_t value = 0;
    for (std::size_t byte = 0; byte < count; ++byte) value |= uint64_t{bytes[at + byte]} << (8 * byte);
    return value;
}

/// Gives the bytes the length and the checksum that belong to them.
inline Bytes sealed(Bytes bytes) {
    const std::size_t length = bytes.size() - payload_at;
    put(bytes, length_at, length, 8);
    uLong checksum = crc32(0, bytes.data(), checksum_at);
    checksum = crc32(checksum, bytes.data() + payload_at, static_cast<uInt>(length));
    put(bytes, checksum_at, checksum, 4);
    return bytes;
}

/// Replaces one part of the description by another one, and changes its length.
inline Bytes with_part(Bytes bytes, const std::string& old_part, const std::string& new_part) {
    const auto found = std::ranges::search(bytes, Bytes(old_part.begin(), old_part.end()));
    EXPECT_FALSE(found.empty()) << old_part;
    if (found.empty()) return bytes;
    const uint64_t length = number_at(bytes, payload_at, 8);
    const auto at = bytes.erase(found.begin(), found.end());
    bytes.insert(at, new_part.begin(), new_part.end());
    put(bytes, payload_at, length + new_part.size() - old_part.size(), 8);
    return bytes;
}

/// Writes a text as CBOR has it.
inline std::string cbor_text(const std::string& text) {
    const auto byte = [](std::size_t value) { return static_cast<char>(value & 0xFFU); };
    const std::size_t size = text.size();
    if (size < 24) return byte(0x60 + size) + text;
    if (size < 256) return std::string{byte(0x78), byte(size)} + text;
    return std::string{byte(0x79), byte(size >> 8U), byte(size)} + text;
}

/// Gives the first field of this name another text in the place of the one that it has.
inline Bytes with_field(const Bytes& bytes, const std::string& name, const std::string& old_text,
                        const std::string& new_text) {
    return with_part(bytes, cbor_text(name) + cbor_text(old_text), cbor_text(name) + cbor_text(new_text));
}

/// Gives the first field of this name another text, whatever text it has.
inline Bytes with_any_field(const Bytes& bytes, const std::string& name, const std::string& new_text) {
    const std::string key = cbor_text(name);
    const auto found = std::ranges::search(bytes, key);
    EXPECT_FALSE(found.empty()) << name;
    if (found.empty()) return bytes;
    const auto head = static_cast<std::size_t>(found.end() - bytes.begin());
    const unsigned kind = bytes[head];
    const std::size_t size = kind < 0x78    ? kind - 0x60
                             : kind == 0x78 ? bytes[head + 1]
                                            : 256U * bytes[head + 1] + bytes[head + 2];
    const std::size_t begin = head + (kind < 0x78 ? 1 : kind == 0x78 ? 2 : 3);
    const std::string old_text(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                               bytes.begin() + static_cast<std::ptrdiff_t>(begin + size));
    return with_field(bytes, name, old_text, new_text);
}

/// Gives numbers of the model other values wherever they stand, such as a coefficient.
inline Bytes with_number(Bytes bytes, double old_number, double new_number) {
    const auto old_bits = std::bit_cast<uint64_t>(old_number);
    std::size_t changed = 0;
    for (std::size_t at = description_at; at + 8 <= bytes.size(); ++at) {
        if (number_at(bytes, at, 8) != old_bits) continue;
        put(bytes, at, std::bit_cast<uint64_t>(new_number), 8);
        ++changed;
    }
    EXPECT_GT(changed, 0U) << old_number;
    return bytes;
}

}  // namespace dk_test

#endif  // DK_TESTS_ABI_MODEL_BYTES_HPP
