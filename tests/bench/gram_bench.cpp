// SPDX-License-Identifier: Apache-2.0
//
// This program times dk_gram against the least time this machine needs and against peers, in one run:
//
//   dk_bench --export=DIR                     writes the data for the programs in peers/ and ends
//   dk_bench --threads=2 --peers=FILE ...     measures and prints the table
//   dk_bench --load=0.3 ...                   the load average before the peers ran, for the table
//   dk_bench --limit=2.0 ...                  fails when the first case exceeds this multiple of its floor
//
// Flags of Google Benchmark work too (--benchmark_repetitions, --benchmark_filter).
#include <benchmark/benchmark.h>
#include <dk/dk.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cases.hpp"
#include "gemm_rates.hpp"
#include "memory_rates.hpp"
#include "parallel_timer.hpp"
#include "report.hpp"
#include "vector_rates.hpp"

namespace dk_bench {
namespace {

// Gives the load average of the last minute, and 0 when the system does not say.
double load_average() {
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

struct Options {
    std::string export_directory;
    std::vector<std::string> peer_files;
    int threads = 2;
    double load = load_average();  // the load when all began
    double limit = 0;              // the most that seconds / floor may be; 0: no limit
    double peer_limit = 0;         // the least that peer's seconds / ours may be; 0: no limit
};

void require(dk_status status, const char* call) {
    if (status != DK_OK) throw std::runtime_error(std::string(call) + ": " + dk_last_error());
}

struct DataFree {
    void operator()(dk_data* data) const { dk_data_free(data); }
};
struct ControlFree {
    void operator()(dk_control* control) const { dk_control_free(control); }
};
using Data = std::unique_ptr<dk_data, DataFree>;
using Control = std::unique_ptr<dk_control, ControlFree>;

Data make_dataset(const Case& what) {
    const std::vector<double> values = make_data(what.rows, what.cols, what.chi_square);
    dk_data* data = nullptr;
    require(dk_data_from_dense(&data, values.data(), what.rows, what.cols, what.cols, DK_ROW_MAJOR),
            "dk_data_from_dense");
    return Data(data);
}

Control make_control(int threads) {
    dk_control* control = nullptr;
    require(dk_control_create(&control), "dk_control_create");
    Control owner(control);
    require(dk_control_set_threads(control, threads), "dk_control_set_threads");
    return owner;
}

// A Buffer is not initialised, so that its pages are fresh until somebody writes them.
struct Free {
    void operator()(void* memory) const { std::free(memory); }
};
using Buffer = std::unique_ptr<double, Free>;

Buffer allocate(std::size_t bytes) {
    Buffer buffer(static_cast<double*>(std::malloc(bytes)));
    if (!buffer) throw std::bad_alloc();
    return buffer;
}

void compute(const Case& what, const dk_data* data, dk_control* control, double* out) {
    if (what.single) {
        require(dk_gram_f32(reinterpret_cast<float*>(out), what.elements(), data, nullptr,
                            what.kernel.c_str(), control),
                "dk_gram_f32");
    } else {
        require(dk_gram(out, what.elements(), data, nullptr, what.kernel.c_str(), control), "dk_gram");
    }
}

double first_row_sum(const Case& what, const double* matrix) {
    if (!what.single) return std::accumulate(matrix, matrix + what.rows, 0.0);
    const auto* single = reinterpret_cast<const float*>(matrix);
    return std::accumulate(single, single + what.rows, 0.0);
}

double write_seconds(const Case& what, int threads, double* touched) {
    const auto bytes = static_cast<std::size_t>(what.bytes());
    return what.fresh_pages ? measure_first_touch(threads, bytes)
                            : measure_writing(threads, touched, bytes).best();
}

// Runs one case under Google Benchmark; `touched` is memory for the largest matrix. Memory bandwidth is what
// varies most on a shared machine, so it is measured anew beside every single run.
void run_case(benchmark::State& state, Measurement* measurement, double* touched, int threads) {
    const Case& what = measurement->what;
    const Data data = make_dataset(what);
    const Control control = make_control(threads);
    for ([[maybe_unused]] auto iteration : state) {
        measurement->write_seconds.push_back(write_seconds(what, threads, touched));
        const Buffer fresh = what.fresh_pages ? allocate(static_cast<std::size_t>(what.bytes())) : nullptr;
        double* out = fresh ? fresh.get() : touched;
        const double seconds = seconds_of([&] { compute(what, data.get(), control.get(), out); });
        state.SetIterationTime(seconds);
        measurement->seconds.push_back(seconds);
        measurement->first_row_sum = first_row_sum(what, out);
    }
}

Machine measure_machine(int threads, double* memory, std::size_t bytes) {
    Machine machine;
    machine.threads = threads;
    machine.vector_rates = measure_vector_rates(threads);
    machine.gemm_rates = measure_gemm_rates(threads);
    machine.big_write = measure_writing(threads, memory, bytes);
    machine.big_bytes = static_cast<double>(bytes);
    machine.first_touch = measure_first_touch(threads, bytes);
    return machine;
}

bool has_prefix(std::string_view text, std::string_view prefix, std::string& rest) {
    if (!text.starts_with(prefix)) return false;
    rest = text.substr(prefix.size());
    return true;
}

Options read_options(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        std::string value;
        if (has_prefix(arguments[i], "--export=", value)) {
            options.export_directory = value;
        } else if (has_prefix(arguments[i], "--peers=", value)) {
            options.peer_files.push_back(value);
        } else if (has_prefix(arguments[i], "--threads=", value)) {
            options.threads = std::stoi(value);
        } else if (has_prefix(arguments[i], "--load=", value)) {
            options.load = std::stod(value);
        } else if (has_prefix(arguments[i], "--limit=", value)) {
            options.limit = std::stod(value);
        } else if (has_prefix(arguments[i], "--peer-limit=", value)) {
            options.peer_limit = std::stod(value);
        } else {
            throw std::invalid_argument(std::string("unknown option ") + arguments[i]);
        }
    }
    return options;
}

void register_cases(std::vector<Measurement>& measurements, double* touched, int threads) {
    for (Measurement& measurement : measurements) {
        benchmark::RegisterBenchmark(measurement.what.name().c_str(), run_case, &measurement, touched,
                                     threads)
            ->UseManualTime()
            ->Iterations(1)
            ->Repetitions(measurement.what.rows > 10000 ? 5 : 11)
            ->Unit(benchmark::kMillisecond)
            ->ReportAggregatesOnly();
    }
}

// Google Benchmark's own lines go to the error stream, so that the table alone is the output.
void run_benchmarks() {
    benchmark::ConsoleReporter reporter(benchmark::ConsoleReporter::OO_Tabular);
    reporter.SetOutputStream(&std::cerr);
    reporter.SetErrorStream(&std::cerr);
    benchmark::RunSpecifiedBenchmarks(&reporter);
}

// The limits hold for the first case: the big RBF matrix into touched memory.
bool within_limits(const Measurement& measured, const Peers& peers, const Options& options) {
    const double seconds = median(measured.seconds);
    bool good = true;
    if (options.limit > 0 && seconds > options.limit * measured.floor.total()) {
        std::printf("TOO SLOW: %s takes %.2f times its floor; the limit is %.2f\n",
                    measured.what.name().c_str(), seconds / measured.floor.total(), options.limit);
        good = false;
    }
    for (const PeerTime& peer : peers.times) {
        const bool same_case = peer.family == measured.what.family && peer.rows == measured.what.rows &&
                               (peer.precision == "f32") == measured.what.single;
        if (options.peer_limit <= 0 || !same_case || peer.seconds >= options.peer_limit * seconds) continue;
        std::printf("TOO SLOW: %s is %.2f times faster than %s; the limit is %.2f\n",
                    measured.what.name().c_str(), peer.seconds / seconds, peer.peer.c_str(),
                    options.peer_limit);
        good = false;
    }
    return good;
}

int run(const Options& options) {
    const std::vector<Case> cases = all_cases();
    if (!options.export_directory.empty()) {
        export_cases(options.export_directory, cases);
        return EXIT_SUCCESS;
    }
    const Peers peers = read_peers(options.peer_files);
    const auto bytes = static_cast<std::size_t>(cases.front().bytes());  // the first case is the largest
    const Buffer touched = allocate(bytes);
    measure_writing(options.threads, touched.get(),
                    bytes);  // The first writing touches it, so its times mean nothing.
    Machine machine = measure_machine(options.threads, touched.get(), bytes);
    machine.load = options.load;
    std::vector<Measurement> measurements(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) measurements[i].what = cases[i];
    register_cases(measurements, touched.get(), options.threads);
    run_benchmarks();
    // A filter may have left some cases out.
    std::erase_if(measurements, [](const Measurement& measured) { return measured.seconds.empty(); });
    for (Measurement& measured : measurements) {
        measured.floor =
            floor_of(measured.what, median(measured.write_seconds), machine.vector_rates, machine.gemm_rates);
    }
    print_machine(machine);
    print_table(measurements, peers);
    const bool same = same_matrices(measurements, peers);
    const bool fast = measurements.empty() || within_limits(measurements.front(), peers, options);
    return same && fast ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace dk_bench

int main(int count, char** arguments) {
    try {
        benchmark::Initialize(&count, arguments);  // This takes its own flags out.
        return dk_bench::run(dk_bench::read_options(count, arguments));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "dk_bench: %s\n", error.what());
        return EXIT_FAILURE;
    }
}
