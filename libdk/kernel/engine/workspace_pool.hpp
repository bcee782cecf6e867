// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "kernel/engine/workspace.hpp"

namespace dk {

/// Keeps the workspaces of an engine between its calls, because a solver asks for rows many times, and the
/// system takes longer to give the memory of a workspace than the engine to compute some tiles.
template <typename T>
class WorkspacePool {
  public:
    /// A workspace that one thread uses until the loan ends.
    class Loan {
      public:
        Loan(WorkspacePool& pool, std::unique_ptr<Workspace<T>> workspace)
            : pool_(pool), workspace_(std::move(workspace)) {}
        ~Loan() {
            // An exception may have left the workspace in the middle of its work.
            if (std::uncaught_exceptions() == exceptions_) pool_.give_back(std::move(workspace_));
        }
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;
        Workspace<T>& operator*() const { return *workspace_; }

      private:
        WorkspacePool& pool_;
        std::unique_ptr<Workspace<T>> workspace_;
        int exceptions_ = std::uncaught_exceptions();
    };

    Loan borrow(const Operands<T>& operands, const Control& control) {
        std::unique_ptr<Workspace<T>> workspace;
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                workspace = std::move(idle_.back());
                idle_.pop_back();
            }
        }
        if (!workspace) workspace = std::make_unique<Workspace<T>>(operands);
        workspace->set_control(control);
        return Loan(*this, std::move(workspace));
    }

  private:
    void give_back(std::unique_ptr<Workspace<T>> workspace) noexcept {
        try {
            const std::lock_guard lock(mutex_);
            idle_.push_back(std::move(workspace));
        } catch (...) {  // Without room to keep it, the workspace goes.
        }
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<Workspace<T>>> idle_;
};

}  // namespace dk
