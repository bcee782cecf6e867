// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using LibDk;
using Xunit;
using static Samples;

/// <summary>Rows of numbers in every form in which programs hold them.</summary>
public class DatasetTests
{
    private static IEnumerable<double[]> OneByOne(double[,] x)
    {
        foreach (double[] row in Jagged(x)) yield return row;
    }

    [Fact]
    public void EveryFormOfRowsGivesTheSameData()
    {
        double[,] x = Points(1);
        using Dataset jagged = Dataset.From(Jagged(x));
        using Dataset sequence = Dataset.From(OneByOne(x));
        using Dataset list = Dataset.From(Jagged(x).ToList());
        using Dataset flat = Dataset.From(x.Cast<double>().ToArray().AsSpan(), Rows, 2);
        Assert.All(new[] { jagged, sequence, list, flat }, data => Assert.Equal(x, data.Values()));
    }

    [Fact]
    public void SinglePrecisionIsWidenedExactly()
    {
        var table = new[,] { { 0.1f, 2 }, { -3, 1e-30f } };
        var expected = new double[,] { { 0.1f, 2 }, { -3, 1e-30f } };
        using Dataset fromTable = Dataset.From(table);
        using Dataset fromRows = Dataset.From(new[] { new[] { 0.1f, 2 }, new[] { -3, 1e-30f } });
        using Dataset fromFlat = Dataset.From(new[] { 0.1f, 2, -3, 1e-30f }, 2, 2);
        Assert.All(new[] { fromTable, fromRows, fromFlat }, data => Assert.Equal(expected, data.Values()));
    }

    [Fact]
    public void RaggedAndAbsentRowsAreNamed()
    {
        double[][] ragged = { new double[2], new double[2], new double[3] };
        Assert.Equal("row 2 has 3 values, row 0 has 2",
            Failure(DkStatus.InvalidArgument, () => Dataset.From(ragged)).Message);
        Assert.Equal("row 1 is null",
            Failure(DkStatus.InvalidArgument, () => Dataset.From(new[] { new float[2], null! })).Message);
        Failure(DkStatus.InvalidArgument, () => Dataset.From(new double[0][]));
        Failure(DkStatus.InvalidArgument, () => Dataset.From(new[] { new double[0] }));
        Failure(DkStatus.InvalidArgument, () => Dataset.From(new float[3], 2, 2));
        Failure(DkStatus.InvalidData, () => Dataset.From(new[] { new[] { 1, double.NaN } }));
        Failure(DkStatus.InvalidData, () => Dataset.From(new[,] { { float.PositiveInfinity } }));
        Assert.Throws<ArgumentNullException>(() => Dataset.From((double[][])null!));
        Assert.Throws<ArgumentNullException>(() => Dataset.From((float[,])null!));
        Assert.Throws<ArgumentNullException>(() => Dataset.From((double[,])null!));
    }

    [Fact]
    public void MissingValuesOfJaggedRowsAreFilled()
    {
        double[][] rows = Jagged(Points(1));
        rows[5][1] = double.NaN;
        using Dataset data = Dataset.From(rows, missing: true).WithLabels(Enumerable.Range(0, Rows).Select(i => i % 2L).ToArray());
        using Model model = Model.Train(data, new Parameters("svm").Parse("impute=mean"));
        Assert.True(model.FillsMissing);
        Assert.Equal(Rows, model.Predict(data).Length);
    }

    [Fact]
    public void RowsAreChosenByAQuestion()
    {
        using Dataset data = Labelled();
        using Dataset odd = data.Where(row => row % 2 == 1);
        Assert.Equal(Enumerable.Repeat(7L, Rows / 2), odd.Labels());
        Assert.Equal(data.Values()[3, 0], odd.Values()[1, 0]);
        Failure(DkStatus.InvalidArgument, () => data.Where(row => false));
        Assert.Throws<ArgumentNullException>(() => data.Where(null!));
    }
}
