// SPDX-License-Identifier: Apache-2.0
using System;
using Microsoft.ML;
using Microsoft.ML.Data;

namespace LibDk.ML
{
    /// <summary>A column that a transformer adds.</summary>
    internal abstract class OutputColumn
    {
        protected OutputColumn(string name, DataViewType type, DataViewSchema.Annotations annotations)
        {
            Name = name;
            Type = type;
            Annotations = annotations;
        }

        internal string Name { get; }

        internal DataViewType Type { get; }

        internal DataViewSchema.Annotations Annotations { get; }

        /// <summary>A ValueGetter of the row that <paramref name="current"/> tells: which of the rows scored last.</summary>
        internal abstract Delegate Getter(Func<(ScoredRows Rows, int Position)> current);
    }

    /// <summary>A column of values of one type.</summary>
    internal sealed class OutputColumn<T> : OutputColumn
    {
        private readonly Func<ScoredRows, int, T> value;

        internal OutputColumn(string name, DataViewType type, DataViewSchema.Annotations annotations,
            Func<ScoredRows, int, T> value) : base(name, type, annotations)
        {
            this.value = value;
        }

        internal override Delegate Getter(Func<(ScoredRows Rows, int Position)> current)
        {
            return new ValueGetter<T>((ref T result) =>
            {
                (ScoredRows rows, int position) = current();
                result = value(rows, position);
            });
        }
    }
}
