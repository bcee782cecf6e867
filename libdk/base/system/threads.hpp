// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace dk {

/// Gives the number of processors that this process may use, at least one.
int usable_processors();

/// Gives the number of processors whose time the container gives to the process, rounded up, as it was when
/// first asked for, or a number that is larger than any machine has where there is no such quota.
int processors_of_container();

/// Gives the number of this process, which a child of it does not have.
std::int64_t process_number();

/// Runs `make`. The threads that it makes leave all signals to the threads of the program.
void make_threads_without_signals(const std::function<void()>& make);

}  // namespace dk
