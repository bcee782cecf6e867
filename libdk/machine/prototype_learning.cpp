// SPDX-License-Identifier: Apache-2.0
#include "machine/prototype_learning.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/parallel.hpp"
#include "solve/nonnegative_pursuit.hpp"

namespace dk {

double Prototype::mass() const {
    return std::accumulate(weights.begin(), weights.end(), 0.0);
}

PrototypeLearning::PrototypeLearning(const LargeArray<double>& gram, std::vector<Index> class_begins,
                                     LearningOptions options, Control& control)
    : gram_(gram), class_begins_(std::move(class_begins)), options_(options), control_(control) {
    for (Index c = 0; c + 1 < size_of(class_begins_); ++c) {
        const Index next = class_begins_[unsigned_of(c + 1)];
        class_of_.resize(unsigned_of(next), c);
    }
}

std::pair<Index, Index> PrototypeLearning::class_range(Index row) const {
    const auto c = unsigned_of(class_of_[unsigned_of(row)]);
    return {class_begins_[c], class_begins_[c + 1]};
}

void PrototypeLearning::initialise() {
    prototypes_.clear();
    for (Index c = 0; c + 1 < size_of(class_begins_); ++c) {
        const Index begin = class_begins_[unsigned_of(c)];
        const Index end = class_begins_[unsigned_of(c + 1)];
        std::vector<double> similarity(unsigned_of(end - begin));  // of the class' rows to all of them
        for (Index i = begin; i < end; ++i)
            similarity[unsigned_of(i - begin)] = std::accumulate(gram_row(i) + begin, gram_row(i) + end, 0.0);
        Index seed = begin + (std::ranges::max_element(similarity) - similarity.begin());
        // of each row to the seeds so far, the largest
        std::vector<double> nearest(similarity.size(), -std::numeric_limits<double>::infinity());
        for (Index t = 0; t < std::min(options_.most, end - begin); ++t) {
            control_.check();
            std::vector<Index> order(similarity.size());
            std::iota(order.begin(), order.end(), begin);
            const Index size = std::min(options_.most, end - begin);
            std::ranges::partial_sort(order, order.begin() + size, [&](Index a, Index b) {
                return gram_row(seed)[a] != gram_row(seed)[b] ? gram_row(seed)[a] > gram_row(seed)[b] : a < b;
            });
            order.resize(unsigned_of(size));
            prototypes_.push_back({order, std::vector<double>(order.size(), 1.0)});
            for (Index i = begin; i < end; ++i)
                nearest[unsigned_of(i - begin)] =
                    std::max(nearest[unsigned_of(i - begin)], gram_row(seed)[i]);
            seed = begin + (std::ranges::min_element(nearest) - nearest.begin());
        }
    }
    codes_.assign(unsigned_of(rows() * count()), 0.0);
    rescale();
}

void PrototypeLearning::add_columns(const std::vector<Index>& rows, const std::vector<double>& weights,
                                    double factor, bool own_class, std::vector<double>& out) const {
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto [begin, end] = own_class ? class_range(rows[k]) : std::pair{Index{0}, this->rows()};
        const double* row = gram_row(rows[k]);
        const double weight = factor * weights[k];
        for (Index t = begin; t < end; ++t) out[unsigned_of(t)] += weight * row[t];
    }
}

double PrototypeLearning::squared_length(const Prototype& prototype) const {
    double sum = 0;
    for (std::size_t a = 0; a < prototype.rows.size(); ++a) {
        for (std::size_t b = 0; b < prototype.rows.size(); ++b)
            sum +=
                prototype.weights[a] * prototype.weights[b] * gram_row(prototype.rows[a])[prototype.rows[b]];
    }
    return sum;
}

void PrototypeLearning::rescale() {
    for (Index p = 0; p < count(); ++p) {
        Prototype& prototype = prototypes_[unsigned_of(p)];
        control_.check();
        const double mass = prototype.mass();
        const double square = squared_length(prototype);
        if (!(square >
              1e-12 * mass * mass)) {  // its rows cancel each other: one of them, unused, in its place
            prototype = {{prototype.rows.front()}, {1.0}};
            for (Index s = 0; s < rows(); ++s) code(s, p) = 0;
            continue;
        }
        const double length = std::sqrt(square);
        for (double& weight : prototype.weights) weight /= length;
        for (Index s = 0; s < rows(); ++s) code(s, p) *= length;
    }
}

PrototypeLearning::Products PrototypeLearning::products() const {
    const Index c = count();
    Products out;
    out.all.resize(unsigned_of(rows() * c));
    out.within.resize(out.all.size());
    parallel_for(rows(), control_, [&](Index i) {
        const double* row = gram_row(i);
        for (Index p = 0; p < c; ++p) {
            const Prototype& prototype = prototypes_[unsigned_of(p)];
            double all = 0;
            double within = 0;
            for (std::size_t k = 0; k < prototype.rows.size(); ++k) {
                const Index s = prototype.rows[k];
                const double part = prototype.weights[k] * row[s];
                all += part;
                if (class_of_[unsigned_of(s)] == class_of_[unsigned_of(i)]) within += part;
            }
            out.all[unsigned_of(i * c + p)] = all;
            out.within[unsigned_of(i * c + p)] = within;
        }
    });
    out.gram.resize(unsigned_of(c * c));
    for (Index p = 0; p < c; ++p) {
        const Prototype& prototype = prototypes_[unsigned_of(p)];
        for (std::size_t k = 0; k < prototype.rows.size(); ++k) {
            for (Index q = 0; q < c; ++q)
                out.gram[unsigned_of(p * c + q)] +=
                    prototype.weights[k] * out.all[unsigned_of(prototype.rows[k] * c + q)];
        }
    }
    return out;
}

/// min over gamma >= 0 with few non-zeros of gamma' G gamma + linear' gamma, for each row.
void PrototypeLearning::code_rows() {
    const ProgressHold hold(control_);
    const Index c = count();
    const Products known = products();
    std::vector<double> doubled(known.gram);
    for (double& g : doubled) g *= 2;
    parallel_for(rows(), control_, [&](Index i) {
        std::vector<double> linear;
        for (Index p = 0; p < c; ++p) {
            const auto e = unsigned_of(i * c + p);
            linear.push_back(options_.lambda * (prototypes_[unsigned_of(p)].mass() - known.within[e]) -
                             2 * known.all[e]);
        }
        double present = 0;
        for (Index p = 0; p < c; ++p) {
            if (code(i, p) == 0) continue;
            double product = 0;
            for (Index q = 0; q < c; ++q) product += known.gram[unsigned_of(p * c + q)] * code(i, q);
            present += code(i, p) * (product + linear[unsigned_of(p)]);
        }
        const auto found = nonnegative_pursuit(doubled.data(), c, linear, options_.most);
        if (!(found.objective < present)) return;
        for (Index p = 0; p < c; ++p) code(i, p) = 0;
        for (std::size_t k = 0; k < found.support.size(); ++k) code(i, found.support[k]) = found.values[k];
    });
}

void PrototypeLearning::move_prototypes() {
    for (Index p = 0; p < count(); ++p) {
        control_.check();
        std::vector<Index> users;
        for (Index s = 0; s < rows(); ++s) {
            if (code(s, p) != 0) users.push_back(s);
        }
        if (users.empty()) continue;
        move_prototype(p, users);
        refit_codes(p, users);
    }
}

/// min over u of c'u with |Phi u| = 1, where the codes and the other prototypes stay: the direction of the
/// minimum of 1/2 u'Ku + c'u, since the length of u does not matter to that.
void PrototypeLearning::move_prototype(Index p, const std::vector<Index>& users) {
    Prototype& own = prototypes_[unsigned_of(p)];
    // what is left for the prototype to reconstruct: v = gamma^p - sum over the others of u_q (gamma_q .
    // gamma^p)
    std::map<Index, double> rest;
    std::vector<double> weights;
    std::vector<double> shared(unsigned_of(count()));
    for (const Index s : users) {
        const double weight = code(s, p);
        weights.push_back(weight);
        rest[s] += weight;
        for (Index q = 0; q < count(); ++q) shared[unsigned_of(q)] += code(s, q) * weight;
    }
    for (Index q = 0; q < count(); ++q) {
        if (q == p || shared[unsigned_of(q)] == 0) continue;
        const Prototype& other = prototypes_[unsigned_of(q)];
        for (std::size_t k = 0; k < other.rows.size(); ++k)
            rest[other.rows[k]] -= shared[unsigned_of(q)] * other.weights[k];
    }
    std::vector<Index> rest_rows;
    std::vector<double> rest_weights;
    for (const auto& [row, weight] : rest) {
        rest_rows.push_back(row);
        rest_weights.push_back(weight);
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<double> linear(unsigned_of(rows()), options_.lambda * sum + options_.tau);
    add_columns(rest_rows, rest_weights, -2, false, linear);
    add_columns(users, weights, -options_.lambda, true, linear);

    const auto found = nonnegative_pursuit(gram_.data(), rows(), linear, options_.most);
    Prototype moved{found.support, found.values};
    const double length = std::sqrt(std::max(squared_length(moved), 0.0));
    if (!(length > 0)) return;
    for (double& weight : moved.weights) weight /= length;
    const auto cost = [&](const Prototype& prototype) {
        double total = 0;
        for (std::size_t k = 0; k < prototype.rows.size(); ++k)
            total += prototype.weights[k] * linear[unsigned_of(prototype.rows[k])];
        return total;
    };
    if (cost(moved) < cost(own)) own = std::move(moved);
}

/// The best code of each user with this prototype, the others' staying.
void PrototypeLearning::refit_codes(Index p, const std::vector<Index>& users) {
    const Prototype& own = prototypes_[unsigned_of(p)];
    std::vector<double> all(unsigned_of(rows()));
    std::vector<double> within(unsigned_of(rows()));
    add_columns(own.rows, own.weights, 1, false, all);
    add_columns(own.rows, own.weights, 1, true, within);
    std::vector<double> products;  // with every prototype
    for (const Prototype& other : prototypes_) {
        double sum = 0;
        for (std::size_t k = 0; k < other.rows.size(); ++k)
            sum += other.weights[k] * all[unsigned_of(other.rows[k])];
        products.push_back(sum);
    }
    const double mass = own.mass();
    for (const Index s : users) {
        double value = all[unsigned_of(s)] - 0.5 * options_.lambda * (mass - within[unsigned_of(s)]);
        for (Index q = 0; q < count(); ++q) {
            if (q != p) value -= products[unsigned_of(q)] * code(s, q);
        }
        code(s, p) = std::max(0.0, value / products[unsigned_of(p)]);
    }
}

void PrototypeLearning::drop_unused() {
    std::vector<Index> used;
    for (Index p = 0; p < count(); ++p) {
        bool any = false;
        for (Index s = 0; s < rows() && !any; ++s) any = code(s, p) != 0;
        if (any) used.push_back(p);
    }
    std::vector<double> codes;
    for (Index s = 0; s < rows(); ++s) {
        for (const Index p : used) codes.push_back(code(s, p));
    }
    std::vector<Prototype> prototypes;
    prototypes.reserve(used.size());
    for (const Index p : used) prototypes.push_back(std::move(prototypes_[unsigned_of(p)]));
    prototypes_ = std::move(prototypes);
    codes_ = std::move(codes);
}

LearningTerms PrototypeLearning::terms() const {
    const Index c = count();
    const Products known = products();
    LearningTerms terms;
    for (Index i = 0; i < rows(); ++i) {
        const auto gamma = code(i);
        double energy = 0;
        double covered = 0;
        for (Index p = 0; p < c; ++p) {
            const double weight = gamma[unsigned_of(p)];
            if (weight == 0) continue;
            const auto e = unsigned_of(i * c + p);
            covered += weight * known.all[e];
            energy +=
                weight * std::inner_product(gamma.begin(), gamma.end(), known.gram.begin() + p * c, 0.0);
            terms.discrimination +=
                options_.lambda * weight * (prototypes_[unsigned_of(p)].mass() - known.within[e]);
        }
        terms.reconstruction += gram_row(i)[i] - 2 * covered + energy;
    }
    for (const Prototype& prototype : prototypes_) terms.sparsity += options_.tau * prototype.mass();
    return terms;
}

LargeArray<double> PrototypeLearning::reconstruction() const {
    LargeArray<double> out(rows() * rows());
    parallel_for(rows(), control_, [&](Index i) { std::fill_n(out.data() + i * rows(), rows(), 0.0); });
    for (Index s = 0; s < rows(); ++s) {
        const auto gamma = code(s);
        for (Index p = 0; p < count(); ++p) {
            if (gamma[unsigned_of(p)] == 0) continue;
            const Prototype& prototype = prototypes_[unsigned_of(p)];
            for (std::size_t k = 0; k < prototype.rows.size(); ++k)
                out[unsigned_of(prototype.rows[k] * rows() + s)] +=
                    gamma[unsigned_of(p)] * prototype.weights[k];
        }
    }
    return out;
}

double interpretability(const std::vector<Prototype>& prototypes, const std::vector<Index>& class_of) {
    double sum = 0;
    for (const Prototype& prototype : prototypes) {
        std::map<Index, double> of_class;
        for (std::size_t k = 0; k < prototype.rows.size(); ++k)
            of_class[class_of[unsigned_of(prototype.rows[k])]] += prototype.weights[k];
        double most = 0;
        for (const auto& [name, weight] : of_class) most = std::max(most, weight);
        const double mass = prototype.mass();
        // sum_st u_s u_t |x_s - x_t|^2 = 2 (sum u)^2 - 2 for |Phi u| = 1 and k(x, x) = 1
        sum += most / mass * std::exp(-2 * (mass * mass - 1));
    }
    return sum / static_cast<double>(prototypes.size());
}

}  // namespace dk
