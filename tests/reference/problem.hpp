// SPDX-License-Identifier: Apache-2.0
//
// A classification problem with a kernel, and its kernel matrix by plain long-double loops: the ground that
// libdk and LIBSVM are compared on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dk_reference {

enum class KernelKind { linear, rbf, poly };

struct Kernel {
    KernelKind kind = KernelKind::linear;
    int degree = 3;
    double gamma = 1;
    double coef0 = 0;

    long double operator()(const double* x, const double* z, std::size_t cols) const;
    std::string specification() const;  // in libdk's language
};

struct Problem {
    std::string name;
    std::size_t cols = 0;
    std::vector<double> values;        // row-major
    std::vector<std::int64_t> labels;  // two classes: -1 and 1
    Kernel kernel;
    double cost = 1;
    double negative_weight = 1;  // factors of the cost for labels -1 and 1
    double positive_weight = 1;

    std::size_t rows() const { return labels.size(); }
    const double* row(std::size_t i) const { return values.data() + i * cols; }
    bool weighted() const { return negative_weight != 1 || positive_weight != 1; }
    double cost_of(std::size_t i) const { return cost * (labels[i] > 0 ? positive_weight : negative_weight); }
};

// A square matrix by rows.
class Matrix {
  public:
    explicit Matrix(std::size_t size) : size_(size), values_(size * size) {}
    long double& operator()(std::size_t i, std::size_t j) { return values_[i * size_ + j]; }
    long double operator()(std::size_t i, std::size_t j) const { return values_[i * size_ + j]; }
    std::size_t size() const { return size_; }

  private:
    std::size_t size_;
    std::vector<long double> values_;
};

Matrix kernel_matrix(const Problem& problem);

// A file of examples/data: numeric features, the last column a class. The class that strcmp puts first gets
// label -1, the other 1. `standardised`: each feature with mean 0 and deviation 1.
Problem read_problem(const std::string& file, bool standardised);

// A random problem that depends on the number alone: rows, columns, noise, balance, kernel, cost and class
// weights all vary.
Problem random_problem(unsigned number);

// Gaussian clouds, one a class, labels 0, 1, ... in the order of first occurrence.
Problem random_classes(unsigned seed, std::size_t classes, std::size_t rows, std::size_t cols, double spread);

}  // namespace dk_reference
