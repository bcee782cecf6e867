// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Rows with several labels. Two rows whose kernel value is 1/2 give with C = 1 the matrix K + I = [2 1/2; 1/2 2], whose inverse is
 * [8 -2; -2 8] / 15. A label that both rows have has the log odds of 3 to 1 on every row.
 */
class LabelSetsTest {
    private static final double[][] ROWS = {{0}, {1}};
    private static final List<String> COLOURS = List.of("red", "blue");
    private static final Params RIDGE =
            Params.of("kelm").set("kernel", "rbf(gamma=0.6931471805599453)").set("scale", "none");

    @Test
    void eachLabelHasAFunction() {
        Dataset data = Dataset.of(ROWS).labelSets(List.of(Set.of("blue", "red"), List.of("blue")), COLOURS);
        Model model = Model.train(data, RIDGE);
        assertEquals(Task.MULTILABEL, model.task());
        assertEquals(2, model.targetCount());
        assertEquals(COLOURS, model.classNames());
        assertArrayEquals(new double[] {5.0 / 15, Math.log(3)}, model.decision(data, null)[0], 1e-12);
        assertArrayEquals(new double[] {-5.0 / 15, Math.log(3)}, model.decision(data, null)[1], 1e-12);
        assertArrayEquals(new double[] {1, 1, 0, 1}, model.predict(data));
        assertEquals(List.of(COLOURS, List.of("blue")), model.predictLabelSets(data));
        assertEquals(1, model.score(data, "accuracy"));
        Prediction first = model.predictions(data).findFirst().orElseThrow();
        assertTrue(Double.isNaN(first.value()));
        assertNull(first.className());
    }

    @Test
    void namesAreThoseOfTheSetsInAscendingOrder() {
        Dataset data = Dataset.of(ROWS).labelSets(List.of(List.of("red", "blue"), List.of()));
        assertEquals(List.of("blue", "red"), Model.train(data, RIDGE).classNames());
    }

    @Test
    void probabilitiesAreByLabel() {
        double[][] rows = new double[40][1];
        for (int i = 0; i < rows.length; i++) rows[i][0] = i;
        List<List<String>> sets = new java.util.ArrayList<>();
        for (int i = 0; i < rows.length; i++)
            sets.add(i < 10 ? List.of() : i < 30 ? List.of("red") : List.of("red", "blue"));
        Dataset data = Dataset.of(rows).labelSets(sets);
        Model model = Model.train(data, Params.of("svm").set("probability", "yes"));
        Prediction last = model.predictions(data).reduce((before, next) -> next).orElseThrow();
        assertEquals(Set.of("blue", "red"), last.probabilities().keySet());
        assertTrue(last.probabilities().get("red") + last.probabilities().get("blue") > 1);
    }

    @Test
    void whatIsOfOneClassIsRefused() {
        Dataset data = Dataset.of(ROWS).labelSets(List.of(Set.of("red"), Set.of("blue")), COLOURS);
        Model model = Model.train(data, RIDGE);
        DkException error = Samples.failure(DkException.Status.UNSUPPORTED, () -> model.predictClasses(data));
        assertTrue(error.getMessage().contains("predictLabelSets"), error.getMessage());
        Samples.failure(DkException.Status.UNSUPPORTED, () -> model.predictLabels(data));
        Dataset classes = Dataset.of(ROWS).labels(1, 2);
        Model ofClasses = Model.train(classes, RIDGE);
        Samples.failure(DkException.Status.UNSUPPORTED, () -> ofClasses.predictLabelSets(classes));
        IllegalArgumentException unknown = assertThrows(IllegalArgumentException.class,
                () -> Dataset.of(ROWS).labelSets(List.of(Set.of("green"), Set.of()), COLOURS));
        assertTrue(unknown.getMessage().contains("row 0 has the label green"), unknown.getMessage());
        Samples.failure(DkException.Status.INVALID_ARGUMENT, () -> Dataset.of(ROWS).labelSets(List.of(Set.of("red"))));
    }
}
