// SPDX-License-Identifier: Apache-2.0
#include "kernel/gram/dataset_rows.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <type_traits>

#include "kernel/engine/symmetric_product.hpp"

namespace dk {

bool fits_single_precision(const Kernel& kernel, const Dataset& data, std::span<const double> diagonal) {
    if (kernel.asks_caller() || (data.kind() != DataKind::dense && data.kind() != DataKind::sparse))
        return false;
    // Squares of the features, and sums of many, must be far from what single precision holds.
    constexpr double largest_value = 1e30;
    constexpr double largest_feature = 1e12;
    const auto within = [](double largest) {
        return [largest](double value) { return std::abs(value) <= largest; };
    };
    const auto& features = data.kind() == DataKind::dense ? data.dense().values : data.sparse().values;
    return std::ranges::all_of(diagonal, within(largest_value)) &&
           std::ranges::all_of(features, within(largest_feature));
}

template <typename T>
DatasetRows<T>::DatasetRows(KernelPointer kernel, Dataset data, Control* control)
    : kernel_(std::move(kernel)), data_(std::move(data)), engine_(kernel_, data_, data_, control) {}

template <typename T>
DatasetRows<T>::DatasetRows(const DatasetRows& whole, std::span<const Index> rows, Control* control)
    : kernel_(whole.kernel_),
      data_(whole.data_.select(rows)),
      engine_(whole.engine_, data_, data_, control) {}

template <typename T>
std::vector<double> DatasetRows<T>::diagonal() const {
    return engine_.self(Side::left);
}

template <typename T>
void DatasetRows<T>::rows(std::span<const Index> rows, T* out, Control& control) const {
    engine_.rows_of(rows, out, control);
}

template <typename T>
void DatasetRows<T>::block(std::span<const Index> rows, T* out, Control& control) const {
    const Dataset some = data_.select(rows);
    GramEngine<T>(engine_, some, some, &control).matrices(out, control);
}

template <typename T>
void DatasetRows<T>::matrix(T* out, Control& control) const {
    engine_.matrices(out, control);
}

template <typename T>
std::unique_ptr<const RowSource<T>> DatasetRows<T>::principal_submatrix(std::span<const Index> rows,
                                                                        Control& control) const {
    if (data_.kind() != DataKind::dense && data_.kind() != DataKind::sparse) return nullptr;
    return std::make_unique<DatasetRows>(*this, rows, &control);
}

template <typename T>
std::unique_ptr<const RowSource<float>> DatasetRows<T>::single(Control& control) const {
    if (!fits_single_precision(*kernel_, data_, diagonal())) return nullptr;
    return std::make_unique<DatasetRows<float>>(kernel_, data_, &control);
}

namespace {

/// Gives K(rows, columns) weights where all columns are among the rows, and both ascend. A pair of columns
/// takes one value for both of its rows.
std::vector<double> product_at_columns(const DatasetRows<double>& source, std::span<const Index> rows,
                                       std::span<const Index> columns, std::span<const double> weights,
                                       Control& control) {
    const Dataset among = source.data().select(columns);
    std::vector<double> at_columns(columns.size());
    symmetric_product(GramEngine<double>(source.engine(), among, among, &control), weights, at_columns,
                      control);
    std::vector<Index> others;
    std::ranges::set_difference(rows, columns, std::back_inserter(others));
    std::vector<double> at_others;
    if (!others.empty()) at_others = source.product(others, columns, weights, control);
    std::vector<double> result;
    result.reserve(rows.size());
    for (std::size_t r = 0, c = 0; r < rows.size(); ++r) {
        const bool is_column = c < columns.size() && columns[c] == rows[r];
        result.push_back(is_column ? at_columns[c] : at_others[r - c]);
        c += is_column ? 1 : 0;
    }
    return result;
}

}  // namespace

template <typename T>
std::vector<double> DatasetRows<T>::product(std::span<const Index> rows, std::span<const Index> columns,
                                            std::span<const double> weights, Control& control) const {
    if constexpr (std::is_same_v<T, double>) {
        const bool ascend = std::ranges::is_sorted(rows) && std::ranges::is_sorted(columns);
        if (ascend && !columns.empty() && std::ranges::includes(rows, columns))
            return product_at_columns(*this, rows, columns, weights, control);
    }
    const Dataset left = data_.select(rows);
    const Dataset right = data_.select(columns);
    std::vector<double> result(rows.size());
    GramEngine<T>(engine_, left, right, &control).product(weights.data(), 1, result.data(), control);
    return result;
}

template class DatasetRows<double>;
template class DatasetRows<float>;

}  // namespace dk
