// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;

/** Rows that tests train with, and what failures look like. */
final class Samples {
    static final int ROWS = 60;

    private Samples() {}

    /** Two clouds in the plane. */
    static double[][] points(long seed) {
        Random random = new Random(seed);
        double[][] x = new double[ROWS][2];
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < 2; j++) x[i][j] = random.nextGaussian() + (i % 2 == 0 ? -1 : 1);
        return x;
    }

    static long[] labels() {
        long[] labels = new long[ROWS];
        for (int i = 0; i < ROWS; i++) labels[i] = i % 2 == 0 ? 3 : 7;
        return labels;
    }

    static Dataset labelled() {
        return Dataset.of(points(1)).labels(labels());
    }

    /** Rows of noise with two classes that tell nothing. */
    static Dataset noise(int rows, int cols) {
        Random random = new Random(3);
        double[] x = new double[rows * cols];
        long[] labels = new long[rows];
        for (int i = 0; i < x.length; i++) x[i] = random.nextGaussian();
        for (int i = 0; i < rows; i++) labels[i] = i % 2;
        return Dataset.of(x, rows, cols).labels(labels);
    }

    static DkException failure(DkException.Status status, Runnable call) {
        DkException error = assertThrows(DkException.class, call::run);
        assertEquals(status, error.status(), error.getMessage());
        return error;
    }
}
