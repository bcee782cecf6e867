// SPDX-License-Identifier: Apache-2.0
#include "model/kernel_archive.hpp"

#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "kernel/bank.hpp"
#include "model/archive.hpp"

namespace dk {

namespace {

/// Support rows that know their own similarities to all training rows, however these were given: kernels that
/// learned from the training rows ask for them.
Dataset with_own_similarities(const GramMatrices& support, Control& control) {
    GramMatrices out = support;
    const double bytes =
        8.0 * static_cast<double>(support.matrices * support.rows()) * static_cast<double>(support.cols);
    control.memory().require(bytes, text("similarities of ", support.rows(), " support rows"));
    std::vector<double> values;
    values.reserve(unsigned_of(support.matrices * support.rows() * support.cols));
    std::vector<Index> columns(unsigned_of(support.cols));
    std::iota(columns.begin(), columns.end(), Index{0});
    std::vector<double> row(columns.size());
    for (Index q = 0; q < support.matrices; ++q) {
        for (Index i = 0; i < support.rows(); ++i) {
            if (control.stopping()) control.check();
            const Index source = support.source_row(i);
            if (support.compute) {
                (*support.compute)({&source, 1}, columns, row.data());
            } else {
                for (const Index j : columns) row[unsigned_of(j)] = support.value(q, i, j);
            }
            values.insert(values.end(), row.begin(), row.end());
        }
    }
    out.values = std::make_shared<const std::vector<double>>(std::move(values));
    out.compute = nullptr;
    out.source_rows = support.rows();
    out.source_ids.resize(unsigned_of(support.rows()));
    std::iota(out.source_ids.begin(), out.source_ids.end(), Index{0});
    return Dataset(std::move(out));
}

}  // namespace

Dataset kept_rows(const Kernel& kernel, const Dataset& support, Control& control) {
    std::vector<const KernelState*> states;
    kernel.collect_states(states);
    if (support.kind() == DataKind::gram && !states.empty())
        return with_own_similarities(support.gram(), control);
    return reference_rows(support);
}

namespace {

nlohmann::json archive_states(const Kernel& kernel) {
    std::vector<const KernelState*> states;
    kernel.collect_states(states);
    nlohmann::json list = nlohmann::json::array();
    for (const KernelState* state : states) {
        nlohmann::json one{{"shape_size", size_of(state->shape)},
                           {"shape", block(state->shape)},
                           {"numbers_size", size_of(state->numbers)},
                           {"numbers", block(state->numbers)},
                           {"rows", state->rows.empty() ? 0 : state->rows.front().rows()}};
        if (!state->rows.empty()) one["features"] = archive_features(state->rows.front());
        list.push_back(std::move(one));
    }
    return list;
}

std::vector<KernelState> read_states(const nlohmann::json& object) {
    const auto& list = field(object, "kernel_states");
    if (!list.is_array()) fail(Status::model_format, "damaged model: kernel states");
    std::vector<KernelState> states;
    for (const auto& one : list) {
        KernelState state;
        constexpr Index any = std::numeric_limits<Index>::max();
        state.shape = read_indices(one, "shape", read_count(one, "shape_size", 0, largest_count), -any, any);
        state.numbers = read_doubles(one, "numbers", read_count(one, "numbers_size", 0, largest_count));
        const Index rows = read_count(one, "rows", 0, largest_count);
        if (rows > 0) state.rows.push_back(read_features(field(one, "features"), rows));
        states.push_back(std::move(state));
    }
    return states;
}

}  // namespace

nlohmann::json archive_kernel(const Kernel& kernel) {
    return {{"kernel", kernel.text()}, {"kernel_states", archive_states(kernel)}};
}

KernelPointer read_kernel(const nlohmann::json& object, const Dataset& support) {
    return restore_kernel(read_text(object, "kernel"), support, read_states(object));
}

Precision read_precision(const nlohmann::json& object) {
    const std::string precision = read_text(object, "precision");
    if (precision != "single" && precision != "double")
        fail(Status::model_format, "damaged model: precision");
    return precision == "single" ? Precision::real32 : Precision::real64;
}

}  // namespace dk
