// SPDX-License-Identifier: Apache-2.0
package org.libdk;

/** The library itself: what it is, what it knows, and kernel matrices. */
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
     * Version, compiler, BLAS and vector instructions in use.
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
                Native.gram(values, l, right == null ? null : r, kernel.toString(), c);
                return null;
            });
            double[][] flat = Dataset.rows(values, kernels * rows);
            double[][][] matrices = new double[kernels][][];
            for (int k = 0; k < kernels; k++)
                matrices[k] = java.util.Arrays.copyOfRange(flat, k * rows, (k + 1) * rows);
            return matrices;
        }));
    }
}
