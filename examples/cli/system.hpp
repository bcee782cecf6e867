// SPDX-License-Identifier: Apache-2.0
// This is what the command asks of the operating system. Names of files are UTF-8 on every system.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace command {

// Gives the arguments behind the program's name in UTF-8, and lets what is written to standard output stay as
// it is.
std::vector<std::string> start(int argc, char** argv);

// Calls a function at Ctrl-C, as a handler of a signal or, on Windows, in another thread. The function may do
// what a handler of a signal may.
void call_at_interrupt(void (*handler)(int));

// While it lives, that function waits, so that what it reads can change.
class InterruptsHeld {
  public:
    InterruptsHeld();
    ~InterruptsHeld();
    InterruptsHeld(const InterruptsHeld&) = delete;
    InterruptsHeld& operator=(const InterruptsHeld&) = delete;

  private:
    bool held_before_ = false;
};

// Gives how many columns the terminal has that a stream writes to, or 0 where it is none on which lines can
// be coloured and drawn anew.
enum class Stream { output, error };
size_t terminal_columns(Stream stream);

// Gives the name by which a file of data is opened, which for "-" is that of standard input; throws where
// there is no such input.
std::string data_path(const std::string& name);

// Gives the bytes of memory that the machine has.
double physical_memory();

// Gives the name of a file as the standard library has it, and back.
inline std::filesystem::path path_of(const std::string& name) {
    return std::u8string(name.begin(), name.end());
}
inline std::string name_of(const std::filesystem::path& path) {
    const std::u8string name = path.u8string();
    return {name.begin(), name.end()};
}

// Opens a file to write bytes; nullptr, with errno, where that fails.
std::FILE* open_to_write(const std::string& path);

// Opens a new file beside the one at `path`, whose place it shall take, with the permissions that this one
// has; nullptr, with errno, where that fails. Its name is one that nobody can know and have taken before.
// On Linux it has none, so that nothing is left of it where the process dies, unless the file system has no
// files without a name.
struct NewFile {
    std::FILE* file = nullptr;
    std::string name;
};
NewFile open_beside(const std::string& path);

// Tells whether a file lets itself be read, or a folder lets files be made in it; errno says why it doesn't.
bool can_read(const std::string& path);
bool can_write_in(const std::string& folder);

// Closes such a file and puts it in the place of the one at `path`. Tells whether that is done; errno says
// why it isn't, and then nothing is left of it.
bool take_place(NewFile& file, const std::string& path);

// Removes a file if it is there. A handler of a signal may call this.
void remove_file(const char* path);

}  // namespace command
