// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "abi/guard.hpp"
#include "abi/similarity_callbacks.hpp"
#include "base/rows.hpp"
#include "data/reading/read_file.hpp"
#include "matrix/matrix.hpp"

using namespace dk;
using namespace dk::abi;

namespace {

void require_shape(std::int64_t rows, std::int64_t cols) {
    if (rows < 1 || cols < 1 || rows > largest_size / cols) {
        fail(Status::invalid_argument, "rows and cols are ", rows, " and ", cols,
             "; both must be at least 1 and their product at most 2^40");
    }
}

void require_layout(std::int64_t rows, std::int64_t cols, std::int64_t ld, dk_layout layout) {
    if (layout != DK_ROW_MAJOR && layout != DK_COL_MAJOR) {
        fail(Status::invalid_argument, "layout is ", layout,
             "; allowed is DK_ROW_MAJOR (0) or DK_COL_MAJOR (1)");
    }
    const auto [lines, least] = layout == DK_ROW_MAJOR ? std::pair(rows, cols) : std::pair(cols, rows);
    if (ld < least || ld > largest_size / lines) {
        const bool row_major = layout == DK_ROW_MAJOR;
        fail(Status::invalid_argument, "ld is ", ld, "; it must be at least ", least, ", the number of ",
             row_major ? "columns" : "rows", " in this layout, and times the ", lines,
             row_major ? " rows" : " columns", " at most 2^40");
    }
}

/// Copies a matrix of either layout to rows that follow one another without gaps.
template <typename T>
void copy_matrix(const T* x, std::int64_t rows, std::int64_t cols, std::int64_t ld, dk_layout layout,
                 double* out) {
    auto copy = view(out, rows, cols);
    if (layout == DK_ROW_MAJOR) {
        copy = view(x, rows, cols, ld).template cast<double>();
    } else {
        copy = view(x, cols, rows, ld).transpose().template cast<double>();
    }
}

template <typename T>
DenseMatrix copied_matrix(const T* x, std::int64_t rows, std::int64_t cols, std::int64_t ld,
                          dk_layout layout) {
    require_shape(rows, cols);
    require_layout(rows, cols, ld, layout);
    required(x, "x");
    DenseMatrix matrix{rows, cols};
    matrix.values.resize(rows * cols);
    copy_matrix(x, rows, cols, ld, layout, matrix.values.data());
    return matrix;
}

template <typename T>
dk_status create_dense(dk_data** out, const T* x, int64_t rows, int64_t cols, int64_t ld, dk_layout layout,
                       bool may_miss = false) {
    return guarded_create(out, [&] {
        DenseMatrix matrix = copied_matrix(x, rows, cols, ld, layout);
        matrix.may_miss = may_miss;
        Dataset::Features features(std::move(matrix));
        require_finite(features);
        return Dataset(std::move(features));
    });
}

SparseMatrix checked_csr(std::span<const std::int64_t> offsets, std::span<const std::int64_t> columns,
                         std::span<const double> values, std::int64_t rows, std::int64_t cols) {
    const std::int64_t entries = std::ssize(columns);
    if (offsets.front() != 0 || offsets.back() != entries) {
        fail(Status::invalid_data, "row_offsets go from ", offsets.front(), " to ", offsets.back(),
             "; they must go from 0 to entries, ", entries);
    }
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
        if (offsets[i] > offsets[i + 1] || offsets[i + 1] > entries) {
            fail(Status::invalid_data, "row_offsets fall from ", offsets[i], " to ", offsets[i + 1],
                 " at row ", i);
        }
        for (auto e = offsets[i]; e < offsets[i + 1]; ++e) {
            const auto column = columns[e];
            const bool increases = e == offsets[i] || columns[e - 1] < column;
            if (column < 0 || column >= cols || !increases) {
                fail(Status::invalid_data, "column ", column, " of row ", i,
                     increases ? text(" is outside 0 to ", cols - 1)
                               : std::string(" does not increase within the row"));
            }
        }
    }
    return {rows,
            cols,
            {offsets.begin(), offsets.end()},
            {columns.begin(), columns.end()},
            {values.begin(), values.end()}};
}

struct GramInput {
    const double* x;
    std::int64_t matrices;
    std::int64_t rows;
    std::int64_t cols;
    std::int64_t ld;
    dk_layout layout;
    std::int64_t stride;
    const double* self;
};

GramMatrices copied_gram(const GramInput& in) {
    GramMatrices gram{in.matrices, in.rows, in.cols};
    if (in.self != nullptr) gram.self.assign(in.self, in.self + in.matrices * in.rows);
    gram.values.resize(in.matrices * in.rows * in.cols);
    for (std::int64_t q = 0; q < in.matrices; ++q) {
        const auto matrix = row_of(gram.values, in.rows * in.cols, q);
        copy_matrix(in.x + q * in.stride, in.rows, in.cols, in.ld, in.layout, matrix.data());
    }
    if (in.self == nullptr && gram.is_symmetric()) gram.take_diagonals();
    return gram;
}

Dataset data_from_file(const char* path, const char* options, const EarlierFile& earlier,
                       dk_control* control) {
    const std::string name(required_text(path, "path"));
    Call call(control, "reading");
    Dataset data = read_file(name, options == nullptr ? "" : options, earlier, call.control());
    call.finish();
    return data;
}

}  // namespace

dk_status dk_data_from_dense(dk_data** out, const double* x, int64_t rows, int64_t cols, int64_t ld,
                             dk_layout layout) {
    return create_dense(out, x, rows, cols, ld, layout);
}

dk_status dk_data_from_dense_f32(dk_data** out, const float* x, int64_t rows, int64_t cols, int64_t ld,
                                 dk_layout layout) {
    return create_dense(out, x, rows, cols, ld, layout);
}

dk_status dk_data_from_dense_missing(dk_data** out, const double* x, int64_t rows, int64_t cols, int64_t ld,
                                     dk_layout layout) {
    return create_dense(out, x, rows, cols, ld, layout, true);
}

dk_status dk_data_from_point_similarity(dk_data** out, const double* x, int64_t rows, int64_t cols,
                                        int64_t ld, dk_layout layout, dk_point_similarity_callback callback,
                                        void* user, int32_t concurrent) {
    return guarded_create(out, [&] {
        DenseMatrix matrix = copied_matrix(x, rows, cols, ld, layout);
        matrix.similarity = std::make_shared<const PointSimilarity>(
            PointSimilarity{point_similarity_of(callback, user), required_concurrent(concurrent)});
        Dataset::Features features(std::move(matrix));
        require_finite(features);
        return Dataset(std::move(features));
    });
}

dk_status dk_data_from_csr(dk_data** out, const int64_t* row_offsets, const int64_t* columns,
                           const double* values, int64_t rows, int64_t cols, int64_t entries) {
    return guarded_create(out, [&] {
        require_shape(rows, cols);
        if (entries < 0 || entries > largest_size) {
            fail(Status::invalid_argument, "entries is ", entries, "; it must be 0 to 2^40");
        }
        Dataset::Features features(checked_csr(required_array(row_offsets, "row_offsets", rows + 1, rows + 1),
                                               required_array(columns, "columns", entries, entries),
                                               required_array(values, "values", entries, entries), rows,
                                               cols));
        require_finite(features);
        return Dataset(std::move(features));
    });
}

dk_status dk_data_from_gram(dk_data** out, const double* x, int64_t matrices, int64_t rows, int64_t cols,
                            int64_t ld, dk_layout layout, int64_t matrix_stride, const double* self) {
    return guarded_create(out, [&] {
        require_shape(rows, cols);
        require_layout(rows, cols, ld, layout);
        required(x, "x");
        if (matrices < 1 || matrices > largest_size / rows / cols) {
            fail(Status::invalid_argument, "matrices is ", matrices,
                 "; it must be at least 1 and all values at most 2^40");
        }
        const auto extent =
            (layout == DK_ROW_MAJOR ? rows - 1 : cols - 1) * ld + (layout == DK_ROW_MAJOR ? cols : rows);
        if (matrices > 1 && (matrix_stride < extent || matrix_stride > largest_size / matrices)) {
            fail(Status::invalid_argument, "matrix_stride is ", matrix_stride, "; it must be at least ",
                 extent, ", the extent of one matrix, and all matrices within 2^40 elements");
        }
        Dataset::Features features(copied_gram({x, matrices, rows, cols, ld, layout, matrix_stride, self}));
        require_finite(features);
        return Dataset(std::move(features));
    });
}

dk_status dk_data_from_file(dk_data** out, const char* path, const char* options, dk_control* control) {
    return guarded_create(out, [&] { return data_from_file(path, options, {}, control); });
}

dk_status dk_data_from_file_like(dk_data** out, const char* path, const char* options, const dk_model* model,
                                 dk_control* control) {
    return guarded_create(out, [&] {
        return data_from_file(path, options, training_file(required(model, "model").value), control);
    });
}
