// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

FileFacts facts_in(const struct stat& status) {
    return {
        .is_regular = S_ISREG(status.st_mode), .is_folder = S_ISDIR(status.st_mode), .bytes = status.st_size};
}

std::string folder_of(const std::string& path) {
    const auto slash = path.find_last_of('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

/// Finds the file to which a path leads, whether it is there or not, because a rename would put a file in the
/// place of a symbolic link.
std::string end_of_links(std::string path) {
    constexpr int most_links = 40;
    for (int links = 0; links < most_links; ++links) {
        std::array<char, PATH_MAX> target{};
        const auto length = ::readlink(path.c_str(), target.data(), target.size());
        if (length < 0) return path;  // It is no link.
        const std::string_view next(target.data(), static_cast<std::size_t>(length));
        path = next.starts_with('/') ? std::string(next) : text(folder_of(path), "/", next);
    }
    errno = ELOOP;
    fail_with_file("write", path);
}

/// Gives the permissions of the file that is there, or nothing. Refuses devices and the like.
std::optional<mode_t> permissions_of(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    if (!S_ISREG(status.st_mode))
        fail(Status::io, "cannot write ", in_quotes(path), ": it is no regular file");
    constexpr mode_t permissions = 07777;
    return status.st_mode & permissions;
}

/// A file beside another one, whose place it takes. Until it has a name, nothing is left of it when the
/// process dies.
class NewFile {
  public:
    explicit NewFile(const std::string& path)
        : path_(path), descriptor_(::open(folder_of(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)) {
        // Not every file system has files without a name, and not every container lets them be named.
        const bool can_be_named = ::access("/proc/self/fd", X_OK) == 0;
        if (!descriptor_.is_open() || !can_be_named) create_with_name();
    }
    ~NewFile() {
        if (!name_.empty()) static_cast<void>(::unlink(name_.c_str()));
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    /// Writes all bytes, under these permissions or else those that any new file gets.
    void write(std::span<const std::uint8_t> bytes, std::optional<mode_t> permissions) {
        if (permissions && ::fchmod(descriptor_.get(), *permissions) != 0) fail_with_file("write", path_);
        while (!bytes.empty()) {
            const auto written = ::write(descriptor_.get(), bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) fail_with_file("write", path_);
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
        if (::fsync(descriptor_.get()) != 0) fail_with_file("write", path_);
    }

    /// Puts the file in the place of the other one.
    void replace() {
        if (name_.empty()) give_name();
        if (!descriptor_.close() || std::rename(name_.c_str(), path_.c_str()) != 0)
            fail_with_file("write", path_);
        name_.clear();
    }

  private:
    void create_with_name() {
        name_ = take_free_name(path_, [&](const std::string& name) {
            descriptor_ = Descriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
            return descriptor_.is_open();
        });
    }

    void give_name() {
        const std::string unnamed = text("/proc/self/fd/", descriptor_.get());
        name_ = take_free_name(path_, [&](const std::string& name) {
            return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
        });
    }

    std::string path_;
    Descriptor descriptor_;
    std::string name_;  // empty while the file has none
};

/// Makes the rename itself survive a crash. Not every file system can, so that a failure is ignored.
void sync_folder_of(const std::string& path) {
    const Descriptor descriptor(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.is_open()) static_cast<void>(::fsync(descriptor.get()));
}

}  // namespace

bool Descriptor::close() {
    return value_ < 0 || ::close(release()) == 0;
}

std::optional<FileFacts> facts_of(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return facts_in(status);
}

std::optional<FileFacts> facts_of(const Descriptor& file) {
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return {};
    return facts_in(status);
}

Descriptor open_to_read(const std::string& path) {
    return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

std::optional<std::size_t> read_all(const Descriptor& file, std::span<std::uint8_t> bytes) {
    std::size_t used = 0;
    while (used < bytes.size()) {
        const auto count = ::read(file.get(), bytes.data() + used, bytes.size() - used);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return {};
        if (count == 0) break;
        used += static_cast<std::size_t>(count);
    }
    return used;
}

void replace_file(const std::string& link, std::span<const std::uint8_t> bytes) {
    const std::string path = end_of_links(link);
    const auto permissions = permissions_of(path);
    NewFile file(path);
    file.write(bytes, permissions);
    file.replace();
    sync_folder_of(path);
}

}  // namespace dk
