// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.nio.file.Path;

/** What a model tells people of its answers. {@link Model} is the class that users see: it has these methods. */
abstract class ModelExplanations extends ModelPredictions {
    ModelExplanations(NativeModel model) {
        super(model);
    }

    /**
     * Why a row got its prediction and not the next best one.
     *
     * @param data with the features of the training data
     * @param row its position in the data, from 0
     * @return what prototypes, training rows and kernels add to the answer, and what would turn it
     */
    public RowExplanation explainRow(Dataset data, long row) {
        return explainRow(data, row, null, null);
    }

    /**
     * Why a row got its prediction and not the next best one, with the rows of training.
     *
     * @param data with the features of the training data
     * @param row its position in the data, from 0
     * @param training the rows that the model was trained with, or null. With them rows have their classes, and the
     *     nearest row of another class is known
     * @param control threads, memory, progress and cancel; null for all processors
     * @return what prototypes, training rows and kernels add to the answer, what would turn it (Moosavi-Dezfooli et al.
     *     2016), and what each training row did for it (Cook 1979, Cauwenberghs and Poggio 2000)
     */
    public RowExplanation explainRow(Dataset data, long row, Dataset training, Control control) {
        Object told = handle.use(model -> data.use(d -> {
            if (training == null) return Control.use(control, c -> model.explain_row_values(d, row, c));
            return training.use(t -> Control.use(control, c -> model.explain_row_with_values(d, row, t, c)));
        }));
        return RowExplanation.of(new Facts(told));
    }

    /**
     * Whether rows come as the training rows did, which the model has to keep all.
     *
     * @param data with the features of the training data; labels are not looked at
     * @return the distance with its p-value
     */
    public Drift drift(Dataset data) {
        return drift(data, null, 1, null);
    }

    /**
     * Whether rows come as known ones did, by a kernel two-sample test with 999 permutations (Gretton et al. 2012).
     *
     * @param data with the features of the training data; labels are not looked at
     * @param reference the known rows, such as the training rows; null for the training rows if the model keeps all
     * @param seed draws at most 2000 rows of each side
     * @param control threads, memory, progress and cancel; null for all processors
     * @return the distance with its p-value
     */
    public Drift drift(Dataset data, Dataset reference, long seed, Control control) {
        double[] found = new double[3];
        handle.use(model -> data.use(d -> {
            if (reference == null) return Control.use(control, c -> {
                model.drift(found, d, seed, c);
                return null;
            });
            return reference.use(r -> Control.use(control, c -> {
                model.drift_with(found, d, r, seed, c);
                return null;
            }));
        }));
        return new Drift(found[0], found[1], found[2]);
    }

    /**
     * Writes a page about the model and its predictions, as HTML that any browser opens without a network.
     *
     * @param path the file
     * @param data with the features of the training data; with labels or targets the page tells how good the model is
     * @param options such as {@code rows=10}: so many wrong rows are shown; {@code image=32x32}: rows are pictures;
     *     {@code for=manager}: the page is for who decides what to do with predictions; {@code title=Faces}: the heading,
     *     which comes last
     */
    public void report(Path path, Dataset data, String... options) {
        report(path, data, null, String.join(" ", options), null);
    }

    /**
     * Writes a page about the model and its predictions, with the rows of training: charts of its quality, kernels,
     * prototypes with their nearest rows, a map of the rows, its training, and the rows that are most wrong with their
     * explanations. The same input gives the same bytes.
     *
     * @param path the file
     * @param data with the features of the training data; with labels or targets the page tells how good the model is
     * @param training the rows that the model was trained with, or null
     * @param options as for {@link #report(Path, Dataset, String...)}, with spaces between
     * @param control threads, memory, progress and cancel; null for all processors
     */
    public void report(Path path, Dataset data, Dataset training, String options, Control control) {
        String file = path.toString();
        handle.use(model -> data.use(d -> {
            if (training == null) return Control.use(control, c -> {
                model.report(file, d, options, c);
                return null;
            });
            return training.use(t -> Control.use(control, c -> {
                model.report_with(file, d, t, options, c);
                return null;
            }));
        }));
    }
}
