// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <utility>

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

namespace {

std::string folder_of(const std::string& path) {
    const auto slash = path.find_last_of('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// Finds a name beside `path` for which take(name) succeeds; "" where it fails for another reason than that
// the name is another file's.
template <typename Take>
std::string taken_name(const std::string& path, Take take) {
    constexpr int attempts = 1000;
    std::random_device number;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        std::string name = path + "." + std::to_string(number()) + ".tmp";
        if (take(name)) return name;
        if (errno != EEXIST) break;
    }
    return "";
}

// Opens a file without a name; -1 where the file system has none, or a container doesn't let it be named.
int open_without_name(const std::string& path) {
#ifdef O_TMPFILE
    if (access("/proc/self/fd", X_OK) == 0)
        return open(folder_of(path).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#endif
    return -1;
}

bool give_name(NewFile& file, const std::string& path) {
    const std::string unnamed = "/proc/self/fd/" + std::to_string(fileno(file.file));
    file.name = taken_name(path, [&](const std::string& name) {
        return linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    });
    return !file.name.empty();
}

}  // namespace

NewFile open_beside(const std::string& path) {
    NewFile opened;
    int descriptor = open_without_name(path);
    if (descriptor < 0)
        opened.name = taken_name(path, [&](const std::string& name) {
            descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            return descriptor >= 0;
        });
    if (descriptor < 0) return opened;
    struct stat earlier {};
    constexpr mode_t permissions = 07777;
    if (stat(path.c_str(), &earlier) == 0) (void)fchmod(descriptor, earlier.st_mode & permissions);
    opened.file = fdopen(descriptor, "wb");
    return opened;
}

bool take_place(NewFile& file, const std::string& path) {
    const bool named = std::fflush(file.file) == 0 && fsync(fileno(file.file)) == 0 &&
                       (!file.name.empty() || give_name(file, path));
    const bool closed = std::fclose(std::exchange(file.file, nullptr)) == 0;
    if (named && closed && std::rename(file.name.c_str(), path.c_str()) == 0) return true;
    const int error = errno;
    if (!file.name.empty()) remove_file(file.name.c_str());
    errno = error;
    return false;
}

void remove_file(const char* path) {
    (void)unlink(path);
}

}  // namespace command
