// SPDX-License-Identifier: Apache-2.0
// Generalised learning vector quantisation in the feature space of a kernel (KGLVQ) minimises
//
//     E = sum_i sigmoid(mu_i),   mu_i = (d+ - d-) / (d+ + d-),
//
// where d+ and d- are the squared distances of row i to the nearest prototype of its class and of the others.
// With w_k = sum_j G_kj phi(x_j), whose coefficients sum to 1,
//
//     |phi(x_i) - w_k|^2 = K_ii - 2 (G K)_ki + G_k K G_k'.
//
// One row at a time moves both prototypes along the gradient: with s = sigmoid(mu_i) and the rate eta
//
//     a+ = eta s (1 - s) 4 d- / (d+ + d-)^2,   w+ <- (1 - a+) w+ + a+ phi(x_i),
//     a- = eta s (1 - s) 4 d+ / (d+ + d-)^2,   w- <- (1 + a-) w- - a- phi(x_i).
//
//     letter    name
//     G, G K    now_.coefficients, now_.products
//     d+, d-    Winners::own_distance, Winners::other_distance
//     a+, -a-   the share of the row in move()
//
// A. K. Qin, P. N. Suganthan, A novel kernel prototype-based learning algorithm, ICPR 2004; A. Sato, K.
// Yamada, Generalized learning vector quantization, NIPS 1995. The start, the schedule of the rate and the
// limit of a step are ours.
#include "machine/lvq/kernel_vector_quantisation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/random.hpp"
#include "prototype/kernel_k_means.hpp"

namespace dk {

namespace {

constexpr double largest_share = 0.5;
constexpr Index rows_between_checks = 16;

/// Gives the rows of each class.
std::vector<std::vector<Index>> rows_of_classes(const std::vector<Index>& class_of, Index classes) {
    std::vector<std::vector<Index>> rows(classes);
    for (std::size_t i = 0; i < class_of.size(); ++i) rows[class_of[i]].push_back(static_cast<Index>(i));
    return rows;
}

}  // namespace

double KernelVectorQuantisation::Winners::cost() const {
    const double mu = sum() > 0 ? (own_distance - other_distance) / sum() : 0;
    return 1 / (1 + std::exp(-mu));
}

void KernelVectorQuantisation::initialise(Index prototypes_of_class, Index classes) {
    constexpr Index rounds = 20;
    std::vector<Index> of_prototypes;
    std::vector<std::vector<Index>> clusters;
    for (const auto& rows : rows_of_classes(class_of_, classes)) {
        BlockStorage<double> storage;
        const auto block = gram_.block(rows, storage, control_);
        const auto own = view(block.values, std::ssize(rows), std::ssize(rows), block.stride);
        for (const auto& cluster : kernel_k_means(own, prototypes_of_class, rounds, control_)) {
            of_prototypes.push_back(class_of_[rows.front()]);
            clusters.emplace_back();
            for (const Index i : cluster) clusters.back().push_back(rows[i]);
        }
    }
    Matrix coefficients = Matrix::Zero(std::ssize(clusters), gram_.size());
    for (std::size_t k = 0; k < clusters.size(); ++k) {
        for (const Index i : clusters[k]) coefficients(k, i) = 1.0 / std::ssize(clusters[k]);
    }
    initialise(std::move(coefficients), std::move(of_prototypes));
}

void KernelVectorQuantisation::initialise(Matrix coefficients, std::vector<Index> classes) {
    now_ = {.coefficients = std::move(coefficients), .classes = std::move(classes)};
    now_.products = Matrix::Zero(now_.count(), gram_.size());
    now_.squares.resize(now_.count());
    for (Index k = 0; k < now_.count(); ++k) {
        control_.check();
        const Vector g = now_.coefficients.row(k);
        std::vector<Index> rows;
        std::vector<double> weights;
        for (Index i = 0; i < g.size(); ++i) {
            if (g[i] == 0) continue;
            rows.push_back(i);
            weights.push_back(g[i]);
        }
        auto products = now_.products.row(k);
        gram_.add_product(rows, weights, {products.data(), std::size_t(products.size())}, control_);
        now_.squares[k] = products.dot(g);
    }
    costs_ = {cost()};
}

KernelVectorQuantisation::Winners KernelVectorQuantisation::winners(Index row) const {
    Winners found{-1, -1, infinity, infinity};
    const double self = gram_.diagonal()[row];
    for (Index k = 0; k < now_.count(); ++k) {
        const double distance = std::max(0.0, self - 2 * now_.products(k, row) + now_.squares[k]);
        const bool own = now_.classes[k] == class_of_[row];
        double& least = own ? found.own_distance : found.other_distance;
        if (distance < least) {
            least = distance;
            (own ? found.own : found.other) = k;
        }
    }
    return found;
}

double KernelVectorQuantisation::cost() const {
    double sum = 0;
    for (Index i = 0; i < gram_.size(); ++i) sum += winners(i).cost();
    return sum;
}

double KernelVectorQuantisation::mean_distance() const {
    double sum = 0;
    for (Index i = 0; i < gram_.size(); ++i) sum += winners(i).sum();
    return sum / static_cast<double>(gram_.size());
}

/// Sets w <- (1 - share) w + share phi(x).
void KernelVectorQuantisation::move(Index prototype, Index row, double share) {
    const double rest = 1 - share;
    auto g = now_.coefficients.row(prototype);
    auto products = now_.products.row(prototype);
    double& square = now_.squares[prototype];
    square = rest * rest * square + 2 * rest * share * products[row] + share * share * gram_.diagonal()[row];
    g *= rest;
    g[row] += share;
    products *= rest;
    gram_.add_product({&row, 1}, {&share, 1}, {products.data(), std::size_t(products.size())}, control_);
}

void KernelVectorQuantisation::update(Index row, double rate) {
    const Winners nearest = winners(row);
    const double sum = nearest.sum();
    if (!(sum > 0)) return;
    const double s = nearest.cost();
    const double slope = rate * s * (1 - s) * 4 / (sum * sum);
    move(nearest.own, row, std::min(largest_share, slope * nearest.other_distance));
    move(nearest.other, row, -std::min(largest_share, slope * nearest.own_distance));
}

void KernelVectorQuantisation::run_epoch(std::vector<Index>& order, double rate) {
    Index seen = 0;
    for (const Index row : order) {
        if (seen++ % rows_between_checks == 0) control_.check();
        update(row, rate);
    }
}

void KernelVectorQuantisation::learn(const QuantisationOptions& options) {
    std::vector<Index> order(gram_.size());
    std::iota(order.begin(), order.end(), Index{0});
    Random random(options.seed);
    QuantisationPrototypes best = now_;
    double least = costs_.back();
    const ProgressHold hold(control_);
    for (Index epoch = 0; epoch < options.epochs && !converged_; ++epoch) {
        random.shuffle(std::span(order));
        run_epoch(order, options.rate / (1 + options.decay * epoch));
        const double before = costs_.back();
        costs_.push_back(cost());
        if (costs_.back() < least) {
            least = costs_.back();
            best = now_;
        }
        converged_ = std::abs(costs_.back() - before) < options.tolerance * before;
    }
    now_ = std::move(best);
}

}  // namespace dk
