// SPDX-License-Identifier: Apache-2.0
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Linq;

namespace LibDk
{
    /// <summary>A kernel of a bank and what it counts.</summary>
    /// <param name="Kernel">its specification, with all parameters as numbers</param>
    /// <param name="Weight">its weight in the sum of the bank</param>
    public sealed record KernelWeight(string Kernel, double Weight)
    {
        /// <summary>The weight and its kernel.</summary>
        public override string ToString() => $"{TextTable.Cell(Weight)}  {Kernel}";
    }

    /// <summary>The kernels of a bank with their weights, in the order of the bank; they print as a table.</summary>
    public sealed class KernelWeights : ReadOnlyCollection<KernelWeight>
    {
        internal KernelWeights(IList<KernelWeight> weights) : base(weights)
        {
        }

        /// <summary>A line for each kernel.</summary>
        public override string ToString() => Count == 0 ? string.Empty
            : TextTable.Of("rl", this.Select(one => new[] { TextTable.Cell(one.Weight), one.Kernel }).ToList());
    }
}
