// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Listens, then creates, trains, predicts and closes many times, then forgets to close; fails when resident memory
 * grows:
 *
 * <pre>Cycles CLOSED FORGOTTEN</pre>
 */
final class Cycles {
    private static final double[][] ROWS = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {4, 4}, {5, 4}, {4, 5}, {5, 5}};
    private static final long[] LABELS = {-1, -1, -1, -1, 1, 1, 1, 1};

    private Cycles() {}

    public static void main(String[] arguments) throws IOException {
        int closed = Integer.parseInt(arguments[0]);
        int forgotten = Integer.parseInt(arguments[1]);
        watch("listening", closed, 8, () -> {
            try (Control control = new Control()) {
                for (int i = 0; i < 4; i++) control.listener((fraction, stage) -> true);
            }
        });
        try (Control control = new Control().threads(1)) {
            watch("closed", closed, 16, () -> {
                try (Dataset data = Dataset.of(ROWS).labels(LABELS);
                        Model model = Model.train(data, Params.of("svm").set("kernel", "linear"), control)) {
                    check(model.predict(data, control));
                }
            });
            watch("forgotten", forgotten, 32, () -> {
                Dataset data = Dataset.of(ROWS).labels(LABELS);
                check(Model.train(data, Params.of("svm").set("kernel", "linear"), control).predict(data, control));
            });
        }
    }

    private static void check(double[] predicted) {
        if (predicted[0] != -1 || predicted[7] != 1) throw new IllegalStateException("a wrong prediction");
    }

    /** The first half settles the heap; after it memory may grow by no more than the limit in megabytes. */
    private static void watch(String name, int count, int limit, Runnable cycle) throws IOException {
        for (int i = 0; i < count / 2; i++) cycle.run();
        long before = resident();
        for (int i = count / 2; i < count; i++) cycle.run();
        long after = resident();
        System.out.printf("%d cycles %s: resident memory from %d to %d MB%n", count, name, before, after);
        if (after > before + limit) System.exit(1);
    }

    private static long resident() throws IOException {
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4096 >> 20;
    }
}
