// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.libdk.Samples.failure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Datasets of records. */
class RecordsTest {
    private enum Size {
        SMALL,
        LARGE {
            @Override
            public String toString() {
                return "very large";
            }
        }
    }

    private record Box(double height, int width, boolean open, Size size) {}

    private record Plain(double height, int width, boolean open) {}

    private record Turned(boolean open, double height, long width) {}

    private static final List<Box> BOXES = List.of(new Box(0.5, 1, true, Size.SMALL), new Box(1, 2, false, Size.SMALL),
            new Box(8.5, 9, false, Size.LARGE), new Box(9, 8, true, Size.LARGE));

    @Test
    void componentsAreColumnsAndOneIsTheTarget() {
        try (Dataset data = Dataset.ofRecords(BOXES, "size"); Model model = Model.train(data, Params.of("svm"))) {
            assertArrayEquals(new double[][] {{0.5, 1, 1}, {1, 2, 0}, {8.5, 9, 0}, {9, 8, 1}}, data.values());
            assertEquals(List.of("height", "width", "open"), model.report().featureNames());
            // names of enumerators, whatever they print
            assertEquals(Set.of("SMALL", "LARGE"), Set.copyOf(model.classNames()));
            assertEquals(List.of("SMALL", "SMALL", "LARGE", "LARGE"), model.predictClasses(data));
        }
    }

    @Test
    void predictionsFindColumnsByTheirNames() {
        try (Dataset data = Dataset.ofRecords(BOXES, "size"); Model model = Model.train(data, Params.of("fisher"));
                Dataset plain = Dataset.ofRecords(List.of(new Plain(3, 7, true)));
                Dataset turned = Dataset.ofRecords(List.of(new Turned(true, 3, 7)))) {
            assertEquals(model.predictions(plain).toList(), model.predictions(turned).toList());
            assertEquals(3, turned.cols());
        }
    }

    private record Labelled(double x, int label) {}

    private record Valued(double x, float y) {}

    private record Named(double x, String name) {}

    private record Judged(double x, Boolean good) {}

    @Test
    void targetsAreWhatTheirTypeSays() {
        try (Dataset labelled = Dataset.ofRecords(List.of(new Labelled(1, -7), new Labelled(2, 5)), "label");
                Dataset named = Dataset.ofRecords(List.of(new Named(1, "b"), new Named(2, "a")), "name");
                Dataset judged = Dataset.ofRecords(List.of(new Judged(1, true), new Judged(2, false)), "good")) {
            assertArrayEquals(new long[] {-7, 5}, labelled.labels());
            for (Dataset data : List.of(named, judged))
                try (Model model = Model.train(data, Params.of("mean_of_class").kernel(Kernel.linear()))) {
                    assertEquals(data == named ? List.of("b", "a") : List.of("true", "false"), model.predictClasses(data));
                }
        }
        List<Valued> line = new ArrayList<>();
        for (int i = 0; i < 10; i++) line.add(new Valued(i, 0.5f * i));
        try (Dataset data = Dataset.ofRecords(line, "y");
                Model model = Model.train(data, Params.of("kernel_ridge").set("C", 1e6).kernel(Kernel.linear()))) {
            assertEquals(Task.REGRESSION, model.task());
            Prediction prediction = model.predictions(data).skip(4).findFirst().orElseThrow();
            assertEquals(2, prediction.value(), 1e-3);
            assertNull(prediction.className());
        }
    }

    private record Boxed(Double x, String note) {}

    private record Failing(double x) {
        static final IllegalStateException THROWN = new IllegalStateException("no x");

        @Override
        public double x() {
            throw THROWN;
        }
    }

    @Test
    void mistakesAreNamed() {
        assertTrue(refused(BOXES, null).contains("size"));
        assertTrue(refused(BOXES, "weight").contains("it has height, width, open, size"));
        assertTrue(refused(List.of(), "size").contains("no rows"));
        assertTrue(refused(List.of(new Boxed(1.0, "")), null).contains("java.lang.String"));
        assertTrue(refused(List.of(new Boxed(1.0, "a"), new Boxed(null, "b")), "note").contains("x of row 1"));
        assertTrue(refused(List.of(new Boxed(1.0, "a"), new Boxed(2.0, null)), "note").contains("note of row 1"));
        assertTrue(refused(Arrays.asList(new Named(1, "a"), null), "name").contains("row 1"));
        assertTrue(refused(List.of(new Named(1, "a"), new Labelled(1, 1)), "x").contains("Labelled"));
        failure(DkException.Status.INVALID_DATA,
                () -> Dataset.ofRecords(List.of(new Named(Double.POSITIVE_INFINITY, "a")), "name"));
        failure(DkException.Status.INVALID_DATA, () -> Dataset.ofRecords(List.of(new Named(1, "")), "name"));
        assertSame(Failing.THROWN, assertThrows(
                IllegalStateException.class, () -> Dataset.ofRecords(List.of(new Failing(1)))));
    }

    private static String refused(List<? extends Record> rows, String target) {
        return failure(DkException.Status.INVALID_ARGUMENT, () -> Dataset.ofRecords(rows, target)).getMessage();
    }

    @Test
    void rowsWithoutColumnsAreRefused() {
        record OnlyTarget(int y) {}
        assertTrue(refused(List.of(new OnlyTarget(1)), "y").contains("no component that is a column"));
    }
}
