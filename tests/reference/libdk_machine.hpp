// SPDX-License-Identifier: Apache-2.0
//
// libdk's machines with a margin through its public ABI alone.
#pragma once

#include <dk/dk.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "margin_problem.hpp"
#include "problem.hpp"

namespace dk_reference {

// A call of libdk that failed, with its status.
class CallFailed : public std::runtime_error {
  public:
    CallFailed(dk_status status, const std::string& call)
        : std::runtime_error(call + ": " + dk_status_name(status) + ": " + dk_last_error()),
          status_(status) {}
    dk_status status() const { return status_; }

  private:
    dk_status status_;
};

struct DataFree {
    void operator()(dk_data* data) const { dk_data_free(data); }
};
struct ModelFree {
    void operator()(dk_model* model) const { dk_model_free(model); }
};
using Data = std::unique_ptr<dk_data, DataFree>;
using Model = std::unique_ptr<dk_model, ModelFree>;

class LibdkMachine {
  public:
    // `more` is added to the parameters: "loss=hinge tolerance=1e-6".
    LibdkMachine(const Problem& problem, const std::string& more);
    LibdkMachine(const MarginProblem& problem, const std::string& more);

    nlohmann::json info() const;
    nlohmann::json training(std::size_t function) const {
        return info().at("training").at("functions").at(function);
    }

    // rows x decisions, and one label a row, for any rows with the training columns.
    std::vector<double> decisions(const std::vector<double>& values) const;
    std::vector<std::int64_t> predict(const std::vector<double>& values) const;
    std::vector<double> predicted_values(const std::vector<double>& values) const;  // of a regression

    // The coefficient of each training row in decision function 0. The prototypes are the positive and the
    // negative ones, scaled to sum 1 (or less): coefficient / t. The scale t follows from dk_explain, which
    // gives squared distances over 2 t, and the squared distances themselves, which `kernel` gives.
    std::vector<long double> coefficients(const Matrix& kernel) const;

    // Their absolute values, the multipliers of a two-class machine.
    std::vector<long double> multipliers(const Matrix& kernel) const;

    // S of decision function 0.
    double shift() const;

  private:
    void train(const dk_params* params);
    long double scale(const std::vector<double>& prototypes, const Matrix& kernel) const;

    std::size_t cols_;
    Data data_;
    Model model_;
};

}  // namespace dk_reference
