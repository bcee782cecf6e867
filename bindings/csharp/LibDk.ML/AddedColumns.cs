// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.ML;

namespace LibDk.ML
{
    /// <summary>The columns that a transformer adds behind those of its input.</summary>
    internal sealed class AddedColumns
    {
        private readonly Outputs outputs;
        private readonly int passed;
        private readonly HashSet<int> active;
        private readonly Func<ScoredRow> current;

        /// <param name="outputs">the columns</param>
        /// <param name="passed">how many columns the input has</param>
        /// <param name="needed">the columns of the output that are asked for</param>
        /// <param name="current">the row that is asked about</param>
        internal AddedColumns(Outputs outputs, int passed, IEnumerable<DataViewSchema.Column> needed,
            Func<ScoredRow> current)
        {
            this.outputs = outputs;
            this.passed = passed;
            this.current = current;
            active = new HashSet<int>(needed.Where(Has).Select(one => one.Index));
        }

        internal bool Any => active.Count > 0;

        internal bool Has(DataViewSchema.Column column) => column.Index >= passed;

        internal bool IsActive(DataViewSchema.Column column) => active.Contains(column.Index);

        internal ValueGetter<TValue> Getter<TValue>(DataViewSchema.Column column)
        {
            if (!IsActive(column)) throw new ArgumentException($"column '{column.Name}' was not asked for", nameof(column));
            return outputs.Columns[column.Index - passed].Getter(current) as ValueGetter<TValue>
                ?? throw new InvalidOperationException(
                    $"column '{column.Name}' has {column.Type}, which is no {typeof(TValue).Name}");
        }
    }
}
