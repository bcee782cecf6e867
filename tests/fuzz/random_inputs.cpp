// SPDX-License-Identifier: Apache-2.0
// Runs a target on so many random inputs, each in a process of its own, so that builds without libFuzzer look
// for findings too, and one finding does not hide the next: random_inputs COUNT [FIRST [FOLDER]]. Input
// number n is always the same. Inputs that end their process, or take more than ten seconds of processor
// time, are named, written to the folder, and make the program fail.
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "handles.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t size);

namespace {

std::vector<uint8_t> input(uint64_t number) {
    constexpr std::size_t size = 96;
    dk_test::Random random(number);
    std::vector<uint8_t> bytes(size);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.below(256));
    return bytes;
}

/// Gives the status of a process that runs the input.
int run(const std::vector<uint8_t>& bytes) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        itimerval timer{};
        timer.it_value.tv_sec = std::getenv("DK_TEST_SLOW") != nullptr ? 100 : 10;
        setitimer(ITIMER_PROF, &timer, nullptr);
        // One that waits for ever uses no processor.
        alarm(static_cast<unsigned>(30 * timer.it_value.tv_sec));
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

}  // namespace

int main(int count, char** arguments) {
    const uint64_t inputs = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1000;
    const uint64_t first = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 0;
    // What a target makes once is made before the processes are.
    LLVMFuzzerTestOneInput(nullptr, 0);
    int findings = 0;
    for (uint64_t number = first; number < first + inputs; ++number) {
        const auto bytes = input(number);
        const int status = run(bytes);
        if (status == 0) continue;
        ++findings;
        std::printf("input %llu: %s %d\n", static_cast<unsigned long long>(number),
                    WIFSIGNALED(status) ? "signal" : "status",
                    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        if (count > 3) {
            std::ofstream file(std::string(arguments[3]) + "/" + std::to_string(number), std::ios::binary);
            file.write(reinterpret_cast<const char*>(bytes.data()),
                       static_cast<std::streamsize>(bytes.size()));
        }
    }
    std::printf("%llu inputs, %d findings\n", static_cast<unsigned long long>(inputs), findings);
    return findings == 0 ? 0 : 1;
}
