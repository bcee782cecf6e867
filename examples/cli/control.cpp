// SPDX-License-Identifier: Apache-2.0
#include "control.hpp"

#include <unistd.h>

#include <algorithm>
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
    if (!can_draw()) return;
    control_.set_progress([this](double fraction, std::string_view stage) {
        draw(fraction, stage);
        return true;
    });
}

Control::Running::Running(Control& control) : control_(control) {
    const InterruptsHeld held;
    control.started_ = std::chrono::steady_clock::now();
    running = &control.control_;
    phase = Phase::kControlled;
}

Control::Running::~Running() {
    {
        const InterruptsHeld held;
        phase = Phase::kFree;
        running = nullptr;
    }
    if (control_.drawn_) std::fputs("\r\033[K", stderr);
    control_.drawn_ = false;
}

void Control::require_not_interrupted() {
    if (interrupted) throw LibraryError(libdk::Status::cancelled, "cancelled");
}

void Control::draw(double fraction, std::string_view stage) {
    using namespace std::chrono_literals;
    constexpr int kWidth = 40;
    if (std::chrono::steady_clock::now() - started_ < 300ms) return;  // A quick call shows no bar.
    const int filled = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * kWidth);
    const std::string bar = std::string(static_cast<size_t>(filled), '#') +
                            std::string(static_cast<size_t>(kWidth - filled), '.');
    std::fprintf(stderr, "\r\033[K[%s] %3.0f%% %.*s", bar.c_str(), 100 * fraction,
                 static_cast<int>(std::min<size_t>(stage.size(), 30)), stage.data());
    std::fflush(stderr);
    drawn_ = true;
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
