// SPDX-License-Identifier: Apache-2.0
using System.Globalization;

namespace LibDk
{
    /// <summary>What a model predicts for a row.</summary>
    /// <param name="Value">the label of the class, or the value of a regression</param>
    /// <param name="ClassName">the name of the class, its label as text where it has none; null of a regression</param>
    public sealed record Prediction(double Value, string? ClassName)
    {
        /// <summary>The class, or the value.</summary>
        public override string ToString() => ClassName ?? Value.ToString("R", CultureInfo.InvariantCulture);
    }
}
