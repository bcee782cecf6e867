// SPDX-License-Identifier: Apache-2.0
#pragma once

// These tell which sanitizer a test is built with; GCC and Clang tell it in ways of their own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DK_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define DK_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(DK_ADDRESS_SANITIZER)
#define DK_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__) && !defined(DK_THREAD_SANITIZER)
#define DK_THREAD_SANITIZER
#endif
