// SPDX-License-Identifier: Apache-2.0
// Trains a support vector machine with a bank of kernels on two thirds of a CSV file, tests it on the rest, and prints
// its weights and prototypes:
//   dotnet run --project examples/csharp -p:RestoreAdditionalProjectSources=build/bindings/csharp/packages -- sonar.csv
using System;
using System.Linq;
using LibDk;

using Dataset all = Dataset.Read(args[0]);
long[] folds = all.Folds(3, 1);
long[] Rows(bool test) => Enumerable.Range(0, folds.Length).Where(i => (folds[i] == 0) == test).Select(i => (long)i).ToArray();
using Dataset train = all.Select(Rows(false));
using Dataset test = all.Select(Rows(true));
var parameters = new Parameters("svm")
{
    { "C", 10 },
    { "scale", "standard" },
    { "kernel", "[linear, rbf(gamma=auto), arccos(0,1)]" },
    { "weights", "dimkl1" },
};
using Model model = Model.Train(train, parameters);
Console.WriteLine($"accuracy {model.Score(test, "accuracy"):F4} on {test.Rows} rows");
foreach (var weight in model.Weights) Console.WriteLine($"weight {weight.Value:F4} of {weight.Key}");
foreach (Prototype prototype in model.Prototypes())
    Console.WriteLine($"prototype of {prototype.ClassName} near the training rows [{string.Join(", ", prototype.NearestRows)}]");
