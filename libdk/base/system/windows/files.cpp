// SPDX-License-Identifier: Apache-2.0
#include "base/system/files.hpp"

#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

/// Gives a name in the form in which Windows takes it.
std::wstring wide(const std::string& path) {
    return std::filesystem::path(std::u8string(path.begin(), path.end())).wstring();
}

FileFacts facts_in(const struct _stat64& status) {
    return {.is_regular = (status.st_mode & _S_IFMT) == _S_IFREG,
            .is_folder = (status.st_mode & _S_IFMT) == _S_IFDIR,
            .bytes = status.st_size};
}

/// A file beside another one, whose place it takes, and which is removed where that fails.
class NewFile {
  public:
    explicit NewFile(const std::string& path) : path_(path) {
        constexpr int most_attempts = 1000;
        std::random_device number;  // Names that others can guess could be taken before.
        for (int attempt = 0; attempt < most_attempts; ++attempt) {
            name_ = wide(text(path, ".", number(), ".tmp"));
            file_ =
                Descriptor(_wopen(name_.c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT,
                                  _S_IREAD | _S_IWRITE));
            if (file_.is_open()) return;
            if (errno != EEXIST) break;
        }
        fail_with_file("write", path_);
    }
    ~NewFile() {
        if (name_.empty()) return;
        static_cast<void>(file_.close());  // An open file can't be removed.
        static_cast<void>(_wunlink(name_.c_str()));
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void write(std::span<const std::uint8_t> bytes) {
        while (!bytes.empty()) {
            constexpr std::size_t most_at_once = std::size_t{1} << 30U;
            const auto size = static_cast<unsigned>(std::min(bytes.size(), most_at_once));
            const int written = _write(file_.get(), bytes.data(), size);
            if (written <= 0) fail_with_file("write", path_);
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
        if (_commit(file_.get()) != 0) fail_with_file("write", path_);
    }

    /// Puts the file in the place of the other one.
    void replace() {
        if (!file_.close()) fail_with_file("write", path_);
        if (MoveFileExW(name_.c_str(), wide(path_).c_str(),
                        MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) == 0) {
            errno = EACCES;
            fail_with_file("write", path_);
        }
        name_.clear();
    }

  private:
    std::string path_;
    std::wstring name_;
    Descriptor file_;
};

}  // namespace

bool Descriptor::close() {
    return value_ < 0 || _close(release()) == 0;
}

std::optional<FileFacts> facts_of(const std::string& path) {
    struct _stat64 status {};
    if (_wstat64(wide(path).c_str(), &status) != 0) return {};
    return facts_in(status);
}

std::optional<FileFacts> facts_of(const Descriptor& file) {
    struct _stat64 status {};
    if (_fstat64(file.get(), &status) != 0) return {};
    return facts_in(status);
}

Descriptor open_to_read(const std::string& path) {
    return Descriptor(_wopen(wide(path).c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT));
}

std::optional<std::size_t> read_all(const Descriptor& file, std::span<std::uint8_t> bytes) {
    std::size_t used = 0;
    while (used < bytes.size()) {
        constexpr std::size_t most_at_once = std::size_t{1} << 30U;
        const auto size = static_cast<unsigned>(std::min(bytes.size() - used, most_at_once));
        const int count = _read(file.get(), bytes.data() + used, size);
        if (count < 0) return {};
        if (count == 0) break;
        used += static_cast<std::size_t>(count);
    }
    return used;
}

void replace_file(const std::string& path, std::span<const std::uint8_t> bytes) {
    const auto facts = facts_of(path);
    if (facts && !facts->is_regular)
        fail(Status::io, "cannot write ", in_quotes(path), ": it is no regular file");
    NewFile file(path);
    file.write(bytes);
    file.replace();
}

}  // namespace dk
