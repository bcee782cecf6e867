// SPDX-License-Identifier: Apache-2.0
// A card for each prototype: its class, the training rows nearest to it, and the features in which it differs
// most from the prototype on the other side. A prototype in feature space has no features of its own; those
// shown are the weighted means of the training rows of which it is made, in deviations of all training rows,
// and of texts the pieces that stand in more, or fewer, of the texts of which it is made.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/text.hpp"
#include "data/characters.hpp"
#include "data/scaling/deviations.hpp"
#include "matrix/matrix.hpp"
#include "report/drawing/charts.hpp"
#include "report/drawing/html.hpp"
#include "report/sections.hpp"
#include "report/string_pieces.hpp"

namespace dk {

namespace {

constexpr std::size_t most_cards = 24;
constexpr std::size_t most_features = 6;
constexpr std::size_t most_pieces = 8;
constexpr double most_bytes = 64e6;

/// Chooses prototypes. Of many pairs these are, for each class, its prototype against the class from which
/// the margin, 1 / |w|, is smallest.
std::vector<Index> chosen_prototypes(const Model& model) {
    const PrototypeSet& set = model.predictor->prototypes();
    std::vector<Index> all(set.count());
    std::iota(all.begin(), all.end(), Index{0});
    if (all.size() <= most_cards) return all;
    std::vector<Index> chosen;
    if (model.predictor->prototypes_are_pairs()) {
        for (Index c = 0; c < model.classes.classes() && chosen.size() < most_cards; ++c) {
            Index best = -1;
            for (const Index p : all) {
                if (set.classes[p] == c && (best < 0 || set.norms[p / 2] > set.norms[best / 2])) best = p;
            }
            if (best >= 0) chosen.push_back(best);
        }
    }
    if (chosen.empty()) {
        for (const Index i : spread_rows(set.count(), most_cards)) chosen.push_back(i);
    }
    return chosen;
}

/// The position of the prototype on the other side: of the pair, or the next one of another class.
Index counterpart(const Model& model, Index prototype) {
    const PrototypeSet& set = model.predictor->prototypes();
    if (model.predictor->prototypes_are_pairs()) return prototype % 2 == 0 ? prototype + 1 : prototype - 1;
    for (Index step = 1; step < set.count(); ++step) {
        const Index other = (prototype + step) % set.count();
        if (set.classes[other] != set.classes[prototype]) return other;
    }
    return -1;
}

/// What is known of prototypes beyond the model, by their positions: of which training rows they are made,
/// and the means of those rows where these are dense. Prototypes whose coefficients have no sum have neither.
struct PrototypeMakings {
    std::map<Index, Vector> coefficients = {};
    std::map<Index, Vector> means = {};
    std::vector<double> units = {};  // the deviation of each feature over all training rows
};

/// The mean of rows under weights, in each column over what is not missing.
Vector weighted_mean(const DenseMatrix& rows, const ConstVectorRef& weights) {
    Vector sums = Vector::Zero(rows.cols);
    Vector totals = Vector::Zero(rows.cols);
    for (Index i = 0; i < rows.rows; ++i) {
        if (weights[i] == 0) continue;
        const auto row = rows.row(i);
        for (Index j = 0; j < rows.cols; ++j) {
            if (std::isnan(row[j])) continue;
            sums[j] += weights[i] * row[j];
            totals[j] += weights[i];
        }
    }
    return sums.cwiseQuotient(totals);
}

/// Finds them for the chosen prototypes and those on their other sides, where training rows are dense or
/// texts, and all coefficients are not many.
PrototypeMakings makings_of(const ReportedModel& reported, std::span<const Index> chosen, Control& control) {
    const Predictor& predictor = *reported.model.predictor;
    const Index count = predictor.prototypes().count();
    const Dataset* training = reported.training;
    PrototypeMakings makings;
    if (training == nullptr) return makings;
    const bool dense = training->kind() == DataKind::dense;
    if (!dense && training->kind() != DataKind::strings) return makings;
    const double kept = static_cast<double>(count) + 2 * static_cast<double>(chosen.size());
    const double bytes = 8.0 * kept * static_cast<double>(training->rows());
    if (bytes > most_bytes) return makings;
    control.memory().require(bytes, "prototypes of a report");
    Matrix coefficients(count, training->rows());
    prototype_coefficients(reported.model,
                           {coefficients.data(), static_cast<std::size_t>(coefficients.size())});
    for (const Index p : chosen) {
        for (const Index one : {p, counterpart(reported.model, p)}) {
            control.check();
            if (one < 0 || makings.coefficients.contains(one)) continue;
            if (!(std::abs(coefficients.row(one).sum()) > 1e-12)) continue;
            makings.coefficients[one] = coefficients.row(one).transpose();
            if (dense) makings.means[one] = weighted_mean(training->dense(), makings.coefficients[one]);
        }
    }
    if (dense && !makings.means.empty()) makings.units = column_deviations(training->dense(), control);
    return makings;
}

std::string differences(const ReportedModel& reported, const PrototypeMakings& makings, Index prototype) {
    const Index other = counterpart(reported.model, prototype);
    const auto own_mean = makings.means.find(prototype);
    const auto other_mean = makings.means.find(other);
    if (own_mean == makings.means.end() || other_mean == makings.means.end()) return "";
    const std::vector<double>& units = makings.units;
    const Vector difference = own_mean->second - other_mean->second;
    std::vector<Bar> bars;
    for (Index j = 0; j < difference.size(); ++j) {
        if (!(units[j] > 0) || !std::isfinite(difference[j])) continue;
        bars.push_back({reported.training->feature_name(j), difference[j] / units[j],
                        std::max<Index>(reported.model.predictor->prototypes().classes[prototype], 0)});
    }
    std::ranges::stable_sort(bars, std::ranges::greater{},
                             [](const Bar& bar) { return std::abs(bar.value); });
    if (bars.size() > most_features) bars.resize(most_features);
    return bar_chart(bars,
                     text("Features that differ most from the prototype of ",
                          class_text(reported.model, reported.model.predictor->prototypes().classes[other]),
                          ", in deviations"));
}

/// The pieces of text in which a prototype of texts differs most from the one on its other side.
std::vector<StringPiece> pieces_of_prototype(const ReportedModel& reported, const PrototypeMakings& makings,
                                             Index prototype, Control& control) {
    if (reported.training == nullptr || reported.training->kind() != DataKind::strings) return {};
    const auto own = makings.coefficients.find(prototype);
    const auto other = makings.coefficients.find(counterpart(reported.model, prototype));
    if (own == makings.coefficients.end() || other == makings.coefficients.end()) return {};
    return telling_pieces(reported.training->strings(), own->second, other->second, most_pieces, control);
}

std::string piece_chart(const ReportedModel& reported, std::span<const StringPiece> pieces, Index prototype) {
    if (pieces.empty()) return "";
    const PrototypeSet& set = reported.model.predictor->prototypes();
    std::vector<Bar> bars;
    bars.reserve(pieces.size());
    for (const StringPiece& piece : pieces)
        bars.push_back(
            {text_of(piece.characters), piece.difference, std::max<Index>(set.classes[prototype], 0)});
    return bar_chart(bars,
                     text("Pieces of text that stand in more (marked below) or fewer of its texts than in "
                          "those of the prototype of ",
                          class_text(reported.model, set.classes[counterpart(reported.model, prototype)]),
                          ", as a difference of shares"));
}

std::string nearest_rows(const ReportedModel& reported, std::span<const StringPiece> pieces,
                         Index prototype) {
    const PrototypeSet& set = reported.model.predictor->prototypes();
    if (set.neighbours == 0) return "";
    const Dataset* training = reported.training;
    HtmlTable table{.head = {"nearest row", "class", "distance"}, .rows = {}, .numbers = {true, false, true}};
    const bool known = training != nullptr;
    if (known) table.head.emplace_back("");
    for (Index k = 0; k < std::min<Index>(set.neighbours, 5); ++k) {
        const Index row = set.nearest_rows[prototype * set.neighbours + k];
        auto& cells = table.rows.emplace_back();
        cells.push_back(text(row));
        cells.push_back(known && training->labels
                            ? escaped(training->labels->class_name(training->labels->of_rows[row]))
                            : std::string());
        cells.push_back(shown(set.nearest_distances[prototype * set.neighbours + k]));
        if (known)
            cells.push_back(pieces.empty() ? shown_row(reported, *training, row)
                                           : with_pieces_marked(training->strings().texts[row], pieces));
    }
    return html_of(table);
}

std::string pictures(const ReportedModel& reported, const Vector& mean, Index prototype) {
    const PrototypeSet& set = reported.model.predictor->prototypes();
    const Index width = reported.options.picture_width;
    const Index height = reported.options.picture_height;
    std::string out = "<div class=\"pictures\">" + picture(as_span(mean), width, height, "the prototype");
    for (Index k = 0; k < std::min<Index>(set.neighbours, 5); ++k)
        out += shown_row(reported, *reported.training, set.nearest_rows[prototype * set.neighbours + k]);
    return out + "</div>\n";
}

std::string card(const ReportedModel& reported, const PrototypeMakings& makings, Index prototype,
                 Control& control) {
    const Model& model = reported.model;
    const PrototypeSet& set = model.predictor->prototypes();
    const Index position = set.classes[prototype];
    std::string title = text("Prototype ", prototype);
    if (model.task != "regression" && model.classes.classes() > 0) {
        title = class_text(model, position);
        if (model.predictor->prototypes_are_pairs() && model.classes.classes() > 2)
            title += text(" against ", class_text(model, set.classes[counterpart(model, prototype)]));
    } else if (model.predictor->prototypes_are_pairs()) {
        title = prototype % 2 == 0 ? "Rows that raise the value" : "Rows that lower the value";
    }
    std::string out = text("<div class=\"card\"><h3>", escaped(title), "</h3><p class=\"quiet\">prototype ",
                           prototype, "</p>\n");
    const auto mean = makings.means.find(prototype);
    if (mean != makings.means.end() && shows_pictures(reported, *reported.training)) {
        out += pictures(reported, mean->second, prototype);
    } else {
        const std::vector<StringPiece> pieces = pieces_of_prototype(reported, makings, prototype, control);
        out += differences(reported, makings, prototype);
        out += piece_chart(reported, pieces, prototype);
        out += nearest_rows(reported, pieces, prototype);
    }
    return out + "</div>\n";
}

}  // namespace

std::string prototypes_section(const ReportedModel& reported, Control& control) {
    const Model& model = reported.model;
    if (model.predictor->prototypes().count() == 0) return "";
    const std::vector<Index> chosen = chosen_prototypes(model);
    const PrototypeMakings makings = makings_of(reported, chosen, control);
    std::vector<std::string> cards;
    cards.reserve(chosen.size());
    for (const Index p : chosen) cards.push_back(card(reported, makings, p, control));
    std::string introduction =
        "What the model holds rows against: each prototype with the training rows nearest to it.";
    const Index count = model.predictor->prototypes().count();
    if (std::ssize(chosen) < count)
        introduction +=
            text(" ", chosen.size(), " of ", count, " are shown",
                 model.predictor->prototypes_are_pairs()
                     ? ": for each class the one against the class that is hardest to tell from it."
                     : ".");
    if (reported.training == nullptr)
        introduction +=
            " Give the training rows too to see them and the features in which prototypes differ.";
    return section("Prototypes", introduction, side_by_side(cards));
}

}  // namespace dk
