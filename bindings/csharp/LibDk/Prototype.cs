// SPDX-License-Identifier: Apache-2.0
namespace LibDk
{
    /// <summary>
    /// One of the two prototypes of a decision function f, in the generalised prototype framework (Graf, Bousquet,
    /// Raetsch, Schoelkopf 2008): f(x) = (|x - p-|^2 - |x - p+|^2 + S) / (2 t), distances in feature space.
    /// </summary>
    public sealed class Prototype
    {
        internal Prototype(int function, bool positive, string? className, double[] coefficients, long[] nearestRows,
            double[] nearestDistances)
        {
            Function = function;
            IsPositive = positive;
            ClassName = className;
            Coefficients = coefficients;
            NearestRows = nearestRows;
            NearestDistances = nearestDistances;
        }

        /// <summary>The decision function it belongs to, from 0; -1 where the model learned prototypes of its
        /// own, which belong to none.</summary>
        public int Function { get; }

        /// <summary>Whether it is p+, for which the function is positive.</summary>
        public bool IsPositive { get; }

        /// <summary>The class it stands for; null for "all the others", and where there are no classes.</summary>
        public string? ClassName { get; }

        /// <summary>It as a convex combination: one coefficient a training row, none negative.</summary>
        public double[] Coefficients { get; }

        /// <summary>The training rows nearest to it in feature space, nearest first.</summary>
        public long[] NearestRows { get; }

        /// <summary>The distances of <see cref="NearestRows"/>.</summary>
        public double[] NearestDistances { get; }
    }
}
