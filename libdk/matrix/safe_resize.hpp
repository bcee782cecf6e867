// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

// Eigen 3.4 frees the memory of a matrix that changes its size before it asks for the new one, and keeps the
// old pointer where that fails, so that the memory is freed once more when the matrix ends. These
// specialisations, of the types that libdk has, leave an empty matrix instead. They must be seen before the
// first matrix is.

namespace dk::internal {

/// Makes storage of `old_size` elements one of `size`. `extent` is 0 while there is no memory, and then
/// `rows`.
template <typename T>
void resize_storage(T*& elements, Eigen::Index& extent, Eigen::Index old_size, Eigen::Index size,
                    Eigen::Index rows) {
    extent = 0;
    if (size != old_size) {
        Eigen::internal::conditional_aligned_delete_auto<T, true>(elements, old_size);
        elements = nullptr;
        if (size > 0) elements = Eigen::internal::conditional_aligned_new_auto<T, true>(size);
    }
    extent = rows;
}

}  // namespace dk::internal

namespace Eigen {

template <>
inline void DenseStorage<double, Dynamic, Dynamic, Dynamic, RowMajor>::resize(Index size, Index rows,
                                                                              Index cols) {
    dk::internal::resize_storage(m_data, m_rows, m_rows * m_cols, size, rows);
    m_cols = cols;
}

template <>
inline void DenseStorage<float, Dynamic, Dynamic, Dynamic, RowMajor>::resize(Index size, Index rows,
                                                                             Index cols) {
    dk::internal::resize_storage(m_data, m_rows, m_rows * m_cols, size, rows);
    m_cols = cols;
}

template <>
inline void DenseStorage<double, Dynamic, Dynamic, 1, ColMajor>::resize(Index size, Index rows, Index) {
    dk::internal::resize_storage(m_data, m_rows, m_rows, size, rows);
}

template <>
inline void DenseStorage<double, Dynamic, 1, Dynamic, RowMajor>::resize(Index size, Index, Index cols) {
    dk::internal::resize_storage(m_data, m_cols, m_cols, size, cols);
}

}  // namespace Eigen
