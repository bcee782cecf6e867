// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dk {

/// Facts about a training run in the order they were noted; becomes a JSON object in the model.
class Report {
  public:
    using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<double>,
                               std::vector<std::string>, std::vector<Report>>;
    struct Entry;

    Report& add(std::string name, Value value);
    const std::vector<Entry>& entries() const { return entries_; }
    bool empty() const { return entries_.empty(); }

  private:
    std::vector<Entry> entries_;
};

struct Report::Entry {
    std::string name;
    Value value;
};

inline Report& Report::add(std::string name, Value value) {
    entries_.push_back({std::move(name), std::move(value)});
    return *this;
}

}  // namespace dk
