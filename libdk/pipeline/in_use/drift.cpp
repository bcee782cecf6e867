// SPDX-License-Identifier: Apache-2.0
// The kernel two-sample test (A. Gretton, K. Borgwardt, M. Rasch, B. Schoelkopf, A. Smola, A kernel
// two-sample test, JMLR 13, 2012), with the distribution of the statistic from permutations of the rows.
//
//     MMD^2 = s' K s, where s_i = 1 / n for the n known rows and -1 / m for the m new ones (equation 5)
//     p = (1 + the permutations whose MMD^2 is at least as large) / (1 + all permutations)
//
//     n, m    known.rows(), added.rows()
//     s       a column of `signs`, of which the first is the one of the rows as they are
//     K       the kernel's matrix of all rows, in the blocks of both sides; it is never stored
#include "pipeline/in_use/drift.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "model/kernel_expansion.hpp"
#include "pipeline/prepare.hpp"

namespace dk {

namespace {

constexpr Index most_rows = 2000;
constexpr Index permutations = 999;

/// Draws at most so many rows, in ascending order.
Dataset sample(const Dataset& data, Random& random) {
    if (data.rows() <= most_rows) return data;
    std::vector<Index> rows(data.rows());
    std::iota(rows.begin(), rows.end(), Index{0});
    random.shuffle(std::span(rows));
    rows.resize(most_rows);
    std::ranges::sort(rows);
    return data.select(rows);
}

/// Gives the rows to compare with, as the kernel knows them.
Dataset known_rows(const Model& model, const Dataset* reference, Random& random, Control& control) {
    if (reference != nullptr) return prepared_rows(model, features_only(sample(*reference, random)), control);
    if (!model.preparation.layers.empty())
        fail(Status::unsupported,
             "the model's layers learned from its training rows and see new ones with other eyes; give rows "
             "that training has not seen to compare with");
    if (std::ranges::find(model.parameters, parameter::seed.name, &Assignments::value_type::first) ==
        model.parameters.end())
        fail(Status::unsupported,
             "the model was imported and does not tell how many rows it was trained of; give rows to compare "
             "with, such as all training rows");
    const auto* expansion = dynamic_cast<const KernelExpansion*>(model.predictor.get());
    if (expansion == nullptr || expansion->support_count() != model.training_rows) {
        fail(Status::unsupported, "the model keeps ", model.predictor->support_count(), " rows of its ",
             model.training_rows, " training rows; give rows to compare with, such as all training rows");
    }
    return sample(expansion->learned().support, random);
}

/// Writes the signs of the rows, and of permutations of them, as columns.
Matrix permuted_signs(Index n, Index m, Random& random) {
    std::vector<double> signs(n, 1.0 / n);
    signs.insert(signs.end(), m, -1.0 / m);
    Matrix all(n + m, permutations + 1);
    for (Index c = 0; c < all.cols(); ++c) {
        all.col(c) = as_vector(signs);
        random.shuffle(std::span(signs));
    }
    return all;
}

/// Computes a' K b for each pair of columns of a and b, where K is of two sets of rows.
Vector forms(const KernelPointer& kernel, const Dataset& left, const Dataset& right, const Matrix& a,
             const Matrix& b, Control& control) {
    const GramEngine<double> engine(kernel, left, right, &control);
    Matrix products(a.rows(), a.cols());
    engine.product(b.data(), b.cols(), products.data(), control);
    return a.cwiseProduct(products).colwise().sum().transpose();
}

}  // namespace

Drift drift(const Model& model, const Dataset& data, const Dataset* reference, std::uint64_t seed,
            Control& control) {
    if (model.kind == DataKind::gram)
        fail(Status::unsupported,
             "similarities with training rows do not tell how alike new rows are to each other, which drift "
             "asks for");
    Random random(seed);
    const Dataset known = known_rows(model, reference, random, control);
    const Dataset added = prepared_rows(model, features_only(sample(data, random)), control);
    const Index n = known.rows();
    const Index m = added.rows();
    constexpr double matrices = 3;  // the signs, the part of one side and its products
    control.memory().require(8.0 * matrices * (n + m) * (permutations + 1), "permutations of rows");
    const Matrix signs = permuted_signs(n, m, random);
    const Matrix of_known = signs.topRows(n);
    const Matrix of_added = signs.bottomRows(m);
    const KernelPointer& kernel = model.predictor->kernel();
    const Vector squares = forms(kernel, known, known, of_known, of_known, control) +
                           2 * forms(kernel, known, added, of_known, of_added, control) +
                           forms(kernel, added, added, of_added, of_added, control);
    if (!squares.allFinite())
        fail(Status::numerical, "the kernel overflows on these rows, so that means have no distance");
    const double rounding = 1e-12 * squares.cwiseAbs().maxCoeff();
    std::vector<double> mixed(squares.data() + 1, squares.data() + squares.size());
    const auto as_large =
        std::ranges::count_if(mixed, [&](double square) { return square >= squares[0] - rounding; });
    std::ranges::sort(mixed);
    return {.distance = std::sqrt(std::max(0.0, squares[0])),
            .usual = std::sqrt(std::max(0.0, mixed[permutations / 2])),
            .p = (1.0 + as_large) / (1.0 + permutations)};
}

}  // namespace dk
