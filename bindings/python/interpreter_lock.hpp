// SPDX-License-Identifier: Apache-2.0
//
// The interpreter's lock in native calls. A thread that waits for the lock when the interpreter has ended is
// ended by it in the midst of C++, which no destructor survives. So the end of the program ends the calls
// first: what runs is cancelled and waited for, and what begins later keeps the lock until it has ended.
#pragma once

#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include <Python.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

namespace dk_python {

/// So many threads are in native calls, without the lock.
inline std::atomic<int> threads_outside{0};
/// The program is about to end, so that calls have to.
inline std::atomic<bool> leaving{false};

/// Holds the interpreter's lock.
class Locked {
  public:
    Locked() : state_(PyGILState_Ensure()) {}
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
    ~Locked() { end(); }
    void end() {
        if (std::exchange(held_, false)) PyGILState_Release(state_);
    }

  private:
    PyGILState_STATE state_;
    bool held_ = true;
};

/// Lets other threads have the interpreter's lock for the time of a native call.
class Outside {
  public:
    Outside() {
        if (leaving) return;
        ++threads_outside;
        state_ = PyEval_SaveThread();
    }
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;
    ~Outside() { end(); }
    void end() {
        if (state_ == nullptr) return;
        PyEval_RestoreThread(std::exchange(state_, nullptr));
        --threads_outside;
    }

  private:
    PyThreadState* state_ = nullptr;
};

/// Ends the calls of other threads, which hear of it within 0.2 s; a call that hears nothing is waited for no
/// longer than ten seconds. The caller holds the lock.
inline void leave() {
    using namespace std::chrono_literals;
    leaving = true;
    PyThreadState* state = PyEval_SaveThread();
    for (int tries = 0; tries < 2000 && threads_outside > 0; ++tries) std::this_thread::sleep_for(5ms);
    PyEval_RestoreThread(state);
}

/// The child of a fork has none of the other threads.
inline void forget_other_threads() {
    threads_outside = 0;
}

}  // namespace dk_python
