// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dk {

/// Facts with names, such as those of a training run, in the order in which they were added. A report becomes
/// a JSON object.
class Report {
  public:
    /// A text that is JSON, which becomes a part of the object.
    struct JsonText {
        std::string text;
    };
    using Value =
        std::variant<bool, std::int64_t, double, std::string, std::vector<double>, std::vector<std::string>,
                     std::vector<Report>, std::shared_ptr<const Report>, JsonText>;
    struct Entry;

    Report& add(std::string name, Value value);
    /// Adds a report as a part of this one.
    Report& add(std::string name, Report part);
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

inline Report& Report::add(std::string name, Report part) {
    return add(std::move(name), Value(std::make_shared<const Report>(std::move(part))));
}

/// Writes the report as JSON, in one line if `indent` is negative, and else in lines that are indented by so
/// many spaces. Bytes that are no UTF-8, which names of classes may hold, become replacement characters.
std::string json_text(const Report& report, int indent = -1);

/// Tells, while an exception is handled, whether it says that a text is no JSON or not the expected one.
bool reading_json_failed() noexcept;

}  // namespace dk
