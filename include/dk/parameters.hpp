// SPDX-License-Identifier: Apache-2.0
#ifndef DK_PARAMETERS_HPP
#define DK_PARAMETERS_HPP

#include <concepts>
#include <dk/control.hpp>

namespace libdk {

/// What a machine learns: classes, numbers, or what rows alone are like.
enum class Task : std::int32_t {
    classification = DK_TASK_CLASSIFICATION,
    regression = DK_TASK_REGRESSION,
    novelty = DK_TASK_NOVELTY,
    any = DK_TASK_ANY,
    clustering = DK_TASK_CLUSTERING,
    multilabel = DK_TASK_MULTILABEL
};

/// A machine and the values of its parameters, which begin at their defaults. dk describe and describe() list
/// machines and parameters. A copy is a set of parameters of its own. Since 0.1.
class Parameters {
  public:
    /// An unknown name fails with the nearest one. `settings` is as in "C=10 kernel=rbf(gamma=0.5)".
    explicit Parameters(const std::string& machine, const std::string& settings = {}) : machine_(machine) {
        dk_params* made = nullptr;
        detail::check(dk_params_create(&made, detail::text_for_c(machine_)));
        handle_.reset(made);
        if (!settings.empty()) parse(settings);
    }
    Parameters(const Parameters& other) : Parameters(other.machine_) { *this = other; }
    Parameters(Parameters&&) noexcept = default;
    Parameters& operator=(Parameters&&) noexcept = default;
    Parameters& operator=(const Parameters& other) {
        if (this == &other) return *this;
        Parameters copy(other.machine_);
        for (const auto& [key, value] : other.given_) key.empty() ? copy.parse(value) : copy.take(key, value);
        return *this = std::move(copy);
    }
    ~Parameters() = default;

    /// What the machine learns.
    Task task() const { return static_cast<Task>(dk_params_task(handle())); }

    /// Sets a parameter; unknown keys, other types and values out of range fail with what is allowed.
    Parameters& set(const std::string& key, const std::string& value) {
        take(key, value);
        return *this;
    }
    Parameters& set(const std::string& key, const char* value) { return set(key, std::string(value)); }
    Parameters& set(const std::string& key, double value) {
        detail::check(dk_params_set_double(handle_.get(), detail::text_for_c(key), value));
        note(key, get(key));
        return *this;
    }
    Parameters& set(const std::string& key, bool value) { return set(key, value ? "yes" : "no"); }
    template <std::integral Integer>
    Parameters& set(const std::string& key, Integer value) {
        if (!std::in_range<std::int64_t>(value))
            throw Error(Status::invalid_parameter, key + " is more than 64 bits hold");
        detail::check(
            dk_params_set_int(handle_.get(), detail::text_for_c(key), static_cast<std::int64_t>(value)));
        note(key, get(key));
        return *this;
    }

    const std::string& machine() const { return machine_; }
    /// The keys that were set, in the order in which they were, with spaces between.
    std::string given() const {
        std::string keys;
        for (const std::string& key : keys_) keys += keys.empty() ? key : ' ' + key;
        return keys;
    }
    /// The value of a parameter as text.
    std::string get(const std::string& key) const {
        return detail::text_of(dk_params_get, handle(), detail::text_for_c(key));
    }
    const dk_params* handle() const { return handle_.get(); }

  private:
    struct Free {
        void operator()(dk_params* params) const noexcept { dk_params_free(params); }
    };

    void take(const std::string& key, const std::string& value) {
        detail::check(dk_params_set(handle_.get(), detail::text_for_c(key), detail::text_for_c(value)));
        note(key, value);
    }
    /// Sets all pairs of a text, or none, and remembers their keys: words that begin a pair, because the
    /// value of grid has such words too.
    void parse(const std::string& settings) {
        detail::check(dk_params_parse(handle_.get(), detail::text_for_c(settings)));
        given_.emplace_back("", settings);
        int depth = 0;
        bool in_key = true;
        std::string word;
        for (const char c : settings) {
            depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
            const bool between = depth == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r');
            if (between) {
                in_key = true;
                word.clear();
            } else if (in_key && c == '=') {
                note_key(word);
                in_key = false;
            } else {
                word += c;
            }
        }
    }
    void note(const std::string& key, const std::string& value) {
        given_.emplace_back(key, value);
        note_key(key);
    }
    void note_key(const std::string& key) {
        for (const std::string& known : keys_) {
            if (known == key) return;
        }
        keys_.push_back(key);
    }

    std::string machine_;
    std::unique_ptr<dk_params, Free> handle_;
    // A copy is told the same in the same order: keys with values, and whole texts without a key.
    std::vector<std::pair<std::string, std::string>> given_;
    std::vector<std::string> keys_;
};

}  // namespace libdk

#endif
