// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;

/** Matrices as Java has them, arrays of rows, and as the library has them, one row after the other. */
final class Matrices {
    private Matrices() {}

    /** The rows one after the other; all must be of one length. */
    static double[] flat(double[][] x) {
        int cols = x.length == 0 ? 0 : x[0].length;
        double[] flat = new double[Math.multiplyExact(x.length, cols)];
        for (int i = 0; i < x.length; i++) {
            if (x[i].length != cols)
                throw DkException.invalidArgument(
                        "row " + i + " has " + x[i].length + " values, row 0 has " + cols);
            System.arraycopy(x[i], 0, flat, i * cols, cols);
        }
        return flat;
    }

    /** Refuses a buffer whose memory native code cannot use as it is. */
    static void requireNative(DoubleBuffer buffer) {
        if (!buffer.isDirect() || buffer.order() != ByteOrder.nativeOrder())
            throw DkException.invalidArgument("the buffer must be direct and of native byte order");
    }

    /** The rows of a matrix that are given one after the other. */
    static double[][] rows(double[] flat, int rows) {
        double[][] out = new double[rows][];
        int cols = rows == 0 ? 0 : flat.length / rows;
        for (int i = 0; i < rows; i++) out[i] = Arrays.copyOfRange(flat, i * cols, (i + 1) * cols);
        return out;
    }
}
