// SPDX-License-Identifier: Apache-2.0
using System;
using System.Linq;
using LibDk;
using Xunit;
using static Samples;

/// <summary>
/// Several targets, deviations and clusters. Two rows whose kernel value is 1/2 give with C = 1 the matrix
/// K + I = [2 1/2; 1/2 2], whose inverse is [8 -2; -2 8] / 15.
/// </summary>
public class TargetsTests
{
    private static Dataset TwoRows() => Dataset.From(new double[,] { { 0 }, { 1 } });

    private static Parameters Ridge() =>
        new Parameters("kernel_ridge") { { "kernel", "rbf(gamma=0.6931471805599453)" }, { "scale", "none" } };

    [Fact]
    public void SeveralTargetsAreLearnedAtOnce()
    {
        using Dataset data = TwoRows().WithTargets(1, 10, 2, 20);
        using Model model = Model.Train(data, Ridge());
        Assert.Equal(2, model.TargetCount);
        double[] expected = { 11.0 / 15, 110.0 / 15, 16.0 / 15, 160.0 / 15 }, found = model.Predict(data);
        Assert.Equal(4, found.Length);
        for (int i = 0; i < 4; i++) Assert.Equal(expected[i], found[i], 12);
        DkException error = Failure(DkStatus.Unsupported, () => model.Predict(new double[] { 0 }));
        Assert.Contains("2 targets", error.Message);
        Failure(DkStatus.Unsupported, () => Model.Train(data, new Parameters("svr")));
    }

    [Fact]
    public void RowsAreAnsweredInOnePass()
    {
        var rows = new double[30, 2];
        var labels = new long[30];
        for (int i = 0; i < 30; i++) (rows[i, 0], rows[i, 1], labels[i]) = (i, i % 3, i < 15 ? 1 : 2);
        double[] flat = rows.Cast<double>().ToArray();
        using Dataset data = Dataset.From(rows).WithLabels(labels);
        using Model model = Model.Train(data, new Parameters("svm") { { "probability", "yes" } });
        Assert.True(model.HasProbabilities);
        RowAnswers answers = model.PredictRows(flat, 2);
        Assert.Equal(model.Predict(data), answers.Predictions);
        Assert.Equal(model.Decision(data), answers.Decisions);
        Assert.Equal(model.Probability(data), answers.Probabilities);
        using Model plain = Model.Train(data, new Parameters("svm"));
        Assert.Null(plain.PredictRows(flat, 2).Probabilities);
        Failure(DkStatus.Dimension, () => plain.PredictRows(flat, 3));
        Failure(DkStatus.InvalidData, () => plain.PredictRows(new[] { 1, double.NaN }, 2));
        Failure(DkStatus.InvalidArgument, () => plain.PredictRows(flat, 7));
        Failure(DkStatus.InvalidArgument, () => plain.PredictRows(new double[0], 2));
        using Model filling = Model.Train(data, new Parameters("svm") { { "impute", "mean" } });
        Assert.Equal(1, filling.PredictRows(new[] { 1, double.NaN }, 2).Predictions[0]);
    }

    [Fact]
    public void DeviationsAreThoseOfAGaussianProcess()
    {
        using Dataset data = TwoRows().WithTargets(1, 2);
        using Model model = Model.Train(data, Ridge());
        foreach (double deviation in model.Deviation(data)) Assert.Equal(Math.Sqrt(1 - 8.0 / 15), deviation, 12);
        double[,] coefficients = model.DualCoefficients();
        Assert.Equal(4.0 / 15, coefficients[0, 0], 12);
        Assert.Equal(14.0 / 15, coefficients[0, 1], 12);
        Assert.Equal(new double[] { 0 }, model.DualOffsets);
        using Model plain = Model.Train(data, new Parameters("svr"));
        Failure(DkStatus.Unsupported, () => plain.Deviation(data));
    }

    [Fact]
    public void ClustersAreNumberedByTheirSizes()
    {
        using Dataset data = Dataset.From(new double[,] { { 0 }, { 0.1 }, { 5 }, { 5.1 }, { 5.2 } });
        using Model model = Model.Train(data, new Parameters("kernel_k_means") { { "clusters", 2 }, { "kernel", "linear" } });
        Assert.Equal(MachineTask.Clustering, model.Task);
        Assert.Equal(new double[] { 1, 1, 0, 0, 0 }, model.Predict(data));
    }
}
