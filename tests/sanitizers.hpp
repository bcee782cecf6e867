// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every sanitizer's runtime defines its own one of these functions. The tests ask whether it is linked, and
// not how they are compiled, since a sanitized library is tested by objects that are compiled without
// sanitizers.
extern "C" {
__attribute__((weak)) void __asan_init();
__attribute__((weak)) void __tsan_init();
}

namespace dk {

inline bool with_address_sanitizer() {
    return &__asan_init != nullptr;
}
inline bool with_thread_sanitizer() {
    return &__tsan_init != nullptr;
}

}  // namespace dk
