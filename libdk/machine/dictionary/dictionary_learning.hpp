// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "base/report.hpp"
#include "machine/dictionary/kernel_weighing.hpp"

namespace dk {

/// The rows in the order of their classes, in which prototypes are learned.
struct ClassOrder {
    std::vector<Index> order;         // the training row at each position
    std::vector<Index> class_begins;  // where each class begins; the last element is the number of rows
    std::vector<Index> class_of;      // the class at each position

    explicit ClassOrder(const Labels& labels);
    Index rows() const { return std::ssize(order); }
    Index smallest_class() const;
};

struct DictionaryOptions {
    LearningOptions learning;
    std::optional<WeighingOptions> weighing;  // none where all kernels weigh the same
    double tolerance = 1e-4;
    std::int64_t max_iterations = 50;
};

/// What algorithm 1 of the paper makes.
struct Dictionary {
    std::vector<RowCombination> prototypes;  // of rows in the order of classes
    Matrix codes;                            // rows x prototypes
    Vector weights;                          // of the bank's kernels
    bool converged = false;
    Report report;  // iterations, the objective and its terms

    Index kernels_used() const { return (weights.array() > 0).count(); }
};

/// Runs algorithm 1 on the matrices of a bank whose rows are in the order of classes. `facts` are those of
/// the bank; they may be missing where kernels are not weighed.
Dictionary learn_dictionary(BankMatrices& stream, const BankFacts* facts, const ClassOrder& ordered,
                            const DictionaryOptions& options, Control& control);

}  // namespace dk
