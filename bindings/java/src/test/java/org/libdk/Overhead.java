// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Locale;

/** What tests/bench/bindings/overhead.c measures, in Java. */
final class Overhead {
    private static final int ROWS = 100000;
    private static final int COLS = 50;
    private static final int TRAINING_ROWS = 1000;
    private static final int SINGLE_ROWS = 10000;

    private Overhead() {}

    public static void main(String[] arguments) {
        int repeats = Integer.parseInt(arguments[0]);
        double[] x = new double[ROWS * COLS];
        long state = 1;
        for (int i = 0; i < x.length; i++) {
            state = state * 16807 % 2147483647;
            x[i] = state / 2147483647.0;
        }
        DoubleBuffer direct =
                ByteBuffer.allocateDirect(8 * x.length).order(ByteOrder.nativeOrder()).asDoubleBuffer();
        direct.put(x).rewind();
        double[] predict = new double[repeats];
        double[] array = new double[repeats];
        double[] buffer = new double[repeats];
        double[] single = new double[repeats];
        try (Model model = train(x)) {
            for (int r = 0; r < repeats; r++) {
                long began = System.nanoTime();
                try (Dataset data = Dataset.of(x, ROWS, COLS)) {
                    long built = System.nanoTime();
                    model.predict(data);
                    predict[r] = 1e-9 * (System.nanoTime() - built);
                    array[r] = 1e-9 * (System.nanoTime() - began);
                }
                began = System.nanoTime();
                try (Dataset data = Dataset.of(direct, ROWS, COLS)) {
                    model.predict(data);
                    buffer[r] = 1e-9 * (System.nanoTime() - began);
                }
                double[] row = new double[COLS];
                began = System.nanoTime();
                for (int i = 0; i < SINGLE_ROWS; i++) {
                    System.arraycopy(x, i * COLS, row, 0, COLS);
                    try (Dataset data = Dataset.of(row, 1, COLS)) {
                        model.predict(data);
                    }
                }
                single[r] = 1e-3 * (System.nanoTime() - began) / SINGLE_ROWS;
            }
        }
        System.out.printf(Locale.ROOT, "predict %.4f array %.4f buffer %.4f row %.2f%n", median(predict), median(array),
                median(buffer), median(single));
    }

    private static Model train(double[] x) {
        long[] labels = new long[TRAINING_ROWS];
        for (int i = 0; i < TRAINING_ROWS; i++)
            labels[i] = Arrays.stream(x, i * COLS, (i + 1) * COLS).sum() > COLS / 2.0 ? 1 : 0;
        double[] rows = Arrays.copyOf(x, TRAINING_ROWS * COLS);
        try (Dataset data = Dataset.of(rows, TRAINING_ROWS, COLS).labels(labels)) {
            return Model.train(data, Params.of("svm").set("kernel", "rbf(gamma=0.1)"));
        }
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
