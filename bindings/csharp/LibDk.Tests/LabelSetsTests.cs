// SPDX-License-Identifier: Apache-2.0
using System;
using LibDk;
using Xunit;
using static Samples;

/// <summary>
/// Rows with several labels. Two rows whose kernel value is 1/2 give with C = 1 the matrix K + I = [2 1/2; 1/2 2], whose
/// inverse is [8 -2; -2 8] / 15. A label that both rows have has the log odds of 3 to 1 on every row.
/// </summary>
public class LabelSetsTests
{
    private static readonly string[] Colours = { "red", "blue" };

    private static Dataset TwoRows() => Dataset.From(new double[,] { { 0 }, { 1 } });

    private static Parameters Ridge() =>
        new Parameters("kelm") { { "kernel", "rbf(gamma=0.6931471805599453)" }, { "scale", "none" } };

    [Fact]
    public void EachLabelHasAFunction()
    {
        using Dataset data = TwoRows().WithLabelSets(new[] { new[] { "blue", "red" }, new[] { "blue" } }, Colours);
        using Model model = Model.Train(data, Ridge());
        Assert.Equal(MachineTask.Multilabel, model.Task);
        Assert.Equal(2, model.TargetCount);
        Assert.Equal(Colours, model.ClassNames);
        double[,] decisions = model.Decision(data);
        double[] expected = { 5.0 / 15, Math.Log(3), -5.0 / 15, Math.Log(3) };
        for (int e = 0; e < 4; e++) Assert.Equal(expected[e], decisions[e / 2, e % 2], 12);
        Assert.Equal(new double[] { 1, 1, 0, 1 }, model.Predict(data));
        string[][] sets = model.PredictLabelSets(data);
        Assert.Equal(Colours, sets[0]);
        Assert.Equal(new[] { "blue" }, sets[1]);
        Assert.Equal(1, model.Score(data, "accuracy"));
    }

    [Fact]
    public void NamesAreThoseOfTheSetsInAscendingOrder()
    {
        using Dataset data = TwoRows().WithLabelSets(new[] { new[] { "red", "blue" }, new string[0] });
        using Model model = Model.Train(data, Ridge());
        Assert.Equal(new[] { "blue", "red" }, model.ClassNames);
    }

    [Fact]
    public void WhatIsOfOneClassIsRefused()
    {
        using Dataset data = TwoRows().WithLabelSets(new[] { new[] { "red" }, new[] { "blue" } }, Colours);
        using Model model = Model.Train(data, Ridge());
        Assert.Contains("PredictLabelSets", Failure(DkStatus.Unsupported, () => model.PredictClasses(data)).Message);
        Failure(DkStatus.Unsupported, () => model.PredictLabels(data));
        using Dataset classes = TwoRows().WithLabels(1, 2);
        using Model ofClasses = Model.Train(classes, Ridge());
        Failure(DkStatus.Unsupported, () => ofClasses.PredictLabelSets(classes));
        ArgumentException unknown = Assert.Throws<ArgumentException>(
            () => TwoRows().WithLabelSets(new[] { new[] { "green" }, new[] { "red" } }, Colours));
        Assert.Contains("row 0 has the label green", unknown.Message);
        Failure(DkStatus.InvalidArgument, () => TwoRows().WithLabelSets(new[] { new[] { "red" } }));
    }
}
