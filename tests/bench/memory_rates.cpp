// SPDX-License-Identifier: Apache-2.0
#include "memory_rates.hpp"

#include <emmintrin.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <new>
#include <vector>

#include "parallel_timer.hpp"

namespace dk_bench {
namespace {

constexpr int kRepeats = 3;

struct Span {
    double* begin;
    std::size_t count;
};

// Gives the part of the memory that one thread writes, in whole cache lines.
Span part_of(double* memory, std::size_t bytes, int thread, int threads) {
    constexpr std::size_t kLine = 8;
    const std::size_t lines = bytes / sizeof(double) / kLine;
    const auto share = [&](int index) {
        return lines * static_cast<std::size_t>(index) / static_cast<std::size_t>(threads) * kLine;
    };
    return {memory + share(thread), share(thread + 1) - share(thread)};
}

// A Block is what is written. It stays in the first-level cache, and its numbers all differ: constant lines,
// zeros above all, travel up to twice as fast on some machines, and no kernel matrix is made of them.
constexpr std::size_t kBlock = 1024;
using Block = std::array<double, kBlock>;

Block make_block() {
    Block block{};
    for (std::size_t i = 0; i < kBlock; ++i) block[i] = std::exp(-static_cast<double>(i) / kBlock);
    return block;
}

template <typename Store>
void write_blocks(Span span, Store store) {
    alignas(64) const Block block = make_block();
    for (std::size_t start = 0; start < span.count; start += kBlock) {
        store(span.begin + start, block.data(), std::min(kBlock, span.count - start));
    }
}

// Writes by stores of 16 bytes. The write-combining buffers gather them to whole lines, so wider ones gain
// nothing. They need 16-byte addresses, which malloc and mmap give.
void write_streaming(Span span) {
    write_blocks(span, [](double* to, const double* from, std::size_t count) {
        for (std::size_t i = 0; i < count; i += 2) _mm_stream_pd(to + i, _mm_load_pd(from + i));
    });
    _mm_sfence();
}

void write_ordinary(Span span) {
    write_blocks(span, [](double* to, const double* from, std::size_t count) {
        for (std::size_t i = 0; i < count; i += 2) _mm_store_pd(to + i, _mm_load_pd(from + i));
    });
}

void write_library(Span span) {
    write_blocks(span, [](double* to, const double* from, std::size_t count) {
        std::memcpy(to, from, count * sizeof(double));
    });
}

// Fresh pages are anonymous pages straight from the system, which nobody has touched. They are given back at
// the end.
class FreshPages {
  public:
    explicit FreshPages(std::size_t bytes)
        : bytes_(bytes),
          address_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        if (address_ == MAP_FAILED) throw std::bad_alloc();
    }
    ~FreshPages() { munmap(address_, bytes_); }
    FreshPages(const FreshPages&) = delete;
    FreshPages& operator=(const FreshPages&) = delete;
    double* data() const { return static_cast<double*>(address_); }

  private:
    std::size_t bytes_;
    void* address_;
};

}  // namespace

double WriteTimes::best() const {
    return std::min({streaming, ordinary, library});
}

WriteTimes measure_writing(int threads, double* memory, std::size_t bytes) {
    const auto measure = [&](void (*write)(Span)) {
        return median_seconds(threads, kRepeats,
                              [&](int thread, int of) { write(part_of(memory, bytes, thread, of)); });
    };
    WriteTimes times;
    times.streaming = measure(write_streaming);
    times.ordinary = measure(write_ordinary);
    times.library = measure(write_library);
    return times;
}

double measure_first_touch(int threads, std::size_t bytes) {
    std::vector<double> times;
    for (int repeat = 0; repeat < 3; ++repeat) {
        const FreshPages pages(bytes);
        times.push_back(seconds_of([&] {
            on_all_threads(threads, [&](int thread, int of) {
                write_ordinary(part_of(pages.data(), bytes, thread, of));
            });
        }));
    }
    return median(std::move(times));
}

}  // namespace dk_bench
