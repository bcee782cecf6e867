// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace LibDk
{
    /// <summary>
    /// How a solver ended: for one decision function, or for the machine as a whole. What a solver does not tell is null.
    /// </summary>
    /// <param name="Positive">the class for which the function is positive; null where there are no two classes</param>
    /// <param name="Negative">the other class, or "rest" for all the others; null where there are no two classes</param>
    /// <param name="Objective">the value of the program that was solved</param>
    /// <param name="Gap">the gap to the best objective that is left, as the machine measures it</param>
    /// <param name="Iterations">how many steps were taken</param>
    /// <param name="Converged">whether learning ended by its tolerance, and not by a limit</param>
    /// <param name="SupportVectors">how many rows the function uses</param>
    /// <param name="Offset">the constant of the function</param>
    public sealed record SolverReport(string? Positive, string? Negative, double? Objective, double? Gap,
        long? Iterations, bool? Converged, long? SupportVectors, double? Offset)
    {
        internal static SolverReport Of(JsonElement report) => new SolverReport(report.Text("positive"),
            report.Text("negative"), report.Number("objective"), report.Number("gap"), report.Integer("iterations"),
            report.Flag("converged"), report.Integer("support_vectors"), report.Number("offset"));

        internal bool TellsNothing => Objective == null && Gap == null && Iterations == null && Converged == null;
    }

    /// <summary>What was trained, and how its training went.</summary>
    /// <param name="Machine">the machine, such as "svm"</param>
    /// <param name="Task">what it learned: "classification", "regression", "novelty", "clustering" or "multilabel"</param>
    /// <param name="Kernel">the kernel with all parameters as numbers; a bank is the sum of its weighted kernels</param>
    /// <param name="Weights">how the kernels of the bank were weighed, such as "dimkl1"</param>
    /// <param name="DecisionRule">
    /// how decisions elect a class: "binary" by the sign, "ovr" by the largest signed distance, "largest" by the largest
    /// decision, "ovo" by votes of pairs; "labels" predicts several, "regression" elects none
    /// </param>
    /// <param name="Parameters">every parameter and its value</param>
    /// <param name="Data">what its rows are: "dense", "sparse", "gram", "series", "strings" or "graphs"</param>
    /// <param name="TrainingRows">how many rows it was trained on</param>
    /// <param name="SupportRows">how many of them the model keeps</param>
    /// <param name="Functions">
    /// a report for each decision function that was trained by itself; one for machines that train all at once
    /// </param>
    /// <param name="Measures">
    /// other numbers of the training by their names, such as "purity" of imkpl or "variance_explained" of kernel_pca
    /// </param>
    public sealed record TrainingReport(string Machine, string Task, string Kernel, string Weights,
        string DecisionRule, IReadOnlyDictionary<string, string> Parameters, string Data, long TrainingRows, long SupportRows,
        IReadOnlyList<SolverReport> Functions, IReadOnlyDictionary<string, double> Measures)
    {
        private static readonly string[] OfSolver = { "objective", "gap", "iterations", "support_vectors", "offset" };

        /// <summary>
        /// The objective of the one function, or of the machine that was trained as a whole; null where several functions
        /// were trained by themselves, whose programs have nothing in common.
        /// </summary>
        public double? Objective => Functions.Count == 1 ? Functions[0].Objective : null;

        /// <summary>The gap of what <see cref="Objective"/> tells; null where that is null.</summary>
        public double? Gap => Functions.Count == 1 ? Functions[0].Gap : null;

        /// <summary>The steps of all functions together; null where none tells them.</summary>
        public long? Iterations => Known(one => one.Iterations) is { Count: > 0 } known ? known.Sum() : (long?)null;

        /// <summary>Whether all functions converged; null where none tells it.</summary>
        public bool? Converged => Known(one => one.Converged) is { Count: > 0 } known ? known.All(one => one) : (bool?)null;

        private List<T> Known<T>(Func<SolverReport, T?> of) where T : struct
        {
            return Functions.Select(of).Where(value => value.HasValue).Select(value => value!.Value).ToList();
        }

        internal static TrainingReport Of(JsonElement info)
        {
            JsonElement training = info.GetProperty("training");
            IReadOnlyList<SolverReport> functions = training.List("functions", SolverReport.Of);
            SolverReport whole = SolverReport.Of(training);
            if (functions.Count == 0 && !whole.TellsNothing) functions = Array.AsReadOnly(new[] { whole });
            return new TrainingReport(info.Text("machine")!, info.Text("task")!, info.Text("kernel")!,
                info.Text("weights")!, info.Text("decision_rule")!, info.GetProperty("parameters").EnumerateObject()
                    .ToDictionary(one => one.Name, one => one.Value.GetString()!),
                info.Text("data")!, info.Integer("training_rows") ?? 0, info.Integer("support_rows") ?? 0, functions,
                training.EnumerateObject()
                    .Where(one => one.Value.ValueKind == JsonValueKind.Number && !OfSolver.Contains(one.Name))
                    .ToDictionary(one => one.Name, one => one.Value.GetDouble()));
        }

        /// <summary>The machine, its kernel, its rows, and a line for each function.</summary>
        public override string ToString()
        {
            string head = TextTable.Of("ll", new[] { new[] { "machine", Machine }, new[] { "kernel", Kernel },
                new[] { "training rows", TrainingRows.ToString() }, new[] { "support rows", SupportRows.ToString() } });
            if (Functions.Count == 0) return head;
            var lines = new List<string[]>
                { new[] { "positive", "negative", "objective", "gap", "iterations", "converged", "offset" } };
            foreach (SolverReport one in Functions)
                lines.Add(new[] { one.Positive ?? string.Empty, one.Negative ?? string.Empty, TextTable.Cell(one.Objective),
                    TextTable.Cell(one.Gap), one.Iterations?.ToString() ?? string.Empty,
                    one.Converged == null ? string.Empty : one.Converged.Value ? "yes" : "no", TextTable.Cell(one.Offset) });
            return head + Environment.NewLine + TextTable.Of("llrrrlr", lines);
        }
    }
}
