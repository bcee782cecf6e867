// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What a model says of rows. {@link Model} is the class that users see: it has these methods. */
abstract class ModelPredictions extends ModelFacts {
    /** How many rows of a stream are scored together: enough for all processors, and little memory. */
    static final int BATCH_ROWS = 1024;

    ModelPredictions(NativeModel model) {
        super(model);
    }

    /** A call that fills an array of results. */
    @FunctionalInterface
    private interface Filling {
        void fill(NativeModel model, double[] out, NativeData data, NativeControl control);
    }

    private double[] filled(Function<NativeModel, Long> columns, Dataset data, Control control, Filling call) {
        return handle.use(model -> data.use(d -> Control.use(control, c -> {
            double[] out = new double[Math.toIntExact(Math.multiplyExact(d.rows(), columns.apply(model)))];
            call.fill(model, out, d, c);
            return out;
        })));
    }

    private double[][] table(Function<NativeModel, Long> columns, Dataset data, Control control, Filling call) {
        return Matrices.rows(filled(columns, data, control, call), Math.toIntExact(data.rows()));
    }

    /**
     * Predicts on all processors.
     *
     * @param data with the features of the training data
     * @return for each row its class label (its position in {@link #classNames} where classes have names), or its value;
     *     of several targets those of each row, one row after the other, and of several labels 1 for each that the row
     *     is predicted to have and 0 for the others
     */
    public double[] predict(Dataset data) {
        return predict(data, null);
    }

    /**
     * Predicts.
     *
     * @param data with the features of the training data
     * @param control null for all processors
     * @return as {@link #predict(Dataset)}
     */
    public double[] predict(Dataset data, Control control) {
        return filled(NativeModel::target_count, data, control, NativeModel::predict);
    }

    /**
     * Predicts into a direct buffer.
     *
     * @param out a direct buffer in native byte order, with a place for each row and target
     * @param data with the features of the training data
     * @param control null for all processors
     */
    public void predict(DoubleBuffer out, Dataset data, Control control) {
        Matrices.requireNative(out);
        handle.use(model -> data.use(d -> Control.use(control, c -> {
            model.predict_direct(out, d, c);
            return null;
        })));
    }

    /**
     * Predicts rows and writes the answer as a table of Arrow into two structs of the caller, such as
     * {@code ArrowSchema.allocateNew} and {@code ArrowArray.allocateNew} make them, who releases them.
     *
     * @param schema the address of the {@code ArrowSchema} to fill
     * @param array the address of the {@code ArrowArray} to fill
     * @param data with the features of the training data
     * @param what prediction, decision, probability and explanation, with commas between them
     * @param control null for all processors
     */
    public void predictArrow(long schema, long array, Dataset data, String what, Control control) {
        handle.use(model -> data.use(d -> Control.use(control, c -> {
            model.results_to_arrow(schema, array, d, what, c);
            return null;
        })));
    }

    /**
     * Predicts one row.
     *
     * @param row its features
     * @return its class label or value
     */
    public double predict(double... row) {
        try (Dataset data = rowsOf(row, 1, row.length)) {
            double[] values = predict(data);
            if (values.length == 1) return values[0];
            throw new DkException(DkException.Status.UNSUPPORTED, "the model predicts " + values.length
                    + " targets of a row; predict(Dataset) gives all of them");
        }
    }

    /** Rows to predict, which may miss values where the model fills them. */
    Dataset rowsOf(double[] x, int rows, int cols) {
        return new Dataset(NativeData.dense_array(x, rows, cols, fillsMissing()));
    }

    /**
     * Predictions, decisions and probabilities of rows, by one pass over the kernel and without a dataset: the short way
     * for a service.
     *
     * @param x the features of the training data, one row after the other; NaN where the model fills missing values
     * @param control null for all processors
     * @return the answers
     */
    public RowAnswers predictRows(double[][] x, Control control) {
        double[] flat = Matrices.flat(x);
        return handle.use(model -> Control.use(control, c -> {
            double[] predictions = new double[places(x.length, model.target_count())];
            double[] decisions = new double[places(x.length, model.decision_count())];
            boolean probable = model.has_probabilities();
            double[] probabilities = new double[probable ? places(x.length, model.class_count()) : 0];
            model.predict_rows(predictions, decisions, probabilities, flat, x.length == 0 ? 1 : x[0].length, c);
            return new RowAnswers(predictions, Matrices.rows(decisions, x.length),
                    probable ? Matrices.rows(probabilities, x.length) : null);
        }));
    }

    /**
     * Predictions, decisions and probabilities of rows on all processors.
     *
     * @param x as {@link #predictRows(double[][], Control)} takes them
     * @return the answers
     */
    public RowAnswers predictRows(double[][] x) {
        return predictRows(x, null);
    }

    private static int places(int rows, long width) {
        return Math.toIntExact(Math.multiplyExact(rows, width));
    }

    /**
     * Predicts several labels a row.
     *
     * @param data with the features of the training data
     * @param control null for all processors
     * @return the names of the labels that each row is predicted to have, in the order of {@link #classNames}
     */
    public List<List<String>> predictLabelSets(Dataset data, Control control) {
        if (!predictsLabels())
            throw new DkException(DkException.Status.UNSUPPORTED, "the model predicts one class or value a row");
        List<String> names = classNames();
        double[][] has = table(NativeModel::target_count, data, control, NativeModel::predict);
        return Arrays.stream(has).map(row -> IntStream.range(0, row.length).filter(label -> row[label] == 1)
                .mapToObj(names::get).toList()).toList();
    }

    /**
     * Predicts several labels a row, on all processors.
     *
     * @param data with the features of the training data
     * @return as {@link #predictLabelSets(Dataset, Control)}
     */
    public List<List<String>> predictLabelSets(Dataset data) {
        return predictLabelSets(data, null);
    }

    private boolean predictsLabels() {
        return task() == Task.MULTILABEL;
    }

    /**
     * Predicts classes by name.
     *
     * @param data with the features of the training data
     * @return the name of each row's class, its label as text where classes have no names
     */
    public List<String> predictClasses(Dataset data) {
        Map<Double, String> names = classNamesByLabel();
        if (names.isEmpty())
            throw new DkException(DkException.Status.UNSUPPORTED, predictsLabels()
                    ? "the model predicts several labels a row; predictLabelSets gives them"
                    : "a regression predicts values, no classes");
        return Arrays.stream(predict(data)).mapToObj(names::get).toList();
    }

    /**
     * Predicts labels, also those beyond 2^53, which no double tells apart: classes then have their digits as names.
     *
     * @param data with the features of the training data
     * @return the label of each row's class; names that are no integers are an exception
     */
    public long[] predictLabels(Dataset data) {
        return predictClasses(data).stream().mapToLong(ModelPredictions::labelOf).toArray();
    }

    private static long labelOf(String name) {
        try {
            long label = Long.parseLong(name);
            if (Long.toString(label).equals(name)) return label;
        } catch (NumberFormatException error) {
            // it is a name like any other
        }
        throw new DkException(DkException.Status.UNSUPPORTED,
                "the class '" + name + "' is no integer; predictClasses gives the names of classes");
    }

    /** The name of each class by its label, in the order of the labels; empty where no class is predicted. */
    Map<Double, String> classNamesByLabel() {
        Map<Double, String> names = new LinkedHashMap<>();
        if (predictsLabels()) return names;
        long[] labels = classes();
        List<String> texts = classNames();
        for (int c = 0; c < labels.length; c++) names.put((double) labels[c], texts.get(c));
        return names;
    }

    /**
     * Predicts, and tells decisions and probabilities too, on all processors.
     *
     * @param data with the features of the training data
     * @return one prediction a row, in the order of the rows
     */
    public Stream<Prediction> predictions(Dataset data) {
        return predictions(data, null);
    }

    /**
     * Predicts, and tells decisions and probabilities too. It takes the time of {@link #predict(Dataset, Control)} and
     * {@link #decision} together, and of {@link #probability} where the model has probabilities: each computes the kernel
     * values anew. Where classes alone are needed, {@link #predict(Dataset, Control)} or {@link #predictClasses} is quicker.
     *
     * @param data with the features of the training data
     * @param control null for all processors
     * @return one prediction a row, in the order of the rows
     */
    public Stream<Prediction> predictions(Dataset data, Control control) {
        return Prediction.all(this, data, control).stream();
    }

    /**
     * Predicts rows as they come, {@value #BATCH_ROWS} at a time, on all processors.
     *
     * @param rows each with the features of the training data
     * @return as {@link #predict(Stream, int, Control)}
     */
    public Stream<Prediction> predict(Stream<double[]> rows) {
        return predict(rows, BATCH_ROWS, null);
    }

    /**
     * Predicts rows as they come. Rows are taken from the stream when a prediction is asked for, one batch at a time, so
     * that a stream of any length needs the memory of one batch. An array may be used again when it was taken. A row that
     * is null, of a wrong length or not finite ends the predictions at its batch with a {@link DkException} that tells its
     * number. Neither the model nor {@code rows} is closed. The time is that of {@link #predictions(Dataset, Control)}.
     *
     * @param rows each with the features of the training data; read by one thread
     * @param batchRows the number of rows that are scored together, at least 1
     * @param control null for all processors
     * @return one prediction a row, in the order of the rows
     */
    public Stream<Prediction> predict(Stream<double[]> rows, int batchRows, Control control) {
        return StreamSupport.stream(
                new BatchedPredictions(this, rows.sequential().spliterator(), batchRows, control), false);
    }

    /**
     * Decision values.
     *
     * @param data with the features of the training data
     * @param control null for all processors
     * @return rows x decision functions; two classes have one function, positive for the second class
     */
    public double[][] decision(Dataset data, Control control) {
        return table(NativeModel::decision_count, data, control, NativeModel::decision);
    }

    /**
     * Probabilities of a model trained with {@code probability=yes}.
     *
     * @param data with the features of the training data
     * @param control null for all processors
     * @return rows x classes
     */
    public double[][] probability(Dataset data, Control control) {
        return table(NativeModel::class_count, data, control, NativeModel::probability);
    }

    /**
     * The answers that hold the truth with a probability. The model was trained with a {@code confidence}, or is of
     * {@link Model#calibrate}.
     *
     * @param data with the features of the training data
     * @param confidence above 0 and below 1; 0 for that of the training
     * @param control null for all processors
     * @return of a regression an interval, rows x 2 (lower, upper); of a classifier rows x classes, 1 where the class is
     *         in the set and else 0
     */
    public double[][] predictSet(Dataset data, double confidence, Control control) {
        return table(NativeModel::prediction_set_width, data, control,
                (m, values, rows, c) -> m.predict_set(values, rows, confidence, c));
    }

    /**
     * How new each row is: its distance in feature space from the nearest of some training rows, and how likely a row that
     * comes as these did lies at least as far (Laxhammar, Falkman 2010), so that a service may refuse to predict. The model
     * was trained with {@code novelty=yes}.
     *
     * @param data with the features of the training data
     * @param control null for all processors
     * @return rows x 2: the distance, and its p
     */
    public double[][] novelty(Dataset data, Control control) {
        return table(m -> 2L, data, control, NativeModel::novelty);
    }

    /**
     * How uncertain the value of each row is: the posterior standard deviation of kernel ridge regression as a Gaussian
     * process whose covariance is the kernel and whose noise has the variance 1 / C (Rasmussen, Williams 2006). The first
     * call takes as long as training.
     *
     * @param data with the features of the training data
     * @param control null for all processors
     * @return one a row
     */
    public double[] deviation(Dataset data, Control control) {
        return filled(m -> 1L, data, control, NativeModel::deviation);
    }

    /**
     * What each prototype says of each row: with the offset of {@link #offsets}, the two of a function add up to its
     * decision (Graf et al. 2008).
     *
     * @param data with the features of the training data
     * @param control null for all processors
     * @return rows x prototypes
     */
    public double[][] explain(Dataset data, Control control) {
        return table(NativeModel::prototype_count, data, control, NativeModel::explain);
    }

    /**
     * What each prototype says of one row, and what the model makes of it.
     *
     * @param row its features
     * @return the explanation
     */
    public Explanation explain(double... row) {
        try (Dataset data = rowsOf(row, 1, row.length)) {
            return Explanation.of(this, data);
        }
    }

    /**
     * What the model sees of each row: the codes of {@code imkpl} and {@code iskpl}, the similarities of super-sparse
     * models with their prototypes, the features of {@code elm} and of a kernel {@code lowrank}. Other models have none,
     * which is an exception.
     *
     * @param data with the features of the training data
     * @param control null for all processors
     * @return rows x features
     */
    public double[][] transform(Dataset data, Control control) {
        return table(NativeModel::transform_count, data, control, NativeModel::transform);
    }

    /**
     * Each row as the components of a {@code kernel_pca} model keep it, which takes noise from it: the point whose image
     * is nearest to the projection of the row's image on their span (Mika et al. 1998).
     *
     * @param data with the features of the training data
     * @param control null for all processors
     * @return rows x features
     */
    public double[][] reconstruct(Dataset data, Control control) {
        return table(NativeModel::feature_count, data, control, NativeModel::reconstruct);
    }

    /**
     * A measure of the predictions for labelled data, on all processors.
     *
     * @param data with labels or targets
     * @param metric {@code accuracy}, {@code auc}, {@code rmse}, ...
     * @return its value
     */
    public double score(Dataset data, String metric) {
        return score(data, metric, null);
    }

    /**
     * A measure of the predictions for labelled data.
     *
     * @param data with labels or targets
     * @param metric {@code accuracy}, {@code auc}, {@code rmse}, ...
     * @param control null for all processors
     * @return its value
     */
    public double score(Dataset data, String metric, Control control) {
        return handle.use(model -> data.use(d -> Control.use(control, c -> model.score(d, metric, c))));
    }

    /**
     * Confusion counts, on all processors.
     *
     * @param data with labels
     * @return classes x classes, rows the truth
     */
    public long[][] confusion(Dataset data) {
        return confusion(data, null);
    }

    /**
     * Confusion counts.
     *
     * @param data with labels
     * @param control null for all processors
     * @return classes x classes, rows the truth
     */
    public long[][] confusion(Dataset data, Control control) {
        return handle.use(model -> data.use(d -> Control.use(control, c -> {
            int classes = Math.toIntExact(model.class_count());
            long[] flat = new long[classes * classes];
            model.confusion(flat, d, c);
            long[][] out = new long[classes][];
            for (int t = 0; t < classes; t++)
                out[t] = Arrays.copyOfRange(flat, t * classes, (t + 1) * classes);
            return out;
        })));
    }

    /**
     * How well people can read each prototype.
     *
     * @param training the labelled rows of which the model was trained
     * @param control null for all processors
     * @return purity and compactness of each prototype
     */
    public PrototypeMeasures prototypeMeasures(Dataset training, Control control) {
        return handle.use(model -> training.use(rows -> Control.use(control, c -> {
            double[] purity = new double[Math.toIntExact(model.prototype_count())];
            double[] compactness = new double[purity.length];
            model.prototype_measures(purity, compactness, rows, c);
            return new PrototypeMeasures(purity, compactness);
        })));
    }
}
