// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;

namespace LibDk
{
    /// <summary>
    /// Rows of features, or of other objects that kernels compare, copied into the library; perhaps with labels,
    /// targets, weights, groups and column names, which are set before it is used.
    /// </summary>
    public sealed partial class Dataset : IDisposable
    {
        private const int RowMajor = 0;
        private readonly NativeHandle<NativeData> handle;

        private readonly Callback? callback; // which C calls as long as the data live

        internal Dataset(NativeData data, Callback? callback = null)
        {
            this.callback = callback;
            handle = new NativeHandle<NativeData>(data, nameof(Dataset), 8 * data.rows() * data.cols(), callback);
        }

        internal NativeHandle<NativeData>.Use Begin() => handle.Begin();

        /// <summary>Compressed sparse rows.</summary>
        /// <param name="rowOffsets">rows + 1 offsets of the rows' entries, from 0</param>
        /// <param name="columns">the column of each entry, increasing in a row</param>
        /// <param name="values">the value of each entry</param>
        /// <param name="cols">number of columns</param>
        public static Dataset Sparse(ReadOnlySpan<long> rowOffsets, ReadOnlySpan<long> columns,
            ReadOnlySpan<double> values, long cols)
        {
            return new Dataset(NativeData.sparse(rowOffsets, columns, values, cols));
        }

        /// <summary>Precomputed similarities of each row to every training row, read by the kernel gram(q).</summary>
        /// <param name="matrices">one or more matrices of rows x training rows</param>
        public static Dataset Similarities(params double[][,] matrices) => Similarities(matrices, null);

        /// <summary>
        /// Precomputed similarities with those of each row to itself. Rows to predict need the latter where a kernel
        /// (normalize, which most weights of banks use) or an explanation asks for them; of training rows they are the
        /// diagonals.
        /// </summary>
        /// <param name="matrices">one or more matrices of rows x training rows</param>
        /// <param name="self">for each matrix the similarity of each row to itself, matrices x rows, or null</param>
        public static Dataset Similarities(double[][,] matrices, double[,]? self)
        {
            if (matrices == null) throw new ArgumentNullException(nameof(matrices));
            if (matrices.Length == 0) throw DkException.InvalidArgument("there is no matrix");
            long rows = matrices[0].GetLongLength(0);
            long cols = matrices[0].GetLongLength(1);
            var all = new List<double>();
            foreach (double[,] matrix in matrices)
            {
                if (matrix.GetLongLength(0) != rows || matrix.GetLongLength(1) != cols)
                    throw DkException.InvalidArgument("the matrices are of different shapes");
                all.AddRange(Flat(matrix).ToArray());
            }
            if (self != null && (self.GetLongLength(0) != matrices.Length || self.GetLongLength(1) != rows))
                throw DkException.InvalidArgument("self has another shape than matrices x rows");
            ReadOnlySpan<double> own = self == null ? default : Flat(self);
            return new Dataset(NativeData.gram(all.ToArray(), matrices.Length, rows, cols, own, RowMajor));
        }

        /// <summary>Undirected graphs with labelled nodes.</summary>
        /// <param name="nodes">for each graph the labels of its nodes</param>
        /// <param name="edges">for each graph its edges, edges x 2, each as the positions of two nodes from 0</param>
        public static Dataset Graphs(long[][] nodes, long[][,] edges)
        {
            if (nodes == null) throw new ArgumentNullException(nameof(nodes));
            if (edges == null) throw new ArgumentNullException(nameof(edges));
            if (edges.Any(one => one.GetLength(1) != 2)) throw DkException.InvalidArgument("each edge has two nodes");
            return new Dataset(NativeData.graphs(nodes.Select(one => one.LongLength).ToArray(),
                nodes.SelectMany(one => one).ToArray(), edges.Select(one => one.GetLongLength(0)).ToArray(),
                edges.SelectMany(one => one.Cast<long>()).ToArray()));
        }

        /// <summary>
        /// Similarities that are asked for when they are needed; the kernel gram(0) reads them. The function is called on
        /// the thread that calls the library, and what it throws comes out of that call.
        /// </summary>
        /// <param name="rows">number of rows</param>
        /// <param name="trainingRows">number of training rows: as many as rows to train</param>
        /// <param name="function">of some rows and some training rows: rows x training rows</param>
        /// <param name="self">each row's similarity to itself; may be empty where rows are training rows</param>
        public static Dataset Similarity(long rows, long trainingRows, Func<long[], long[], double[,]> function,
            ReadOnlySpan<double> self = default)
        {
            if (function == null) throw new ArgumentNullException(nameof(function));
            Callback callback = Callback.Similarity(function);
            return new Dataset(NativeData.similarity_by(rows, trainingRows, callback.Address, 0, self), callback);
        }

        /// <summary>
        /// Rows with a similarity to any points; the kernel similarity asks for it.
        /// </summary>
        /// <param name="x">rows x columns</param>
        /// <param name="function">of some points (points x columns) and some rows: rows x points</param>
        public static Dataset PointSimilarity(double[,] x, Func<double[,], long[], double[,]> function)
        {
            if (x == null) throw new ArgumentNullException(nameof(x));
            if (function == null) throw new ArgumentNullException(nameof(function));
            Callback callback = Callback.PointSimilarity(function);
            return new Dataset(NativeData.point_similarity_by(Flat(x), x.GetLongLength(0), x.GetLongLength(1),
                callback.Address, 0), callback);
        }

        /// <summary>Time series of any length.</summary>
        /// <param name="series">of each its steps x channels</param>
        public static Dataset Series(params double[][,] series)
        {
            if (series == null) throw new ArgumentNullException(nameof(series));
            long channels = series.Length == 0 ? 1 : series[0].GetLongLength(1);
            if (series.Any(one => one.GetLongLength(1) != channels))
                throw DkException.InvalidArgument("the series have different numbers of channels");
            double[] values = series.SelectMany(one => Flat(one).ToArray()).ToArray();
            long[] lengths = series.Select(one => one.GetLongLength(0)).ToArray();
            return new Dataset(NativeData.series(values, lengths, channels));
        }

        /// <summary>Strings, which may be empty.</summary>
        /// <param name="texts">one a row</param>
        public static Dataset Strings(IEnumerable<string> texts)
        {
            using (Strings list = NativeText.List(texts)) return new Dataset(NativeData.strings(list));
        }

        /// <summary>A file of CSV, ARFF, LIBSVM, series or strings, gzip compressed or not.</summary>
        /// <param name="path">the file</param>
        /// <param name="options">as "label=class missing=keep", see dk_data_from_file in dk.h</param>
        /// <param name="callOptions">threads, memory, progress and cancel; null for all processors</param>
        public static Dataset Read(string path, string options = "", CallOptions? callOptions = null)
        {
            return Made(callOptions,
                control => NativeData.file(NativeText.Checked(path), NativeText.Checked(options), control));
        }

        /// <summary>
        /// A table of Arrow: structs of the C data interface, such as Apache.Arrow.C.CArrowArrayExporter fills them. Both
        /// are released, also where it fails.
        /// </summary>
        /// <param name="schema">the address of an ArrowSchema</param>
        /// <param name="array">the address of an ArrowArray</param>
        /// <param name="options">as "label=class missing=keep", see dk_data_from_arrow in dk.h</param>
        /// <param name="callOptions">threads, memory, progress and cancel; null for all processors</param>
        public static Dataset FromArrow(IntPtr schema, IntPtr array, string options = "", CallOptions? callOptions = null)
        {
            return Made(callOptions,
                control => NativeData.from_arrow((long)schema, (long)array, NativeText.Checked(options), control));
        }

        /// <summary>All tables of a stream of Arrow, one after the other.</summary>
        /// <param name="stream">the address of an ArrowArrayStream, which is released, also where it fails</param>
        /// <param name="options">as for <see cref="FromArrow"/></param>
        /// <param name="callOptions">threads, memory, progress and cancel; null for all processors</param>
        public static Dataset FromArrowStream(IntPtr stream, string options = "", CallOptions? callOptions = null)
        {
            return Made(callOptions,
                control => NativeData.from_arrow_stream((long)stream, NativeText.Checked(options), control));
        }

        internal static Dataset Made(CallOptions? options, Func<NativeControl, NativeData> make)
        {
            NativeData? made = null;
            CallOptions.Run(options, control => made = make(control));
            return new Dataset(made!);
        }

        /// <summary>
        /// Says what the data are, column by column, how their file was understood, and what looks wrong with them, as
        /// JSON (dk_data_describe in dk.h).
        /// </summary>
        /// <param name="callOptions">threads, memory, progress and cancel; null for all processors</param>
        public string Describe(CallOptions? callOptions = null)
        {
            string told = string.Empty;
            using (var data = Begin()) CallOptions.Run(callOptions, control => told = data.Native.describe(control));
            return told;
        }

        /// <summary>Sets integer class labels, one a row.</summary>
        public Dataset WithLabels(params long[] labels)
        {
            using (var data = Begin()) data.Native.set_labels(labels);
            return this;
        }

        /// <summary>Sets class labels by name, one a row, none empty.</summary>
        public Dataset WithLabels(IEnumerable<string> labels)
        {
            using (var data = Begin())
            using (Strings list = NativeText.List(labels)) data.Native.set_label_names(list);
            return this;
        }

        /// <summary>
        /// Sets several labels a row, or none. A classifier that learns them makes one model with a function for each
        /// label, see <see cref="MachineTask.Multilabel"/>.
        /// </summary>
        /// <param name="sets">one a row</param>
        /// <param name="names">the labels in the order in which models have them, of which no row needs to have any; null
        /// for all that stand in a set, in ascending order</param>
        public Dataset WithLabelSets(IEnumerable<IEnumerable<string>> sets, IEnumerable<string>? names = null)
        {
            string[][] rows = sets.Select(set => set.ToArray()).ToArray();
            string[] table = names != null ? names.ToArray()
                : rows.SelectMany(set => set).Distinct().OrderBy(name => name, StringComparer.Ordinal).ToArray();
            var positions = new Dictionary<string, long>(StringComparer.Ordinal);
            foreach (string name in table) positions[name] = positions.Count;
            var offsets = new List<long> { 0 };
            var labels = new List<long>();
            foreach (string[] set in rows)
            {
                foreach (string label in set)
                    labels.Add(positions.TryGetValue(label, out long position) ? position
                        : throw new ArgumentException($"row {offsets.Count - 1} has the label {label}, which the names lack"));
                offsets.Add(labels.Count);
            }
            using (var data = Begin())
            using (Strings list = NativeText.List(table))
                data.Native.set_label_sets(offsets.ToArray(), labels.ToArray(), list);
            return this;
        }

        /// <summary>
        /// Sets the targets of a regression, one a row; or as many for each row, one row after the other, for machines
        /// that learn several targets at once.
        /// </summary>
        public Dataset WithTargets(params double[] targets)
        {
            using (var data = Begin()) data.Native.set_targets(targets);
            return this;
        }

        /// <summary>Sets the weight of each row in training.</summary>
        public Dataset WithWeights(params double[] weights)
        {
            using (var data = Begin()) data.Native.set_sample_weights(weights);
            return this;
        }

        /// <summary>
        /// Sets the group of each row: rows that belong together, such as those of one patient. Everything that holds out
        /// folds keeps a group in one of them.
        /// </summary>
        public Dataset WithGroups(params long[] groups)
        {
            using (var data = Begin()) data.Native.set_groups(groups);
            return this;
        }

        /// <summary>Sets the names of the columns, none twice.</summary>
        public Dataset WithFeatureNames(params string[] names)
        {
            using (var data = Begin())
            using (Strings list = NativeText.List(names)) data.Native.set_feature_names(list);
            return this;
        }

        /// <summary>Sets names of the rows, such as numbers of patients, by which explanations and pages call them.</summary>
        public Dataset WithRowNames(params string[] names)
        {
            using (var data = Begin())
            using (Strings list = NativeText.List(names)) data.Native.set_row_names(list);
            return this;
        }

        /// <summary>The number of rows.</summary>
        public long Rows
        {
            get
            {
                using (var data = Begin()) return data.Native.rows();
            }
        }

        /// <summary>The number of columns.</summary>
        public long Columns
        {
            get
            {
                using (var data = Begin()) return data.Native.cols();
            }
        }

        /// <summary>What the rows are.</summary>
        public DataKind Kind
        {
            get
            {
                using (var data = Begin()) return (DataKind)data.Native.kind_number();
            }
        }

        /// <summary>The name of a column, from 0; f1, f2, ... where columns have none.</summary>
        public string FeatureName(long column)
        {
            using (var data = Begin()) return data.Native.feature_name(column);
        }

        /// <summary>The name of a row; empty where rows have none.</summary>
        public string RowName(long row)
        {
            using (var data = Begin()) return data.Native.row_name(row);
        }

        /// <summary>Counts the kernels that a specification makes for these data.</summary>
        public long KernelCount(string kernel)
        {
            using (var data = Begin()) return Native.kernel_count(data.Native, NativeText.Checked(kernel));
        }

        /// <summary>The class of each row as <see cref="Model.Predict(Dataset, CallOptions)"/> would give it.</summary>
        public long[] Labels()
        {
            using (var data = Begin())
            {
                var labels = new long[data.Native.rows()];
                data.Native.labels(labels);
                return labels;
            }
        }

        /// <summary>The features of dense data, rows x columns.</summary>
        public double[,] Values()
        {
            using (var data = Begin())
            {
                long rows = data.Native.rows();
                var values = new double[rows * data.Native.cols()];
                data.Native.values(values);
                return Table(values, rows);
            }
        }

        internal static double[,] Table(double[] flat, long rows)
        {
            var table = new double[rows, rows == 0 ? 0 : flat.LongLength / rows];
            Buffer.BlockCopy(flat, 0, table, 0, checked(8 * flat.Length));
            return table;
        }

        /// <summary>A copy of some rows, in any order, with their labels, targets, weights and groups.</summary>
        public Dataset Select(params long[] rows)
        {
            using (var data = Begin()) return new Dataset(data.Native.select(rows), callback);
        }

        /// <summary>
        /// A copy of the rows for whose positions, from 0, the answer is true: <c>data.Where(row =&gt; folds[row] != 0)</c>.
        /// </summary>
        public Dataset Where(Func<long, bool> row)
        {
            if (row == null) throw new ArgumentNullException(nameof(row));
            var rows = new List<long>();
            for (long i = 0, count = Rows; i < count; i++)
                if (row(i)) rows.Add(i);
            return Select(rows.ToArray());
        }

        /// <summary>A stratified split: the fold of each row. The same for the same seed on every machine.</summary>
        public long[] Folds(int count, long seed)
        {
            using (var data = Begin())
            {
                var folds = new long[data.Native.rows()];
                data.Native.folds(folds, count, seed);
                return folds;
            }
        }

        /// <summary>Frees the native data when no call uses it any more.</summary>
        public void Dispose() => handle.Dispose();
    }
}
