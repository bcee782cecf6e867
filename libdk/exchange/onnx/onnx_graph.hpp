// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// A graph of ONNX's operators, which becomes the bytes of a model file. Each value has a name, which the
/// function that makes the value gives.
class OnnxGraph {
  public:
    OnnxGraph();
    /// Adds constants: a matrix, a row of numbers or of integers, and one number.
    std::string matrix(const ConstMatrixRef& values);
    std::string numbers(std::span<const double> values);
    std::string integers(std::span<const std::int64_t> values);
    std::string number(double value);

    /// An integer, or a list of one, that an operator has as an attribute.
    struct Attribute {
        std::string name;
        std::int64_t value;
        bool list = false;
    };
    /// Adds an operator and gives the name of its first result. More results are not used.
    std::string add(const std::string& op, const std::vector<std::string>& inputs,
                    const std::vector<Attribute>& attributes = {}, int results = 1) {
        return add_all(op, inputs, attributes, results).front();
    }
    /// Adds an operator and gives the names of its results.
    std::vector<std::string> add_all(const std::string& op, const std::vector<std::string>& inputs,
                                     const std::vector<Attribute>& attributes, int results);

    /// What a loop makes of its values in one turn: whether another turn is needed, a truth value, and the
    /// new values, which are as many as before.
    struct Turn {
        std::string goes_on;
        std::vector<std::string> values;
    };
    using Body = std::function<Turn(OnnxGraph& body, const std::vector<std::string>& values)>;
    /// Adds a loop of at most so many turns over values in double precision, whose body may use all that the
    /// graph has, and gives the last values.
    std::vector<std::string> loop(Index most_turns, const std::vector<std::string>& values, const Body& body);

    /// Declares the input, rows of so many columns, and a result of so many columns; a result without columns
    /// is one value a row.
    std::string input(const std::string& name, Index columns);
    void output(const std::string& name, const std::string& value, Index columns, bool integer);

    /// Gives the bytes of the model file, whose description names the operators, too.
    std::string model(const std::string& description) const;

  private:
    /// A part of another graph has names and operators of the whole.
    explicit OnnxGraph(std::shared_ptr<struct OnnxNames> names) : names_(std::move(names)) {}
    std::string tensor(std::span<const Index> shape, std::span<const double> values);
    std::string fresh_name();

    std::string nodes_;
    std::string constants_;
    std::string inputs_;
    std::string outputs_;
    std::shared_ptr<struct OnnxNames> names_;
};

/// The attribute of Cast to numbers in double precision.
inline const OnnxGraph::Attribute to_double{"to", 11};

}  // namespace dk
