// SPDX-License-Identifier: Apache-2.0
using System;
using System.IO;
using System.Linq;
using System.Threading;
using LibDk;
using Xunit;
using static Samples;

/// <summary>Why rows got their predictions, and pages about models.</summary>
public class ExplanationsTests : IDisposable
{
    private readonly string folder = Directory.CreateDirectory(Path.Combine(Path.GetTempPath(), Path.GetRandomFileName()))
        .FullName;

    public void Dispose() => Directory.Delete(folder, true);

    private static Parameters Bank() =>
        new Parameters("svm").Parse("C=10 kernel=[linear,rbf(gamma=0.5)] probability=yes");

    private static void AssertParts(double answer, Pulls group)
    {
        AnswerShare[] parts = group.Listed.Select(one => one.Share).Append(group.Offset).ToArray();
        if (group.Others != null) parts = parts.Append(group.Others).ToArray();
        Assert.True(Math.Abs(answer - parts.Sum(one => one.Contribution)) <= 1e-10 * Math.Max(1, Math.Abs(answer)));
        Assert.True(Math.Abs(100 - parts.Sum(one => Math.Abs(one.Percent))) <= 1e-9);
        Assert.All(parts, one => Assert.True(one.Percent * one.Contribution >= 0));
    }

    [Fact]
    public void PartsSumToTheAnswerAndSharesTo100()
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data, Bank());
        double[,] decisions = model.Decision(data);
        double[,] probabilities = model.Probability(data);
        string[] predicted = model.PredictClasses(data);
        for (int row = 0; row < Rows; row += 7)
        {
            RowExplanation told = model.ExplainRow(data, row);
            Assert.Equal(row, told.Row);
            Assert.Equal(predicted[row], told.Prediction);
            Assert.NotEqual(told.Prediction, told.InsteadOf);
            Assert.Equal(Math.Abs(decisions[row, 0]), told.Answer, 12);
            Assert.Equal(told.Answer / model.Normals[0], told.Distance!.Value, 9);
            Assert.Equal(probabilities[row, predicted[row] == "3" ? 0 : 1], told.Probability!.Value, 12);
            AssertParts(told.Answer, told.Prototypes);
            AssertParts(told.Answer, told.TrainingRows!);
            AssertParts(told.Answer, told.Kernels!);
            Assert.Null(told.NearestOther);
            Assert.Null(told.TrainingRows!.Listed[0].Name);
        }
    }

    [Fact]
    public void ACounterfactualTurnsThePrediction()
    {
        double[][] x = Jagged(Points(1));
        using Dataset data = Labelled().WithFeatureNames("height", "width");
        using Model model = Model.Train(data, Bank());
        for (int row = 0; row < Rows; row += 7)
        {
            RowExplanation told = model.ExplainRow(data, row, data);
            Counterfactual turned = told.Counterfactual!;
            double[] changed = turned.AppliedTo(x[row]);
            Assert.Equal(turned.Prediction, $"{model.Predict(changed)}");
            Assert.NotEqual(told.Prediction, turned.Prediction);
            foreach (FeatureChange change in turned.Changes)
            {
                Assert.Equal(new[] { "height", "width" }[change.Column], change.Feature);
                Assert.Equal(x[row][change.Column], change.From);
            }
            Assert.Equal(turned.Distance, Math.Sqrt(turned.Changes.Sum(one => one.Deviations * one.Deviations)), 9);
        }
    }

    [Fact]
    public void TrainingRowsHaveTheirClasses()
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data, Bank());
        RowExplanation told = model.ExplainRow(data, 5, data);
        Assert.All(told.TrainingRows!.Listed, one => Assert.Equal(one.Source % 2 == 0 ? "3" : "7", one.Name));
        Assert.NotEqual(told.Prediction, told.NearestOther!.Prediction);
        Assert.Equal(model.PredictClasses(data)[told.NearestOther.Row], told.NearestOther.Prediction);
    }

    [Fact]
    public void InfluencesAreWhatTrainingWithoutTheRowChanges()
    {
        Parameters parameters = new Parameters("kelm").Parse("kernel=rbf(gamma=0.5)");
        using Dataset data = Labelled();
        using Model model = Model.Train(data, parameters);
        RowExplanation told = model.ExplainRow(data, 4);
        Assert.True(told.Influences!.Exact);
        foreach (Influence influence in told.Influences.Rows.Take(3))
        {
            using Dataset rest = data.Select(Enumerable.Range(0, Rows).Select(i => (long)i)
                .Where(i => i != influence.Row).ToArray());
            using Model without = Model.Train(rest, parameters);
            double decision = without.Decision(data)[4, 0] * (told.Prediction == "7" ? 1 : -1);
            Assert.Equal(influence.Change, told.Answer - decision, 9);
        }
    }

    [Fact]
    public void ARegressionExplainsItsValue()
    {
        double[,] x = Points(1);
        double[] targets = Enumerable.Range(0, Rows).Select(i => Math.Sin(x[i, 0])).ToArray();
        foreach (string machine in new[] { "svr", "kernel_ridge" })
        {
            using Dataset data = Dataset.From(x).WithTargets(targets);
            using Model model = Model.Train(data, new Parameters(machine));
            RowExplanation told = model.ExplainRow(data, 3, data);
            Assert.Equal(model.Predict(data)[3], told.Answer, 12);
            Assert.Null(told.Prediction);
            Assert.Null(told.Counterfactual);
            Pull strongest = told.TrainingRows!.Listed[0];
            Assert.Equal(targets[strongest.Source],
                double.Parse(strongest.Name!, System.Globalization.CultureInfo.InvariantCulture));
            AssertParts(told.Answer, told.TrainingRows);
            Assert.Contains("training rows that pull", told.ToString());
        }
    }

    [Fact]
    public void ExplanationsPrintAsTables()
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data, Bank());
        RowExplanation told = model.ExplainRow(data, 5, data);
        string text = told.ToString();
        Assert.Contains("instead of", text);
        Assert.Contains("normalize(linear)", text);
        Assert.Contains($"it would be {told.Counterfactual!.Prediction} with", text);
        string[] lines = text.Split(Environment.NewLine);
        Assert.Equal(3, lines.Count(line => line.TrimStart().StartsWith("offset")));
        Assert.True(lines.Length < 60);
    }

    [Fact]
    public void WrongRowsFailWithTheirNumber()
    {
        using Dataset data = Labelled();
        using Dataset few = data.Select(0, 1, 2);
        using Model model = Model.Train(data, Bank());
        Assert.Equal("row is 60; allowed is 0 to 59",
            Failure(DkStatus.InvalidArgument, () => model.ExplainRow(data, Rows)).Message);
        Failure(DkStatus.InvalidArgument, () => model.ExplainRow(data, -1));
        Failure(DkStatus.Dimension, () => model.ExplainRow(data, 0, few));
        Assert.Throws<ArgumentNullException>(() => model.ExplainRow(null!, 0));
        using var stopped = new CancellationTokenSource();
        stopped.Cancel();
        Assert.Throws<OperationCanceledException>(() =>
            model.ExplainRow(data, 0, data, new CallOptions { Cancellation = stopped.Token }));
        model.Dispose();
        Assert.Throws<ObjectDisposedException>(() => model.ExplainRow(data, 0));
    }

    [Fact]
    public void APageIsHtmlAndTheSameBytes()
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data, Bank());
        string first = Path.Combine(folder, "first.html");
        string again = Path.Combine(folder, "again.html");
        model.WritePage(first, data, data, "rows=3 title=Two <classes>");
        model.WritePage(again, data, data, "rows=3 title=Two <classes>", new CallOptions { Threads = 1 });
        Assert.StartsWith("<!DOCTYPE html>", File.ReadAllText(first));
        Assert.Contains("<title>Two &lt;classes&gt;</title>", File.ReadAllText(first));
        Assert.Equal(File.ReadAllBytes(first), File.ReadAllBytes(again));
        model.WritePage(again, data, options: "image=2x1");
        Assert.StartsWith("<!DOCTYPE html>", File.ReadAllText(again));
        string none = Path.Combine(folder, "none.html");
        Failure(DkStatus.InvalidParameter, () => model.WritePage(none, data, options: "rows=0"));
        Assert.False(File.Exists(none));
        Failure(DkStatus.Io, () => model.WritePage(Path.Combine(folder, "none", "page.html"), data));
    }

    [Fact]
    public void ModelsAreCompared()
    {
        using Dataset data = Labelled();
        using Model svm = Model.Train(data, Bank());
        using Model kelm = Model.Train(data, new Parameters("kelm"));
        using Model alone = Model.Train(data, new Parameters("one_class_svm"));
        string page = Path.Combine(folder, "page.html");
        string again = Path.Combine(folder, "again.html");
        Model.Compare(page, new[] { svm, kelm }, data);
        Model.Compare(again, new[] { svm, kelm }, data);
        string text = File.ReadAllText(page);
        Assert.StartsWith("<!DOCTYPE html>", text);
        Assert.Contains("svm", text);
        Assert.Contains("kelm", text);
        Assert.Equal(text, File.ReadAllText(again));
        Assert.StartsWith("model 1 is of novelty",
            Failure(DkStatus.InvalidArgument, () => Model.Compare(again, new[] { svm, alone }, data)).Message);
        Failure(DkStatus.InvalidArgument, () => Model.Compare(again, Array.Empty<Model>(), data));
        Assert.Throws<ArgumentNullException>(() => Model.Compare(again, new[] { svm, null! }, data));
    }
}
