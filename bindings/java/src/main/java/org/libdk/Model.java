// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.nio.DoubleBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What a machine learned. Immutable: any number of threads may use it at once. It serialises as the bytes of a model
 * file, which are the same in every language.
 */
public final class Model implements AutoCloseable, Serializable {
    private static final long serialVersionUID = 1L;

    private final transient NativeHandle<NativeModel> handle;

    private Model(NativeModel model) {
        handle = new NativeHandle<>(this, model, "model", NativeModel::delete);
    }

    /** A call that fills an array of results. */
    @FunctionalInterface
    private interface Filling {
        void fill(NativeModel model, double[] out, NativeData data, NativeControl control);
    }

    /**
     * Trains a machine on all processors.
     *
     * @param data with labels or targets, as the machine needs
     * @param params the machine
     * @return the model
     */
    public static Model train(Dataset data, Params params) {
        return train(data, params, null);
    }

    /**
     * Trains a machine.
     *
     * @param data with labels or targets, as the machine needs
     * @param params the machine
     * @param control threads, memory, progress and cancel; null for all processors
     * @return the model
     */
    public static Model train(Dataset data, Params params, Control control) {
        return new Model(data.use(d -> params.use(p -> Control.use(control, c -> NativeModel.train(d, p, c)))));
    }

    /**
     * Cross-validates, over a grid where the parameter {@code grid} has one, and trains the best on all rows. The
     * scores are in {@link #info} under {@code cross_validation}.
     *
     * @param data with labels or targets
     * @param params the machine
     * @param control null for all processors
     * @return the model trained on all rows
     */
    public static Model crossValidate(Dataset data, Params params, Control control) {
        return new Model(
                data.use(d -> params.use(p -> Control.use(control, c -> NativeModel.cross_validate(d, p, c)))));
    }

    /**
     * Compares all ways to weigh the kernels of a bank, and every kernel alone, by cross-validation, and trains the best
     * on all rows. The scores are in {@link #info} under {@code cross_validation}.
     *
     * @param data with labels or targets
     * @param params a machine with a bank of kernels
     * @param control null for all processors
     * @return the model of the best weights
     */
    public static Model compareWeights(Dataset data, Params params, Control control) {
        return new Model(
                data.use(d -> params.use(p -> Control.use(control, c -> NativeModel.compare_weights(d, p, c)))));
    }

    /**
     * A model of few prototypes that are free vectors, which decides as this one does on the rows of
     * {@code data} and near them (Demontis, Melis, Biggio, Fumera, Roli, 2016). How well both
     * agree is in {@link #info} under {@code compressed}.
     *
     * @param data rows; labels are not used
     * @param params of machine {@code super_sparse}, such as {@code prototypes}
     * @param control null for all processors
     * @return the compressed model
     */
    public Model compress(Dataset data, Params params, Control control) {
        return new Model(handle.use(m -> data.use(
                d -> params.use(p -> Control.use(control, c -> m.compress(d, p, c))))));
    }

    /**
     * Reads a model file of any language.
     *
     * @param path the file
     * @return the model
     */
    public static Model load(Path path) {
        return load(path, null);
    }

    /**
     * Reads a model file of any language.
     *
     * @param path the file
     * @param control threads, memory, progress and cancel; null for all processors
     * @return the model
     */
    public static Model load(Path path, Control control) {
        return new Model(Control.use(control, c -> NativeModel.load(path.toString(), c)));
    }

    /**
     * Reads what {@link #toBytes} gave.
     *
     * @param bytes of a model
     * @return the model
     */
    public static Model fromBytes(byte[] bytes) {
        return fromBytes(bytes, null);
    }

    /**
     * Reads what {@link #toBytes} gave.
     *
     * @param bytes of a model
     * @param control null for all processors
     * @return the model
     */
    public static Model fromBytes(byte[] bytes, Control control) {
        return new Model(Control.use(control, c -> NativeModel.read(bytes, c)));
    }

    /**
     * Writes the model; a crash leaves the old file.
     *
     * @param path the file
     */
    public void save(Path path) {
        handle.use(model -> {
            model.save(path.toString());
            return null;
        });
    }

    /**
     * The content of a model file.
     *
     * @return the same bytes in every language and on every machine
     */
    public byte[] toBytes() {
        return handle.use(model -> {
            byte[] out = new byte[Math.toIntExact(model.file_size())];
            model.write(out);
            return out;
        });
    }

    /** What is serialised in place of a model. */
    private static final class Content implements Serializable {
        private static final long serialVersionUID = 1L;
        private final byte[] bytes;

        Content(byte[] bytes) {
            this.bytes = bytes;
        }

        private Object readResolve() throws ObjectStreamException {
            try {
                return fromBytes(bytes);
            } catch (DkException error) {
                InvalidObjectException failure = new InvalidObjectException(error.getMessage());
                failure.initCause(error);
                throw failure;
            }
        }
    }

    /**
     * What is serialised.
     *
     * @return the content
     */
    private Object writeReplace() {
        return new Content(toBytes());
    }

    /**
     * Refuses streams that hold a model itself.
     *
     * @param stream unread
     * @throws IOException always
     */
    private void readObject(ObjectInputStream stream) throws IOException {
        throw new InvalidObjectException("a model is read from its content");
    }

    /**
     * Reads a file with the features of the training data, found by their names.
     *
     * @param path the file
     * @param options as for {@link Dataset#read(Path, String...)}
     * @return the dataset
     */
    public Dataset read(Path path, String... options) {
        return read(path, String.join(" ", options), null);
    }

    /**
     * Reads a file with the features of the training data, found by their names.
     *
     * @param path the file
     * @param options as for {@link Dataset#read(Path, String, Control)}
     * @param control null for all processors
     * @return the dataset
     */
    public Dataset read(Path path, String options, Control control) {
        return Dataset.wrap(
                handle.use(m -> Control.use(control, c -> m.read_rows(path.toString(), options, c))));
    }

    private double[] filled(Function<NativeModel, Long> columns, Dataset data, Control control, Filling call) {
        return handle.use(model -> data.use(d -> Control.use(control, c -> {
            double[] out = new double[Math.toIntExact(Math.multiplyExact(d.rows(), columns.apply(model)))];
            call.fill(model, out, d, c);
            return out;
        })));
    }

    private double[][] table(Function<NativeModel, Long> columns, Dataset data, Control control, Filling call) {
        return Dataset.rows(filled(columns, data, control, call), Math.toIntExact(data.rows()));
    }

    /**
     * Predicts on all processors.
     *
     * @param data with the features of the training data
     * @return for each row its class label (its position in {@link #classNames} where classes have names), or its value
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
        return filled(model -> 1L, data, control, NativeModel::predict);
    }

    /**
     * Predicts into a direct buffer.
     *
     * @param out a direct buffer in native byte order, with one place a row
     * @param data with the features of the training data
     * @param control null for all processors
     */
    public void predict(DoubleBuffer out, Dataset data, Control control) {
        Dataset.requireNative(out);
        handle.use(model -> data.use(d -> Control.use(control, c -> {
            model.predict_direct(out, d, c);
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
        try (Dataset data = Dataset.of(row, 1, row.length)) {
            return predict(data)[0];
        }
    }

    /**
     * Predicts classes by name.
     *
     * @param data with the features of the training data
     * @return the name of each row's class, its label as text where classes have no names
     */
    public List<String> predictClasses(Dataset data) {
        double[] predicted = predict(data);
        return handle.use(model -> {
            long[] labels = new long[Math.toIntExact(model.class_count())];
            if (labels.length == 0)
                throw new DkException(DkException.Status.UNSUPPORTED, "a regression predicts values, no classes");
            model.classes(labels);
            Map<Double, String> names = new LinkedHashMap<>();
            for (int c = 0; c < labels.length; c++) names.put((double) labels[c], model.class_name(c));
            List<String> out = new ArrayList<>(predicted.length);
            for (double label : predicted) out.add(names.get(label));
            return out;
        });
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
                out[t] = java.util.Arrays.copyOfRange(flat, t * classes, (t + 1) * classes);
            return out;
        })));
    }

    /**
     * The model: machine, kernel, parameters, classes, training report.
     *
     * @return JSON
     */
    public String info() {
        return handle.use(NativeModel::info);
    }

    /**
     * The classes in the order of their labels.
     *
     * @return their names, labels as text where they have none; empty for a regression
     */
    public List<String> classNames() {
        return handle.use(model -> {
            List<String> names = new ArrayList<>();
            for (long c = 0; c < model.class_count(); c++) names.add(model.class_name(c));
            return names;
        });
    }

    /**
     * The kernels of the bank with their weights.
     *
     * @return by specification, in the order of the bank
     */
    public Map<String, Double> weights() {
        return handle.use(model -> {
            double[] weights = new double[Math.toIntExact(model.kernel_count())];
            model.kernel_weights(weights);
            Map<String, Double> out = new LinkedHashMap<>();
            for (int k = 0; k < weights.length; k++) out.merge(model.kernel_name(k), weights[k], Double::sum);
            return out;
        });
    }

    /**
     * The prototypes: p+ and p- of each decision function in turn, or those that the model learned.
     *
     * @return two a function, or as many as were learned
     */
    public List<Prototype> prototypes() {
        return handle.use(model -> {
            int count = Math.toIntExact(model.prototype_count());
            int rows = Math.toIntExact(model.training_rows());
            int neighbours = Math.toIntExact(model.prototype_neighbours());
            boolean pairs = model.prototypes_are_pairs();
            long[] classes = new long[count];
            model.prototype_classes(classes);
            double[] coefficients = new double[Math.multiplyExact(count, rows)];
            model.prototype_coefficients(coefficients);
            long[] nearest = new long[count * neighbours];
            double[] distances = new double[count * neighbours];
            model.prototype_nearest(nearest, distances);
            List<Prototype> out = new ArrayList<>(count);
            for (int p = 0; p < count; p++) {
                boolean named = classes[p] >= 0 && classes[p] < model.class_count();
                out.add(new Prototype(pairs ? p / 2 : -1, !pairs || p % 2 == 0, named ? model.class_name(classes[p]) : null,
                        java.util.Arrays.copyOfRange(coefficients, p * rows, (p + 1) * rows),
                        java.util.Arrays.copyOfRange(nearest, p * neighbours, (p + 1) * neighbours),
                        java.util.Arrays.copyOfRange(distances, p * neighbours, (p + 1) * neighbours)));
            }
            return out;
        });
    }

    /**
     * The prototypes as points among the features, for linear kernels.
     *
     * @return prototypes x features, in the units of the training data
     */
    public double[][] prototypeCoordinates() {
        return handle.use(model -> {
            int count = Math.toIntExact(model.prototype_count());
            double[] out = new double[Math.multiplyExact(count, Math.toIntExact(model.feature_count()))];
            model.prototype_coordinates(out);
            return Dataset.rows(out, count);
        });
    }

    /**
     * What completes {@link #explain}: S / (2 t) of each decision function.
     *
     * @return one a function
     */
    public double[] offsets() {
        return ofFunctions((model, offsets) -> model.prototype_offsets(new double[offsets.length], offsets));
    }

    /**
     * The shift S of each decision function, by which its prototypes stand aside from those of equal distance.
     *
     * @return one a function
     */
    public double[] shifts() {
        return ofFunctions((model, shifts) -> model.prototype_offsets(shifts, new double[shifts.length]));
    }

    /**
     * The length |w| of each decision function's normal in feature space.
     *
     * @return one a function
     */
    public double[] normals() {
        return ofFunctions(NativeModel::normals);
    }

    private double[] ofFunctions(BiConsumer<NativeModel, double[]> fill) {
        return handle.use(model -> {
            double[] out = new double[Math.toIntExact(model.decision_count())];
            fill.accept(model, out);
            return out;
        });
    }

    /**
     * The labels of the classes, ascending.
     *
     * @return positions from 0 where classes have names; empty for a regression
     */
    public long[] classes() {
        return handle.use(model -> {
            long[] out = new long[Math.toIntExact(model.class_count())];
            model.classes(out);
            return out;
        });
    }

    /**
     * What the model learned.
     *
     * @return the task of its machine
     */
    public Task task() {
        return Task.values()[handle.use(NativeModel::task_number)];
    }

    /**
     * Whether the model fills values that rows miss, so that its data may be those of {@link Dataset#withMissing}.
     *
     * @return true where the parameter {@code impute} says how
     */
    public boolean fillsMissing() {
        return handle.use(NativeModel::fills_missing);
    }

    /**
     * The number of classes.
     *
     * @return 0 for a regression
     */
    public long classCount() {
        return handle.use(NativeModel::class_count);
    }

    /**
     * The number of columns that the model was trained with, and that rows to predict have.
     *
     * @return at least 1
     */
    public long featureCount() {
        return handle.use(NativeModel::feature_count);
    }

    /**
     * The number of decision functions.
     *
     * @return at least 1
     */
    public long decisionCount() {
        return handle.use(NativeModel::decision_count);
    }

    /**
     * The number of kernels of the bank.
     *
     * @return at least 1
     */
    public long kernelCount() {
        return handle.use(NativeModel::kernel_count);
    }

    /**
     * The number of prototypes.
     *
     * @return that of {@link #prototypes}
     */
    public long prototypeCount() {
        return handle.use(NativeModel::prototype_count);
    }

    /**
     * The number of rows that the model was trained with.
     *
     * @return at least 1
     */
    public long trainingRows() {
        return handle.use(NativeModel::training_rows);
    }

    /**
     * The number of columns of {@link #transform}.
     *
     * @return 0 for models that have no features
     */
    public long transformCount() {
        return handle.use(NativeModel::transform_count);
    }

    /** Frees the native model when no call uses it any more; the collector does it where this is forgotten. */
    @Override
    public void close() {
        handle.close();
    }
}
