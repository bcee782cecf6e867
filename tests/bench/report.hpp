// SPDX-License-Identifier: Apache-2.0
//
// A report collects what was measured and prints it as one aligned table.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cases.hpp"
#include "memory_rates.hpp"

namespace dk_bench {

struct PeerTime {
    std::string peer;
    std::string family;
    std::string precision;
    std::int64_t rows = 0;
    double seconds = 0;
    double first_row_sum = 0;
};

struct Peers {
    std::vector<PeerTime> times;
    std::vector<std::string> remarks;  // versions, BLAS, or why a peer is absent
};

// Reads the files that the programs in peers/ write. A file that does not exist is an error.
Peers read_peers(const std::vector<std::string>& paths);

// A Measurement is one measured case. It has several runs, and the median is reported.
struct Measurement {
    Case what;
    std::vector<double> seconds;
    std::vector<double> write_seconds;  // the seconds to write as many bytes, measured beside each run
    double first_row_sum = 0;
    Floor floor;
};

struct Machine {
    int threads = 0;
    double load = 0;  // the one-minute load average before the peers and libdk ran
    VectorRates vector_rates;
    GemmRates gemm_rates;
    WriteTimes big_write;  // the times to write the largest matrix
    double big_bytes = 0;
    double first_touch = 0;
};

void print_machine(const Machine& machine);
void print_table(const std::vector<Measurement>& measurements, const Peers& peers);

// Tells whether the peers' matrices are ours, and prints a line where one is not.
bool same_matrices(const std::vector<Measurement>& measurements, const Peers& peers);

}  // namespace dk_bench
