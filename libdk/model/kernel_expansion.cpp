// SPDX-License-Identifier: Apache-2.0
#include "model/kernel_expansion.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/lowrank/feature_stream.hpp"
#include "matrix/matrix.hpp"
#include "model/archive/feature_archive.hpp"
#include "model/archive/kernel_archive.hpp"
#include "model/archive/prototype_archive.hpp"
#include "model/predicted_values.hpp"
#include "model/weight_blocks.hpp"

namespace dk {

namespace {

std::vector<Index> positions_of(const Dataset& rows) {
    std::vector<Index> positions(rows.rows());
    std::iota(positions.begin(), positions.end(), Index{0});
    return positions;
}

template <typename T>
PrototypeSet find_prototypes(const KernelPointer& kernel, const Dataset& data,
                             const KernelExpansion::SupportFunctions& learned,
                             std::span<const WeightBlock> gamma, std::span<const double> lengths,
                             Index neighbours, Control& control) {
    const auto ids = neighbours > 0 ? learned.support_ids : positions_of(learned.support);
    const Dataset& left = neighbours > 0 ? data : learned.support;
    const auto found_by = [&](const auto& engine) {
        return canonical_prototypes(engine, ids, gamma, learned.offsets, lengths, neighbours, control);
    };
    if (const FeatureMap* map = kernel->feature_map())
        return found_by(FeatureEngine(*map, left, learned.support, control));
    return found_by(GramEngine<T>(kernel, left, learned.support, &control));
}

/// Finds the prototypes of the functions. Own ones take the places of those of the canonical form, whose
/// scale and |w| stay; the shift 2 t b makes S / (2 t) the offset b.
template <typename T>
PrototypeSet prototypes_of(const KernelPointer& kernel, const Dataset& data,
                           const KernelExpansion::SupportFunctions& learned, Index neighbours,
                           Control& control) {
    if (learned.own_prototypes.empty())
        return find_prototypes<T>(kernel, data, learned, learned.gamma, learned.lengths, neighbours, control);
    const PrototypeSet canonical =
        find_prototypes<T>(kernel, data, learned, learned.gamma, learned.lengths, 0, control);
    PrototypeSet own =
        find_prototypes<T>(kernel, data, learned, learned.own_prototypes, {}, neighbours, control);
    own.scales = canonical.scales;
    own.norms = canonical.norms;
    for (std::size_t f = 0; f < own.shifts.size(); ++f)
        own.shifts[f] = 2 * own.scales[f] * learned.offsets[f];
    return own;
}

using Coefficients = std::vector<double> ExpansionFunction::*;

/// A regression may be constant, and so may the function of one of several labels. A function that tells
/// classes apart and looks at no row does not do so.
void require_some_coefficient(const ExpansionFunction& function) {
    const bool tells_classes_apart = function.positive_class >= 0 && !function.may_be_constant;
    if (tells_classes_apart && std::ranges::all_of(function.gamma, [](double value) { return value == 0; }))
        fail(Status::numerical,
             "a decision function is constant: every coefficient is zero, so it has no prototypes");
}

/// Finds the rows that functions need, sorted by group. Where they need none, the first row is kept for the
/// kind of rows that it is.
std::vector<Index> support_rows(std::span<const ExpansionFunction> functions, Index training_rows,
                                std::span<const Index> groups) {
    std::vector<char> needed(training_rows);
    for (const auto& function : functions) {
        for (const Coefficients own : {&ExpansionFunction::gamma, &ExpansionFunction::prototypes}) {
            for (std::size_t r = 0; r < (function.*own).size(); ++r)
                if ((function.*own)[r] != 0) needed[function.rows[r]] = 1;
        }
    }
    std::vector<Index> rows;
    for (Index i = 0; i < training_rows; ++i) {
        if (needed[i] != 0) rows.push_back(i);
    }
    if (rows.empty() && training_rows > 0) rows.push_back(0);
    std::ranges::stable_sort(rows, {}, [&](Index i) { return groups.empty() ? Index{0} : groups[i]; });
    return rows;
}

/// Gathers coefficients of the functions, a block for each group of support rows.
std::vector<WeightBlock> blocks_of(std::span<const Index> support_ids, Index training_rows,
                                   std::span<const ExpansionFunction> functions, Coefficients own,
                                   std::span<const Index> groups) {
    const auto group_of = [&](Index i) { return groups.empty() ? Index{0} : groups[i]; };
    std::vector<WeightBlock> blocks;
    std::vector<Index> block_of(training_rows, -1);
    std::vector<Index> support_of(block_of.size(), -1);
    for (Index s = 0; s < std::ssize(support_ids); ++s) {
        const Index i = support_ids[s];
        if (s == 0 || group_of(i) != group_of(support_ids[s - 1])) blocks.push_back({.first = s});
        ++blocks.back().rows;
        block_of[i] = std::ssize(blocks) - 1;
        support_of[i] = s;
    }
    const auto for_values = [&](auto body) {
        for (Index f = 0; f < std::ssize(functions); ++f) {
            const std::vector<double>& values = functions[f].*own;
            for (std::size_t r = 0; r < values.size(); ++r) {
                const Index row = functions[f].rows[r];
                if (values[r] != 0) body(f, row, blocks[block_of[row]], values[r]);
            }
        }
    };
    for_values([](Index f, Index, WeightBlock& block, double) {
        if (block.columns.empty() || block.columns.back() != f) block.columns.push_back(f);
    });
    for (auto& block : blocks) {
        if (block.columns.empty()) block.columns.push_back(0);  // The only row of constant functions has 0.
        block.weights.resize(block.rows * block.columns.size());
    }
    for_values([&](Index f, Index row, WeightBlock& block, double value) {
        const Index column = std::ranges::lower_bound(block.columns, f) - block.columns.begin();
        view(block.weights.data(), block.rows, std::ssize(block.columns))(support_of[row] - block.first,
                                                                          column) = value;
    });
    return blocks;
}

void add_classes(PrototypeSet& set, std::span<const ExpansionFunction> functions) {
    for (const auto& function : functions) {
        set.classes.push_back(function.positive_class);
        set.classes.push_back(function.negative_class);
    }
}

}  // namespace

KernelExpansion::SupportFunctions support_functions(const KernelPointer& kernel, const Dataset& data,
                                                    std::span<const ExpansionFunction> functions,
                                                    std::span<const Index> groups, Precision precision) {
    KernelExpansion::SupportFunctions learned{
        .kernel = kernel, .precision = precision, .support = Dataset(DenseMatrix())};
    learned.training_rows = data.rows();
    for (const ExpansionFunction& function : functions) require_some_coefficient(function);
    learned.support_ids = support_rows(functions, data.rows(), groups);
    if (learned.support_ids.empty())
        fail(Status::numerical, "every decision function is constant, and there is no row to keep with it");
    learned.gamma = blocks_of(learned.support_ids, data.rows(), functions, &ExpansionFunction::gamma, groups);
    if (std::ranges::any_of(functions, [](const auto& function) { return !function.prototypes.empty(); }))
        learned.own_prototypes =
            blocks_of(learned.support_ids, data.rows(), functions, &ExpansionFunction::prototypes, groups);
    learned.support = features_only(data.select(learned.support_ids));
    for (const auto& function : functions) learned.offsets.push_back(function.offset);
    if (std::ranges::all_of(functions, [](const auto& f) { return f.length.has_value(); })) {
        for (const auto& function : functions) learned.lengths.push_back(*function.length);
    }
    return learned;
}

std::unique_ptr<Predictor> make_kernel_expansion(const KernelPointer& kernel, const Dataset& data,
                                                 std::span<const ExpansionFunction> functions,
                                                 std::span<const Index> groups, Precision precision,
                                                 Index neighbours, Control& control) {
    KernelExpansion::SupportFunctions learned = support_functions(kernel, data, functions, groups, precision);
    learned.prototypes = precision == Precision::real32
                             ? prototypes_of<float>(kernel, data, learned, neighbours, control)
                             : prototypes_of<double>(kernel, data, learned, neighbours, control);
    learned.support = kept_rows(*kernel, learned.support, control);
    add_classes(learned.prototypes, functions);
    return std::make_unique<KernelExpansion>(std::move(learned), control);
}

std::unique_ptr<Predictor> make_expansion_without_lengths(KernelExpansion::SupportFunctions learned,
                                                          std::span<const ExpansionFunction> functions,
                                                          Control& control) {
    const Index count = std::ssize(learned.offsets);
    PrototypeSet& set = learned.prototypes;
    set.scales = canonical_scales(learned.gamma, count);
    set.norms.assign(count, 0.0);
    set.squared_norms.assign(2 * count, 0.0);
    for (Index f = 0; f < count; ++f) set.shifts.push_back(2 * set.scales[f] * learned.offsets[f]);
    learned.own_prototypes = learned.gamma;
    add_classes(set, functions);
    return std::make_unique<KernelExpansion>(std::move(learned), control);
}

namespace {

/// Gives the functions of a linear kernel as combinations of their rows, with which a prediction need not
/// look at these, or nothing for other kernels. Of sparse rows with many columns and few entries they would
/// take far more memory than the rows.
CombinedRows combined_rows(const KernelExpansion::SupportFunctions& learned, Control& control) {
    constexpr double most_bytes_a_byte = 16;
    constexpr double always = 1e6;
    const Dataset& support = learned.support;
    if (!learned.kernel->linear() || !learned.kernel->factored() || learned.precision != Precision::real64)
        return {};
    if (support.kind() != DataKind::dense && support.kind() != DataKind::sparse) return {};
    const double bytes =
        8.0 * static_cast<double>(support.cols()) * static_cast<double>(learned.offsets.size());
    if (bytes > always + most_bytes_a_byte * support.feature_bytes()) return {};
    Matrix functions = Matrix::Zero(std::ssize(learned.offsets), support.cols());
    parallel_for(functions.rows(), control, [&](Index f) {
        for (const WeightBlock& block : learned.gamma) {
            const auto column = std::ranges::lower_bound(block.columns, f);
            if (column == block.columns.end() || *column != f) continue;
            const auto weights = view(block.weights.data(), block.rows, std::ssize(block.columns));
            for (Index r = 0; r < block.rows; ++r) {
                if (control.stopping()) return;
                const double weight = weights(r, column - block.columns.begin());
                if (weight != 0) add_features(support, block.first + r, weight, functions.row(f).data());
            }
        }
    });
    return {support.kind(), std::move(functions)};
}

}  // namespace

KernelExpansion::KernelExpansion(SupportFunctions learned, Control& control)
    : learned_(std::move(learned)), rows_(*learned_.kernel, learned_.precision, learned_.support, control) {
    if (const FeatureMap* map = learned_.kernel->feature_map())
        normals_ = map->to_raw(
            combined_features(*map, learned_.support, learned_.gamma, decision_count(), control), control);
    combined_ = combined_rows(learned_, control);
}

template <typename T>
void KernelExpansion::decide_in(const Dataset& data, const DecisionReader& reader, Control& control) const {
    const ProductReader pass_on = [&](Index first, std::span<double> values) {
        add_offsets(values, learned_.offsets);
        require_finite_results(values, decision_count(), first);
        reader(values);
    };
    if (normals_.size() > 0)
        return multiply_raw_features(*learned_.kernel->feature_map(), data, normals_, pass_on, control);
    if (!combined_.empty()) {
        std::vector<double> values(data.rows() * decision_count());
        combined_.multiply(data, view(values.data(), data.rows(), decision_count()), control);
        return pass_on(0, values);
    }
    const GramEngine<T> engine(learned_.kernel, data, rows_.in<T>(), &control);
    engine.product(learned_.gamma, decision_count(), pass_on, control);
}

void KernelExpansion::decide(const Dataset& data, const DecisionReader& reader, Control& control) const {
    if (learned_.precision == Precision::real32) return decide_in<float>(data, reader, control);
    decide_in<double>(data, reader, control);
}

namespace {

/// Gives the coefficients of the prototypes, in blocks.
std::vector<WeightBlock> coefficients_of(const KernelExpansion::SupportFunctions& learned) {
    if (learned.own_prototypes.empty()) return prototype_weights(learned.gamma, learned.prototypes.scales);
    const std::vector<double> as_they_are(learned.offsets.size(), 1.0);
    return prototype_weights(learned.own_prototypes, as_they_are);
}

}  // namespace

template <typename T>
void KernelExpansion::explain_in(const Dataset& data, double* out, Control& control) const {
    const auto& set = learned_.prototypes;
    const bool own = !learned_.own_prototypes.empty();
    const auto weights = prototype_weights(learned_.gamma, set.scales);
    auto values = view(out, data.rows(), set.count());
    std::vector<double> self;
    if (const FeatureMap* map = learned_.kernel->feature_map()) {
        const FeatureEngine engine(*map, data, learned_.support, control);
        self = engine.self(Side::left);
        const auto copy = [&](Index first, std::span<const double> products) {
            std::ranges::copy(products, out + first * set.count());
        };
        engine.product(weights, set.count(), copy, control);
    } else {
        const GramEngine<T> engine(learned_.kernel, data, rows_.in<T>(), &control);
        engine.product(weights, set.count(), out, control);
        self = engine.self(Side::left);
    }
    for (Index i = 0; i < data.rows(); ++i) {
        for (Index p = 0; p < set.count(); ++p) {
            double& value = values(i, p);
            const double sign = p % 2 == 0 ? 1 : -1;
            const double distance = self[i] - 2 * value + set.squared_norms[p];
            value = own ? sign * value / set.scales[p / 2] : -sign * distance / (2 * set.scales[p / 2]);
        }
    }
    require_finite_results(std::span(out, data.rows() * set.count()), set.count());
}

void KernelExpansion::explain(const Dataset& data, double* out, Control& control) const {
    if (learned_.precision == Precision::real32) return explain_in<float>(data, out, control);
    explain_in<double>(data, out, control);
}

namespace {

/// Runs body(support row, prototype, coefficient) for the coefficients that are not zero.
template <typename Body>
void for_coefficients(const KernelExpansion::SupportFunctions& learned, Body body) {
    for_weights(coefficients_of(learned), body);
}

}  // namespace

void KernelExpansion::prototype_coefficients(double* out) const {
    auto coefficients = view(out, learned_.prototypes.count(), learned_.training_rows);
    coefficients.setZero();
    for_coefficients(learned_, [&](Index s, Index p, double weight) {
        coefficients(p, learned_.support_ids[s]) = weight;
    });
}

void KernelExpansion::prototype_coordinates(double* out) const {
    if (!learned_.kernel->linear()) {
        fail(Status::unsupported,
             "prototypes have coordinates among the features only when the kernel is linear, not with ",
             learned_.kernel->text(), "; their training rows and coefficients exist for every kernel");
    }
    auto coordinates = view(out, learned_.prototypes.count(), learned_.support.cols());
    coordinates.setZero();
    for_coefficients(learned_, [&](Index s, Index p, double weight) {
        add_features(learned_.support, s, weight, coordinates.row(p).data());
    });
}

std::shared_ptr<const Predictor> KernelExpansion::with_threshold(double threshold, Control& control) const {
    SupportFunctions moved = learned_;
    moved.offsets.front() -= threshold;
    moved.prototypes.shifts.front() -= 2 * moved.prototypes.scales.front() * threshold;
    return std::make_shared<KernelExpansion>(std::move(moved), control);
}

std::shared_ptr<const Predictor> KernelExpansion::renumbered(std::span<const Index> numbers,
                                                             Index training_rows, Control& control) const {
    SupportFunctions other = learned_;
    other.training_rows = training_rows;
    number_rows(other.support_ids, numbers);
    number_rows(other.prototypes.nearest_rows, numbers);
    return std::make_shared<KernelExpansion>(std::move(other), control);
}

void KernelExpansion::write(ArchiveWriter out) const {
    write_kernel(out, *learned_.kernel);
    write_precision(out, learned_.precision);
    write_features(out.object("support"), learned_.support);
    out.indices("support_ids", learned_.support_ids);
    out.count("functions", decision_count());
    out.count("rows", support_count());
    write_blocks(out, "coefficients", learned_.gamma);
    if (!learned_.own_prototypes.empty()) write_blocks(out, "own_prototypes", learned_.own_prototypes);
    out.doubles("offsets", learned_.offsets);
    write_pairs(out.object("prototypes"), learned_.prototypes);
}

std::unique_ptr<Predictor> read_kernel_expansion(const ArchiveReader& in, const ReadingContext& context) {
    const Index rows = in.count("rows", 1, context.training_rows);
    const Index functions = in.count("functions", 1, largest_count / rows);
    KernelExpansion::SupportFunctions learned{
        .kernel = nullptr, .support = read_compared_rows(in.object("support"), rows, context)};
    learned.kernel = read_kernel(in, learned.support, context.control);
    learned.precision = read_precision(in);
    learned.training_rows = context.training_rows;
    learned.support_ids = in.indices("support_ids", rows, 0, context.training_rows - 1);
    learned.gamma = read_blocks(in, "coefficients", rows, functions);
    if (in.has("own_prototypes")) learned.own_prototypes = read_blocks(in, "own_prototypes", rows, functions);
    learned.offsets = in.doubles("offsets", functions);
    learned.prototypes =
        read_pairs(in.object("prototypes"), functions, context.classes, context.training_rows);
    return std::make_unique<KernelExpansion>(std::move(learned), context.control);
}

}  // namespace dk
