// SPDX-License-Identifier: Apache-2.0
//
// These loops compute C = A B' for each block of terms k in turn,
//
//     C(i, j) <- C(i, j) + sum over the k of the block of A(i, k) B(j, k).
//
// B is packed in panels, each of which has as many of its rows as three vector registers have elements, term
// by term. A strip of a few rows of A is packed likewise. So a step of the innermost loop reads a few
// neighbouring numbers of A and three neighbouring vectors of B, and adds their products to sums that stay in
// registers. The strip stays in the first-level cache and the panels in the second-level one.
//
//     letter      name
//     A           ProductOperands::a, of which `strip` has some packed rows
//     B           PackedPanels::values or PlainRows::b
//     C           ProductOperands::c
//     i, j, k     row, col, begin to begin + terms - 1
//
// K. Goto, R. van de Geijn, Anatomy of high-performance matrix multiplication, ACM Transactions on
// Mathematical Software 34, 2008.
#include "matrix/product_loops.hpp"

#include <algorithm>
#include <array>

#include "matrix/product.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "matrix/product_loops.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// This header must come after highway.h.
#include <hwy/cache_control.h>

#include "matrix/dispatch.hpp"
#include "matrix/interleave-inl.hpp"
#include "matrix/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace dk::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Tag = hn::ScalableTag<T>;
template <typename T>
using Vec = hn::Vec<Tag<T>>;

template <typename T>
constexpr int lanes = static_cast<int>(HWY_LANES(T));
constexpr int panel_vectors = 3;
template <typename T>
constexpr int vectors_a_line = lanes<T> * sizeof(T) < 64 ? 64 / (lanes<T> * sizeof(T)) : 1;
template <typename T>
constexpr int panel_width = panel_vectors* lanes<T>;

// 8 x 3 sums stay in registers where there are 32 of them, and 4 x 3 sums where there are 16.
constexpr bool many_registers = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON;
constexpr int strip_rows = many_registers ? 8 : 4;

/// A row of zeros, which stands in for the rows that a last panel lacks.
template <typename T>
struct Zeros {
    alignas(64) T values[terms_a_block] = {};
};
template <typename T>
constexpr Zeros<T> zeros;

/// Packs one block of terms of `rows` rows of B into panels.
template <typename T>
void pack_block(const T* b, Index row_step, Index term_step, Index rows, Index terms, T* out) {
    constexpr int width = panel_width<T>;
    const T* panel[width];
    for (Index row = 0; row < rows; row += width, out += terms * width) {
        if (row_step == 1 && row + width <= rows) {  // The rows are columns of a row-major matrix.
            for (Index k = 0; k < terms; ++k) std::copy_n(b + row + k * term_step, width, out + k * width);
            continue;
        }
        const int used = static_cast<int>(std::min<Index>(width, rows - row));
        for (int r = 0; r < used; ++r) panel[r] = b + (row + r) * row_step;
        if (used == width || term_step == 1) {
            for (int r = used; r < width; ++r) panel[r] = zeros<T>.values;
            const Index ahead = row + 2 * width <= rows ? width * row_step : 0;
            interleave<lanes<T>>(panel, width, term_step, terms, out, width, ahead);
            continue;
        }
        for (Index k = 0; k < terms; ++k) {
            for (int r = 0; r < width; ++r) out[k * width + r] = r < used ? panel[r][k * term_step] : T{0};
        }
    }
}

template <typename T>
void pack_rows(const T* b, Index row_step, Index term_step, Index rows, Index depth, T* out) {
    const Index padded = (rows + panel_width<T> - 1) / panel_width<T> * panel_width<T>;
    for (Index begin = 0; begin < depth; begin += terms_a_block) {
        const Index terms = std::min(terms_a_block, depth - begin);
        pack_block(b + begin * term_step, row_step, term_step, rows, terms, out + begin * padded);
    }
}

/// What becomes of the sums of a block. Only the first block of a product that is assigned assigns them.
enum class Store { assign, add, subtract };

template <typename T>
Vec<T> stored(Store store, Vec<T> sum, const T* at) {
    const Tag<T> d;
    if (store == Store::assign) return sum;
    return store == Store::add ? hn::Add(hn::LoadU(d, at), sum) : hn::Sub(hn::LoadU(d, at), sum);
}

/// Stores the sums of one row, of which only the columns `from` to `to` - 1 belong to C.
template <typename T>
void store_part(Store store, const T* sums, Index from, Index to, T* c) {
    for (Index j = from; j < to; ++j) {
        if (store == Store::assign) c[j] = sums[j];
        if (store == Store::add) c[j] += sums[j];
        if (store == Store::subtract) c[j] -= sums[j];
    }
}

/// Multiplies a strip of A, which has `Rows` neighbouring numbers for each term, `strip_step` apart from
/// those of the next term, with `Vectors` vectors of B, which are those of neighbouring panels or the first
/// ones of one panel. The first `rows` rows of the strip belong to C, and so do the columns `from` to `to` -
/// 1 of the vectors. `c` is the place of the vectors' first column.
template <typename T, int Rows, int Vectors>
HWY_INLINE void multiply_panels(const T* strip, Index strip_step, const T* packed, Index terms, Store store,
                                Index rows, Index from, Index to, T* c, Index c_stride) {
    const Tag<T> d;
    const Index panel_step = terms * panel_width<T>;
    Vec<T> sums[Rows][Vectors];
#pragma GCC unroll 32
    for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 32
        for (int v = 0; v < Vectors; ++v) sums[r][v] = hn::Zero(d);
    }
    for (Index r = 0; r < rows; ++r) {
        for (int v = 0; v < Vectors; v += vectors_a_line<T>) hwy::Prefetch(c + r * c_stride + v * lanes<T>);
    }
    for (Index k = 0; k < terms; ++k) {
        Vec<T> b[Vectors];
#pragma GCC unroll 32
        for (int v = 0; v < Vectors; ++v)
            b[v] = hn::LoadU(d, packed + (v / panel_vectors) * panel_step + k * panel_width<T> +
                                    (v % panel_vectors) * lanes<T>);
#pragma GCC unroll 32
        for (int r = 0; r < Rows; ++r) {
            const Vec<T> a = hn::Set(d, strip[k * strip_step + r]);
#pragma GCC unroll 32
            for (int v = 0; v < Vectors; ++v) sums[r][v] = hn::MulAdd(a, b[v], sums[r][v]);
        }
    }
    if (from == 0 && to == Vectors * lanes<T> && rows == Rows) {
#pragma GCC unroll 32
        for (int r = 0; r < Rows; ++r) {
            T* out = c + r * c_stride;
#pragma GCC unroll 32
            for (int v = 0; v < Vectors; ++v)
                hn::StoreU(stored(store, sums[r][v], out + v * lanes<T>), d, out + v * lanes<T>);
        }
        return;
    }
    T part[Rows][Vectors * lanes<T>];
#pragma GCC unroll 32
    for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 32
        for (int v = 0; v < Vectors; ++v) hn::StoreU(sums[r][v], d, part[r] + v * lanes<T>);
    }
    for (int r = 0; r < Rows && r < rows; ++r) store_part(store, part[r], from, to, c + r * c_stride);
}

/// The part of a product that one block of terms and some panels of B make. The columns `from` to `to` - 1 of
/// the panels belong to C.
template <typename T>
struct Step {
    const ProductOperands<T>& product;
    Index begin;  // the first term
    Index terms;
    const T* panels;
    Index from;
    Index to;
    T* c;  // the place of the first panel's first column in the first row

    Store store() const {
        if (product.into == Into::subtract) return Store::subtract;
        return product.into == Into::add || begin > 0 ? Store::add : Store::assign;
    }
};

/// Packs rows of A for one block of terms.
template <typename T, int Rows>
void pack_strip(const ProductOperands<T>& product, Index row, Index rows, Index begin, Index terms,
                T* strip) {
    const T* from[Rows];
    for (Index r = 0; r < Rows; ++r) {
        const Index i = row + std::min(r, rows - 1);  // Copies of the last row fill up the strip.
        from[r] = product.a + (product.rows != nullptr ? product.rows[i] : i) * product.a_row_step +
                  begin * product.a_term_step;
    }
    interleave<std::min(Rows, lanes<T>)>(from, Rows, product.a_term_step, terms, strip, Rows);
}

/// Multiplies a strip of at most `Rows` rows with all panels of a step, as many panels at once as have their
/// sums in registers.
template <typename T, int Rows>
void multiply_strip(const Step<T>& step, Index row, Index rows, T* strip) {
    constexpr int at_once = std::min(Rows == 1 ? 2 : 4, (many_registers ? 24 : 12) / (panel_vectors * Rows));
    const T* from = strip;
    Index from_step = Rows;
    if (step.product.a_panels != nullptr) {
        const Index i = step.product.a_first + row;
        from = step.product.a_panels + step.begin * step.product.a_padded_rows +
               i / panel_width<T> * panel_width<T> * step.terms + i % panel_width<T>;
        from_step = panel_width<T>;
    } else {
        pack_strip<T, Rows>(step.product, row, rows, step.begin, step.terms, strip);
    }
    Index col = 0;
    const auto run = [&]<int Vectors>() {
        multiply_panels<T, Rows, Vectors>(from, from_step, step.panels + col * step.terms, step.terms,
                                          step.store(), rows, std::max<Index>(step.from - col, 0),
                                          std::min<Index>(step.to - col, Vectors * lanes<T>),
                                          step.c + row * step.product.c_stride + col, step.product.c_stride);
        col += Vectors * lanes<T>;
    };
    while (step.to - col >= at_once * panel_width<T>) run.template operator()<at_once * panel_vectors>();
    while (step.to - col > 2 * lanes<T>) run.template operator()<panel_vectors>();
    if (step.to - col > lanes<T>) {
        run.template operator()<2>();
    } else if (step.to > col) {
        run.template operator()<1>();
    }
}

template <typename T>
void multiply_step(const Step<T>& step) {
    alignas(64) T strip[strip_rows * terms_a_block];
    const Index count = step.product.row_count;
    Index row = 0;
    for (; row + strip_rows <= count; row += strip_rows)
        multiply_strip<T, strip_rows>(step, row, strip_rows, strip);
    const Index rest = count - row;
    if (rest == 1) multiply_strip<T, 1>(step, row, rest, strip);
    if (rest == 2) multiply_strip<T, 2>(step, row, rest, strip);
    if (rest == 3 || rest == 4) multiply_strip<T, 4>(step, row, rest, strip);
    if (rest > 4) multiply_strip<T, strip_rows>(step, row, rest, strip);
}

template <typename T>
void multiply_packed(const ProductOperands<T>& product, const PackedPanels<T>& b) {
    constexpr Index width = panel_width<T>;
    for (Index begin = 0; begin < product.depth; begin += terms_a_block) {
        const Index terms = std::min(terms_a_block, product.depth - begin);
        const Index chunk = product_loops<T>().panels_at_once(terms) * width;
        const Index end = b.first + b.cols;
        for (Index col = b.first / width * width; col < end; col += chunk) {
            const T* const panels = b.values + begin * b.padded_rows + col * terms;
            multiply_step<T>({product, begin, terms, panels, std::max<Index>(b.first - col, 0),
                              std::min(chunk, end - col), product.c + (col - b.first)});
        }
    }
}

template <typename T>
void multiply_plain(const ProductOperands<T>& product, const PlainRows<T>& b) {
    for (Index begin = 0; begin < product.depth; begin += terms_a_block) {
        const Index terms = std::min(terms_a_block, product.depth - begin);
        const Index chunk = product_loops<T>().panels_at_once(terms) * panel_width<T>;
        for (Index col = 0; col < b.cols; col += chunk) {
            const Index cols = std::min(chunk, b.cols - col);
            pack_block(b.b + col * b.row_step + begin * b.term_step, b.row_step, b.term_step, cols, terms,
                       b.buffer);
            multiply_step<T>({product, begin, terms, b.buffer, 0, cols, product.c + col});
        }
    }
}

template <typename T>
void matrix_vector(const T* a, Index stride, Index rows, const T* x, Index depth, T* y) {
    for (Index i = 0; i < rows; ++i) y[i] = dot(a + i * stride, x, depth);
}

template <class D, typename T>
void add_columns(D d, const T* a, Index stride, Index rows, const T* x, T* y) {
    auto sum = hn::LoadU(d, y);
    for (Index i = 0; i < rows; ++i) sum = hn::MulAdd(hn::Set(d, x[i]), hn::LoadU(d, a + i * stride), sum);
    hn::StoreU(sum, d, y);
}

template <typename T>
void add_vector_matrix(const T* a, Index stride, Index rows, const T* x, Index cols, T* y) {
    constexpr Index at_once = 8;  // rows that are added to y while a vector of it is in a register
    for (Index i = 0; i < rows; i += at_once) {
        const Index some = std::min(at_once, rows - i);
        const T* from = a + i * stride;
        Index k = 0;
        for (; k + lanes<T> <= cols; k += lanes<T>)
            add_columns(Tag<T>(), from + k, stride, some, x + i, y + k);
        for (; k < cols; ++k) add_columns(hn::CappedTag<T, 1>(), from + k, stride, some, x + i, y + k);
    }
}

template <typename T>
constexpr ProductLoops<T> loops{panel_width<T>,      panel_width<T> % strip_rows == 0 ? strip_rows : 0,
                                pack_rows<T>,        multiply_packed<T>,
                                multiply_plain<T>,   matrix_vector<T>,
                                add_vector_matrix<T>};

const ProductLoops<double>* double_loops() {
    return &loops<double>;
}
const ProductLoops<float>* single_loops() {
    return &loops<float>;
}

}  // namespace
}  // namespace dk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dk {

template <>
const ProductLoops<double>& product_loops() {
    static const ProductLoops<double>& chosen_loops = *DK_CHOSEN(double_loops)();
    return chosen_loops;
}

template <>
const ProductLoops<float>& product_loops() {
    static const ProductLoops<float>& chosen_loops = *DK_CHOSEN(single_loops)();
    return chosen_loops;
}

}  // namespace dk
#endif  // HWY_ONCE
