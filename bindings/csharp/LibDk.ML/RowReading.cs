// SPDX-License-Identifier: Apache-2.0
using System.Collections.Generic;
using Microsoft.ML;
using Microsoft.ML.Data;

namespace LibDk.ML
{
    /// <summary>Collects the features of a cursor's rows, and makes data of them.</summary>
    internal sealed class RowReading
    {
        private readonly ValueGetter<VBuffer<float>> getter;
        private readonly int cols;
        private readonly List<double> values = new List<double>();
        private VBuffer<float> row;

        internal RowReading(DataViewRow cursor, DataViewSchema.Column features)
        {
            getter = cursor.GetGetter<VBuffer<float>>(features);
            cols = ((VectorDataViewType)features.Type).Size;
        }

        /// <summary>Adds the row at which the cursor stands.</summary>
        internal void Add()
        {
            getter(ref row);
            foreach (float value in row.DenseValues()) values.Add(value);
        }

        internal int Count => values.Count / cols;

        /// <summary>The rows that were added, which it then forgets.</summary>
        /// <param name="missing">whether NaN stands for a missing value</param>
        internal Dataset Take(bool missing)
        {
            Dataset data = Dataset.From(values.ToArray(), Count, cols, missing);
            values.Clear();
            return data;
        }
    }
}
