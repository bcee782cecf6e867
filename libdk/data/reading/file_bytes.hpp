// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/files/files.hpp"

struct z_stream_s;

namespace dk {

/// The bytes of a file as they are, or, of a gzip file, what its members hold, one after the other. zlib's
/// own reader takes whatever stands behind the first member, where that is damaged, for nothing; here every
/// byte of the file is of a member, or one of the zeros with which tapes fill the last block.
class FileBytes {
  public:
    /// Opens a file; throws Error(io).
    explicit FileBytes(const std::string& path);
    ~FileBytes();
    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;

    /// Says how many bytes the file has on disk, where it is one whose size is known.
    std::int64_t size_on_disk() const { return size_on_disk_; }

    /// Fills `out` as far as the file goes, and gives the number of bytes. Throws Error(io) where a member is
    /// damaged, or the file ends within one.
    std::size_t read(std::span<char> out);

  private:
    bool refill();
    std::size_t copy(std::span<char> out);
    std::size_t decompress(std::span<char> out);
    bool begins_member();
    [[noreturn]] void refuse(std::string_view why) const;

    std::string path_;
    Descriptor file_;
    std::int64_t size_on_disk_ = 0;
    std::vector<std::uint8_t> block_;
    std::span<const std::uint8_t> unread_;
    std::unique_ptr<z_stream_s, void (*)(z_stream_s*)> stream_;  // null where the file is not compressed
    bool in_member_ = false;
};

}  // namespace dk
