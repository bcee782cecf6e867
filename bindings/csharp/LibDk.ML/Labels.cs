// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Microsoft.ML;
using Microsoft.ML.Data;

namespace LibDk.ML
{
    /// <summary>What the labels of a task are: how a column of them is read, and which columns answer them.</summary>
    internal abstract class Labels
    {
        internal abstract MachineTask Task { get; }

        /// <summary>Reads the labels of a cursor.</summary>
        internal abstract Reader Read(DataViewRow cursor, DataViewSchema.Column column);

        /// <summary>The columns that a trained model adds.</summary>
        internal abstract Outputs Outputs(Model model, DataViewSchema.Column column);

        /// <summary>Collects the labels of rows.</summary>
        internal abstract class Reader
        {
            /// <summary>Adds the label of the row at which the cursor stands; false where it is missing.</summary>
            internal abstract bool Add();

            /// <summary>Gives data the labels that were added.</summary>
            internal abstract void Set(Dataset data);
        }

        /// <summary>Collects labels of one type of column, which are values of another for the library.</summary>
        protected sealed class Reader<TColumn, TLabel> : Reader
        {
            private readonly ValueGetter<TColumn> getter;
            private readonly Func<TColumn, bool> isMissing;
            private readonly Func<TColumn, TLabel> of;
            private readonly Action<Dataset, TLabel[]> set;
            private readonly List<TLabel> labels = new List<TLabel>();

            internal Reader(ValueGetter<TColumn> getter, Func<TColumn, bool> isMissing, Func<TColumn, TLabel> of,
                Action<Dataset, TLabel[]> set)
            {
                this.getter = getter;
                this.isMissing = isMissing;
                this.of = of;
                this.set = set;
            }

            internal override bool Add()
            {
                TColumn value = default!;
                getter(ref value);
                if (isMissing(value)) return false;
                labels.Add(of(value));
                return true;
            }

            internal override void Set(Dataset data) => set(data, labels.ToArray());
        }
    }

    /// <summary>Two classes as Boolean; "true", the second by name, is the one for which decisions are positive.</summary>
    internal sealed class BinaryLabels : Labels
    {
        /// <summary>In the order in which models have them.</summary>
        internal static readonly string[] ClassNames = { "false", "true" };

        internal override MachineTask Task => MachineTask.Classification;

        internal override Reader Read(DataViewRow cursor, DataViewSchema.Column column) =>
            new Reader<bool, string>(cursor.GetGetter<bool>(column), _ => false, value => ClassNames[value ? 1 : 0],
                (data, names) => data.WithLabels(names));

        internal override Outputs Outputs(Model model, DataViewSchema.Column column) => new BinaryOutputs(model);
    }

    /// <summary>Any number of classes as keys, whose values are the classes' names.</summary>
    internal sealed class KeyLabels : Labels
    {
        internal override MachineTask Task => MachineTask.Classification;

        internal override Reader Read(DataViewRow cursor, DataViewSchema.Column column)
        {
            string[] names = Names(column);
            return new Reader<uint, string>(cursor.GetGetter<uint>(column), key => key == 0, key => names[key - 1],
                (data, labels) => data.WithLabels(labels));
        }

        internal override Outputs Outputs(Model model, DataViewSchema.Column column) =>
            new KeyOutputs(model, Names(column), column.Annotations);

        /// <summary>Each key's value as text, or its number from 1 where values are absent or do not tell keys apart.</summary>
        private static string[] Names(DataViewSchema.Column column)
        {
            if (column.Type is not KeyDataViewType type || type.RawType != typeof(uint))
                throw new ArgumentOutOfRangeException(nameof(column),
                    $"column '{column.Name}' has {column.Type}; keys of UInt32 are needed, as MapValueToKey makes them");
            string[] names = Values(column).ToArray();
            return names.Length == (int)type.Count && names.Distinct().Count() == names.Length && !names.Contains(string.Empty)
                ? names
                : Enumerable.Range(1, (int)type.Count).Select(key => key.ToString(CultureInfo.InvariantCulture)).ToArray();
        }

        private static IEnumerable<string> Values(DataViewSchema.Column column)
        {
            var values = column.Annotations.Schema.GetColumnOrNull("KeyValues")?.Type as VectorDataViewType;
            Type? type = values?.ItemType.RawType;
            return type == typeof(ReadOnlyMemory<char>) ? Values<ReadOnlyMemory<char>>(column)
                : type == typeof(float) ? Values<float>(column)
                : type == typeof(double) ? Values<double>(column)
                : type == typeof(int) ? Values<int>(column)
                : type == typeof(uint) ? Values<uint>(column)
                : type == typeof(long) ? Values<long>(column)
                : type == typeof(bool) ? Values<bool>(column)
                : Array.Empty<string>();
        }

        private static IEnumerable<string> Values<T>(DataViewSchema.Column column)
        {
            VBuffer<T> values = default;
            column.GetKeyValues(ref values);
            return values.DenseValues().Select(one => Convert.ToString(one, CultureInfo.InvariantCulture)!);
        }
    }

    /// <summary>The targets of a regression as Single.</summary>
    internal sealed class TargetLabels : Labels
    {
        internal override MachineTask Task => MachineTask.Regression;

        internal override Reader Read(DataViewRow cursor, DataViewSchema.Column column) =>
            new Reader<float, double>(cursor.GetGetter<float>(column), float.IsNaN, value => value,
                (data, targets) => data.WithTargets(targets));

        internal override Outputs Outputs(Model model, DataViewSchema.Column column) => new TargetOutputs();
    }
}
