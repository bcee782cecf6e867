// SPDX-License-Identifier: Apache-2.0
#include "base/threads/openmp_threads.hpp"

#include <algorithm>

#include "base/system/threads.hpp"

#ifdef _OPENMP

#include <omp.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace dk {

namespace {

/// The process that loaded the library. Children of it have copies of OpenMP's books, but not its threads.
const std::int64_t loading_process = process_number();

/// The number of threads that OpenMP keeps for this thread's regions.
thread_local int pool = 1;

/// So many more regions go by without asking the system for threads, after it has refused them.
thread_local int regions_without_asking = 0;

/// Tells whether the system gives so many further threads now, and the memory in which OpenMP keeps their
/// books.
bool system_gives(int threads) {
    constexpr std::size_t books_of_a_thread = std::size_t{16} << 10U;
    std::atomic<bool> leave{false};
    std::vector<std::thread> made;
    bool all = true;
    try {
        const std::vector<std::byte> books(books_of_a_thread * threads);
        made.reserve(threads);
        make_threads_without_signals([&] {
            while (std::ssize(made) < threads) made.emplace_back([&] { leave.wait(false); });
        });
    } catch (const std::exception&) {
        all = false;
    }
    leave = true;
    leave.notify_all();
    for (std::thread& thread : made) thread.join();
    return all;
}

/// Lets OpenMP make its threads, which leave all signals to those of the program.
void grow_pool(int threads) {
    std::atomic<int> came{0};  // A region without work would be left out by the compiler.
    make_threads_without_signals([&] {
#pragma omp parallel num_threads(threads)
        came.fetch_add(1);
    });
    pool = std::max(threads, came.load());
}

/// Makes the pool as large as it has to be, or tells that the system refuses that.
bool have_pool(int threads) {
    if (threads <= pool) return true;
    if (regions_without_asking > 0) {
        --regions_without_asking;
        return false;
    }
    if (system_gives(threads - pool)) {
        grow_pool(threads);
        return true;
    }
    regions_without_asking = 1000;
    return false;
}

}  // namespace

const char* parallel_loops_run_on() noexcept {
    return "OpenMP";
}

int usual_threads() {
    const int threads = std::min(omp_get_max_threads(), omp_get_thread_limit());
    // OpenMP takes all processors where nobody has told it otherwise, and sees no quota of their time. Their
    // number is asked of the system, which takes longer than some calls do, so it is asked last.
    const int quota = processors_of_container();
    return threads > quota && threads == omp_get_num_procs() ? quota : threads;
}

bool openmp_binds_threads() noexcept {
    return omp_get_proc_bind() != omp_proc_bind_false;
}

bool run_by_openmp(int threads, const std::function<void()>& work) noexcept {
    if (process_number() != loading_process || omp_in_parallel() != 0 || !have_pool(threads)) return false;
        // GCC's OpenMP makes threads anew whenever a region asks for another number. So a region has all of
        // the pool, and those that are not wanted return at once.
#pragma omp parallel num_threads(pool)
    if (omp_get_thread_num() < threads) work();
    return true;
}

}  // namespace dk

#else

namespace dk {

const char* parallel_loops_run_on() noexcept {
    return "own threads";
}

int usual_threads() {
    return std::min(usable_processors(), processors_of_container());
}

bool openmp_binds_threads() noexcept {
    return false;
}

bool run_by_openmp(int /*threads*/, const std::function<void()>& /*work*/) noexcept {
    return false;
}

}  // namespace dk

#endif
