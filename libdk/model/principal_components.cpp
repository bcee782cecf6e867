// SPDX-License-Identifier: Apache-2.0
// The scores of a row x along the directions e_j = sum_i A_ij (phi(x_i) - mean), whose length is 1, are
//
//     s_j = sum_i A_ij k(x, x_i) - c_j,   c_j = sum_i A_ij mean_l k(x_i, x_l),
//
// since each column of A sums to 0. With the mean K of all k(x_i, x_l) the squared distances of x from the
// mean and from the span of the directions through it are
//
//     |x - mean|^2 = k(x, x) - 2 mean_l k(x, x_l) + K,   novelty = |x - mean|^2 - sum_j s_j^2,
//
// and the decision is threshold - novelty. The prototypes are the mean and mean +- d_j e_j with the training
// rows' deviation d_j = (lambda_j / n)^(1/2); s_j^2 counts for the one on whose side x is.
//
//     letter       name
//     A, c         A(), offsets
//     K            grand_mean
//     lambda, d    eigenvalues, deviation()
//
// H. Hoffmann, Kernel PCA for novelty detection, Pattern Recognition 40, 2007.
#include "model/principal_components.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/select.hpp"
#include "model/archive/feature_archive.hpp"
#include "model/archive/kernel_archive.hpp"
#include "model/archive/prototype_archive.hpp"
#include "model/predicted_values.hpp"
#include "prototype/gaussian_fixed_point.hpp"

namespace dk {

double PrincipalComponents::Components::deviation(Index j) const {
    return std::sqrt(eigenvalues[j] / static_cast<double>(rows.rows()));
}

namespace {

WeightBlock projection_of(const PrincipalComponents::Components& learned) {
    Matrix weights(learned.rows.rows(), learned.count() + 1);
    weights.leftCols(learned.count()) = learned.A();
    weights.col(learned.count()).setConstant(1.0 / static_cast<double>(learned.rows.rows()));
    return whole_block(weights);
}

}  // namespace

PrincipalComponents::PrincipalComponents(Components learned, Control& control)
    : learned_(std::move(learned)),
      rows_(*learned_.kernel, learned_.precision, learned_.rows, control),
      projection_(projection_of(learned_)) {
    learned_.set.scales = {0.5};
    learned_.set.shifts = {learned_.threshold};
    learned_.set.norms = {1};
    learned_.set.classes.assign(2 * learned_.count() + 1, 1);
}

std::shared_ptr<const PrincipalComponents> PrincipalComponents::with_only(std::span<const Index> kept,
                                                                          Control& control) const {
    Components chosen{.kernel = learned_.kernel,
                      .precision = learned_.precision,
                      .rows = learned_.rows,
                      .grand_mean = learned_.grand_mean,
                      .threshold = learned_.threshold,
                      .whitens = learned_.whitens};
    const Matrix A = learned_.A()(Eigen::all, std::vector<Index>(kept.begin(), kept.end()));
    chosen.directions.assign(A.data(), A.data() + A.size());
    chosen.eigenvalues = select_values(learned_.eigenvalues, kept);
    chosen.offsets = select_values(learned_.offsets, kept);
    std::vector<Index> prototypes{0};  // the mean and the two of each component
    for (const Index j : kept) {
        prototypes.push_back(1 + 2 * j);
        prototypes.push_back(2 + 2 * j);
    }
    chosen.set.squared_norms = select_values(learned_.set.squared_norms, prototypes);
    return std::make_shared<const PrincipalComponents>(std::move(chosen), control);
}

template <typename T>
void PrincipalComponents::read_scores_in(const Dataset& data, Scores wanted, const ScoreReader& reader,
                                         Control& control) const {
    const Index count = learned_.count();
    const GramEngine<T> engine(learned_.kernel, data, rows_.in<T>(), &control);
    const auto self = wanted == Scores::with_squares ? engine.self(Side::left) : std::vector<double>();
    engine.product(
        {&projection_, 1}, count + 1,
        [&](Index first, std::span<double> values) {
            MatrixView scores = view(values.data(), std::ssize(values) / (count + 1), count + 1);
            for (Index i = 0; i < scores.rows(); ++i) {
                scores.row(i).head(count) -= as_vector(learned_.offsets).transpose();
                const double square = self.empty() ? 0 : self[first + i];
                scores(i, count) = square - 2 * scores(i, count) + learned_.grand_mean;
            }
            require_finite_results(values, count + 1, first);
            reader(first, scores);
        },
        control);
}

void PrincipalComponents::read_scores(const Dataset& data, Scores wanted, const ScoreReader& reader,
                                      Control& control) const {
    if (learned_.precision == Precision::real32) return read_scores_in<float>(data, wanted, reader, control);
    read_scores_in<double>(data, wanted, reader, control);
}

void PrincipalComponents::decide(const Dataset& data, const DecisionReader& reader, Control& control) const {
    const Index count = learned_.count();
    read_scores(
        data, Scores::with_squares,
        [&](Index, const MatrixView& scores) {
            std::vector<double> decisions;
            decisions.reserve(scores.rows());
            for (Index i = 0; i < scores.rows(); ++i)
                decisions.push_back(learned_.threshold -
                                    (scores(i, count) - scores.row(i).head(count).squaredNorm()));
            reader(decisions);
        },
        control);
}

void PrincipalComponents::explain(const Dataset& data, double* out, Control& control) const {
    const Index count = learned_.count();
    MatrixView parts = view(out, data.rows(), 2 * count + 1);
    parts.setZero();
    read_scores(
        data, Scores::with_squares,
        [&](Index first, const MatrixView& scores) {
            for (Index i = 0; i < scores.rows(); ++i) {
                parts(first + i, 0) = -scores(i, count);
                for (Index j = 0; j < count; ++j)
                    parts(first + i, (scores(i, j) >= 0 ? 1 : 2) + 2 * j) = scores(i, j) * scores(i, j);
            }
        },
        control);
}

void PrincipalComponents::transform(const Dataset& data, double* out, Control& control) const {
    const Index count = learned_.count();
    MatrixView features = view(out, data.rows(), count);
    read_scores(
        data, Scores::alone,
        [&](Index first, const MatrixView& scores) {
            features.middleRows(first, scores.rows()) = scores.leftCols(count);
            if (!learned_.whitens) return;
            for (Index j = 0; j < count; ++j)
                features.col(j).segment(first, scores.rows()) /= learned_.deviation(j);
        },
        control);
}

namespace {

/// The points whose images are nearest to projections, which are combinations of training rows with these
/// coefficients, rows x training rows. Where the way from a row leads nowhere, it begins anew at training
/// rows, those of the largest coefficients first.
Matrix gaussian_pre_images(const PrincipalComponents::Components& learned, const Dataset& data,
                           const Matrix& coefficients, Control& control) {
    const PreparedRows<double> prepared(*learned.kernel, learned.rows, control);
    constexpr FixedPointLimits limits{.most_steps = 1000, .tolerance = 1e-12};
    constexpr Index most_starts = 5;
    Matrix images(data.rows(), data.cols());
    for (Index i = 0; i < data.rows(); ++i) {
        const ProgressScope scope(control, 1.0 * i / data.rows(), (i + 1.0) / data.rows());
        const Vector c = coefficients.row(i).transpose();
        auto found = gaussian_fixed_point(learned.kernel, prepared, c, as_vector(data.dense().row(i)), limits,
                                          control);
        std::vector<Index> order(c.size());
        std::iota(order.begin(), order.end(), Index{0});
        std::ranges::stable_sort(order, std::ranges::greater(), [&](Index r) { return c[r]; });
        for (Index start = 0; !found && start < std::min<Index>(most_starts, c.size()); ++start) {
            found = gaussian_fixed_point(learned.kernel, prepared, c,
                                         as_vector(learned.rows.dense().row(order[start])), limits, control);
        }
        if (!found)
            fail(Status::numerical, "the reconstruction of row ", i,
                 " was not found: its projection is far from the image of every point");
        images.row(i) = found->transpose();
    }
    return images;
}

/// Gives the mean of the training rows with the nearest scores, weighted by the inverse of their distances.
Vector mean_by_scores(const Matrix& known, const DenseMatrix& rows, const ConstVectorRef& scores) {
    constexpr Index most_rows = 10;
    const Vector squares = (known.rowwise() - scores.transpose()).rowwise().squaredNorm();
    std::vector<Index> order(squares.size());
    std::iota(order.begin(), order.end(), Index{0});
    const Index count = std::min<Index>(most_rows, squares.size());
    std::ranges::partial_sort(order, order.begin() + count, {},
                              [&](Index i) { return std::pair(squares[i], i); });
    if (squares[order.front()] == 0) return as_vector(rows.row(order.front()));
    Vector mean = Vector::Zero(rows.cols);
    double sum = 0;
    for (Index k = 0; k < count; ++k) {
        const double weight = std::sqrt(squares[order.front()] / squares[order[k]]);
        mean += weight * as_vector(rows.row(order[k]));
        sum += weight;
    }
    return mean / sum;
}

}  // namespace

void PrincipalComponents::reconstruct(const Dataset& data, double* out, Control& control) const {
    for (const Dataset* rows : {&data, &learned_.rows}) {
        if (rows->kind() != DataKind::dense)
            fail(Status::unsupported, "rows are reconstructed among dense features, and these are ",
                 name_of(rows->kind()));
    }
    const Index n = learned_.rows.rows();
    const auto scores_of = [&](const Dataset& rows) {
        Matrix all(rows.rows(), learned_.count());
        read_scores(
            rows, Scores::alone,
            [&](Index first, const MatrixView& scores) {
                all.middleRows(first, scores.rows()) = scores.leftCols(learned_.count());
            },
            control);
        return all;
    };
    const Matrix scores = scores_of(data);
    MatrixView images = view(out, data.rows(), data.cols());
    const bool linear = learned_.kernel->linear();
    if (!linear && !is_gaussian(*learned_.kernel)) {
        const Matrix known = scores_of(learned_.rows);
        parallel_for(data.rows(), control, [&](Index i) {
            images.row(i) =
                mean_by_scores(known, learned_.rows.dense(), scores.row(i).transpose()).transpose();
        });
        return;
    }
    control.memory().require(8.0 * data.rows() * n, text("projections of ", data.rows(), " rows"));
    Matrix coefficients(data.rows(), n);
    multiply_transposed(scores, learned_.A(), coefficients, Into::assign, control);
    coefficients.array() += 1.0 / static_cast<double>(n);
    if (linear) {
        multiply(coefficients, view(learned_.rows.dense().values.data(), n, data.cols()), images,
                 Into::assign, control);
    } else {
        images = gaussian_pre_images(learned_, data, coefficients, control);
    }
}

void PrincipalComponents::prototype_coefficients(double* out) const {
    const double share = 1.0 / static_cast<double>(learned_.rows.rows());
    MatrixView coefficients = view(out, 2 * learned_.count() + 1, learned_.rows.rows());
    coefficients.setConstant(share);
    for (Index j = 0; j < learned_.count(); ++j) {
        coefficients.row(1 + 2 * j) += learned_.deviation(j) * learned_.A().col(j).transpose();
        coefficients.row(2 + 2 * j) -= learned_.deviation(j) * learned_.A().col(j).transpose();
    }
}

void PrincipalComponents::prototype_coordinates(double* out) const {
    if (learned_.coordinates.empty())
        fail(
            Status::unsupported, "prototypes of kernel ", learned_.kernel->text(),
            " are combinations of rows in its feature space and have no coordinates; linear and rbf on dense "
            "rows have");
    std::ranges::copy(learned_.coordinates, out);
}

void PrincipalComponents::write(ArchiveWriter out) const {
    write_kernel(out, *learned_.kernel);
    write_precision(out, learned_.precision);
    write_features(out.object("rows"), learned_.rows);
    out.count("count", learned_.count());
    out.doubles("directions", learned_.directions);
    out.doubles("eigenvalues", learned_.eigenvalues);
    out.doubles("offsets", learned_.offsets);
    out.doubles("numbers", std::array{learned_.grand_mean, learned_.threshold});
    out.count("whitens", learned_.whitens ? 1 : 0);
    if (!learned_.coordinates.empty()) out.doubles("coordinates", learned_.coordinates);
    out.doubles("squared_norms", learned_.set.squared_norms);
    write_nearest_rows(out, learned_.set);
}

std::unique_ptr<PrincipalComponents> read_principal_components(const ArchiveReader& in,
                                                               const ReadingContext& context) {
    const Index rows = context.training_rows;
    const Index count = in.count("count", 1, rows);
    PrincipalComponents::Components learned{.kernel = nullptr,
                                            .rows = read_compared_rows(in.object("rows"), rows, context)};
    learned.kernel = read_kernel(in, learned.rows, context.control);
    learned.precision = read_precision(in);
    learned.directions = in.doubles("directions", rows * count);
    learned.eigenvalues = in.doubles("eigenvalues", count);
    if (std::ranges::min(learned.eigenvalues) <= 0)
        fail(Status::model_format, "damaged model: an eigenvalue is not positive");
    learned.offsets = in.doubles("offsets", count);
    const auto numbers = in.doubles("numbers", 2);
    learned.grand_mean = numbers[0];
    learned.threshold = numbers[1];
    learned.whitens = in.count("whitens", 0, 1) == 1;
    const Index prototypes = 2 * count + 1;
    if (in.has("coordinates")) {
        if (context.features > largest_count / prototypes)
            fail(Status::model_format, "damaged model: too many coordinates");
        learned.coordinates = in.doubles("coordinates", prototypes * context.features);
    }
    learned.set.classes.assign(prototypes, 1);
    learned.set.squared_norms = in.doubles("squared_norms", prototypes);
    read_nearest_rows(in, rows, learned.set);
    return std::make_unique<PrincipalComponents>(std::move(learned), context.control);
}

}  // namespace dk
