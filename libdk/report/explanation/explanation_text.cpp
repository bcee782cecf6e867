// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/report.hpp"
#include "report/explanation/explanation.hpp"

namespace dk {

namespace {

/// So many training rows are listed one by one; the others are counted together.
constexpr std::size_t most_rows = 100;

Report::Value number_or_text(const Model& model, Index elected, double prediction) {
    if (elected >= 0) return model.classes.class_name(elected);
    return prediction;
}

/// Adds what is known of a training row: its name, and its class or target.
void add_training_row(Report& report, const Dataset* training, Index row) {
    if (training == nullptr) return;
    if (!training->row_names.empty()) report.add("name", training->row_name(row));
    if (training->labels)
        report.add("class", training->labels->class_name(training->labels->of_rows[row]));
    else if (!training->targets.empty() && training->target_count == 1)
        report.add("target", training->targets[row]);
}

Report pull_report(const Pull& pull, const char* name) {
    Report report;
    report.add(name, std::int64_t(pull.source));
    report.add("contribution", pull.contribution).add("share", pull.share);
    return report;
}

Report offset_report(double offset, double share) {
    Report report;
    report.add("contribution", offset).add("share", share);
    return report;
}

Report prototypes_report(const Model& model, const RowExplanation& explanation) {
    const PrototypeSet& set = model.predictor->prototypes();
    std::vector<Report> list;
    for (const Pull& pull : explanation.prototypes) {
        Report report = pull_report(pull, "prototype");
        const Index position = set.classes[pull.source];
        if (explanation.question.elected >= 0 && model.classes.classes() > 0)
            report.add("class", position < 0 ? std::string("rest") : model.classes.class_name(position));
        list.push_back(std::move(report));
    }
    Report report;
    report.add("offset", offset_report(explanation.offset, explanation.offset_share_of_prototypes));
    return report.add("pulls", std::move(list));
}

Report rows_report(const RowExplanation& explanation, const Dataset* training) {
    std::vector<Report> list;
    Pull others{0, 0, 0};
    for (const Pull& pull : explanation.training_rows) {
        if (list.size() < most_rows) {
            list.push_back(pull_report(pull, "row"));
            add_training_row(list.back(), training, pull.source);
        } else {
            ++others.source;
            others.contribution += pull.contribution;
            others.share += pull.share;
        }
    }
    Report report;
    report.add("offset", offset_report(explanation.offset, explanation.offset_share_of_rows));
    report.add("pulls", std::move(list));
    if (others.source > 0) report.add("others", pull_report(others, "count"));
    return report;
}

Report kernels_report(const Model& model, const RowExplanation& explanation) {
    std::vector<Report> list;
    double offset = explanation.answer;
    for (const Pull& pull : explanation.kernels) {
        list.push_back(pull_report(pull, "kernel"));
        list.back().add("text", model.kernels[pull.source]).add("weight", model.kernel_weights[pull.source]);
        offset -= pull.contribution;
    }
    Report report;
    report.add("offset", offset_report(offset, explanation.offset_share_of_kernels));
    return report.add("pulls", std::move(list));
}

Report counterfactual_report(const Model& model, const Counterfactual& found, const Dataset& data) {
    Report report;
    report.add("prediction", model.classes.class_name(found.elected)).add("distance", found.distance);
    std::vector<Report> changes;
    for (const FeatureChange& change : found.changes) {
        Report one;
        one.add("feature", data.feature_name(change.feature)).add("column", std::int64_t(change.feature));
        one.add("from", change.from).add("to", change.to).add("deviations", change.deviations);
        changes.push_back(std::move(one));
    }
    return report.add("changes", std::move(changes));
}

Report influences_report(std::span<const RowInfluence> influences, const Dataset* training) {
    Report report;
    report.add("exact", true);
    std::vector<Report> list;
    for (const RowInfluence& influence : influences) {
        if (list.size() == most_rows) break;
        Report& one = list.emplace_back();
        one.add("row", std::int64_t(influence.training_row)).add("change", influence.change);
        add_training_row(one, training, influence.training_row);
    }
    return report.add("rows", std::move(list));
}

}  // namespace

std::string explanation_text(const Model& model, const RowExplanation& explanation, const Dataset& data,
                             Index row, const Dataset* training) {
    const Question& question = explanation.question;
    Report report;
    report.add("row", std::int64_t(row));
    if (!data.row_names.empty()) report.add("name", data.row_name(0));
    report.add("prediction", number_or_text(model, question.elected, explanation.prediction));
    if (question.instead >= 0) report.add("instead_of", model.classes.class_name(question.instead));
    report.add("answer", explanation.answer);
    if (std::isfinite(explanation.distance)) report.add("distance", explanation.distance);
    if (std::isfinite(explanation.probability)) report.add("probability", explanation.probability);
    report.add("prototypes", prototypes_report(model, explanation));
    if (!explanation.training_rows.empty()) report.add("training_rows", rows_report(explanation, training));
    if (!explanation.kernels.empty()) report.add("kernels", kernels_report(model, explanation));
    if (explanation.nearest_other) {
        Report other;
        other.add("row", std::int64_t(explanation.nearest_other->row));
        if (training != nullptr && !training->row_names.empty())
            other.add("name", training->row_name(explanation.nearest_other->row));
        other.add("prediction", model.classes.class_name(explanation.nearest_other->elected));
        report.add("nearest_other", std::move(other.add("distance", explanation.nearest_other->distance)));
    }
    if (explanation.counterfactual)
        report.add("counterfactual", counterfactual_report(model, *explanation.counterfactual, data));
    if (!explanation.influences.empty())
        report.add("influences", influences_report(explanation.influences, training));
    return json_text(report);
}

}  // namespace dk
