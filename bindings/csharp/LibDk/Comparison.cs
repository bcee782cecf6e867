// SPDX-License-Identifier: Apache-2.0
using System;
using System.Linq;

namespace LibDk
{
    /// <summary>Learners compared over data sets and folds, and how stable what they select is.</summary>
    public static class Comparison
    {
        /// <summary>
        /// The mean rank of each learner over data sets (Demsar, JMLR 7, 2006), 1 for the best; equal scores share ranks.
        /// </summary>
        /// <param name="scores">data sets x learners, 2 to 100,000; the larger score is the better</param>
        /// <param name="options">null for all processors</param>
        public static double[] MeanRanks(double[,] scores, CallOptions? options = null)
        {
            if (scores == null) throw new ArgumentNullException(nameof(scores));
            double[] flat = scores.Cast<double>().ToArray();
            var ranks = new double[scores.GetLength(1)];
            CallOptions.Run(options, control => Native.mean_ranks(ranks, flat, control));
            return ranks;
        }

        /// <summary>The difference of two mean ranks from which on Nemenyi's test tells learners apart.</summary>
        /// <param name="learners">2 to 100,000</param>
        /// <param name="sets">how many data sets, at least 1</param>
        /// <param name="level">of the test, 0.001 to 0.5</param>
        public static double CriticalDifference(int learners, int sets, double level = 0.05) =>
            Native.critical_difference(learners, sets, level);

        /// <summary>
        /// The corrected resampled t-test (Nadeau and Bengio, Machine Learning 52, 2003) of two learners on folds that
        /// share training rows: the mean difference, t, and how likely chance would set equals as far apart, two-sided.
        /// </summary>
        /// <param name="differences">of the learners' scores on each fold, at least 2</param>
        /// <param name="share">a fold's test rows over its training rows, such as 1/9 with ten folds</param>
        public static (double Difference, double T, double P) ResampledTest(double[] differences, double share)
        {
            if (differences == null) throw new ArgumentNullException(nameof(differences));
            var found = new double[3];
            Native.resampled_test(found, differences, share);
            return (found[0], found[1], found[2]);
        }

        /// <summary>
        /// How alike the sets are that a learner selects on different samples: their mean Jaccard index, among the
        /// members that both samples had; NaN where no two sets have one.
        /// </summary>
        /// <param name="selected">sets x members: whether a set has the member; null where its sample had not</param>
        /// <param name="options">null for all processors</param>
        public static double JaccardStability(bool?[,] selected, CallOptions? options = null)
        {
            if (selected == null) throw new ArgumentNullException(nameof(selected));
            long[] flat = selected.Cast<bool?>().Select(one => one == null ? -1L : one.Value ? 1L : 0L).ToArray();
            double stability = 0;
            CallOptions.Run(options,
                control => stability = Native.jaccard_stability(flat, selected.GetLength(1), control));
            return stability;
        }

        /// <summary>
        /// The stability of selections by Nogueira, Sechidis and Brown (JMLR 18, 2018): 1 where all sets are the same,
        /// 0 on average where chance selects, NaN where that is not defined.
        /// </summary>
        /// <param name="selected">sets x members: whether a set has the member</param>
        public static double SelectionStability(bool[,] selected)
        {
            if (selected == null) throw new ArgumentNullException(nameof(selected));
            long[] flat = selected.Cast<bool>().Select(one => one ? 1L : 0L).ToArray();
            return Native.selection_stability(flat, selected.GetLength(1));
        }
    }
}
