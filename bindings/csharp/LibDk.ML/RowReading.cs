// SPDX-License-Identifier: Apache-2.0
using System.Collections.Generic;
using System.Linq;
using Microsoft.ML;
using Microsoft.ML.Data;

namespace LibDk.ML
{
    /// <summary>Collects the features of a cursor's rows, dense or sparse as ML.NET holds them, and makes data of them.</summary>
    internal sealed class RowReading
    {
        private const int Dense = -1;
        private readonly ValueGetter<VBuffer<float>> getter;
        private readonly int cols;
        private readonly List<double> values = new List<double>();
        private readonly List<long> columns = new List<long>(); // of the values of sparse rows alone
        private readonly List<int> entries = new List<int>(); // of each row, or Dense
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
            foreach (float value in row.GetValues()) values.Add(value);
            if (!row.IsDense)
                foreach (int column in row.GetIndices()) columns.Add(column);
            entries.Add(row.IsDense ? Dense : row.GetIndices().Length);
        }

        /// <summary>The number of rows that were added.</summary>
        internal int Count => entries.Count;

        /// <summary>Whether a row that was added is sparse.</summary>
        internal bool IsSparse => entries.Any(one => one != Dense);

        /// <summary>The rows that were added, which it then forgets, also where they are refused.</summary>
        /// <param name="sparse">whether the data are to be sparse</param>
        /// <param name="missing">whether NaN stands for a missing value, which dense data alone can have</param>
        internal Dataset Take(bool sparse, bool missing)
        {
            try
            {
                return sparse ? Sparse() : Dataset.From(Table(), Count, cols, missing);
            }
            finally
            {
                values.Clear();
                columns.Clear();
                entries.Clear();
            }
        }

        private Dataset Sparse()
        {
            var offsets = new List<long> { 0 };
            var allColumns = new List<long>(values.Count);
            int first = 0;
            foreach (int count in entries)
            {
                if (count == Dense)
                {
                    for (int column = 0; column < cols; column++) allColumns.Add(column);
                }
                else
                {
                    allColumns.AddRange(columns.GetRange(first, count));
                    first += count;
                }
                offsets.Add(allColumns.Count);
            }
            return Dataset.Sparse(offsets.ToArray(), allColumns.ToArray(), values.ToArray(), cols);
        }

        private double[] Table()
        {
            if (!IsSparse) return values.ToArray();
            var table = new double[checked(Count * cols)];
            int value = 0, column = 0;
            for (int i = 0; i < Count; i++)
            for (int entry = 0; entry < (entries[i] == Dense ? cols : entries[i]); entry++)
                table[i * cols + (entries[i] == Dense ? entry : (int)columns[column++])] = values[value++];
            return table;
        }
    }
}
