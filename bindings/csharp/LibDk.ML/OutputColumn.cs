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

        /// <summary>A ValueGetter of the row that <paramref name="current"/> tells.</summary>
        internal abstract Delegate Getter(Func<ScoredRow> current);
    }

    /// <summary>A column of values of one type.</summary>
    internal sealed class OutputColumn<T> : OutputColumn
    {
        private readonly Func<ScoredRow, T> value;

        internal OutputColumn(string name, DataViewType type, DataViewSchema.Annotations annotations,
            Func<ScoredRow, T> value) : base(name, type, annotations)
        {
            this.value = value;
        }

        internal override Delegate Getter(Func<ScoredRow> current)
        {
            return new ValueGetter<T>((ref T result) => result = value(current()));
        }
    }
}
