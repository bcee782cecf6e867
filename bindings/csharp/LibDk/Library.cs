// SPDX-License-Identifier: Apache-2.0
using System;

namespace LibDk
{
    /// <summary>The library itself: what it is, what it knows, and kernel matrices.</summary>
    public static class Library
    {
        /// <summary>The version of the native library.</summary>
        public static string Version => Native.version();

        /// <summary>Version, compiler, BLAS and vector instructions in use.</summary>
        public static string BuildInfo => Native.build_info();

        /// <summary>
        /// All machines, kernels, weights, parameters and metrics as JSON, with types, defaults, ranges and a line of
        /// documentation.
        /// </summary>
        public static string Describe() => Native.describe();

        /// <summary>The kernel matrices of all rows of one dataset with all rows of another.</summary>
        /// <param name="left">one row of each matrix a row</param>
        /// <param name="right">one column a row; null for left itself</param>
        /// <param name="kernel">one matrix for each kernel of a bank</param>
        /// <param name="options">null for all processors</param>
        /// <returns>one matrix a kernel</returns>
        public static double[][,] Gram(Dataset left, Dataset? right, string kernel, CallOptions? options = null)
        {
            if (left == null) throw new ArgumentNullException(nameof(left));
            using (var rows = left.Begin())
            using (var columns = (right ?? left).Begin())
            {
                long count = Native.kernel_count(columns.Native, NativeText.Checked(kernel));
                long size = checked(rows.Native.rows() * columns.Native.rows());
                var values = new double[checked(count * size)];
                NativeData l = rows.Native;
                NativeData? r = right == null ? null : columns.Native;
                CallOptions.Run(options, control => Native.gram(values, l, r, kernel, control));
                var matrices = new double[count][,];
                for (long k = 0; k < count; k++)
                    matrices[k] = Dataset.Table(values.AsSpan(checked((int)(k * size)), checked((int)size)).ToArray(),
                        l.rows());
                return matrices;
            }
        }
    }
}
