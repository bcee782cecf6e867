// SPDX-License-Identifier: Apache-2.0
#include "matrix/packed_rows.hpp"

#include "matrix/product_loops.hpp"

namespace dk {

namespace {

template <typename T>
void multiply_by_packed(const ConstMatrixRefOf<T>& a, const Index* a_rows, Index row_count,
                        const PackedRows<T>& b, Index first, MatrixRefOf<T>& c, Into into) {
    if (b.depth() == 0 && into == Into::assign) c.setZero();
    const ProductOperands<T> operands{.a = a.data(),
                                      .a_row_step = a.outerStride(),
                                      .a_term_step = 1,
                                      .rows = a_rows,
                                      .row_count = row_count,
                                      .depth = b.depth(),
                                      .c = c.data(),
                                      .c_stride = c.outerStride(),
                                      .into = into};
    product_loops<T>().multiply_packed(
        operands, {.values = b.data(), .padded_rows = b.padded_rows(), .first = first, .cols = c.cols()});
}

}  // namespace

template <typename T>
PackedRows<T>::PackedRows(const ConstMatrixRefOf<T>& rows)
    : values_(product_loops<T>().padded(rows.rows()) * rows.cols()), rows_(rows.rows()), depth_(rows.cols()) {
    product_loops<T>().pack(rows.data(), rows.outerStride(), 1, rows_, depth_, values_.data());
}

template <typename T>
Index PackedRows<T>::padded_rows() const {
    return product_loops<T>().padded(rows_);
}

void multiply_transposed(const ConstMatrixRef& a, const PackedRows<double>& b, Index first, MatrixRef c,
                         Into into) {
    multiply_by_packed<double>(a, nullptr, a.rows(), b, first, c, into);
}

void multiply_transposed(const ConstMatrixRefOf<float>& a, const PackedRows<float>& b, Index first,
                         MatrixRefOf<float> c, Into into) {
    multiply_by_packed<float>(a, nullptr, a.rows(), b, first, c, into);
}

void multiply_transposed(const ConstMatrixRef& a, std::span<const Index> a_rows, const PackedRows<double>& b,
                         Index first, MatrixRef c) {
    multiply_by_packed<double>(a, a_rows.data(), std::ssize(a_rows), b, first, c, Into::assign);
}

void multiply_transposed(const ConstMatrixRefOf<float>& a, std::span<const Index> a_rows,
                         const PackedRows<float>& b, Index first, MatrixRefOf<float> c) {
    multiply_by_packed<float>(a, a_rows.data(), std::ssize(a_rows), b, first, c, Into::assign);
}

template class PackedRows<double>;
template class PackedRows<float>;

}  // namespace dk
