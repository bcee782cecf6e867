// SPDX-License-Identifier: Apache-2.0
#include "model/prototype_dictionary.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/language/bank.hpp"
#include "model/decision_rule.hpp"
#include "model/file/feature_archive.hpp"
#include "model/file/kernel_archive.hpp"
#include "model/predicted_values.hpp"
#include "prototype/nearest_rows.hpp"
#include "solve/squares/nonnegative_pursuit.hpp"

namespace dk {

namespace {

/// How much of each prototype's weight is on rows of each class: classes x prototypes.
Matrix shares_of_classes(const ConstMatrixRef& coefficients, const Labels& labels) {
    Matrix shares = Matrix::Zero(labels.classes(), coefficients.cols());
    for (Index i = 0; i < coefficients.rows(); ++i) shares.row(labels.of_rows[i]) += coefficients.row(i);
    shares.array().rowwise() /= coefficients.colwise().sum().array();
    return shares;
}

/// Finds the products of prototypes with each other, U = C' (K C), and the rows nearest to each, from the
/// rows of K C as they pass by.
template <typename T>
void find_products(PrototypeDictionary::Parts& parts, const Dataset& data, Index neighbours,
                   Control& control) {
    const Matrix& C = parts.coefficients;
    const Index prototypes = C.cols();
    const GramEngine<T> engine(parts.kernel, data, parts.support, &control, parts.support_ids);
    std::vector<Index> support_of(data.rows(), -1);
    for (Index s = 0; s < C.rows(); ++s) support_of[parts.support_ids[s]] = s;
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
    parts.products = 0.5 * (U + U.transpose());
    parts.set.squared_norms.assign(prototypes, 0.0);
    as_vector(parts.set.squared_norms) = parts.products.diagonal();
    parts.set.neighbours = neighbours;
    nearest.write(parts.set.squared_norms, parts.set.nearest_rows, parts.set.nearest_distances);
}

/// Each class has a function, whose value is a share, without shift and normal.
void set_functions(PrototypeSet& set, Index classes) {
    set.scales.assign(classes, 1.0);
    set.shifts.assign(classes, 0.0);
    set.norms.assign(classes, 1.0);
}

}  // namespace

std::unique_ptr<Predictor> make_prototype_dictionary(const KernelPointer& kernel, const Dataset& data,
                                                     std::span<const double> coefficients, Index prototypes,
                                                     Index most, Precision precision, Index neighbours,
                                                     Control& control) {
    PrototypeDictionary::Parts parts{
        .kernel = kernel, .precision = precision, .support = Dataset(DenseMatrix())};
    parts.training_rows = data.rows();
    parts.most = most;
    const auto all = view(coefficients.data(), data.rows(), prototypes);
    for (Index i = 0; i < data.rows(); ++i) {
        if (!all.row(i).isZero(0)) parts.support_ids.push_back(i);
    }
    if (parts.support_ids.empty()) fail(Status::numerical, "no prototype reconstructs any row; lower lambda");
    parts.coefficients = all(parts.support_ids, Eigen::all);
    parts.class_shares = shares_of_classes(all, *data.labels);
    for (Index p = 0; p < prototypes; ++p) {
        Index largest = 0;
        parts.class_shares.col(p).maxCoeff(&largest);
        parts.set.classes.push_back(largest);
    }
    set_functions(parts.set, data.labels->classes());
    parts.support = features_only(data.select(parts.support_ids));
    neighbours = std::min(neighbours, data.rows());
    if (precision == Precision::real32) {
        find_products<float>(parts, data, neighbours, control);
    } else {
        find_products<double>(parts, data, neighbours, control);
    }
    parts.support = kept_rows(*kernel, parts.support, control);
    return std::make_unique<PrototypeDictionary>(std::move(parts));
}

PrototypeDictionary::PrototypeDictionary(Parts parts)
    : parts_(std::move(parts)),
      rows_(*parts_.kernel, parts_.precision, parts_.support),
      masses_(parts_.coefficients.colwise().sum()) {}

/// The row is reconstructed by min |x - sum_p gamma_p u_p|^2 over few non-negative gamma. Where no prototype
/// lowers that, the most similar one alone reconstructs it.
void PrototypeDictionary::shares_of_row(std::span<const double> similarities, VectorRef out) const {
    out.setZero();
    const auto code = nonnegative_pursuit(parts_.products, -as_vector(similarities), parts_.most);
    if (code.support.empty()) {
        out(first_largest(similarities)) = 1;
        return;
    }
    for (std::size_t k = 0; k < code.support.size(); ++k)
        out(code.support[k]) = code.values[k] * masses_(code.support[k]);
    out /= out.sum();
}

template <typename T>
void PrototypeDictionary::shares_in(const Dataset& data, const ShareReader& reader, Control& control) const {
    const GramEngine<T> engine(parts_.kernel, data, rows_.in<T>(), &control);
    const WeightBlock block = whole_block(parts_.coefficients);
    Matrix found;
    engine.product(
        {&block, 1}, count(),
        [&](Index first, std::span<const double> products) {
            const ProgressHold hold(control);
            found.resize(std::ssize(products) / count(), count());
            parallel_for(found.rows(), control, [&](Index i) {
                const auto similarities = products.subspan(i * count(), count());
                require_finite_results(similarities, count(), first + i);
                shares_of_row(similarities, found.row(i).transpose());
            });
            reader(first, found);
        },
        control);
}

void PrototypeDictionary::shares(const Dataset& data, const ShareReader& reader, Control& control) const {
    if (parts_.precision == Precision::real32) return shares_in<float>(data, reader, control);
    shares_in<double>(data, reader, control);
}

void PrototypeDictionary::decide(const Dataset& data, const DecisionReader& reader, Control& control) const {
    Matrix values;
    const auto elect = [&](Index, const ConstMatrixRef& all) {
        values.resize(all.rows(), decision_count());
        for (Index i = 0; i < all.rows(); ++i)
            values.row(i).noalias() = all.row(i).lazyProduct(parts_.class_shares.transpose());
        reader({values.data(), std::size_t(values.size())});
    };
    shares(data, elect, control);
}

void PrototypeDictionary::explain(const Dataset& data, double* out, Control& control) const {
    auto all = view(out, data.rows(), count());
    const auto copy = [&](Index first, const ConstMatrixRef& some) {
        all.middleRows(first, some.rows()) = some;
    };
    shares(data, copy, control);
}

void PrototypeDictionary::prototype_coefficients(double* out) const {
    auto all = view(out, count(), parts_.training_rows);
    all.setZero();
    all(Eigen::all, parts_.support_ids) = parts_.coefficients.transpose();
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
    write_kernel(out, *parts_.kernel);
    write_precision(out, parts_.precision);
    write_features(out.object("support"), parts_.support);
    out.indices("support_ids", parts_.support_ids);
    out.count("rows", support_count());
    out.count("count", count());
    out.count("most", parts_.most);
    out.doubles("coefficients", elements(parts_.coefficients));
    out.doubles("products", elements(parts_.products));
    out.doubles("class_shares", elements(parts_.class_shares));
    out.indices("classes", parts_.set.classes);
    out.count("neighbours", parts_.set.neighbours);
    out.indices("nearest_rows", parts_.set.nearest_rows);
    out.doubles("nearest_distances", parts_.set.nearest_distances);
}

namespace {

/// Throws Error(model_format) for numbers that no trained model has, which a file may hold.
void require_sound(const PrototypeDictionary::Parts& parts) {
    if (parts.coefficients.minCoeff() < 0)
        fail(Status::model_format, "damaged model: a negative coefficient");
    const Vector masses = parts.coefficients.colwise().sum();
    if (!(masses.minCoeff() > 0 && masses.allFinite() && parts.products.diagonal().minCoeff() > 0))
        fail(Status::model_format, "damaged model: a prototype without weight");
    if (!(parts.class_shares.minCoeff() >= 0 && parts.class_shares.maxCoeff() <= 1 + 1e-9))
        fail(Status::model_format, "damaged model: shares of classes");
}

/// The matrix whose elements an archive holds row by row.
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
    PrototypeDictionary::Parts parts{.kernel = nullptr, .support = read_features(in.object("support"), rows)};
    if (parts.support.cols() != context.features)
        fail(Status::model_format, "damaged model: features do not fit");
    parts.kernel = read_kernel(in, parts.support);
    parts.precision = read_precision(in);
    parts.training_rows = context.training_rows;
    parts.support_ids = in.indices("support_ids", rows, 0, context.training_rows - 1);
    parts.coefficients = read_matrix(in, "coefficients", rows, count);
    parts.most = in.count("most", 1, largest_count);
    parts.products = read_matrix(in, "products", count, count);
    parts.class_shares = read_matrix(in, "class_shares", context.classes, count);
    auto& set = parts.set;
    set_functions(set, context.classes);
    set.classes = in.indices("classes", count, 0, context.classes - 1);
    set.squared_norms.assign(count, 0.0);
    as_vector(set.squared_norms) = parts.products.diagonal();
    set.neighbours = in.count("neighbours", 0, context.training_rows);
    set.nearest_rows = in.indices("nearest_rows", count * set.neighbours, 0, context.training_rows - 1);
    set.nearest_distances = in.doubles("nearest_distances", count * set.neighbours);
    require_sound(parts);
    return std::make_unique<PrototypeDictionary>(std::move(parts));
}

}  // namespace dk
