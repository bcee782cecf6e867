// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace LibDk
{
    /// <summary>What a metric was in a cross-validation.</summary>
    /// <param name="Mean">over the folds; NaN where no fold has the metric</param>
    /// <param name="Deviation">the standard deviation over the folds; NaN where no fold has the metric</param>
    /// <param name="Folds">the metric of each fold that has it, repeat after repeat</param>
    public sealed record MetricScore(double Mean, double Deviation, IReadOnlyList<double> Folds)
    {
        internal static MetricScore Of(JsonElement metric) => new MetricScore(metric.Number("mean") ?? double.NaN,
            metric.Number("deviation") ?? double.NaN, metric.Numbers("folds"));

        internal static IReadOnlyDictionary<string, MetricScore> AllOf(JsonElement scored)
        {
            return scored.GetProperty("metrics").EnumerateObject().ToDictionary(one => one.Name, one => Of(one.Value));
        }

        /// <summary>The mean and the deviation.</summary>
        public override string ToString() => $"{TextTable.Cell(Mean)} +- {TextTable.Cell(Deviation)}";
    }

    /// <summary>
    /// How far a candidate is behind the best, by the corrected resampled t-test (Nadeau and Bengio 2003).
    /// </summary>
    /// <param name="Difference">the mean difference over the folds</param>
    /// <param name="T">the statistic; NaN where it is not defined</param>
    /// <param name="P">the probability of such a difference between equals; NaN where it is not defined</param>
    public sealed record BehindBest(double Difference, double T, double P)
    {
        internal static BehindBest Of(JsonElement test) => new BehindBest(test.Number("difference") ?? double.NaN,
            test.Number("t") ?? double.NaN, test.Number("p") ?? double.NaN);
    }

    /// <summary>A combination of parameters that a cross-validation scored.</summary>
    /// <param name="Parameters">what it sets, as <see cref="Parameters.Parse"/> takes it; empty without a grid</param>
    /// <param name="Metrics">each metric by its name</param>
    /// <param name="BehindBest">how far it is behind the best; null where nothing was compared</param>
    public sealed record Candidate(string Parameters, IReadOnlyDictionary<string, MetricScore> Metrics,
        BehindBest? BehindBest);

    /// <summary>The scores of the whole choice on rows that had no part in it (parameter outer_folds).</summary>
    /// <param name="Folds">the number of outer folds</param>
    /// <param name="Metrics">each metric by its name</param>
    /// <param name="Chosen">the parameters that were chosen in each outer fold</param>
    public sealed record NestedScores(int Folds, IReadOnlyDictionary<string, MetricScore> Metrics,
        IReadOnlyList<string> Chosen);

    /// <summary>What a kernel of a bank weighs on random halves of the rows.</summary>
    /// <param name="Kernel">its specification</param>
    /// <param name="Mean">the mean share of the weights</param>
    /// <param name="Deviation">the standard deviation of the share</param>
    /// <param name="Chosen">how often, from 0 to 1, the kernel has more than a thousandth of the weights</param>
    public sealed record KernelStability(string Kernel, double Mean, double Deviation, double Chosen);

    /// <summary>How far the weights of a bank depend on the rows (parameter halves).</summary>
    /// <param name="Halves">how many random halves were drawn</param>
    /// <param name="Jaccard">the mean Jaccard index of the sets of chosen kernels of two halves</param>
    /// <param name="Kernels">each kernel of the bank</param>
    public sealed record WeightStability(int Halves, double Jaccard, IReadOnlyList<KernelStability> Kernels)
    {
        internal static WeightStability Of(JsonElement halves)
        {
            return new WeightStability((int)halves.Integer("halves")!, halves.Number("jaccard") ?? double.NaN,
                halves.List("kernels", one => new KernelStability(one.Text("kernel")!, one.Number("mean") ?? double.NaN,
                    one.Number("deviation") ?? double.NaN, one.Number("chosen") ?? double.NaN)));
        }
    }

    /// <summary>What cross-validation found: candidates, their metrics, and which one was trained on all rows.</summary>
    /// <param name="Folds">the number of folds</param>
    /// <param name="Repeats">how often rows were divided into folds</param>
    /// <param name="Select">the metric by which the best was chosen; null without a grid</param>
    /// <param name="Candidates">in the order of the grid; one without a grid</param>
    /// <param name="BestPosition">the position of the best, from 0</param>
    /// <param name="Nested">the scores of the choice itself; null without outer folds</param>
    /// <param name="WeightsOverHalves">the weights on random halves of the rows; null without halves</param>
    public sealed record Scores(int Folds, int Repeats, string? Select, IReadOnlyList<Candidate> Candidates,
        int BestPosition, NestedScores? Nested, WeightStability? WeightsOverHalves)
    {
        /// <summary>The candidate that was trained on all rows.</summary>
        public Candidate Best => Candidates[BestPosition];

        /// <summary>The scores that the description of a model has; null where it was not cross-validated.</summary>
        internal static Scores? Of(JsonElement info)
        {
            if (!(info.Member("cross_validation") is JsonElement validation)) return null;
            IReadOnlyList<Candidate> candidates = validation.List("candidates", OneOf);
            if (candidates.Count == 0)
                candidates = new[] { new Candidate(string.Empty, MetricScore.AllOf(validation), null) };
            NestedScores? nested = validation.Member("nested") is JsonElement outer
                ? new NestedScores((int)outer.Integer("folds")!, MetricScore.AllOf(outer),
                    outer.List("chosen", JsonReading.ParametersText))
                : null;
            return new Scores((int)validation.Integer("folds")!, (int)validation.Integer("repeats")!,
                validation.Text("select"), candidates, (int)(validation.Integer("best") ?? 0), nested,
                validation.Member("weights_over_halves") is JsonElement halves ? WeightStability.Of(halves) : null);
        }

        private static Candidate OneOf(JsonElement candidate)
        {
            return new Candidate(candidate.GetProperty("parameters").ParametersText(), MetricScore.AllOf(candidate),
                candidate.Member("behind_best") is JsonElement test ? BehindBest.Of(test) : null);
        }

        /// <summary>
        /// A line for each candidate, with the metric that chose and a star at the best; without a grid a line for each
        /// metric.
        /// </summary>
        public override string ToString()
        {
            if (Select == null) return OfMetrics();
            var lines = new List<string[]> { new[] { string.Empty, Select, "deviation", "parameters" } };
            for (int c = 0; c < Candidates.Count; c++)
            {
                Candidates[c].Metrics.TryGetValue(Select, out MetricScore? score);
                lines.Add(new[] { c == BestPosition ? "*" : string.Empty, TextTable.Cell(score?.Mean),
                    TextTable.Cell(score?.Deviation), Candidates[c].Parameters });
            }
            return TextTable.Of("lrrl", lines);
        }

        private string OfMetrics()
        {
            var lines = new List<string[]> { new[] { "metric", "mean", "deviation" } };
            foreach (KeyValuePair<string, MetricScore> one in Best.Metrics)
                lines.Add(new[] { one.Key, TextTable.Cell(one.Value.Mean), TextTable.Cell(one.Value.Deviation) });
            return TextTable.Of("lrr", lines);
        }
    }
}
