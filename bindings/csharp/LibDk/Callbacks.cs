// SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace LibDk
{
    /// <summary>
    /// A function of the caller's that the library asks; it lives as long as the datasets that hold it. What it throws
    /// waits on the thread until the library has returned.
    /// </summary>
    internal sealed unsafe class Callback
    {
        /// <summary>A callback of dk.h; of similarities to points the numbers after the points are their count and
        /// columns.</summary>
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        private delegate int OfRows(double* result, long* rows, long rowCount, long* training, long trainingCount,
            IntPtr user);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        private delegate int OfPoints(double* result, double* points, long count, long cols, long* rows, long rowCount,
            IntPtr user);

        [ThreadStatic]
        private static Exception? thrown;

        private readonly Delegate kept;

        private Callback(Delegate function)
        {
            kept = function;
        }

        /// <summary>The address that C calls.</summary>
        internal long Address => Marshal.GetFunctionPointerForDelegate(kept).ToInt64();

        internal static Callback Similarity(Func<long[], long[], double[,]> function)
        {
            return new Callback((OfRows)((result, rows, rowCount, training, trainingCount, user) =>
                Answered(result, rowCount, trainingCount,
                    () => function(Copied(rows, rowCount), Copied(training, trainingCount)))));
        }

        internal static Callback PointSimilarity(Func<double[,], long[], double[,]> function)
        {
            return new Callback((OfPoints)((result, points, count, cols, rows, rowCount, user) =>
                Answered(result, rowCount, count, () =>
                {
                    double[] flat = new ReadOnlySpan<double>(points, checked((int)(count * cols))).ToArray();
                    return function(Dataset.Table(flat, count), Copied(rows, rowCount));
                })));
        }

        private static long[] Copied(long* values, long count)
        {
            return new ReadOnlySpan<long>(values, checked((int)count)).ToArray();
        }

        private static int Answered(double* result, long rows, long cols, Func<double[,]> ask)
        {
            try
            {
                double[,] answer = ask();
                if (answer.GetLongLength(0) != rows || answer.GetLongLength(1) != cols)
                    throw DkException.InvalidArgument($"a similarity gave {answer.GetLength(0)} x {answer.GetLength(1)} "
                        + $"values, {rows} x {cols} are needed");
                for (int i = 0; i < rows; i++)
                    for (int j = 0; j < cols; j++)
                        result[i * cols + j] = answer[i, j];
                return 0;
            }
            catch (Exception error)
            {
                thrown = error; // must not unwind native frames
                return 1;
            }
        }

        /// <summary>Throws what a callback threw during the call that failed so.</summary>
        internal static void Rethrow()
        {
            Exception? error = thrown;
            thrown = null;
            if (error != null) ExceptionDispatchInfo.Capture(error).Throw();
        }
    }
}
