// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.Locale;
import java.util.function.Function;

/** What a dataset has. {@link Dataset} is the class that users see: it has these methods. */
abstract class DatasetFacts {
    final NativeHandle<NativeData> handle;

    DatasetFacts(NativeData data) {
        handle = new NativeHandle<>(this, data, "dataset", NativeData::delete);
    }

    /**
     * The number of rows.
     *
     * @return at least 1
     */
    public long rows() {
        return handle.use(NativeData::rows);
    }

    /**
     * The number of columns.
     *
     * @return at least 1
     */
    public long cols() {
        return handle.use(NativeData::cols);
    }

    /**
     * The class of each row as {@link Model#predict} would give it.
     *
     * @return one a row
     */
    public long[] labels() {
        return handle.use(data -> {
            long[] out = new long[Math.toIntExact(data.rows())];
            data.labels(out);
            return out;
        });
    }

    /**
     * The features of dense data.
     *
     * @return rows x columns
     */
    public double[][] values() {
        return handle.use(data -> {
            int rows = Math.toIntExact(data.rows());
            double[] out = new double[Math.multiplyExact(rows, Math.toIntExact(data.cols()))];
            data.values(out);
            return Matrices.rows(out, rows);
        });
    }

    /**
     * What rows are.
     *
     * @return the kind
     */
    public Dataset.Kind kind() {
        return Dataset.Kind.values()[handle.use(NativeData::kind_number)];
    }

    /**
     * The name of a column.
     *
     * @param column from 0
     * @return its name; f1, f2, ... where columns have none
     */
    public String featureName(long column) {
        return handle.use(data -> data.feature_name(column));
    }

    /**
     * The name of a row.
     *
     * @param row from 0
     * @return its name; empty where rows have none
     */
    public String rowName(long row) {
        return handle.use(data -> data.row_name(row));
    }

    /**
     * Counts the kernels that a specification makes for these data.
     *
     * @param kernel one, or a bank
     * @return at least 1
     */
    public long kernelCount(Kernel kernel) {
        return handle.use(data -> Native.kernel_count(data, kernel.toString()));
    }

    /**
     * A stratified split, the same on every machine for the same seed.
     *
     * @param count number of folds, at least 2
     * @param seed any number
     * @return the fold of each row, from 0
     */
    public long[] folds(int count, long seed) {
        return handle.use(data -> {
            long[] out = new long[Math.toIntExact(data.rows())];
            data.folds(out, count, seed);
            return out;
        });
    }

    <R> R use(Function<NativeData, R> call) {
        return handle.use(call);
    }

    /** Tells sizes and kind in one line; of a closed dataset that it is closed. */
    @Override
    public String toString() {
        return handle.print(() ->
                rows() + " rows x " + cols() + " columns, " + kind().name().toLowerCase(Locale.ROOT));
    }
}
