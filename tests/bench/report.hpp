// SPDX-License-Identifier: Apache-2.0
//
// Collects what was measured and prints it as one aligned table.
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

// One measured case. Several runs; the median is reported.
struct Measurement {
    Case what;
    std::vector<double> seconds;
    std::vector<double> write_seconds;  // of as many bytes, measured beside each run
    double first_row_sum = 0;
    Floor floor;
};

struct Machine {
    int threads = 0;
    double load = 0;  // one-minute load average before the peers and we ran
    VectorRates vector_rates;
    GemmRates gemm_rates;
    WriteTimes big_write;  // of the largest matrix
    double big_bytes = 0;
    double first_touch = 0;
};

void print_machine(const Machine& machine);
void print_table(const std::vector<Measurement>& measurements, const Peers& peers);

// False, with a line of text, when a peer's matrix is another one than ours.
bool same_matrices(const std::vector<Measurement>& measurements, const Peers& peers);

}  // namespace dk_bench
