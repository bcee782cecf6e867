// SPDX-License-Identifier: Apache-2.0
#include "kernel/operands.hpp"

#include <algorithm>
#include <type_traits>

#include "base/error.hpp"
#include "kernel/product.hpp"

namespace dk {

namespace {

bool all_columns(const Columns& columns, Index available) {
    if (columns.empty()) return true;
    if (size_of(columns) != available) return false;
    for (Index j = 0; j < available; ++j) {
        if (columns[unsigned_of(j)] != j) return false;
    }
    return true;
}

std::vector<Index> column_list(const Columns& columns, Index available) {
    std::vector<Index> list = columns;
    for (Index j = size_of(list); columns.empty() && j < available; ++j) list.push_back(j);
    return list;
}

/// Column means, when the mean point is so far from the origin that it costs digits; else empty.
std::vector<double> dominating_offset(const DenseMatrix& matrix, const Columns& columns) {
    const auto list = column_list(columns, matrix.cols);
    std::vector<double> mean(list.size());
    double mean_square = 0;
    const double share = 1.0 / static_cast<double>(matrix.rows);
    for (Index i = 0; i < matrix.rows; ++i) {
        const auto row = matrix.row(i);
        for (std::size_t c = 0; c < list.size(); ++c) {
            const double value = row[unsigned_of(list[c])];
            mean[c] += value * share;
            mean_square += value * value * share;
        }
    }
    double offset = 0;
    for (const double m : mean) offset += m * m;
    return offset > 0.9 * mean_square ? mean : std::vector<double>();
}

template <typename T>
void fill_dense(Panel<T>& panel, const DenseMatrix& matrix, const Columns& columns,
                std::span<const double> shift) {
    panel.rows = matrix.rows;
    if (std::is_same_v<T, double> && shift.empty() && all_columns(columns, matrix.cols)) {
        panel.depth = matrix.cols;
        if constexpr (std::is_same_v<T, double>) panel.dense = matrix.values.data();
    } else {
        const auto list = column_list(columns, matrix.cols);
        panel.depth = size_of(list);
        panel.dense_storage.resize(unsigned_of(panel.rows * panel.depth));
        auto* out = panel.dense_storage.data();
        for (Index i = 0; i < matrix.rows; ++i) {
            const auto row = matrix.row(i);
            for (std::size_t c = 0; c < list.size(); ++c) {
                *out++ = static_cast<T>(row[unsigned_of(list[c])] - (shift.empty() ? 0.0 : shift[c]));
            }
        }
        panel.dense = panel.dense_storage.data();
    }
    panel.squared_norms.resize(unsigned_of(panel.rows));
    for (Index i = 0; i < panel.rows; ++i) {
        double sum = 0;
        for (Index c = 0; c < panel.depth; ++c) {
            const double value = panel.dense[i * panel.depth + c];
            sum += value * value;
        }
        panel.squared_norms[unsigned_of(i)] = sum;
    }
}

SparseMatrix restricted(const SparseMatrix& matrix, const Columns& columns) {
    std::vector<Index> position(unsigned_of(matrix.cols), -1);
    for (Index c = 0; c < size_of(columns); ++c) {
        if (columns[unsigned_of(c)] < matrix.cols) position[unsigned_of(columns[unsigned_of(c)])] = c;
    }
    SparseMatrix out{matrix.rows, size_of(columns)};
    out.row_offsets.push_back(0);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index e = matrix.row_offsets[unsigned_of(i)]; e < matrix.row_offsets[unsigned_of(i + 1)]; ++e) {
            const Index column = position[unsigned_of(matrix.columns[unsigned_of(e)])];
            if (column < 0) continue;
            out.columns.push_back(column);
            out.values.push_back(matrix.values[unsigned_of(e)]);
        }
        out.row_offsets.push_back(size_of(out.columns));
    }
    return out;
}

/// Sparse rows so full that dense ones are smaller and faster.
bool nearly_dense(const Dataset& data) {
    if (data.kind() != DataKind::sparse) return false;
    const SparseMatrix& matrix = data.sparse();
    return 4.0 * static_cast<double>(matrix.values.size()) >=
           static_cast<double>(matrix.rows) * static_cast<double>(matrix.cols);
}

/// `depth` columns; sparse rows may have fewer or more, and what is not there is zero.
DenseMatrix densified(const SparseMatrix& matrix, Index depth) {
    DenseMatrix out{matrix.rows, depth};
    out.values.resize(unsigned_of(matrix.rows * depth));
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index e = matrix.row_offsets[unsigned_of(i)]; e < matrix.row_offsets[unsigned_of(i + 1)]; ++e)
            out.values[unsigned_of(i * depth + matrix.columns[unsigned_of(e)])] =
                matrix.values[unsigned_of(e)];
    }
    return out;
}

template <typename T>
void fill_sparse(Panel<T>& panel, const SparseMatrix& matrix, const Columns& columns) {
    panel.sparse = &matrix;
    if (!columns.empty()) {
        panel.sparse_storage = restricted(matrix, columns);
        panel.sparse = &panel.sparse_storage;
    }
    panel.rows = panel.sparse->rows;
    panel.depth = panel.sparse->cols;
    for (Index i = 0; i < panel.rows; ++i) {
        double sum = 0;
        for (Index e = panel.sparse->row_offsets[unsigned_of(i)];
             e < panel.sparse->row_offsets[unsigned_of(i + 1)]; ++e) {
            const double value = panel.sparse->values[unsigned_of(e)];
            sum += value * value;
        }
        panel.squared_norms.push_back(sum);
    }
}

template <typename T>
std::unique_ptr<Panel<T>> make_panel(const Dataset& data, const Columns& columns,
                                     std::span<const double> shift, const DenseMatrix* dense) {
    if (data.kind() == DataKind::dense)
        require_columns(columns, data);  // sparse rows may lack the last columns
    auto panel = std::make_unique<Panel<T>>();
    if (dense != nullptr) {
        fill_dense(*panel, *dense, columns, shift);
    } else {
        fill_sparse(*panel, data.sparse(), columns);
    }
    for (Index i = 0; i < panel->rows; ++i) {
        if (panel->squared_norms[unsigned_of(i)] <= 1e300) continue;
        fail(Status::numerical, "the squared norm of row ", i, " overflows; scale the data");
    }
    return panel;
}

template <typename T>
double dense_distance(const T* x, const T* z, Index depth, double left_factor, double right_factor) {
    std::array<double, 4> sums{};  // four chains of additions hide their latency
    Index c = 0;
    for (; c + 4 <= depth; c += 4) {
        for (Index lane = 0; lane < 4; ++lane) {
            const double difference = static_cast<double>(x[c + lane]) * left_factor -
                                      static_cast<double>(z[c + lane]) * right_factor;
            sums[unsigned_of(lane)] += difference * difference;
        }
    }
    for (; c < depth; ++c) {
        const double difference =
            static_cast<double>(x[c]) * left_factor - static_cast<double>(z[c]) * right_factor;
        sums[0] += difference * difference;
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

void require_columns(const Columns& columns, const Dataset& data) {
    for (const Index column : columns) {
        if (column >= 0 && column < data.cols()) continue;
        fail(Status::dimension, "the kernel looks at column ", column, ", the data have columns 0 to ",
             data.cols() - 1);
    }
}

template <typename T>
const DenseMatrix* Operands<T>::dense_rows(Side side, const Columns& columns) const {
    if (data(side).kind() == DataKind::dense) return &data(side).dense();
    const auto& converted = dense_copies_[symmetric() ? 0 : static_cast<std::size_t>(side)];
    const bool has_all = converted && (columns.empty() || std::ranges::max(columns) < converted->cols);
    return has_all ? converted.get() : nullptr;
}

template <typename T>
void Operands<T>::convert_nearly_dense() {
    const Dataset& left = data(Side::left);
    const Dataset& right = data(Side::right);
    if (!nearly_dense(left) || !nearly_dense(right)) return;
    const Index depth = std::max(left.cols(), right.cols());
    if (!control_->memory().allows(8.0 * static_cast<double>(depth) *
                                   static_cast<double>(left.rows() + right.rows())))
        return;
    dense_copies_[0] = std::make_unique<DenseMatrix>(densified(left.sparse(), depth));
    if (!symmetric()) dense_copies_[1] = std::make_unique<DenseMatrix>(densified(right.sparse(), depth));
}

template <typename T>
std::size_t Operands<T>::request(const Columns& columns, std::vector<double> shift) {
    const auto key = std::make_pair(columns, !shift.empty());
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    PanelPair pair;
    pair[0] = make_panel<T>(data(Side::left), columns, shift, dense_rows(Side::left, columns));
    if (!symmetric())
        pair[1] = make_panel<T>(data(Side::right), columns, shift, dense_rows(Side::right, columns));
    pairs_.push_back(std::move(pair));
    known_.emplace(key, pairs_.size() - 1);
    return pairs_.size() - 1;
}

template <typename T>
std::size_t Operands<T>::request_product(const Columns& columns) {
    return request(columns, {});
}

template <typename T>
std::size_t Operands<T>::request_centred_product(const Columns& columns) {
    const DenseMatrix* right = dense_rows(Side::right, columns);
    if (right == nullptr) return request(columns, {});
    const auto key = std::make_pair(columns, true);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    if (data(Side::right).kind() == DataKind::dense) require_columns(columns, data(Side::right));
    return request(columns, dominating_offset(*right, columns));
}

template <typename T>
double squared_distance(const Panel<T>& left, Index i, const Panel<T>& right, Index j, double left_factor,
                        double right_factor) {
    if (left.sparse)
        return sparse_squared_distance(*left.sparse, i, *right.sparse, j, left_factor, right_factor);
    return dense_distance(left.dense + i * left.depth, right.dense + j * right.depth, left.depth, left_factor,
                          right_factor);
}

template class Operands<double>;
template class Operands<float>;
template double squared_distance(const Panel<double>&, Index, const Panel<double>&, Index, double, double);
template double squared_distance(const Panel<float>&, Index, const Panel<float>&, Index, double, double);

}  // namespace dk
