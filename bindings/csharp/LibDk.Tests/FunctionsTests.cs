// SPDX-License-Identifier: Apache-2.0
using System;
using System.Linq;
using LibDk;
using Xunit;

/// <summary>Functions of dk.h that are not part of every program: callbacks, graphs, comparisons, sizes.</summary>
public class FunctionsTests
{
    private const int Rows = 40;

    private static double[,] Points()
    {
        var random = new Random(1);
        var x = new double[Rows, 2];
        for (int i = 0; i < Rows; i++)
        for (int j = 0; j < 2; j++)
            x[i, j] = 3 * random.NextDouble() - 1.5 + (i % 2 == 0 ? -1 : 1);
        return x;
    }

    private static long[] Labels(int rows) => Enumerable.Range(0, rows).Select(i => i % 2L).ToArray();

    private static double[,] Table(long[] rows, int cols, Func<long, int, double> value)
    {
        var table = new double[rows.Length, cols];
        for (int i = 0; i < rows.Length; i++)
        for (int j = 0; j < cols; j++)
            table[i, j] = value(rows[i], j);
        return table;
    }

    [Fact]
    public void SimilaritiesAreAskedFor()
    {
        double[,] x = Points();
        double[,] Inner(long[] rows, long[] training) => Table(rows, training.Length,
            (i, j) => x[i, 0] * x[training[j], 0] + x[i, 1] * x[training[j], 1]);
        using Dataset whole = Dataset.Similarity(Rows, Rows, Inner);
        // a selection asks after the dataset that it comes from is gone
        Dataset asked = whole.Select(Enumerable.Range(0, Rows).Select(i => (long)i).ToArray()).WithLabels(Labels(Rows));
        whole.Dispose();
        GC.Collect();
        using Dataset plain = Dataset.From(x).WithLabels(Labels(Rows));
        using Model model = Model.Train(asked, new Parameters("svm") { { "kernel", "gram(0)" }, { "tolerance", 1e-8 } });
        using Model same = Model.Train(plain, new Parameters("svm") { { "kernel", "linear" }, { "tolerance", 1e-8 } });
        double[,] decisions = model.Decision(asked);
        double[,] expected = same.Decision(plain);
        for (int i = 0; i < Rows; i++) Assert.Equal(expected[i, 0], decisions[i, 0], 5);
    }

    [Fact]
    public void WhatACallbackThrowsComesOutOfTheCall()
    {
        var thrown = new InvalidOperationException("no such row");
        using Dataset failing = Dataset.Similarity(8, 8, (rows, training) => throw thrown).WithLabels(Labels(8));
        using Dataset narrow = Dataset.Similarity(8, 8, (rows, training) => new double[1, 1]).WithLabels(Labels(8));
        var parameters = new Parameters("svm") { { "kernel", "gram(0)" } };
        Assert.Same(thrown, Assert.Throws<InvalidOperationException>(() => Model.Train(failing, parameters)));
        Assert.Same(thrown, Assert.Throws<InvalidOperationException>(
            () => Model.Train(failing, parameters, new CallOptions { Threads = 1 })));
        Assert.Same(thrown, Assert.Throws<InvalidOperationException>(() => Predicted(failing)));
        Assert.Contains("1 x 1", Assert.Throws<DkException>(() => Model.Train(narrow, parameters)).Message);
    }

    private static double[] Predicted(Dataset rows)
    {
        using Dataset training = Dataset.Similarities(Table(Labels(8), 8, (i, j) => i == j % 2 ? 1 : 0.5)).WithLabels(Labels(8));
        using Model model = Model.Train(training, new Parameters("mean_of_class") { { "kernel", "gram(0)" } });
        var result = new double[8];
        model.Predict(result, rows);
        return result;
    }

    [Fact]
    public void PointsHaveSimilarities()
    {
        double[,] x = Points();
        double[,] Gaussian(double[,] points, long[] rows) => Table(rows, points.GetLength(0), (i, j) =>
            Math.Exp(-Math.Pow(x[i, 0] - points[j, 0], 2) - Math.Pow(x[i, 1] - points[j, 1], 2)));
        using Dataset data = Dataset.PointSimilarity(x, Gaussian).WithLabels(Labels(Rows));
        using Model model = Model.Train(data,
            new Parameters("super_sparse") { { "kernel", "similarity" }, { "prototypes", 4 } });
        Assert.Equal(4, model.PrototypeCount);
        Assert.True(model.Score(data, "accuracy") > 0.8);
    }

    [Fact]
    public void GraphsHaveLabelledNodesAndEdges()
    {
        using Dataset graphs = Dataset.Graphs(new[] { new long[] { 0, 0, 0 }, new long[] { 0, 0 } },
            new[] { new long[,] { { 0, 1 }, { 1, 2 }, { 2, 0 } }, new long[,] { { 0, 1 } } });
        Assert.Equal(DataKind.Graphs, graphs.Kind);
        double[,] k = Library.Gram(graphs, null, "weisfeiler_lehman(iterations=0)")[0];
        Assert.Equal(new double[,] { { 9, 6 }, { 6, 4 } }, k);
    }

    [Fact]
    public void SinglePrecisionAndProductsAreNear()
    {
        double[,] x = Points();
        using Dataset data = Dataset.From(x);
        using Dataset floats = Dataset.From(x.Cast<double>().Select(value => (float)value).ToArray(), Rows, 2);
        double[,] k = Library.Gram(data, null, "rbf(gamma=0.5)")[0];
        float[] near = Library.GramSingle(floats, data, "rbf(gamma=0.5)");
        var v = new double[Rows, 2];
        for (int i = 0; i < Rows; i++) (v[i, 0], v[i, 1]) = (i, 1);
        double[,] product = Library.GramProduct(data, data, "rbf(gamma=0.5)", v);
        for (int i = 0; i < Rows; i++)
        {
            for (int j = 0; j < Rows; j++) Assert.Equal(k[i, j], near[i * Rows + j], 4);
            for (int c = 0; c < 2; c++)
                Assert.Equal(Enumerable.Range(0, Rows).Sum(j => k[i, j] * v[j, c]), product[i, c], 9);
        }
        Assert.Equal(2, data.KernelCount("[linear, rbf]"));
    }

    [Fact]
    public void WeightsAreComparedAndSizesAreTold()
    {
        Parameters parameters = new Parameters("svm").Parse("C=10 kernel=[linear, rbf(gamma=0.5)] folds=3");
        Assert.Equal("10", parameters["C"]);
        Assert.Throws<DkException>(() => parameters.Parse("C=1 gama=2"));
        Assert.Equal("10", parameters["C"]);
        using Dataset data = Dataset.From(Points()).WithLabels(Labels(Rows)).WithFeatureNames("height", "width");
        using Model model = Model.CompareWeights(data, parameters);
        Assert.Contains("\"candidates\"", model.Info);
        Assert.Equal("width", data.FeatureName(1));
        Assert.Equal(new long[] { 0, 1 }, model.Classes);
        Assert.Equal(2, model.ClassCount);
        Assert.Equal(2, model.FeatureCount);
        Assert.Equal(1, model.DecisionCount);
        Assert.Equal(Rows, model.TrainingRows);
        Assert.Equal(model.Weights.Count, model.KernelCount);
        Assert.Equal(model.Prototypes().Count, model.PrototypeCount);
        Assert.Equal(0, model.TransformCount);
    }

    [Fact]
    public void FunctionsHaveShiftsOffsetsAndNormals()
    {
        using Dataset data = Dataset.From(Points()).WithLabels(Labels(Rows));
        using Model model = Model.Train(data, new Parameters("mean_of_class") { { "kernel", "linear" } });
        double[,] p = model.PrototypeCoordinates();
        // f(x) = (|x - p-|^2 - |x - p+|^2 + S) / (2 t), whose normal is (p+ - p-) / t
        double length = Math.Sqrt(Math.Pow(p[0, 0] - p[1, 0], 2) + Math.Pow(p[0, 1] - p[1, 1], 2));
        double t = length / model.Normals[0];
        Assert.Equal(model.Offsets[0], model.Shifts[0] / (2 * t), 9);
    }
}
