// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "base/error.hpp"
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
    Descriptor& operator=(Descriptor&&) = delete;
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

/// Finds the file to which a path leads, because a rename would put a file in the place of a symbolic link.
/// Refuses devices and the like.
std::string real_file(const std::string& path) {
    const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr), std::free);
    if (!resolved) return path;  // There is no such file yet.
    struct stat status {};
    if (::stat(resolved.get(), &status) == 0 && !S_ISREG(status.st_mode)) {
        fail(Status::io, "cannot write ", in_quotes(path), ": it is no regular file");
    }
    return resolved.get();
}

struct NewFile {
    Descriptor descriptor;
    std::string name;
};

/// Creates a file in the same folder, of a name that nobody uses and with the permissions that any new file
/// gets.
NewFile create_beside(const std::string& path) {
    for (int attempt = 0;; ++attempt) {
        std::string name = text(path, ".", ::getpid(), ".", attempt, ".tmp");
        Descriptor descriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (descriptor.get() >= 0) return {std::move(descriptor), std::move(name)};
        if (errno != EEXIST || attempt == 1000) fail_io("write", path);
    }
}

bool write_all(int descriptor, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

/// Makes the rename itself survive a crash. Not every file system can, so that a failure is ignored.
void sync_folder_of(const std::string& path) {
    const auto slash = path.find_last_of('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() >= 0) static_cast<void>(::fsync(descriptor.get()));
}

}  // namespace

void save_bytes(const std::string& link, std::span<const std::uint8_t> bytes) {
    const std::string path = real_file(link);
    auto [descriptor, temporary] = create_beside(path);
    const bool done = write_all(descriptor.get(), bytes) && ::fsync(descriptor.get()) == 0 &&
                      descriptor.close() && std::rename(temporary.c_str(), path.c_str()) == 0;
    if (!done) {
        const int error = errno;
        static_cast<void>(std::remove(temporary.c_str()));
        errno = error;
        fail_io("write", path);
    }
    sync_folder_of(path);
}

std::vector<std::uint8_t> load_bytes(const std::string& path) {
    const Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (descriptor.get() < 0) fail_io("open", path);
    std::vector<std::uint8_t> bytes;
    struct stat status {};
    if (::fstat(descriptor.get(), &status) == 0 && status.st_size > 0)
        bytes.reserve(static_cast<std::size_t>(status.st_size) + 1);  // The one more lets read() see the end.
    constexpr std::size_t chunk = std::size_t{1} << 20U;
    while (true) {
        const auto used = bytes.size();
        const auto room = bytes.capacity() > used ? bytes.capacity() - used : chunk;
        bytes.resize(used + room);
        const auto count = ::read(descriptor.get(), bytes.data() + used, room);
        bytes.resize(used + (count > 0 ? static_cast<std::size_t>(count) : 0));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail_io("read", path);
        if (count == 0) return bytes;
    }
}

}  // namespace dk
