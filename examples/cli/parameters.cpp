// SPDX-License-Identifier: Apache-2.0
#include "parameters.hpp"

#include <algorithm>
#include <stdexcept>

namespace command {

Settings::Settings(const std::string& machine) {
    dk_params* created = nullptr;
    check(dk_params_create(&created, machine.c_str()));
    params_.reset(created);
}

void Settings::set(const std::string& key, const std::string& value) {
    if (std::find(keys_.begin(), keys_.end(), key) != keys_.end())
        throw std::runtime_error("parameter " + key + " is set twice, the second time to " + value);
    check(dk_params_set(params_.get(), key.c_str(), value.c_str()));
    keys_.push_back(key);
}

void Settings::set(const std::vector<std::string>& pairs) {
    for (const std::string& pair : pairs) {
        const size_t equals = pair.find('=');
        set(pair.substr(0, equals), pair.substr(equals + 1));
    }
}

std::string Settings::value(const std::string& key) const {
    return text_of(dk_params_get, params_.get(), key.c_str());
}

}  // namespace command
