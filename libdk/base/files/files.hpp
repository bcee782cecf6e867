// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace dk {

// Names of files are UTF-8; Linux takes any bytes for one, Windows refuses others with Error(io). Where a
// function here gives nothing, or what is not open, errno says why.

/// A file descriptor that closes itself.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int value) : value_(value) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    bool is_open() const { return value_ >= 0; }
    int get() const { return value_; }
    /// Gives the descriptor away to one who closes it.
    int release();
    /// Tells whether all that was written has been taken.
    bool close();

  private:
    int value_ = -1;
};

struct FileFacts {
    bool is_regular = false;
    bool is_folder = false;
    std::int64_t bytes = 0;
};
std::optional<FileFacts> facts_of(const std::string& path);
std::optional<FileFacts> facts_of(const Descriptor& file);

Descriptor open_to_read(const std::string& path);

/// Reads until the bytes are full or the file ends, and gives the number of bytes read.
std::optional<std::size_t> read_all(const Descriptor& file, std::span<std::uint8_t> bytes);

/// Writes a new file, syncs it and lets it take the place of the one at `path`. A crash leaves the old file
/// whole. On Linux the file is that to which links from `path` lead, it has the permissions of the old one,
/// and a crash hardly ever leaves anything else. On Windows it takes the place of a link itself, has the
/// rights that its folder gives, and a crash may leave a file whose name ends in .tmp. Throws Error(io).
void replace_file(const std::string& path, std::span<const std::uint8_t> bytes);

/// Gives the name of a new file beside `path`. `take(name)` makes it, and tells whether it could; where errno
/// is EEXIST, the name is another file's, and the next one is tried. Throws Error(io).
std::string take_free_name(const std::string& path, const std::function<bool(const std::string&)>& take);

/// Throws Error(io), which says what cannot be done with the file, and with errno why.
[[noreturn]] void fail_with_file(const char* what, const std::string& path);

}  // namespace dk
