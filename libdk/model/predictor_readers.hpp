// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "model/file/archive.hpp"
#include "model/predictor.hpp"

namespace dk {

/// Facts of a model that its predictor must fit.
struct ReadingContext {
    Index training_rows;
    Index features;
    Index classes;
    Control& control;  // of the call that reads the model
};

/// Reads what Predictor::write() wrote.
using PredictorReader =
    std::function<std::unique_ptr<Predictor>(const ArchiveReader&, const ReadingContext&)>;

/// Gives the readers of all predictors by Predictor::type(), the name that a predictor has in model files.
const std::map<std::string, PredictorReader>& predictor_readers();

}  // namespace dk
