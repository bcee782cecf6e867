// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control.hpp"
#include "parameters.hpp"

namespace command {

// dk_train, dk_cross_validate or dk_mkl_compare.
using Learn = dk_status (*)(dk_model**, const dk_data*, const dk_params*, dk_control*);

inline Model learned(Control& control, const Data& data, const Settings& settings, Learn learn = dk_train) {
    Model model;
    control.run([&](dk_control* c) {
        dk_model* made = nullptr;
        const dk_status status = learn(&made, data.get(), settings.get(), c);
        model.reset(made);
        return status;
    });
    return model;
}

}  // namespace command
