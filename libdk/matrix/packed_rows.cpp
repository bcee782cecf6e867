// SPDX-License-Identifier: Apache-2.0
#include "matrix/packed_rows.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "matrix/product_loops.hpp"

namespace dk {

namespace {

/// The operands of a product with packed rows, of which A's rows are those of `a` or some of them.
template <typename T>
ProductOperands<T> operands_of(const ConstMatrixRefOf<T>& a, const Index* a_rows, Index row_count,
                               MatrixRefOf<T>& c, Into into) {
    return {.a = a.data(),
            .a_row_step = a.outerStride(),
            .a_term_step = 1,
            .rows = a_rows,
            .row_count = row_count,
            .depth = a.cols(),
            .c = c.data(),
            .c_stride = c.outerStride(),
            .into = into};
}

template <typename T>
void multiply_by_packed(const ProductOperands<T>& operands, const PackedRows<T>& b, Index first,
                        MatrixRefOf<T>& c) {
    if (b.depth() == 0 && operands.into == Into::assign) c.setZero();
    product_loops<T>().multiply_packed(
        operands, {.values = b.data(), .padded_rows = b.padded_rows(), .first = first, .cols = c.cols()});
}

/// Computes the product, where the operands A are rows that `a_packed` has from a_first on.
template <typename T>
void multiply_both_packed(ProductOperands<T> operands, const PackedRows<T>& a_packed, Index a_first,
                          const PackedRows<T>& b, Index first, MatrixRefOf<T>& c) {
    const Index strip_rows = product_loops<T>().strip_rows;
    if (strip_rows > 0 && a_first % strip_rows == 0) {
        operands.a_panels = a_packed.data();
        operands.a_padded_rows = a_packed.padded_rows();
        operands.a_first = a_first;
    }
    multiply_by_packed<T>(operands, b, first, c);
}

}  // namespace

template <typename T>
PackedRows<T>::PackedRows(const ConstMatrixRefOf<T>& rows)
    : values_(product_loops<T>().padded(rows.rows()) * rows.cols()), rows_(rows.rows()), depth_(rows.cols()) {
    product_loops<T>().pack(rows.data(), rows.outerStride(), 1, rows_, depth_, values_.data());
}

template <typename T>
PackedRows<T>::PackedRows(const ConstMatrixRefOf<T>& rows, Control& control)
    : PackedRows(rows.data(), rows.outerStride(), 1, rows.rows(), rows.cols(), control) {}

template <typename T>
PackedRows<T> PackedRows<T>::of_columns(const ConstMatrixRefOf<T>& columns, Control& control) {
    return {columns.data(), 1, columns.outerStride(), columns.cols(), columns.rows(), control};
}

template <typename T>
PackedRows<T>::PackedRows(const T* values, Index row_step, Index term_step, Index rows, Index depth,
                          Control& control)
    : values_(product_loops<T>().padded(rows) * depth), rows_(rows), depth_(depth) {
    const ProgressHold hold(control);
    const auto& loops = product_loops<T>();
    // The panels of one block of terms stand one after the other, so that whole panels can be packed apart.
    constexpr Index panels_a_task = 16;
    const Index height = panels_a_task * loops.panel_width;
    const Index parts = (rows_ + height - 1) / height;
    const Index blocks = (depth_ + terms_a_block - 1) / terms_a_block;
    parallel_for(parts * blocks, 1.0 * rows_ * depth_, control, [&](Index task) {
        const Index row = task % parts * height;
        const Index begin = task / parts * terms_a_block;
        const Index terms = std::min(terms_a_block, depth_ - begin);
        loops.pack(values + row * row_step + begin * term_step, row_step, term_step,
                   std::min(height, rows_ - row), terms,
                   values_.data() + begin * loops.padded(rows_) + row * terms);
    });
}

template <typename T>
Index PackedRows<T>::padded_rows() const {
    return product_loops<T>().padded(rows_);
}

void multiply_transposed(const ConstMatrixRef& a, const PackedRows<double>& b, Index first, MatrixRef c,
                         Into into) {
    multiply_by_packed<double>(operands_of<double>(a, nullptr, a.rows(), c, into), b, first, c);
}

void multiply_transposed(const ConstMatrixRefOf<float>& a, const PackedRows<float>& b, Index first,
                         MatrixRefOf<float> c, Into into) {
    multiply_by_packed<float>(operands_of<float>(a, nullptr, a.rows(), c, into), b, first, c);
}

void multiply_transposed(const ConstMatrixRef& a, std::span<const Index> a_rows, const PackedRows<double>& b,
                         Index first, MatrixRef c) {
    multiply_by_packed<double>(operands_of<double>(a, a_rows.data(), std::ssize(a_rows), c, Into::assign), b,
                               first, c);
}

void multiply_transposed(const ConstMatrixRefOf<float>& a, std::span<const Index> a_rows,
                         const PackedRows<float>& b, Index first, MatrixRefOf<float> c) {
    multiply_by_packed<float>(operands_of<float>(a, a_rows.data(), std::ssize(a_rows), c, Into::assign), b,
                              first, c);
}

void multiply_transposed(const ConstMatrixRef& a, const PackedRows<double>& a_packed, Index a_first,
                         const PackedRows<double>& b, Index first, MatrixRef c, Into into) {
    multiply_both_packed<double>(
        operands_of<double>(a.middleRows(a_first, c.rows()), nullptr, c.rows(), c, into), a_packed, a_first,
        b, first, c);
}

void multiply_transposed(const ConstMatrixRefOf<float>& a, const PackedRows<float>& a_packed, Index a_first,
                         const PackedRows<float>& b, Index first, MatrixRefOf<float> c, Into into) {
    multiply_both_packed<float>(
        operands_of<float>(a.middleRows(a_first, c.rows()), nullptr, c.rows(), c, into), a_packed, a_first, b,
        first, c);
}

void transposed_multiply(const ConstMatrixRef& a, const PackedRows<double>& a_packed, Index a_first,
                         const PackedRows<double>& b, Index first, MatrixRef c, Into into) {
    const ProductOperands<double> operands{.a = a.data() + a_first,
                                           .a_row_step = 1,
                                           .a_term_step = a.outerStride(),
                                           .rows = nullptr,
                                           .row_count = c.rows(),
                                           .depth = a.rows(),
                                           .c = c.data(),
                                           .c_stride = c.outerStride(),
                                           .into = into};
    multiply_both_packed<double>(operands, a_packed, a_first, b, first, c);
}

template class PackedRows<double>;
template class PackedRows<float>;

}  // namespace dk
