// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dk {

/// A JSON value that ends without asking for memory. nlohmann::json does so for every list or object that is
/// not empty, in a destructor, which ends the process when there is none. Values are therefore built in their
/// places inside of this one, so that nothing but texts and numbers ends on its own.
template <typename Json>
class Dismantled {
  public:
    Dismantled() = default;
    ~Dismantled() { dismantle(value_); }
    Dismantled(const Dismantled&) = delete;
    Dismantled& operator=(const Dismantled&) = delete;

    Json& operator*() { return value_; }
    const Json& operator*() const { return value_; }
    Json* operator->() { return &value_; }

    void clear() { dismantle(value_); }

  private:
    /// Empties a value from its leaves on. It is as shallow as models and reports are.
    static void dismantle(Json& value) {
        if (!value.is_structured()) return;
        for (Json& child : value) dismantle(child);
        value.clear();
    }

    Json value_;
};

}  // namespace dk
