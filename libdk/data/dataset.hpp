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

#include "base/assignments.hpp"
#include "base/memory.hpp"
#include "base/rows.hpp"
#include "base/select.hpp"
#include "base/types.hpp"
#include "data/structures.hpp"

namespace dk {

/// The similarity of rows to any points, which the user computes when asked.
struct PointSimilarity {
    /// Writes the similarities of some of the user's rows to points, rows x points without gaps. The points
    /// are `count` rows of coordinates that follow one another.
    using Compute = std::function<void(std::span<const Index> rows, std::span<const double> points,
                                       Index count, double* out)>;

    Compute compute;
    bool concurrent = false;  // Several threads may call `compute` at once if this is true.
};

/// A matrix of features whose rows follow one another without gaps.
struct DenseMatrix {
    Index rows = 0;
    Index cols = 0;
    std::vector<double> values = {};
    bool may_miss = false;  // A NaN stands for a missing value where this is true, and is refused elsewhere.
    // Row i is the user's row similarity_rows[i] for this similarity, which is null where there is none.
    // Only a selection of rows keeps it: of rows that are scaled or made anew the user knows nothing.
    std::shared_ptr<const PointSimilarity> similarity = {};
    std::vector<Index> similarity_rows = {};

    std::span<double> row(Index i) { return row_of(values, cols, i); }
    std::span<const double> row(Index i) const { return row_of(values, cols, i); }
};

/// A matrix of features in compressed sparse rows: row i has the elements row_offsets[i] to
/// row_offsets[i + 1] - 1 of `columns` and `values`, and the columns of a row strictly increase.
struct SparseMatrix {
    Index rows = 0;
    Index cols = 0;
    std::vector<Index> row_offsets = {};
    std::vector<Index> columns = {};
    std::vector<double> values = {};
};

/// Similarities of rows to training rows, which the user computed beforehand or computes on demand. A
/// selection of rows shares the stored matrices with the set that it was taken from, the source. The
/// right-hand side of a kernel reads `row_ids` only, since its rows are the training columns.
struct GramMatrices {
    /// Writes the similarities of some rows of the source to some training rows, row by row without gaps.
    using Compute =
        std::function<void(std::span<const Index> rows, std::span<const Index> training_rows, double* out)>;

    Index matrices = 0;
    Index cols = 0;  // This is the number of training rows.
    // The stored matrices follow one another, each source_rows x cols; null where nothing is stored.
    std::shared_ptr<const std::vector<double>> values{};
    Index source_rows = 0;
    std::vector<Index> row_ids = {};     // Row i is training row row_ids[i], where it is a training row.
    std::vector<double> self = {};       // matrices x rows similarities of rows to themselves; may be empty.
    std::vector<Index> source_ids = {};  // Row i is row source_ids[i] of the source; if empty, row_ids[i].
    std::shared_ptr<const Compute> compute = {};  // This replaces `values` and gives one matrix.
    bool concurrent = false;  // Several threads may call `compute` at once if this is true.

    Index rows() const { return std::ssize(row_ids); }
    Index source_row(Index row) const { return source_ids.empty() ? row_ids[row] : source_ids[row]; }
    /// Gives the stored similarities of a row to all training rows.
    std::span<const double> row_values(Index matrix, Index row) const {
        return row_of(*values, cols, matrix * source_rows + source_row(row));
    }
    double value(Index matrix, Index row, Index col) const { return row_values(matrix, row)[col]; }
    double self_similarity(Index matrix, Index row) const { return row_of(self, rows(), matrix)[row]; }
};

/// The classes of rows. A class is known by its position in the table of all classes, which ascends.
struct Labels {
    std::vector<Index> of_rows = {};        // Row i belongs to the class at position of_rows[i].
    std::vector<std::int64_t> values = {};  // The classes as integers are 0, 1, ... if they have names.
    std::vector<std::string> names = {};    // This is empty if the classes are integers.

    Index classes() const { return std::ssize(values); }
    std::string class_name(Index position) const;
};

/// Makes classes of integers. Where some are beyond 2^53, their digits become names: predictions are doubles,
/// and two labels could be the same one there.
Labels labels_from_integers(std::span<const std::int64_t> labels);
/// Gives the classes as integers: those that they were made of, even beyond 2^53, or the positions of names.
std::vector<std::int64_t> integers_of(const Labels& labels);
Labels labels_from_names(std::span<const std::string_view> labels);

enum class DataKind : int { dense = 0, sparse = 1, gram = 2, series = 3, strings = 4, graphs = 5 };
inline constexpr std::array all_data_kinds{DataKind::dense,  DataKind::sparse,  DataKind::gram,
                                           DataKind::series, DataKind::strings, DataKind::graphs};
std::string_view name_of(DataKind kind);

class PairMemory;  // kernel/pair_memory.hpp

/// Says which rows of a training these are. Only a selection of rows keeps it.
struct TrainingOrigin {
    std::weak_ptr<PairMemory> memory = {};  // what the training knows of its rows' pairs, while it goes on
    std::vector<Index> positions = {};      // Row i is training row positions[i]; if empty, training row i.

    Index position(Index row) const { return positions.empty() ? row : positions[row]; }
    TrainingOrigin select(std::span<const Index> rows) const;
};

class Dataset;

/// Asks the memory for the vectors of a number a column that methods keep beside sparse rows. Their columns
/// may be many more than their entries, so that a small dataset could take all memory.
void require_memory_for_columns(const Dataset& data, const MemoryBudget& memory);

/// Rows of features with what is known of each row: its class, target, weight and group. Copies of a dataset
/// share the features, which never change.
class Dataset {
  public:
    using Features = std::variant<DenseMatrix, SparseMatrix, GramMatrices, SeriesSet, StringSet, GraphSet>;

    explicit Dataset(Features features) : features_(std::make_shared<const Features>(std::move(features))) {}

    Index rows() const;
    /// Gives the number of features, training rows or channels of a row, and 1 for strings and graphs.
    Index cols() const;
    /// Gives the memory that the features take. Similarities count as nothing, because copies share them.
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
    std::vector<double> targets;         // This is empty where the rows have no targets.
    std::vector<double> sample_weights;  // This is empty where every row has weight 1.
    std::vector<std::int64_t> groups;    // Folds divide no group. This is empty where rows have no groups.
    std::vector<std::string> feature_names;
    Assignments reading;  // These are the options with which a file of the data was read.
    std::shared_ptr<const TrainingOrigin> origin;  // This is null where no training knows the rows.

    std::string feature_name(Index column) const;

    /// Replaces the features by others with as many rows, and keeps all that is known of them.
    Dataset with_features(Features features) const;
    /// Copies the given rows in the given order, with all that is known of them. Feature names stay.
    Dataset select(std::span<const Index> rows) const;

  private:
    std::shared_ptr<const Features> features_;
};

/// Drops the labels, targets, weights, groups and names of the rows.
Dataset features_only(const Dataset& data);

/// Keeps what the right-hand side of a kernel reads: the features, or of similarities the rows' positions.
/// What the user computes is not among them.
Dataset reference_rows(const Dataset& data);

/// Writes out the zeros of sparse rows, for methods that read the coordinates of rows. The memory must have
/// room for so many copies of them. Other rows stay as they are.
Dataset with_dense_rows(const Dataset& data, double copies, const MemoryBudget& memory);

/// Leaves out the zeros of dense rows. Other rows stay as they are.
Dataset with_sparse_rows(const Dataset& data);

/// Tells whether the user computes similarities of these rows, and must not be asked by several threads.
bool only_the_calling_thread(const Dataset& data);

/// Replaces each matrix of similarities by the mean of itself and its transpose.
Dataset symmetrised(const Dataset& data);

/// Throws Error(invalid_data) that names row and column of the first NaN or infinity.
void require_finite(const Dataset::Features& features);

/// Gives the targets, or integer labels as targets; throws Error(invalid_data) when the data have neither.
std::vector<double> targets_of(const Dataset& data);

/// Throws Error(invalid_data) that names row and column of the first missing value.
void require_complete(const Dataset& data);

/// Throws Error(invalid_data) unless the matrices are square and symmetric to 1e-9 of their largest element,
/// as training needs them.
void require_symmetric(const GramMatrices& gram);

}  // namespace dk
