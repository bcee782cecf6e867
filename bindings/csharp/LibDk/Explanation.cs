// SPDX-License-Identifier: Apache-2.0
using System.Collections.Generic;

namespace LibDk
{
    /// <summary>What a prototype says of a row.</summary>
    /// <param name="Prototype">its position among <see cref="Model.Prototypes"/>, from 0</param>
    /// <param name="Function">the decision function it belongs to, from 0; -1 where it belongs to none</param>
    /// <param name="IsPositive">whether it is p+, for which the function is positive</param>
    /// <param name="ClassName">the class it stands for; null for "all the others", and where there are no classes</param>
    /// <param name="Value">its part of the decision</param>
    public sealed record Contribution(int Prototype, int Function, bool IsPositive, string? ClassName, double Value);

    /// <summary>
    /// Why a model decided so on a row. Where <see cref="Contribution.Function"/> is not -1, the contributions of a
    /// function and its offset add up to its decision (generalised prototype framework; Graf, Bousquet, Raetsch,
    /// Schoelkopf 2008).
    /// </summary>
    /// <param name="Prediction">what the model predicts</param>
    /// <param name="Decisions">the value of each decision function</param>
    /// <param name="Contributions">of each prototype</param>
    /// <param name="Offsets">of each decision function</param>
    public sealed record Explanation(Prediction Prediction, IReadOnlyList<double> Decisions,
        IReadOnlyList<Contribution> Contributions, IReadOnlyList<double> Offsets)
    {
        /// <summary>The prediction, and a line for each decision, its prototypes and its offset.</summary>
        public override string ToString()
        {
            var lines = new List<string[]> { new[] { "prediction", Prediction.ToString(), string.Empty } };
            for (int f = 0; f < Decisions.Count; f++)
                lines.Add(new[] { $"decision {f}", string.Empty, TextTable.Cell(Decisions[f]) });
            foreach (Contribution one in Contributions)
            {
                string side = one.Function < 0 ? $"prototype {one.Prototype}"
                    : $"function {one.Function} {(one.IsPositive ? "p+" : "p-")}";
                lines.Add(new[] { side, one.ClassName ?? string.Empty, TextTable.Cell(one.Value) });
            }
            for (int f = 0; f < Offsets.Count; f++)
                lines.Add(new[] { $"offset {f}", string.Empty, TextTable.Cell(Offsets[f]) });
            return TextTable.Of("llr", lines);
        }
    }
}
