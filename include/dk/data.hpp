// SPDX-License-Identifier: Apache-2.0
#ifndef DK_DATA_HPP
#define DK_DATA_HPP

#include <dk/control.hpp>
#include <limits>
#include <span>

namespace libdk {

/// A matrix of numbers that somebody else has. Rows are one after the other, or columns where `layout` says
/// so, and `ld` elements apart; 0 stands for no gap.
template <typename Number>
struct MatrixView {
    const Number* values = nullptr;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t ld = 0;
    dk_layout layout = DK_ROW_MAJOR;

    MatrixView(std::span<const Number> all, std::int64_t row_count, std::int64_t col_count,
               dk_layout order = DK_ROW_MAJOR)
        : values(all.data()), rows(row_count), cols(col_count), layout(order) {
        const auto size = static_cast<std::int64_t>(all.size());
        if (row_count < 1 || col_count < 1 || size % row_count != 0 || size / row_count != col_count)
            throw Error(Status::invalid_argument, std::to_string(size) + " values are no matrix of " +
                                                      std::to_string(row_count) + " x " +
                                                      std::to_string(col_count));
    }
    /// Part of a larger matrix, whose rows or columns are `stride` elements apart.
    MatrixView(std::span<const Number> all, std::int64_t row_count, std::int64_t col_count,
               std::int64_t stride, dk_layout order)
        : values(all.data()), rows(row_count), cols(col_count), layout(order) {
        const std::int64_t lines = order == DK_ROW_MAJOR ? rows : cols;
        const std::int64_t line = order == DK_ROW_MAJOR ? cols : rows;
        ld = stride != 0 ? stride : line;
        const auto size = static_cast<std::int64_t>(all.size());
        if (lines > 0 && line > 0 && ld >= line && (size < line || (size - line) / ld < lines - 1))
            throw Error(Status::invalid_argument,
                        std::to_string(size) + " values are too few for a matrix of " +
                            std::to_string(row_count) + " x " + std::to_string(col_count) + ", " +
                            std::to_string(ld) + " apart");
    }
    MatrixView(const Number* first, std::int64_t row_count, std::int64_t col_count, std::int64_t stride,
               dk_layout order)
        : values(first), rows(row_count), cols(col_count), ld(stride), layout(order) {}

    std::int64_t stride() const {
        if (ld != 0) return ld;
        return layout == DK_ROW_MAJOR ? cols : rows;
    }
};

/// A matrix of numbers, row after row.
struct Matrix {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::vector<double> values = {};

    double operator()(std::int64_t row, std::int64_t col) const {
        return values[static_cast<std::size_t>(row * cols + col)];
    }
    std::span<const double> row(std::int64_t index) const {
        return std::span(values).subspan(static_cast<std::size_t>(index * cols),
                                         static_cast<std::size_t>(cols));
    }
};

/// What rows are.
enum class Kind : std::int32_t {
    dense = DK_KIND_DENSE,
    sparse = DK_KIND_SPARSE,
    gram = DK_KIND_GRAM,
    series = DK_KIND_SERIES,
    strings = DK_KIND_STRINGS,
    graphs = DK_KIND_GRAPHS
};

/// Similarities that the caller computes when they are asked for: writes that of each of some rows with each
/// of some training rows, rows x training rows. See dk_data_from_similarity.
using Similarity = std::function<void(std::span<double> out, std::span<const std::int64_t> rows,
                                      std::span<const std::int64_t> training_rows)>;

/// Similarities of rows to points of `cols` coordinates, rows x points. See dk_data_from_point_similarity.
using PointSimilarity = std::function<void(std::span<double> out, std::span<const double> points,
                                           std::int64_t cols, std::span<const std::int64_t> rows)>;

/// A dataset: rows of features with what is known of each. What it is made of is copied. Copies of a Data are
/// the same dataset, which any number of threads may read at once, and one may change by the set_ members.
/// Members that give arrays come twice: they give a vector or matrix, or fill the caller's span, whose size
/// has to be that of the result. Since 0.1.
class Data {
  public:
    /// Rows of numbers. NaN and infinity are refused with their row and column.
    static Data dense(const MatrixView<double>& x) {
        return make(dk_data_from_dense, x.values, x.rows, x.cols, x.stride(), x.layout);
    }
    static Data dense(const MatrixView<float>& x) {
        return make(dk_data_from_dense_f32, x.values, x.rows, x.cols, x.stride(), x.layout);
    }
    /// NaN stands for a missing value, which the parameter impute fills.
    static Data dense_with_missing(const MatrixView<double>& x) {
        return make(dk_data_from_dense_missing, x.values, x.rows, x.cols, x.stride(), x.layout);
    }
    /// Compressed sparse rows; columns ascend along a row. `row_offsets` has an element more than there are
    /// rows.
    static Data sparse(std::span<const std::int64_t> row_offsets, std::span<const std::int64_t> columns,
                       std::span<const double> values, std::int64_t cols) {
        require(!row_offsets.empty() && columns.size() == values.size(),
                "row offsets are missing, or there are not as many columns as values");
        return make(dk_data_from_csr, row_offsets.data(), columns.data(), values.data(),
                    length_of(row_offsets) - 1, cols, length_of(values));
    }
    /// Similarities: `matrices` matrices of rows x training rows, one after the other. `self` has those of
    /// each row to itself, matrices x rows, or is empty.
    static Data gram(std::span<const double> x, std::int64_t matrices, std::int64_t rows, std::int64_t cols,
                     std::span<const double> self = {}, dk_layout layout = DK_ROW_MAJOR) {
        require(matrices >= 1 && rows >= 1 && cols >= 1 && length_of(x) % matrices == 0 &&
                    length_of(x) / matrices % rows == 0 && length_of(x) / matrices / rows == cols,
                "values of similarities are not as many as matrices x rows x columns");
        require(self.empty() || length_of(self) == matrices * rows,
                "self has to have matrices x rows values");
        return make(dk_data_from_gram, x.data(), matrices, rows, cols, layout == DK_ROW_MAJOR ? cols : rows,
                    layout, rows * cols, self.empty() ? nullptr : self.data());
    }
    /// Similarities on demand. The function lives as long as the dataset, its copies and selections. What it
    /// throws ends the call of libdk with Status::callback. Several threads may call it at once where it is
    /// `concurrent`.
    static Data similarity(std::int64_t rows, std::int64_t training_rows, Similarity function,
                           std::span<const double> self = {}, bool concurrent = false) {
        require(self.empty() || length_of(self) == rows, "self has to have a value for each row");
        auto kept = std::make_shared<Similarity>(std::move(function));
        Data data = make(dk_data_from_similarity, rows, training_rows, &ask, static_cast<void*>(kept.get()),
                         self.empty() ? nullptr : self.data(), std::int32_t{concurrent});
        data.callback_ = std::move(kept);
        return data;
    }
    /// Rows with a similarity to any points. The function lives and throws as that of similarity() does.
    static Data point_similarity(const MatrixView<double>& x, PointSimilarity function,
                                 bool concurrent = false) {
        auto kept = std::make_shared<PointSimilarity>(std::move(function));
        Data data = make(dk_data_from_point_similarity, x.values, x.rows, x.cols, x.stride(), x.layout,
                         &ask_points, static_cast<void*>(kept.get()), std::int32_t{concurrent});
        data.callback_ = std::move(kept);
        return data;
    }
    /// Time series: lengths[i] steps of `channels` values, all one after the other.
    static Data series(std::span<const double> values, std::span<const std::int64_t> lengths,
                       std::int64_t channels) {
        require(channels >= 1 && length_of(values) % channels == 0 &&
                    length_of(values) / channels == sum_of(lengths),
                "values of series are not as many as their steps x channels");
        return make(dk_data_from_series, values.data(), lengths.data(), length_of(lengths), channels);
    }
    /// Strings in UTF-8, which may be empty.
    static Data strings(const std::vector<std::string>& texts) {
        return make(dk_data_from_strings, detail::pointers_of(texts).data(),
                    static_cast<std::int64_t>(texts.size()));
    }
    /// Undirected graphs: labels of nodes and pairs of nodes, all graphs one after the other. Without labels
    /// all are 0.
    static Data graphs(std::span<const std::int64_t> node_counts, std::span<const std::int64_t> node_labels,
                       std::span<const std::int64_t> edge_counts, std::span<const std::int64_t> edges) {
        require(node_counts.size() == edge_counts.size(),
                "each graph has a number of nodes and one of edges");
        require(node_labels.empty() || length_of(node_labels) == sum_of(node_counts),
                "each node has a label");
        require(length_of(edges) % 2 == 0 && length_of(edges) / 2 == sum_of(edge_counts),
                "each edge has two nodes");
        return make(dk_data_from_graphs, node_counts.data(),
                    node_labels.empty() ? nullptr : node_labels.data(), edge_counts.data(),
                    edges.empty() ? nullptr : edges.data(), length_of(node_counts));
    }
    /// Reads a file; dk_data_from_file has the options.
    static Data file(const std::string& path, const std::string& options = {}, const Control& control = {}) {
        dk_data* made = nullptr;
        control.run(dk_data_from_file, &made, detail::text_for_c(path), detail::text_for_c(options));
        return Data(made);
    }

    /// A table of the Arrow C data interface, or the tables of its stream, which are taken and released;
    /// dk_data_from_arrow has the options.
    static Data arrow(ArrowSchema* schema, ArrowArray* array, const std::string& options = {},
                      const Control& control = {}) {
        dk_data* made = nullptr;
        control.run(dk_data_from_arrow, &made, schema, array, detail::text_for_c(options), nullptr);
        return Data(made);
    }
    static Data arrow(ArrowArrayStream* stream, const std::string& options = {},
                      const Control& control = {}) {
        dk_data* made = nullptr;
        control.run(dk_data_from_arrow_stream, &made, stream, detail::text_for_c(options), nullptr);
        return Data(made);
    }

    /// Integer labels, label names, targets, weights or groups, one for each row; names, one for each column.
    Data& set_labels(std::span<const std::int64_t> labels) { return set(dk_data_set_labels, labels); }
    /// Several labels a row, as compressed rows of positions in `names` (dk_data_set_label_sets).
    Data& set_label_sets(std::span<const std::int64_t> row_offsets, std::span<const std::int64_t> labels,
                         const std::vector<std::string>& names) {
        const auto pointers = detail::pointers_of(names);
        detail::check(dk_data_set_label_sets(handle_.get(), row_offsets.data(), length_of(row_offsets),
                                             labels.empty() ? nullptr : labels.data(), length_of(labels),
                                             pointers.data(), static_cast<std::int64_t>(pointers.size())));
        return *this;
    }
    Data& set_label_names(const std::vector<std::string>& labels) {
        return set(dk_data_set_label_names, std::span<const char* const>(detail::pointers_of(labels)));
    }
    Data& set_targets(std::span<const double> targets) { return set(dk_data_set_targets, targets); }
    Data& set_sample_weights(std::span<const double> weights) {
        return set(dk_data_set_sample_weights, weights);
    }
    Data& set_groups(std::span<const std::int64_t> groups) { return set(dk_data_set_groups, groups); }
    Data& set_feature_names(const std::vector<std::string>& names) {
        return set(dk_data_set_feature_names, std::span<const char* const>(detail::pointers_of(names)));
    }

    /// Names of the rows, by which explanations and pages call them.
    Data& set_row_names(const std::vector<std::string>& names) {
        return set(dk_data_set_row_names, std::span<const char* const>(detail::pointers_of(names)));
    }

    std::int64_t rows() const { return dk_data_rows(handle()); }
    std::int64_t cols() const { return dk_data_cols(handle()); }
    Kind kind() const { return static_cast<Kind>(dk_data_kind(handle())); }
    /// The class of each row as Model::predict() would give it.
    void labels(std::span<std::int64_t> out) const { detail::fill(out, dk_data_labels, handle()); }
    std::vector<std::int64_t> labels() const {
        return detail::vector_of<std::int64_t>(rows(), dk_data_labels, handle());
    }
    /// The features of dense rows.
    void values(std::span<double> out) const { detail::fill(out, dk_data_values, handle()); }
    Matrix values() const {
        return {rows(), cols(), detail::vector_of<double>(rows() * cols(), dk_data_values, handle())};
    }
    std::string feature_name(std::int64_t column) const {
        return detail::text_of(dk_data_feature_name, handle(), column);
    }
    /// The name of a row, empty where rows have none.
    std::string row_name(std::int64_t row) const { return detail::text_of(dk_data_row_name, handle(), row); }
    /// What the data are and what looks wrong with them, as JSON (dk_data_describe).
    std::string describe(const Control& control = {}) const {
        return control.long_text(dk_data_describe, handle());
    }
    /// These rows with all that is known of them, in this order; rows may stand again.
    Data select(std::span<const std::int64_t> chosen) const {
        dk_data* made = nullptr;
        detail::check(dk_data_select(&made, handle(), chosen.data(), length_of(chosen)));
        Data data(made);
        data.callback_ = callback_;
        return data;
    }
    /// A stratified split, group by group where there are groups: the fold of each row.
    void folds(std::span<std::int64_t> out, std::int64_t count, std::uint64_t seed = 1) const {
        detail::fill(out, dk_data_folds, handle(), count, seed);
    }
    std::vector<std::int64_t> folds(std::int64_t count, std::uint64_t seed = 1) const {
        return detail::vector_of<std::int64_t>(rows(), dk_data_folds, handle(), count, seed);
    }

    /// The handle of dk.h, which stays this object's.
    const dk_data* handle() const { return handle_.get(); }
    /// Takes a handle of dk.h, which it will free.
    explicit Data(dk_data* handle) : handle_(handle, dk_data_free) {}

  private:
    template <typename Function, typename... Arguments>
    static Data make(Function function, Arguments... arguments) {
        dk_data* made = nullptr;
        detail::check(function(&made, arguments...));
        return Data(made);
    }
    template <typename Function, typename Element>
    Data& set(Function function, std::span<const Element> values) {
        detail::check(function(handle_.get(), values.data(), length_of(values)));
        return *this;
    }
    static void require(bool holds, const char* message) {
        if (!holds) throw Error(Status::invalid_argument, message);
    }
    template <typename Element>
    static std::int64_t length_of(std::span<const Element> values) {
        return static_cast<std::int64_t>(values.size());
    }
    /// The sum of numbers of steps, nodes or edges, and -1 where it is more than any array has.
    static std::int64_t sum_of(std::span<const std::int64_t> counts) {
        std::int64_t sum = 0;
        for (const std::int64_t count : counts) {
            if (count < 0 || count > std::numeric_limits<std::int64_t>::max() - sum) return -1;
            sum += count;
        }
        return sum;
    }
    static std::size_t size_of(std::int64_t count) { return static_cast<std::size_t>(count); }

    static std::int32_t ask(double* out, const std::int64_t* rows, std::int64_t row_count,
                            const std::int64_t* training_rows, std::int64_t training_count,
                            void* user) noexcept {
        try {
            (*static_cast<Similarity*>(user))({out, size_of(row_count * training_count)},
                                              {rows, size_of(row_count)},
                                              {training_rows, size_of(training_count)});
            return 0;
        } catch (...) {
            return 1;
        }
    }
    static std::int32_t ask_points(double* out, const double* z, std::int64_t count, std::int64_t cols,
                                   const std::int64_t* rows, std::int64_t row_count, void* user) noexcept {
        try {
            (*static_cast<PointSimilarity*>(user))({out, size_of(row_count * count)},
                                                   {z, size_of(count * cols)}, cols,
                                                   {rows, size_of(row_count)});
            return 0;
        } catch (...) {
            return 1;
        }
    }

    std::shared_ptr<void> callback_;  // It is freed after the dataset that asks it.
    std::shared_ptr<dk_data> handle_;
};

}  // namespace libdk

#endif  // DK_DATA_HPP
