// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <windows.h>
// shellapi.h needs what windows.h declares.
#include <shellapi.h>

#include <cerrno>
#include <memory>

#include "system.hpp"

namespace command {
namespace {

std::wstring wide(const std::string& text) {
    const int size = MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), nullptr, 0);
    std::wstring result(static_cast<size_t>(size), L'\0');
    MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), result.data(), size);
    return result;
}

std::string narrow(const wchar_t* text) {
    const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
    std::string result(static_cast<size_t>(size), '\0');
    WideCharToMultiByte(CP_UTF8, 0, text, -1, result.data(), size, nullptr, nullptr);
    result.pop_back();  // The zero at the end.
    return result;
}

void (*interrupt_handler)(int) = nullptr;

// Windows calls this in a thread of its own.
BOOL WINAPI on_console_event(DWORD event) {
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) return FALSE;
    interrupt_handler(SIGINT);
    return TRUE;
}

}  // namespace

std::vector<std::string> start(int, char**) {
    (void)_setmode(_fileno(stdout), _O_BINARY);
    (void)SetConsoleOutputCP(CP_UTF8);
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

double physical_memory() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof(status);
    return GlobalMemoryStatusEx(&status) != 0 ? static_cast<double>(status.ullTotalPhys) : 0;
}

std::FILE* open_to_write(const std::string& path) {
    return _wfopen(wide(path).c_str(), L"wb");
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
    errno = EACCES;
    return false;
}

void remove_file(const char* path) {
    (void)_wunlink(wide(path).c_str());
}

}  // namespace command
