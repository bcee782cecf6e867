// SPDX-License-Identifier: Apache-2.0
// Models that LIBSVM's library trains, writes and reads, and what it decides with them.
#ifndef DK_TESTS_REFERENCE_LIBSVM_FILES_HPP
#define DK_TESTS_REFERENCE_LIBSVM_FILES_HPP

#include <svm.h>

#include <dk/dk.hpp>
#include <memory>
#include <string>
#include <vector>

namespace dk_reference {

/// Rows of numbers with three decimals, so that LIBSVM's files, which keep eight digits of them, keep them
/// whole.
struct Rows {
    std::size_t cols = 0;
    std::vector<double> values = {};
    std::vector<double> targets = {};  // labels or values

    std::size_t count() const { return values.size() / cols; }
    const double* row(std::size_t i) const { return values.data() + i * cols; }
};

/// Makes rows of some classes around centres of their own, the classes in a random order, or of a smooth
/// function where there are no labels. About a third of the values is zero.
Rows random_rows(std::size_t count, std::size_t cols, const std::vector<int>& labels, unsigned seed);

/// Gives the inner products of all rows with the rows of another set, as rows.
Rows inner_products(const Rows& rows, const Rows& others);

struct ModelDeleter {
    void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
using LibsvmModel = std::unique_ptr<svm_model, ModelDeleter>;

/// Trains, writes to the file, and reads it again: the model of the file is what counts.
LibsvmModel trained_file(const Rows& rows, svm_parameter parameters, const std::string& path);
LibsvmModel loaded(const std::string& path);

/// What a model of LIBSVM says of a row, whose nodes are serial numbers too with a precomputed kernel.
std::vector<double> libsvm_decisions(const svm_model& model, const double* row, std::size_t cols);
std::vector<double> libsvm_probabilities(const svm_model& model, const double* row, std::size_t cols);

/// The most probable class of a model with probabilities, or what the votes elect.
double libsvm_prediction(const svm_model& model, const double* row, std::size_t cols);

/// Brings LIBSVM's decisions in the order of libdk, which is told in dk.h: classes ascend, with two classes a
/// decision is positive for the larger, and a pair's is positive for the smaller.
std::vector<double> in_order_of_libdk(const svm_model& model, const std::vector<double>& decisions);

/// The sum of the coefficients' magnitudes of the model.
double coefficient_sum(const svm_model& model);

/// Files that this test alone writes.
std::string file_name(const std::string& name);

inline libdk::Data dense(const Rows& rows) {
    return libdk::Data::dense(libdk::MatrixView<double>(rows.values, static_cast<std::int64_t>(rows.count()),
                                                        static_cast<std::int64_t>(rows.cols)));
}

/// Expects that libdk's decisions are LIBSVM's for each row, to so much of the sum of the coefficients.
void expect_same_decisions(const svm_model& theirs, const libdk::Model& ours, const Rows& rows,
                           const libdk::Data& data, double tolerance = 1e-10);

}  // namespace dk_reference

#endif
