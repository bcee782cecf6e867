// SPDX-License-Identifier: Apache-2.0
#include "abi/guard.hpp"

using namespace dk;
using namespace dk::abi;

dk_status dk_control_create(dk_control** out) {
    return guarded([&] {
        required(out, "out") = nullptr;
        *out = std::make_unique<dk_control>().release();
    });
}

dk_status dk_control_set_threads(dk_control* control, int32_t threads) {
    return guarded([&] {
        if (threads < 0 || threads > 1024) {
            fail(Status::invalid_argument, "threads is ", threads,
                 "; allowed is 1 to 1024, or 0 for all processors");
        }
        const OnlyUser only(required(control, "control"));
        control->value.set_threads(threads);
    });
}

dk_status dk_control_set_memory(dk_control* control, int64_t megabytes) {
    return guarded([&] {
        constexpr std::int64_t most = std::int64_t{1} << 40;
        if (megabytes < 0 || megabytes > most) {
            fail(Status::invalid_argument, "megabytes is ", megabytes,
                 "; allowed is 1 to 2^40, or 0 for half of the machine's memory");
        }
        const OnlyUser only(required(control, "control"));
        control->value.limit_memory(MemoryBudget(megabytes));
    });
}

dk_status dk_control_set_progress(dk_control* control, dk_progress_callback callback, void* user) {
    return guarded([&] {
        const OnlyUser only(required(control, "control"));
        Control& value = control->value;
        if (callback == nullptr) {
            value.set_callback({});
            return;
        }
        value.set_callback([callback, user](double fraction, const std::string& stage) {
            return callback(fraction, stage.c_str(), user) == 0;
        });
    });
}

dk_status dk_control_cancel(dk_control* control) {
    // A signal handler may call this, so it neither throws nor notes a message.
    if (control == nullptr) return DK_ERR_INVALID_ARGUMENT;
    control->value.cancel();
    return DK_OK;
}

dk_status dk_control_reset(dk_control* control) {
    return guarded([&] {
        const OnlyUser only(required(control, "control"));
        control->value.reset();
    });
}

double dk_control_progress(const dk_control* control) {
    return control == nullptr ? -1 : control->value.progress();
}

void dk_control_free(dk_control* control) {
    const std::unique_ptr<dk_control> owned(control);
}
