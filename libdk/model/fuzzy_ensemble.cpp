// SPDX-License-Identifier: Apache-2.0
// Each kernel k has a machine with decisions f_k(x), which are bounded and then combined by the Choquet
// integral with a fuzzy measure g:
//
//     F_k(x) = f_k(x) / (1 + f_k(x)^2)^(1/2),   decision(x) = C_g(F(x)) = sum_k a_k(x) F_k(x),
//
// where a_k(x) >= 0, sum_k a_k(x) = 1, is what kernel k counts for at x (local_weights()). A prototype that
// contributes e to f_k, and has half of f_k's offset b, so contributes a_k(x) (e + b / 2) / (1 + f_k^2)^(1/2)
// to the decision.
//
//     letter       name
//     F            bounded_decisions()
//     g            Members::measures
//
// S. R. Price, D. T. Anderson, T. C. Havens, S. R. Price, Kernel matrix-based heuristic multiple kernel
// learning, Mathematics 10, 2022; A. J. Pinar, J. Rice, L. Hu, D. T. Anderson, T. C. Havens, Efficient
// multiple kernel classification using feature and decision level fusion, IEEE Transactions on Fuzzy Systems
// 25, 2017.
#include "model/fuzzy_ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "kernel/algebra/algebra.hpp"
#include "model/kernel_expansion.hpp"

namespace dk {

double bounded_decision(double f) {
    return f / std::sqrt(1 + f * f);
}

namespace {

Vector mean_shapley_values(const std::vector<FuzzyMeasure>& measures) {
    Vector sum = Vector::Zero(measures.front().sources);
    for (const FuzzyMeasure& measure : measures) sum += shapley_values(measure);
    return sum / static_cast<double>(measures.size());
}

void append(std::vector<double>& all, const std::vector<double>& some) {
    all.insert(all.end(), some.begin(), some.end());
}

/// Joins the prototypes of the machines in this order.
PrototypeSet joined_prototypes(const FuzzyEnsemble::Members& members, const std::vector<Index>& order) {
    const std::size_t functions = members.measures.size();
    PrototypeSet set;
    set.scales.assign(functions, 0.5);
    set.shifts.assign(functions, 0.0);
    set.norms.assign(functions, 1.0);
    set.neighbours = members.machines.front()->prototypes().neighbours;
    for (const Index k : order) {
        const PrototypeSet& own = members.machines[k]->prototypes();
        set.classes.insert(set.classes.end(), own.classes.begin(), own.classes.end());
        set.nearest_rows.insert(set.nearest_rows.end(), own.nearest_rows.begin(), own.nearest_rows.end());
        append(set.squared_norms, own.squared_norms);
        append(set.nearest_distances, own.nearest_distances);
    }
    return set;
}

}  // namespace

FuzzyEnsemble::FuzzyEnsemble(Members members) : members_(std::move(members)) {
    worth_ = mean_shapley_values(members_.measures);
    order_ = descending_order(as_span(worth_));
    Bank bank;
    for (const auto& machine : members_.machines) bank.push_back(machine->kernel());
    kernel_ = combine(bank, {worth_.begin(), worth_.end()});
    set_ = joined_prototypes(members_, order_);
}

Index FuzzyEnsemble::support_count() const {
    Index count = 0;
    for (const auto& machine : members_.machines) count += machine->support_count();
    return count;
}

Matrix FuzzyEnsemble::bounded_decisions(const Dataset& data, Control& control) const {
    const Index functions = decision_count();
    Matrix F(data.rows(), machines() * functions);
    for (Index k = 0; k < machines(); ++k) {
        Index first = 0;
        members_.machines[k]->decide(
            data,
            [&](std::span<const double> decisions) {
                const Index rows = std::ssize(decisions) / functions;
                F.block(first, k * functions, rows, functions) =
                    view(decisions.data(), rows, functions).unaryExpr(&bounded_decision);
                first += rows;
            },
            control);
    }
    return F;
}

template <typename Body>
void FuzzyEnsemble::for_pieces(const Dataset& data, Control& control, Body body) const {
    constexpr Index at_once = 4096;
    for (Index first = 0; first < data.rows(); first += at_once) {
        const Index count = std::min(at_once, data.rows() - first);
        const ProgressScope scope(control, 1.0 * first / data.rows(), 1.0 * (first + count) / data.rows());
        control.check();
        const ProgressHold hold(control);
        if (count == data.rows()) {
            body(first, data);
            continue;
        }
        std::vector<Index> rows(count);
        std::iota(rows.begin(), rows.end(), first);
        body(first, data.select(rows));
    }
}

void FuzzyEnsemble::decide(const Dataset& data, const DecisionReader& reader, Control& control) const {
    const Index functions = decision_count();
    for_pieces(data, control, [&](Index, const Dataset& rows) {
        const Matrix F = bounded_decisions(rows, control);
        Matrix decisions(rows.rows(), functions);
        std::vector<double> of_kernels(machines());
        for (Index i = 0; i < F.rows(); ++i) {
            for (Index f = 0; f < functions; ++f) {
                for (Index k = 0; k < machines(); ++k) of_kernels[k] = F(i, k * functions + f);
                decisions(i, f) = choquet_integral(members_.measures[f], of_kernels);
            }
        }
        reader({decisions.data(), static_cast<std::size_t>(decisions.size())});
    });
}

void FuzzyEnsemble::explain(const Dataset& data, double* out, Control& control) const {
    const Index functions = decision_count();
    const Index of_machine = 2 * functions;
    MatrixView parts = view(out, data.rows(), set_.count());
    for_pieces(data, control, [&](Index first, const Dataset& rows) {
        const Matrix F = bounded_decisions(rows, control);
        std::vector<double> of_kernels(machines());
        std::vector<double> counts(machines());
        Matrix factors(rows.rows(), machines() * functions);  // a_k / (1 + f_k^2)^(1/2)
        for (Index i = 0; i < F.rows(); ++i) {
            for (Index f = 0; f < functions; ++f) {
                for (Index k = 0; k < machines(); ++k) of_kernels[k] = F(i, k * functions + f);
                local_weights(members_.measures[f], of_kernels, counts);
                for (Index k = 0; k < machines(); ++k) {
                    const double bounded = of_kernels[k];
                    factors(i, k * functions + f) =
                        counts[k] * std::sqrt(std::max(0.0, 1 - bounded * bounded));
                }
            }
        }
        Matrix own(rows.rows(), of_machine);
        for (Index place = 0; place < machines(); ++place) {
            const Index k = order_[place];
            const PrototypeSet& set = members_.machines[k]->prototypes();
            members_.machines[k]->explain(rows, own.data(), control);
            for (Index p = 0; p < of_machine; ++p) {
                const Index f = p / 2;
                const double half_offset = 0.25 * set.shifts[f] / set.scales[f];
                parts.col(place * of_machine + p).segment(first, rows.rows()) =
                    (own.col(p).array() + half_offset) * factors.col(k * functions + f).array();
            }
        }
    });
}

/// The prototypes 2 f and 2 f + 1 of each kernel's machine are those of function f, which has no offset.
DecisionParts FuzzyEnsemble::decision_parts(const Dataset& row, Control& control) const {
    std::vector<double> contributions(set_.count());
    explain(row, contributions.data(), control);
    DecisionParts parts{.offsets = std::vector<double>(decision_count())};
    for (Index p = 0; p < set_.count(); ++p)
        parts.terms.push_back({p / 2 % decision_count(), p, -1, contributions[p]});
    return parts;
}

void FuzzyEnsemble::transform(const Dataset& data, double* out, Control& control) const {
    MatrixView features = view(out, data.rows(), transform_count());
    for_pieces(data, control, [&](Index first, const Dataset& rows) {
        features.middleRows(first, rows.rows()) = bounded_decisions(rows, control);
    });
}

void FuzzyEnsemble::prototype_coefficients(double* out) const {
    for (const Index k : order_) {
        members_.machines[k]->prototype_coefficients(out);
        out += 2 * decision_count() * members_.training_rows;
    }
}

void FuzzyEnsemble::prototype_coordinates(double*) const {
    fail(Status::unsupported,
         "prototypes of defimkl are those of machines in several kernels, and have no common coordinates");
}

void FuzzyEnsemble::write(ArchiveWriter out) const {
    out.count("functions", decision_count());
    out.count("kernels", machines());
    auto machine = members_.machines.begin();
    for (ArchiveWriter& one : out.list("machines", members_.machines.size())) (*machine++)->write(one);
    std::vector<double> worth;
    for (const FuzzyMeasure& measure : members_.measures) append(worth, measure.worth);
    out.doubles("worth", worth);
}

std::unique_ptr<Predictor> read_fuzzy_ensemble(const ArchiveReader& in, const ReadingContext& context) {
    const Index functions = in.count("functions", 1, std::max<Index>(1, context.classes));
    const Index kernels = in.count("kernels", 1, most_sources);
    FuzzyEnsemble::Members members{.training_rows = context.training_rows};
    for (const ArchiveReader& one : in.list("machines")) {
        members.machines.push_back(read_kernel_expansion(one, context));
        if (members.machines.back()->decision_count() != functions)
            fail(Status::model_format, "damaged model: machines of other functions");
        if (members.machines.back()->prototypes().neighbours !=
            members.machines.front()->prototypes().neighbours)
            fail(Status::model_format, "damaged model: machines of other neighbours");
    }
    if (std::ssize(members.machines) != kernels)
        fail(Status::model_format, "damaged model: ", members.machines.size(), " machines of ", kernels);
    const Index sets = Index{1} << kernels;
    const std::vector<double> worth = in.doubles("worth", functions * sets);
    for (Index f = 0; f < functions; ++f) {
        FuzzyMeasure measure{kernels, {worth.begin() + f * sets, worth.begin() + (f + 1) * sets}};
        if (measure.worth.front() != 0 || measure.worth.back() != 1)
            fail(Status::model_format, "damaged model: a measure does not go from 0 to 1");
        members.measures.push_back(std::move(measure));
    }
    return std::make_unique<FuzzyEnsemble>(std::move(members));
}

}  // namespace dk
