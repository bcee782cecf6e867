// SPDX-License-Identifier: Apache-2.0
// The k-means method finds landmarks that are centres of the rows:
//   min over c_1 .. c_k of sum_i min_j |x_i - c_j|^2.
// The method k-means++ draws the first centres, and Lloyd's steps improve them. Both work on rows whose mean
// is moved to the origin, so that |x|^2 + |c|^2 - 2 x.c, by which the nearest centre is found, does not
// cancel.
//
//   formula     code
//   x_i         rows
//   c_j         centres
//   k           count
//
// Lloyd, Least squares quantization in PCM, IEEE Transactions on Information Theory 28, 1982. Arthur,
// Vassilvitskii, k-means++: the advantages of careful seeding, SODA 2007.
#include <algorithm>

#include "base/parallel.hpp"
#include "kernel/lowrank/landmarks.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr Index block_rows = 256;

/// Draws the first centres by k-means++: each centre is a row, drawn with a likelihood proportional to its
/// squared distance to the nearest of the centres before it.
Matrix first_centres(const Matrix& rows, Index count, Random& random, Control& control) {
    Matrix centres(count, rows.cols());
    Vector distances = Vector::Ones(rows.rows());
    double sum = distances.sum();
    for (Index c = 0; c < count; ++c) {
        if (control.stopping()) control.check();
        centres.row(c) = rows.row(draw_by_weight(distances, sum, random));
        const Vector squares = (rows.rowwise() - centres.row(c)).rowwise().squaredNorm();
        distances = c == 0 ? squares : Vector(distances.cwiseMin(squares));
        sum = distances.sum();
        if (sum == 0) return centres.topRows(c + 1);  // every row is a centre
    }
    return centres;
}

/// Fills `nearest` with the nearest centre of each row. Returns the sum of the squared distances to them,
/// less the sum of the squared norms of the rows.
double assign_rows(const Matrix& rows, const Matrix& centres, std::vector<Index>& nearest, Control& control) {
    const Vector norms = centres.rowwise().squaredNorm();
    Vector distances(rows.rows());
    const ProgressHold hold(control);
    const double values = values_of_product(rows.rows(), centres.rows(), rows.cols());
    parallel_for((rows.rows() + block_rows - 1) / block_rows, values, control, [&](Index chunk) {
        const Index first = chunk * block_rows;
        const auto block = rows.middleRows(first, std::min(block_rows, rows.rows() - first));
        Matrix products(block.rows(), centres.rows());
        multiply_transposed(block, centres, products);
        for (Index i = 0; i < block.rows(); ++i)
            distances(first + i) = (norms.transpose() - 2 * products.row(i)).minCoeff(&nearest[first + i]);
    });
    return distances.sum();
}

/// Takes one of Lloyd's steps: every centre becomes the mean of its rows, and a centre without rows stays.
void move_centres(const Matrix& rows, const std::vector<Index>& nearest, Matrix& centres) {
    Matrix sums = Matrix::Zero(centres.rows(), centres.cols());
    Vector members = Vector::Zero(centres.rows());
    for (Index i = 0; i < rows.rows(); ++i) {
        sums.row(nearest[i]) += rows.row(i);
        ++members(nearest[i]);
    }
    for (Index c = 0; c < centres.rows(); ++c) {
        if (members(c) > 0) centres.row(c) = sums.row(c) / members(c);
    }
}

}  // namespace

Dataset centre_landmarks(const Dataset& data, Index count, std::uint64_t seed, Control& control) {
    constexpr Index most_rows = 20000;
    constexpr int most_steps = 20;
    const Dataset sample = data.select(uniform_landmarks(data.rows(), most_rows, seed));
    const DenseMatrix& dense = sample.dense();
    Matrix rows = view(dense.values.data(), dense.rows, dense.cols);
    const Vector mean = rows.colwise().mean();
    rows.rowwise() -= mean.transpose();
    Random random(seed);
    Matrix centres = first_centres(rows, std::min(count, rows.rows()), random, control);
    const double squares = rows.squaredNorm();
    std::vector<Index> nearest(rows.rows());
    double before = infinity;
    for (int step = 0; step < most_steps; ++step) {
        const double sum = squares + assign_rows(rows, centres, nearest, control);
        if (!(sum < before * (1 - 1e-6)) && step > 0) break;
        before = sum;
        move_centres(rows, nearest, centres);
    }
    centres.rowwise() += mean.transpose();
    DenseMatrix out{centres.rows(), centres.cols()};
    out.values.assign(centres.data(), centres.data() + centres.size());
    return Dataset(std::move(out));
}

}  // namespace dk
