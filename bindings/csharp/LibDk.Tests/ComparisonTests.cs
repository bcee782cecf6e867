// SPDX-License-Identifier: Apache-2.0
using System;
using LibDk;
using Xunit;
using static Samples;

/// <summary>Learners compared, prototypes measured: values by hand.</summary>
public class ComparisonTests
{
    [Fact]
    public void RanksAndTheirCriticalDifference()
    {
        double[] ranks = Comparison.MeanRanks(new[,] { { 0.9, 0.8, 0.7 }, { 0.5, 0.5, 0.6 } });
        Assert.Equal(new[] { 1.75, 2.25, 2 }, ranks);
        Assert.Equal(1.959964 / Math.Sqrt(6), Comparison.CriticalDifference(2, 6), 6);
        Assert.Throws<DkException>(() => Comparison.CriticalDifference(1, 6));
        Assert.Throws<DkException>(() => Comparison.MeanRanks(new[,] { { 1, double.NaN } }));
        Assert.Throws<ArgumentNullException>(() => Comparison.MeanRanks(null!));
    }

    [Fact]
    public void FoldsShareTrainingRows()
    {
        (double difference, double t, double p) = Comparison.ResampledTest(new double[] { 1, 2, 3 }, 0.5);
        Assert.Equal(2, difference, 12);
        Assert.Equal(2 / Math.Sqrt(5.0 / 6), t, 12);
        Assert.Equal(1 - t / Math.Sqrt(2 + t * t), p, 12);
    }

    [Fact]
    public void SelectionsAreMoreOrLessStable()
    {
        Assert.Equal(0.5, Comparison.JaccardStability(new bool?[,]
            { { true, true, false, null }, { null, true, true, false } }), 12);
        Assert.Equal(0.55, Comparison.SelectionStability(new[,]
            { { true, true, false }, { true, true, false }, { true, false, false } }), 12);
        Assert.Equal(double.NaN, Comparison.SelectionStability(new[,] { { true, false } }));
    }

    [Fact]
    public void MeansOfClassesArePureAndCompactInPart()
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data, new Parameters("mean_of_class") { { "kernel", "rbf(gamma=0.5)" } });
        (double[] purity, double[] compactness) = model.PrototypeMeasures(data);
        Assert.Equal(2, purity.Length);
        Assert.All(purity, one => Assert.Equal(1, one, 12));
        Assert.All(compactness, one => Assert.InRange(one, 0, 1));
    }
}
