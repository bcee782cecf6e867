// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "handles.hpp"

namespace command {

// Collects the parameters of a machine. A key that is set twice is an error, because either value could be
// meant.
class Settings {
  public:
    explicit Settings(const std::string& machine);

    void set(const std::string& key, const std::string& value);
    // Sets KEY=VALUE, as options of the command have it.
    void set(const std::vector<std::string>& pairs);
    std::string value(const std::string& key) const;
    const libdk::Parameters& get() const { return parameters_; }

  private:
    libdk::Parameters parameters_;
    std::vector<std::string> keys_;
};

}  // namespace command
