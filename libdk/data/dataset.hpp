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
#include <utility>
#include <variant>
#include <vector>

#include "base/memory.hpp"
#include "base/rows.hpp"
#include "base/scanning/assignments.hpp"
#include "base/select.hpp"
#include "base/types.hpp"
#include "data/kind/dense_matrix.hpp"
#include "data/kind/gram_matrices.hpp"
#include "data/kind/graph_set.hpp"
#include "data/kind/series_set.hpp"
#include "data/kind/sparse_matrix.hpp"
#include "data/kind/string_set.hpp"
#include "data/label_sets.hpp"
#include "data/labels.hpp"
#include "data/row_identity.hpp"

namespace dk {

enum class DataKind : int { dense = 0, sparse = 1, gram = 2, series = 3, strings = 4, graphs = 5 };
inline constexpr std::array all_data_kinds{DataKind::dense,  DataKind::sparse,  DataKind::gram,
                                           DataKind::series, DataKind::strings, DataKind::graphs};
std::string_view name_of(DataKind kind);

class Dataset;

/// Asks the memory for the vectors of a number a column that methods keep beside sparse rows. Their columns
/// may be many more than their entries, so that a small dataset could take all memory.
void require_memory_for_columns(const Dataset& data, const MemoryBudget& memory);

/// Rows of features with what is known of each row: its class, target, weight and group. Copies of a dataset
/// share the features, which never change. Each kind of features is a type with the same contract:
/// row_count, column_count, bytes, select and require_finite.
class Dataset {
  public:
    using Features = std::variant<DenseMatrix, SparseMatrix, GramMatrices, SeriesSet, StringSet, GraphSet>;

    explicit Dataset(Features features);

    Index rows() const { return identity_.rows(); }
    /// Gives the number of features, training rows or channels of a row, and 1 for strings and graphs.
    Index cols() const;
    /// Gives the memory that the features take. Similarities count as nothing, because copies share them.
    double feature_bytes() const;
    DataKind kind() const { return static_cast<DataKind>(features_->index()); }
    /// Says which rows of which set these are.
    const RowIdentity& identity() const { return identity_; }

    const Features& features() const { return *features_; }
    const DenseMatrix& dense() const { return std::get<DenseMatrix>(*features_); }
    const SparseMatrix& sparse() const { return std::get<SparseMatrix>(*features_); }
    /// Gives the similarities of the set of which these rows are a part: those of row i stand at
    /// identity().place(i).
    const GramMatrices& gram() const { return std::get<GramMatrices>(*features_); }
    const SeriesSet& series() const { return std::get<SeriesSet>(*features_); }
    const StringSet& strings() const { return std::get<StringSet>(*features_); }
    const GraphSet& graphs() const { return std::get<GraphSet>(*features_); }

    std::optional<Labels> labels;
    std::optional<LabelSets> label_sets;  // These are of rows that may have several labels.
    /// These are rows x target_count, row by row, and none where the rows have no targets.
    std::vector<double> targets;
    Index target_count = 1;              // How many targets each row has, where it has any.
    std::vector<double> sample_weights;  // This is empty where every row has weight 1.
    std::vector<std::int64_t> groups;    // Folds divide no group. This is empty where rows have no groups.
    std::vector<std::string> feature_names;
    std::vector<std::string> row_names;  // This is empty where the rows have no names.
    Assignments reading;                 // These are the options with which a file of the data was read.

    /// Counts the classes of the rows, or the labels that rows may have several of. Each is known by its
    /// position.
    Index label_count() const { return label_sets ? label_sets->labels() : labels->classes(); }
    std::string label_name(Index label) const {
        return label_sets ? label_sets->names[label] : labels->class_name(label);
    }
    /// Tells whether a row is of the class, or whether the label is among those of the row.
    bool has_label(Index row, Index label) const {
        return label_sets ? label_sets->has(row, label) : labels->of_rows[row] == label;
    }

    std::string feature_name(Index column) const;
    /// Gives the name of a row, or its position where rows have none.
    std::string row_name(Index row) const;

    /// Replaces the features by others with as many rows, and keeps all that is known of them. The rows are a
    /// new set, because the same row has other features there.
    Dataset with_features(Features features) const;
    /// Replaces similarities by others of the same set, whose rows these stay.
    Dataset with_similarities(GramMatrices similarities) const;
    /// Gives the same rows as a set of their own, which shares none with others.
    Dataset in_new_set() const;
    /// Copies the given rows in the given order, with all that is known of them. Feature names stay.
    Dataset select(std::span<const Index> rows) const;

  private:
    Dataset(std::shared_ptr<const Features> features, RowIdentity identity)
        : features_(std::move(features)), identity_(std::move(identity)) {}

    std::shared_ptr<const Features> features_;
    RowIdentity identity_;
};

/// Drops the labels, targets, weights, groups and names of the rows.
Dataset features_only(const Dataset& data);

/// Keeps what the right-hand side of a kernel reads, as a set of its own: the features, or of similarities
/// which training rows these are. What the user computes is not among them.
Dataset reference_rows(const Dataset& data);

/// Writes out the zeros of sparse rows, for methods that read the coordinates of rows. The memory must have
/// room for so many copies of them. Other rows stay as they are.
Dataset with_dense_rows(const Dataset& data, double copies, const MemoryBudget& memory);

/// Leaves out the zeros of dense rows. Other rows stay as they are.
Dataset with_sparse_rows(const Dataset& data);

/// Tells whether the user computes similarities of these rows, and must not be asked by several threads.
bool only_the_calling_thread(const Dataset& data);

/// Throws Error(invalid_data) that names row and column of the first NaN or infinity.
void require_finite(const Dataset::Features& features);

/// What regressions learn of rows: rows x count, row by row.
struct Targets {
    std::vector<double> values;
    Index count = 1;
};

/// Gives the targets, or integer labels as targets; throws Error(invalid_data) when the data have neither.
Targets targets_of(const Dataset& data);

/// Throws Error(invalid_data) that names row and column of the first missing value.
void require_complete(const Dataset& data);

}  // namespace dk
