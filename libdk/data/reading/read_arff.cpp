// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <optional>

#include "data/reading/arff_header.hpp"
#include "data/reading/readers.hpp"
#include "data/reading/sparse_arff.hpp"
#include "data/reading/table/label_choice.hpp"
#include "data/reading/table/table_data.hpp"

namespace dk {

namespace {

CsvTable table_of(const ArffHeader& header, Control& control) {
    CsvTable table{.memory = MemoryHold(control)};
    table.columns = std::ssize(header.attributes);
    for (const ArffAttribute& attribute : header.attributes) {
        table.names.push_back(attribute.name);
        const bool is_text = attribute.kind == ArffKind::nominal || attribute.kind == ArffKind::string;
        table.kinds.push_back(is_text                              ? ColumnKind::text
                              : attribute.kind == ArffKind::number ? ColumnKind::number
                                                                   : ColumnKind::any);
    }
    return table;
}

/// Reads the values of a row, between which commas or, in a line without any, blanks stand.
void read_dense_row(ArffLine& line, std::string_view marks, const ArffHeader& header, CsvTable& table,
                    const MissingMarkers& missing) {
    const Index columns = table.columns;
    for (Index j = 0; j < columns; ++j) {
        if (j > 0 && !line.accept(',') && line.at_end())
            line.refuse("the row has ", j, " values, there are ", columns, " attributes");
        const std::string_view field = line.word(marks);
        if (!missing.marks(field)) require_level(line, header.attributes[j], field);
        table.fields.push_back(field);
    }
    line.accept(',');
    table.weights.push_back(take_arff_weight(line));
    if (!line.at_end())
        line.refuse("the row goes on behind the last of ", columns, " attributes with ",
                    in_quotes(line.word("")), "; texts with blanks or commas stand in quotes");
    table.lines.push_back(line.number());
}

CsvTable dense_table(const ArffHeader& header, const MissingMarkers& missing, Control& control) {
    CsvTable table = table_of(header, control);
    const auto lines = std::ranges::count(header.data, '\n') + 1;
    table.memory.take(1.0 * lines * (table.columns * sizeof(std::string_view) + 2 * sizeof(Index)),
                      text("a table of ", lines, " lines and ", table.columns, " attributes"));
    // A text with a backslash is written anew, without it.
    if (const auto escapes = std::ranges::count(header.data, '\\'); escapes > 0)
        table.memory.take(1.0 * escapes * sizeof(std::string) + header.data.size(),
                          text("texts with ", escapes, " backslashes"));
    Polls polls(control);
    Index number = header.lines;
    for (std::string_view rest = header.data; !rest.empty();) {
        const std::string_view content = take_line(rest);
        polls.step(std::ssize(content) + 1);
        ArffLine line(content, ++number, table.without_quotes);
        if (line.at_end()) continue;
        if (line.accept('{')) line.refuse("a sparse row stands among rows that are not sparse");
        const bool has_commas = content.find(',') != std::string_view::npos;
        read_dense_row(line, has_commas ? ",%" : " \t\r,", header, table, missing);
    }
    if (table.rows() == 0) fail(Status::invalid_data, "the file has no rows behind @data");
    if (std::ranges::count(table.weights, 1.0) == table.rows()) table.weights.clear();
    return table;
}

/// Says whether the first row of the data is sparse.
bool has_sparse_rows(const ArffHeader& header) {
    std::deque<std::string> unescaped;
    for (std::string_view rest = header.data; !rest.empty();) {
        ArffLine line(take_line(rest), 0, unescaped);
        if (!line.at_end()) return line.accept('{');
    }
    return false;
}

/// Lists the attributes that the name of the relation says are labels.
std::string labels_of_relation(const CsvTable& table, Index count) {
    if (count >= table.columns || count <= -table.columns)
        fail(Status::invalid_data, "the relation has the option -C ", count, ", and the file has ",
             table.columns, " attributes; labels must be fewer");
    std::vector<Index> labels(count > 0 ? count : -count);
    std::iota(labels.begin(), labels.end(), count > 0 ? 0 : table.columns + count);
    return options_for_columns(table, labels);
}

/// Chooses the last nominal attribute for the class where no name tells.
ReadingOptions with_class(const ReadingOptions& options, const ArffHeader& header, Control& control) {
    ReadingOptions chosen = options;
    // In ARFF nothing but this says that a value is missing.
    chosen.missing = options.missing.with_only("?");
    const CsvTable table = table_of(header, control);
    const bool is_open = options.label == "auto" || options.label == "guess";
    if (is_open && header.label_attributes != 0) {
        chosen.label = labels_of_relation(table, header.label_attributes);
        return chosen;
    }
    if (!is_open || named_column(table, "label", "auto", usual_labels()) >= 0) return chosen;
    const auto last = std::ranges::find(header.attributes.rbegin(), header.attributes.rend(),
                                        ArffKind::nominal, &ArffAttribute::kind);
    if (last != header.attributes.rend())
        chosen.label = option_for_column(table, header.attributes.rend() - last - 1);
    return chosen;
}

Dataset parse_arff(std::string_view content, const ReadingOptions& options, Control& control) {
    const ArffHeader header = read_arff_header(content, control);
    const ReadingOptions chosen = with_class(options, header, control);
    if (has_sparse_rows(header)) return sparse_arff(header, table_of(header, control), chosen, control);
    return data_of_table(dense_table(header, chosen.missing, control), false, chosen, control);
}

Likeness likeness_of_arff(const FileLook& file) {
    for (std::string_view rest = file.content; !rest.empty();) {
        const std::string_view line = trimmed(take_line(rest));
        if (line.empty() || line.starts_with('%')) continue;
        constexpr std::string_view first_word = "@relation";
        if (lower_case(line.substr(0, first_word.size())) == first_word) return Likeness::certain;
        break;
    }
    return file.is_named(".arff") ? Likeness::by_name : Likeness::none;
}

}  // namespace

Reader arff_reader() {
    return {.name = "arff",
            .documentation = "Weka's tables, which declare their columns, also with sparse rows",
            .likeness = likeness_of_arff,
            .parse = parse_arff};
}

}  // namespace dk
