// SPDX-License-Identifier: Apache-2.0
using System;
using System.IO;
using LibDk;

/// <summary>
/// Creates, trains, predicts and disposes many times, then forgets to dispose; fails when resident memory grows.
/// </summary>
static class Cycles
{
    private static readonly double[,] Rows = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 }, { 4, 4 }, { 5, 4 }, { 4, 5 }, { 5, 5 } };
    private static readonly long[] Labels = { -1, -1, -1, -1, 1, 1, 1, 1 };
    private static readonly CallOptions Alone = new CallOptions { Threads = 1 };

    public static void Run(int closed, int forgotten)
    {
        Watch("disposed", closed, 16, () =>
        {
            using Dataset data = Dataset.From(Rows).WithLabels(Labels);
            using Model model = Model.Train(data, new Parameters("svm") { { "kernel", "linear" } }, Alone);
            Check(model.Predict(data, Alone));
        });
        Watch("forgotten", forgotten, 32, () =>
        {
            Dataset data = Dataset.From(Rows).WithLabels(Labels);
            Check(Model.Train(data, new Parameters("svm") { { "kernel", "linear" } }, Alone).Predict(data, Alone));
        });
    }

    private static void Check(double[] predicted)
    {
        if (predicted[0] != -1 || predicted[7] != 1) throw new InvalidOperationException("a wrong prediction");
    }

    // The first half settles the heap; after it memory may grow by no more than the limit in megabytes.
    private static void Watch(string name, int count, int limit, Action cycle)
    {
        for (int i = 0; i < count / 2; i++) cycle();
        long before = Resident();
        for (int i = count / 2; i < count; i++) cycle();
        long after = Resident();
        Console.WriteLine($"{count} cycles {name}: resident memory from {before} to {after} MB");
        if (after > before + limit) Environment.Exit(1);
    }

    private static long Resident() =>
        long.Parse(File.ReadAllText("/proc/self/statm").Split(' ')[1]) * Environment.SystemPageSize >> 20;
}
