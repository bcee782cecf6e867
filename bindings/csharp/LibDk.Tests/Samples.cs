// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using LibDk;
using Xunit;

/// <summary>Small data, listeners and checks that the tests share.</summary>
internal static class Samples
{
    internal const int Rows = 60;

    /// <summary>Two clouds in the plane.</summary>
    internal static double[,] Points(int seed)
    {
        var random = new Random(seed);
        var x = new double[Rows, 2];
        for (int i = 0; i < Rows; i++)
        for (int j = 0; j < 2; j++)
            x[i, j] = 3 * random.NextDouble() - 1.5 + (i % 2 == 0 ? -1 : 1);
        return x;
    }

    /// <summary>The clouds with the classes 3 and 7.</summary>
    internal static Dataset Labelled()
    {
        return Dataset.From(Points(1)).WithLabels(Enumerable.Range(0, Rows).Select(i => i % 2 == 0 ? 3L : 7L).ToArray());
    }

    /// <summary>Rows of noise with two classes that tell nothing.</summary>
    internal static Dataset Noise(int rows, int cols)
    {
        var random = new Random(3);
        double[] x = Enumerable.Range(0, rows * cols).Select(_ => 2 * random.NextDouble() - 1).ToArray();
        return Dataset.From(x, rows, cols).WithLabels(Enumerable.Range(0, rows).Select(i => i % 2L).ToArray());
    }

    /// <summary>The rows of a table as arrays.</summary>
    internal static double[][] Jagged(double[,] x)
    {
        return Enumerable.Range(0, x.GetLength(0))
            .Select(i => Enumerable.Range(0, x.GetLength(1)).Select(j => x[i, j]).ToArray()).ToArray();
    }

    internal static DkException Failure(DkStatus status, Action call)
    {
        var error = Assert.Throws<DkException>(call);
        Assert.Equal(status, error.Status);
        return error;
    }

    /// <summary>Hears of progress, and then does something on the calling thread.</summary>
    internal sealed class Heard : IProgress<double>
    {
        public readonly List<double> Fractions = new();
        public Action? Then;

        public void Report(double value)
        {
            Fractions.Add(value);
            Then?.Invoke();
        }
    }
}
