// SPDX-License-Identifier: Apache-2.0
// How far functions are from known ones in feature space (Graf et al. 2009, Figures 1 to 3).
#pragma once

#include <memory>
#include <string>

#include "control.hpp"
#include "model_view.hpp"

namespace command {

struct References;

// Collects, for models that were trained on the same rows, how far their prototypes, unit normals and offsets
// are from those of mean_of_class and of a support vector machine with C = 1e6. The references are trained
// once for each kernel.
class PathDistances {
  public:
    PathDistances(Control& control, const Data& data);
    ~PathDistances();
    PathDistances(const PathDistances&) = delete;
    PathDistances& operator=(const PathDistances&) = delete;

    // Adds the distances of a model, which stands for a value of the path's parameter.
    void add(const std::string& value, const Model& model);
    const Json& rows() const { return rows_; }

  private:
    Control& control_;
    const Data& data_;
    std::unique_ptr<References> references_;
    Json rows_ = Json::array();
};

}  // namespace command
