// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace dk {

enum class ParameterType { integer, real, choice, flag, text, kernel, weights };

/// One parameter of a machine, kernel or weight strategy, as dk_describe shows it.
struct ParameterSpec {
    std::string name;
    ParameterType type = ParameterType::text;
    std::string default_value;
    std::string doc;
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    bool minimum_excluded = false;
    std::vector<std::string> choices = {};
    /// Throws Error(invalid_parameter) for text that is not allowed; null allows all.
    void (*check)(const std::string& value) = nullptr;
};

ParameterSpec integer_parameter(std::string name, std::int64_t default_value, double minimum, double maximum,
                                std::string doc);
ParameterSpec real_parameter(std::string name, double default_value, double minimum, double maximum,
                             std::string doc);
/// A real parameter that must be greater than zero.
ParameterSpec positive_parameter(std::string name, double default_value, std::string doc);
/// A real parameter greater than 0 and at most 1.
ParameterSpec share_parameter(std::string name, double default_value, std::string doc);
ParameterSpec choice_parameter(std::string name, std::vector<std::string> choices, std::string doc);
ParameterSpec flag_parameter(std::string name, bool default_value, std::string doc);
/// Text, a kernel or a weight specification.
ParameterSpec text_parameter(std::string name, ParameterType type, std::string default_value,
                             std::string doc);

std::string_view name_of(ParameterType type);

/// What a parameter may be, for people: "a number, greater than 0", "one of none, standard".
std::string allowed_values(const ParameterSpec& spec);

/// The values of a set of parameters; keys that are not set have their defaults.
class Parameters {
  public:
    Parameters() = default;
    /// `owner` names what the parameters belong to in messages, such as "machine svm".
    Parameters(std::string owner, std::vector<ParameterSpec> specs);

    /// Sets one from text; throws Error(invalid_parameter) with the nearest key, or the range.
    void set(std::string_view key, std::string_view value);

    std::int64_t integer(std::string_view key) const;
    double real(std::string_view key) const;
    bool flag(std::string_view key) const;
    const std::string& text(std::string_view key) const;

    const std::vector<ParameterSpec>& specs() const { return specs_; }
    const ParameterSpec& spec(std::string_view key) const;

  private:
    std::string owner_;
    std::vector<ParameterSpec> specs_;
    std::map<std::string, std::string, std::less<>> values_;
};

/// key=value pairs of "C=10 kernel=rbf(gamma=0.5)"; white space inside brackets belongs to a value.
std::vector<std::pair<std::string, std::string>> split_assignments(std::string_view text);

}  // namespace dk
