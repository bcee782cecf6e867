// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "model/archive/archive.hpp"
#include "model/archive/reading_context.hpp"
#include "model/predictor.hpp"

namespace dk {

/// Reads what Predictor::write() wrote.
using PredictorReader =
    std::function<std::unique_ptr<Predictor>(const ArchiveReader&, const ReadingContext&)>;

/// Gives the readers of all predictors by Predictor::type(), the name that a predictor has in model files.
const std::map<std::string, PredictorReader>& predictor_readers();

}  // namespace dk
