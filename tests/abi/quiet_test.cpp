// SPDX-License-Identifier: Apache-2.0
// What a library may not do behind the back of its host, and how the memory of a control and of parameters
// meet.
#include <fcntl.h>
#include <unistd.h>

#include <clocale>
#include <string>

#include "expectations.hpp"
#include "files.hpp"

namespace dk_test::quiet_test {
namespace {

/// What a body writes to standard output and standard error.
template <typename Body>
std::string printed_by(const TemporaryDirectory& directory, Body body) {
    const std::string path = directory.path("printed");
    const int file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    const int output = dup(STDOUT_FILENO);
    const int errors = dup(STDERR_FILENO);
    fflush(nullptr);  // What the tests have printed before is none of its.
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    body();
    fflush(nullptr);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    for (const int one : {file, output, errors}) close(one);
    return directory.read("printed");
}

TEST(Quiet, CallsPrintNothingAndLeaveTheLocale) {
    const TemporaryDirectory directory;
    const std::string locale = std::setlocale(LC_ALL, nullptr);
    const std::string printed = printed_by(directory, [&] {
        const Data data = dense(make_problem(60, 4, 2, 1.0, 3));
        const Model model = train(data, "svm", "kernel=[rbf(gamma=1),linear] weights=mklgl probability=yes");
        const std::string path = directory.path("model.dk");
        check(dk_model_save(model.get(), path.c_str()));
        predictions(create<Model>(dk_model_load, path.c_str(), nullptr), data);
        text_of(dk_describe);
        dk_build_info();
        // Mistakes are told by messages alone.
        dk_data* out = nullptr;
        EXPECT_NE(dk_data_from_file(&out, path.c_str(), "format=csv", nullptr), DK_OK);
        EXPECT_NE(dk_data_from_file(&out, "/nowhere", nullptr, nullptr), DK_OK);
        dk_params* params = nullptr;
        EXPECT_NE(dk_params_create(&params, "svn"), DK_OK);
    });
    EXPECT_EQ(printed, "");
    EXPECT_EQ(std::setlocale(LC_ALL, nullptr), locale);
}

TEST(ControlMemory, AndTheParameterMemoryMbAreBothKept) {
    const Data data = dense(make_problem(3000, 4, 2, 1.0, 5));  // The kernel matrix has 69 MB.
    const auto status_with = [&](int64_t of_control, const std::string& of_parameters) {
        const Control control = create<Control>(dk_control_create);
        check(dk_control_set_memory(control.get(), of_control));
        dk_model* out = nullptr;
        const Params params = parameters("fisher", "kernel=rbf(gamma=1) " + of_parameters);
        const dk_status status = dk_train(&out, data.get(), params.get(), control.get());
        dk_model_free(out);
        return status;
    };
    EXPECT_EQ(status_with(20, ""), DK_ERR_MEMORY_BUDGET);
    EXPECT_EQ(status_with(20, "memory_mb=1000"), DK_ERR_MEMORY_BUDGET) << "parameters cannot raise it";
    EXPECT_EQ(status_with(1000, "memory_mb=20"), DK_ERR_MEMORY_BUDGET);
    EXPECT_EQ(status_with(1000, "memory_mb=1000"), DK_OK) << dk_last_error();
    EXPECT_EQ(status_with(0, ""), DK_OK) << dk_last_error();
}

}  // namespace
}  // namespace dk_test::quiet_test
