// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;

/** The predictions of rows that come one by one: some of them are taken and scored together when the next is asked for. */
final class BatchedPredictions extends Spliterators.AbstractSpliterator<Prediction> {
    private final ModelPredictions model;
    private final Spliterator<double[]> rows;
    private final int batchRows;
    private final Control control;
    private final int cols;
    private final boolean mayMiss;
    private Iterator<Prediction> scored = List.<Prediction>of().iterator();
    private long taken;

    BatchedPredictions(ModelPredictions model, Spliterator<double[]> rows, int batchRows, Control control) {
        super(rows.estimateSize(), rows.characteristics() & (ORDERED | SIZED) | NONNULL | IMMUTABLE);
        if (batchRows < 1)
            throw DkException.invalidArgument("a batch of " + batchRows + " rows: at least 1 is needed");
        this.model = model;
        this.rows = rows;
        this.batchRows = batchRows;
        this.control = control;
        cols = Math.toIntExact(model.featureCount());
        mayMiss = model.fillsMissing();
    }

    /** The rows of the next batch, which grow with what the stream has. */
    private final class Batch implements Consumer<double[]> {
        private double[] values = new double[0];
        private int count;

        @Override
        public void accept(double[] row) {
            require(row);
            int begin = count * cols;
            if (begin == values.length) {
                int room = (int) Math.min(batchRows, Math.max(2L * count, 16));
                values = Arrays.copyOf(values, Math.multiplyExact(room, cols));
            }
            System.arraycopy(row, 0, values, begin, cols);
            count++;
            taken++;
        }

        private void require(double[] row) {
            if (row == null) throw DkException.invalidArgument("row " + taken + " (counted from 0) is null");
            if (row.length != cols)
                throw new DkException(DkException.Status.DIMENSION, "row " + taken + " (counted from 0) has "
                        + row.length + " values, the model was trained on " + cols + " columns");
            for (int j = 0; j < cols; j++)
                if (!Double.isFinite(row[j]) && !(mayMiss && Double.isNaN(row[j])))
                    throw new DkException(DkException.Status.INVALID_DATA, "value " + row[j] + " at row " + taken
                            + ", column " + j + " (counted from 0): every value must be finite");
        }

        List<Prediction> score() {
            if (count == 0) return List.of();
            double[] full = count * cols == values.length ? values : Arrays.copyOf(values, count * cols);
            try (Dataset data = model.rowsOf(full, count, cols)) {
                return Prediction.all(model, data, control);
            }
        }
    }

    @Override
    public boolean tryAdvance(Consumer<? super Prediction> action) {
        if (!scored.hasNext()) {
            Batch batch = new Batch();
            while (batch.count < batchRows && rows.tryAdvance(batch)) continue;
            scored = batch.score().iterator();
        }
        if (!scored.hasNext()) return false;
        action.accept(scored.next());
        return true;
    }
}
