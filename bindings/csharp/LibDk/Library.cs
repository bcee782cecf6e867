// SPDX-License-Identifier: Apache-2.0
using System;
using System.Linq;

namespace LibDk
{
    /// <summary>The library itself: what it is, what it knows, kernel matrices, and curves of scores.</summary>
    public static class Library
    {
        /// <summary>The version of the native library.</summary>
        public static string Version => Native.version();

        /// <summary>Version, compiler and vector instructions in use.</summary>
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
                NativeData r = columns.Native;
                CallOptions.Run(options, control =>
                {
                    if (right == null) Native.own_gram(values, l, kernel, control);
                    else Native.gram(values, l, r, kernel, control);
                });
                var matrices = new double[count][,];
                for (long k = 0; k < count; k++)
                    matrices[k] = Dataset.Table(values.AsSpan(checked((int)(k * size)), checked((int)size)).ToArray(),
                        l.rows());
                return matrices;
            }
        }

        /// <summary>
        /// Kernel values of all rows of one dataset with all rows of another, in single precision: the matrices of a bank
        /// one after the other, each row by row.
        /// </summary>
        /// <param name="left">one row of each matrix a row</param>
        /// <param name="right">one column a row</param>
        /// <param name="kernel">one matrix for each kernel of a bank</param>
        /// <param name="options">null for all processors</param>
        public static float[] GramSingle(Dataset left, Dataset right, string kernel, CallOptions? options = null)
        {
            if (left == null) throw new ArgumentNullException(nameof(left));
            if (right == null) throw new ArgumentNullException(nameof(right));
            using (var rows = left.Begin())
            using (var columns = right.Begin())
            {
                NativeData l = rows.Native;
                NativeData r = columns.Native;
                var values = new float[checked(Native.kernel_count(r, NativeText.Checked(kernel)) * l.rows() * r.rows())];
                CallOptions.Run(options, control => Native.gram_single(values, l, r, kernel, control));
                return values;
            }
        }

        /// <summary>The product K v of a kernel's matrix, which is not stored: left rows x columns of v.</summary>
        /// <param name="left">one row of the matrix a row</param>
        /// <param name="right">one column of the matrix a row</param>
        /// <param name="kernel">one kernel</param>
        /// <param name="v">right rows x columns</param>
        /// <param name="options">null for all processors</param>
        public static double[,] GramProduct(Dataset left, Dataset right, string kernel, double[,] v,
            CallOptions? options = null)
        {
            if (left == null) throw new ArgumentNullException(nameof(left));
            if (right == null) throw new ArgumentNullException(nameof(right));
            if (v == null) throw new ArgumentNullException(nameof(v));
            using (var rows = left.Begin())
            using (var columns = right.Begin())
            {
                NativeData l = rows.Native;
                NativeData r = columns.Native;
                double[] flat = v.Cast<double>().ToArray();
                var values = new double[checked(l.rows() * v.GetLongLength(1))];
                CallOptions.Run(options, control =>
                    Native.gram_product(values, l, r, NativeText.Checked(kernel), flat, v.GetLongLength(1), control));
                return Dataset.Table(values, l.rows());
            }
        }

        /// <summary>
        /// The curve of a verification system in which every client has a threshold of its own: the mean over the clients
        /// of the share of their genuine claims that are rejected, at each false acceptance rate.
        /// </summary>
        /// <param name="far">false acceptance rates, 0 to 1</param>
        /// <param name="scores">the score of each claim, such as a decision value</param>
        /// <param name="genuine">whether a claim is the client's own, and not an impostor's</param>
        /// <param name="clients">whose claim each is; null where all are of one client</param>
        /// <param name="options">null for all processors</param>
        /// <returns>the false rejection rate at each false acceptance rate</returns>
        public static double[] VerificationCurve(double[] far, double[] scores, bool[] genuine, long[]? clients = null,
            CallOptions? options = null)
        {
            if (far == null) throw new ArgumentNullException(nameof(far));
            if (scores == null) throw new ArgumentNullException(nameof(scores));
            if (genuine == null) throw new ArgumentNullException(nameof(genuine));
            if (clients != null && clients.Length == 0 && scores.Length > 0)
                throw new ArgumentException($"clients has no elements, scores has {scores.Length}", nameof(clients));
            var rejected = new double[far.Length];
            long[] own = Array.ConvertAll(genuine, one => one ? 1L : 0L);
            long[] claimed = clients ?? new long[0];
            CallOptions.Run(options,
                control => Native.verification_curve(rejected, far, scores, own, claimed, control));
            return rejected;
        }
    }
}
