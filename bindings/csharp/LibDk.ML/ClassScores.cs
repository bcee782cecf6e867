// SPDX-License-Identifier: Apache-2.0
using System;
using System.Linq;

namespace LibDk.ML
{
    /// <summary>
    /// Scores of classes by the rule by which decisions elect one, so that the model predicts a class of the largest score;
    /// classes may share it where decisions are equal, or so large that their votes are.
    /// </summary>
    internal sealed class ClassScores
    {
        private readonly string rule;
        private readonly double[] normals;
        private readonly int classes;

        internal ClassScores(Model model)
        {
            rule = model.Report.DecisionRule;
            normals = model.Normals; // positive where decisions become signed distances by them
            classes = (int)model.ClassCount;
        }

        /// <summary>A score for each class.</summary>
        /// <param name="decisions">of one row</param>
        internal double[] Of(double[] decisions)
        {
            if (rule == "largest") return decisions;
            double[] distances = decisions.Select((value, f) => normals[f] > 0 ? value / normals[f] : value).ToArray();
            if (rule == "ovr") return distances;
            // one function is positive for the second of two classes
            return rule == "ovo" ? Votes(decisions, distances) : new[] { -distances[0], distances[0] };
        }

        /// <summary>
        /// Scores as Single, in which more of them are equal: where another class has the score of the one that is
        /// predicted, that one's becomes the next larger number, so that it alone has the largest.
        /// </summary>
        /// <param name="scores">of the classes</param>
        /// <param name="predicted">the position of the class that is predicted</param>
        internal static float[] Rounded(double[] scores, int predicted)
        {
            float[] rounded = Array.ConvertAll(scores, value => (float)value);
            if (rounded.Where((value, c) => c != predicted && value == rounded[predicted]).Any())
                rounded[predicted] = NextLarger(rounded[predicted]);
            return rounded;
        }

        /// <summary>The bits of positive numbers grow as these do, those of negative ones the other way.</summary>
        private static float NextLarger(float value)
        {
            if (value == 0) return float.Epsilon;
            int bits = BitConverter.ToInt32(BitConverter.GetBytes(value), 0);
            return BitConverter.ToSingle(BitConverter.GetBytes(value > 0 ? bits + 1 : bits - 1), 0);
        }

        /// <summary>
        /// Votes of the pairs (0, 1), (0, 2), ..., (1, 2), ... and, by a part of at most one half, sums of decisions; where
        /// several classes lead, those of distances between these decide.
        /// </summary>
        private double[] Votes(double[] decisions, double[] distances)
        {
            var votes = new int[classes];
            var sums = new double[classes];
            const double farthest = 1e300, most = 0.49; // as in the library, whose scores these are
            ForPairs((f, a, b) => votes[decisions[f] >= 0 ? a : b]++);
            int leading = votes.Max();
            bool tie = votes.Count(count => count == leading) > 1;
            ForPairs((f, a, b) =>
            {
                bool firstLeads = tie && votes[a] == leading, secondLeads = tie && votes[b] == leading;
                double apart = firstLeads && secondLeads ? distances[f] : decisions[f];
                apart = Math.Max(-farthest, Math.Min(farthest, apart));
                if (!firstLeads || secondLeads) sums[a] += apart;
                if (!secondLeads || firstLeads) sums[b] -= apart;
            });
            return votes.Select((count, c) => count + most * (sums[c] / (1 + Math.Abs(sums[c])))).ToArray();
        }

        private void ForPairs(Action<int, int, int> pair)
        {
            for (int a = 0, f = 0; a < classes; a++)
            for (int b = a + 1; b < classes; b++, f++)
                pair(f, a, b);
        }
    }
}
