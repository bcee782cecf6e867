// SPDX-License-Identifier: Apache-2.0
//
// The children of a process that has used its threads have none of these threads, and must answer all the
// same.
#include <sys/wait.h>
#include <unistd.h>

#include "expectations.hpp"

namespace dk_test::fork_test {
namespace {

TEST(Fork, ChildrenPredictAndTrainAsTheirParent) {
    const Problem problem = make_problem(300, 2, 2, 1.0, 8);
    const Data data = create<Data>(dk_data_from_dense, problem.x.data(), problem.rows, problem.cols,
                                   problem.cols, DK_ROW_MAJOR);
    check(dk_data_set_labels(data.get(), problem.labels.data(), problem.rows));
    const Params params = parameters("svm", "kernel=rbf(gamma=0.5)");
    const auto control = control_with(2);
    const auto train = [&](dk_control* with) {
        return create<Model>(dk_train, data.get(), params.get(), with);
    };
    const Model model = train(control.get());
    const auto expected = values_of<double>(300, dk_decision, model.get(), data.get(), control.get());
    const auto bytes = bytes_of(model.get());
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        alarm(60);  // This ends a child that waits for threads that are not there.
        const auto own = control_with(2);
        const bool same =
            values_of<double>(300, dk_decision, model.get(), data.get(), own.get()) == expected &&
            bytes_of(train(own.get()).get()) == bytes;
        _exit(same ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace dk_test::fork_test
