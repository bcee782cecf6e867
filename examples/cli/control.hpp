// SPDX-License-Identifier: Apache-2.0
// This file runs long calls so that Ctrl-C cancels them and a line of progress shows how far they are.
#pragma once

#include <string>
#include <utility>

#include "handles.hpp"
#include "output/progress.hpp"

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

    // Runs a call, which gets the control of the library, and gives its result; throws if it failed or was
    // cancelled.
    template <typename Call>
    auto run(Call&& call) {
        try {
            auto result = [&] {
                const Running running(*this);
                return call(std::as_const(control_));
            }();
            require_not_interrupted();
            return result;
        } catch (...) {
            require_not_interrupted();  // whatever else went wrong
            throw;
        }
    }

    Progress& progress() { return progress_; }

  private:
    // While it lives, Ctrl-C cancels the call.
    class Running {
      public:
        explicit Running(Control& control);
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;
        ~Running();

      private:
        Control& control_;
    };

    // A cancel counts even if it came when the call was just done.
    static void require_not_interrupted();

    libdk::Control control_;
    Progress progress_;
};

// Saves a model. Ctrl-C waits until it is saved, so that no temporary file stays behind.
void save_model(const Model& model, const std::string& path);

}  // namespace command
