// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

// A model file describes a model by fields that have names. The field of an object is a text, a list of
// texts, a count, an array of numbers, or again objects. Arrays of numbers are binary blocks, which are
// little-endian on every processor. Only archive.cpp knows that descriptions are CBOR.

/// The largest count that a file may state, which is far above any model and far below overflow.
inline constexpr Index largest_count = Index{1} << 40;

/// Adds fields to one object of an archive. It refers to the archive and must not outlive it.
class ArchiveWriter {
  public:
    /// The bytes of arrays are appended to `blocks`. Where that is null, arrays are looked at and not kept.
    ArchiveWriter(nlohmann::json& object, std::vector<std::vector<std::uint8_t>>* blocks)
        : object_(&object), blocks_(blocks) {}

    void text(const std::string& key, std::string_view value);
    void texts(const std::string& key, const std::vector<std::string>& values);
    void pairs(const std::string& key, const std::vector<std::pair<std::string, std::string>>& values);
    void count(const std::string& key, Index value);
    /// Throws Error(numerical), naming the field, where a number is not finite, since no reader takes it.
    void doubles(const std::string& key, std::span<const double> values);
    void indices(const std::string& key, std::span<const Index> values);
    /// Adds an object without fields, which the result fills.
    ArchiveWriter object(const std::string& key);
    /// Adds a list of objects without fields.
    std::vector<ArchiveWriter> list(const std::string& key, std::size_t length);

  private:
    nlohmann::json* object_;
    std::vector<std::vector<std::uint8_t>>* blocks_;
};

/// What the objects of an archive that is read have in common.
struct ArchiveSource {
    std::vector<std::span<const std::uint8_t>> blocks = {};  // the bytes of each
    Control* control = nullptr;                              // of the call that reads
};

/// Reads fields of one object of an archive. A file may be damaged or hostile, so that every member throws
/// Error(model_format), naming the field, where the field is missing, is of another type or has a value out
/// of range.
class ArchiveReader {
  public:
    ArchiveReader(const nlohmann::json& object, const ArchiveSource& source)
        : object_(&object), source_(&source) {}

    /// Tells whether there is such a field, which earlier files may lack.
    bool has(const std::string& key) const;
    /// Reads a text in UTF-8 without control characters. Line breaks and tabs, which earlier versions kept
    /// where a caller had written them in a kernel or in layers, are spaces.
    std::string text(const std::string& key) const;
    /// Reads a text that is a JSON object itself.
    std::string json_text(const std::string& key) const;
    std::vector<std::string> texts(const std::string& key) const;
    std::vector<std::pair<std::string, std::string>> pairs(const std::string& key) const;
    Index count(const std::string& key, Index lowest, Index highest) const;
    /// Reads numbers that are all finite; `expected` is how many there must be.
    std::vector<double> doubles(const std::string& key, Index expected) const;
    /// Reads integers that are all in [lowest, highest].
    std::vector<Index> indices(const std::string& key, Index expected, Index lowest, Index highest) const;
    /// Tells how many numbers the array `key` has.
    Index length(const std::string& key) const;
    ArchiveReader object(const std::string& key) const;
    std::vector<ArchiveReader> list(const std::string& key) const;

  private:
    const nlohmann::json* object_;
    const ArchiveSource* source_;
};

/// All fields of a model file.
class Archive {
  public:
    Archive();
    /// Reads a payload, which must live as long as the archive; throws Error(model_format) where it is none.
    Archive(std::span<const std::uint8_t> payload, Control& control);
    ~Archive();
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    ArchiveWriter writer();
    /// Gives a writer that looks at arrays and does not keep them; a payload cannot be taken after it.
    ArchiveWriter checker();
    ArchiveReader reader() const;

    /// Gives the bytes of the archive: the 64-bit length of the description, the description without its
    /// blocks, and the blocks one after the other. They move out of the archive, which is empty afterwards.
    std::vector<std::uint8_t> take_payload();

  private:
    struct Tree;
    std::unique_ptr<Tree> tree_;
    ArchiveSource source_;
};

}  // namespace dk
