// SPDX-License-Identifier: Apache-2.0
#include "parameters.hpp"

#include <algorithm>
#include <stdexcept>

namespace command {

Settings::Settings(const std::string& machine) : parameters_(machine) {}

void Settings::set(const std::string& key, const std::string& value) {
    if (std::find(keys_.begin(), keys_.end(), key) != keys_.end())
        throw std::runtime_error("parameter " + key + " is set twice, the second time to " + value);
    parameters_.set(key, value);
    keys_.push_back(key);
}

void Settings::set(const std::vector<std::string>& pairs) {
    for (const std::string& pair : pairs) {
        const size_t equals = pair.find('=');
        set(pair.substr(0, equals), pair.substr(equals + 1));
    }
}

std::string Settings::value(const std::string& key) const {
    return parameters_.get(key);
}

}  // namespace command
