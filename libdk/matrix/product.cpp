// SPDX-License-Identifier: Apache-2.0
#include "matrix/product.hpp"

#include "base/parallel.hpp"
#include "matrix/packed_rows.hpp"
#include "matrix/product_loops.hpp"

namespace dk {

namespace {

/// Threads take tiles of C of this size.
constexpr Index tile_rows = 192;
constexpr Index tile_cols = 480;

/// A factor of a product, whose element of row i and term k is values[i * row_step + k * term_step]. The rows
/// of a transposed matrix are its columns, so this needs no copy.
template <typename T>
struct Factor {
    const T* values;
    Index row_step;
    Index term_step;
};

template <typename T>
Factor<T> by_rows(const ConstMatrixRefOf<T>& matrix) {
    return {matrix.data(), matrix.outerStride(), 1};
}
template <typename T>
Factor<T> by_columns(const ConstMatrixRefOf<T>& matrix) {
    return {matrix.data(), 1, matrix.outerStride()};
}

/// Memory for packing some rows of B. Small products take none from the heap.
template <typename T>
class PackingBuffer {
  public:
    explicit PackingBuffer(Index size) {
        if (size > small) large_ = LargeArray<T>(size);
    }
    T* data() { return large_.empty() ? values_ : large_.data(); }

  private:
    static constexpr Index small = 2048;
    alignas(64) T values_[small];
    LargeArray<T> large_;
};

template <typename T>
void multiply_factors(const Factor<T>& a, const Factor<T>& b, Index depth, MatrixRefOf<T> c, Into into) {
    if (depth == 0) {
        if (into == Into::assign) c.setZero();
        return;
    }
    const auto& loops = product_loops<T>();
    PackingBuffer<T> buffer(loops.buffer_size(c.cols(), depth));
    const ProductOperands<T> operands{.a = a.values,
                                      .a_row_step = a.row_step,
                                      .a_term_step = a.term_step,
                                      .rows = nullptr,
                                      .row_count = c.rows(),
                                      .depth = depth,
                                      .c = c.data(),
                                      .c_stride = c.outerStride(),
                                      .into = into};
    loops.multiply_plain(operands, {.b = b.values,
                                    .row_step = b.row_step,
                                    .term_step = b.term_step,
                                    .cols = c.cols(),
                                    .buffer = buffer.data()});
}

/// Runs body(first row, rows, first column, columns) for the tiles of a rows x cols product of so many terms.
template <typename Body>
void for_tiles(Index rows, Index cols, Index depth, Control& control, Body body) {
    const ProgressHold hold(control);
    const Index across = (cols + tile_cols - 1) / tile_cols;
    const Index tiles = (rows + tile_rows - 1) / tile_rows * across;
    parallel_for(tiles, values_of_product(rows, cols, depth), control, [&](Index t) {
        const Index row = t / across * tile_rows;
        const Index col = t % across * tile_cols;
        body(row, std::min(tile_rows, rows - row), col, std::min(tile_cols, cols - col));
    });
}

}  // namespace

void multiply_transposed(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into) {
    multiply_factors<double>(by_rows<double>(a), by_rows<double>(b), a.cols(), c, into);
}

void multiply_transposed(const ConstMatrixRefOf<float>& a, const ConstMatrixRefOf<float>& b,
                         MatrixRefOf<float> c, Into into) {
    multiply_factors<float>(by_rows<float>(a), by_rows<float>(b), a.cols(), c, into);
}

void multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into) {
    multiply_factors<double>(by_rows<double>(a), by_columns<double>(b), a.cols(), c, into);
}

void transposed_multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into) {
    multiply_factors<double>(by_columns<double>(a), by_columns<double>(b), a.rows(), c, into);
}

void multiply_transposed(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into,
                         Control& control) {
    for_tiles(c.rows(), c.cols(), a.cols(), control, [&](Index row, Index rows, Index col, Index cols) {
        multiply_transposed(a.middleRows(row, rows), b.middleRows(col, cols), c.block(row, col, rows, cols),
                            into);
    });
}

void multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into, Control& control) {
    for_tiles(c.rows(), c.cols(), a.cols(), control, [&](Index row, Index rows, Index col, Index cols) {
        multiply(a.middleRows(row, rows), b.middleCols(col, cols), c.block(row, col, rows, cols), into);
    });
}

void transposed_multiply(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef c, Into into,
                         Control& control) {
    for_tiles(c.rows(), c.cols(), a.rows(), control, [&](Index row, Index rows, Index col, Index cols) {
        transposed_multiply(a.middleCols(row, rows), b.middleCols(col, cols), c.block(row, col, rows, cols),
                            into);
    });
}

namespace {

/// Computes the lower half of a symmetric product of so many terms by multiply(first row, first column, part
/// of C), and few elements more. What lies left of all rows of a tile is one product, the rest are small
/// ones.
template <typename Multiply>
void lower_tiles(MatrixRef c, Index depth, Control& control, Multiply multiply_part) {
    constexpr Index small = 48;
    const Index tiles = (c.rows() + tile_rows - 1) / tile_rows;
    parallel_for(tiles, 0.5 * values_of_product(c.rows(), c.cols(), depth), control, [&](Index t) {
        const Index row = (tiles - 1 - t) * tile_rows;  // The last rows take longest.
        const Index rows = std::min(tile_rows, c.rows() - row);
        if (row > 0) multiply_part(row, 0, c.block(row, 0, rows, row));
        for (Index r = row; r < row + rows; r += small) {
            const Index some = std::min(small, row + rows - r);
            multiply_part(r, row, c.block(r, row, some, r + some - row));
        }
    });
}

/// Packed rows serve as both factors. So many terms at a time are packed, since all take as much memory as
/// the factor.
constexpr Index terms_at_once = 4 * terms_a_block;

void mirror_lower_half(MatrixRef c, Control& control) {
    parallel_for_rows(c.rows(), c.cols(), control, [&](Index i) {
        for (Index j = i + 1; j < c.cols(); ++j) c(i, j) = c(j, i);
    });
}

}  // namespace

void outer_product(const ConstMatrixRef& a, MatrixRef c, Control& control) {
    const ProgressHold hold(control);
    if (a.cols() == 0) c.setZero();
    for (Index begin = 0; begin < a.cols(); begin += terms_at_once) {
        const auto some = a.middleCols(begin, std::min(terms_at_once, a.cols() - begin));
        const PackedRows<double> packed(some, control);
        lower_tiles(c, some.cols(), control, [&](Index row, Index col, MatrixRef part) {
            multiply_transposed(some, packed, row, packed, col, part, begin == 0 ? Into::assign : Into::add);
        });
    }
    mirror_lower_half(c, control);
}

void inner_product(const ConstMatrixRef& a, MatrixRef c, Control& control) {
    const ProgressHold hold(control);
    if (a.rows() == 0) c.setZero();
    for (Index begin = 0; begin < a.rows(); begin += terms_at_once) {
        const auto some = a.middleRows(begin, std::min(terms_at_once, a.rows() - begin));
        const auto packed = PackedRows<double>::of_columns(some, control);
        lower_tiles(c, some.rows(), control, [&](Index row, Index col, MatrixRef part) {
            transposed_multiply(some, packed, row, packed, col, part, begin == 0 ? Into::assign : Into::add);
        });
    }
    mirror_lower_half(c, control);
}

void multiply_vector(const ConstMatrixRef& a, const ConstVectorRef& x, VectorRef y) {
    product_loops<double>().matrix_vector(a.data(), a.outerStride(), a.rows(), x.data(), a.cols(), y.data());
}

void add_transposed_product(const ConstMatrixRef& a, const ConstVectorRef& x, VectorRef y) {
    product_loops<double>().add_vector_matrix(a.data(), a.outerStride(), a.rows(), x.data(), a.cols(),
                                              y.data());
}

}  // namespace dk
