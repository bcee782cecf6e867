// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/control.hpp"
#include "base/large_array.hpp"
#include "data/dataset.hpp"

namespace dk {

/// The content of a file, in memory that grows while the file is read.
class FileContent {
  public:
    /// Makes room for so many bytes, which the old content and the new one take together for a while.
    void grow(std::size_t capacity, const MemoryBudget& budget);
    std::string_view view() const { return {bytes_.data(), size_}; }
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return bytes_.size(); }
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

/// Reads a file of any format that a reader knows, gzip compressed or not. dk_data_from_file() documents
/// `options`, which count where they differ from those of an earlier file.
Dataset read_file(const std::string& path, std::string_view options, const EarlierFile& earlier,
                  Control& control);

}  // namespace dk
