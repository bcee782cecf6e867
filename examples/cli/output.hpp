// SPDX-License-Identifier: Apache-2.0
// This file prints JSON documents, as JSON or as tables for people, and CSV, to standard output or to a file.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "system.hpp"

namespace command {

using Json = nlohmann::ordered_json;

// Writes to standard output, for which the path is "", or to a file that appears under its name only when it
// is complete.
class Output {
  public:
    explicit Output(const std::string& path = "");
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    void text(std::string_view text);
    // Writes a field of CSV, in quotes where it needs them. An apostrophe stands before a text that a
    // spreadsheet would take for a formula, which could call programs there.
    void field(const std::string& text);
    // Writes the shortest text that reads back as the same value.
    void number(double value);
    void number(float value);
    // Completes the file, which is removed if this is not called.
    void commit();

  private:
    std::string path_;
    NewFile new_;  // Without a file where a pipe or a device is written to.
    std::FILE* file_ = stdout;
};

// Throws if `path` cannot be written to, so that this is known before hours of training.
void require_writable(const std::string& path);

// Throws if `path` cannot be read, so that this is known before hours of training.
void require_readable(const std::string& path);

// Prints a document as JSON, or for people with its scalars as lines and its lists of objects as tables.
// Cells that are too long for the terminal are cut, or those of the last column go on in further lines.
enum class LongCells { cut, last_wrapped };
void report(const Json& document, bool as_json, LongCells long_cells = LongCells::cut);

// Writes a number for people, with six digits or so many.
std::string rounded(double value, int digits = 6);

}  // namespace command
