// SPDX-License-Identifier: Apache-2.0
#include "control.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "system.hpp"

namespace command {
namespace {

constexpr int kCancelledExitCode = 130;  // Shells report an end by a signal as 128 plus its number.
constexpr char kCancelledMessage[] = "dk: cancelled\n";

enum class Phase { kFree, kControlled, kProtected };

// The signal handler reads these, which have to be lock-free for it.
std::atomic<Phase> phase{Phase::kFree};
std::atomic<const libdk::Control*> running{nullptr};
std::atomic<bool> interrupted{false};
std::atomic<bool> has_unfinished_file{false};
char unfinished_file[size_t{1} << 15];  // Names that are longer are no file's.
static_assert(std::atomic<Phase>::is_always_lock_free &&
              std::atomic<const libdk::Control*>::is_always_lock_free &&
              std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int) {
    interrupted = true;
    if (phase == Phase::kControlled) {
        running.load()->cancel();
    } else if (phase == Phase::kFree) {
        if (has_unfinished_file) remove_file(unfinished_file);
        _exit(report_cancelled());
    }
}

}  // namespace

void install_interrupt_handler() {
    call_at_interrupt(on_interrupt);
}

int report_cancelled() {
    // A signal handler calls this too, and may use write(2) but not stdio.
    const ssize_t written = write(STDERR_FILENO, kCancelledMessage, sizeof kCancelledMessage - 1);
    (void)written;
    return kCancelledExitCode;
}

void set_unfinished_file(const std::string& path) {
    const InterruptsHeld held;
    has_unfinished_file = false;
    if (path.empty() || path.size() >= sizeof unfinished_file) return;
    std::memcpy(unfinished_file, path.c_str(), path.size() + 1);
    has_unfinished_file = true;
}

Control::Control(int threads) : control_(libdk::ControlOptions{.threads = threads}) {
    if (!progress_.is_shown()) return;
    control_.set_progress([this](double fraction, std::string_view stage) {
        progress_.update(fraction, stage);
        return true;
    });
}

Control::Running::Running(Control& control) : control_(control) {
    const InterruptsHeld held;
    running = &control.control_;
    phase = Phase::kControlled;
}

Control::Running::~Running() {
    {
        const InterruptsHeld held;
        phase = Phase::kFree;
        running = nullptr;
    }
    control_.progress_.end_call();
}

void Control::require_not_interrupted() {
    if (interrupted) throw LibraryError(libdk::Status::cancelled, "cancelled");
}

void save_model(const Model& model, const std::string& path) {
    struct Protected {
        Protected() { set(Phase::kProtected); }
        ~Protected() { set(Phase::kFree); }
        static void set(Phase now) {
            const InterruptsHeld held;
            phase = now;
        }
    };
    const Protected until_saved;
    model.save(path);
}

}  // namespace command
