// SPDX-License-Identifier: Apache-2.0
// This file wraps the C interface so that handles free themselves and failed calls throw.
#pragma once

#include <dk/dk.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace command {

// A call that libdk refused, with its status and its message.
class LibraryError : public std::runtime_error {
  public:
    LibraryError(dk_status status, const std::string& message)
        : std::runtime_error(message), status_(status) {}
    dk_status status() const { return status_; }

  private:
    dk_status status_;
};

inline void check(dk_status status) {
    if (status != DK_OK) throw LibraryError(status, dk_last_error());
}

struct Release {
    void operator()(dk_data* data) const { dk_data_free(data); }
    void operator()(dk_params* params) const { dk_params_free(params); }
    void operator()(dk_model* model) const { dk_model_free(model); }
    void operator()(dk_control* control) const { dk_control_free(control); }
};
using Data = std::unique_ptr<dk_data, Release>;
using Params = std::unique_ptr<dk_params, Release>;
using Model = std::unique_ptr<dk_model, Release>;

inline Data select_row(const Data& data, int64_t row) {
    dk_data* selected = nullptr;
    check(dk_data_select(&selected, data.get(), &row, 1));
    return Data(selected);
}

inline Model load_model(const std::string& path) {
    dk_model* model = nullptr;
    check(dk_model_load(&model, path.c_str(), nullptr));
    return Model(model);
}

// Gets the text that a function writes to (out, capacity, needed): it asks for the size, then for the text.
template <typename Function, typename... Arguments>
std::string text_of(Function function, Arguments... arguments) {
    int64_t needed = 0;
    check(function(nullptr, 0, &needed, arguments...));
    std::string text(static_cast<size_t>(needed), '\0');
    check(function(text.data(), needed, &needed, arguments...));
    text.resize(static_cast<size_t>(needed) - 1);
    return text;
}

// Gets the elements that a function writes to (out, length).
template <typename Element, typename Function, typename... Arguments>
std::vector<Element> values_of(Function function, int64_t length, Arguments... arguments) {
    std::vector<Element> values(static_cast<size_t>(length));
    check(function(values.data(), length, arguments...));
    return values;
}

}  // namespace command
