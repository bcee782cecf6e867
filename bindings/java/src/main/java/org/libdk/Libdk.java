// SPDX-License-Identifier: Apache-2.0
package org.libdk;

/** The library itself: what it is, what it knows, kernel matrices, and curves of scores. */
public final class Libdk {
    private Libdk() {}

    /**
     * The version of the native library.
     *
     * @return such as {@code "0.1.0"}
     */
    public static String version() {
        return Native.version();
    }

    /**
     * Version, compiler and vector instructions in use.
     *
     * @return one line
     */
    public static String buildInfo() {
        return Native.build_info();
    }

    /**
     * All machines, kernels, weights, parameters and metrics, with types, defaults, ranges and a line of documentation.
     *
     * @return JSON
     */
    public static String describe() {
        return Native.describe();
    }

    /**
     * The kernel matrices of all rows of one dataset with all rows of another.
     *
     * @param left one row of each matrix a row
     * @param right one column a row; null for {@code left} itself
     * @param kernel one matrix for each kernel of a bank
     * @param control null for all processors
     * @return kernels x left rows x right rows
     */
    public static double[][][] gram(Dataset left, Dataset right, Kernel kernel, Control control) {
        Dataset columns = right == null ? left : right;
        return left.use(l -> columns.use(r -> {
            int kernels = Math.toIntExact(Native.kernel_count(r, kernel.toString()));
            int rows = Math.toIntExact(l.rows());
            int all = Math.multiplyExact(Math.multiplyExact(kernels, rows), Math.toIntExact(r.rows()));
            double[] values = new double[all];
            Control.use(control, c -> {
                if (right == null) Native.own_gram(values, l, kernel.toString(), c);
                else Native.gram(values, l, r, kernel.toString(), c);
                return null;
            });
            double[][] flat = Matrices.rows(values, kernels * rows);
            double[][][] matrices = new double[kernels][][];
            for (int k = 0; k < kernels; k++)
                matrices[k] = java.util.Arrays.copyOfRange(flat, k * rows, (k + 1) * rows);
            return matrices;
        }));
    }

    /**
     * Kernel values of all rows of one dataset with all rows of another, in single precision.
     *
     * @param left one row of each matrix a row
     * @param right one column a row
     * @param kernel one matrix for each kernel of a bank
     * @param control null for all processors
     * @return the matrices one after the other, each left rows x right rows, row by row
     */
    public static float[] gramSingle(Dataset left, Dataset right, Kernel kernel, Control control) {
        return left.use(l -> right.use(r -> {
            float[] values = new float[Math.toIntExact(Math.multiplyExact(
                    Math.multiplyExact(Native.kernel_count(r, kernel.toString()), l.rows()), r.rows()))];
            Control.use(control, c -> {
                Native.gram_single(values, l, r, kernel.toString(), c);
                return null;
            });
            return values;
        }));
    }

    /**
     * The product K v of a kernel's matrix, which is not stored.
     *
     * @param left one row of the matrix a row
     * @param right one column of the matrix a row
     * @param kernel one kernel
     * @param v right rows x columns
     * @param control null for all processors
     * @return left rows x columns
     */
    public static double[][] gramProduct(Dataset left, Dataset right, Kernel kernel, double[][] v, Control control) {
        double[] flat = Matrices.flat(v);
        return left.use(l -> right.use(r -> {
            int columns = v.length == 0 ? 0 : v[0].length;
            int rows = Math.toIntExact(l.rows());
            double[] values = new double[Math.multiplyExact(rows, columns)];
            Control.use(control, c -> {
                Native.gram_product(values, l, r, kernel.toString(), flat, columns, c);
                return null;
            });
            return Matrices.rows(values, rows);
        }));
    }

    /**
     * The curve of a verification system in which every client has a threshold of its own: the mean over the clients of
     * the share of their genuine claims that are rejected, at each false acceptance rate.
     *
     * @param far false acceptance rates, 0 to 1
     * @param scores the score of each claim, such as a decision value
     * @param genuine whether a claim is the client's own, and not an impostor's
     * @param clients whose claim each is; null where all are of one client
     * @param control null for all processors
     * @return the false rejection rate at each false acceptance rate
     */
    public static double[] verificationCurve(
            double[] far, double[] scores, boolean[] genuine, long[] clients, Control control) {
        double[] rejected = new double[far.length];
        long[] own = new long[genuine.length];
        for (int i = 0; i < own.length; i++) own[i] = genuine[i] ? 1 : 0;
        if (clients != null && clients.length == 0 && scores.length > 0)
            throw new IllegalArgumentException("clients has no elements, scores has " + scores.length);
        long[] claimed = clients == null ? new long[0] : clients;
        Control.use(control, c -> {
            Native.verification_curve(rejected, far, scores, own, claimed, c);
            return null;
        });
        return rejected;
    }
}
