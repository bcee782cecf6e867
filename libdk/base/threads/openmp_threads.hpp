// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace dk {

/// Says what runs parallel loops, for dk_build_info().
const char* parallel_loops_run_on() noexcept;

/// Gives the number of threads of a call that names none: what OpenMP has been told (OMP_NUM_THREADS,
/// OMP_THREAD_LIMIT, omp_set_num_threads), and otherwise the processors that the process might use when it
/// loaded OpenMP.
int usual_threads();

/// Tells whether OpenMP has bound each thread to processors of its own (OMP_PROC_BIND), the calling one too.
/// Threads that others make would all be where their maker is.
bool openmp_binds_threads() noexcept;

/// Runs work() on the calling thread and on `threads` - 1 of OpenMP's at the same time, and tells whether it
/// did. It does nothing where OpenMP can't do it without harm:
///   - in a child of fork, where OpenMP waits for ever for the threads of the parent;
///   - inside a parallel region of the program, whose threads are all at work;
///   - where the system refuses the threads, at which OpenMP ends the process. So threads are asked of the
///     system before OpenMP asks for them;
///   - where libdk is built without OpenMP.
bool run_by_openmp(int threads, const std::function<void()>& work) noexcept;

}  // namespace dk
