// SPDX-License-Identifier: Apache-2.0
package org.libdk;

/** What native code asks for similarities. */
interface NativeCallback {
    /**
     * Computes similarities.
     *
     * @param points one after the other; empty where training rows are asked about
     * @param rows some rows
     * @param trainingRows some training rows; empty where points are asked about
     * @return row after row
     */
    double[] ask(double[] points, long[] rows, long[] trainingRows);
}
