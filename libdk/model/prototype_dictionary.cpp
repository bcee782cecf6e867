// SPDX-License-Identifier: Apache-2.0
#include "model/prototype_dictionary.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/language/bank.hpp"
#include "model/decision_rule.hpp"
#include "model/file/feature_archive.hpp"
#include "model/file/kernel_archive.hpp"
#include "model/file/prototype_archive.hpp"
#include "model/predicted_values.hpp"
#include "prototype/nearest_rows.hpp"
#include "solve/squares/nonnegative_pursuit.hpp"

namespace dk {

namespace {

/// Computes the share of each class's rows in each prototype's weight: classes x prototypes.
Matrix shares_of_classes(const ConstMatrixRef& coefficients, const Labels& labels) {
    Matrix shares = Matrix::Zero(labels.classes(), coefficients.cols());
    for (Index i = 0; i < coefficients.rows(); ++i) shares.row(labels.of_rows[i]) += coefficients.row(i);
    shares.array().rowwise() /= coefficients.colwise().sum().array();
    return shares;
}

/// Finds the products of prototypes with each other, U = C' (K C), and the rows nearest to each, from the
/// rows of K C as they pass by.
template <typename T>
void find_products(PrototypeDictionary::RowPrototypes& learned, const Dataset& data, Index neighbours,
                   Control& control) {
    const Matrix& C = learned.coefficients;
    const Index prototypes = C.cols();
    const GramEngine<T> engine(learned.kernel, data, learned.support, &control, learned.support_ids);
    std::vector<Index> support_of(data.rows(), -1);
    for (Index s = 0; s < C.rows(); ++s) support_of[learned.support_ids[s]] = s;
    Matrix U = Matrix::Zero(prototypes, prototypes);
    NearestRows nearest(prototypes, neighbours);
    const auto self = engine.self(Side::left);
    const WeightBlock block = whole_block(C);
    engine.product(
        {&block, 1}, prototypes,
        [&](Index first, std::span<const double> values) {
            const ProgressHold hold(control);
            const auto KC = view(values.data(), std::ssize(values) / prototypes, prototypes);
            nearest.see(first, KC.rows(), std::span(self).subspan(first), values.data(), control);
            for (Index i = 0; i < KC.rows(); ++i) {
                const Index s = support_of[first + i];
                if (s < 0) continue;
                for (Index p = 0; p < prototypes; ++p) {
                    if (C(s, p) != 0) U.row(p) += C(s, p) * KC.row(i);
                }
            }
        },
        control);
    learned.products = 0.5 * (U + U.transpose());
    learned.set.squared_norms.assign(prototypes, 0.0);
    as_vector(learned.set.squared_norms) = learned.products.diagonal();
    learned.set.neighbours = neighbours;
    nearest.write(learned.set.squared_norms, learned.set.nearest_rows, learned.set.nearest_distances);
}

/// Sets the functions: each class has one, whose value is a share, without shift and normal.
void set_functions(PrototypeSet& set, Index classes) {
    set.scales.assign(classes, 1.0);
    set.shifts.assign(classes, 0.0);
    set.norms.assign(classes, 1.0);
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
    learned.code_limit = prototypes.code_limit;
    learned.decision = prototypes.decision;
    for (Index i = 0; i < data.rows(); ++i) {
        if (!all.row(i).isZero(0)) learned.support_ids.push_back(i);
    }
    if (learned.support_ids.empty())
        fail(Status::numerical, "no prototype reconstructs any row; lower lambda");
    learned.coefficients = all(learned.support_ids, Eigen::all);
    learned.class_shares = shares_of_classes(all, *data.labels);
    for (Index p = 0; p < all.cols(); ++p) {
        Index largest = 0;
        learned.class_shares.col(p).maxCoeff(&largest);
        learned.set.classes.push_back(largest);
    }
    set_functions(learned.set, data.labels->classes());
    learned.support = features_only(data.select(learned.support_ids));
    neighbours = std::min(neighbours, data.rows());
    if (precision == Precision::real32) {
        find_products<float>(learned, data, neighbours, control);
    } else {
        find_products<double>(learned, data, neighbours, control);
    }
    learned.support = kept_rows(*kernel, learned.support, control);
    return std::make_unique<PrototypeDictionary>(std::move(learned), control);
}

PrototypeDictionary::PrototypeDictionary(RowPrototypes learned, Control& control)
    : learned_(std::move(learned)),
      rows_(*learned_.kernel, learned_.precision, learned_.support, control),
      masses_(learned_.coefficients.colwise().sum()) {}

/// Reconstructs the row x by min |x - sum_p gamma_p u_p|^2 over few non-negative gamma. No prototype may
/// lower that.
Vector PrototypeDictionary::code_of(std::span<const double> similarities) const {
    const auto found = nonnegative_pursuit(learned_.products, -as_vector(similarities), learned_.code_limit);
    Vector gamma = Vector::Zero(count());
    for (std::size_t k = 0; k < found.support.size(); ++k) gamma[found.support[k]] = found.values[k];
    return gamma;
}

/// Computes each prototype's share of the reconstruction. Where there is none, the most similar prototype has
/// all.
void PrototypeDictionary::shares(std::span<const double> similarities, VectorRef out) const {
    out = code_of(similarities).cwiseProduct(masses_);
    const double sum = out.sum();
    if (sum > 0) {
        out /= sum;
    } else {
        out.setZero();
        out(first_largest(similarities)) = 1;
    }
}

/// Computes each class's share of the reconstruction, equation (15) of the paper.
void PrototypeDictionary::class_shares(std::span<const double> similarities, VectorRef out) const {
    Vector of_prototypes(count());
    shares(similarities, of_prototypes);
    out.noalias() = learned_.class_shares.lazyProduct(of_prototypes);
}

/// Computes how much nearer the prototypes of each class alone bring the reconstruction to the row than
/// nothing does, |x|^2 - |x - sum of gamma_p u_p over the class|^2.
void PrototypeDictionary::class_nearness(std::span<const double> similarities, VectorRef out) const {
    const Vector gamma = code_of(similarities);
    out.setZero();
    if (gamma.isZero(0)) {
        out(learned_.set.classes[first_largest(similarities)]) = 1;
        return;
    }
    for (Index p = 0; p < count(); ++p) {
        if (gamma[p] == 0) continue;
        double square = 0;
        for (Index q = 0; q < count(); ++q) {
            if (learned_.set.classes[q] == learned_.set.classes[p])
                square += gamma[q] * learned_.products(p, q);
        }
        out(learned_.set.classes[p]) += gamma[p] * (2 * similarities[p] - square);
    }
}

template <typename T>
void PrototypeDictionary::each_row_in(const Dataset& data, Index width, const RowFunction& function,
                                      const RowReader& reader, Control& control) const {
    const GramEngine<T> engine(learned_.kernel, data, rows_.in<T>(), &control);
    const WeightBlock block = whole_block(learned_.coefficients);
    Matrix results;
    engine.product(
        {&block, 1}, count(),
        [&](Index first, std::span<const double> products) {
            const ProgressHold hold(control);
            results.resize(std::ssize(products) / count(), width);
            parallel_for(results.rows(), control, [&](Index i) {
                const auto similarities = products.subspan(i * count(), count());
                require_finite_results(similarities, count(), first + i);
                function(similarities, results.row(i).transpose());
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
    const auto of_row = [&](std::span<const double> similarities, VectorRef out) {
        if (learned_.decision == Decision::share) return class_shares(similarities, out);
        class_nearness(similarities, out);
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
    const auto of_row = [&](std::span<const double> similarities, VectorRef row) {
        shares(similarities, row);
    };
    write_each_row(data, count(), of_row, out, control);
}

/// Writes the codes themselves, which are 0 where no prototype brings the reconstruction nearer to the row.
void PrototypeDictionary::transform(const Dataset& data, double* out, Control& control) const {
    const auto of_row = [&](std::span<const double> similarities, VectorRef row) {
        row = code_of(similarities);
    };
    write_each_row(data, count(), of_row, out, control);
}

void PrototypeDictionary::prototype_coefficients(double* out) const {
    auto all = view(out, count(), learned_.training_rows);
    all.setZero();
    all(Eigen::all, learned_.support_ids) = learned_.coefficients.transpose();
}

void PrototypeDictionary::prototype_coordinates(double* /*out*/) const {
    fail(Status::unsupported,
         "these prototypes are combinations of rows in feature space and have no coordinates; their training "
         "rows and coefficients exist for every kernel");
}

namespace {

std::span<const double> elements(const Matrix& matrix) {
    return {matrix.data(), std::size_t(matrix.size())};
}

}  // namespace

void PrototypeDictionary::write(ArchiveWriter out) const {
    write_kernel(out, *learned_.kernel);
    write_precision(out, learned_.precision);
    write_features(out.object("support"), learned_.support);
    out.indices("support_ids", learned_.support_ids);
    out.count("rows", support_count());
    out.count("count", count());
    out.count("most", learned_.code_limit);
    out.doubles("coefficients", elements(learned_.coefficients));
    out.doubles("products", elements(learned_.products));
    out.doubles("class_shares", elements(learned_.class_shares));
    if (learned_.decision == Decision::residual) out.text("decision", "residual");
    out.indices("classes", learned_.set.classes);
    write_nearest_rows(out, learned_.set);
}

namespace {

/// Throws Error(model_format) for numbers that no trained model has, which a file may hold.
void require_sound(const PrototypeDictionary::RowPrototypes& learned) {
    if (learned.coefficients.minCoeff() < 0)
        fail(Status::model_format, "damaged model: a negative coefficient");
    const Vector masses = learned.coefficients.colwise().sum();
    if (!(masses.minCoeff() > 0 && masses.allFinite() && learned.products.diagonal().minCoeff() > 0))
        fail(Status::model_format, "damaged model: a prototype without weight");
    if (!(learned.class_shares.minCoeff() >= 0 && learned.class_shares.maxCoeff() <= 1 + 1e-9))
        fail(Status::model_format, "damaged model: shares of classes");
}

/// Reads the matrix whose elements an archive holds row by row.
Matrix read_matrix(const ArchiveReader& in, const std::string& key, Index rows, Index cols) {
    const auto values = in.doubles(key, rows * cols);
    return view(values.data(), rows, cols);
}

}  // namespace

std::unique_ptr<Predictor> read_prototype_dictionary(const ArchiveReader& in, const ReadingContext& context) {
    const Index rows = in.count("rows", 1, context.training_rows);
    const Index count = in.count("count", 1, largest_count / rows);
    if (context.classes < 1 || count > largest_count / count || count > largest_count / context.classes)
        fail(Status::model_format, "damaged model: ", count, " prototypes");
    PrototypeDictionary::RowPrototypes learned{.kernel = nullptr,
                                               .support = read_features(in.object("support"), rows)};
    if (learned.support.cols() != context.features)
        fail(Status::model_format, "damaged model: features do not fit");
    learned.kernel = read_kernel(in, learned.support, context.control);
    learned.precision = read_precision(in);
    learned.training_rows = context.training_rows;
    learned.support_ids = in.indices("support_ids", rows, 0, context.training_rows - 1);
    learned.coefficients = read_matrix(in, "coefficients", rows, count);
    learned.code_limit = in.count("most", 1, largest_count);
    learned.products = read_matrix(in, "products", count, count);
    learned.class_shares = read_matrix(in, "class_shares", context.classes, count);
    if (in.has("decision")) {
        if (in.text("decision") != "residual") fail(Status::model_format, "damaged model: how it decides");
        learned.decision = PrototypeDictionary::Decision::residual;
    }
    auto& set = learned.set;
    set_functions(set, context.classes);
    set.classes = in.indices("classes", count, 0, context.classes - 1);
    set.squared_norms.assign(count, 0.0);
    as_vector(set.squared_norms) = learned.products.diagonal();
    read_nearest_rows(in, context.training_rows, set);
    require_sound(learned);
    return std::make_unique<PrototypeDictionary>(std::move(learned), context.control);
}

}  // namespace dk
