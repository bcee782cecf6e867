// SPDX-License-Identifier: Apache-2.0
#include "model/file/preparation_archive.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

using ComponentsPointer = std::shared_ptr<const PrincipalComponents>;

void write_ranks(ArchiveWriter out, const ColumnRanks& learned) {
    out.count("knots", std::ssize(learned.values));
    out.indices("first", learned.first);
    out.doubles("values", learned.values);
    out.doubles("ranks", learned.ranks);
}

ColumnRanks read_ranks(const ArchiveReader& in, Index features) {
    const Index knots = in.count("knots", features, most_knots * features);
    ColumnRanks learned{.first = in.indices("first", features + 1, 0, knots),
                        .values = in.doubles("values", knots),
                        .ranks = in.doubles("ranks", knots)};
    if (!learned.sound()) fail(Status::model_format, "damaged model: ranks of columns do not ascend");
    return learned;
}

void write_scaler(ArchiveWriter out, const Scaler& scaler) {
    out.count("scaled", scaler.shift.empty() ? 0 : 1);
    out.count("imputed", scaler.fill.empty() ? 0 : 1);
    out.doubles("fill", scaler.fill);
    out.doubles("shift", scaler.shift);
    out.doubles("scale", scaler.scale);
    if (scaler.divides_only()) out.count("divided", 1);
    if (!scaler.ranks.empty()) write_ranks(out.object("ranks"), scaler.ranks);
    if (scaler.rows != RowScale::none) out.text("row_scale", name_of(scaler.rows));
}

Scaler read_scaler(const ArchiveReader& in, Index features) {
    const bool scaled = in.count("scaled", 0, 1) == 1;
    const bool divided = in.has("divided");
    const bool imputed = in.count("imputed", 0, 1) == 1;
    Scaler scaler;
    scaler.fill = in.doubles("fill", imputed ? features : 0);
    scaler.shift = in.doubles("shift", scaled ? features : 0);
    scaler.scale = in.doubles("scale", scaled || divided ? features : 0);
    if (std::ranges::find(scaler.scale, 0.0) != scaler.scale.end())
        fail(Status::model_format, "damaged model: a scale is zero");
    if (in.has("ranks")) {
        if (!scaled) fail(Status::model_format, "damaged model: ranks that are not scaled");
        scaler.ranks = read_ranks(in.object("ranks"), features);
    }
    if (!in.has("row_scale")) return scaler;
    const auto rows = row_scale_named(in.text("row_scale"));
    if (!rows) fail(Status::model_format, "damaged model: scale of rows ", in_quotes(in.text("row_scale")));
    scaler.rows = *rows;
    return scaler;
}

Layer read_layer(const ArchiveReader& in, const ReadingContext& context) {
    Layer layer{.text = in.text("layer"), .report = in.json_text("report"), .step = KeptColumns()};
    if (in.has("components")) {
        layer.step = ComponentsPointer(read_principal_components(in.object("components"), context));
        return layer;
    }
    if (in.has("map")) {
        const Index outputs = in.count("map_rows", 1, context.features);
        const auto values = in.doubles("map", outputs * context.features);
        layer.step = LinearMap{view(values.data(), outputs, context.features)};
        return layer;
    }
    KeptColumns kept{.of = context.features};
    kept.columns = in.indices("kept", in.count("kept_columns", 1, context.features), 0, context.features - 1);
    if (std::ranges::adjacent_find(kept.columns, std::ranges::greater_equal()) != kept.columns.end())
        fail(Status::model_format, "damaged model: kept columns do not ascend");
    layer.step = std::move(kept);
    return layer;
}

}  // namespace

void write_preparation(ArchiveWriter out, const Preparation& preparation) {
    write_scaler(out, preparation.scaler);
    if (preparation.layers.empty()) return;
    auto list = out.list("layers", preparation.layers.size());
    for (std::size_t l = 0; l < list.size(); ++l) {
        const Layer& layer = preparation.layers[l];
        list[l].text("layer", layer.text);
        list[l].text("report", layer.report);
        if (const auto* kept = std::get_if<KeptColumns>(&layer.step)) {
            list[l].count("kept_columns", std::ssize(kept->columns));
            list[l].indices("kept", kept->columns);
        } else if (const auto* map = std::get_if<LinearMap>(&layer.step)) {
            list[l].count("map_rows", map->directions.rows());
            list[l].doubles("map", {map->directions.data(), map->directions.data() + map->directions.size()});
        } else {
            std::get<ComponentsPointer>(layer.step)->write(list[l].object("components"));
        }
    }
}

Preparation read_preparation(const ArchiveReader& in, const ReadingContext& context) {
    Preparation preparation{.scaler = read_scaler(in, context.features)};
    if (!in.has("layers")) return preparation;
    for (const ArchiveReader& layer : in.list("layers")) {
        preparation.layers.push_back(read_layer(
            layer, {context.training_rows, preparation.outputs(context.features), 0,
                    preparation.layers.empty() ? context.kind : DataKind::dense, context.control}));
    }
    return preparation;
}

}  // namespace dk
