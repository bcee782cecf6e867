// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "exchange/import_options.hpp"
#include "model/kernel_expansion.hpp"
#include "model/model.hpp"

namespace dk {

/// What another program's model file says, in the terms of libdk.
struct AdoptedModel {
    std::string program;    // whose file it is
    std::string type;       // what the program calls the machine
    std::string machine;    // what libdk calls it
    std::string loss = {};  // the machine's parameter of this name, where the file tells it
    std::string task = "classification";
    std::string kernel;
    DecisionRule rule = DecisionRule::binary;
    Labels classes = {};
    Calibration calibration = {};
    Dataset rows = Dataset(DenseMatrix());        // the rows that the functions are made of
    std::vector<std::string> feature_names = {};  // of the columns, where libdk's own writers told them
    std::vector<ExpansionFunction> functions = {};
    std::vector<Index> groups = {};  // of the rows, as make_kernel_expansion() has them
    Index neighbours = 0;
    Scaler scaler = {};
};

/// The order in which libdk has the classes of a file: by their numbers, or by their names where there are
/// any.
struct AscendingClasses {
    std::vector<Index> positions = {};  // of the file's classes among libdk's
    Labels classes = {};
};
/// Throws Error(model_format) where a class stands twice.
AscendingClasses order_of_classes(const std::vector<Index>& labels, const std::vector<std::string>& names);

/// The function of libdk that tells two classes of a file apart.
struct PairFunction {
    Index function = 0;
    double sign = 1;  // It is -1 where the file's function is positive for the other class.
};
/// Finds it for the classes at two positions, for the first of which the file's function is positive.
PairFunction function_of_pair(Index positive, Index negative, Index classes);

/// Chooses dense or sparse rows as the options say; where they say nothing, rows that have most of their few
/// columns become dense.
Dataset stored_rows(SparseMatrix rows, const ImportOptions& options, Control& control);

/// Makes the model: finds its prototypes among its rows.
Model adopt(AdoptedModel adopted, Control& control);

}  // namespace dk
