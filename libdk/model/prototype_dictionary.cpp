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

std::unique_ptr<Predictor> make_prototype_dictionary(const KernelPointer& kernel, const Dataset& data,
                                                     std::span<const double> coefficients, Index prototypes,
                                                     Index code_limit, Precision precision, Index neighbours,
                                                     Control& control) {
    PrototypeDictionary::RowPrototypes learned{
        .kernel = kernel, .precision = precision, .support = Dataset(DenseMatrix())};
    learned.training_rows = data.rows();
    learned.code_limit = code_limit;
    const auto all = view(coefficients.data(), data.rows(), prototypes);
    for (Index i = 0; i < data.rows(); ++i) {
        if (!all.row(i).isZero(0)) learned.support_ids.push_back(i);
    }
    if (learned.support_ids.empty())
        fail(Status::numerical, "no prototype reconstructs any row; lower lambda");
    learned.coefficients = all(learned.support_ids, Eigen::all);
    learned.class_shares = shares_of_classes(all, *data.labels);
    for (Index p = 0; p < prototypes; ++p) {
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

/// Reconstructs the row x by min |x - sum_p gamma_p u_p|^2 over few non-negative gamma. Where no prototype
/// lowers that, the most similar one alone reconstructs it.
void PrototypeDictionary::shares_of_row(std::span<const double> similarities, VectorRef out) const {
    out.setZero();
    const auto code = nonnegative_pursuit(learned_.products, -as_vector(similarities), learned_.code_limit);
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
    const GramEngine<T> engine(learned_.kernel, data, rows_.in<T>(), &control);
    const WeightBlock block = whole_block(learned_.coefficients);
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
    if (learned_.precision == Precision::real32) return shares_in<float>(data, reader, control);
    shares_in<double>(data, reader, control);
}

void PrototypeDictionary::decide(const Dataset& data, const DecisionReader& reader, Control& control) const {
    Matrix values;
    const auto elect = [&](Index, const ConstMatrixRef& all) {
        values.resize(all.rows(), decision_count());
        for (Index i = 0; i < all.rows(); ++i)
            values.row(i).noalias() = all.row(i).lazyProduct(learned_.class_shares.transpose());
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
