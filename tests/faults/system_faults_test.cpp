// SPDX-License-Identifier: Apache-2.0
// Every system call of reading, loading, saving and starting threads fails in turn, with each error that it
// may have; and the process is killed at each while it saves. A file is then the old one or the new one,
// whole.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "../abi/plain_messages.hpp"
#include "system_gate.hpp"
#include "work.hpp"

namespace dk_test {
namespace {

constexpr int errors[] = {EINTR, ENOSPC, EIO, EAGAIN, EACCES, EMFILE};

/// Names of the files in a directory but one.
std::vector<std::string> files_beside(const TemporaryDirectory& directory, const std::string& name) {
    std::vector<std::string> others = directory.names();
    std::erase(others, name);
    return others;
}

class SystemFaults : public testing::TestWithParam<NamedWork> {};

TEST_P(SystemFaults, AreErrorsAndLoseNothing) {
    const Work work = GetParam().make();
    ASSERT_EQ(work.call(), DK_OK) << dk_last_error();
    const std::string expected = work.outcome();
    int64_t failed = 0;
    int64_t calls = 0;
    for (const int error : errors) {
        for (int64_t number = 1;; ++number) {
            fail_system_call(number, error);
            const dk_status status = work.call();
            allow_system_calls();
            ++calls;
            const bool met = system_fault_met();
            const std::string outcome = work.outcome();
            if (status == DK_OK) {
                EXPECT_EQ(outcome, expected) << "call " << number << " failed with error " << error;
            } else {
                ++failed;
                EXPECT_TRUE(met);
                EXPECT_EQ(status, DK_ERR_IO) << dk_last_error() << ", call " << number << ", error " << error;
                EXPECT_NE(std::string(dk_last_error()), "");
                EXPECT_EQ(dk_test::words_of_libraries(dk_last_error()), "");
            }
            if (!met || HasFailure()) break;
        }
    }
    EXPECT_GT(failed, 0);
    ASSERT_EQ(work.call(), DK_OK) << dk_last_error();
    EXPECT_EQ(work.outcome(), expected);
    std::printf("faults: %s: %lld calls, %lld failed\n", GetParam().name.c_str(),
                static_cast<long long>(calls), static_cast<long long>(failed));
}

/// The works that read or write files.
std::vector<NamedWork> works_with_files() {
    std::vector<NamedWork> works = works_of_files();
    for (const NamedWork& work : works_of_models()) {
        if (work.name == "load" || work.name == "save") works.push_back(work);
    }
    return works;
}

INSTANTIATE_TEST_SUITE_P(Of, SystemFaults, testing::ValuesIn(works_with_files()),
                         [](const auto& work) { return work.param.name; });

/// An old model in a file, and a new one that takes its place.
class Saving : public testing::Test {
  protected:
    Saving() {
        check(dk_model_save(old_model.get(), path.c_str()));
        check(dk_model_save(new_model.get(), directory.path("other").c_str()));
        new_bytes = directory.read("other");
        old_bytes = directory.read("model.dk");
    }

    /// Saves the new model in a process of its own, which is killed at this system call. Tells whether it
    /// was.
    bool killed_at(int64_t number) const {
        const pid_t child = fork();
        if (child == 0) {
            kill_at_system_call(number);
            _exit(dk_model_save(new_model.get(), path.c_str()) == DK_OK ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
        return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    }

    const TemporaryDirectory directory;
    const std::string path = directory.path("model.dk");
    const Model old_model = train(training_rows(), "mean_of_class");
    const Model new_model = train(training_rows(), "svm");
    std::string old_bytes, new_bytes;
};

TEST_F(Saving, KilledAtAnySystemCallLeavesTheOldModelOrTheNewOne) {
    int64_t killed = 0;
    int64_t leftovers = 0;
    bool new_seen = false;
    for (int64_t number = 1; killed_at(number); ++number) {
        ++killed;
        const std::string found = directory.read("model.dk");
        ASSERT_TRUE(found == old_bytes || found == new_bytes) << "killed at call " << number;
        new_seen = new_seen || found == new_bytes;
        ASSERT_NE(create<Model>(dk_model_load, path.c_str(), nullptr), nullptr);
        for (const std::string& name : files_beside(directory, "model.dk")) {
            if (name == "other") continue;
            ++leftovers;  // It had its name already, and not yet the place of the model.
            unlink(directory.path(name).c_str());
        }
        check(dk_model_save(old_model.get(), path.c_str()));
    }
    EXPECT_GT(killed, 5);
    EXPECT_TRUE(new_seen);
    EXPECT_LE(leftovers, 3);
    EXPECT_EQ(directory.read("model.dk"), new_bytes);  // The last process was not killed.
}

TEST_F(Saving, FailedAtAnySystemCallLeavesNoFileBehind) {
    for (const int error : errors) {
        for (int64_t number = 1;; ++number) {
            fail_system_call(number, error);
            const dk_status status = dk_model_save(new_model.get(), path.c_str());
            allow_system_calls();
            const std::string found = directory.read("model.dk");
            EXPECT_TRUE(found == new_bytes || (status != DK_OK && found == old_bytes));
            EXPECT_EQ(files_beside(directory, "model.dk"), std::vector<std::string>{"other"})
                << "call " << number << " failed with error " << error;
            if (!system_fault_met() || HasFailure()) break;
            check(dk_model_save(old_model.get(), path.c_str()));
        }
    }
}

TEST_F(Saving, InSmallPiecesIsTheWholeModel) {
    write_in_small_pieces(true);
    const dk_status status = dk_model_save(new_model.get(), path.c_str());
    write_in_small_pieces(false);
    ASSERT_EQ(status, DK_OK) << dk_last_error();
    EXPECT_EQ(directory.read("model.dk"), new_bytes);
}

TEST(RefusedThreads, LeaveTheWorkToFewer) {
    const Data data = dense(make_problem(2500, 12, 2, 1.0, 3));
    const std::string expected = text_of(dk_model_info, train(data, "svm").get());
    const auto bytes = bytes_of(train(data, "svm").get());
    // Threads are asked of the system before OpenMP asks for them, which ends the process when it is refused
    // one.
    constexpr int beyond_all = 1000;
    for (const int number : {1, 2, 3, 4, 5, 6, 7, beyond_all}) {
        const Control control = create<Control>(dk_control_create);
        check(dk_control_set_threads(control.get(), 8));
        fail_system_call(number, EAGAIN);
        dk_model* out = nullptr;
        const dk_status status = dk_train(&out, data.get(), parameters("svm").get(), control.get());
        allow_system_calls();
        const Model model(out);
        ASSERT_EQ(status, DK_OK) << dk_last_error();
        EXPECT_EQ(system_fault_met(), number < beyond_all);
        EXPECT_EQ(bytes_of(model.get()), bytes);
    }
}

}  // namespace
}  // namespace dk_test
