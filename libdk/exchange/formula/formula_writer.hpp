// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "exchange/functions/exported_layer.hpp"
#include "matrix/matrix.hpp"

namespace dk {

class FormulaWriter;

/// A value of a formula over a row x that is asked about and a point z of a model. What the row does not
/// change is known when the formula is written; the rest is computed by whoever reads it.
struct Quantity {
    FormulaWriter* writer;
    std::vector<double> known = {};  // one number, or one for each point; empty where the row changes it
    std::string name = {};           // in the words of the format; empty where it is known
    bool of_pairs = false;           // whether it may differ from point to point

    bool is_number() const { return known.size() == 1; }
};

/// What formulas do with values. The angle of (g, h) is 2 atan(sqrt(g / h)), whose cosine is (h - g) / (h +
/// g); `positive` is 1 for values above 0 and else 0.
enum class Operation {
    add,
    subtract,
    multiply,
    divide,
    maximum,
    power,
    angle,
    exp,
    sqrt,
    sine,
    tanh,
    positive
};

/// Sums over columns of a row x and a point z.
enum class ColumnSum {
    inner,               // x z
    squares,             // (x - z)^2
    exact_squares,       // the same, not from inner products, so that it is small where x is near z
    absolute,            // |x - z|
    chi_square,          // (x - z)^2 / (x + z), or 0 where both are 0
    harmonic,            // 2 x z / (x + z), or 0 where both are 0
    minimum,             // min(x, z)
    unlikeness,          // 1 - exp(-a (x - z)^2)
    scaled_differences,  // (a x - b z)^2
    scaled_sums,         // (a x + b z)^2
    splines              // prod (1 + t(x, z)) - 1, with t of the kernel spline
};

/// Sums over columns of the row alone.
enum class RowSum { values, squares, splines };

/// Writes formulas in the words of a format. Values that are alike are written once, and what is known is
/// computed at once. The points are rows, and columns are numbers of theirs.
class FormulaWriter {
  public:
    explicit FormulaWriter(ConstMatrixView points) : points_(points) {}
    virtual ~FormulaWriter() = default;
    FormulaWriter(const FormulaWriter&) = delete;
    FormulaWriter& operator=(const FormulaWriter&) = delete;

    const ConstMatrixView& points() const { return points_; }
    Quantity number(double value) { return {.writer = this, .known = {value}}; }
    Quantity apply(Operation operation, const std::vector<Quantity>& values);
    Quantity row_sum(RowSum sum, const std::vector<Index>& columns);
    Quantity point_sum(RowSum sum, const std::vector<Index>& columns);
    /// Adds a sum over the columns with its factors a and b, as far as it has them. A sum's own factor of the
    /// points, b, is known.
    Quantity pair_sum(ColumnSum sum, const std::vector<Index>& columns,
                      const std::vector<Quantity>& factors = {});
    /// Gives the writer of formulas over what a layer makes of the row, and over known features of the
    /// points; with `unit`, over both brought to length 1, but for those of zeros.
    FormulaWriter& after(const LearnedFeatures& part, bool unit);
    /// Gives the name of a value that may be known.
    std::string name_of(const Quantity& value, bool among_pairs);

  protected:
    /// Each writes something and gives the name under which it is known. A number among pairs may be written
    /// once for each point.
    virtual std::string write_number(double value, bool among_pairs) = 0;
    virtual std::string write_points(std::span<const double> values) = 0;
    virtual std::string write_row_sum(RowSum sum, const std::vector<Index>& columns) = 0;
    virtual std::string write_pair_sum(ColumnSum sum, const std::vector<Index>& columns,
                                       const std::vector<Quantity>& factors) = 0;
    virtual std::string write_operation(Operation operation, const std::vector<std::string>& values,
                                        bool of_pairs) = 0;
    virtual std::unique_ptr<FormulaWriter> make_writer_after(const ExportedLayer& layer, bool unit,
                                                             ConstMatrixView points) = 0;

  private:
    /// Gives what was written under this key, or writes it.
    template <typename Write>
    std::string once(const std::string& key, Write write);

    ConstMatrixView points_;
    std::map<std::string, std::string> written_;
    struct After {
        Matrix unit_points = {};
        std::unique_ptr<FormulaWriter> writer = nullptr;
    };
    std::map<std::pair<const LearnedFeatures*, bool>, After> after_;
};

/// Gives the points' values in some columns.
Matrix columns_of_points(const FormulaWriter& writer, const std::vector<Index>& columns);

Quantity operator+(const Quantity& a, const Quantity& b);
Quantity operator-(const Quantity& a, const Quantity& b);
Quantity operator*(const Quantity& a, const Quantity& b);
Quantity operator/(const Quantity& a, const Quantity& b);
Quantity operator+(double a, const Quantity& b);
Quantity operator-(double a, const Quantity& b);
Quantity operator*(double a, const Quantity& b);
Quantity power(const Quantity& base, double exponent);
Quantity angle(const Quantity& g, const Quantity& h);
Quantity exp(const Quantity& value);
Quantity sqrt(const Quantity& value);
Quantity sine(const Quantity& value);
Quantity tanh(const Quantity& value);
Quantity positive(const Quantity& value);
Quantity at_least(double least, const Quantity& value);
/// Gives 1 / sqrt(value), or 0 where the value is not positive.
Quantity reciprocal_root(const Quantity& value);

}  // namespace dk
