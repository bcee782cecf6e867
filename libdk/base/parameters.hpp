// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/types.hpp"

namespace dk {

enum class ParameterType { integer, real, choice, flag, text, kernel, weights };

/// The description of a parameter of a machine, kernel or weight strategy, as dk_describe() shows it.
struct ParameterSpec {
    std::string name;
    ParameterType type = ParameterType::text;
    std::string default_value;
    std::string doc;
    double minimum = -infinity;
    double maximum = infinity;
    bool minimum_excluded = false;
    std::vector<std::string> choices = {};
    /// Throws Error(invalid_parameter) for a text or a number in the range that is not allowed; null allows
    /// all.
    void (*check)(const std::string& value) = nullptr;
};

/// Describes a parameter whose value is one of these words, the first where it is not given.
ParameterSpec choice_parameter(std::string_view name, std::vector<std::string> choices, std::string_view doc);

std::string_view name_of(ParameterType type);

/// Says what values a parameter allows: "a number, greater than 0", "one of none, standard".
std::string allowed_values(const ParameterSpec& spec);

/// The interval of the numbers that a parameter allows.
struct Range {
    double minimum = -infinity;
    double maximum = infinity;
    bool minimum_excluded = false;

    static constexpr Range at_least(double minimum) { return {.minimum = minimum}; }
    static constexpr Range positive() { return {.minimum = 0, .minimum_excluded = true}; }
    /// A share of something is greater than 0 and at most 1.
    static constexpr Range share() { return {.minimum = 0, .maximum = 1, .minimum_excluded = true}; }
};

// A parameter is declared once, as a constant of one of the key types below. The key stands in the list of a
// machine's parameters, where it becomes a ParameterSpec, and reads the value: `parameters[key]` has the type
// of the key. A key that is misspelt and a value that is taken for another type do not compile. Keys lie in
// the namespace dk::parameter, so that `parameter::tolerance` does not hide a variable named tolerance.

struct IntegerKey {
    std::string_view name;
    std::int64_t default_value;
    Range range;
    std::string_view doc;
    operator ParameterSpec() const;
};

struct RealKey {
    std::string_view name;
    double default_value;
    Range range;
    std::string_view doc;
    operator ParameterSpec() const;
};

struct FlagKey {
    std::string_view name;
    bool default_value;
    std::string_view doc;
    operator ParameterSpec() const;
};

/// A parameter whose text the reader interprets, such as a kernel, a grid or the name of a column.
struct TextKey {
    std::string_view name;
    std::string_view default_value;
    std::string_view doc;
    ParameterType type = ParameterType::text;
    void (*check)(const std::string& value) = nullptr;
    operator ParameterSpec() const;
};

/// The words that a choice allows, the first of which is the default.
class ChoiceNames {
  public:
    consteval ChoiceNames(std::initializer_list<std::string_view> names) : count_(std::ssize(names)) {
        std::ranges::copy(names, names_.begin());  // more names than there is space for do not compile
    }
    constexpr std::span<const std::string_view> all() const { return std::span(names_).first(count_); }

  private:
    std::array<std::string_view, 12> names_{};
    Index count_;
};

/// A parameter that is one of some words. If Choice is an enumeration, the value is an enumerator, and the
/// enumerators have the order of the names; if Choice is a string, the value is the word itself.
template <typename Choice = std::string>
struct ChoiceKey {
    std::string_view name;
    ChoiceNames names;
    std::string_view doc;
    operator ParameterSpec() const {
        return choice_parameter(name, {names.all().begin(), names.all().end()}, doc);
    }
};

/// The values of a set of parameters. A parameter that is not set has its default.
class Parameters {
  public:
    Parameters() = default;
    /// `owner` names what the parameters belong to in messages, such as "machine svm".
    Parameters(std::string owner, std::vector<ParameterSpec> specs);

    /// Sets a parameter from text; throws Error(invalid_parameter) that tells the nearest key, or what is
    /// allowed.
    void set(std::string_view key, std::string_view value);

    std::int64_t operator[](const IntegerKey& key) const;
    double operator[](const RealKey& key) const;
    bool operator[](const FlagKey& key) const;
    const std::string& operator[](const TextKey& key) const { return text(key.name); }
    template <typename Choice>
    auto operator[](const ChoiceKey<Choice>& key) const {
        const std::string& word = text(key.name);
        if constexpr (std::is_enum_v<Choice>) {
            const auto names = key.names.all();
            return static_cast<Choice>(std::ranges::find(names, word) - names.begin());
        } else {
            return Choice(word);
        }
    }

    /// Gives a value as text that set() takes, such as model files keep.
    const std::string& text(std::string_view key) const;

    const std::vector<ParameterSpec>& specs() const { return specs_; }
    /// Finds the description of a parameter; throws Error(invalid_parameter) that tells the nearest key.
    const ParameterSpec& spec(std::string_view key) const;
    bool has(std::string_view key) const;

  private:
    std::string owner_;
    std::vector<ParameterSpec> specs_;
    std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace dk
