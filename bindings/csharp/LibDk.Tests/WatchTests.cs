// SPDX-License-Identifier: Apache-2.0
using System;
using System.Linq;
using LibDk;
using Xunit;
using static Samples;

/// <summary>Models in use: thresholds, sets, drift and warnings.</summary>
public class WatchTests
{
    [Fact]
    public void ThresholdsAndSetsAreOfAnotherModel()
    {
        using Dataset data = Labelled();
        using Model plain = Model.Train(data, new Parameters("svm"));
        using Model model = plain.MoveThreshold(data, "miss_cost=1e6");
        double[] labels = model.Predict(data);
        Assert.All(Enumerable.Range(0, Rows).Where(i => i % 2 == 1), i => Assert.Equal(7, labels[i]));
        Failure(DkStatus.Unsupported, () => plain.MoveThreshold(data, "false_alarms=0.05"));
        Failure(DkStatus.InvalidParameter, () => plain.MoveThreshold(data, "misscost=1"));
        Assert.Throws<ArgumentNullException>(() => plain.MoveThreshold(null!, "miss_cost=1"));

        using Model calibrated = plain.Calibrate(data);
        double[,] sets = calibrated.PredictSet(data, 0.9);
        Assert.Equal((Rows, 2), (sets.GetLength(0), sets.GetLength(1)));
    }

    [Fact]
    public void ModelsLearnFromFurtherRowsAndForgetSome()
    {
        using Dataset data = Labelled();
        var parameters = new Parameters("kelm") { { "kernel", "rbf(gamma=1)" }, { "scale", "none" }, { "updatable", "yes" } };
        long[] first = Enumerable.Range(0, 8).Select(i => (long)i).ToArray();
        long[] rest = Enumerable.Range(8, Rows - 8).Select(i => (long)i).ToArray();
        using Dataset some = data.Select(first);
        using Dataset others = data.Select(rest);
        using Model part = Model.Train(some, parameters);
        using Model whole = part.Update(others);
        using Model back = whole.Update(null, rest);
        using Model all = Model.Train(data, parameters);
        double[,] expected = all.Decision(data), found = whole.Decision(data);
        double[,] before = part.Decision(data), after = back.Decision(data);
        for (int i = 0; i < Rows; i++)
        {
            Assert.Equal(expected[i, 0], found[i, 0], 9);
            Assert.Equal(before[i, 0], after[i, 0], 9);
        }
        using Model plain = Model.Train(data, new Parameters("svm"));
        Failure(DkStatus.Unsupported, () => plain.Update(data));
    }

    [Fact]
    public void RowsFarAwayAreNew()
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data, new Parameters("svm") { { "novelty", "yes" } });
        double[,] far = Points(2);
        for (int i = 0; i < far.GetLength(0); i++) far[i, 0] += 1000;
        using Dataset fresh = Dataset.From(far);
        double[,] told = model.Novelty(fresh);
        for (int i = 0; i < told.GetLength(0); i++) Assert.Equal(1.0 / (1 + Rows - Rows / 2), told[i, 1]);
    }

    [Fact]
    public void DriftIsSeenWhereRowsMove()
    {
        using Dataset data = Labelled();
        using Model plain = Model.Train(data, new Parameters("svm"));
        DriftTest same = plain.Drift(data, data);
        Assert.Equal(0, same.Distance, 6);
        Assert.True(same.P > 0.99);
        double[,] moved = Points(2);
        for (int i = 0; i < Rows; i++) moved[i, 0] += 3;
        using Dataset fresh = Dataset.From(moved);
        DriftTest found = plain.Drift(fresh, data);
        Assert.Equal(0.001, found.P);
        Assert.True(found.Distance > found.Usual);
        Failure(DkStatus.Unsupported, () => plain.Drift(fresh));
        using Model ridge = Model.Train(data, new Parameters("kelm"));
        Assert.Equal(ridge.Drift(fresh, data).P, ridge.Drift(fresh).P);
    }

    [Fact]
    public void AModelIsChosenWhereNoMachineIsNamed()
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data);
        Assert.Equal("svm", model.Report.Machine);
        Assert.Contains("\"choice\"", model.Info);
    }

    [Fact]
    public void ModelsPrintTheirWarnings()
    {
        using Dataset data = Labelled();
        Model model = Model.Train(data, new Parameters("svm") { { "max_iterations", 2 } });
        ModelWarning warning = Assert.Single(model.Warnings);
        Assert.Equal("convergence", warning.About);
        Assert.Contains("max_iterations=2", warning.Text);
        Assert.Contains("warning: convergence: ", model.ToString());
        model.Dispose();
        Assert.Equal("a closed model", model.ToString());
        Assert.Throws<ObjectDisposedException>(() => model.Warnings);
        using Model good = Model.Train(data, new Parameters("svm"));
        Assert.Empty(good.Warnings);
    }
}
