// SPDX-License-Identifier: Apache-2.0
package org.libdk;

/** Learners compared over data sets and folds, and how stable what they select is. */
public final class Comparison {
    private Comparison() {}

    /**
     * The mean rank of each learner over data sets (Demsar, JMLR 7, 2006), 1 for the best; equal scores share ranks.
     *
     * @param scores data sets x learners, 2 to 100,000; the larger score is the better
     * @param control null for all processors
     * @return the mean rank of each learner
     */
    public static double[] meanRanks(double[][] scores, Control control) {
        double[] flat = Matrices.flat(scores);
        double[] ranks = new double[scores.length == 0 ? 0 : scores[0].length];
        Control.use(control, c -> {
            Native.mean_ranks(ranks, flat, c);
            return null;
        });
        return ranks;
    }

    /**
     * The difference of two mean ranks from which on Nemenyi's test tells learners apart.
     *
     * @param learners 2 to 100,000
     * @param sets how many data sets, at least 1
     * @param level of the test, 0.001 to 0.5, and 0.05 by custom
     * @return the critical difference
     */
    public static double criticalDifference(int learners, int sets, double level) {
        return Native.critical_difference(learners, sets, level);
    }

    /**
     * How far two learners lie apart over the same folds.
     *
     * @param difference the mean difference
     * @param t of Student's distribution with a degree less than there are folds
     * @param p how likely chance would set equals as far apart, two-sided
     */
    public record ResampledTest(double difference, double t, double p) {}

    /**
     * The corrected resampled t-test (Nadeau and Bengio, Machine Learning 52, 2003) of two learners on folds that share
     * training rows.
     *
     * @param differences of the learners' scores on each fold, at least 2
     * @param share the number of a fold's test rows over that of its training rows, such as 1/9 with ten folds
     * @return the test
     */
    public static ResampledTest resampledTest(double[] differences, double share) {
        double[] found = new double[3];
        Native.resampled_test(found, differences, share);
        return new ResampledTest(found[0], found[1], found[2]);
    }

    /**
     * How alike the sets are that a learner selects on different samples: their mean Jaccard index, among the members
     * that both samples had.
     *
     * @param selected sets x members: 1 where a set has the member, 0 where it has not, -1 where its sample had not
     * @param control null for all processors
     * @return 0 to 1; NaN where no two sets have a member in common samples
     */
    public static double jaccardStability(int[][] selected, Control control) {
        long[] flat = flat(selected);
        return Control.use(control, c -> Native.jaccard_stability(flat, members(selected), c));
    }

    /**
     * The stability of selections by Nogueira, Sechidis and Brown (JMLR 18, 2018).
     *
     * @param selected sets x members: 1 where a set has the member, and else 0
     * @return 1 where all sets are the same, 0 on average where chance selects; NaN where that is not defined
     */
    public static double selectionStability(int[][] selected) {
        return Native.selection_stability(flat(selected), members(selected));
    }

    private static int members(int[][] selected) {
        return selected.length == 0 ? 0 : selected[0].length;
    }

    private static long[] flat(int[][] selected) {
        int members = members(selected);
        long[] flat = new long[Math.multiplyExact(selected.length, members)];
        for (int set = 0; set < selected.length; set++) {
            if (selected[set].length != members)
                throw new IllegalArgumentException(
                        "set " + set + " has " + selected[set].length + " members, set 0 has " + members);
            for (int m = 0; m < members; m++) flat[set * members + m] = selected[set][m];
        }
        return flat;
    }
}
