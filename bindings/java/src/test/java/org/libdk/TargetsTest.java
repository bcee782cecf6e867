// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Several targets, deviations and clusters. Two rows whose kernel value is 1/2 give with C = 1 the matrix K + I = [2 1/2; 1/2 2],
 * whose inverse is [8 -2; -2 8] / 15.
 */
class TargetsTest {
    private static final double[][] ROWS = {{0}, {1}};
    private static final Params RIDGE =
            Params.of("kernel_ridge").set("kernel", "rbf(gamma=0.6931471805599453)").set("scale", "none");

    @Test
    void severalTargetsAreLearnedAtOnce() {
        Dataset data = Dataset.of(ROWS).targets(1, 10, 2, 20);
        Model model = Model.train(data, RIDGE);
        assertEquals(2, model.targetCount());
        double[] expected = {11.0 / 15, 110.0 / 15, 16.0 / 15, 160.0 / 15};
        assertArrayEquals(expected, model.predict(data), 1e-12);
        Prediction first = model.predictions(data, null).findFirst().orElseThrow();
        assertTrue(Double.isNaN(first.value()));
        assertEquals(110.0 / 15, first.decisions().get(1), 1e-12);
        DkException error = Samples.failure(DkException.Status.UNSUPPORTED, () -> model.predict(0));
        assertTrue(error.getMessage().contains("2 targets"), error.getMessage());
        Samples.failure(DkException.Status.UNSUPPORTED, () -> Model.train(data, Params.of("svr")));
        assertEquals(1, Model.train(Dataset.of(ROWS).targets(1, 2), RIDGE).targetCount());
    }

    @Test
    void rowsAreAnsweredInOnePass() {
        double[][] rows = new double[30][];
        long[] labels = new long[30];
        for (int i = 0; i < 30; i++) {
            rows[i] = new double[] {i, i % 3};
            labels[i] = i < 15 ? 1 : 2;
        }
        Dataset data = Dataset.of(rows).labels(labels);
        Model model = Model.train(data, Params.of("svm").set("probability", "yes"));
        RowAnswers answers = model.predictRows(rows);
        assertTrue(model.hasProbabilities());
        assertArrayEquals(model.predict(data), answers.predictions());
        assertArrayEquals(model.decision(data, null), answers.decisions());
        assertArrayEquals(model.probability(data, null), answers.probabilities());
        Model plain = Model.train(data, Params.of("svm"));
        assertEquals(null, plain.predictRows(rows, null).probabilities());
        Samples.failure(DkException.Status.DIMENSION, () -> plain.predictRows(new double[][] {{1, 2, 3}}));
        Samples.failure(DkException.Status.INVALID_DATA, () -> plain.predictRows(new double[][] {{1, Double.NaN}}));
        Samples.failure(DkException.Status.INVALID_ARGUMENT, () -> plain.predictRows(new double[0][]));
        Model filling = Model.train(data, Params.of("svm").set("impute", "mean"));
        assertEquals(1, filling.predictRows(new double[][] {{1, Double.NaN}}).predictions()[0]);
    }

    @Test
    void deviationsAreThoseOfAGaussianProcess() {
        Dataset data = Dataset.of(ROWS).targets(1, 2);
        double expected = Math.sqrt(1 - 8.0 / 15);
        assertArrayEquals(new double[] {expected, expected}, Model.train(data, RIDGE).deviation(data, null), 1e-12);
        Model ridge = Model.train(data, RIDGE);
        assertArrayEquals(new double[] {4.0 / 15, 14.0 / 15}, ridge.dualCoefficients()[0], 1e-12);
        assertArrayEquals(new double[] {0}, ridge.dualOffsets());
        Model plain = Model.train(data, Params.of("svr"));
        Samples.failure(DkException.Status.UNSUPPORTED, () -> plain.deviation(data, null));
    }

    @Test
    void clustersAreNumberedByTheirSizes() {
        Dataset data = Dataset.of(new double[][] {{0}, {0.1}, {5}, {5.1}, {5.2}});
        Model model = Model.train(data, Params.of("kernel_k_means").set("clusters", 2).set("kernel", "linear"));
        assertEquals(Task.CLUSTERING, model.task());
        assertArrayEquals(new double[] {1, 1, 0, 0, 0}, model.predict(data));
    }
}
