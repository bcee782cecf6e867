// SPDX-License-Identifier: Apache-2.0
//
// These cases are what is measured: kernel matrices of random data, and the least time each can take on this
// machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gemm_rates.hpp"
#include "vector_rates.hpp"

namespace dk_bench {

struct Case {
    std::string family;  // what the peers call it: rbf, laplacian, poly, arccos
    std::string kernel;  // libdk's specification
    bool single = false;
    bool fresh_pages = false;  // whether the result goes to memory that nobody has touched
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    double gamma = 0;
    int degree = 0;
    double coef0 = 0;

    // The next fields are the work for each pair of rows, beyond writing the value.
    bool product = false;  // whether it needs the inner product, which takes 2 * cols flops
    int exponentials = 0;
    int angles = 0;           // one for each layer of the arc-cosine kernel
    bool absolute = false;    // whether it needs an L1 distance
    bool chi_square = false;  // whether it needs a chi-square distance, which is for absolute values

    std::string name() const;
    std::int64_t elements() const { return rows * rows; }
    std::int64_t bytes() const { return elements() * (single ? 4 : 8); }
};

std::vector<Case> all_cases();

// Makes row-major uniform numbers in [-1, 1), or their absolute values, the same on every machine.
std::vector<double> make_data(std::int64_t rows, std::int64_t cols, bool non_negative = false);

// A Floor is the least time for a case. Its parts cannot be done faster one by one, and are added up.
struct Floor {
    double write = 0;
    double functions = 0;
    double product = 0;
    double total() const { return write + functions + product; }
};

// Gives the floor of a case. A kernel matrix is symmetric, so that it takes half the functions and half the
// flops, but all the bytes.
Floor floor_of(const Case& what, double write_seconds, const VectorRates& vector_rates,
               const GemmRates& gemm_rates);

// Writes `directory`/cases.txt and the data files it names, for the programs that time the peers.
void export_cases(const std::string& directory, const std::vector<Case>& cases);

}  // namespace dk_bench
