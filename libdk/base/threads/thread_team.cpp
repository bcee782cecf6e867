// SPDX-License-Identifier: Apache-2.0
#include "base/threads/thread_team.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "base/system/threads.hpp"
#include "base/threads/openmp_threads.hpp"

namespace dk {

class ThreadTeam::Helpers {
  public:
    Helpers() = default;
    ~Helpers() {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        start_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    /// Tells whether the threads are those of this process. A child of the process that made them has none.
    bool live_here() const { return owner_ == process_number(); }

    void run(int wanted, const std::function<void()>& work) {
        const int count = make_threads(wanted);
        {
            const std::lock_guard lock(mutex_);
            work_ = &work;
            open_ = count;
        }
        for (int i = 0; i < count; ++i) start_.notify_one();
        work();
        std::unique_lock lock(mutex_);
        open_ = 0;  // Nobody begins any more, because there is nothing left to do.
        done_.wait(lock, [&] { return active_ == 0; });
    }

  private:
    /// Makes threads until there are `wanted` or the system gives no more. Gives their number.
    int make_threads(int wanted) {
        if (std::ssize(threads_) < wanted && runs_without_asking_-- <= 0) {
            runs_without_asking_ = 0;
            try {
                make_threads_without_signals([&] {
                    while (std::ssize(threads_) < wanted) threads_.emplace_back([this] { help(); });
                });
            } catch (const std::exception&) {
                runs_without_asking_ = 1000;
            }
        }
        return static_cast<int>(std::min<std::ptrdiff_t>(wanted, std::ssize(threads_)));
    }

    void help() {
        std::unique_lock lock(mutex_);
        while (true) {
            start_.wait(lock, [&] { return ending_ || open_ > 0; });
            if (ending_) return;
            --open_;
            ++active_;
            const auto& work = *work_;
            lock.unlock();
            work();
            lock.lock();
            if (--active_ == 0) done_.notify_one();
        }
    }

    const std::int64_t owner_ = process_number();
    std::vector<std::thread> threads_;
    int runs_without_asking_ = 0;  // Where the system has refused a thread, it is asked again in a while.
    std::mutex mutex_;
    std::condition_variable start_;
    std::condition_variable done_;
    const std::function<void()>* work_ = nullptr;
    int open_ = 0;    // So many more threads may begin the work.
    int active_ = 0;  // So many are at it.
    bool ending_ = false;
};

void ThreadTeam::EndHelpers::operator()(Helpers* helpers) const {
    // In a child there is nobody to wait for, and what threads waited with can't be destroyed.
    if (helpers->live_here()) std::default_delete<Helpers>()(helpers);
}

void ThreadTeam::run(int helpers, const std::function<void()>& work, Region region) noexcept {
    if (helpers <= 0 || busy_.exchange(true)) return work();
    const bool by_own_threads = region == Region::brief && !openmp_binds_threads();
    if (by_own_threads || !run_by_openmp(helpers + 1, work)) run_by_own_threads(helpers, work);
    busy_ = false;
}

void ThreadTeam::run_by_own_threads(int helpers, const std::function<void()>& work) noexcept {
    try {
        if (!helpers_ || !helpers_->live_here()) helpers_.reset(std::make_unique<Helpers>().release());
        helpers_->run(helpers, work);
    } catch (const std::bad_alloc&) {  // There is no memory for helpers.
        work();
    }
}

}  // namespace dk
