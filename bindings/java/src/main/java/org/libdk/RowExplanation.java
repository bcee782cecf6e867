// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Why a row is of its class, and not of the next best one. What a model does not know is null, or NaN of a number.
 *
 * @param row its position in the data, from 0
 * @param prediction the class; null of a regression, whose value is the answer
 * @param insteadOf the class that the row would be of otherwise; null of a regression
 * @param answer the decision between both, positive for the prediction; or the value of a regression
 * @param distance the answer as a distance in feature space
 * @param probability that of the class
 * @param prototypes what each prototype adds to the answer
 * @param trainingRows what each training row behind them adds; null where they are no sums over rows
 * @param kernels what each kernel of the bank adds; null where the kernel is no weighted sum
 * @param counterfactual the change that would turn the prediction; null where none was found
 * @param nearestOther known where the training rows were given
 * @param influences what training with each row did for the answer; null where the machine has no answer to it
 */
public record RowExplanation(long row, String prediction, String insteadOf, double answer, double distance,
        double probability, Pulls prototypes, Pulls trainingRows, Pulls kernels, Counterfactual counterfactual,
        NearestOther nearestOther, Influences influences) {
    private static final int PRINTED = 5;

    /**
     * A part of the answer.
     *
     * @param contribution what it adds to the answer
     * @param share in percent, of the sign of the contribution; the magnitudes of all parts sum to 100
     */
    public record Share(double contribution, double share) {
        static Share of(Facts facts) {
            return new Share(facts.number("contribution"), facts.number("share"));
        }
    }

    /**
     * What pulls a row towards its prediction, or away from it.
     *
     * @param source the prototype, the training row or the kernel, from 0
     * @param name the class of a prototype, the class or target of a training row where these rows were given, the
     *     specification of a kernel; null where there is none
     * @param contribution what it adds to the answer
     * @param share in percent, of the sign of the contribution
     */
    public record Pull(long source, String name, double contribution, double share) {
        static Pull of(Facts facts, String source) {
            String name = facts.has("text") ? facts.text("text") : className(facts);
            return new Pull(facts.whole(source), name, facts.number("contribution"), facts.number("share"));
        }
    }

    /**
     * The sources that are not listed one by one, together.
     *
     * @param count how many there are
     * @param contribution what they add to the answer
     * @param share in percent, of the sign of the contribution
     */
    public record Others(long count, double contribution, double share) {
        static Others of(Facts facts) {
            return new Others(facts.whole("count"), facts.number("contribution"), facts.number("share"));
        }
    }

    /**
     * The answer taken apart: contributions, those of others and the offset sum to it.
     *
     * @param pulls the strongest first
     * @param offset what no source is the cause of
     * @param others null where all are listed
     */
    public record Pulls(List<Pull> pulls, Share offset, Others others) {
        /**
         * Makes pulls.
         *
         * @param pulls the strongest first
         * @param offset what no source is the cause of
         * @param others null where all are listed
         */
        public Pulls {
            pulls = List.copyOf(pulls);
        }

        static Pulls of(Facts facts, String source) {
            return new Pulls(facts.parts("pulls", one -> Pull.of(one, source)), Share.of(facts.part("offset")),
                    facts.has("others") ? Others.of(facts.part("others")) : null);
        }

        /** A table: the strongest, all others together, and the offset. */
        @Override
        public String toString() {
            return table("source");
        }

        private String table(String source) {
            Table table = Table.withHeader(List.of(source, "", "contribution", "share %"));
            int listed = Math.min(PRINTED, pulls.size());
            for (Pull one : pulls.subList(0, listed))
                line(table, String.valueOf(one.source()), one.name(), one.contribution(), one.share());
            List<Pull> left = pulls.subList(listed, pulls.size());
            long count = left.size() + (others == null ? 0 : others.count());
            if (count > 0) {
                double contribution = left.stream().mapToDouble(Pull::contribution).sum();
                double share = left.stream().mapToDouble(Pull::share).sum();
                line(table, count + " others", null, contribution + (others == null ? 0 : others.contribution()),
                        share + (others == null ? 0 : others.share()));
            }
            line(table, "offset", null, offset.contribution(), offset.share());
            return table.toString();
        }

        private static void line(Table table, String source, String name, double contribution, double share) {
            table.row(List.of(source, name == null ? "" : name, Table.text(contribution),
                    String.format(Locale.ROOT, "%+.1f", share)));
        }
    }

    /**
     * A feature of a row that changes.
     *
     * @param feature its name
     * @param column its position, from 0
     * @param from the value that the row has
     * @param to the value with which the prediction turns
     * @param deviations the change in standard deviations of the feature
     */
    public record Change(String feature, int column, double from, double to, double deviations) {
        static Change of(Facts facts) {
            return new Change(facts.text("feature"), Math.toIntExact(facts.whole("column")), facts.number("from"),
                    facts.number("to"), facts.number("deviations"));
        }
    }

    /**
     * A small change of few features with which the prediction would be another one (Moosavi-Dezfooli, Fawzi, Frossard
     * 2016, or towards the nearest row of another class).
     *
     * @param prediction the class of the changed row
     * @param distance the length of the change, in deviations of the features
     * @param changes the largest in deviations first
     */
    public record Counterfactual(String prediction, double distance, List<Change> changes) {
        /**
         * Makes a counterfactual.
         *
         * @param prediction the class of the changed row
         * @param distance the length of the change
         * @param changes the largest first
         */
        public Counterfactual {
            changes = List.copyOf(changes);
        }

        static Counterfactual of(Facts facts) {
            return new Counterfactual(facts.text("prediction"), facts.number("distance"),
                    facts.parts("changes", Change::of));
        }

        /**
         * A row with the changes.
         *
         * @param row its features
         * @return a copy, which the model takes for {@link #prediction}
         */
        public double[] appliedTo(double... row) {
            double[] changed = row.clone();
            for (Change change : changes) changed[change.column()] = change.to();
            return changed;
        }

        /** A table of the strongest changes. */
        @Override
        public String toString() {
            Table table = Table.withHeader(List.of("feature", "from", "to", "deviations"));
            for (Change one : changes.subList(0, Math.min(PRINTED, changes.size())))
                table.row(List.of(one.feature(), Table.text(one.from()), Table.text(one.to()),
                        Table.text(one.deviations())));
            int left = changes.size() - PRINTED;
            return table + (left > 0 ? "\nand " + left + " more" : "");
        }
    }

    /**
     * The nearest training row that the model takes for another class.
     *
     * @param row from 0
     * @param prediction the class that the model gives it
     * @param distance in deviations of the features; of rows that are not dense in feature space
     */
    public record NearestOther(long row, String prediction, double distance) {
        static NearestOther of(Facts facts) {
            return new NearestOther(facts.whole("row"), facts.text("prediction"), facts.number("distance"));
        }
    }

    /**
     * What a training row did for the answer.
     *
     * @param row from 0
     * @param name its class or target, where the training rows were given; null elsewhere
     * @param change by how much the answer is larger than it would be without the row
     */
    public record Influence(long row, String name, double change) {
        static Influence of(Facts facts) {
            return new Influence(facts.whole("row"), className(facts), facts.number("change"));
        }
    }

    /**
     * By how much the answer is larger than it would be without each training row: of ridge machines in closed form
     * (Cook 1979), of support vector machines what the rows on the margin make of it (Cauwenberghs, Poggio 2000).
     *
     * @param exact whether training anew without the row would give this
     * @param rows the strongest first
     */
    public record Influences(boolean exact, List<Influence> rows) {
        /**
         * Makes influences.
         *
         * @param exact whether training anew would give this
         * @param rows the strongest first
         */
        public Influences {
            rows = List.copyOf(rows);
        }

        static Influences of(Facts facts) {
            return new Influences(facts.truth("exact"), facts.parts("rows", Influence::of));
        }

        /** A table of the strongest. */
        @Override
        public String toString() {
            Table table = Table.withHeader(List.of("row", "", "change"));
            for (Influence one : rows.subList(0, Math.min(PRINTED, rows.size())))
                table.row(List.of(String.valueOf(one.row()), one.name() == null ? "" : one.name(),
                        Table.text(one.change())));
            return table.toString();
        }
    }

    /** The class of what facts are told of, or its target; null where there is neither. */
    private static String className(Facts facts) {
        return facts.has("target") ? Table.text(facts.number("target")) : facts.text("class");
    }

    static RowExplanation of(Facts facts) {
        boolean has = facts.has("instead_of");
        return new RowExplanation(facts.whole("row"), has ? facts.text("prediction") : null, facts.text("instead_of"),
                facts.number("answer"), facts.number("distance"), facts.number("probability"),
                Pulls.of(facts.part("prototypes"), "prototype"),
                facts.has("training_rows") ? Pulls.of(facts.part("training_rows"), "row") : null,
                facts.has("kernels") ? Pulls.of(facts.part("kernels"), "kernel") : null,
                facts.has("counterfactual") ? Counterfactual.of(facts.part("counterfactual")) : null,
                facts.has("nearest_other") ? NearestOther.of(facts.part("nearest_other")) : null,
                facts.has("influences") ? Influences.of(facts.part("influences")) : null);
    }

    /** Small tables: the answer, what pulls, the counterfactual and the influences. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        Table head = Table.ofFacts().fact("row", row);
        if (prediction != null) head.fact("prediction", prediction).fact("instead of", insteadOf);
        head.fact("answer", answer);
        if (!Double.isNaN(distance)) head.fact("distance", distance);
        if (!Double.isNaN(probability)) head.fact("probability", probability);
        parts.add(head.toString());
        parts.add(prototypes.table("prototype"));
        if (trainingRows != null) parts.add(trainingRows.table("training row"));
        if (kernels != null) parts.add(kernels.table("kernel"));
        if (nearestOther != null)
            parts.add("nearest training row that is " + nearestOther.prediction() + ": " + nearestOther.row()
                    + ", distance " + Table.text(nearestOther.distance()));
        if (counterfactual != null)
            parts.add("it would be " + counterfactual.prediction() + " with\n" + counterfactual);
        if (influences != null)
            parts.add("training with these rows changed the answer by" + (influences.exact() ? "" : " about") + "\n"
                    + influences);
        return String.join("\n\n", parts);
    }
}
