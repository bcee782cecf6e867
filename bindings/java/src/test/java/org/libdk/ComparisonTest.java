// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.libdk.Samples.failure;
import static org.libdk.Samples.labelled;

import org.junit.jupiter.api.Test;

/** Learners compared, prototypes measured: values by hand. */
class ComparisonTest {
    @Test
    void ranksAndTheirCriticalDifference() {
        double[][] scores = {{0.9, 0.8, 0.7}, {0.5, 0.5, 0.6}};
        assertArrayEquals(new double[] {1.75, 2.25, 2}, Comparison.meanRanks(scores, null), 1e-15);
        assertEquals(1.959964 / Math.sqrt(6), Comparison.criticalDifference(2, 6, 0.05), 1e-6);
        failure(DkException.Status.INVALID_ARGUMENT, () -> Comparison.criticalDifference(1, 6, 0.05));
        failure(DkException.Status.INVALID_DATA, () -> Comparison.meanRanks(new double[][] {{1, Double.NaN}}, null));
    }

    @Test
    void foldsShareTrainingRows() {
        Comparison.ResampledTest test = Comparison.resampledTest(new double[] {1, 2, 3}, 0.5);
        assertEquals(2, test.difference(), 1e-15);
        assertEquals(2 / Math.sqrt(5.0 / 6), test.t(), 1e-12);
        assertEquals(1 - test.t() / Math.sqrt(2 + test.t() * test.t()), test.p(), 1e-12);
    }

    @Test
    void selectionsAreMoreOrLessStable() {
        int[][] seen = {{1, 1, 0, -1}, {-1, 1, 1, 0}};
        assertEquals(0.5, Comparison.jaccardStability(seen, null), 1e-15);
        int[][] subsets = {{1, 1, 0}, {1, 1, 0}, {1, 0, 0}};
        assertEquals(0.55, Comparison.selectionStability(subsets), 1e-15);
        assertTrue(Double.isNaN(Comparison.selectionStability(new int[][] {{1, 0}})));
        int[][] ragged = {{1, 0}, {1}};
        assertThrows(IllegalArgumentException.class, () -> Comparison.selectionStability(ragged));
    }

    @Test
    void meansOfClassesArePureAndCompactInPart() {
        Params params = Params.of("mean_of_class").kernel(Kernel.rbf(0.5));
        try (Dataset data = labelled(); Model model = Model.train(data, params)) {
            PrototypeMeasures measures = model.prototypeMeasures(data, null);
            assertArrayEquals(new double[] {1, 1}, measures.purity(), 1e-12);
            for (double compactness : measures.compactness()) assertTrue(compactness > 0 && compactness < 1);
        }
    }
}
