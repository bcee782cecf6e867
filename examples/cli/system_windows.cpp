// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <windows.h>
// shellapi.h needs what windows.h declares.
#include <shellapi.h>

#include <cerrno>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "system.hpp"

namespace command {
namespace {

std::wstring wide(const std::string& text) {
    const int size = MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), nullptr, 0);
    std::wstring result(static_cast<size_t>(size), L'\0');
    MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), result.data(), size);
    return result;
}

// Gives the errno that says what Windows' last error says.
int last_error() {
    const auto condition = std::system_category().default_error_condition(static_cast<int>(GetLastError()));
    return condition.category() == std::generic_category() ? condition.value() : EIO;
}

std::string narrow(const wchar_t* text) {
    const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
    std::string result(static_cast<size_t>(size), '\0');
    WideCharToMultiByte(CP_UTF8, 0, text, -1, result.data(), size, nullptr, nullptr);
    result.pop_back();  // The zero at the end.
    return result;
}

void (*interrupt_handler)(int) = nullptr;
std::recursive_mutex interrupts;

// Windows calls this in a thread of its own.
BOOL WINAPI on_console_event(DWORD event) {
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) return FALSE;
    const std::lock_guard alone(interrupts);
    interrupt_handler(SIGINT);
    return TRUE;
}

// While it lives, the console writes UTF-8.
class Utf8Console {
  public:
    Utf8Console() { (void)SetConsoleOutputCP(CP_UTF8); }
    ~Utf8Console() { (void)SetConsoleOutputCP(before_); }
    Utf8Console(const Utf8Console&) = delete;
    Utf8Console& operator=(const Utf8Console&) = delete;

  private:
    UINT before_ = GetConsoleOutputCP();
};

}  // namespace

std::vector<std::string> start(int, char**) {
    (void)_setmode(_fileno(stdout), _O_BINARY);
    static const Utf8Console until_the_end;
    int count = 0;
    const std::unique_ptr<wchar_t*[], decltype(&LocalFree)> arguments(
        CommandLineToArgvW(GetCommandLineW(), &count), LocalFree);
    std::vector<std::string> result;
    for (int i = 1; i < count; ++i) result.push_back(narrow(arguments[static_cast<size_t>(i)]));
    return result;
}

void call_at_interrupt(void (*handler)(int)) {
    interrupt_handler = handler;
    (void)SetConsoleCtrlHandler(on_console_event, TRUE);
}

// The same thread may hold them more than once.
InterruptsHeld::InterruptsHeld() {
    interrupts.lock();
}
InterruptsHeld::~InterruptsHeld() {
    interrupts.unlock();
}

size_t terminal_columns(Stream stream) {
    constexpr size_t usual = 80;
    const HANDLE terminal = GetStdHandle(stream == Stream::output ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
    DWORD mode = 0;
    if (GetConsoleMode(terminal, &mode) == 0 ||
        SetConsoleMode(terminal, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) == 0)
        return 0;
    CONSOLE_SCREEN_BUFFER_INFO info{};
    if (GetConsoleScreenBufferInfo(terminal, &info) == 0) return usual;
    return static_cast<size_t>(info.srWindow.Right - info.srWindow.Left + 1);
}

namespace {

// Holds what comes from standard input, which has no name that opens it, until the command ends.
class InputFile {
  public:
    InputFile() {
        wchar_t folder[MAX_PATH + 1];
        wchar_t name[MAX_PATH + 1];
        if (GetTempPathW(MAX_PATH + 1, folder) == 0 || GetTempFileNameW(folder, L"dk", 0, name) == 0)
            throw std::runtime_error("cannot make a temporary file for standard input");
        path_ = narrow(name);
        (void)_setmode(_fileno(stdin), _O_BINARY);
        std::FILE* copy = open_to_write(path_);
        if (copy == nullptr) throw std::runtime_error("cannot write '" + path_ + "'");
        std::vector<char> piece(size_t{1} << 20);
        bool written = true;
        for (size_t count = 1; count > 0 && written;) {
            count = std::fread(piece.data(), 1, piece.size(), stdin);
            written = std::fwrite(piece.data(), 1, count, copy) == count;
        }
        written = std::fclose(copy) == 0 && written;
        if (!written) throw std::runtime_error("cannot write '" + path_ + "'");
    }
    ~InputFile() { remove_file(path_.c_str()); }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace

std::string data_path(const std::string& name) {
    if (name != "-") return name;
    static const InputFile input;
    return input.path();
}

double physical_memory() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof(status);
    if (GlobalMemoryStatusEx(&status) == 0)
        throw std::runtime_error("the memory of this machine is not known");
    return static_cast<double>(status.ullTotalPhys);
}

namespace {

// The file can be removed while it is open, as at Ctrl-C.
std::FILE* opened(const std::string& path, DWORD creation) {
    const HANDLE file = CreateFileW(wide(path).c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                    nullptr, creation, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) {
        errno = last_error();
        return nullptr;
    }
    return _fdopen(_open_osfhandle(reinterpret_cast<intptr_t>(file), _O_WRONLY | _O_BINARY), "wb");
}

}  // namespace

std::FILE* open_to_write(const std::string& path) {
    return opened(path, CREATE_ALWAYS);
}

NewFile open_beside(const std::string& path) {
    constexpr int attempts = 1000;
    std::random_device number;
    NewFile file;
    for (int attempt = 0; attempt < attempts && file.file == nullptr; ++attempt) {
        file.name = path + "." + std::to_string(number()) + ".tmp";
        file.file = opened(file.name, CREATE_NEW);
        if (file.file == nullptr && errno != EEXIST) break;
    }
    return file;
}

bool can_read(const std::string& path) {
    return _waccess(wide(path).c_str(), 4) == 0;
}

bool can_write_in(const std::string& folder) {
    return _waccess(wide(folder).c_str(), 2) == 0;
}

bool take_place(NewFile& file, const std::string& path) {
    constexpr DWORD flags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    int error = std::fclose(std::exchange(file.file, nullptr)) == 0 ? 0 : errno;
    if (error == 0 && MoveFileExW(wide(file.name).c_str(), wide(path).c_str(), flags) != 0) return true;
    if (error == 0) error = last_error();
    remove_file(file.name.c_str());
    errno = error;
    return false;
}

void remove_file(const char* path) {
    (void)_wunlink(wide(path).c_str());
}

}  // namespace command
