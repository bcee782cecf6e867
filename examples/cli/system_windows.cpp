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
#include <stdexcept>
#include <system_error>

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

bool can_draw() {
    const HANDLE terminal = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode = 0;
    return GetConsoleMode(terminal, &mode) != 0 &&
           SetConsoleMode(terminal, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

double physical_memory() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof(status);
    if (GlobalMemoryStatusEx(&status) == 0)
        throw std::runtime_error("the memory of this machine is not known");
    return static_cast<double>(status.ullTotalPhys);
}

// The file can be removed while it is open, as at Ctrl-C.
std::FILE* open_to_write(const std::string& path) {
    const HANDLE file = CreateFileW(wide(path).c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                    nullptr, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) {
        errno = last_error();
        return nullptr;
    }
    return _fdopen(_open_osfhandle(reinterpret_cast<intptr_t>(file), _O_WRONLY | _O_BINARY), "wb");
}

bool can_read(const std::string& path) {
    return _waccess(wide(path).c_str(), 4) == 0;
}

bool can_write_in(const std::string& folder) {
    return _waccess(wide(folder).c_str(), 2) == 0;
}

bool take_place(const std::string& file, const std::string& of) {
    constexpr DWORD flags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    if (MoveFileExW(wide(file).c_str(), wide(of).c_str(), flags) != 0) return true;
    errno = last_error();
    return false;
}

void remove_file(const char* path) {
    (void)_wunlink(wide(path).c_str());
}

}  // namespace command
