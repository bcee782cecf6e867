// SPDX-License-Identifier: Apache-2.0
#include "system_gate.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <dlfcn.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>

namespace dk_test {
namespace {

std::atomic<int64_t> count{0};
std::atomic<int64_t> chosen{0};  // the call that fails; 0 for none
std::atomic<int> failure{0};     // its error, or 0 where it kills
std::atomic<bool> met{false};
std::atomic<bool> small_writes{false};
std::array<char, 200> kinds{};  // of the first calls

/// Counts a call, and tells whether it has to fail.
bool fails(char kind = '.') {
    const int64_t number = ++count;
    if (number <= static_cast<int64_t>(kinds.size())) kinds[static_cast<std::size_t>(number - 1)] = kind;
    if (number != chosen) return false;
    met = true;
    if (failure == 0) ::kill(::getpid(), SIGKILL);
    errno = failure;
    return true;
}

long open_file(int folder, const char* path, int flags, mode_t mode) {
    return fails('o') ? -1 : ::syscall(SYS_openat, folder, path, flags, mode);
}

}  // namespace

void fail_system_call(int64_t number, int error) {
    count = 0;
    met = false;
    failure = error;
    chosen = number;
}

void write_in_small_pieces(bool small) {
    small_writes = small;
}

void kill_at_system_call(int64_t number) {
    fail_system_call(number, 0);
}

int64_t allow_system_calls() {
    chosen = 0;
    return count;
}

bool system_fault_met() {
    return met;
}

std::string system_calls() {
    return {kinds.data(), std::min(static_cast<std::size_t>(count), kinds.size())};
}

}  // namespace dk_test

extern "C" {

int open(const char* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = va_arg(arguments, mode_t);  // It is not looked at where the flags need none.
    va_end(arguments);
    return static_cast<int>(dk_test::open_file(AT_FDCWD, path, flags, mode));
}

int open64(const char* path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = va_arg(arguments, mode_t);
    va_end(arguments);
    return static_cast<int>(dk_test::open_file(AT_FDCWD, path, flags, mode));
}

ssize_t read(int file, void* buffer, std::size_t size) {
    return dk_test::fails('r') ? -1 : ::syscall(SYS_read, file, buffer, size);
}

ssize_t write(int file, const void* buffer, std::size_t size) {
    if (dk_test::fails('w')) return -1;
    if (dk_test::small_writes) size = std::min<std::size_t>(size, 100);
    return ::syscall(SYS_write, file, buffer, size);
}

int fsync(int file) {
    return dk_test::fails('s') ? -1 : static_cast<int>(::syscall(SYS_fsync, file));
}

int close(int file) {
    // A close that fails has closed the file all the same.
    const auto closed = static_cast<int>(::syscall(SYS_close, file));
    return dk_test::fails('c') ? -1 : closed;
}

int rename(const char* from, const char* to) {
    return dk_test::fails('n') ? -1 : static_cast<int>(::syscall(SYS_rename, from, to));
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
    return dk_test::fails('l')
               ? -1
               : static_cast<int>(::syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}

int fchmod(int file, mode_t mode) {
    return dk_test::fails() ? -1 : static_cast<int>(::syscall(SYS_fchmod, file, mode));
}

int fstat(int file, struct stat* status) {
    return dk_test::fails() ? -1
                            : static_cast<int>(::syscall(SYS_newfstatat, file, "", status, AT_EMPTY_PATH));
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*begin)(void*),
                   void* argument) {
    if (dk_test::fails()) return errno;
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
    return create(thread, attributes, begin, argument);
}
}
