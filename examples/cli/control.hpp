// SPDX-License-Identifier: Apache-2.0
// This file runs long calls so that Ctrl-C cancels them and a progress bar shows how far they are.
#pragma once

#include <chrono>

#include "handles.hpp"

namespace command {

// Ctrl-C cancels the long call that is running. Between such calls it ends the process at once, after
// removing the unfinished output file.
void install_interrupt_handler();

// Writes "dk: cancelled", and gives the exit code that a shell expects after Ctrl-C.
int report_cancelled();

// Sets the file that Ctrl-C has to remove, or none if `path` is empty.
void set_unfinished_file(const std::string& path);

class Control {
  public:
    explicit Control(int threads);

    // Runs a call, which gets the dk_control, and throws if it failed or was cancelled.
    template <typename Call>
    void run(Call&& call) {
        begin();
        const dk_status status = call(handle_.get());
        end();
        check(status);
    }

    // Runs a call that returns rows of numbers.
    template <typename Function, typename... Arguments>
    std::vector<double> values_of(Function function, int64_t length, Arguments... arguments) {
        std::vector<double> values(static_cast<size_t>(length));
        run([&](dk_control* control) { return function(values.data(), length, arguments..., control); });
        return values;
    }

  private:
    void begin();
    void end();
    void draw(double fraction, const char* stage);

    std::unique_ptr<dk_control, Release> handle_;
    std::chrono::steady_clock::time_point started_;
    bool drawn_ = false;
};

// Saves a model. Ctrl-C waits until it is saved, so that no temporary file stays behind.
void save_model(const Model& model, const std::string& path);

}  // namespace command
