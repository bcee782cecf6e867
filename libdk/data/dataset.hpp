// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/select.hpp"
#include "base/types.hpp"
#include "data/structures.hpp"

namespace dk {

/// Row-major, without gaps.
struct DenseMatrix {
    Index rows = 0;
    Index cols = 0;
    std::vector<double> values = {};
    bool may_miss = false;  // whether a NaN may stand for a missing value

    std::span<const double> row(Index i) const {
        return {values.data() + i * cols, static_cast<std::size_t>(cols)};
    }
};

/// Compressed sparse rows with strictly increasing columns.
struct SparseMatrix {
    Index rows = 0;
    Index cols = 0;
    std::vector<Index> row_offsets = {};
    std::vector<Index> columns = {};
    std::vector<double> values = {};
};

/// Precomputed similarities to training rows. Rows that were selected share the matrices they came
/// from. As the right-hand side of a kernel only `row_ids` matter: they are the training columns.
struct GramMatrices {
    /// Writes the similarities of some source rows with some training rows, row-major without gaps.
    using Compute =
        std::function<void(std::span<const Index> rows, std::span<const Index> training_rows, double* out)>;

    Index matrices = 0;
    Index cols = 0;                                       // number of training rows
    std::shared_ptr<const std::vector<double>> values{};  // matrices x source_rows x cols; may be null
    Index source_rows = 0;
    std::vector<Index> row_ids = {};     // row i is training row row_ids[i], where it is one
    std::vector<double> self = {};       // matrices x rows, similarity of each row to itself; may be empty
    std::vector<Index> source_ids = {};  // row i is row source_ids[i] of the source; empty: row_ids[i]
    std::shared_ptr<const Compute> compute = {};  // in place of values, for one matrix
    bool concurrent = false;                      // whether any thread may call it

    Index rows() const { return std::ssize(row_ids); }
    Index source_row(Index row) const { return source_ids.empty() ? row_ids[row] : source_ids[row]; }
    double value(Index matrix, Index row, Index col) const {
        return (*values)[(matrix * source_rows + source_row(row)) * cols + col];
    }
    double self_similarity(Index matrix, Index row) const { return self[matrix * rows() + row]; }
};

/// The class of each row as a position in an ascending table of classes.
struct Labels {
    std::vector<Index> of_rows = {};
    std::vector<std::int64_t> values = {};  // the classes as integers; 0, 1, ... where they have names
    std::vector<std::string> names = {};    // empty where the classes are integers

    Index classes() const { return std::ssize(values); }
    std::string class_name(Index position) const;
};

Labels labels_from_integers(std::span<const std::int64_t> labels);
Labels labels_from_names(std::span<const std::string> labels);

enum class DataKind : int { dense = 0, sparse = 1, gram = 2, series = 3, strings = 4, graphs = 5 };
inline constexpr std::array all_data_kinds{DataKind::dense,  DataKind::sparse,  DataKind::gram,
                                           DataKind::series, DataKind::strings, DataKind::graphs};
std::string_view name_of(DataKind kind);

/// Samples with what is known of each: class, target, weight. Copies share the features, which never change.
class Dataset {
  public:
    using Features = std::variant<DenseMatrix, SparseMatrix, GramMatrices, SeriesSet, StringSet, GraphSet>;

    explicit Dataset(Features features) : features_(std::make_shared<const Features>(std::move(features))) {}

    Index rows() const;
    /// Features, similarities or channels; 1 of strings and graphs.
    Index cols() const;
    /// Of the features, in memory; similarities are shared and count as nothing.
    double feature_bytes() const;
    DataKind kind() const { return static_cast<DataKind>(features_->index()); }

    const Features& features() const { return *features_; }
    const DenseMatrix& dense() const { return std::get<DenseMatrix>(*features_); }
    const SparseMatrix& sparse() const { return std::get<SparseMatrix>(*features_); }
    const GramMatrices& gram() const { return std::get<GramMatrices>(*features_); }
    const SeriesSet& series() const { return std::get<SeriesSet>(*features_); }
    const StringSet& strings() const { return std::get<StringSet>(*features_); }
    const GraphSet& graphs() const { return std::get<GraphSet>(*features_); }

    std::optional<Labels> labels;
    std::vector<double> targets;         // empty: none
    std::vector<double> sample_weights;  // empty: all 1
    std::vector<std::string> feature_names;

    std::string feature_name(Index column) const;

    /// The same labels, targets, weights and names with other features of as many rows.
    Dataset with_features(Features features) const;
    /// The rows named, in that order, with all that is known of them. Feature names stay.
    Dataset select(std::span<const Index> rows) const;

  private:
    std::shared_ptr<const Features> features_;
};

/// The rows alone, without labels, targets, weights and names.
Dataset features_only(const Dataset& data);

/// The rows as the right-hand side of kernels: features only; of similarities only the rows' positions.
Dataset reference_rows(const Dataset& data);

/// The same similarities, each matrix the mean of itself and its transpose.
Dataset symmetrised(const Dataset& data);

/// Throws Error(invalid_data) naming row and column of the first NaN or infinity.
void require_finite(const Dataset::Features& features);

/// The targets, or integer labels as such; throws Error(invalid_data) when the data have neither.
std::vector<double> targets_of(const Dataset& data);

/// Throws Error(invalid_data) naming row and column of the first missing value.
void require_complete(const Dataset& data);

/// Throws Error(invalid_data) unless the similarities are square and symmetric to 1e-9 of the
/// largest, as training needs them.
void require_symmetric(const GramMatrices& gram);

}  // namespace dk
