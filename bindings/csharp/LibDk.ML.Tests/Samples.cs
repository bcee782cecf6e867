// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using LibDk;
using Microsoft.ML;
using Microsoft.ML.Data;

/// <summary>A point of the plane that belongs to one of three clouds.</summary>
public class Point
{
    [VectorType(2)] public float[] Features { get; set; } = new float[2];
    public string Cloud { get; set; } = "";
    public bool Label { get; set; }
    public float Height { get; set; }
    public float Weight { get; set; } = 1;
}

/// <summary>What each task adds to a point.</summary>
public class Answer
{
    public bool PredictedLabel { get; set; }
    public float Score { get; set; }
}

/// <summary>Clouds in the plane, as objects, as a data view and as data of libdk.</summary>
internal static class Samples
{
    private static readonly string[] Names = { "west", "north", "east" };
    private static readonly float[,] Centres = { { -1, 0 }, { 0, 1.5f }, { 1, 0 } };

    internal static List<Point> Points(int count, int seed = 1)
    {
        var random = new Random(seed);
        return Enumerable.Range(0, count).Select(i =>
        {
            var x = new[] { Centres[i % 3, 0], Centres[i % 3, 1] };
            for (int j = 0; j < 2; j++) x[j] += 1.5f * (float)(random.NextDouble() + random.NextDouble() - 1);
            return new Point { Features = x, Cloud = Names[i % 3], Label = x[0] + x[1] > 0.5, Height = x[0] - 2 * x[1] };
        }).ToList();
    }

    internal static Dataset Data(IEnumerable<Point> points) => Dataset.From(points.Select(one => one.Features));

    internal static IDataView View(MLContext context, IEnumerable<Point> points) => context.Data.LoadFromEnumerable(points);

    internal static T[] Column<T>(IDataView view, string name) => view.GetColumn<T>(name).ToArray();
}
