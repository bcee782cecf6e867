// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Functions of dk.h that are not part of every program: callbacks, graphs, single precision, comparisons, sizes. */
class FunctionsTest {
    private static final int ROWS = 40;

    private static double[][] points() {
        Random random = new Random(1);
        double[][] x = new double[ROWS][2];
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < 2; j++) x[i][j] = random.nextGaussian() + (i % 2 == 0 ? -1 : 1);
        return x;
    }

    private static long[] labels(int rows) {
        return IntStream.range(0, rows).mapToLong(i -> i % 2).toArray();
    }

    private static Params exact() {
        return Params.of("svm").set("tolerance", 1e-8);
    }

    private static double inner(double[] a, double[] b) {
        return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).sum();
    }

    @Test
    void similaritiesAreAskedFor() {
        double[][] x = points();
        Dataset.Similarity function = (rows, training) -> Arrays.stream(rows)
                .mapToObj(i -> Arrays.stream(training).mapToDouble(j -> inner(x[(int) i], x[(int) j])).toArray())
                .toArray(double[][]::new);
        try (Dataset asked = Dataset.similarity(ROWS, ROWS, function).labels(labels(ROWS));
                Dataset plain = Dataset.of(x).labels(labels(ROWS));
                Model model = Model.train(asked, exact().kernel(Kernel.of("gram(0)")));
                Model same = Model.train(plain, exact().kernel(Kernel.linear()))) {
            double[][] decisions = model.decision(asked, null);
            double[][] expected = same.decision(plain, null);
            for (int i = 0; i < ROWS; i++) assertEquals(expected[i][0], decisions[i][0], 1e-5);
        }
    }

    @Test
    void whatACallbackThrowsComesOutOfTheCall() {
        IllegalStateException thrown = new IllegalStateException("no such row");
        try (Dataset failing = Dataset.similarity(8, 8, (rows, training) -> {
            throw thrown;
        }).labels(labels(8));
                Dataset narrow = Dataset.similarity(8, 8, (rows, training) -> new double[rows.length][1])
                        .labels(labels(8))) {
            Params params = Params.of("svm").kernel(Kernel.of("gram(0)"));
            assertSame(thrown, assertThrows(IllegalStateException.class, () -> Model.train(failing, params)));
            assertTrue(assertThrows(DkException.class, () -> Model.train(narrow, params)).getMessage().contains("8"));
            // the next failure is its own
            assertThrows(DkException.class, () -> Dataset.of(new double[][] {{Double.NaN}}));
        }
    }

    @Test
    void pointsHaveSimilarities() {
        double[][] x = points();
        Dataset.PointSimilarity function = (points, rows) -> Arrays.stream(rows)
                .mapToObj(i -> Arrays.stream(points).mapToDouble(z -> {
                    double[] d = {x[(int) i][0] - z[0], x[(int) i][1] - z[1]};
                    return Math.exp(-inner(d, d));
                }).toArray()).toArray(double[][]::new);
        Params params = Params.of("super_sparse").set("prototypes", 4).kernel(Kernel.of("similarity"));
        try (Dataset data = Dataset.pointSimilarity(x, function).labels(labels(ROWS));
                Model model = Model.train(data, params)) {
            assertEquals(4, model.prototypeCount());
            assertTrue(model.score(data, "accuracy") > 0.8);
        }
    }

    @Test
    void graphsHaveLabelledNodesAndEdges() {
        long[][] nodes = {{0, 0, 0}, {0, 0, 0}, {0}};
        long[][][] edges = {{{0, 1}, {1, 2}, {2, 0}}, {{0, 1}, {1, 2}}, {}};
        try (Dataset graphs = Dataset.graphs(nodes, edges)) {
            assertEquals(Dataset.Kind.GRAPHS, graphs.kind());
            // no round of relabelling: the product of the node counts
            assertArrayEquals(new double[] {9, 9, 3},
                    Libdk.gram(graphs, null, Kernel.of("weisfeiler_lehman(iterations=0)"), null)[0][0]);
        }
        assertThrows(DkException.class, () -> Dataset.graphs(nodes, new long[1][][]));
    }

    @Test
    void singlePrecisionAndProductsAreNear() {
        double[][] x = points();
        float[] single = new float[2 * ROWS];
        for (int i = 0; i < single.length; i++) single[i] = (float) x[i / 2][i % 2];
        Kernel kernel = Kernel.rbf(0.5);
        double[][] v = new double[ROWS][2];
        for (int i = 0; i < ROWS; i++) v[i] = new double[] {i, 1};
        try (Dataset data = Dataset.of(x); Dataset floats = Dataset.of(single, ROWS, 2)) {
            double[][] k = Libdk.gram(data, null, kernel, null)[0];
            float[] near = Libdk.gramSingle(floats, data, kernel, null);
            double[][] product = Libdk.gramProduct(data, data, kernel, v, null);
            for (int i = 0; i < ROWS; i++) {
                for (int j = 0; j < ROWS; j++) assertEquals(k[i][j], near[i * ROWS + j], 1e-5);
                for (int c = 0; c < 2; c++) {
                    double sum = 0;
                    for (int j = 0; j < ROWS; j++) sum += k[i][j] * v[j][c];
                    assertEquals(sum, product[i][c], 1e-9);
                }
            }
            assertEquals(2, data.kernelCount(Kernel.bank(Kernel.linear(), kernel)));
        }
    }

    @Test
    void weightsAreComparedAndSizesAreTold() {
        Params params = Params.of("svm").parse("C=10 kernel=[linear, rbf(gamma=0.5)] folds=3").set("probability", true);
        assertEquals("10", params.get("C"));
        // names in a grid are no parameters that were set
        assertEquals("5", Params.of("svm").set("C", 5).parse("grid=C=0.1:1 folds=4").get("C"));
        assertEquals("yes", params.get("probability"));
        assertThrows(DkException.class, () -> params.parse("C=1 gama=2"));
        assertEquals("10", params.get("C"));
        try (Dataset data = Dataset.of(points()).labels(labels(ROWS)).featureNames("height", "width");
                Model model = Model.compareWeights(data, params, null)) {
            assertTrue(model.info().contains("\"candidates\""));
            assertEquals("width", data.featureName(1));
            assertArrayEquals(new long[] {0, 1}, model.classes());
            assertEquals(2, model.classCount());
            assertEquals(2, model.featureCount());
            assertEquals(1, model.decisionCount());
            assertEquals(ROWS, model.trainingRows());
            assertEquals(model.weights().size(), model.kernelCount());
            assertEquals(model.prototypes().size(), model.prototypeCount());
            assertEquals(0, model.transformCount());
        }
    }

    @Test
    void functionsHaveShiftsOffsetsAndNormals() {
        double[][] x = points();
        try (Dataset data = Dataset.of(x).labels(labels(ROWS));
                Model model = Model.train(data, Params.of("mean_of_class").kernel(Kernel.linear()))) {
            double[][] p = model.prototypeCoordinates();
            double[] difference = {p[0][0] - p[1][0], p[0][1] - p[1][1]};
            // f(x) = (|x - p-|^2 - |x - p+|^2 + S) / (2 t), whose normal is (p+ - p-) / t
            double t = Math.sqrt(inner(difference, difference)) / model.normals()[0];
            assertEquals(model.offsets()[0], model.shifts()[0] / (2 * t), 1e-9);
        }
    }
}
