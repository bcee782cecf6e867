// SPDX-License-Identifier: Apache-2.0
#include "model/prototype_dictionary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/bank.hpp"
#include "model/archive.hpp"
#include "model/decision_rule.hpp"
#include "model/kernel_archive.hpp"
#include "model/predicted_values.hpp"
#include "prototype/nearest_rows.hpp"
#include "solve/nonnegative_pursuit.hpp"

namespace dk {

namespace {

/// How much of each prototype's weight is on rows of each class: classes x prototypes.
std::vector<double> shares_of_classes(std::span<const double> coefficients, Index prototypes,
                                      const Labels& labels) {
    std::vector<double> shares(unsigned_of(labels.classes() * prototypes));
    std::vector<double> sums(unsigned_of(prototypes));
    for (Index i = 0; i < size_of(labels.of_rows); ++i) {
        for (Index p = 0; p < prototypes; ++p) {
            const double weight = coefficients[unsigned_of(i * prototypes + p)];
            shares[unsigned_of(labels.of_rows[unsigned_of(i)] * prototypes + p)] += weight;
            sums[unsigned_of(p)] += weight;
        }
    }
    for (std::size_t e = 0; e < shares.size(); ++e) shares[e] /= sums[e % unsigned_of(prototypes)];
    return shares;
}

/// Products of prototypes with each other, and the rows nearest to each.
template <typename T>
void find_products(PrototypeDictionary::Parts& parts, const Dataset& data, Index prototypes, Index neighbours,
                   Control& control) {
    const GramEngine<T> engine(parts.kernel, data, parts.support, &control, parts.support_ids);
    std::vector<Index> support_of(unsigned_of(data.rows()), -1);
    for (Index s = 0; s < size_of(parts.support_ids); ++s)
        support_of[unsigned_of(parts.support_ids[unsigned_of(s)])] = s;
    parts.products.assign(unsigned_of(prototypes * prototypes), 0.0);
    NearestRows nearest(prototypes, neighbours);
    const auto self = engine.self(Side::left);
    const WeightBlock block = whole_block(parts.coefficients, size_of(parts.support_ids), prototypes);
    engine.product(
        {&block, 1}, prototypes,
        [&](Index first, std::span<const double> products) {
            const ProgressHold hold(control);
            const Index count = size_of(products) / prototypes;
            nearest.see(first, count, std::span(self).subspan(unsigned_of(first)), products.data(), control);
            for (Index i = 0; i < count; ++i) {
                const Index s = support_of[unsigned_of(first + i)];
                if (s < 0) continue;
                for (Index p = 0; p < prototypes; ++p) {
                    const double weight = parts.coefficients[unsigned_of(s * prototypes + p)];
                    if (weight == 0) continue;
                    for (Index q = 0; q < prototypes; ++q)
                        parts.products[unsigned_of(p * prototypes + q)] +=
                            weight * products[unsigned_of(i * prototypes + q)];
                }
            }
        },
        control);
    for (Index p = 0; p < prototypes; ++p) {
        for (Index q = 0; q < p; ++q) {
            double& lower = parts.products[unsigned_of(p * prototypes + q)];
            double& upper = parts.products[unsigned_of(q * prototypes + p)];
            lower = upper = 0.5 * (lower + upper);
        }
        parts.set.squared_norms.push_back(parts.products[unsigned_of(p * prototypes + p)]);
    }
    parts.set.neighbours = neighbours;
    nearest.write(parts.set.squared_norms, parts.set.nearest_rows, parts.set.nearest_distances);
}

/// A class a function, which has no shift and no normal.
void set_functions(PrototypeSet& set, Index classes) {
    set.scales.assign(unsigned_of(classes), 1.0);
    set.shifts.assign(unsigned_of(classes), 0.0);
    set.norms.assign(unsigned_of(classes), 1.0);
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
    const auto row_of = [&](Index i) {
        return coefficients.subspan(unsigned_of(i * prototypes), unsigned_of(prototypes));
    };
    for (Index i = 0; i < data.rows(); ++i) {
        if (std::ranges::all_of(row_of(i), [](double v) { return v == 0; })) continue;
        parts.support_ids.push_back(i);
        parts.coefficients.insert(parts.coefficients.end(), row_of(i).begin(), row_of(i).end());
    }
    if (parts.support_ids.empty()) fail(Status::numerical, "no prototype reconstructs any row; lower lambda");
    const Labels& labels = *data.labels;
    parts.class_shares = shares_of_classes(coefficients, prototypes, labels);
    for (Index p = 0; p < prototypes; ++p) {
        std::vector<double> of_classes;
        for (Index c = 0; c < labels.classes(); ++c)
            of_classes.push_back(parts.class_shares[unsigned_of(c * prototypes + p)]);
        parts.set.classes.push_back(first_largest(of_classes));
    }
    set_functions(parts.set, labels.classes());
    parts.support = features_only(data.select(parts.support_ids));
    neighbours = std::min(neighbours, data.rows());
    if (precision == Precision::real32) {
        find_products<float>(parts, data, prototypes, neighbours, control);
    } else {
        find_products<double>(parts, data, prototypes, neighbours, control);
    }
    parts.support = kept_rows(*kernel, parts.support, control);
    return std::make_unique<PrototypeDictionary>(std::move(parts));
}

PrototypeDictionary::PrototypeDictionary(Parts parts)
    : parts_(std::move(parts)), masses_(unsigned_of(count())) {
    for (std::size_t e = 0; e < parts_.coefficients.size(); ++e)
        masses_[e % masses_.size()] += parts_.coefficients[e];
}

/// The row is reconstructed by min |x - sum_p gamma_p u_p|^2 over few non-negative gamma; where nothing
/// lowers that, by the most similar prototype alone.
void PrototypeDictionary::shares_of_row(std::span<const double> similarities, std::span<double> out) const {
    std::ranges::fill(out, 0.0);
    std::vector<double> linear;
    linear.reserve(similarities.size());
    for (const double s : similarities) linear.push_back(-s);
    const auto code = nonnegative_pursuit(parts_.products.data(), count(), linear, parts_.most);
    if (code.support.empty()) {
        out[unsigned_of(first_largest(similarities))] = 1;
        return;
    }
    double sum = 0;
    for (std::size_t k = 0; k < code.support.size(); ++k) {
        double& share = out[unsigned_of(code.support[k])];
        share = code.values[k] * masses_[unsigned_of(code.support[k])];
        sum += share;
    }
    for (double& share : out) share /= sum;
}

template <typename T>
void PrototypeDictionary::shares_in(const Dataset& data, const ShareReader& reader, Control& control) const {
    const GramEngine<T> engine(parts_.kernel, data, parts_.support, &control);
    const WeightBlock block = whole_block(parts_.coefficients, support_count(), count());
    std::vector<double> found;
    engine.product(
        {&block, 1}, count(),
        [&](Index first, std::span<const double> products) {
            const ProgressHold hold(control);
            const Index rows = size_of(products) / count();
            found.resize(products.size());
            const auto row_of = [&](auto values, Index i) {
                return values.subspan(unsigned_of(i * count()), unsigned_of(count()));
            };
            parallel_for(rows, control, [&](Index i) {
                const auto similarities = row_of(products, i);
                require_finite_results(similarities, count(), first + i);
                shares_of_row(similarities, row_of(std::span(found), i));
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
    std::vector<double> values;
    const auto elect = [&](Index, std::span<const double> all) {
        values.clear();
        for (auto share = all.begin(); share != all.end(); share += count()) {
            for (Index c = 0; c < decision_count(); ++c) {
                values.push_back(std::inner_product(share, share + count(),
                                                    parts_.class_shares.begin() + c * count(), 0.0));
            }
        }
        reader(values);
    };
    shares(data, elect, control);
}

void PrototypeDictionary::explain(const Dataset& data, double* out, Control& control) const {
    const auto copy = [&](Index first, std::span<const double> all) {
        std::ranges::copy(all, out + first * count());
    };
    shares(data, copy, control);
}

void PrototypeDictionary::prototype_coefficients(double* out) const {
    std::fill(out, out + count() * parts_.training_rows, 0.0);
    for (Index s = 0; s < support_count(); ++s) {
        for (Index p = 0; p < count(); ++p)
            out[p * parts_.training_rows + parts_.support_ids[unsigned_of(s)]] =
                parts_.coefficients[unsigned_of(s * count() + p)];
    }
}

void PrototypeDictionary::prototype_coordinates(double* /*out*/) const {
    fail(Status::unsupported,
         "these prototypes are combinations of rows in feature space and have no coordinates; their training "
         "rows and coefficients exist for every kernel");
}

nlohmann::json PrototypeDictionary::archive() const {
    nlohmann::json object = archive_kernel(*parts_.kernel);
    object.update({{"precision", parts_.precision == Precision::real32 ? "single" : "double"},
                   {"support", archive_features(parts_.support)},
                   {"support_ids", block(parts_.support_ids)},
                   {"rows", support_count()},
                   {"count", count()},
                   {"most", parts_.most},
                   {"coefficients", block(parts_.coefficients)},
                   {"products", block(parts_.products)},
                   {"class_shares", block(parts_.class_shares)},
                   {"classes", block(parts_.set.classes)},
                   {"neighbours", parts_.set.neighbours},
                   {"nearest_rows", block(parts_.set.nearest_rows)},
                   {"nearest_distances", block(parts_.set.nearest_distances)}});
    return object;
}

namespace {

/// Numbers that a trained model can have: files may hold others.
void require_sound(const PrototypeDictionary::Parts& parts) {
    const Index count = parts.set.count();
    std::vector<double> masses(unsigned_of(count));
    for (std::size_t e = 0; e < parts.coefficients.size(); ++e) {
        if (parts.coefficients[e] < 0) fail(Status::model_format, "damaged model: a negative coefficient");
        masses[e % masses.size()] += parts.coefficients[e];
    }
    for (Index p = 0; p < count; ++p) {
        const double mass = masses[unsigned_of(p)];
        const double square = parts.products[unsigned_of(p * count + p)];
        if (!(mass > 0 && std::isfinite(mass) && square > 0))
            fail(Status::model_format, "damaged model: a prototype without weight");
    }
    for (const double share : parts.class_shares) {
        if (!(share >= 0 && share <= 1 + 1e-9))
            fail(Status::model_format, "damaged model: shares of classes");
    }
}

}  // namespace

std::unique_ptr<Predictor> read_prototype_dictionary(const nlohmann::json& object,
                                                     const ReadingContext& context) {
    const Index rows = read_count(object, "rows", 1, context.training_rows);
    const Index count = read_count(object, "count", 1, largest_count / rows);
    if (context.classes < 1 || count > largest_count / count || count > largest_count / context.classes)
        fail(Status::model_format, "damaged model: ", count, " prototypes");
    PrototypeDictionary::Parts parts{.kernel = nullptr,
                                     .support = read_features(field(object, "support"), rows)};
    if (parts.support.cols() != context.features)
        fail(Status::model_format, "damaged model: features do not fit");
    parts.kernel = read_kernel(object, parts.support);
    parts.precision = read_precision(object);
    parts.training_rows = context.training_rows;
    parts.support_ids = read_indices(object, "support_ids", rows, 0, context.training_rows - 1);
    parts.coefficients = read_doubles(object, "coefficients", rows * count);
    parts.most = read_count(object, "most", 1, largest_count);
    parts.products = read_doubles(object, "products", count * count);
    parts.class_shares = read_doubles(object, "class_shares", context.classes * count);
    auto& set = parts.set;
    set_functions(set, context.classes);
    set.classes = read_indices(object, "classes", count, 0, context.classes - 1);
    for (Index p = 0; p < count; ++p) set.squared_norms.push_back(parts.products[unsigned_of(p * count + p)]);
    set.neighbours = read_count(object, "neighbours", 0, context.training_rows);
    set.nearest_rows =
        read_indices(object, "nearest_rows", count * set.neighbours, 0, context.training_rows - 1);
    set.nearest_distances = read_doubles(object, "nearest_distances", count * set.neighbours);
    require_sound(parts);
    return std::make_unique<PrototypeDictionary>(std::move(parts));
}

}  // namespace dk
