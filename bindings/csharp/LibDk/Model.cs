// SPDX-License-Identifier: Apache-2.0
using System;
using System.Globalization;
using System.Linq;

namespace LibDk
{
    /// <summary>
    /// What a machine learned. Immutable: any number of threads may use it at once. Asynchronous calls keep what they were
    /// given: data and models may be disposed of, and parameters and options changed, as soon as the task is there.
    /// </summary>
    public sealed partial class Model : IDisposable
    {
        private readonly NativeHandle<NativeModel> handle;

        private Model(NativeModel model)
        {
            handle = new NativeHandle<NativeModel>(model, nameof(Model),
                8 * model.training_rows() * model.decision_count());
        }

        /// <summary>Trains a machine.</summary>
        /// <param name="data">with labels or targets, as the machine needs</param>
        /// <param name="parameters">the machine</param>
        /// <param name="options">threads, memory, progress and cancel; null for all processors</param>
        public static Model Train(Dataset data, Parameters parameters, CallOptions? options = null)
        {
            return Made(data, parameters, options, NativeModel.train);
        }

        /// <summary>
        /// Trains the machine auto, which chooses scale, kernel and parameters for the rows by cross-validation; what was
        /// tried is in <see cref="Info"/> under choice.
        /// </summary>
        /// <param name="data">rows with labels or targets, or with neither</param>
        /// <param name="options">null for all processors</param>
        public static Model Train(Dataset data, CallOptions? options = null)
        {
            return Train(data, new Parameters("auto"), options);
        }

        /// <summary>
        /// Cross-validates, over a grid where the parameter grid has one, and trains the best on all rows;
        /// <see cref="Scores"/> has the scores.
        /// </summary>
        /// <param name="data">with labels or targets</param>
        /// <param name="parameters">the machine</param>
        /// <param name="options">null for all processors</param>
        public static Model CrossValidate(Dataset data, Parameters parameters, CallOptions? options = null)
        {
            return Made(data, parameters, options, NativeModel.cross_validate);
        }

        /// <summary>
        /// Compares all ways to weigh the kernels of a bank, and every kernel alone, by cross-validation, and trains the
        /// best on all rows; <see cref="Scores"/> has the scores.
        /// </summary>
        /// <param name="data">with labels or targets</param>
        /// <param name="parameters">a machine with a bank of kernels</param>
        /// <param name="options">null for all processors</param>
        public static Model CompareWeights(Dataset data, Parameters parameters, CallOptions? options = null)
        {
            return Made(data, parameters, options, NativeModel.compare_weights);
        }

        /// <summary>
        /// A model of few prototypes that are free vectors, which decides as this one does on the rows of
        /// <paramref name="data"/> and near them (Demontis, Melis, Biggio, Fumera, Roli, 2016). How well both
        /// agree is in <see cref="Info"/> under compressed.
        /// </summary>
        /// <param name="data">rows; labels are not used</param>
        /// <param name="parameters">of machine super_sparse, such as prototypes</param>
        /// <param name="options">null for all processors</param>
        public Model Compress(Dataset data, Parameters parameters, CallOptions? options = null)
        {
            using (var model = handle.Begin())
            {
                NativeModel own = model.Native;
                return Made(data, parameters, options, (d, p, c) => own.compress(d, p, c));
            }
        }

        /// <summary>
        /// The same model with sets of answers (<see cref="PredictSet"/>) that are calibrated on these rows, of which
        /// training must have seen none (Vovk, Gammerman, Shafer, 2005).
        /// </summary>
        /// <param name="data">with labels or targets</param>
        /// <param name="byClass">whether the promise is one to each class</param>
        /// <param name="options">null for all processors</param>
        public Model Calibrate(Dataset data, bool byClass = false, CallOptions? options = null)
        {
            if (data == null) throw new ArgumentNullException(nameof(data));
            using (var model = handle.Begin())
            using (var d = data.Begin())
            {
                NativeModel own = model.Native;
                NativeData rows = d.Native;
                return Made(options, control => own.calibrate(rows, byClass, control));
            }
        }

        /// <summary>
        /// The same model with another threshold between its two classes, chosen on rows of which training must have
        /// seen none. Probabilities stay.
        /// </summary>
        /// <param name="data">with labels</param>
        /// <param name="goal">
        /// such as "false_alarms=0.05": at most this share of new rows of the first class are taken for the second, with
        /// "sure=0.95" over the rows it is learned of (Tong, Feng, Li 2018); or "miss_cost=5": errors cost least where a
        /// row of the second class that is missed costs so many times the opposite
        /// </param>
        /// <param name="options">null for all processors</param>
        public Model MoveThreshold(Dataset data, string goal, CallOptions? options = null)
        {
            if (data == null) throw new ArgumentNullException(nameof(data));
            string said = NativeText.Checked(goal);
            using (var model = handle.Begin())
            using (var d = data.Begin())
            {
                NativeModel own = model.Native;
                NativeData rows = d.Native;
                return Made(options, control => own.move_threshold(rows, said, control));
            }
        }

        /// <summary>
        /// The model of the rows that this one keeps and of further ones, without the rows of some numbers. Scaling and
        /// kernel stay as they are; a machine that keeps all rows (kelm, kernel_ridge) becomes what training on all of
        /// them would make, an svm learns from its support vectors and the further rows (dk_model_update in dk.h). This
        /// model, trained with updatable=yes, stays as it is.
        /// </summary>
        /// <param name="further">with labels or targets; null where rows are only forgotten</param>
        /// <param name="forget">
        /// numbers of training rows, counted from 0; further rows have the next numbers. Null for none
        /// </param>
        /// <param name="options">null for all processors</param>
        public Model Update(Dataset? further, long[]? forget = null, CallOptions? options = null)
        {
            long[] gone = forget ?? Array.Empty<long>();
            using (var model = handle.Begin())
            {
                NativeModel own = model.Native;
                if (further == null) return Made(options, control => own.forget(gone, control));
                using (var d = further.Begin())
                {
                    NativeData rows = d.Native;
                    return Made(options, control => own.update(rows, gone, control));
                }
            }
        }

        private static Model Made(Dataset data, Parameters parameters, CallOptions? options,
            Func<NativeData, NativeParams, NativeControl, NativeModel> make)
        {
            if (data == null) throw new ArgumentNullException(nameof(data));
            if (parameters == null) throw new ArgumentNullException(nameof(parameters));
            using (var d = data.Begin())
            using (NativeParams machine = parameters.Create())
            {
                NativeData rows = d.Native;
                return Made(options, control => make(rows, machine, control));
            }
        }

        private static Model Made(CallOptions? options, Func<NativeControl, NativeModel> make)
        {
            NativeModel? made = null;
            CallOptions.Run(options, control => made = make(control));
            return new Model(made!);
        }

        /// <summary>Reads a model file of any language.</summary>
        /// <param name="path">the file</param>
        /// <param name="options">threads, memory, progress and cancel; null for all processors</param>
        public static Model Load(string path, CallOptions? options = null)
        {
            return Made(options, control => NativeModel.load(NativeText.Checked(path), control));
        }

        /// <summary>Reads a model file of LIBSVM, liblinear or ThunderSVM, with the same decision values. Classes
        /// ascend.</summary>
        /// <param name="path">the file</param>
        /// <param name="format">auto, libsvm, liblinear or thundersvm, after which may follow <c>features=N</c> and
        /// <c>data=dense</c> or <c>data=sparse</c></param>
        /// <param name="options">threads, memory, progress and cancel; null for all processors</param>
        public static Model Import(string path, string format = "auto", CallOptions? options = null)
        {
            return Made(options, control => NativeModel.import_from(NativeText.Checked(path), NativeText.Checked(format),
                                                                    control));
        }

        /// <summary>Reads what <see cref="ToBytes"/> gave.</summary>
        /// <param name="bytes">of a model</param>
        /// <param name="options">null for all processors</param>
        public static unsafe Model FromBytes(ReadOnlySpan<byte> bytes, CallOptions? options = null)
        {
            int length = bytes.Length;
            fixed (byte* pinned = bytes)
            {
                byte* content = pinned; // which a lambda may capture, other than the span
                return Made(options, control => NativeModel.read(new ReadOnlySpan<byte>(content, length), control));
            }
        }

        /// <summary>Writes the model; a crash leaves the old file.</summary>
        public void Save(string path)
        {
            using (var model = handle.Begin()) model.Native.save(NativeText.Checked(path));
        }

        /// <summary>Writes the model for other programs.</summary>
        /// <param name="path">the file</param>
        /// <param name="format">libsvm for a model file of LIBSVM, onnx for a graph of ONNX, or c for C99 without allocation</param>
        public void Export(string path, string format)
        {
            using (var model = handle.Begin())
                model.Native.export_to(NativeText.Checked(path), NativeText.Checked(format));
        }

        /// <summary>The content of a model file, the same bytes in every language and on every machine.</summary>
        public byte[] ToBytes()
        {
            using (var model = handle.Begin())
            {
                var bytes = new byte[model.Native.file_size()];
                model.Native.write(bytes);
                return bytes;
            }
        }

        /// <summary>Reads a file with the features of the training data, found by their names.</summary>
        /// <param name="path">the file</param>
        /// <param name="options">as for <see cref="Dataset.Read"/></param>
        /// <param name="callOptions">threads, memory, progress and cancel; null for all processors</param>
        public Dataset Read(string path, string options = "", CallOptions? callOptions = null)
        {
            using (var model = handle.Begin())
            {
                NativeModel own = model.Native;
                return Dataset.Made(callOptions,
                    control => own.read_rows(NativeText.Checked(path), NativeText.Checked(options), control));
            }
        }

        private delegate void Filling(NativeModel model, Span<double> values, NativeData data, NativeControl control);

        private double[] Filled(Func<NativeModel, long> columns, Dataset data, CallOptions? options, Filling fill)
        {
            if (data == null) throw new ArgumentNullException(nameof(data));
            using (var model = handle.Begin())
            using (var rows = data.Begin())
            {
                NativeModel m = model.Native;
                return Filled(m, columns(m), rows.Native, options, fill);
            }
        }

        private static double[] Filled(NativeModel model, long columns, NativeData data, CallOptions? options, Filling fill)
        {
            var values = new double[checked(data.rows() * columns)];
            CallOptions.Run(options, control => fill(model, values, data, control));
            return values;
        }

        private static void FillPredictions(NativeModel model, Span<double> values, NativeData data, NativeControl control)
        {
            model.predict(values, data, control);
        }

        private double[,] Table(Func<NativeModel, long> columns, Dataset data, CallOptions? options, Filling fill)
        {
            double[] values = Filled(columns, data, options, fill);
            return Dataset.Table(values, data.Rows);
        }

        /// <summary>
        /// For each row its class label (its position in <see cref="ClassNames"/> where classes have names), or its
        /// value; of several targets those of each row, one row after the other, and of several labels 1 for each that the
        /// row is predicted to have and 0 for the others.
        /// </summary>
        /// <param name="data">with the features of the training data</param>
        /// <param name="options">null for all processors</param>
        public double[] Predict(Dataset data, CallOptions? options = null)
        {
            return Filled(m => m.target_count(), data, options, FillPredictions);
        }

        /// <summary>The same into memory of the caller's, a place for each row and target.</summary>
        /// <param name="result">rows x <see cref="TargetCount"/></param>
        /// <param name="data">with the features of the training data</param>
        public void Predict(Span<double> result, Dataset data)
        {
            if (data == null) throw new ArgumentNullException(nameof(data));
            using (var model = handle.Begin())
            using (var rows = data.Begin())
            {
                try
                {
                    model.Native.predict(result, rows.Native, CallOptions.None);
                }
                catch (DkException error) when (error.Status == DkStatus.Callback)
                {
                    Callback.Rethrow();
                    throw;
                }
            }
        }

        /// <summary>
        /// Predictions, decisions and probabilities of rows, by one pass over the kernel and without a dataset: the short
        /// way for a service.
        /// </summary>
        /// <param name="x">the features of the training data, one row after the other; NaN where the model fills missing
        /// values</param>
        /// <param name="columns">of x</param>
        /// <param name="options">null for all processors</param>
        public RowAnswers PredictRows(double[] x, int columns, CallOptions? options = null)
        {
            if (x == null) throw new ArgumentNullException(nameof(x));
            if (columns < 1 || x.Length % columns != 0)
                throw new DkException(DkStatus.InvalidArgument, $"{x.Length} values are no rows of {columns} columns");
            long rows = x.Length / columns;
            using (var model = handle.Begin())
            {
                NativeModel native = model.Native;
                bool probable = native.has_probabilities();
                var predictions = new double[rows * native.target_count()];
                var decisions = new double[rows * native.decision_count()];
                var probabilities = new double[probable ? rows * native.class_count() : 0];
                CallOptions.Run(options,
                    control => native.predict_rows(predictions, decisions, probabilities, x, columns, control));
                return new RowAnswers(predictions, Dataset.Table(decisions, rows),
                    probable ? Dataset.Table(probabilities, rows) : null);
            }
        }

        /// <summary>Predicts one row.</summary>
        public double Predict(ReadOnlySpan<double> row)
        {
            using (Dataset data = Dataset.From(row, 1, row.Length))
            {
                double[] values = Predict(data);
                if (values.Length == 1) return values[0];
                throw new DkException(DkStatus.Unsupported,
                    $"the model predicts {values.Length} targets of a row; Predict(Dataset) gives all of them");
            }
        }

        /// <summary>The name of each row's class, its label as text where classes have no names.</summary>
        public string[] PredictClasses(Dataset data)
        {
            return Named(Predict(data))
                ?? throw new DkException(DkStatus.Unsupported, "a regression predicts values, no classes");
        }

        /// <summary>
        /// The names of the labels that each row is predicted to have, of a model of rows with several labels.
        /// </summary>
        /// <param name="data">with the features of the training data</param>
        /// <param name="options">null for all processors</param>
        public string[][] PredictLabelSets(Dataset data, CallOptions? options = null)
        {
            if (Task != MachineTask.Multilabel)
                throw new DkException(DkStatus.Unsupported, "the model predicts one class or value a row");
            string[] names = ClassNames;
            double[] has = Predict(data, options);
            return Enumerable.Range(0, has.Length / names.Length)
                .Select(row => names.Where((_, label) => has[row * names.Length + label] == 1).ToArray()).ToArray();
        }

        /// <summary>
        /// The label of each row's class, also where labels are beyond 2^53, which no double tells apart: classes then
        /// have their digits as names.
        /// </summary>
        /// <param name="data">with the features of the training data</param>
        /// <param name="options">null for all processors</param>
        public long[] PredictLabels(Dataset data, CallOptions? options = null)
        {
            string[] names = Named(Predict(data, options))
                ?? throw new DkException(DkStatus.Unsupported, "a regression predicts values, no labels");
            return Array.ConvertAll(names, LabelOf);
        }

        private static long LabelOf(string name)
        {
            if (long.TryParse(name, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long label)
                && label.ToString(CultureInfo.InvariantCulture) == name)
                return label;
            throw new DkException(DkStatus.Unsupported,
                $"the class '{name}' is no integer; PredictClasses gives the names of classes");
        }

        /// <summary>
        /// Decision values, rows x decision functions; two classes have one function, positive for the second class.
        /// </summary>
        public double[,] Decision(Dataset data, CallOptions? options = null)
        {
            return Table(m => m.decision_count(), data, options, (m, values, d, c) => m.decision(values, d, c));
        }

        /// <summary>Probabilities of a model trained with probability=yes, rows x classes.</summary>
        public double[,] Probability(Dataset data, CallOptions? options = null)
        {
            return Table(m => m.class_count(), data, options, (m, values, d, c) => m.probability(values, d, c));
        }

        /// <summary>
        /// The answers that hold the truth with a probability: of a regression an interval, rows x 2 (lower, upper); of a
        /// classifier rows x classes, 1 where the class is in the set and else 0. The model was trained with a confidence,
        /// or is of <see cref="Calibrate"/>.
        /// </summary>
        /// <param name="data">with the features of the training data</param>
        /// <param name="confidence">above 0 and below 1; 0 for that of the training</param>
        /// <param name="options">null for all processors</param>
        public double[,] PredictSet(Dataset data, double confidence = 0, CallOptions? options = null)
        {
            return Table(m => m.prediction_set_width(), data, options,
                (m, values, d, c) => m.predict_set(values, d, confidence, c));
        }

        /// <summary>
        /// How new each row is, rows x 2: its distance in feature space from the nearest of some training rows, and how
        /// likely a row that comes as these did lies at least as far (Laxhammar, Falkman 2010), so that a service may
        /// refuse to predict. The model was trained with novelty=yes.
        /// </summary>
        /// <param name="data">with the features of the training data</param>
        /// <param name="options">null for all processors</param>
        public double[,] Novelty(Dataset data, CallOptions? options = null)
        {
            return Table(m => 2, data, options, (m, values, d, c) => m.novelty(values, d, c));
        }

        /// <summary>
        /// How uncertain the value of each row is: the posterior standard deviation of kernel ridge regression as a
        /// Gaussian process whose covariance is the kernel and whose noise has the variance 1 / C (Rasmussen, Williams
        /// 2006). The first call takes as long as training.
        /// </summary>
        /// <param name="data">with the features of the training data</param>
        /// <param name="options">null for all processors</param>
        public double[] Deviation(Dataset data, CallOptions? options = null)
        {
            return Filled(_ => 1, data, options, (m, values, d, c) => m.deviation(values, d, c));
        }

        /// <summary>
        /// What each prototype says of each row, rows x prototypes: with the offset of <see cref="Offsets"/>, the two
        /// of a function add up to its decision (Graf et al. 2008).
        /// </summary>
        public double[,] Explain(Dataset data, CallOptions? options = null)
        {
            return Table(m => m.prototype_count(), data, options, (m, values, d, c) => m.explain(values, d, c));
        }

        /// <summary>
        /// What the model sees of each row, rows x features: the codes of imkpl and iskpl, the similarities of
        /// super-sparse models with their prototypes, the features of elm and of a kernel lowrank. Other models have
        /// none, which is an exception.
        /// </summary>
        public double[,] Transform(Dataset data, CallOptions? options = null)
        {
            return Table(m => m.transform_count(), data, options, (m, values, d, c) => m.transform(values, d, c));
        }

        /// <summary>
        /// Each row as the components of a kernel_pca model keep it, rows x features, which takes noise from it: the
        /// point whose image is nearest to the projection of the row's image on their span (Mika et al. 1998).
        /// </summary>
        public double[,] Reconstruct(Dataset data, CallOptions? options = null)
        {
            return Table(m => m.feature_count(), data, options, (m, values, d, c) => m.reconstruct(values, d, c));
        }

        /// <summary>A measure of the predictions for labelled data: accuracy, auc, rmse, ...</summary>
        public double Score(Dataset data, string metric, CallOptions? options = null)
        {
            if (data == null) throw new ArgumentNullException(nameof(data));
            using (var model = handle.Begin())
            using (var rows = data.Begin())
            {
                NativeModel m = model.Native;
                NativeData d = rows.Native;
                double score = 0;
                CallOptions.Run(options, control => score = m.score(d, NativeText.Checked(metric), control));
                return score;
            }
        }

        /// <summary>Confusion counts, classes x classes, rows the truth.</summary>
        public long[,] Confusion(Dataset data, CallOptions? options = null)
        {
            if (data == null) throw new ArgumentNullException(nameof(data));
            using (var model = handle.Begin())
            using (var rows = data.Begin())
            {
                NativeModel m = model.Native;
                NativeData d = rows.Native;
                var classes = (int)m.class_count();
                var flat = new long[classes * classes];
                CallOptions.Run(options, control => m.confusion(flat, d, control));
                var counts = new long[classes, classes];
                Buffer.BlockCopy(flat, 0, counts, 0, 8 * flat.Length);
                return counts;
            }
        }

        /// <summary>
        /// How well people can read each prototype, 0 to 1 (Hosseini and Hammer, CIKM 2019): the largest share of one
        /// class in its coefficients, and how near the rows that make it are in feature space. NaN where a prototype has
        /// no such measure.
        /// </summary>
        /// <param name="training">the labelled rows of which the model was trained</param>
        /// <param name="options">null for all processors</param>
        public (double[] Purity, double[] Compactness) PrototypeMeasures(Dataset training, CallOptions? options = null)
        {
            if (training == null) throw new ArgumentNullException(nameof(training));
            using (var model = handle.Begin())
            using (var rows = training.Begin())
            {
                NativeModel m = model.Native;
                NativeData d = rows.Native;
                var purity = new double[m.prototype_count()];
                var compactness = new double[purity.Length];
                CallOptions.Run(options, control => m.prototype_measures(purity, compactness, d, control));
                return (purity, compactness);
            }
        }

        /// <summary>Frees the native model when no call uses it any more.</summary>
        public void Dispose() => handle.Dispose();
    }
}
