// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/arrow/arrow_interface.hpp"

namespace dk {

/// Columns of results on their way to a consumer of Arrow. What they have is copied.
class ArrowResults {
  public:
    ArrowResults();
    ~ArrowResults();
    ArrowResults(const ArrowResults&) = delete;
    ArrowResults& operator=(const ArrowResults&) = delete;

    void add_numbers(std::string name, std::vector<double> values);
    void add_integers(std::string name, std::vector<std::int64_t> values);
    void add_texts(std::string name, std::span<const std::string> values);
    /// Adds a dictionary of the names, in which each row has the position of its own.
    void add_classes(std::string name, std::vector<std::int32_t> rows, std::span<const std::string> names);

    /// Gives all columns, of which there is one at least, as one table. The consumer releases both structs.
    void move_to(ArrowSchema& schema, ArrowArray& array);

  private:
    struct Column;
    std::vector<Column> columns_;
};

}  // namespace dk
