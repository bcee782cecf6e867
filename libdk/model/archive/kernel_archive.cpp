// SPDX-License-Identifier: Apache-2.0
#include "model/archive/kernel_archive.hpp"

#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "kernel/language/bank.hpp"
#include "model/archive/feature_archive.hpp"

namespace dk {

namespace {

/// Gives support rows their own similarities to all training rows, however these were given, because kernels
/// that learned from the training rows ask for them.
Dataset with_own_similarities(const Dataset& support, Control& control) {
    const GramMatrices& given = support.gram();
    GramMatrices out = given.references(support.identity().places());
    const double bytes = 8.0 * out.matrices * out.rows * out.cols;
    control.memory().require(bytes, text("similarities of ", out.rows, " support rows"));
    out.values.reserve(out.matrices * out.rows * out.cols);
    std::vector<Index> columns(out.cols);
    std::iota(columns.begin(), columns.end(), Index{0});
    std::vector<double> computed(columns.size());
    for (Index q = 0; q < out.matrices; ++q) {
        for (Index i = 0; i < out.rows; ++i) {
            if (control.stopping()) control.check();
            const Index place = support.identity().place(i);
            if (given.compute) given.compute({&place, 1}, columns, computed.data());
            const auto row = given.compute ? std::span<const double>(computed) : given.row_values(q, place);
            out.values.insert(out.values.end(), row.begin(), row.end());
        }
    }
    return Dataset(std::move(out));
}

}  // namespace

Dataset kept_rows(const Kernel& kernel, const Dataset& support, Control& control) {
    std::vector<const KernelState*> states;
    kernel.collect_states(states);
    if (support.kind() == DataKind::gram && !states.empty()) return with_own_similarities(support, control);
    return reference_rows(support);
}

void write_kernel(ArchiveWriter out, const Kernel& kernel) {
    std::vector<const KernelState*> states;
    kernel.collect_states(states);
    out.text("kernel", kernel.text());
    auto state = states.begin();
    for (ArchiveWriter& one : out.list("kernel_states", states.size())) {
        const auto& [rows, shape, numbers] = **state++;
        one.count("shape_size", std::ssize(shape));
        one.indices("shape", shape);
        one.count("numbers_size", std::ssize(numbers));
        one.doubles("numbers", numbers);
        one.count("rows", rows.empty() ? 0 : rows.front().rows());
        if (!rows.empty()) write_features(one.object("features"), rows.front());
    }
}

KernelPointer read_kernel(const ArchiveReader& in, const Dataset& support, Control& control) {
    std::vector<KernelState> states;
    for (const ArchiveReader& one : in.list("kernel_states")) {
        KernelState state;
        constexpr Index any = std::numeric_limits<Index>::max();
        state.shape = one.indices("shape", one.count("shape_size", 0, largest_count), -any, any);
        state.numbers = one.doubles("numbers", one.count("numbers_size", 0, largest_count));
        const Index rows = one.count("rows", 0, largest_count);
        if (rows > 0) state.rows.push_back(read_features(one.object("features"), rows));
        states.push_back(std::move(state));
    }
    return restore_kernel(in.text("kernel"), support, std::move(states), control);
}

void write_precision(ArchiveWriter out, Precision precision) {
    out.text("precision", precision == Precision::real32 ? "single" : "double");
}

Precision read_precision(const ArchiveReader& in) {
    const std::string precision = in.text("precision");
    if (precision != "single" && precision != "double")
        fail(Status::model_format, "damaged model: precision ", in_quotes(precision));
    return precision == "single" ? Precision::real32 : Precision::real64;
}

}  // namespace dk
