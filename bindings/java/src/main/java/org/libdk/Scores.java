// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The scores of a cross-validation. How steady the weights of kernels are over halves of the rows, where the parameter
 * {@code halves} asks for it, is in {@link Model#info}.
 *
 * @param folds the number of folds
 * @param repeats how often the rows were split into folds
 * @param select the metric by which the best was chosen; null where there was nothing to choose from
 * @param best the position among the candidates of the one that was trained on all rows
 * @param candidates in the order of the grid; one without parameters where there was no grid
 * @param nested the scores of the whole choice; null where {@code outer_folds} does not ask for them
 */
public record Scores(long folds, long repeats, String select, int best, List<Candidate> candidates, Nested nested) {
    /**
     * Makes scores.
     *
     * @param folds the number of folds
     * @param repeats how often the rows were split into folds
     * @param select the metric by which the best was chosen, or null
     * @param best the position of the best candidate
     * @param candidates one or more
     * @param nested the scores of the whole choice, or null
     */
    public Scores {
        candidates = List.copyOf(candidates);
    }

    /**
     * A metric over the folds of all repeats.
     *
     * @param mean over the folds that define it; NaN where none does
     * @param deviation the standard deviation over these folds
     * @param folds its value in each fold
     */
    public record Metric(double mean, double deviation, List<Double> folds) {
        static Metric of(Facts facts) {
            return new Metric(facts.number("mean"), facts.number("deviation"), facts.numbers("folds"));
        }
    }

    /**
     * How far a candidate is behind the best, by the corrected resampled t-test (Nadeau and Bengio 2003).
     *
     * @param difference the mean difference of the metric {@code select}
     * @param t the statistic
     * @param p the probability of one as large where there is no difference
     */
    public record BehindBest(double difference, double t, double p) {
        static BehindBest of(Facts facts) {
            return new BehindBest(facts.number("difference"), facts.number("t"), facts.number("p"));
        }
    }

    /**
     * One choice of parameters, and how it scored.
     *
     * @param parameters their values as text, by name
     * @param metrics by name
     * @param behindBest null for the best
     */
    public record Candidate(Map<String, String> parameters, Map<String, Metric> metrics, BehindBest behindBest) {
        static Candidate of(Facts facts) {
            return new Candidate(facts.part("parameters").texts(), facts.partsByName("metrics", Metric::of),
                    facts.has("behind_best") ? BehindBest.of(facts.part("behind_best")) : null);
        }

        /**
         * The parameters in one text.
         *
         * @return such as {@code "C=10 kernel=linear"}, which {@link Params#parse} reads
         */
        public String text() {
            return parameters.entrySet().stream()
                    .map(one -> one.getKey() + "=" + one.getValue()).collect(Collectors.joining(" "));
        }
    }

    /**
     * The scores of the choice itself, on rows that had no part in it.
     *
     * @param folds the number of outer folds
     * @param metrics by name
     * @param chosen the parameters that were best in each outer fold
     */
    public record Nested(long folds, Map<String, Metric> metrics, List<Map<String, String>> chosen) {
        static Nested of(Facts facts) {
            return new Nested(facts.whole("folds"), facts.partsByName("metrics", Metric::of),
                    facts.parts("chosen", Facts::texts));
        }
    }

    static Scores of(Facts facts) {
        boolean chosen = facts.has("candidates");
        List<Candidate> candidates = chosen ? facts.parts("candidates", Candidate::of)
                : List.of(new Candidate(Map.of(), facts.partsByName("metrics", Metric::of), null));
        return new Scores(facts.whole("folds"), facts.whole("repeats"), facts.text("select"),
                chosen ? Math.toIntExact(facts.whole("best")) : 0, candidates,
                facts.has("nested") ? Nested.of(facts.part("nested")) : null);
    }

    /**
     * The candidate that was trained on all rows.
     *
     * @return that of position {@link #best}
     */
    public Candidate bestCandidate() {
        return candidates.get(best);
    }

    /**
     * The mean of a metric of the best candidate.
     *
     * @param metric such as {@code accuracy}
     * @return empty where no fold defines it, or the task does not have it
     */
    public OptionalDouble mean(String metric) {
        Metric found = bestCandidate().metrics().get(metric);
        return found == null || Double.isNaN(found.mean()) ? OptionalDouble.empty() : OptionalDouble.of(found.mean());
    }

    /** A table: a line for each candidate, the best with a star, and the mean of each metric. */
    @Override
    public String toString() {
        Set<String> metrics = new LinkedHashSet<>();
        for (Candidate candidate : candidates) metrics.addAll(candidate.metrics().keySet());
        String deviating = select != null ? select : metrics.stream().findFirst().orElse("");
        List<String> header = new ArrayList<>(List.of("", "parameters"));
        for (String metric : metrics) {
            header.add(metric);
            if (metric.equals(deviating)) header.add("deviation");
        }
        Table table = Table.withHeader(header);
        for (int c = 0; c < candidates.size(); c++) {
            Candidate candidate = candidates.get(c);
            List<String> row = new ArrayList<>(List.of(c == best ? "*" : "", candidate.text()));
            for (String name : metrics) {
                Metric metric = candidate.metrics().getOrDefault(name, new Metric(Double.NaN, Double.NaN, List.of()));
                row.add(Table.text(metric.mean()));
                if (name.equals(deviating)) row.add(Table.text(metric.deviation()));
            }
            table.row(row);
        }
        return table.toString();
    }
}
