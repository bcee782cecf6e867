// SPDX-License-Identifier: Apache-2.0
using System;
using System.Diagnostics;
using System.Globalization;
using LibDk;

/// <summary>What tests/bench/bindings/overhead.c measures, in C#.</summary>
static class Overhead
{
    private const int Rows = 100000;
    private const int Cols = 50;
    private const int TrainingRows = 1000;
    private const int SingleRows = 10000;

    public static void Run(int repeats)
    {
        var x = new double[Rows * Cols];
        long state = 1;
        for (int i = 0; i < x.Length; i++)
        {
            state = state * 16807 % 2147483647;
            x[i] = state / 2147483647.0;
        }
        var predict = new double[repeats];
        var array = new double[repeats];
        var single = new double[repeats];
        using Model model = Train(x);
        for (int r = 0; r < repeats; r++)
        {
            var watch = Stopwatch.StartNew();
            using Dataset data = Dataset.From(x, Rows, Cols);
            double built = watch.Elapsed.TotalSeconds;
            model.Predict(data);
            array[r] = watch.Elapsed.TotalSeconds;
            predict[r] = array[r] - built;
            watch.Restart();
            for (int i = 0; i < SingleRows; i++)
            {
                using Dataset row = Dataset.From(x.AsSpan(i * Cols, Cols), 1, Cols);
                model.Predict(row);
            }
            single[r] = 1e6 * watch.Elapsed.TotalSeconds / SingleRows;
        }
        Console.WriteLine(string.Format(CultureInfo.InvariantCulture, "predict {0:F4} array {1:F4} row {2:F2}",
            Median(predict), Median(array), Median(single)));
    }

    private static Model Train(double[] x)
    {
        var labels = new long[TrainingRows];
        for (int i = 0; i < TrainingRows; i++)
        {
            double sum = 0;
            for (int j = 0; j < Cols; j++) sum += x[i * Cols + j];
            labels[i] = sum > Cols / 2.0 ? 1 : 0;
        }
        using Dataset data = Dataset.From(x.AsSpan(0, TrainingRows * Cols), TrainingRows, Cols).WithLabels(labels);
        return Model.Train(data, new Parameters("svm") { { "kernel", "rbf(gamma=0.1)" } });
    }

    private static double Median(double[] values)
    {
        Array.Sort(values);
        return values[values.Length / 2];
    }
}
