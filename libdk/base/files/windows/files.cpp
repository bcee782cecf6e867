// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.hpp"

// windows.h comes before what needs its types.
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/error.hpp"

namespace dk {

namespace {

// One call of the C library reads or writes no more.
constexpr std::size_t most_at_once = std::size_t{1} << 30U;

/// Gives a name in the form in which Windows takes it.
std::wstring wide(const std::string& path) {
    if (path.empty()) return {};
    const int bytes = static_cast<int>(std::min<std::size_t>(path.size(), 1U << 20U));
    const int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(), bytes, nullptr, 0);
    if (size == 0) fail(Status::io, "the name ", in_quotes(path), " of a file is no UTF-8");
    std::wstring name(static_cast<std::size_t>(size), L'\0');
    MultiByteToWideChar(CP_UTF8, 0, path.data(), bytes, name.data(), size);
    return name;
}

/// Gives the errno that says what Windows' last error says.
int last_error() {
    const auto condition = std::system_category().default_error_condition(static_cast<int>(GetLastError()));
    return condition.category() == std::generic_category() ? condition.value() : EIO;
}

/// Opens a file that others may replace or remove meanwhile, as on other systems.
Descriptor open_shared(const std::string& path, DWORD access, DWORD creation, int flags) {
    constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const HANDLE file =
        CreateFileW(wide(path).c_str(), access, shared, nullptr, creation, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) {
        errno = last_error();
        return {};
    }
    const int descriptor = _open_osfhandle(reinterpret_cast<std::intptr_t>(file), flags | _O_BINARY);
    if (descriptor < 0) CloseHandle(file);
    return Descriptor(descriptor);
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
        name_ = take_free_name(path, [&](const std::string& name) {
            file_ = open_shared(name, GENERIC_WRITE, CREATE_NEW, _O_WRONLY);
            return file_.is_open();
        });
    }
    ~NewFile() {
        if (name_.empty()) return;
        static_cast<void>(file_.close());
        static_cast<void>(DeleteFileW(wide(name_).c_str()));
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void write(std::span<const std::uint8_t> bytes) {
        while (!bytes.empty()) {
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
        constexpr DWORD flags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
        if (MoveFileExW(wide(name_).c_str(), wide(path_).c_str(), flags) == 0) {
            errno = last_error();
            fail_with_file("write", path_);
        }
        name_.clear();
    }

  private:
    std::string path_;
    std::string name_;
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
    return open_shared(path, GENERIC_READ, OPEN_EXISTING, _O_RDONLY);
}

std::optional<std::size_t> read_all(const Descriptor& file, std::span<std::uint8_t> bytes) {
    std::size_t used = 0;
    while (used < bytes.size()) {
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
