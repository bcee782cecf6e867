// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LibdkTest {
    private static final int ROWS = 60;

    /** Two clouds in the plane. */
    private static double[][] points(long seed) {
        Random random = new Random(seed);
        double[][] x = new double[ROWS][2];
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < 2; j++) x[i][j] = random.nextGaussian() + (i % 2 == 0 ? -1 : 1);
        return x;
    }

    private static long[] labels() {
        long[] labels = new long[ROWS];
        for (int i = 0; i < ROWS; i++) labels[i] = i % 2 == 0 ? 3 : 7;
        return labels;
    }

    private static Dataset labelled() {
        return Dataset.of(points(1)).labels(labels());
    }

    private static DkException failure(DkException.Status status, Runnable call) {
        DkException error = assertThrows(DkException.class, call::run);
        assertEquals(status, error.status(), error.getMessage());
        return error;
    }

    @Test
    void trainsPredictsWeighsAndExplains() {
        Params params = Params.of("svm").set("C", 10).kernel(Kernel.bank(Kernel.linear(), Kernel.rbf(0.5)));
        try (Dataset data = labelled(); Model model = Model.train(data, params);
                Dataset fresh = Dataset.of(points(2))) {
            double[] predicted = model.predict(fresh);
            double[][] decisions = model.decision(fresh, null);
            double[][] said = model.explain(fresh, null);
            for (int i = 0; i < ROWS; i++) {
                assertEquals(decisions[i][0] >= 0 ? 7 : 3, predicted[i]);
                assertEquals(decisions[i][0], said[i][0] + said[i][1] + model.offsets()[0], 1e-9);
            }
            assertEquals(List.of("3", "7"), model.classNames());
            assertEquals(2, model.weights().size());
            assertEquals(1, model.weights().values().stream().mapToDouble(w -> w).sum(), 1e-12);
            List<Prototype> prototypes = model.prototypes();
            assertEquals(2, prototypes.size());
            assertEquals("7", prototypes.get(0).className());
            assertTrue(prototypes.get(0).isPositive());
            for (Prototype p : prototypes) {
                double sum = 0;
                for (double c : p.coefficients()) sum += c;
                assertEquals(1, sum, 1e-12);
                assertEquals(5, p.nearestRows().length);
            }
            assertTrue(model.score(data, "accuracy") > 0.7);
            assertEquals(ROWS, Arrays.stream(model.confusion(data)).flatMapToLong(Arrays::stream).sum());
            try (Control control = new Control()) {
                control.cancel();
                failure(DkException.Status.CANCELLED, () -> model.score(data, "accuracy", control));
                control.cancel();
                failure(DkException.Status.CANCELLED, () -> model.confusion(data, control));
            }
            assertTrue(model.info().contains("\"machine\":\"svm\""));
            assertEquals(model.predict(points(2)[0]), predicted[0]);
        }
    }

    @Test
    void classesHaveNamesInAnyAlphabet() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) names.add(i % 2 == 0 ? "größer" : "\uD83D\uDE00");
        try (Dataset data = Dataset.of(points(1)).labels(names);
                Model model = Model.train(data, Params.of("mean_of_class").set("kernel", "linear"))) {
            assertEquals(List.of("größer", "\uD83D\uDE00"), model.classNames());
            assertTrue(model.classNames().containsAll(model.predictClasses(data)));
        }
    }

    @Test
    void regressionsPredictValues() {
        double[] targets = new double[ROWS];
        double[][] x = points(3);
        for (int i = 0; i < ROWS; i++) targets[i] = 2 * x[i][0] - x[i][1];
        try (Dataset data = Dataset.of(x).targets(targets);
                Model model = Model.train(data, Params.of("svr").set("kernel", "linear").set("C", 100))) {
            assertTrue(model.score(data, "rmse") < 0.2);
            failure(DkException.Status.UNSUPPORTED, () -> model.predictClasses(data));
        }
    }

    @Test
    void buffersAndArraysGiveTheSame() {
        double[] flat = Matrices.flat(points(1));
        DoubleBuffer buffer = ByteBuffer.allocateDirect(8 * flat.length).order(ByteOrder.nativeOrder()).asDoubleBuffer();
        buffer.put(flat).rewind();
        DoubleBuffer out = ByteBuffer.allocateDirect(8 * ROWS).order(ByteOrder.nativeOrder()).asDoubleBuffer();
        try (Dataset data = labelled(); Dataset direct = Dataset.of(buffer, ROWS, 2);
                Model model = Model.train(data, Params.of("fisher"))) {
            assertArrayEquals(Matrices.rows(flat, ROWS), direct.values());
            model.predict(out, direct, null);
            double[] expected = model.predict(data);
            for (int i = 0; i < ROWS; i++) assertEquals(expected[i], out.get(i));
            DoubleBuffer heap = DoubleBuffer.allocate(ROWS);
            failure(DkException.Status.INVALID_ARGUMENT, () -> model.predict(heap, data, null));
        }
    }

    @Test
    void modelsAreKeptAsFilesBytesAndObjects(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("model.dk");
        try (Dataset data = labelled(); Model model = Model.train(data, Params.of("svm"))) {
            model.save(file);
            byte[] bytes = model.toBytes();
            assertArrayEquals(Files.readAllBytes(file), bytes);
            ByteArrayOutputStream stored = new ByteArrayOutputStream();
            try (ObjectOutputStream stream = new ObjectOutputStream(stored)) {
                stream.writeObject(model);
            }
            Object read = new ObjectInputStream(new ByteArrayInputStream(stored.toByteArray())).readObject();
            try (Model loaded = Model.load(file); Model again = Model.fromBytes(bytes); Model object = (Model) read) {
                for (Model other : List.of(loaded, again, object)) {
                    assertArrayEquals(bytes, other.toBytes());
                    assertArrayEquals(model.predict(data), other.predict(data));
                }
            }
            bytes[bytes.length / 2] ^= 1;
            failure(DkException.Status.MODEL_FORMAT, () -> Model.fromBytes(bytes));
        }
    }

    @Test
    void mistakesAreNamed() {
        String nearest = failure(DkException.Status.INVALID_PARAMETER, () -> Params.of("swm")).getMessage();
        assertTrue(nearest.contains("'svm'"), nearest);
        failure(DkException.Status.INVALID_PARAMETER, () -> Params.of("svm").set("C", -1));
        failure(DkException.Status.INVALID_KERNEL, () -> Params.of("svm").kernel(Kernel.of("rbf(")));
        failure(DkException.Status.INVALID_DATA, () -> Dataset.of(new double[][] {{1, Double.NaN}}));
        failure(DkException.Status.INVALID_ARGUMENT, () -> Params.of("svm").set("kernel", "rbf\0linear"));
        failure(DkException.Status.INVALID_ARGUMENT, () -> Dataset.of(new double[][] {{1, 2}, {3}}));
        failure(DkException.Status.INVALID_ARGUMENT, () -> Dataset.of(new double[3], 2, 2));
        failure(DkException.Status.INVALID_ARGUMENT, () -> Dataset.of(new double[0][]));
        failure(DkException.Status.IO, () -> Model.load(Path.of("/no/such/file")));
        assertThrows(NullPointerException.class, () -> Dataset.of((double[]) null, 1, 1));
        assertThrows(NullPointerException.class, () -> Params.of(null));
        try (Dataset data = labelled(); Dataset narrow = Dataset.of(new double[][] {{1}});
                Model model = Model.train(data, Params.of("svm"))) {
            failure(DkException.Status.DIMENSION, () -> model.predict(narrow));
        }
    }

    @Test
    void closedObjectsSaySo() {
        Dataset data = labelled();
        Model model = Model.train(data, Params.of("svm"));
        model.close();
        model.close();
        assertThrows(IllegalStateException.class, () -> model.predict(data));
        data.close();
        assertThrows(IllegalStateException.class, data::rows);
    }

    @Test
    void progressIsHeardOnTheCallingThread() {
        List<Double> heard = new ArrayList<>();
        AtomicReference<Thread> thread = new AtomicReference<>();
        try (Dataset data = labelled(); Control control = new Control()) {
            control.threads(2).listener((fraction, stage) -> {
                heard.add(fraction);
                thread.set(Thread.currentThread());
                return true;
            });
            Model.train(data, Params.of("svm"), control).close();
            assertFalse(heard.isEmpty());
            assertSame(Thread.currentThread(), thread.get());
            assertEquals(1, control.progress());
        }
    }

    @Test
    void listenersCancelOrThrow() {
        try (Dataset data = labelled(); Control control = new Control()) {
            control.listener((fraction, stage) -> false);
            failure(DkException.Status.CANCELLED, () -> Model.train(data, Params.of("svm"), control));
            IllegalArgumentException thrown = new IllegalArgumentException("from the listener");
            control.reset();
            control.listener((fraction, stage) -> {
                throw thrown;
            });
            assertSame(thrown, assertThrows(IllegalArgumentException.class,
                    () -> Model.train(data, Params.of("svm"), control)));
            control.reset();
            control.listener(null);
            Model.train(data, Params.of("svm"), control).close();
            control.cancel();
            failure(DkException.Status.CANCELLED, () -> Model.train(data, Params.of("svm"), control));
        }
    }

    /** Rows of noise with two classes that tell nothing. */
    private static Dataset noise(int rows, int cols) {
        Random random = new Random(3);
        double[] x = new double[rows * cols];
        long[] labels = new long[rows];
        for (int i = 0; i < x.length; i++) x[i] = random.nextGaussian();
        for (int i = 0; i < rows; i++) labels[i] = i % 2;
        return Dataset.of(x, rows, cols).labels(labels);
    }

    @Test
    void readingIsCancelledAndAsksMemory(@TempDir Path folder) throws Exception {
        Path table = folder.resolve("table.csv");
        Path file = folder.resolve("model.dk");
        Files.writeString(table, "a,b,label\n" + "0.123456789,-9.87654321,1\n1.5,2.25,0\n".repeat(80000));
        try (Dataset wide = noise(2000, 100);
                Model model = Model.train(wide, Params.of("mean_of_class").kernel(Kernel.rbf(0.01)))) {
            model.save(file);
            byte[] bytes = model.toBytes();
            try (Control control = new Control().threads(2).memory(1000);
                    Dataset read = Dataset.read(table, "label=label", control);
                    Model loaded = Model.load(file, control); Model again = Model.fromBytes(bytes, control)) {
                assertEquals(160000, read.rows());
                assertArrayEquals(bytes, loaded.toBytes());
                assertArrayEquals(bytes, again.toBytes());
            }
            List<Consumer<Control>> readers = List.of(
                    control -> Dataset.read(table, "", control), control -> model.read(table, "", control),
                    control -> Model.load(file, control), control -> Model.fromBytes(bytes, control));
            for (Consumer<Control> reader : readers) {
                try (Control control = new Control()) {
                    control.cancel();
                    failure(DkException.Status.CANCELLED, () -> reader.accept(control));
                }
            }
            try (Control control = new Control().memory(1)) {
                for (Consumer<Control> reader : readers.subList(0, 3)) // the bytes of the last are the caller's
                    failure(DkException.Status.MEMORY_BUDGET, () -> reader.accept(control));
                failure(DkException.Status.INVALID_ARGUMENT, () -> control.memory(-1));
                control.memory(0);
                Dataset.read(table, "", control).close();
            }
        }
    }

    /** Threads that predict with a model until it or the data are closed; each has a control of its own. */
    private static final class Users {
        final AtomicInteger answered = new AtomicInteger();
        final AtomicInteger cancelled = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();
        final AtomicReference<Throwable> wrong = new AtomicReference<>();

        Thread start(Runnable action) {
            Thread thread = new Thread(() -> {
                try {
                    action.run();
                } catch (Throwable error) {
                    wrong.compareAndSet(null, error);
                }
            });
            thread.start();
            return thread;
        }

        void predict(Model model, Dataset data, double[][] expected, Control control) {
            try (control) {
                while (wrong.get() == null) {
                    try {
                        double[][] decisions = model.decision(data, control);
                        if (!Arrays.deepEquals(expected, decisions)) throw new AssertionError("a wrong prediction");
                        answered.incrementAndGet();
                    } catch (DkException error) {
                        if (error.status() != DkException.Status.CANCELLED) throw error;
                        cancelled.incrementAndGet();
                        control.reset();
                    }
                }
            } catch (IllegalStateException isClosed) {
                closed.incrementAndGet();
            }
        }

        /** Waits for an answer or a cancel more than there was. */
        void await(AtomicInteger counter, int before) {
            while (counter.get() == before && wrong.get() == null) Thread.yield();
        }
    }

    @Test
    @Timeout(60)
    void closingAndCancellingMayRaceWithPredicting() throws Exception {
        int rounds = 30;
        int threads = 4;
        int rows = 2000;
        Users users = new Users();
        try (Dataset kept = noise(rows, 2);
                Model first = Model.train(kept, Params.of("mean_of_class").kernel(Kernel.rbf(0.5)))) {
            byte[] bytes = first.toBytes();
            double[][] expected = first.decision(kept, null);
            for (int round = 0; round < rounds; round++) {
                Model model = Model.fromBytes(bytes);
                Dataset data = noise(rows, 2);
                int answeredBefore = users.answered.get();
                int cancelledBefore = users.cancelled.get();
                List<Control> controls = new ArrayList<>();
                List<Thread> running = new ArrayList<>();
                for (int user = 0; user < threads; user++) {
                    Control control = new Control().threads(1);
                    controls.add(control);
                    running.add(users.start(() -> users.predict(model, data, expected, control)));
                }
                users.await(users.answered, answeredBefore);
                running.add(users.start(() -> {
                    try {
                        for (Control control : controls) control.cancel();
                    } catch (IllegalStateException isClosed) {
                        // the user has ended already
                    }
                }));
                // in every other round somebody hears of the cancel first
                if (round % 2 == 0) users.await(users.cancelled, cancelledBefore);
                running.add(users.start(model::close));
                running.add(users.start(data::close));
                for (Thread thread : running) thread.join();
            }
        }
        assertNull(users.wrong.get());
        assertEquals(rounds * threads, users.closed.get());
        assertTrue(users.cancelled.get() >= rounds / 2);
    }

    @Test
    @Timeout(60)
    void closingMayRaceWithPredicting() throws Exception {
        try (Dataset data = labelled()) {
            byte[] bytes;
            double[] expected;
            try (Model model = Model.train(data, Params.of("svm").kernel(Kernel.rbf(1)))) {
                bytes = model.toBytes();
                expected = model.predict(data);
            }
            AtomicInteger answered = new AtomicInteger();
            AtomicInteger wrong = new AtomicInteger();
            for (int round = 0; round < 200; round++) {
                Model model = Model.fromBytes(bytes);
                int before = answered.get();
                Thread[] users = new Thread[8];
                for (int t = 0; t < users.length; t++) {
                    users[t] = new Thread(() -> {
                        try (Control control = new Control().threads(1)) {
                            while (true) {
                                if (Arrays.equals(expected, model.predict(data, control)))
                                    answered.incrementAndGet();
                                else wrong.incrementAndGet();
                            }
                        } catch (IllegalStateException closed) {
                            // as it should be
                        }
                    });
                    users[t].start();
                }
                while (answered.get() == before) Thread.yield();
                model.close();
                for (Thread user : users) user.join();
            }
            assertEquals(0, wrong.get());
        }
    }

    @Test
    void otherKindsOfData() {
        double[][][] series = {{{0}, {1}, {2}}, {{5}, {5}}, {{0}, {1}}, {{5}, {6}, {5}}};
        long[] labels = {0, 1, 0, 1};
        try (Dataset data = Dataset.series(series).labels(labels);
                Model model = Model.train(data, Params.of("svm").set("kernel", "gak"))) {
            assertArrayEquals(new double[] {0, 1, 0, 1}, model.predict(data));
        }
        try (Dataset data = Dataset.strings(List.of("aaa", "bbb", "aab", "bba")).labels(labels);
                Model model = Model.train(data, Params.of("mean_of_class").set("kernel", "spectrum(length=1)"))) {
            assertEquals(4, model.predict(data).length);
        }
        double[][] similarities = {{2, 0, 1, 0}, {0, 2, 0, 1}, {1, 0, 2, 0}, {0, 1, 0, 2}};
        try (Dataset data = Dataset.similarities(similarities).labels(labels);
                Model model = Model.train(data, Params.of("svm").set("kernel", "gram(0)"))) {
            assertArrayEquals(new double[] {0, 1, 0, 1}, model.predict(data));
        }
        try (Dataset data = Dataset.sparse(new long[] {0, 1, 2}, new long[] {0, 2}, new double[] {1, 2}, 3)) {
            double[][][] gram = Libdk.gram(data, null, Kernel.linear(), null);
            assertArrayEquals(new double[][] {{1, 0}, {0, 4}}, gram[0]);
        }
    }

    @Test
    void foldsDivideNoGroup() {
        try (Dataset data = Dataset.of(new double[7][1]).groups(5, 9, 5, -2, 9, 9, -2)) {
            assertArrayEquals(new long[] {1, 0, 1, 1, 0, 0, 1}, data.folds(2, 1));
            assertTrue(assertThrows(DkException.class, () -> data.folds(4, 1)).getMessage().contains("3 groups"));
            assertThrows(DkException.class, () -> data.groups(1, 2));
        }
    }

    @Test
    void clientsHaveThresholdsOfTheirOwn() {
        double[] scores = {.9, .7, .4, .8, .3, .2, .1, .6, .5, .55, .2, .1, 0};
        boolean[] genuine = {true, true, true, false, false, false, false, true, true, false, false, false, false};
        long[] clients = {1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2};
        double[] far = {0, 0.25};
        assertArrayEquals(
                new double[] {7.0 / 12, 0}, Libdk.verificationCurve(far, scores, genuine, clients, null), 1e-12);
        assertEquals(0.8, Libdk.verificationCurve(far, scores, genuine, null, null)[0], 1e-12);
        assertThrows(DkException.class, () -> Libdk.verificationCurve(far, scores, new boolean[3], clients, null));
        double[] above = {2};
        assertThrows(DkException.class, () -> Libdk.verificationCurve(above, scores, genuine, clients, null));
        assertThrows(
                IllegalArgumentException.class,
                () -> Libdk.verificationCurve(far, scores, genuine, new long[0], null));
    }

    @Test
    void theLibraryDescribesItself() {
        assertTrue(Libdk.version().matches("\\d+\\.\\d+\\.\\d+"));
        assertTrue(Libdk.buildInfo().endsWith(" instructions"), Libdk.buildInfo());
        assertTrue(Libdk.describe().contains("\"machines\""));
    }
}
