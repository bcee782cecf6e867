// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.libdk.Samples.ROWS;
import static org.libdk.Samples.failure;
import static org.libdk.Samples.labelled;
import static org.libdk.Samples.labels;
import static org.libdk.Samples.points;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why rows got their predictions, and pages about models. */
class ExplanationsTest {
    private static final Params BANK =
            Params.of("svm").parse("C=10 kernel=[linear,rbf(gamma=0.5)] probability=yes");

    private static void assertParts(double answer, RowExplanation.Pulls group) {
        double sum = group.offset().contribution();
        double shares = Math.abs(group.offset().share());
        for (RowExplanation.Pull pull : group.pulls()) {
            sum += pull.contribution();
            shares += Math.abs(pull.share());
            assertTrue(pull.share() * pull.contribution() >= 0, pull.toString());
        }
        if (group.others() != null) {
            sum += group.others().contribution();
            shares += Math.abs(group.others().share());
        }
        assertEquals(answer, sum, 1e-10 * Math.max(1, Math.abs(answer)));
        assertEquals(100, shares, 1e-9);
    }

    @Test
    void partsSumToTheAnswerAndSharesTo100() {
        try (Dataset data = labelled(); Model model = Model.train(data, BANK)) {
            double[][] probabilities = model.probability(data, null);
            double[][] decisions = model.decision(data, null);
            double[] predicted = model.predict(data);
            for (int row = 0; row < ROWS; row += 7) {
                RowExplanation told = model.explainRow(data, row);
                assertEquals(row, told.row());
                assertEquals(String.valueOf((long) predicted[row]), told.prediction());
                assertNotEquals(told.prediction(), told.insteadOf());
                assertEquals(probabilities[row][predicted[row] == 3 ? 0 : 1], told.probability(), 1e-12);
                assertEquals(Math.abs(decisions[row][0]), told.answer(), 1e-12);
                assertEquals(told.answer() / model.normals()[0], told.distance(), 1e-9);
                assertParts(told.answer(), told.prototypes());
                assertParts(told.answer(), told.trainingRows());
                assertParts(told.answer(), told.kernels());
                assertNull(told.nearestOther());
                assertNull(told.trainingRows().pulls().get(0).name());
            }
        }
    }

    @Test
    void aCounterfactualTurnsThePrediction() {
        double[][] x = points(1);
        try (Dataset data = labelled().featureNames("height", "width"); Model model = Model.train(data, BANK)) {
            for (int row = 0; row < ROWS; row += 7) {
                RowExplanation told = model.explainRow(data, row, data, null);
                RowExplanation.Counterfactual turned = told.counterfactual();
                assertNotNull(turned);
                double[] changed = turned.appliedTo(x[row]);
                assertArrayEquals(points(1)[row], x[row]);
                assertEquals(turned.prediction(), String.valueOf((long) model.predict(changed)));
                assertNotEquals(told.prediction(), turned.prediction());
                double square = 0;
                for (RowExplanation.Change change : turned.changes()) {
                    assertEquals(List.of("height", "width").get(change.column()), change.feature());
                    assertEquals(x[row][change.column()], change.from());
                    square += change.deviations() * change.deviations();
                }
                assertEquals(turned.distance(), Math.sqrt(square), 1e-9);
            }
        }
    }

    @Test
    void trainingRowsHaveTheirClasses() {
        long[] labels = labels();
        try (Dataset data = labelled(); Model model = Model.train(data, BANK)) {
            RowExplanation told = model.explainRow(data, 5, data, null);
            for (RowExplanation.Pull pull : told.trainingRows().pulls())
                assertEquals(String.valueOf(labels[(int) pull.source()]), pull.name());
            assertNotEquals(told.prediction(), told.nearestOther().prediction());
            assertEquals(String.valueOf((long) model.predict(points(1)[(int) told.nearestOther().row()])),
                    told.nearestOther().prediction());
        }
    }

    @Test
    void influencesAreWhatTrainingWithoutTheRowChanges() {
        double[][] x = points(1);
        long[] labels = labels();
        Params params = Params.of("kelm").parse("kernel=rbf(gamma=0.5)");
        try (Dataset data = labelled(); Model model = Model.train(data, params)) {
            RowExplanation told = model.explainRow(data, 4);
            assertTrue(told.influences().exact());
            for (RowExplanation.Influence influence : told.influences().rows().subList(0, 3)) {
                int[] rest = IntStream.range(0, ROWS).filter(i -> i != influence.row()).toArray();
                double[][] others = IntStream.of(rest).mapToObj(i -> x[i]).toArray(double[][]::new);
                try (Dataset left = Dataset.of(others).labels(IntStream.of(rest).mapToLong(i -> labels[i]).toArray());
                        Model without = Model.train(left, params)) {
                    double decision = without.decision(data, null)[4][0] * (told.prediction().equals("7") ? 1 : -1);
                    assertEquals(influence.change(), told.answer() - decision, 1e-9);
                }
            }
        }
    }

    @Test
    void aRegressionExplainsItsValue() {
        double[][] x = points(1);
        double[] targets = IntStream.range(0, ROWS).mapToDouble(i -> Math.sin(x[i][0])).toArray();
        for (String machine : List.of("svr", "kernel_ridge")) {
            try (Dataset data = Dataset.of(x).targets(targets); Model model = Model.train(data, Params.of(machine))) {
                RowExplanation told = model.explainRow(data, 3, data, null);
                assertEquals(model.predict(data)[3], told.answer(), 1e-12);
                assertNull(told.prediction());
                assertNull(told.counterfactual());
                RowExplanation.Pull strongest = told.trainingRows().pulls().get(0);
                assertEquals(targets[(int) strongest.source()], Double.parseDouble(strongest.name()), 1e-5);
                assertParts(told.answer(), told.trainingRows());
                assertTrue(told.toString().startsWith("row     3\nanswer"), told.toString());
            }
        }
    }

    @Test
    void explanationsPrintAsTables() {
        try (Dataset data = labelled(); Model model = Model.train(data, BANK)) {
            RowExplanation told = model.explainRow(data, 5, data, null);
            String text = told.toString();
            assertTrue(text.contains("instead of"), text);
            assertTrue(text.contains("normalize(linear)"), text);
            assertTrue(text.contains("it would be " + told.counterfactual().prediction() + " with"), text);
            assertEquals(3, text.lines().filter(line -> line.startsWith("offset")).count(), text);
            assertTrue(text.lines().count() < 60, text);
            assertThrows(UnsupportedOperationException.class, () -> told.prototypes().pulls().clear());
        }
    }

    @Test
    void wrongRowsFailWithTheirNumber() {
        try (Dataset data = labelled(); Dataset few = data.select(0, 1, 2); Model model = Model.train(data, BANK);
                Control control = new Control()) {
            assertEquals("row is 60; allowed is 0 to 59",
                    failure(DkException.Status.INVALID_ARGUMENT, () -> model.explainRow(data, ROWS)).getMessage());
            failure(DkException.Status.INVALID_ARGUMENT, () -> model.explainRow(data, -1));
            failure(DkException.Status.DIMENSION, () -> model.explainRow(data, 0, few, null));
            assertThrows(NullPointerException.class, () -> model.explainRow(null, 0));
            control.cancel();
            failure(DkException.Status.CANCELLED, () -> model.explainRow(data, 0, data, control));
        }
    }

    @Test
    void aReportIsAPageAndTheSameBytes(@TempDir Path folder) throws IOException {
        try (Dataset data = labelled(); Model model = Model.train(data, BANK); Control one = new Control()) {
            Path first = folder.resolve("first.html");
            Path again = folder.resolve("again.html");
            model.report(first, data, data, "rows=3 title=Two <classes>", null);
            one.threads(1);
            model.report(again, data, data, "rows=3 title=Two <classes>", one);
            String page = Files.readString(first);
            assertTrue(page.startsWith("<!DOCTYPE html>"));
            assertTrue(page.contains("<title>Two &lt;classes&gt;</title>"));
            assertArrayEquals(Files.readAllBytes(first), Files.readAllBytes(again));
            model.report(again, data, "rows=3", "image=2x1");
            assertTrue(Files.readString(again).startsWith("<!DOCTYPE html>"));
            Path none = folder.resolve("none.html");
            failure(DkException.Status.INVALID_PARAMETER, () -> model.report(none, data, "rows=0"));
            assertFalse(Files.exists(none));
            failure(DkException.Status.IO, () -> model.report(folder.resolve("none").resolve("page.html"), data));
        }
    }

    @Test
    void modelsAreCompared(@TempDir Path folder) throws IOException {
        Path page = folder.resolve("page.html");
        try (Dataset data = labelled(); Model svm = Model.train(data, BANK);
                Model kelm = Model.train(data, Params.of("kelm"));
                Model alone = Model.train(data, Params.of("one_class_svm"))) {
            Model.compare(page, List.of(svm, kelm), data);
            String text = Files.readString(page);
            assertTrue(text.startsWith("<!DOCTYPE html>") && text.contains("svm") && text.contains("kelm"));
            Path again = folder.resolve("again.html");
            Model.compare(again, List.of(svm, kelm), data);
            assertArrayEquals(Files.readAllBytes(page), Files.readAllBytes(again));
            String message = failure(DkException.Status.INVALID_ARGUMENT,
                    () -> Model.compare(again, List.of(svm, alone), data)).getMessage();
            assertTrue(message.startsWith("model 1 is of novelty"), message);
            failure(DkException.Status.INVALID_ARGUMENT, () -> Model.compare(again, List.of(), data));
        }
    }
}
