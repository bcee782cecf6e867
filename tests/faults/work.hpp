// SPDX-License-Identifier: Apache-2.0
// Calls of libdk on a dozen rows, each of which can be repeated: every machine, every kernel, every reader.
#ifndef DK_TESTS_FAULTS_WORK_HPP
#define DK_TESTS_FAULTS_WORK_HPP

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../abi/files.hpp"
#include "../abi/handles.hpp"

namespace dk_test {

/// A call that may fail at any moment, and what it gives when it doesn't.
struct Work {
    /// Makes the call. Nothing but libdk allocates in it.
    std::function<dk_status()> call;
    /// Gives what the call has made, and frees it. Handles that a failed call leaves must be null.
    std::function<std::string()> outcome;
    /// Whatever the call needs lives as long as this.
    std::shared_ptr<void> kept;
};

/// A name, and how the work is made.
struct NamedWork {
    std::string name;
    std::function<Work()> make;

    friend void PrintTo(const NamedWork& work, std::ostream* out) { *out << work.name; }
};

std::vector<NamedWork> works_of_machines();
std::vector<NamedWork> works_of_kernels();
std::vector<NamedWork> works_of_files();
std::vector<NamedWork> works_of_models();
std::vector<NamedWork> works_of_reports();
std::vector<NamedWork> works_of_tables();
std::vector<NamedWork> all_works();

/// The kernels, each as a text, and the kind of data that it works on.
struct KernelCase {
    std::string text;
    std::string data;
};
const std::vector<KernelCase>& kernel_cases();
/// A dozen rows of two classes of this kind of data: dense, sparse, series, strings, graphs or gram.
Data rows_of_kind(const std::string& kind, int64_t rows = 12);
/// The same rows with numbers as labels and targets, which any machine can learn.
Data training_rows(int64_t rows = 12);

/// What a machine needs beside its defaults to be done soon with a dozen rows.
std::string settings_of(const std::string& machine);
/// The names of all machines, kernels or strategies, as dk_describe lists them.
std::vector<std::string> described(const std::string& list);
/// The names of the machines of a task.
std::vector<std::string> machines_of(const std::string& task);

}  // namespace dk_test

#endif  // DK_TESTS_FAULTS_WORK_HPP
