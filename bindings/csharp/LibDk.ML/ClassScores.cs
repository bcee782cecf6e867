// SPDX-License-Identifier: Apache-2.0
using System;

namespace LibDk.ML
{
    /// <summary>
    /// Scores of classes by the rule by which decisions elect one, so that the class with the largest score is the one
    /// that the model predicts.
    /// </summary>
    internal static class ClassScores
    {
        /// <summary>Rows x classes.</summary>
        internal static double[,] Of(Model model, Dataset data)
        {
            double[,] decisions = model.Decision(data);
            string rule = model.Report.DecisionRule;
            if (rule == "largest") return decisions;
            double[,] distances = Distances(decisions, model.Normals);
            if (rule == "ovr") return distances;
            return rule == "ovo" ? Votes(distances, (int)model.ClassCount) : Sides(distances);
        }

        /// <summary>Signed distances from the boundaries, where these are known.</summary>
        private static double[,] Distances(double[,] decisions, double[] normals)
        {
            var distances = (double[,])decisions.Clone();
            for (int i = 0; i < distances.GetLength(0); i++)
            for (int f = 0; f < normals.Length; f++)
                if (normals[f] > 0) distances[i, f] /= normals[f];
            return distances;
        }

        /// <summary>One function is positive for the second of two classes.</summary>
        private static double[,] Sides(double[,] distances)
        {
            var scores = new double[distances.GetLength(0), 2];
            for (int i = 0; i < scores.GetLength(0); i++) (scores[i, 0], scores[i, 1]) = (-distances[i, 0], distances[i, 0]);
            return scores;
        }

        /// <summary>
        /// Votes of the pairs (0, 1), (0, 2), ..., (1, 2), ...; the sums of distances between the classes that lead order
        /// them by a part below one half.
        /// </summary>
        private static double[,] Votes(double[,] distances, int classes)
        {
            var scores = new double[distances.GetLength(0), classes];
            var votes = new int[classes];
            var sums = new double[classes];
            for (int i = 0; i < scores.GetLength(0); i++)
            {
                Array.Clear(votes, 0, classes);
                Array.Clear(sums, 0, classes);
                ForPairs(classes, (f, a, b) => votes[distances[i, f] >= 0 ? a : b]++);
                int most = 0;
                foreach (int count in votes) most = Math.Max(most, count);
                ForPairs(classes, (f, a, b) =>
                {
                    if (votes[a] < most || votes[b] == most) sums[a] += distances[i, f];
                    if (votes[b] < most || votes[a] == most) sums[b] -= distances[i, f];
                });
                for (int c = 0; c < classes; c++) scores[i, c] = votes[c] + 0.5 * sums[c] / (1 + Math.Abs(sums[c]));
            }
            return scores;
        }

        private static void ForPairs(int classes, Action<int, int, int> pair)
        {
            for (int a = 0, f = 0; a < classes; a++)
            for (int b = a + 1; b < classes; b++, f++)
                pair(f, a, b);
        }
    }
}
