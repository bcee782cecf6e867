// SPDX-License-Identifier: Apache-2.0
#include "model/dictionary/prototype_dictionary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/language/bank.hpp"
#include "model/archive/feature_archive.hpp"
#include "model/archive/kernel_archive.hpp"
#include "model/archive/prototype_archive.hpp"
#include "model/predicted_values.hpp"
#include "prototype/nearest_rows.hpp"

namespace dk {

namespace {

/// Computes the share of each class's rows in each prototype's weight: classes x prototypes.
Matrix shares_of_classes(const ConstMatrixRef& coefficients, const Labels& labels) {
    Matrix shares = Matrix::Zero(labels.classes(), coefficients.cols());
    for (Index i = 0; i < coefficients.rows(); ++i)
        shares.row(labels.of_rows[i]) += coefficients.row(i).cwiseAbs();
    const Eigen::RowVectorXd sums = shares.colwise().sum().cwiseMax(std::numeric_limits<double>::min());
    shares.array().rowwise() /= sums.array();
    return shares;
}

/// Adds to U = C' (K C) what training rows first, first + 1, ... with their rows of K C give, and shows these
/// to `nearest`.
class ProductReading {
  public:
    ProductReading(const PrototypeDictionary::RowPrototypes& learned, Index prototypes, Index neighbours)
        : C_(learned.coefficients),
          prototypes_(prototypes),
          support_of_(learned.training_rows, -1),
          products_(Matrix::Zero(prototypes, prototypes)),
          nearest_(prototypes, neighbours) {
        for (Index s = 0; s < C_.rows(); ++s) support_of_[learned.support_ids[s]] = s;
    }

    void see(Index first, std::span<const double> self, std::span<const double> values, Control& control) {
        const Index rows = std::ssize(values) / C_.cols();
        const Matrix KC = view(values.data(), rows, C_.cols()).leftCols(prototypes_);
        nearest_.see(first, rows, self.subspan(first), KC.data(), control);
        for (Index i = 0; i < rows; ++i) {
            const Index s = support_of_[first + i];
            if (s < 0) continue;
            for (Index p = 0; p < prototypes_; ++p) {
                if (C_(s, p) != 0) products_.row(p) += C_(s, p) * KC.row(i);
            }
        }
    }

    Matrix products() const { return 0.5 * (products_ + products_.transpose()); }
    const NearestRows& nearest() const { return nearest_; }

  private:
    const Matrix& C_;
    Index prototypes_;
    std::vector<Index> support_of_;  // the support row that each training row is, or -1
    Matrix products_;
    NearestRows nearest_;
};

/// Names what no model can have, or gives "".
std::string_view flaw(const PrototypeDictionary::RowPrototypes& learned) {
    const PrototypeFacts& facts = learned.facts;
    if (!facts.masses.allFinite()) return "a prototype without weight";
    if (!(facts.class_shares.minCoeff() >= 0 && facts.class_shares.maxCoeff() <= 1 + 1e-9))
        return "shares of classes that are none";
    return learned.rule->flaw(facts, learned.coefficients);
}

/// Makes squares c'Kc zero that are negative by no more than rounding, as that of a prototype at the origin
/// may be. It takes the squares k(x, x) of all rows.
template <typename T>
void clear_rounding(PrototypeDictionary::RowPrototypes& learned, std::span<const double> row_squares) {
    constexpr double rounding = 8 * double{std::numeric_limits<T>::epsilon()};
    for (Index p = 0; p < learned.facts.products.rows(); ++p) {
        double length = 0;  // of the prototype's terms, one after the other
        for (Index s = 0; s < learned.coefficients.rows(); ++s)
            length += std::abs(learned.coefficients(s, p)) *
                      std::sqrt(std::abs(row_squares[learned.support_ids[s]]));
        double& square = learned.facts.products(p, p);
        if (square < 0 && square >= -rounding * length * length) square = 0;
    }
}

/// Finds the products of prototypes with each other and the rows nearest to each, from the rows of K C as
/// they pass by.
template <typename T>
void find_products(PrototypeDictionary::RowPrototypes& learned, const Dataset& data, Index prototypes,
                   Index neighbours, Control& control) {
    const Matrix& C = learned.coefficients;
    const GramEngine<T> engine(learned.kernel, data, learned.support, &control);
    ProductReading reading(learned, prototypes, neighbours);
    const auto self = engine.self(Side::left);
    const WeightBlock block = whole_block(C);
    engine.product(
        {&block, 1}, C.cols(),
        [&](Index first, std::span<const double> values) {
            const ProgressHold hold(control);
            reading.see(first, self, values, control);
        },
        control);
    learned.facts.products = reading.products();
    if (!flaw(learned).empty()) clear_rounding<T>(learned, self);
    auto& set = learned.set;
    set.squared_norms.assign(prototypes, 0.0);
    as_vector(set.squared_norms) = learned.facts.products.diagonal();
    set.neighbours = neighbours;
    reading.nearest().write(set.squared_norms, set.nearest_rows, set.nearest_distances);
}

/// Sets the functions: each class has one, whose value is a share, without shift and normal.
void set_functions(PrototypeSet& set, Index classes) {
    set.scales.assign(classes, 1.0);
    set.shifts.assign(classes, 0.0);
    set.norms.assign(classes, 1.0);
}

std::vector<Index> heaviest_classes(const Matrix& class_shares) {
    std::vector<Index> classes(class_shares.cols());
    for (Index p = 0; p < class_shares.cols(); ++p) class_shares.col(p).maxCoeff(&classes[p]);
    return classes;
}

}  // namespace

std::unique_ptr<Predictor> make_prototype_dictionary(const LearnedPrototypes& prototypes, const Dataset& data,
                                                     Precision precision, Index neighbours,
                                                     Control& control) {
    const KernelPointer& kernel = prototypes.kernel;
    const ConstMatrixView& all = prototypes.coefficients;
    PrototypeDictionary::RowPrototypes learned{
        .kernel = kernel, .precision = precision, .support = Dataset(DenseMatrix())};
    learned.training_rows = data.rows();
    learned.rule = prototypes.rule;
    for (Index i = 0; i < data.rows(); ++i) {
        if (!all.row(i).isZero(0)) learned.support_ids.push_back(i);
    }
    if (learned.support_ids.empty())
        fail(Status::numerical, "no prototype reconstructs any row; lower lambda");
    learned.coefficients = all(learned.support_ids, Eigen::all);
    const Index count = learned.rule->analyses() ? all.cols() / 2 : all.cols();
    learned.facts.class_shares = shares_of_classes(all.leftCols(count), *data.labels);
    learned.facts.classes = prototypes.classes;
    if (prototypes.classes.empty()) learned.facts.classes = heaviest_classes(learned.facts.class_shares);
    learned.facts.masses = learned.coefficients.leftCols(count).colwise().sum();
    learned.set.classes = learned.facts.classes;
    set_functions(learned.set, data.labels->classes());
    learned.support = features_only(data.select(learned.support_ids));
    neighbours = std::min(neighbours, data.rows());
    if (precision == Precision::real32) {
        find_products<float>(learned, data, count, neighbours, control);
    } else {
        find_products<double>(learned, data, count, neighbours, control);
    }
    if (const auto found = flaw(learned); !found.empty())
        fail(Status::numerical, "training has led to ", found,
             ", with which its dictionary cannot work; where the kernel is not positive semidefinite on the "
             "rows, set spectrum=clip");
    learned.support = kept_rows(*kernel, learned.support, control);
    return std::make_unique<PrototypeDictionary>(std::move(learned), control);
}

PrototypeDictionary::PrototypeDictionary(RowPrototypes learned, Control& control)
    : learned_(std::move(learned)), rows_(*learned_.kernel, learned_.precision, learned_.support, control) {}

template <typename T>
void PrototypeDictionary::each_row_in(const Dataset& data, Index width, const RowFunction& function,
                                      const RowReader& reader, Control& control) const {
    const GramEngine<T> engine(learned_.kernel, data, rows_.in<T>(), &control);
    const WeightBlock block = whole_block(learned_.coefficients);
    std::vector<double> squares;
    if (learned_.rule->compares_squares()) squares = engine.self(Side::left);
    Matrix results;
    engine.product(
        {&block, 1}, columns(),
        [&](Index first, std::span<const double> products) {
            const ProgressHold hold(control);
            results.resize(std::ssize(products) / columns(), width);
            parallel_for(results.rows(), control, [&](Index i) {
                const auto of_row = products.subspan(i * columns(), columns());
                require_finite_results(of_row, columns(), first + i);
                const double square = squares.empty() ? 1 : squares[first + i];
                function({as_vector(of_row), square}, results.row(i).transpose());
            });
            reader(first, results);
        },
        control);
}

void PrototypeDictionary::each_row(const Dataset& data, Index width, const RowFunction& function,
                                   const RowReader& reader, Control& control) const {
    if (learned_.precision == Precision::real32)
        return each_row_in<float>(data, width, function, reader, control);
    each_row_in<double>(data, width, function, reader, control);
}

void PrototypeDictionary::decide(const Dataset& data, const DecisionReader& reader, Control& control) const {
    const auto of_row = [&](const DictionaryRow& row, VectorRef out) {
        learned_.rule->decide(learned_.facts, row, out);
    };
    const auto pass_on = [&](Index, const ConstMatrixRef& values) {
        reader({values.data(), std::size_t(values.size())});
    };
    each_row(data, decision_count(), of_row, pass_on, control);
}

void PrototypeDictionary::write_each_row(const Dataset& data, Index width, const RowFunction& function,
                                         double* out, Control& control) const {
    auto all = view(out, data.rows(), width);
    const auto copy = [&](Index first, const ConstMatrixRef& some) {
        all.middleRows(first, some.rows()) = some;
    };
    each_row(data, width, function, copy, control);
}

void PrototypeDictionary::explain(const Dataset& data, double* out, Control& control) const {
    const auto of_row = [&](const DictionaryRow& row, VectorRef contributions) {
        learned_.rule->explain(learned_.facts, row, contributions);
    };
    write_each_row(data, count(), of_row, out, control);
}

DecisionParts PrototypeDictionary::decision_parts(const Dataset& row, Control& control) const {
    Matrix values(decision_count(), count());
    const auto of_row = [&](const DictionaryRow& known, VectorRef /*unused*/) {
        learned_.rule->parts(learned_.facts, known, values);
    };
    std::vector<double> unused(1);
    write_each_row(row, 1, of_row, unused.data(), control);
    const Vector offsets = learned_.rule->offsets(learned_.facts);
    DecisionParts parts{.offsets = {offsets.begin(), offsets.end()}};
    for (Index c = 0; c < values.rows(); ++c) {
        for (Index p = 0; p < values.cols(); ++p) {
            if (values(c, p) != 0) parts.terms.push_back({c, p, -1, values(c, p)});
        }
    }
    return parts;
}

/// Writes the codes themselves, not shares of them.
void PrototypeDictionary::transform(const Dataset& data, double* out, Control& control) const {
    const auto of_row = [&](const DictionaryRow& row, VectorRef code) {
        code = learned_.rule->code(learned_.facts, row);
    };
    write_each_row(data, count(), of_row, out, control);
}

void PrototypeDictionary::prototype_coefficients(double* out) const {
    auto all = view(out, count(), learned_.training_rows);
    all.setZero();
    all(Eigen::all, learned_.support_ids) = learned_.coefficients.leftCols(count()).transpose();
}

void PrototypeDictionary::prototype_coordinates(double* out) const {
    if (!learned_.kernel->linear()) {
        fail(Status::unsupported,
             "these prototypes are combinations of rows in feature space and have coordinates only where the "
             "kernel is linear, not with ",
             learned_.kernel->text(), "; their training rows and coefficients exist for every kernel");
    }
    auto coordinates = view(out, count(), learned_.support.cols());
    coordinates.setZero();
    for (Index s = 0; s < support_count(); ++s) {
        for (Index p = 0; p < count(); ++p) {
            const double weight = learned_.coefficients(s, p);
            if (weight != 0) add_features(learned_.support, s, weight, coordinates.row(p).data());
        }
    }
}

namespace {

std::span<const double> elements(const Matrix& matrix) {
    return {matrix.data(), std::size_t(matrix.size())};
}

}  // namespace

std::shared_ptr<const Predictor> PrototypeDictionary::renumbered(std::span<const Index> numbers,
                                                                 Index training_rows,
                                                                 Control& control) const {
    RowPrototypes other = learned_;
    other.training_rows = training_rows;
    number_rows(other.support_ids, numbers);
    number_rows(other.set.nearest_rows, numbers);
    return std::make_shared<PrototypeDictionary>(std::move(other), control);
}

void PrototypeDictionary::write(ArchiveWriter out) const {
    write_kernel(out, *learned_.kernel);
    write_precision(out, learned_.precision);
    write_features(out.object("support"), learned_.support);
    out.indices("support_ids", learned_.support_ids);
    out.count("rows", support_count());
    out.count("count", count());
    out.text("rule", learned_.rule->name());
    learned_.rule->write(out);
    out.doubles("coefficients", elements(learned_.coefficients));
    out.doubles("products", elements(learned_.facts.products));
    out.doubles("class_shares", elements(learned_.facts.class_shares));
    out.indices("classes", learned_.set.classes);
    write_nearest_rows(out, learned_.set);
}

namespace {

/// Reads the matrix whose elements an archive holds row by row.
Matrix read_matrix(const ArchiveReader& in, const std::string& key, Index rows, Index cols) {
    const auto values = in.doubles(key, rows * cols);
    return view(values.data(), rows, cols);
}

}  // namespace

std::unique_ptr<Predictor> read_prototype_dictionary(const ArchiveReader& in, const ReadingContext& context) {
    const Index rows = in.count("rows", 1, context.training_rows);
    const Index count = in.count("count", 1, largest_count / rows / 2);
    if (context.classes < 1 || count > largest_count / count || count > largest_count / context.classes)
        fail(Status::model_format, "damaged model: ", count, " prototypes");
    PrototypeDictionary::RowPrototypes learned{
        .kernel = nullptr, .support = read_compared_rows(in.object("support"), rows, context)};
    learned.kernel = read_kernel(in, learned.support, context.control);
    learned.precision = read_precision(in);
    learned.training_rows = context.training_rows;
    learned.support_ids = in.indices("support_ids", rows, 0, context.training_rows - 1);
    PrototypeFacts& facts = learned.facts;
    facts.products = read_matrix(in, "products", count, count);
    facts.class_shares = read_matrix(in, "class_shares", context.classes, count);
    facts.classes = in.indices("classes", count, 0, context.classes - 1);
    learned.rule = read_dictionary_rule(in, facts);
    learned.coefficients =
        read_matrix(in, "coefficients", rows, learned.rule->analyses() ? 2 * count : count);
    facts.masses = learned.coefficients.leftCols(count).colwise().sum();
    auto& set = learned.set;
    set_functions(set, context.classes);
    set.classes = facts.classes;
    set.squared_norms.assign(count, 0.0);
    as_vector(set.squared_norms) = facts.products.diagonal();
    read_nearest_rows(in, context.training_rows, set);
    if (const auto found = flaw(learned); !found.empty())
        fail(Status::model_format, "damaged model: ", found);
    return std::make_unique<PrototypeDictionary>(std::move(learned), context.control);
}

}  // namespace dk
