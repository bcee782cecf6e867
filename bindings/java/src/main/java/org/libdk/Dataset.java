// SPDX-License-Identifier: Apache-2.0
package org.libdk;

import java.nio.DoubleBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Rows of features, or of other objects that kernels compare, copied into the library; perhaps with labels, targets,
 * weights and column names, which are set before it is used.
 */
public final class Dataset extends DatasetFacts implements AutoCloseable {
    private static final int ROW_MAJOR = 0;

    Dataset(NativeData data) {
        super(data);
    }

    /**
     * Rows of features.
     *
     * @param x one array a row, all of one length; every value finite
     * @return the dataset
     */
    public static Dataset of(double[][] x) {
        return dense(x, false);
    }

    /**
     * Rows of features where NaN stands for a missing value; training then needs the parameter {@code impute}.
     *
     * @param x one array a row, all of one length
     * @return the dataset
     */
    public static Dataset withMissing(double[][] x) {
        return dense(x, true);
    }

    private static Dataset dense(double[][] x, boolean missing) {
        int cols = x.length == 0 ? 0 : x[0].length;
        return new Dataset(NativeData.dense_array(Matrices.flat(x), x.length, cols, missing));
    }

    /**
     * Rows of features in one array, one row after the other.
     *
     * @param x rows x cols values
     * @param rows number of rows
     * @param cols number of columns
     * @return the dataset
     */
    public static Dataset of(double[] x, int rows, int cols) {
        return new Dataset(NativeData.dense_array(x, rows, cols, false));
    }

    /**
     * Rows of features in single precision in one array, one row after the other.
     *
     * @param x rows x cols values
     * @param rows number of rows
     * @param cols number of columns
     * @return the dataset
     */
    public static Dataset of(float[] x, int rows, int cols) {
        return new Dataset(NativeData.dense_single(x, rows, cols, cols, ROW_MAJOR));
    }

    /**
     * The same from a direct buffer, which is not copied on its way.
     *
     * @param x a direct buffer in native byte order with rows x cols values from its start
     * @param rows number of rows
     * @param cols number of columns
     * @return the dataset
     */
    public static Dataset of(DoubleBuffer x, long rows, long cols) {
        Matrices.requireNative(x);
        return new Dataset(NativeData.dense_direct(x, rows, cols));
    }

    /**
     * Records whose components are the columns, by their names.
     *
     * @param <R> a record of numbers and truth values, which are 1 where they are true
     * @param rows one or more
     * @return the dataset
     */
    public static <R extends Record> Dataset ofRecords(List<R> rows) {
        return ofRecords(rows, null);
    }

    /**
     * Records of which one component is what is learned, and the others are the columns, by their names.
     *
     * @param <R> a record of numbers and truth values, which are 1 where they are true
     * @param rows one or more
     * @param target the name of a component: whole numbers are labels, which a regression takes for targets too; other
     *     numbers are targets; texts, enumerators and truth values are names of classes; null for none
     * @return the dataset
     */
    public static <R extends Record> Dataset ofRecords(List<R> rows, String target) {
        return RecordRows.dataset(rows, target);
    }

    /**
     * Compressed sparse rows.
     *
     * @param rowOffsets rows + 1 offsets of the rows' entries, from 0
     * @param columns the column of each entry, increasing in a row
     * @param values the value of each entry
     * @param cols number of columns
     * @return the dataset
     */
    public static Dataset sparse(long[] rowOffsets, long[] columns, double[] values, long cols) {
        return new Dataset(NativeData.sparse(rowOffsets, columns, values, cols));
    }

    /**
     * Precomputed similarities, read by the kernel {@code gram(q)}: of each row to every training row.
     *
     * @param matrices one or more matrices of rows x training rows
     * @return the dataset
     */
    public static Dataset similarities(double[][]... matrices) {
        return similarities(matrices, new double[0][]);
    }

    /**
     * Precomputed similarities with those of each row to itself. Rows to predict need the latter where a kernel
     * ({@code normalize}, which most weights of banks use) or an explanation asks for them; of training rows they are
     * the diagonals.
     *
     * @param matrices one or more matrices of rows x training rows
     * @param self for each matrix the similarity of each row to itself
     * @return the dataset
     */
    public static Dataset similarities(double[][][] matrices, double[][] self) {
        if (matrices.length == 0 || matrices[0].length == 0)
            throw DkException.invalidArgument("there is no matrix, or one without rows");
        int rows = matrices[0].length;
        int cols = matrices[0][0].length;
        double[] all = new double[Math.multiplyExact(Math.multiplyExact(rows, cols), matrices.length)];
        for (int q = 0; q < matrices.length; q++) {
            double[] one = Matrices.flat(matrices[q]);
            if (matrices[q].length != rows || one.length != rows * cols)
                throw DkException.invalidArgument("matrix " + q + " has another shape than matrix 0");
            System.arraycopy(one, 0, all, q * rows * cols, one.length);
        }
        double[] own = Matrices.flat(self);
        if (own.length > 0 && (self.length != matrices.length || self[0].length != rows))
            throw DkException.invalidArgument("self has another shape than matrices x rows");
        return new Dataset(NativeData.gram(all, matrices.length, rows, cols, own, ROW_MAJOR));
    }

    /** Similarities that the caller computes when the library asks for them. */
    @FunctionalInterface
    public interface Similarity {
        /**
         * Computes similarities.
         *
         * @param rows some rows
         * @param trainingRows some training rows
         * @return rows x training rows
         */
        double[][] of(long[] rows, long[] trainingRows);
    }

    /** Similarities to any points that the caller computes when the library asks for them. */
    @FunctionalInterface
    public interface PointSimilarity {
        /**
         * Computes similarities.
         *
         * @param points some points, points x columns
         * @param rows some rows
         * @return rows x points
         */
        double[][] of(double[][] points, long[] rows);
    }

    /** What native code asks: the answer of a function, row after row. */
    private static double[] answer(double[][] values, int rows, int cols) {
        if (values.length != rows || Arrays.stream(values).anyMatch(row -> row.length != cols))
            throw DkException.invalidArgument("a similarity has to give " + rows + " x " + cols + " values");
        return Matrices.flat(values);
    }

    /**
     * Similarities that are asked for when they are needed; the kernel {@code gram(0)} reads them. The function is called
     * on the thread that calls the library, and what it throws comes out of that call.
     *
     * @param rows number of rows
     * @param trainingRows number of training rows: as many as rows to train
     * @param function computes similarities
     * @param self each row's similarity to itself; none where rows are training rows
     * @return the dataset
     */
    public static Dataset similarity(long rows, long trainingRows, Similarity function, double... self) {
        NativeCallback callback = (points, some, training) ->
                answer(function.of(some, training), some.length, training.length);
        return new Dataset(NativeData.similarities(rows, trainingRows, callback, self));
    }

    /**
     * Rows with a similarity to any points; the kernel {@code similarity} asks for it.
     *
     * @param x one array a row
     * @param function computes similarities
     * @return the dataset
     */
    public static Dataset pointSimilarity(double[][] x, PointSimilarity function) {
        int cols = x.length == 0 ? 0 : x[0].length;
        NativeCallback callback = (points, some, training) -> {
            int count = points.length / cols;
            return answer(function.of(Matrices.rows(points, count), some), some.length, count);
        };
        return new Dataset(NativeData.point_similarities(Matrices.flat(x), x.length, cols, callback));
    }

    /**
     * Undirected graphs with labelled nodes.
     *
     * @param nodes for each graph the labels of its nodes
     * @param edges for each graph its edges, each as the positions of two nodes from 0
     * @return the dataset
     */
    public static Dataset graphs(long[][] nodes, long[][][] edges) {
        if (nodes.length != edges.length)
            throw DkException.invalidArgument("there are nodes of " + nodes.length + " graphs and edges of " + edges.length);
        long[] ends = Arrays.stream(edges).flatMap(Arrays::stream).flatMapToLong(edge -> {
            if (edge.length != 2) throw DkException.invalidArgument("an edge has " + edge.length + " nodes");
            return Arrays.stream(edge);
        }).toArray();
        return new Dataset(NativeData.graphs(Arrays.stream(nodes).mapToLong(one -> one.length).toArray(),
                Arrays.stream(nodes).flatMapToLong(Arrays::stream).toArray(),
                Arrays.stream(edges).mapToLong(one -> one.length).toArray(), ends));
    }

    /**
     * Time series of any length.
     *
     * @param series for each series its steps, each with the values of all channels
     * @return the dataset
     */
    public static Dataset series(double[][][] series) {
        long[] lengths = new long[series.length];
        int steps = 0;
        for (int i = 0; i < series.length; i++) {
            lengths[i] = series[i].length;
            steps += series[i].length;
        }
        double[][] all = new double[steps][];
        int next = 0;
        for (double[][] one : series) for (double[] step : one) all[next++] = step;
        return new Dataset(NativeData.series(Matrices.flat(all), lengths, steps == 0 ? 1 : all[0].length));
    }

    /**
     * Strings, which may be empty.
     *
     * @param texts one a row
     * @return the dataset
     */
    public static Dataset strings(List<String> texts) {
        return Scoped.with(NativeText.list(texts), Strings::delete, list -> new Dataset(NativeData.strings(list)));
    }

    /**
     * A file of CSV, ARFF, LIBSVM, series or strings, gzip compressed or not.
     *
     * @param path the file
     * @param options as {@code "label=class missing=keep"}, see {@code dk_data_from_file} in dk.h
     * @return the dataset
     */
    public static Dataset read(Path path, String... options) {
        return read(path, String.join(" ", options), null);
    }

    /**
     * A file as {@link #read(Path, String...)} reads it.
     *
     * @param path the file
     * @param options all in one text, separated by spaces
     * @param control threads, memory, progress and cancel; null for all processors
     * @return the dataset
     */
    public static Dataset read(Path path, String options, Control control) {
        return new Dataset(Control.use(control, c -> NativeData.file(path.toString(), options, c)));
    }

    /**
     * A table of Arrow: {@code ArrowSchema} and {@code ArrowArray} of the C data interface, such as
     * {@code org.apache.arrow.c.Data.exportVectorSchemaRoot} fills them. Both are released, also where it fails.
     *
     * @param schema the address of the schema, such as {@code ArrowSchema.memoryAddress()}
     * @param array the address of the array
     * @param options as {@code "label=class missing=keep"}, see {@code dk_data_from_arrow} in dk.h
     * @param control threads, memory, progress and cancel; null for all processors
     * @return the dataset
     */
    public static Dataset arrow(long schema, long array, String options, Control control) {
        return new Dataset(Control.use(control, c -> NativeData.from_arrow(schema, array, options, c)));
    }

    /**
     * All tables of a stream of Arrow, one after the other.
     *
     * @param stream the address of an {@code ArrowArrayStream}, which is released, also where it fails
     * @param options as for {@link #arrow(long, long, String, Control)}
     * @param control threads, memory, progress and cancel; null for all processors
     * @return the dataset
     */
    public static Dataset arrowStream(long stream, String options, Control control) {
        return new Dataset(Control.use(control, c -> NativeData.from_arrow_stream(stream, options, c)));
    }

    /**
     * Says what the data are, column by column, how their file was understood, and what looks wrong with them.
     *
     * @param control threads, memory, progress and cancel; null for all processors
     * @return JSON, see {@code dk_data_describe} in dk.h
     */
    public String describe(Control control) {
        return handle.use(data -> Control.use(control, data::describe));
    }

    /**
     * Sets integer class labels.
     *
     * @param labels one a row
     * @return this
     */
    public Dataset labels(long... labels) {
        return with(data -> data.set_labels(labels));
    }

    /**
     * Sets class labels by name.
     *
     * @param labels one a row, none empty
     * @return this
     */
    public Dataset labels(List<String> labels) {
        return withTexts(labels, NativeData::set_label_names);
    }

    /**
     * Sets several labels a row, or none. The labels are all that stand in a set, in ascending order.
     *
     * @param sets one a row
     * @return this
     */
    public Dataset labelSets(List<? extends Collection<String>> sets) {
        TreeSet<String> names = new TreeSet<>();
        for (Collection<String> set : sets) names.addAll(set);
        return labelSets(sets, List.copyOf(names));
    }

    /**
     * Sets several labels a row, or none. A classifier that learns them makes one model with a function for each label,
     * see {@link Task#MULTILABEL}.
     *
     * @param sets one a row, of labels among the names
     * @param names the labels in the order in which models have them; no row needs to have them
     * @return this
     */
    public Dataset labelSets(List<? extends Collection<String>> sets, List<String> names) {
        Map<String, Long> positions = new HashMap<>();
        for (String name : names) positions.put(name, (long) positions.size());
        long[] offsets = new long[sets.size() + 1];
        long[] labels = new long[sets.stream().mapToInt(Collection::size).sum()];
        int count = 0;
        for (int i = 0; i < sets.size(); offsets[++i] = count) {
            for (String label : sets.get(i)) {
                Long position = positions.get(label);
                if (position == null)
                    throw new IllegalArgumentException("row " + i + " has the label " + label + ", which the names lack");
                labels[count++] = position;
            }
        }
        return withTexts(names, (data, list) -> data.set_label_sets(offsets, labels, list));
    }

    /**
     * Sets the targets of a regression.
     *
     * @param targets one a row, finite; or as many for each row, one row after the other, for machines that learn several
     *     targets at once
     * @return this
     */
    public Dataset targets(double... targets) {
        return with(data -> data.set_targets(targets));
    }

    /**
     * Sets the weight of each row in training.
     *
     * @param weights one a row, finite, not negative, not all zero
     * @return this
     */
    public Dataset weights(double... weights) {
        return with(data -> data.set_sample_weights(weights));
    }

    /**
     * Sets the group of each row: rows that belong together, such as those of one patient. Everything that holds out
     * folds keeps a group in one of them.
     *
     * @param groups any integers, one a row
     * @return this
     */
    public Dataset groups(long... groups) {
        return with(data -> data.set_groups(groups));
    }

    /**
     * Sets the names of the columns.
     *
     * @param names one a column, none twice
     * @return this
     */
    public Dataset featureNames(String... names) {
        return withTexts(Arrays.asList(names), NativeData::set_feature_names);
    }

    /**
     * Sets names of the rows, such as numbers of patients, by which explanations and pages call them.
     *
     * @param names one a row
     * @return this
     */
    public Dataset rowNames(String... names) {
        return withTexts(Arrays.asList(names), NativeData::set_row_names);
    }

    private Dataset withTexts(List<String> texts, java.util.function.BiConsumer<NativeData, Strings> action) {
        return Scoped.with(
                NativeText.list(texts), Strings::delete, list -> with(data -> action.accept(data, list)));
    }

    private Dataset with(java.util.function.Consumer<NativeData> action) {
        handle.use(data -> {
            action.accept(data);
            return null;
        });
        return this;
    }

    /** What the rows of a dataset are. */
    public enum Kind {
        /** Rows of numbers. */
        DENSE,
        /** Rows of numbers of which most are zero. */
        SPARSE,
        /** Similarities to the training rows. */
        GRAM,
        /** Time series. */
        SERIES,
        /** Strings. */
        STRINGS,
        /** Graphs. */
        GRAPHS
    }

    /**
     * A copy of some rows with their labels, targets, weights and groups.
     *
     * @param rows positions from 0, in any order, also repeated
     * @return another dataset
     */
    public Dataset select(long... rows) {
        return new Dataset(use(data -> data.select(rows)));
    }

    @Override
    public void close() {
        handle.close();
    }
}
