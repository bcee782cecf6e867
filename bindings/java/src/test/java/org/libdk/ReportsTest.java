// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.libdk.Samples.ROWS;
import static org.libdk.Samples.labelled;
import static org.libdk.Samples.points;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the library tells of models, as values: reports, scores, weights and explanations. */
class ReportsTest {
    @Test
    void reportsHaveWhatTheModelHas() {
        Params params = Params.of("svm").set("C", 10).kernel(Kernel.bank(Kernel.linear(), Kernel.rbf(0.5)));
        try (Dataset data = labelled().featureNames("height", "width"); Model model = Model.train(data, params)) {
            TrainingReport report = model.report();
            assertEquals("svm", report.machine());
            assertEquals(model.task(), report.task());
            assertEquals(data.kind(), report.data());
            assertEquals(model.kernelWeights(), report.kernels());
            assertEquals(model.classNames(), report.classes());
            assertEquals("10", report.parameters().get("C"));
            assertEquals(List.of("height", "width"), report.featureNames());
            assertEquals(ROWS, report.trainingRows());
            assertEquals(model.decisionCount(), report.decisions());
            assertFalse(report.probabilities());
            // the numbers stand in the text as they are
            assertTrue(model.info().contains("\"objective\":" + report.objective().getAsDouble()), model.info());
            assertTrue(report.objective().getAsDouble() < 0);
            assertEquals(Optional.of(true), report.converged());
            TrainedFunction function = report.functions().get(0);
            assertEquals("7", function.positive());
            assertEquals("3", function.negative());
            assertEquals(report.gap(), function.gap());
            assertEquals(report.supportRows(), function.supportVectors().getAsLong());
            assertEquals(report.training(), model.facts().get("training"));
            assertEquals(Map.of("count", 2L, "pairs", true, "neighbours", 5L), model.facts().get("prototypes"));
            assertThrows(UnsupportedOperationException.class, () -> model.facts().clear());
            assertThrows(UnsupportedOperationException.class, () -> report.training().clear());
            assertThrows(UnsupportedOperationException.class, () -> report.parameters().put("C", "1"));
        }
    }

    @Test
    void machinesThatSolveNothingTellNoObjective() {
        try (Dataset data = labelled(); Model model = Model.train(data, Params.of("mean_of_class"))) {
            assertEquals(OptionalDouble.empty(), model.report().objective());
            assertEquals(Optional.empty(), model.report().converged());
            assertEquals(Optional.empty(), model.scores());
        }
    }

    @Test
    void iterationsOfFunctionsAddUp() {
        long[] three = IntStream.range(0, ROWS).mapToLong(i -> i % 3).toArray();
        try (Dataset data = Dataset.of(points(1)).labels(three); Model model = Model.train(data, Params.of("svm"))) {
            TrainingReport report = model.report();
            assertEquals(3, report.functions().size());
            assertEquals(report.functions().stream().mapToLong(f -> f.iterations().getAsLong()).sum(),
                    report.iterations().getAsLong());
            assertEquals(OptionalDouble.empty(), report.objective());
        }
    }

    /** The names of all machines, which stand one level below their list. */
    private static List<String> machines() {
        String described = Libdk.describe();
        int begin = described.indexOf("\n  \"machines\": [");
        String list = described.substring(begin, described.indexOf("\n  ]", begin));
        return Pattern.compile("\n {6}\"name\": \"(\\w+)\"").matcher(list).results().map(found -> found.group(1)).toList();
    }

    @Test
    void functionsTellTheirSides() {
        long[] three = IntStream.range(0, ROWS).mapToLong(i -> i % 3).toArray();
        try (Dataset data = Dataset.of(points(1)).labels(three)) {
            try (Model model = Model.train(data, Params.of("svm").set("multiclass", "ovr"))) {
                List<TrainedFunction> functions = model.report().functions();
                assertEquals(List.of("0", "1", "2"), functions.stream().map(TrainedFunction::positive).toList());
                for (TrainedFunction function : functions) assertEquals("rest", function.negative());
            }
            try (Model model = Model.train(data, Params.of("one_class_svm"))) {
                TrainedFunction function = model.report().functions().get(0);
                assertNull(function.positive());
                assertNull(function.negative());
            }
        }
    }

    @Test
    void everyMachineHasAReport() {
        List<String> machines = machines();
        assertTrue(machines.containsAll(List.of("svm", "svr", "one_class_svm", "imkpl", "kernel_pca")), machines.toString());
        double[] row = points(2)[0];
        try (Dataset data = Dataset.of(points(1)).labels(IntStream.range(0, ROWS).mapToLong(i -> i % 2).toArray())) {
            for (String machine : machines)
                try (Model model = Model.train(data, Params.of(machine))) {
                    assertEquals(machine, model.report().machine());
                    assertEquals(model.task(), model.report().task());
                    assertEquals(model.predict(row), model.explain(row).prediction().value(), machine);
                    assertEquals(model.prototypeCount(), model.explain(row).contributions().size(), machine);
                    assertFalse(model.report().toString().isEmpty() || model.explain(row).toString().isEmpty());
                }
        }
    }

    @Test
    void everyKindOfDataHasAReport() {
        List<Dataset> kinds = List.of(
                Dataset.of(new double[][] {{0}, {1}}),
                Dataset.sparse(new long[] {0, 1, 2}, new long[] {0, 1}, new double[] {1, 2}, 2),
                Dataset.similarities(new double[][] {{1, 0}, {0, 1}}),
                Dataset.series(new double[][][] {{{0}, {1}}, {{2}}}),
                Dataset.strings(List.of("aaa", "bbb")),
                Dataset.graphs(new long[][] {{0}, {1}}, new long[2][0][]));
        assertEquals(List.of(Dataset.Kind.values()), kinds.stream().map(Dataset::kind).toList());
        for (Dataset data : kinds)
            try (data; Model model = Model.train(data.labels(0, 1), Params.of("mean_of_class"))) {
                assertEquals(data.kind(), model.report().data());
                assertEquals(2, model.predictions(data).count());
            }
    }

    @Test
    void scoresHaveEveryCandidateAndFold() {
        Params params = Params.of("svm").set("folds", 3).set("repeats", 2).set("outer_folds", 2)
                .set("grid", Map.of("C", List.of(0.01, 10)));
        try (Dataset data = labelled(); Model model = Model.crossValidate(data, params, null)) {
            Scores scores = model.scores().orElseThrow();
            assertEquals(3, scores.folds());
            assertEquals(2, scores.repeats());
            assertEquals("accuracy", scores.select());
            assertEquals(List.of("C=0.01", "C=10"), scores.candidates().stream().map(Scores.Candidate::text).toList());
            assertEquals(scores.bestCandidate().parameters().get("C"), model.report().parameters().get("C"));
            assertNull(scores.bestCandidate().behindBest());
            Scores.Candidate other = scores.candidates().get(1 - scores.best());
            for (Scores.Candidate candidate : scores.candidates()) {
                Scores.Metric accuracy = candidate.metrics().get("accuracy");
                assertEquals(6, accuracy.folds().size());
                assertEquals(accuracy.folds().stream().mapToDouble(f -> f).average().getAsDouble(), accuracy.mean(), 1e-12);
                double squares = accuracy.folds().stream().mapToDouble(f -> Math.pow(f - accuracy.mean(), 2)).sum();
                assertEquals(Math.sqrt(squares / 5), accuracy.deviation(), 1e-12);
            }
            double best = scores.mean("accuracy").getAsDouble();
            assertEquals(best - other.metrics().get("accuracy").mean(), other.behindBest().difference(), 1e-12);
            assertEquals(OptionalDouble.empty(), scores.mean("rmse"));
            assertEquals(2, scores.nested().chosen().size());
            assertEquals(2, scores.nested().metrics().get("auc").folds().size());
        }
    }

    @Test
    void scoresWithoutAGridAreOfOneCandidate() {
        try (Dataset data = labelled(); Model model = Model.crossValidate(data, Params.of("fisher"), null)) {
            Scores scores = model.scores().orElseThrow();
            assertEquals(1, scores.candidates().size());
            assertEquals(5, scores.folds());
            assertEquals("", scores.bestCandidate().text());
            assertNull(scores.select());
            assertNull(scores.nested());
        }
    }

    @Test
    void whatNoFoldDefinesIsNotANumber() {
        Map<String, Object> undefined = new HashMap<>(Map.of("folds", Arrays.asList(null, 0.5)));
        undefined.put("mean", null);
        Scores.Metric metric = Scores.Metric.of(new Facts(undefined));
        assertTrue(Double.isNaN(metric.mean()) && Double.isNaN(metric.deviation()));
        assertEquals(List.of(Double.NaN, 0.5), metric.folds());
        Scores.Candidate candidate = new Scores.Candidate(Map.of(), Map.of("auc", metric), null);
        Scores scores = new Scores(2, 1, null, 0, List.of(candidate), null);
        assertEquals(OptionalDouble.empty(), scores.mean("auc"));
    }

    @Test
    void explanationsAddUpToDecisions() {
        double[] row = points(2)[0];
        Params params = Params.of("svm").set("probability", true).kernel(Kernel.rbf(0.5));
        try (Dataset data = labelled(); Model model = Model.train(data, params)) {
            Explanation explanation = model.explain(row);
            double sum = explanation.offsets().get(0);
            for (Explanation.Contribution one : explanation.contributions()) sum += one.value();
            Prediction prediction = explanation.prediction();
            assertEquals(prediction.decisions().get(0), sum, 1e-9);
            assertEquals(model.predict(row), prediction.value());
            assertEquals(List.of("7", "3"),
                    explanation.contributions().stream().map(Explanation.Contribution::className).toList());
            assertEquals(List.of("3", "7"), List.copyOf(prediction.probabilities().keySet()));
            assertEquals(1, prediction.probabilities().values().stream().mapToDouble(p -> p).sum(), 1e-12);
        }
    }

    @Test
    void eachFunctionOfSeveralAddsUp() {
        long[] three = IntStream.range(0, ROWS).mapToLong(i -> 5 * (i % 3)).toArray();
        Params params = Params.of("svm").set("probability", true);
        try (Dataset data = Dataset.of(points(1)).labels(three); Model model = Model.train(data, params)) {
            Explanation explanation = model.explain(points(2)[0]);
            assertEquals(6, explanation.contributions().size());
            for (int f = 0; f < 3; f++) {
                int function = f;
                double sum = explanation.contributions().stream().filter(one -> one.function() == function)
                        .mapToDouble(Explanation.Contribution::value).sum();
                assertEquals(explanation.prediction().decisions().get(f), sum + explanation.offsets().get(f), 1e-9);
            }
            assertEquals(List.of("0", "5", "10"), List.copyOf(explanation.prediction().probabilities().keySet()));
        }
    }

    @Test
    void prototypesOfTheirOwnBelongToNoFunction() {
        try (Dataset data = labelled(); Model model = Model.train(data, Params.of("kglvq").set("prototypes", 2))) {
            Explanation explanation = model.explain(points(2)[0]);
            assertEquals(model.prototypeCount(), explanation.contributions().size());
            assertTrue(explanation.contributions().stream().allMatch(one -> one.function() == -1));
        }
    }

    @Test
    void tablesAreAligned() {
        Scores.Metric high = new Scores.Metric(0.75, 0.125, List.of(0.625, 0.875));
        Scores.Metric none = new Scores.Metric(Double.NaN, Double.NaN, List.of());
        Scores scores = new Scores(2, 1, "accuracy", 0, List.of(
                new Scores.Candidate(Map.of("C", "100"), Map.of("accuracy", high), null),
                new Scores.Candidate(Map.of("C", "1"), Map.of("accuracy", none), new Scores.BehindBest(0.5, 1, 0.5))),
                null);
        assertEquals("""
                   parameters  accuracy  deviation
                *  C=100           0.75      0.125
                   C=1""", scores.toString());
        assertEquals("0.333333 größer", new KernelWeight("größer", 1.0 / 3).toString());
        assertEquals("R (decision -0.5, 1.2E+20; probability M 0.25, R 0.75)",
                new Prediction(1, "R", List.of(-0.5, 1.2e20), new TreeMap<>(Map.of("M", 0.25, "R", 0.75)))
                        .toString());
    }

    @Test
    void everythingPrintsItself() {
        Params params = Params.of("svm").set("C", 2).kernel(Kernel.linear());
        assertEquals("svm {C=2, kernel=linear}", params.toString());
        Dataset data = labelled();
        Model model = Model.train(data, params);
        assertEquals("60 rows x 2 columns, dense", data.toString());
        assertEquals("svm with kernel linear, 60 training rows, 2 prototypes", model.toString());
        assertTrue(model.report().toString().contains("\ntraining rows  60\n"), model.report().toString());
        assertTrue(model.explain(1, 1).toString().contains("\n       0  offset "), model.explain(1, 1).toString());
        model.close();
        data.close();
        assertEquals("closed dataset", data.toString());
        assertEquals("closed model", model.toString());
        // whether somebody asked before or not
        assertThrows(IllegalStateException.class, model::report);
        assertThrows(IllegalStateException.class, model::facts);
    }
}
