// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <optional>
#include <random>
#include <utility>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "model/file/model_file.hpp"

namespace dk {

namespace {

/// A file descriptor that closes itself.
class Descriptor {
  public:
    explicit Descriptor(int value) : value_(value) {}
    ~Descriptor() {
        if (value_ >= 0) ::close(value_);
    }
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return value_; }
    bool close() { return ::close(std::exchange(value_, -1)) == 0; }

  private:
    int value_;
};

[[noreturn]] void fail_io(const char* what, const std::string& path) {
    fail(Status::io, "cannot ", what, " ", in_quotes(path), ": ", system_message(errno));
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
    fail_io("write", path);
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
        if (descriptor_.get() < 0 || !can_be_named) create_with_name();
    }
    ~NewFile() {
        if (!name_.empty()) static_cast<void>(::unlink(name_.c_str()));
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    /// Writes all bytes, under these permissions or else those that any new file gets.
    void write(std::span<const std::uint8_t> bytes, std::optional<mode_t> permissions) {
        if (permissions && ::fchmod(descriptor_.get(), *permissions) != 0) fail_io("write", path_);
        while (!bytes.empty()) {
            const auto written = ::write(descriptor_.get(), bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) fail_io("write", path_);
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
        if (::fsync(descriptor_.get()) != 0) fail_io("write", path_);
    }

    /// Puts the file in the place of the other one.
    void replace() {
        if (name_.empty()) give_name();
        if (!descriptor_.close() || std::rename(name_.c_str(), path_.c_str()) != 0) fail_io("write", path_);
        name_.clear();
    }

  private:
    /// Tries names until `take` gives the file one of them.
    template <typename Take>
    void take_name(Take take) {
        constexpr int most_attempts = 1000;
        std::random_device number;  // Names that others can guess could be taken before.
        for (int attempt = 0; attempt < most_attempts; ++attempt) {
            std::string name = text(path_, ".", number(), ".tmp");
            if (take(name.c_str())) {
                name_ = std::move(name);
                return;
            }
            if (errno != EEXIST) break;
        }
        fail_io("write", path_);
    }

    void create_with_name() {
        take_name([&](const char* name) {
            descriptor_ = Descriptor(::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
            return descriptor_.get() >= 0;
        });
    }

    void give_name() {
        const std::string unnamed = text("/proc/self/fd/", descriptor_.get());
        take_name([&](const char* name) {
            return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
        });
    }

    std::string path_;
    Descriptor descriptor_;
    std::string name_;  // empty while the file has none
};

/// Makes the rename itself survive a crash. Not every file system can, so that a failure is ignored.
void sync_folder_of(const std::string& path) {
    const Descriptor descriptor(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() >= 0) static_cast<void>(::fsync(descriptor.get()));
}

/// Reads until the bytes are full or the file ends, and gives the number of bytes read.
std::size_t read_all(const Descriptor& descriptor, std::span<std::uint8_t> bytes, const std::string& path) {
    std::size_t used = 0;
    while (used < bytes.size()) {
        const auto count = ::read(descriptor.get(), bytes.data() + used, bytes.size() - used);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail_io("read", path);
        if (count == 0) break;
        used += static_cast<std::size_t>(count);
    }
    return used;
}

}  // namespace

void save_bytes(const std::string& link, std::span<const std::uint8_t> bytes) {
    const std::string path = end_of_links(link);
    const auto permissions = permissions_of(path);
    NewFile file(path);
    file.write(bytes, permissions);
    file.replace();
    sync_folder_of(path);
}

std::vector<std::uint8_t> load_model_bytes(const std::string& path, Control& control) {
    const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (descriptor.get() < 0) fail_io("open", path);
    std::vector<std::uint8_t> bytes(model_header_size);
    bytes.resize(read_all(descriptor, bytes, path));
    const std::uint64_t payload = payload_size(bytes);
    struct stat status {};
    if (::fstat(descriptor.get(), &status) != 0) fail_io("read", path);
    if (S_ISREG(status.st_mode) && 1.0 * payload > 1.0 * status.st_size) {
        fail(Status::model_format, "truncated or damaged model: a file of ", status.st_size,
             " bytes, whose header says that its payload has ", payload);
    }
    control.memory().require(1.0 * payload, text("a model file of ", payload, " bytes"));
    if (S_ISREG(status.st_mode)) bytes.reserve(model_header_size + payload + 1);
    constexpr std::uint64_t chunk = std::uint64_t{1} << 22U;
    std::uint64_t left = payload + 1;  // The one more lets read() see the end.
    while (left > 0) {
        control.check();
        const std::uint64_t some = std::min(left, chunk);
        const auto used = bytes.size();
        bytes.resize(used + some);
        const auto count = read_all(descriptor, std::span(bytes).subspan(used), path);
        bytes.resize(used + count);
        if (count < some) break;
        left -= some;
    }
    return bytes;
}

}  // namespace dk
