// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

// Eigen 3.4 frees the memory of a matrix that changes its size before it asks for the new one, and keeps the
// old pointer where that fails, so that the memory is freed once more when the matrix ends. These
// specialisations, of the types that libdk has, leave an empty matrix instead. They must be seen before the
// first matrix is.

namespace dk::internal {

/// Gives `size` elements in the place of others, or none where there is no memory.
template <typename T>
void replace_elements(T*& elements, Eigen::Index old_size, Eigen::Index size) {
    Eigen::internal::conditional_aligned_delete_auto<T, true>(elements, old_size);
    elements = nullptr;
    if (size > 0) elements = Eigen::internal::conditional_aligned_new_auto<T, true>(size);
}

}  // namespace dk::internal

namespace Eigen {

template <>
inline void DenseStorage<double, Dynamic, Dynamic, Dynamic, RowMajor>::resize(Index size, Index rows,
                                                                              Index cols) {
    const Index old_size = m_rows * m_cols;
    m_rows = 0;
    if (size != old_size) dk::internal::replace_elements(m_data, old_size, size);
    m_rows = rows;
    m_cols = cols;
}

template <>
inline void DenseStorage<float, Dynamic, Dynamic, Dynamic, RowMajor>::resize(Index size, Index rows,
                                                                             Index cols) {
    const Index old_size = m_rows * m_cols;
    m_rows = 0;
    if (size != old_size) dk::internal::replace_elements(m_data, old_size, size);
    m_rows = rows;
    m_cols = cols;
}

template <>
inline void DenseStorage<double, Dynamic, Dynamic, 1, ColMajor>::resize(Index size, Index rows, Index) {
    const Index old_size = m_rows;
    m_rows = 0;
    if (size != old_size) dk::internal::replace_elements(m_data, old_size, size);
    m_rows = rows;
}

template <>
inline void DenseStorage<double, Dynamic, 1, Dynamic, RowMajor>::resize(Index size, Index, Index cols) {
    const Index old_size = m_cols;
    m_cols = 0;
    if (size != old_size) dk::internal::replace_elements(m_data, old_size, size);
    m_cols = cols;
}

}  // namespace Eigen
