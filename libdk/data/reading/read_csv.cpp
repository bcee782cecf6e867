// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "data/reading/readers.hpp"
#include "data/reading/table/number_notation.hpp"
#include "data/reading/table/table_data.hpp"

namespace dk {

namespace {

Dataset parse_csv(std::string_view content, const ReadingOptions& options, Control& control) {
    CsvTable table = scan_csv(content, options, control);
    const auto body = content.substr(std::min(content.find('\n'), content.size()));
    const bool may_have_notation = may_have_other_notations(body, table.delimiter);
    return data_of_table(std::move(table), may_have_notation, options, control);
}

}  // namespace

Reader csv_reader() {
    return {.name = "csv",
            .documentation = "a table with a line for each row",
            .likeness =
                [](const FileLook& file) {
                    return file.is_named(".csv") || file.is_named(".tsv") ? Likeness::by_name
                                                                          : Likeness::possible;
                },
            .parse = parse_csv};
}

}  // namespace dk
