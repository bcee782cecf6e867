// SPDX-License-Identifier: Apache-2.0
//
// Memory that ends in the midst of the work, in products and factorisations above all: the call says so, and
// the same call succeeds as soon as there is memory again.
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "../sanitizers.hpp"
#include "expectations.hpp"

namespace dk_test::memory_end_test {
namespace {

/// Sanitizers reserve terabytes of addresses.
bool limits_work() {
    return !dk::with_address_sanitizer() && !dk::with_thread_sanitizer();
}

/// The process may take so many bytes beyond what it has, until this object ends.
class AddressLimit {
  public:
    explicit AddressLimit(std::uint64_t further_bytes) {
        std::uint64_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        getrlimit(RLIMIT_AS, &before_);
        rlimit limited = before_;
        limited.rlim_cur = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + further_bytes;
        setrlimit(RLIMIT_AS, &limited);
    }
    ~AddressLimit() { setrlimit(RLIMIT_AS, &before_); }
    AddressLimit(const AddressLimit&) = delete;
    AddressLimit& operator=(const AddressLimit&) = delete;

  private:
    rlimit before_{};
};

class MemoryEnd : public testing::TestWithParam<const char*> {};

TEST_P(MemoryEnd, IsAnErrorAndLosesNothing) {
    if (!limits_work()) GTEST_SKIP() << "the sanitizer needs the addresses";
    const Problem problem = make_problem(1200, 40, 2, 1.0, 3);
    const Data data = dense(problem);
    const Params params = parameters(GetParam(), "kernel=rbf(gamma=0.02)");
    const Control control = create<Control>(dk_control_create);
    check(dk_control_set_threads(control.get(), 1));  // A thread that can't be made is another matter.
    int failures = 0;
    dk_status last = DK_OK;
    std::vector<unsigned char> bytes;
    for (std::uint64_t megabytes = 0; megabytes < 512; megabytes += megabytes < 32 ? 1 : 32) {
        dk_model* model = nullptr;
        {
            const AddressLimit limit(megabytes << 20U);
            last = dk_train(&model, data.get(), params.get(), control.get());
        }
        const Model owner(model);
        if (last == DK_OK) {
            bytes = bytes_of(model);
            break;
        }
        EXPECT_EQ(last, DK_ERR_OUT_OF_MEMORY) << dk_last_error() << " with " << megabytes << " MB";
        EXPECT_EQ(model, nullptr);
        ++failures;
    }
    EXPECT_EQ(last, DK_OK);
    if (failures == 0) GTEST_SKIP() << "memory that earlier tests of this process gave back was enough";
    EXPECT_GT(failures, 3);
    EXPECT_EQ(bytes, bytes_of(train(data, GetParam(), "kernel=rbf(gamma=0.02)").get()));
}

INSTANTIATE_TEST_SUITE_P(Machines, MemoryEnd, testing::Values("kelm", "fisher", "svm", "rvm", "imkpl"));

TEST(MemoryEnd, OfKernelMatricesIsAnError) {
    if (!limits_work()) GTEST_SKIP() << "the sanitizer needs the addresses";
    const Problem problem = make_problem(3000, 300, 2, 1.0, 4);
    const Data data = unlabelled(problem);
    const Control control = create<Control>(dk_control_create);
    check(dk_control_set_threads(control.get(), 1));
    std::vector<double> out(3000 * 3000);
    const auto gram = [&] {
        return dk_gram(out.data(), 3000 * 3000, data.get(), data.get(), "poly(degree=2)", control.get());
    };
    {
        const AddressLimit limit(0);
        EXPECT_EQ(gram(), DK_ERR_OUT_OF_MEMORY) << dk_last_error();
    }
    EXPECT_EQ(gram(), DK_OK) << dk_last_error();
}

}  // namespace
}  // namespace dk_test::memory_end_test
