// SPDX-License-Identifier: Apache-2.0
#include "reading.hpp"

#include <stdexcept>

#include "system.hpp"

namespace command {
namespace {

// Gives the name that the library opens. Standard input ends once it is read, so the second to ask for it
// would find no rows, which is hard to understand.
std::string name_to_open(const std::string& path) {
    static bool taken = false;
    if (path == "-" && std::exchange(taken, true))
        throw std::runtime_error("'-' stands for standard input, which can be read only once");
    return data_path(path);
}

}  // namespace

Data read_data(Control& control, const std::string& path, const std::string& options) {
    const std::string name = name_to_open(path);
    return control.run([&](const libdk::Control& c) { return Data::file(name, options, c); });
}

Data read_data_for(Control& control, const Model& model, const std::string& path,
                   const std::string& options) {
    const std::string name = name_to_open(path);
    return control.run([&](const libdk::Control& c) { return model.read_rows(name, options, c); });
}

}  // namespace command
