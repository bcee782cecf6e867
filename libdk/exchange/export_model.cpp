// SPDX-License-Identifier: Apache-2.0
#include "exchange/export_model.hpp"

#include <algorithm>
#include <cstdint>

#include "base/error.hpp"
#include "base/files/files.hpp"

namespace dk {

namespace {

/// Makes an identifier of a file's name, as C has them.
std::string identifier_of(std::string_view path) {
    path.remove_prefix(std::min(path.find_last_of("/\\") + 1, path.size()));
    std::string name(path.substr(0, path.find('.')));
    for (char& c : name) {
        const bool allowed = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!allowed) c = '_';
    }
    return name.empty() || (name.front() >= '0' && name.front() <= '9') ? "model_" + name : name;
}

}  // namespace

void export_model(const Model& model, const std::string& path, std::string_view format) {
    std::string content;
    if (format == "libsvm") {
        content = libsvm_text(model);
    } else if (format == "c") {
        content = c_text(model, identifier_of(path));
    } else if (format == "onnx") {
        content = onnx_bytes(model);
    } else {
        fail(Status::invalid_argument, "format is ", in_quotes(format), "; allowed is libsvm, onnx or c");
    }
    replace_file(path, {reinterpret_cast<const std::uint8_t*>(content.data()), content.size()});
}

}  // namespace dk
