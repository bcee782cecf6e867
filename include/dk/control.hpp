// SPDX-License-Identifier: Apache-2.0
#ifndef DK_CONTROL_HPP
#define DK_CONTROL_HPP

#include <dk/error.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <utility>

namespace libdk {

/// Hears of a call's progress on the thread that made it, at most about 20 times a second: the share that is
/// done, and the stage. False stops the call. What it throws stops the call too, and comes out of it.
using ProgressListener = std::function<bool(double fraction, std::string_view stage)>;

/// What calls may take, and who may stop them.
struct ControlOptions {
    std::int32_t threads = 0;        // 1 to 1024, or 0 for all processors
    std::int64_t memory_mb = 0;      // what the large objects of a call may take; 0 for half of the memory
    ProgressListener progress = {};  // none where it is empty
    std::stop_token stop = {};       // a request to stop ends a call with Status::cancelled within 0.2 s
};

/// Threads, memory, progress and cancel of calls. One that is made without options is nothing: calls have all
/// processors then, and cannot be stopped. One with options keeps its threads between calls, so that it is
/// made once for many; they may be set anew between calls. One call at a time has a control; cancel() and
/// progress() are for any thread. Since 0.1.
class Control {
  public:
    Control() = default;
    explicit Control(ControlOptions options) : state_(std::make_shared<State>()) {
        dk_control* made = nullptr;
        detail::check(dk_control_create(&made));
        state_->handle.reset(made);
        set_threads(options.threads);
        set_memory(options.memory_mb);
        set_progress(std::move(options.progress));
        state_->stop = std::move(options.stop);
    }

    /// These set threads, memory and listener anew, as ControlOptions has them. A control that was made
    /// without options has no settings.
    void set_threads(std::int32_t threads) {
        detail::check(dk_control_set_threads(state().handle.get(), threads));
    }
    void set_memory(std::int64_t megabytes) {
        detail::check(dk_control_set_memory(state().handle.get(), megabytes));
    }
    void set_progress(ProgressListener progress) {
        State& own = state();
        detail::check(dk_control_set_progress(own.handle.get(), progress ? hear : nullptr, &own));
        own.progress = std::move(progress);
    }

    /// Asks the running call, or the next one, to stop. From any thread.
    void cancel() const {
        if (state_) detail::check(dk_control_cancel(state_->handle.get()));
    }
    /// Forgets a cancel, so that the control can be used again.
    void reset() const {
        if (state_) detail::check(dk_control_reset(state_->handle.get()));
    }
    /// The progress of the running or last call in [0, 1], and -1 for a control that is nothing.
    double progress() const { return state_ ? dk_control_progress(state_->handle.get()) : -1; }

    /// Calls a function of dk.h whose last argument is the control, and throws where it fails.
    template <typename Function, typename... Arguments>
    void run(Function function, Arguments... arguments) const {
        if (!state_) return detail::check(function(arguments..., nullptr));
        State& state = *state_;
        dk_control* handle = state.handle.get();
        state.thrown = nullptr;
        std::optional<std::stop_callback<std::function<void()>>> stopping;
        if (state.stop.stop_possible())
            stopping.emplace(state.stop, std::function<void()>([handle] { dk_control_cancel(handle); }));
        const dk_status status = function(arguments..., handle);
        stopping.reset();
        if (state.thrown) std::rethrow_exception(std::exchange(state.thrown, nullptr));
        detail::check(status);
    }

    /// Gives the text of a function of dk.h that takes long, with the control as its last argument. It is
    /// called once where the text is no longer than most are.
    template <typename Function, typename... Arguments>
    std::string long_text(Function function, Arguments... arguments) const {
        std::int64_t needed = 0;
        std::string text(std::size_t{1} << 16, '\0');
        for (bool fits = false; !fits; text.resize(static_cast<std::size_t>(needed))) {
            run([&](dk_control* handle) {
                const dk_status status = function(text.data(), static_cast<std::int64_t>(text.size()),
                                                  &needed, arguments..., handle);
                fits = status != DK_ERR_BUFFER_TOO_SMALL;
                return fits ? status : DK_OK;
            });
        }
        text.resize(static_cast<std::size_t>(needed) - 1);  // The zero at the end belongs to C.
        return text;
    }

  private:
    struct Free {
        void operator()(dk_control* control) const noexcept { dk_control_free(control); }
    };
    struct State {
        std::unique_ptr<dk_control, Free> handle;
        ProgressListener progress;
        std::stop_token stop;
        std::exception_ptr thrown;
    };

    State& state() const {
        if (!state_) throw Error(Status::invalid_argument, "a control without options has no settings");
        return *state_;
    }

    static std::int32_t hear(double fraction, const char* stage, void* user) noexcept {
        State& state = *static_cast<State*>(user);
        try {
            return state.progress(fraction, stage) ? 0 : 1;
        } catch (...) {
            state.thrown = std::current_exception();
            return 1;
        }
    }

    std::shared_ptr<State> state_;
};

}  // namespace libdk

#endif  // DK_CONTROL_HPP
