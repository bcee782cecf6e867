// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;

namespace LibDk
{
    // Datasets of rows of numbers, from the forms in which programs hold them.
    public sealed partial class Dataset
    {
        /// <summary>Rows of features.</summary>
        /// <param name="x">rows x columns; every value finite</param>
        /// <param name="missing">whether NaN stands for a missing value; training then needs impute=</param>
        public static Dataset From(double[,] x, bool missing = false)
        {
            if (x == null) throw new ArgumentNullException(nameof(x));
            return From(Flat(x), x.GetLongLength(0), x.GetLongLength(1), missing);
        }

        /// <summary>Rows of features in single precision, which are widened exactly.</summary>
        /// <param name="x">rows x columns; every value finite</param>
        public static Dataset From(float[,] x)
        {
            if (x == null) throw new ArgumentNullException(nameof(x));
            var flat = new float[x.Length];
            Buffer.BlockCopy(x, 0, flat, 0, checked(sizeof(float) * x.Length));
            return From(flat, x.GetLongLength(0), x.GetLongLength(1));
        }

        private static ReadOnlySpan<double> Flat(double[,] x)
        {
            var flat = new double[x.Length];
            Buffer.BlockCopy(x, 0, flat, 0, checked(sizeof(double) * x.Length));
            return flat;
        }

        /// <summary>Rows of features one by one: a jagged array, a list of arrays, or any sequence of them.</summary>
        /// <param name="rows">arrays of one length; every value finite</param>
        /// <param name="missing">whether NaN stands for a missing value; training then needs impute=</param>
        public static Dataset From(IEnumerable<double[]> rows, bool missing = false)
        {
            double[] flat = Joined(rows, out long count, out long cols);
            return From(flat, count, cols, missing);
        }

        /// <summary>Rows of features one by one in single precision, which are widened exactly.</summary>
        /// <param name="rows">arrays of one length; every value finite</param>
        public static Dataset From(IEnumerable<float[]> rows)
        {
            float[] flat = Joined(rows, out long count, out long cols);
            return From(flat, count, cols);
        }

        private static T[] Joined<T>(IEnumerable<T[]> rows, out long count, out long cols)
        {
            if (rows == null) throw new ArgumentNullException(nameof(rows));
            var flat = new List<T>();
            count = cols = 0;
            foreach (T[] row in rows)
            {
                if (row == null) throw DkException.InvalidArgument($"row {count} is null");
                if (count == 0) cols = row.Length;
                if (row.Length != cols)
                    throw DkException.InvalidArgument($"row {count} has {row.Length} values, row 0 has {cols}");
                flat.AddRange(row);
                count++;
            }
            return flat.ToArray();
        }

        /// <summary>Rows of features in one array, one row after the other; it is not copied on its way.</summary>
        /// <param name="x">rows x columns values</param>
        /// <param name="rows">number of rows</param>
        /// <param name="cols">number of columns</param>
        /// <param name="missing">whether NaN stands for a missing value</param>
        public static Dataset From(ReadOnlySpan<double> x, long rows, long cols, bool missing = false)
        {
            return new Dataset(NativeData.dense(x, rows, cols, cols, RowMajor, missing));
        }

        /// <summary>Rows of features in one array in single precision, which are widened exactly.</summary>
        /// <param name="x">rows x columns values</param>
        /// <param name="rows">number of rows</param>
        /// <param name="cols">number of columns</param>
        public static Dataset From(ReadOnlySpan<float> x, long rows, long cols)
        {
            return new Dataset(NativeData.dense_single(x, rows, cols, cols, RowMajor));
        }
    }
}
