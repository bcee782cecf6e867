// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/control.hpp"
#include "base/large_array.hpp"
#include "data/dataset.hpp"
#include "data/reading/csv_table.hpp"

namespace dk {

/// The content of a file, in memory that grows while the file is read.
class FileContent {
  public:
    /// Makes room for so many bytes, which the old content and the new one take together for a while.
    void grow(std::size_t capacity, const MemoryBudget& budget);
    std::string_view view() const { return {bytes_.data(), size_}; }
    std::size_t size() const { return size_; }
    std::span<char> room() {
        return {bytes_.data() + size_, static_cast<std::size_t>(bytes_.size()) - size_};
    }
    void take(std::size_t count) { size_ += count; }

  private:
    LargeArray<char> bytes_;
    std::size_t size_ = 0;
};

/// Reads a whole file and decompresses it if it is gzip, piece by piece, so that a cancel is soon answered
/// and a small file that grows without end is refused when it exceeds the memory.
FileContent read_content(const std::string& path, Control& control);

/// Leaves out the byte order mark with which a text may begin.
std::string_view without_byte_order_mark(std::string_view content);

/// What is known of an earlier file, such as a model was trained on. Files are read like it.
struct EarlierFile {
    std::vector<std::string> features;  // the names of its features, or nothing where they had none
    Index columns = 0;                  // the number of its features
    Assignments options;                // the options with which it was read
};

/// Reads a CSV or LIBSVM file, gzip compressed or not. dk_data_from_file() documents `options`, which count
/// where they differ from those of an earlier file.
Dataset read_file(const std::string& path, std::string_view options, const EarlierFile& earlier,
                  Control& control);

/// Reads a table. The data have the features of the earlier file that the options name, or else all columns.
Dataset parse_csv(std::string_view content, const CsvOptions& options, Control& control);

/// Reads series from a table with a line for each step, whose column `series` names the series of the step.
Dataset parse_series(std::string_view content, const CsvOptions& options, Control& control);

/// Reads strings from a table with a line for each string.
Dataset parse_strings(std::string_view content, const CsvOptions& options, Control& control);

/// Reads LIBSVM's format, parts of the file in several threads. It reports the first mistake in the file.
Dataset parse_libsvm(std::string_view content, Index least_columns, Control& control);

/// Attaches a column as labels or targets: integers become both, other numbers become targets, and other
/// texts become the names of classes.
void attach_label_column(Dataset& data, std::span<const std::string_view> fields, Control& control);

/// Attaches a column as groups. Integers are the groups' numbers; other texts are numbered as they ascend.
void attach_group_column(Dataset& data, std::span<const std::string_view> fields, Control& control);

}  // namespace dk
