// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.libdk.Samples.ROWS;
import static org.libdk.Samples.failure;
import static org.libdk.Samples.labelled;
import static org.libdk.Samples.points;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every program does: data, training, predictions, models. */
class LibdkTest {
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
    void labelsBeyondTheWholeNumbersOfDoublesComeBack() {
        long[] labels = {9007199254740993L, 9007199254740995L, 9, Long.MIN_VALUE};
        Params params = Params.of("nearest_neighbours").set("voters", 1).kernel(Kernel.rbf(1));
        try (Dataset data = Dataset.of(new double[][] {{0}, {2}, {4}, {6}}).labels(labels);
                Model model = Model.train(data, params);
                Dataset part = Dataset.of(new double[][] {{4}, {0}}).labels(new long[] {9, 9})) {
            assertArrayEquals(labels, model.predictLabels(data));
            assertArrayEquals(labels, data.labels());
            assertEquals("9007199254740993", model.predictClasses(data).get(0));
            assertEquals(0.5, model.score(part, "accuracy")); // it has small labels alone
        }
        try (Dataset small = Dataset.of(new double[][] {{0}, {2}}).labels(new long[] {-1, 5});
                Model model = Model.train(small, params)) {
            assertArrayEquals(new long[] {-1, 5}, model.predictLabels(small));
        }
        try (Dataset named = Dataset.of(new double[][] {{0}, {2}}).labels(List.of("left", "right"));
                Model model = Model.train(named, params)) {
            assertTrue(failure(DkException.Status.UNSUPPORTED, () -> model.predictLabels(named)).getMessage()
                    .contains("left"));
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
        // As many rows to predict as training rows are told from these: their diagonal is no similarity to themselves.
        double[][] others = {{3, 0, 1, 0}, {1, 1, 0, 2}, {0, 1, 4, 0}, {0, 2, 0, 1}};
        try (Dataset data = Dataset.similarities(similarities).labels(labels);
                Model model = Model.train(data, Params.of("svm").set("kernel", "normalize(gram(0))"));
                Dataset bare = Dataset.similarities(others);
                Dataset known = Dataset.similarities(new double[][][] {others}, new double[][] {{4, 2, 5, 2}})) {
            DkException refused = assertThrows(DkException.class, () -> model.predict(bare));
            assertTrue(refused.getMessage().contains("self"), refused.getMessage());
            assertArrayEquals(new double[] {0, 1, 0, 1}, model.predict(known));
        }
        try (Dataset data = Dataset.sparse(new long[] {0, 1, 2}, new long[] {0, 2}, new double[] {1, 2}, 3)) {
            double[][][] gram = Libdk.gram(data, null, Kernel.linear(), null);
            assertArrayEquals(new double[][] {{1, 0}, {0, 4}}, gram[0]);
        }
    }

    @Test
    void modelsOfOtherProgramsAreReadAndWritten() throws java.io.IOException {
        String linear = "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 5 2\nnr_feature 2\nbias 1\nw\n3\n-1\n0.5\n";
        Path file = Files.createTempFile("libdk", ".model");
        Path exported = Files.createTempFile("libdk", ".exported");
        Files.writeString(file, linear);
        try (Dataset rows = Dataset.of(new double[][] {{1, 2}, {0, 4}});
                Model model = Model.importFrom(file)) {
            assertArrayEquals(new double[] {3 - 2 + 0.5, -4 + 0.5}, column(model.decision(rows, null)), 1e-14);
            model.exportTo(exported, "libsvm");
            try (Model again = Model.importFrom(exported, "libsvm features=2", null)) {
                assertArrayEquals(
                        column(model.decision(rows, null)), column(again.decision(rows, null)), 1e-13);
            }
            assertThrows(DkException.class, () -> model.exportTo(exported, "pmml"));
            assertThrows(DkException.class, () -> Model.importFrom(file, "thunder", null));
        }
        Files.delete(file);
        Files.delete(exported);
    }

    private static double[] column(double[][] rows) {
        return Arrays.stream(rows).mapToDouble(row -> row[0]).toArray();
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
        assertTrue(Libdk.buildInfo().matches("libdk .* instructions, (OpenMP|own threads)"), Libdk.buildInfo());
        assertTrue(Libdk.describe().contains("\"machines\""));
    }
}
