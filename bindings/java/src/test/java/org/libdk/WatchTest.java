// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.libdk.Samples.ROWS;
import static org.libdk.Samples.labelled;
import static org.libdk.Samples.points;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Models in use: thresholds, sets, drift and warnings. */
class WatchTest {
    @Test
    void thresholdsAndSetsAreOfAnotherModel() {
        Dataset data = labelled();
        Model plain = Model.train(data, Params.of("svm"));
        double[] labels = plain.moveThreshold(data, "miss_cost=1e6", null).predict(data);
        for (int i = 1; i < ROWS; i += 2) assertEquals(7, labels[i]);
        Samples.failure(DkException.Status.UNSUPPORTED, () -> plain.moveThreshold(data, "false_alarms=0.05", null));
        Samples.failure(DkException.Status.INVALID_PARAMETER, () -> plain.moveThreshold(data, "misscost=1", null));
        double[][] sets = plain.calibrate(data, false, null).predictSet(data, 0.9, null);
        assertEquals(ROWS, sets.length);
        assertEquals(2, sets[0].length);
    }

    @Test
    void driftIsSeenWhereRowsMove() {
        Dataset data = labelled();
        Model plain = Model.train(data, Params.of("svm"));
        Drift same = plain.drift(data, data, 1, null);
        assertEquals(0, same.distance(), 1e-7);
        assertTrue(same.p() > 0.99);
        double[][] moved = points(2);
        for (double[] row : moved) row[0] += 3;
        Dataset fresh = Dataset.of(moved);
        Drift found = plain.drift(fresh, data, 1, null);
        assertEquals(0.001, found.p());
        assertTrue(found.distance() > found.usual());
        Samples.failure(DkException.Status.UNSUPPORTED, () -> plain.drift(fresh));
        Model ridge = Model.train(data, Params.of("kelm"));
        assertEquals(ridge.drift(fresh, data, 1, null).p(), ridge.drift(fresh).p());
    }

    @Test
    void modelsLearnFromFurtherRowsAndForgetSome() {
        Dataset data = labelled();
        Params params = Params.of("kelm").set("kernel", "rbf(gamma=1)").set("scale", "none").set("updatable", true);
        Model part = Model.train(data.select(0, 1, 2, 3, 4, 5, 6, 7), params);
        long[] rest = java.util.stream.LongStream.range(8, ROWS).toArray();
        Model whole = part.update(data.select(rest), new long[0], null);
        double[][] expected = Model.train(data, params).decision(data, null);
        double[][] found = whole.decision(data, null);
        for (int i = 0; i < ROWS; i++) assertEquals(expected[i][0], found[i][0], 1e-9);
        double[][] back = whole.update(null, rest, null).decision(data, null);
        double[][] before = part.decision(data, null);
        for (int i = 0; i < ROWS; i++) assertEquals(before[i][0], back[i][0], 1e-9);
        Samples.failure(DkException.Status.UNSUPPORTED, () -> Model.train(data, Params.of("svm")).update(data, new long[0], null));
    }

    @Test
    void rowsFarAwayAreNew() {
        Dataset data = labelled();
        Model model = Model.train(data, Params.of("svm").set("novelty", true));
        double[][] far = points(2);
        for (double[] row : far) row[0] += 1000;
        for (double[] row : model.novelty(Dataset.of(far), null)) assertEquals(1.0 / (1 + ROWS - ROWS / 2), row[1]);
        for (double[] row : model.novelty(data, null)) assertTrue(row[0] >= 0 && row[1] > 0 && row[1] <= 1);
    }

    @Test
    void aModelIsChosenWhereNoMachineIsNamed() {
        Model model = Model.train(labelled());
        assertEquals("svm", model.report().machine());
        assertTrue(model.facts().containsKey("choice"));
    }

    @Test
    void modelsPrintTheirWarnings() {
        Model model = Model.train(labelled(), Params.of("svm").set("max_iterations", 2));
        List<Warning> warnings = model.warnings();
        assertEquals(1, warnings.size());
        assertEquals("convergence", warnings.get(0).about());
        assertTrue(warnings.get(0).text().contains("max_iterations=2"), warnings.get(0).text());
        assertTrue(model.toString().contains("\nwarning: convergence: "), model.toString());
        assertEquals(List.of(), Model.train(labelled(), Params.of("svm")).warnings());
    }
}
