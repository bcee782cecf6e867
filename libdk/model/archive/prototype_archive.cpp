// SPDX-License-Identifier: Apache-2.0
#include "model/archive/prototype_archive.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace dk {

void write_nearest_rows(ArchiveWriter out, const PrototypeSet& set) {
    out.count("neighbours", set.neighbours);
    out.indices("nearest_rows", set.nearest_rows);
    out.doubles("nearest_distances", set.nearest_distances);
}

void read_nearest_rows(const ArchiveReader& in, Index training_rows, PrototypeSet& set) {
    const Index prototypes = std::ssize(set.classes);
    set.neighbours = in.count("neighbours", 0, training_rows);
    if (set.neighbours > largest_count / std::max<Index>(1, prototypes))
        fail(Status::model_format, "damaged model: ", set.neighbours, " nearest rows of ", prototypes,
             " prototypes");
    set.nearest_rows = in.indices("nearest_rows", prototypes * set.neighbours, 0, training_rows - 1);
    set.nearest_distances = in.doubles("nearest_distances", prototypes * set.neighbours);
}

void write_pairs(ArchiveWriter out, const PrototypeSet& set) {
    out.doubles("scales", set.scales);
    out.doubles("shifts", set.shifts);
    out.doubles("norms", set.norms);
    out.indices("classes", set.classes);
    out.doubles("squared_norms", set.squared_norms);
    write_nearest_rows(out, set);
}

PrototypeSet read_pairs(const ArchiveReader& in, Index functions, Index classes, Index training_rows) {
    PrototypeSet set;
    set.scales = in.doubles("scales", functions);
    set.shifts = in.doubles("shifts", functions);
    set.norms = in.doubles("norms", functions);
    set.classes = in.indices("classes", 2 * functions, -1, classes - 1);
    set.squared_norms = in.doubles("squared_norms", 2 * functions);
    read_nearest_rows(in, training_rows, set);
    return set;
}

}  // namespace dk
