// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What each prototype says of a row. Where functions have two prototypes each, the two of a function and its offset add up
 * to its decision (Graf, Bousquet, Raetsch, Schoelkopf 2008).
 *
 * @param prediction what the model says of the row
 * @param contributions one a prototype, in the order of {@link Model#prototypes}
 * @param offsets one a decision function, as {@link Model#offsets} gives them
 */
public record Explanation(Prediction prediction, List<Contribution> contributions, List<Double> offsets) {
    /**
     * Makes an explanation.
     *
     * @param prediction what the model says of the row
     * @param contributions one a prototype
     * @param offsets one a decision function
     */
    public Explanation {
        contributions = List.copyOf(contributions);
        offsets = List.copyOf(offsets);
    }

    /**
     * What one prototype says.
     *
     * @param function the decision function it belongs to, from 0; -1 where the model learned prototypes of its own
     * @param positive whether it is p+
     * @param className the class it stands for; null for all the others, and where there are no classes
     * @param value what it adds to the decision
     */
    public record Contribution(int function, boolean positive, String className, double value) {
        private String term() {
            return function < 0 ? "prototype" : positive ? "p+" : "p-";
        }

        private String name() {
            return className == null ? "all others" : className;
        }
    }

    /** What a model says of a dataset of one row. */
    static Explanation of(ModelPredictions model, Dataset row) {
        double[] said = model.explain(row, null)[0];
        List<Contribution> contributions = model.handle.use(learned -> {
            boolean pairs = learned.prototypes_are_pairs();
            String[] names = Prototype.classNames(learned);
            return IntStream.range(0, said.length)
                    .mapToObj(p -> new Contribution(pairs ? p / 2 : -1, !pairs || p % 2 == 0, names[p], said[p]))
                    .toList();
        });
        return new Explanation(Prediction.all(model, row, null).get(0), contributions,
                Arrays.stream(model.offsets()).boxed().toList());
    }

    /** A table of the contributions under the prediction, each function with its offset. */
    @Override
    public String toString() {
        Table table = Table.withHeader(List.of("function", "term", "class", "contribution"));
        for (int c = 0; c < contributions.size(); c++) {
            Contribution one = contributions.get(c);
            String function = one.function < 0 ? "" : Integer.toString(one.function);
            table.row(List.of(function, one.term(), one.name(), Table.text(one.value)));
            boolean last = c + 1 == contributions.size() || contributions.get(c + 1).function != one.function;
            if (last && one.function >= 0)
                table.row(List.of(function, "offset", "", Table.text(offsets.get(one.function))));
        }
        return prediction + "\n\n" + table;
    }
}
