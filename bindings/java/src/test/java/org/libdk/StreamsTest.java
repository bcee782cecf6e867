// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.libdk.Samples.ROWS;
import static org.libdk.Samples.failure;
import static org.libdk.Samples.labelled;
import static org.libdk.Samples.labels;
import static org.libdk.Samples.points;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rows that come as a stream, and predictions that go as one. */
class StreamsTest {
    private static Model trained() {
        try (Dataset data = labelled()) {
            return Model.train(data, Params.of("svm").set("probability", true).kernel(Kernel.rbf(0.5)));
        }
    }

    @Test
    void streamsGiveWhatTheWholeGives() {
        double[][] x = points(2);
        try (Model model = trained(); Dataset data = Dataset.of(x); Control control = new Control().threads(1)) {
            List<Prediction> expected = model.predictions(data).toList();
            double[] predicted = model.predict(data);
            double[][] decisions = model.decision(data, null);
            double[][] probabilities = model.probability(data, null);
            for (int i = 0; i < ROWS; i++) {
                Prediction one = expected.get(i);
                assertEquals(predicted[i], one.value());
                assertEquals(Long.toString((long) predicted[i]), one.className());
                assertEquals(decisions[i][0], one.decisions().get(0));
                assertEquals(probabilities[i][1], one.probabilities().get("7"));
            }
            for (int batch : new int[] {1, 7, ROWS, 1000})
                assertEquals(expected, model.predict(Arrays.stream(x), batch, control).toList());
            assertEquals(expected, model.predict(Arrays.stream(x)).parallel().toList());
            assertEquals(ROWS, model.predict(Arrays.stream(x)).count());
            assertEquals(List.of(), model.predict(Stream.<double[]>empty()).toList());
        }
    }

    @Test
    void rowsAreTakenOneBatchAtATime() {
        AtomicInteger taken = new AtomicInteger();
        double[] used = new double[2];
        // an endless stream, in an array that is used again
        Stream<double[]> rows = Stream.generate(() -> {
            used[0] = used[1] = taken.getAndIncrement() % 2 == 0 ? -3 : 3;
            return used;
        });
        try (Model model = trained()) {
            Stream<Prediction> predictions = model.predict(rows, 4, null);
            assertEquals(0, taken.get());
            assertEquals(List.of("3", "7", "3", "7", "3"), predictions.limit(5).map(Prediction::className).toList());
            assertEquals(8, taken.get());
        }
    }

    @Test
    void wrongRowsAreTold() {
        try (Model model = trained()) {
            assertTrue(refused(model, DkException.Status.DIMENSION, new double[3]).contains("row 9 "));
            assertTrue(refused(model, DkException.Status.INVALID_ARGUMENT, null).contains("row 9 "));
            String value = refused(model, DkException.Status.INVALID_DATA, new double[] {1, Double.NaN});
            assertTrue(value.contains("row 9, column 1"), value);
            assertTrue(refused(model, DkException.Status.INVALID_DATA, new double[] {Double.NEGATIVE_INFINITY, 1})
                    .contains("-Infinity at row 9, column 0"));
            failure(DkException.Status.INVALID_ARGUMENT, () -> model.predict(Stream.empty(), 0, null));
            assertThrows(NullPointerException.class, () -> model.predict((Stream<double[]>) null));
        }
    }

    /** Predicts nine right rows and a wrong one by fours: two batches come out, the third fails. */
    private static String refused(Model model, DkException.Status status, double[] wrong) {
        Stream<double[]> rows = IntStream.range(0, 12).mapToObj(i -> i == 9 ? wrong : new double[2]);
        Iterator<Prediction> predictions = model.predict(rows, 4, null).iterator();
        for (int i = 0; i < 8; i++) predictions.next();
        return failure(status, predictions::next).getMessage();
    }

    @Test
    void missingValuesAreFilledWhereTheModelFillsThem() {
        double[][] x = points(1);
        x[3][1] = Double.NaN;
        try (Dataset data = Dataset.withMissing(x).labels(labels());
                Model model = Model.train(data, Params.of("svm").set("impute", "mean"))) {
            assertEquals(model.predictions(data).toList(), model.predict(Arrays.stream(x), 10, null).toList());
            assertEquals(model.predict(data)[3], model.predict(x[3]));
        }
    }

    @Test
    void nothingIsClosedThatIsTheCallers() {
        AtomicBoolean closed = new AtomicBoolean();
        try (Model model = trained()) {
            try (Stream<Prediction> predictions = model.predict(Stream.of(new double[2]).onClose(() -> closed.set(true)))) {
                assertEquals(1, predictions.count());
            }
            assertFalse(closed.get());
            assertEquals(1, model.predict(Stream.of(new double[2])).toList().size());
        }
    }

    @Test
    void cancelsAndClosesEndAStream() {
        Model model = trained();
        Control control = new Control();
        Iterator<Prediction> cancelled = model.predict(Stream.generate(() -> new double[2]), 2, control).iterator();
        cancelled.next();
        control.cancel();
        // what was scored before comes out
        cancelled.next();
        failure(DkException.Status.CANCELLED, cancelled::next);
        Iterator<Prediction> closed = model.predict(Stream.generate(() -> new double[2]), 1, null).iterator();
        closed.next();
        model.close();
        assertThrows(IllegalStateException.class, closed::next);
        assertThrows(IllegalStateException.class, () -> model.predict(Stream.empty()));
        control.close();
    }
}
