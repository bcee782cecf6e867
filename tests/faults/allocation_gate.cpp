// SPDX-License-Identifier: Apache-2.0
#include "allocation_gate.hpp"

#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <limits>

// The C library's own functions, under the names by which programs that replace malloc() reach them.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);
}

namespace dk_test {
namespace {

constexpr int64_t never = std::numeric_limits<int64_t>::max();

std::atomic<int64_t> count{0};
std::atomic<int64_t> first_refused{never};
std::atomic<int64_t> last_refused{never};
std::atomic<int64_t> refused{0};
std::atomic<int64_t> blocks{0};
std::atomic<int64_t> bytes{0};
std::atomic<int64_t> peak{0};

bool refuses() {
    const int64_t number = ++count;
    if (number < first_refused || number > last_refused) return false;
    ++refused;
    errno = ENOMEM;
    return true;
}

void* entered(void* block) {
    if (block == nullptr) return nullptr;
    ++blocks;
    const int64_t now = bytes += static_cast<int64_t>(malloc_usable_size(block));
    int64_t before = peak;
    while (before < now && !peak.compare_exchange_weak(before, now)) {
    }
    return block;
}

void left(void* block) {
    if (block == nullptr) return;
    --blocks;
    bytes -= static_cast<int64_t>(malloc_usable_size(block));
}

}  // namespace

void refuse_allocation(int64_t number, Refusal refusal) {
    count = 0;
    refused = 0;
    last_refused = refusal == Refusal::once ? number : never;
    first_refused = number;
}

int64_t allow_allocations() {
    first_refused = never;
    return refused;
}

int64_t allocations_since() {
    return count.exchange(0);
}

int64_t live_blocks() {
    return blocks;
}

int64_t live_bytes() {
    return bytes;
}

int64_t peak_bytes() {
    return peak;
}

void reset_peak() {
    peak = bytes.load();
}

}  // namespace dk_test

extern "C" {

void* malloc(std::size_t size) {
    return dk_test::refuses() ? nullptr : dk_test::entered(__libc_malloc(size));
}

void* calloc(std::size_t count, std::size_t size) {
    return dk_test::refuses() ? nullptr : dk_test::entered(__libc_calloc(count, size));
}

void* realloc(void* block, std::size_t size) {
    if (dk_test::refuses()) return nullptr;
    dk_test::left(block);
    void* const moved = __libc_realloc(block, size);
    if (moved == nullptr && size > 0) dk_test::entered(block);
    return dk_test::entered(moved);
}

void* memalign(std::size_t alignment, std::size_t size) {
    return dk_test::refuses() ? nullptr : dk_test::entered(__libc_memalign(alignment, size));
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
    *block = memalign(alignment, size);
    return *block == nullptr ? ENOMEM : 0;
}

void free(void* block) {
    dk_test::left(block);
    __libc_free(block);
}
}
