// SPDX-License-Identifier: Apache-2.0
#include "data/reading/readers.hpp"

#include <algorithm>
#include <array>

namespace dk {

namespace {

using ReaderEntry = Reader();

}  // namespace

// A file of its own defines each of these.
ReaderEntry csv_reader, arff_reader, libsvm_reader, precomputed_reader, series_reader, ts_reader, ucr_reader,
    strings_reader;

std::span<const Reader> readers() {
    static const std::array all{csv_reader(),    arff_reader(), libsvm_reader(), precomputed_reader(),
                                series_reader(), ts_reader(),   ucr_reader(),    strings_reader()};
    return all;
}

const Reader* find_reader(std::string_view name) {
    const auto all = readers();
    const auto found = std::ranges::find(all, name, &Reader::name);
    return found == all.end() ? nullptr : &*found;
}

const Reader& reader_of(const FileLook& file, std::string_view earlier) {
    const auto all = readers();
    const Reader& likeliest =
        *std::ranges::max_element(all, {}, [&](const Reader& reader) { return reader.likeness(file); });
    const Reader* const told = find_reader(earlier);
    return told != nullptr && told->looks_like == likeliest.name ? *told : likeliest;
}

}  // namespace dk
