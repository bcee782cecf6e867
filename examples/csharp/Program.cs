// SPDX-License-Identifier: Apache-2.0
// Trains a support vector machine with a bank of kernels on two thirds of a CSV file, tests it on the rest, and prints
// its weights and prototypes:
//   dotnet run --project examples/csharp -p:RestoreAdditionalProjectSources=build/bindings/csharp/packages -- sonar.csv
using System;
using LibDk;

using Dataset all = Dataset.Read(args[0]);
long[] folds = all.Folds(3, 1);
using Dataset train = all.Where(row => folds[row] != 0);
using Dataset test = all.Where(row => folds[row] == 0);
var parameters = new Parameters("svm")
{
    { "C", 10 },
    { "scale", "standard" },
    { "kernel", "[linear, rbf(gamma=auto), arccos(0,1)]" },
    { "weights", "dimkl1" },
};
using Model model = Model.Train(train, parameters);
Console.WriteLine($"accuracy {model.Score(test, "accuracy"):F4} on {test.Rows} rows");
foreach (KernelWeight one in model.Weights) Console.WriteLine($"weight {one.Weight:F4} of {one.Kernel}");
foreach (Prototype prototype in model.Prototypes())
    Console.WriteLine($"prototype of {prototype.ClassName} near the training rows [{string.Join(", ", prototype.NearestRows)}]");
