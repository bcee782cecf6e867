// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/operands.hpp"

#include <algorithm>
#include <type_traits>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/engine/prepared_rows.hpp"
#include "kernel/engine/sparse_product.hpp"

namespace dk {

namespace {

bool all_columns(const Columns& columns, Index available) {
    if (columns.empty()) return true;
    if (std::ssize(columns) != available) return false;
    for (Index j = 0; j < available; ++j) {
        if (columns[j] != j) return false;
    }
    return true;
}

std::vector<Index> column_list(const Columns& columns, Index available) {
    std::vector<Index> list = columns;
    for (Index j = std::ssize(list); columns.empty() && j < available; ++j) list.push_back(j);
    return list;
}

/// Gives the mean of the rows when it is so far from the origin that products lose digits, and else an empty
/// vector.
std::vector<double> dominating_offset(const DenseMatrix& matrix, const Columns& columns, Control& control) {
    const ProgressHold hold(control);
    const auto list = column_list(columns, matrix.cols);
    const Index depth = std::ssize(list);
    // Sums are taken over so many rows at a time, whatever the number of threads.
    constexpr Index rows_a_task = 512;
    const Index tasks = (matrix.rows + rows_a_task - 1) / rows_a_task;
    Matrix sums = Matrix::Zero(tasks, depth);
    Matrix squares = Matrix::Zero(tasks, depth);
    const bool all = all_columns(columns, matrix.cols);
    const auto add_rows = [&](int, Index task) {
        const Index last = std::min(matrix.rows, (task + 1) * rows_a_task);
        for (Index i = task * rows_a_task; i < last; ++i) {
            const double* row = matrix.row(i).data();
            for (Index c = 0; c < depth; ++c) {
                const double value = row[all ? c : list[c]];
                sums(task, c) += value;
                squares(task, c) += value * value;
            }
        }
    };
    parallel_for_with(
        tasks, control, [] { return 0; }, add_rows, workforce_for(1.0 * matrix.rows * depth, control));
    std::vector<double> mean(depth);
    as_vector(mean) = sums.colwise().sum().transpose() / matrix.rows;
    const double mean_square = squares.sum() / matrix.rows;
    return as_vector(mean).squaredNorm() > 0.9 * mean_square ? mean : std::vector<double>();
}

/// Computes |x|^2. Eight chains of additions hide the latency of each, and columns of zeros behind the row
/// change nothing.
template <typename T>
double squared_norm(const T* x, Index depth) {
    constexpr Index chains = 8;
    std::array<double, chains> sums{};
    Index c = 0;
    for (; c + chains <= depth; c += chains) {
        for (Index k = 0; k < chains; ++k) {
            const double value = x[c + k];
            sums[k] += value * value;
        }
    }
    for (Index k = 0; c < depth; ++c, ++k) {
        const double value = x[c];
        sums[k] += value * value;
    }
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

template <typename T>
void fill_dense(Panel<T>& panel, const DenseMatrix& matrix, const Columns& columns,
                std::span<const double> shift, Control& control) {
    const ProgressHold hold(control);
    panel.rows = matrix.rows;
    panel.depth = columns.empty() ? matrix.cols : std::ssize(columns);
    if (std::is_same_v<T, double> && shift.empty() && all_columns(columns, matrix.cols)) {
        if constexpr (std::is_same_v<T, double>) panel.dense = matrix.values.data();
    } else {
        const auto list = column_list(columns, matrix.cols);
        panel.dense_storage = LargeArray<T>(panel.rows * panel.depth);
        panel.dense = panel.dense_storage.data();
        parallel_for_rows(panel.rows, panel.depth, control, [&](Index i) {
            const auto row = matrix.row(i);
            T* out = panel.dense_storage.data() + i * panel.depth;
            for (Index c = 0; c < panel.depth; ++c)
                out[c] = static_cast<T>(row[list[c]] - (shift.empty() ? 0.0 : shift[c]));
        });
    }
    panel.squared_norms.resize(panel.rows);
    parallel_for_rows(panel.rows, panel.depth, control, [&](Index i) {
        panel.squared_norms[i] = squared_norm(panel.dense + i * panel.depth, panel.depth);
    });
}

SparseMatrix restricted(const SparseMatrix& matrix, const Columns& columns) {
    std::vector<Index> position(matrix.cols, -1);
    for (Index c = 0; c < std::ssize(columns); ++c) {
        if (columns[c] < matrix.cols) position[columns[c]] = c;
    }
    SparseMatrix out{matrix.rows, std::ssize(columns)};
    out.row_offsets.push_back(0);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index e = matrix.row_offsets[i]; e < matrix.row_offsets[i + 1]; ++e) {
            const Index column = position[matrix.columns[e]];
            if (column < 0) continue;
            out.columns.push_back(column);
            out.values.push_back(matrix.values[e]);
        }
        out.row_offsets.push_back(std::ssize(out.columns));
    }
    return out;
}

/// Tells whether sparse rows are so full that products of dense ones are faster.
bool nearly_dense(const Dataset& data) {
    if (data.kind() != DataKind::sparse) return false;
    const SparseMatrix& matrix = data.sparse();
    return 4.0 * std::ssize(matrix.values) >= 1.0 * matrix.rows * matrix.cols;
}

/// Makes dense rows of `depth` columns, at least as many as the sparse ones have.
DenseMatrix densified(const SparseMatrix& matrix, Index depth) {
    DenseMatrix out{matrix.rows, depth};
    out.values.resize(matrix.rows * depth);
    for (Index i = 0; i < matrix.rows; ++i) {
        for (Index e = matrix.row_offsets[i]; e < matrix.row_offsets[i + 1]; ++e)
            out.values[i * depth + matrix.columns[e]] = matrix.values[e];
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
        for (Index e = panel.sparse->row_offsets[i]; e < panel.sparse->row_offsets[i + 1]; ++e) {
            const double value = panel.sparse->values[e];
            sum += value * value;
        }
        panel.squared_norms.push_back(sum);
    }
}

template <typename T>
std::shared_ptr<Panel<T>> make_panel(const Dataset& data, const Columns& columns,
                                     std::span<const double> shift, const DenseMatrix* dense,
                                     Control& control) {
    if (data.kind() == DataKind::dense)
        require_columns(columns, data);  // Sparse rows may lack the last columns, which are then zero.
    auto panel = std::make_shared<Panel<T>>();
    if (dense != nullptr) {
        fill_dense(*panel, *dense, columns, shift, control);
    } else {
        fill_sparse(*panel, data.sparse(), columns);
    }
    for (Index i = 0; i < panel->rows; ++i) {
        if (!(panel->squared_norms[i] <= 1e300))
            fail(Status::numerical, "the squared norm of row ", i, " overflows; scale the data");
        panel->largest_squared_norm = std::max(panel->largest_squared_norm, panel->squared_norms[i]);
    }
    return panel;
}

/// Prepares sparse rows that densify() makes dense when they are asked for. Their norms must be those of the
/// dense rows, whose values are shifted and rounded to T.
template <typename T>
void prepare_densifying(Panel<T>& panel, Index depth, const std::vector<double>& shift) {
    panel.depth = depth;
    panel.shift = shift;
    panel.largest_squared_norm = 0;
    std::vector<T> row(depth);
    for (Index i = 0; i < panel.rows; ++i) {
        panel.densify(i, row.data());
        panel.squared_norms[i] = squared_norm(row.data(), depth);
        panel.largest_squared_norm = std::max(panel.largest_squared_norm, panel.squared_norms[i]);
    }
}

template <typename T>
double dense_distance(const T* x, const T* z, Index depth, double left_factor, double right_factor) {
    std::array<double, 4> sums{};  // Four chains of additions hide the latency of each.
    Index c = 0;
    for (; c + 4 <= depth; c += 4) {
        for (Index lane = 0; lane < 4; ++lane) {
            const double difference = x[c + lane] * left_factor - z[c + lane] * right_factor;
            sums[lane] += difference * difference;
        }
    }
    for (; c < depth; ++c) {
        const double difference = x[c] * left_factor - z[c] * right_factor;
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
    if (!dense_copy_ || (side == Side::left && !symmetric())) return nullptr;
    return columns.empty() || std::ranges::max(columns) < dense_copy_->cols ? dense_copy_.get() : nullptr;
}

template <typename T>
void Operands<T>::convert_nearly_dense(const Operands* whole) {
    // The right side alone decides, because a left row's values must not depend on the other rows of a call.
    const Dataset& right = data(Side::right);
    if (whole != nullptr ? !whole->dense_copy_ : !nearly_dense(right)) return;
    const Index depth = std::max(data(Side::left).cols(), right.cols());
    if (!control_->memory().allows(8.0 * depth * right.rows())) return;
    dense_copy_ = std::make_shared<const DenseMatrix>(densified(right.sparse(), depth));
}

template <typename T>
Operands<T>::Operands(const Dataset& left, const PreparedRows<T>& right, Control* control)
    : data_{&left, &right.data()}, control_(control ? control : &own_control_) {
    if (!control) own_control_.set_threads(1);
    // Prepared panels end with the right side's columns, but sparse left rows may have further ones.
    const bool fits = left.kind() != DataKind::sparse || left.cols() <= right.data().cols();
    if (fits && !right.panels_.empty()) {
        prepared_ = &right;
        dense_copy_ = right.dense_copy_;
    } else {
        convert_nearly_dense();
    }
}

template <typename T>
std::size_t Operands<T>::request(const PanelKey& key, const std::vector<double>& shift) {
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    PanelPair pair;
    auto left =
        make_panel<T>(data(Side::left), key.columns, shift, dense_rows(Side::left, key.columns), *control_);
    if (symmetric()) {
        pack(*left, key.summed);
    } else {
        pair[1] = right_panel(key, shift);
        // Where right rows are dense, each tile makes its left rows dense, so no dense copy of all is kept.
        if (pair[1]->dense != nullptr && left->sparse != nullptr)
            prepare_densifying(*left, pair[1]->depth, shift);
    }
    pair[0] = std::move(left);
    pairs_.push_back(std::move(pair));
    known_.emplace(key, pairs_.size() - 1);
    return pairs_.size() - 1;
}

template <typename T>
std::shared_ptr<const Panel<T>> Operands<T>::right_panel(const PanelKey& key,
                                                         const std::vector<double>& shift) {
    if (prepared_ != nullptr) {
        const auto found = prepared_->panels_.find(key);
        if (found != prepared_->panels_.end()) return found->second;
    }
    auto panel =
        make_panel<T>(data(Side::right), key.columns, shift, dense_rows(Side::right, key.columns), *control_);
    pack(*panel, key.summed);
    return panel;
}

template <typename T>
void Operands<T>::pack(Panel<T>& right, bool summed) const {
    constexpr Index worthwhile_rows = 32;
    if (right.dense == nullptr) return;
    const auto dense = view(right.dense, right.rows, right.depth);
    constexpr double copies = 2;  // transposed and packed
    const bool many_readers = prepares_ || symmetric();
    if (many_readers && right.depth <= most_summed_columns &&
        control_->memory().allows(copies * sizeof(T) * right.rows * right.depth)) {
        right.transposed = LargeMatrixOf<T>(right.depth, right.rows);
        right.transposed.view() = dense.transpose();
    }
    if (summed || (!prepares_ && data(Side::left).rows() < worthwhile_rows)) return;
    if (!control_->memory().allows(1.0 * sizeof(T) * right.rows * right.depth)) return;
    right.packed = std::make_unique<const PackedRows<T>>(dense, *control_);
}

template <typename T>
std::size_t Operands<T>::request_product(const Columns& columns) {
    return request({columns, false, false}, {});
}

template <typename T>
std::size_t Operands<T>::request_centred_product(const Columns& columns) {
    const DenseMatrix* right = dense_rows(Side::right, columns);
    if (right == nullptr) return request_product(columns);
    if (data(Side::right).kind() == DataKind::dense) require_columns(columns, data(Side::right));
    const auto& shift = offset(columns, *right);
    const Index depth = columns.empty() ? right->cols : std::ssize(columns);
    return request({columns, !shift.empty(), depth <= most_summed_columns}, shift);
}

template <typename T>
const std::vector<double>& Operands<T>::offset(const Columns& columns, const DenseMatrix& right) {
    if (prepared_ != nullptr) {
        const auto found = prepared_->offsets_.find(columns);
        if (found != prepared_->offsets_.end()) return found->second;
    }
    const auto found = offsets_.find(columns);
    if (found != offsets_.end()) return found->second;
    return offsets_.emplace(columns, dominating_offset(right, columns, *control_)).first->second;
}

template <typename T>
void Panel<T>::densify(Index i, T* out) const {
    for (Index c = 0; c < depth; ++c) out[c] = shift.empty() ? T{0} : static_cast<T>(-shift[c]);
    for (Index e = sparse->row_offsets[i]; e < sparse->row_offsets[i + 1]; ++e) {
        const Index column = sparse->columns[e];
        out[column] = static_cast<T>(sparse->values[e] - (shift.empty() ? 0 : shift[column]));
    }
}

template <typename T>
double squared_distance(const Panel<T>& left, Index i, const Panel<T>& right, Index j, double left_factor,
                        double right_factor) {
    if (right.sparse != nullptr)
        return sparse_squared_distance(*left.sparse, i, *right.sparse, j, left_factor, right_factor);
    const T* right_row = right.dense + j * right.depth;
    if (left.sparse == nullptr)
        return dense_distance(left.dense + i * left.depth, right_row, left.depth, left_factor, right_factor);
    std::vector<T> left_row(left.depth);
    left.densify(i, left_row.data());
    return dense_distance(left_row.data(), right_row, left.depth, left_factor, right_factor);
}

template struct Panel<double>;
template struct Panel<float>;
template class Operands<double>;
template class Operands<float>;
template double squared_distance(const Panel<double>&, Index, const Panel<double>&, Index, double, double);
template double squared_distance(const Panel<float>&, Index, const Panel<float>&, Index, double, double);

}  // namespace dk
