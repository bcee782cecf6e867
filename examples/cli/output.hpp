// SPDX-License-Identifier: Apache-2.0
// What the command prints: JSON documents, the same shown to people as tables, CSV; to standard output or a
// file.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace command {

using Json = nlohmann::ordered_json;

// Standard output (path "") or a file that appears under its name only when it is complete.
class Output {
  public:
    explicit Output(const std::string& path = "");
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    void text(std::string_view text);
    void field(const std::string& text);  // of CSV, quoted where it must be
    void number(double value);            // the shortest text that reads back as the same value
    void number(float value);
    void commit();  // flushes, checks and renames; without it the file is removed

  private:
    std::string path_;
    std::string temporary_path_;
    std::FILE* file_ = stdout;
};

// Fails now where writing to `path` would fail after hours of training.
void require_writable(const std::string& path);

// Fails now where reading `path` would fail after hours of training.
void require_readable(const std::string& path);

// Prints a document as one JSON text, or for a person: scalars as lines, lists of objects as tables.
void report(const Json& document, bool as_json);

// A number for a person: six digits.
std::string rounded(double value);

}  // namespace command
