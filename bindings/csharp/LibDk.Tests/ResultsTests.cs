// SPDX-License-Identifier: Apache-2.0
using System;
using System.Linq;
using LibDk;
using Xunit;
using static Samples;

/// <summary>What models tell as values: scores, reports, weights, explanations.</summary>
public class ResultsTests
{
    [Fact]
    public void ScoresHaveEveryCandidateAndTheBest()
    {
        Parameters parameters = new Parameters("svm").Parse("folds=3 repeats=2 grid=C=0.1:10;kernel=[linear,rbf(gamma=1)]");
        using Dataset data = Labelled();
        using Model model = Model.CrossValidate(data, parameters);
        Scores scores = model.Scores!;
        Assert.Equal(4, scores.Candidates.Count);
        Assert.Equal(3, scores.Folds);
        Assert.Equal(2, scores.Repeats);
        Assert.Equal("accuracy", scores.Select);
        Assert.Equal(new[] { "C", "kernel" }, Parameter.Names(scores.Candidates[0].Parameters).OrderBy(name => name));
        foreach (Candidate candidate in scores.Candidates)
        {
            MetricScore accuracy = candidate.Metrics["accuracy"];
            Assert.Equal(6, accuracy.Folds.Count);
            Assert.Equal(accuracy.Folds.Average(), accuracy.Mean, 12);
            double squares = accuracy.Folds.Sum(one => Math.Pow(one - accuracy.Mean, 2));
            Assert.Equal(Math.Sqrt(squares / 5), accuracy.Deviation, 12);
            Assert.True(accuracy.Mean <= scores.Best.Metrics["accuracy"].Mean + 1e-12);
        }
        Candidate behind = scores.Candidates.First(one => one.BehindBest != null);
        Assert.Equal(scores.Best.Metrics["accuracy"].Mean - behind.Metrics["accuracy"].Mean,
            behind.BehindBest!.Difference, 12);
        // what was trained on all rows has the parameters of the best
        var best = new Parameters("svm").Parse(scores.Best.Parameters);
        Assert.Equal(best["C"], model.Report.Parameters["C"]);
        Assert.StartsWith(best["kernel"], model.Report.Kernel);
        string[] lines = scores.ToString().Split(Environment.NewLine);
        Assert.Equal(5, lines.Length);
        Assert.Single(lines, line => line.StartsWith("*") && line.EndsWith(scores.Best.Parameters));
    }

    [Fact]
    public void ScoresOfOneCandidateAreThoseOfTheMachine()
    {
        using Dataset data = Labelled();
        using Model trained = Model.Train(data, new Parameters("svm"));
        Assert.Null(trained.Scores);
        using Model model = Model.CrossValidate(data, new Parameters("svm").Parse("folds=4"));
        Scores scores = model.Scores!;
        Assert.Null(scores.Select);
        Assert.Same(Assert.Single(scores.Candidates), scores.Best);
        Assert.Equal("", scores.Best.Parameters);
        Assert.Null(scores.Best.BehindBest);
        Assert.Contains("accuracy", scores.ToString());
    }

    [Fact]
    public void NestedScoresHaveAChoiceForEachOuterFold()
    {
        using Dataset data = Labelled();
        using Model model = Model.CrossValidate(data, new Parameters("svm").Parse("folds=3 outer_folds=2 grid=C=0.1:10"));
        NestedScores nested = model.Scores!.Nested!;
        Assert.Equal(2, nested.Folds);
        Assert.Equal(2, nested.Chosen.Count);
        Assert.All(nested.Chosen, one => Assert.Contains(one, new[] { "C=0.1", "C=10" }));
        Assert.Equal(2, nested.Metrics["accuracy"].Folds.Count);
    }

    [Fact]
    public void WeightsOverHalvesTellHowFarTheyDependOnRows()
    {
        using Dataset data = Labelled();
        using Model model = Model.CrossValidate(data,
            new Parameters("svm").Parse("folds=3 halves=4 kernel=[linear,rbf(gamma=1)] weights=uniform"));
        WeightStability stability = model.Scores!.WeightsOverHalves!;
        // uniform weights depend on no rows
        Assert.Equal((4, 1.0), (stability.Halves, stability.Jaccard));
        Assert.Equal(new[] { new KernelStability("normalize(linear)", 0.5, 0, 1), new KernelStability("rbf(gamma=1)", 0.5, 0, 1) },
            stability.Kernels);
        Assert.Null(model.Scores!.Nested);
    }

    [Fact]
    public void ReportsSayWhatWasTrainedAndWhetherItConverged()
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data, new Parameters("svm").Parse("C=10 kernel=linear"));
        TrainingReport report = model.Report;
        Assert.Equal(("svm", "classification", "linear"), (report.Machine, report.Task, report.Kernel));
        Assert.Equal("10", report.Parameters["C"]);
        Assert.Equal(Rows, report.TrainingRows);
        SolverReport function = Assert.Single(report.Functions);
        Assert.Equal(("7", "3"), (function.Positive, function.Negative));
        Assert.Equal(report.SupportRows, function.SupportVectors);
        Assert.True(report.Converged);
        Assert.Equal(function.Objective, report.Objective);
        Assert.Contains("converged", report.ToString());
        // the hard limit of steps
        using Model stopped = Model.Train(data, new Parameters("svm").Parse("C=1e6 max_iterations=1 tolerance=1e-9"));
        Assert.False(stopped.Report.Converged);
        using Model closed = Model.Train(data, new Parameters("fisher"));
        Assert.Null(closed.Report.Converged);
        Assert.Null(closed.Report.Objective);
        using Model components = Model.Train(data, new Parameters("kernel_pca"));
        Assert.InRange(components.Report.Measures["variance_explained"], 0, 1);
        Assert.True(components.Report.Converged);
    }

    [Fact]
    public void SeveralFunctionsHaveNoObjectiveTogether()
    {
        using Dataset data = Dataset.From(Points(1)).WithLabels(Enumerable.Range(0, Rows).Select(i => (long)(i % 3)).ToArray());
        using Model pairs = Model.Train(data, new Parameters("svm"));
        TrainingReport report = pairs.Report;
        Assert.Equal(3, report.Functions.Count);
        Assert.All(report.Functions, one => Assert.NotNull(one.Objective));
        Assert.All(report.Functions, one => Assert.NotNull(one.Gap));
        Assert.Null(report.Objective);
        Assert.Null(report.Gap);
        Assert.Equal(report.Functions.Sum(one => one.Iterations), report.Iterations);
        // a machine that is trained as a whole
        using Model whole = Model.Train(data, new Parameters("super_sparse"));
        Assert.True(whole.DecisionCount > 1);
        Assert.NotNull(whole.Report.Objective);
        Assert.Equal(Assert.Single(whole.Report.Functions).Objective, whole.Report.Objective);
    }

    [Fact]
    public void WeightsPrintAsATable()
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data, new Parameters("svm").Parse("kernel=[linear,rbf(gamma=1)]"));
        Assert.Equal(2, model.Weights.Count);
        Assert.Equal(new KernelWeight("rbf(gamma=1)", 0.5), model.Weights[1]);
        Assert.Equal($"0.5  normalize(linear){Environment.NewLine}0.5  rbf(gamma=1)", model.Weights.ToString());
    }

    [Fact]
    public void ContributionsAndOffsetsAddUpToDecisions()
    {
        long[] labels = Enumerable.Range(0, Rows).Select(i => i % 3L).ToArray();
        using Dataset data = Dataset.From(Points(1)).WithLabels(labels);
        using Model model = Model.Train(data, new Parameters("svm"));
        double[,] decisions = model.Decision(data);
        Explanation told = model.Explain(data, 4);
        Assert.Equal(3, told.Decisions.Count);
        for (int f = 0; f < 3; f++)
        {
            Assert.Equal(decisions[4, f], told.Decisions[f], 12);
            Assert.Equal(decisions[4, f],
                told.Contributions.Where(one => one.Function == f).Sum(one => one.Value) + told.Offsets[f], 9);
        }
        Assert.Equal(model.PredictClasses(data)[4], told.Prediction.ClassName);
        Assert.Equal(told.ToString(), model.Explain(Jagged(Points(1))[4]).ToString());
        Failure(DkStatus.InvalidArgument, () => model.Explain(data, Rows));
        Failure(DkStatus.Dimension, () => model.Explain(new double[3]));
        Assert.Throws<ArgumentNullException>(() => model.Explain(null!, 0L));
    }

    private static class Parameter
    {
        internal static string[] Names(string parameters) =>
            parameters.Split(' ').Select(pair => pair.Split('=')[0]).ToArray();
    }
}
