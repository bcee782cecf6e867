// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "system.hpp"

namespace command {

std::vector<std::string> start(int argc, char** argv) {
    return {argv + std::min(argc, 1), argv + argc};
}

void call_at_interrupt(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, nullptr);
}

namespace {

sigset_t interrupt() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    return set;
}

}  // namespace

InterruptsHeld::InterruptsHeld() {
    const sigset_t held = interrupt();
    sigset_t before;
    (void)pthread_sigmask(SIG_BLOCK, &held, &before);
    held_before_ = sigismember(&before, SIGINT) == 1;
}
InterruptsHeld::~InterruptsHeld() {
    const sigset_t held = interrupt();
    if (!held_before_) (void)pthread_sigmask(SIG_UNBLOCK, &held, nullptr);
}

size_t terminal_columns(Stream stream) {
    constexpr size_t usual = 80;  // Some terminals, such as serial lines, don't know.
    const int file = stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO;
    if (isatty(file) == 0) return 0;
    winsize size{};
    return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

std::string data_path(const std::string& name) {
    return name == "-" ? "/dev/stdin" : name;
}

double physical_memory() {
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::FILE* open_to_write(const std::string& path) {
    return std::fopen(path.c_str(), "wb");
}

bool can_read(const std::string& path) {
    return access(path.c_str(), R_OK) == 0;
}

bool can_write_in(const std::string& folder) {
    return access(folder.c_str(), W_OK | X_OK) == 0;
}

bool take_place(const std::string& file, const std::string& of) {
    return std::rename(file.c_str(), of.c_str()) == 0;
}

void remove_file(const char* path) {
    (void)unlink(path);
}

}  // namespace command
