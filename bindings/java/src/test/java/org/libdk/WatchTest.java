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
