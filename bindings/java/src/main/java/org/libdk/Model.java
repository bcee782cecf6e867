// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;

/**
 * What a machine learned. Immutable: any number of threads may use it at once. It serialises as the bytes of a model
 * file, which are the same in every language.
 */
public final class Model extends ModelExplanations implements AutoCloseable, Serializable {
    private static final long serialVersionUID = 1L;

    private Model(NativeModel model) {
        super(model);
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
     * Trains the machine {@code auto}, which chooses scale, kernel and parameters for the rows by cross-validation.
     *
     * @param data rows with labels or targets, or with neither
     * @return the model; what was tried is in {@link #info} under {@code choice}
     */
    public static Model train(Dataset data) {
        return train(data, Params.of("auto"), null);
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
     * scores are in {@link #scores}.
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
     * on all rows. The scores are in {@link #scores}.
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
     * The same model with sets of answers ({@link #predictSet}) that are calibrated on these rows, of which training must
     * have seen none (Vovk, Gammerman, Shafer, 2005).
     *
     * @param data with labels or targets
     * @param byClass whether the promise is one to each class
     * @param control null for all processors
     * @return the calibrated model
     */
    public Model calibrate(Dataset data, boolean byClass, Control control) {
        return new Model(handle.use(m -> data.use(d -> Control.use(control, c -> m.calibrate(d, byClass, c)))));
    }

    /**
     * The same model with another threshold between its two classes, chosen on rows of which training must have seen none.
     *
     * @param data with labels
     * @param goal such as {@code false_alarms=0.05}: at most this share of new rows of the first class are taken for the
     *     second, with {@code sure=0.95} over the rows it is learned of (Tong, Feng, Li 2018); or {@code miss_cost=5}:
     *     errors cost least where a row of the second class that is missed costs so many times the opposite
     * @param control null for all processors
     * @return the model, whose probabilities are the same
     */
    public Model moveThreshold(Dataset data, String goal, Control control) {
        return new Model(handle.use(m -> data.use(d -> Control.use(control, c -> m.move_threshold(d, goal, c)))));
    }

    /**
     * The model of the rows that this one keeps and of further ones, without the rows of some numbers. Scaling and kernel
     * stay as they are; a machine that keeps all rows ({@code kelm}, {@code kernel_ridge}) becomes what training on all of
     * them would make, an {@code svm} learns from its support vectors and the further rows (dk_model_update in dk.h).
     *
     * @param further with labels or targets; null where rows are only forgotten
     * @param forget numbers of training rows, counted from 0; further rows have the next numbers
     * @param control null for all processors
     * @return the updated model; this one, trained with {@code updatable=yes}, stays as it is
     */
    public Model update(Dataset further, long[] forget, Control control) {
        if (further == null)
            return new Model(handle.use(m -> Control.use(control, c -> m.forget(forget, c))));
        return new Model(handle.use(m -> further.use(d -> Control.use(control, c -> m.update(d, forget, c)))));
    }

    /**
     * Writes a page that compares models of one task on the same rows.
     *
     * @param path the file
     * @param models 2 to 100
     * @param data with labels or targets
     * @param options as for {@link #report(Path, Dataset, String...)}
     */
    public static void compare(Path path, List<Model> models, Dataset data, String... options) {
        compare(path, models, data, String.join(" ", options), null);
    }

    /**
     * Writes a page that compares models of one task on the same rows, with intervals (Wilson 1927) and McNemar's exact
     * test.
     *
     * @param path the file
     * @param models 2 to 100
     * @param data with labels or targets
     * @param options as for {@link #report(Path, Dataset, String...)}, with spaces between
     * @param control threads, memory, progress and cancel; null for all processors
     */
    public static void compare(Path path, List<Model> models, Dataset data, String options, Control control) {
        Scoped.with(new ModelList(), ModelList::delete, list -> {
            for (Model model : models) model.handle.use(m -> {
                list.add(m);
                return null;
            });
            return data.use(d -> Control.use(control, c -> {
                list.compare(path.toString(), d, options, c);
                return null;
            }));
        });
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
     * Reads a model file of LIBSVM, liblinear or ThunderSVM, with the same decision values. Classes ascend.
     *
     * @param path the file
     * @return the model
     */
    public static Model importFrom(Path path) {
        return importFrom(path, "auto", null);
    }

    /**
     * Reads a model file of LIBSVM, liblinear or ThunderSVM, with the same decision values. Classes ascend.
     *
     * @param path the file
     * @param format auto, libsvm, liblinear or thundersvm, after which may follow {@code features=N} and
     *     {@code data=dense} or {@code data=sparse}
     * @param control threads, memory, progress and cancel; null for all processors
     * @return the model
     */
    public static Model importFrom(Path path, String format, Control control) {
        return new Model(Control.use(control, c -> NativeModel.import_from(path.toString(), format, c)));
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
     * Writes the model for other programs.
     *
     * @param path the file
     * @param format {@code libsvm} for a model file of LIBSVM, {@code onnx} for a graph of ONNX, or {@code c} for C99 without allocation
     */
    public void exportTo(Path path, String format) {
        handle.use(model -> {
            model.export_to(path.toString(), format);
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
        return new Dataset(
                handle.use(m -> Control.use(control, c -> m.read_rows(path.toString(), options, c))));
    }

    /**
     * A table of Arrow with the features of the training data, found by their names.
     *
     * @param schema the address of an {@code ArrowSchema}, which is released, also where it fails
     * @param array the address of an {@code ArrowArray}, which is released, too
     * @param options as for {@link Dataset#arrow(long, long, String, Control)}
     * @param control null for all processors
     * @return the dataset
     */
    public Dataset arrow(long schema, long array, String options, Control control) {
        return new Dataset(
                handle.use(m -> Control.use(control, c -> m.rows_from_arrow(schema, array, options, c))));
    }

    /**
     * All tables of a stream of Arrow with the features of the training data, found by their names.
     *
     * @param stream the address of an {@code ArrowArrayStream}, which is released, also where it fails
     * @param options as for {@link Dataset#arrow(long, long, String, Control)}
     * @param control null for all processors
     * @return the dataset
     */
    public Dataset arrowStream(long stream, String options, Control control) {
        return new Dataset(
                handle.use(m -> Control.use(control, c -> m.rows_from_arrow_stream(stream, options, c))));
    }

    /** Frees the native model when no call uses it any more; the collector does it where this is forgotten. */
    @Override
    public void close() {
        handle.close();
    }
}
