// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace LibDk
{
    // Calls that do not keep their thread waiting. What is cancelled ends within 0.2 s with an
    // OperationCanceledException. As soon as a method has returned its task, data and models may be disposed of, and
    // parameters and options changed: the call keeps what it was given. Labels and weights of its data must stay.
    public sealed partial class Model
    {
        /// <summary>Trains a machine on a thread of its own.</summary>
        /// <param name="data">with labels or targets, as the machine needs</param>
        /// <param name="parameters">the machine</param>
        /// <param name="progress">hears of progress in [0, 1], at most about 20 times a second</param>
        /// <param name="cancellationToken">ends the training</param>
        public static Task<Model> TrainAsync(Dataset data, Parameters parameters, IProgress<double>? progress = null,
            CancellationToken cancellationToken = default)
        {
            return TrainAsync(data, parameters, Asked(progress, cancellationToken));
        }

        /// <summary>Trains a machine on a thread of its own, with threads and memory as the options say.</summary>
        /// <param name="data">with labels or targets, as the machine needs</param>
        /// <param name="parameters">the machine</param>
        /// <param name="options">threads, memory, progress and cancel</param>
        public static Task<Model> TrainAsync(Dataset data, Parameters parameters, CallOptions options)
        {
            return Learning(data, parameters, options, NativeModel.train);
        }

        /// <summary>Does what <see cref="CrossValidate"/> does, on a thread of its own.</summary>
        /// <param name="data">with labels or targets</param>
        /// <param name="parameters">the machine</param>
        /// <param name="progress">hears of progress in [0, 1], at most about 20 times a second</param>
        /// <param name="cancellationToken">ends the cross-validation</param>
        public static Task<Model> CrossValidateAsync(Dataset data, Parameters parameters,
            IProgress<double>? progress = null, CancellationToken cancellationToken = default)
        {
            return CrossValidateAsync(data, parameters, Asked(progress, cancellationToken));
        }

        /// <summary>
        /// Does what <see cref="CrossValidate"/> does, on a thread of its own, with threads and memory as the options say.
        /// </summary>
        /// <param name="data">with labels or targets</param>
        /// <param name="parameters">the machine</param>
        /// <param name="options">threads, memory, progress and cancel</param>
        public static Task<Model> CrossValidateAsync(Dataset data, Parameters parameters, CallOptions options)
        {
            return Learning(data, parameters, options, NativeModel.cross_validate);
        }

        /// <summary>Predicts on a thread of the pool.</summary>
        /// <param name="data">with the features of the training data</param>
        /// <param name="progress">hears of progress in [0, 1], at most about 20 times a second</param>
        /// <param name="cancellationToken">ends the call</param>
        public Task<double[]> PredictAsync(Dataset data, IProgress<double>? progress = null,
            CancellationToken cancellationToken = default)
        {
            return PredictAsync(data, Asked(progress, cancellationToken));
        }

        /// <summary>Predicts on a thread of the pool, with threads and memory as the options say.</summary>
        /// <param name="data">with the features of the training data</param>
        /// <param name="options">threads, memory, progress and cancel</param>
        public Task<double[]> PredictAsync(Dataset data, CallOptions options)
        {
            if (data == null) throw new ArgumentNullException(nameof(data));
            return Predicting(data, options?.Copy());
        }

        private async Task<double[]> Predicting(Dataset data, CallOptions? options)
        {
            using (var model = handle.Begin())
            using (var rows = data.Begin())
            {
                NativeModel m = model.Native;
                NativeData d = rows.Native;
                return await Ran(() => Filled(m, m.target_count(), d, options, FillPredictions), TaskCreationOptions.None)
                    .ConfigureAwait(false);
            }
        }

        /// <summary>
        /// Predicts the rows of a stream in their order. Rows are scored together, many at a time, so that no more than a
        /// batch of them is held in memory. They are copied: a stream may give the same array again with other values.
        /// </summary>
        /// <param name="rows">each with the features of the training data</param>
        /// <param name="batchRows">how many rows are scored together, at least 1; 1 answers every row at once</param>
        /// <param name="cancellationToken">ends the stream</param>
        public IAsyncEnumerable<Prediction> PredictAsync(IAsyncEnumerable<double[]> rows, int batchRows = 1024,
            CancellationToken cancellationToken = default)
        {
            if (rows == null) throw new ArgumentNullException(nameof(rows));
            if (batchRows < 1) throw DkException.InvalidArgument($"batchRows is {batchRows}; it must be at least 1");
            return Streamed(rows, batchRows, cancellationToken);
        }

        private async IAsyncEnumerable<Prediction> Streamed(IAsyncEnumerable<double[]> rows, int batchRows,
            [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            var options = new CallOptions { Cancellation = cancellationToken };
            var batch = new List<double>();
            bool missing = FillsMissing;
            long features = FeatureCount, position = 0;
            int count = 0;
            await foreach (double[] row in rows.WithCancellation(cancellationToken).ConfigureAwait(false))
            {
                Check(row, features, missing, position++);
                batch.AddRange(row);
                if (++count < batchRows) continue;
                foreach (Prediction one in await Scored(batch, count, missing, options).ConfigureAwait(false))
                    yield return one;
                batch.Clear();
                count = 0;
            }
            if (count == 0) yield break;
            foreach (Prediction one in await Scored(batch, count, missing, options).ConfigureAwait(false))
                yield return one;
        }

        /// <summary>The library would tell the position of a wrong value in its batch, and not in the stream.</summary>
        private static void Check(double[] row, long features, bool missing, long position)
        {
            if (row == null) throw DkException.InvalidArgument($"row {position} of the stream is null");
            if (row.Length != features)
                throw new DkException(DkStatus.Dimension,
                    $"row {position} of the stream has {row.Length} values, the model was trained on {features}");
            int wrong = Array.FindIndex(row, value => double.IsInfinity(value) || (double.IsNaN(value) && !missing));
            if (wrong < 0) return;
            string text = row[wrong].ToString(CultureInfo.InvariantCulture), allowed = missing ? "finite or NaN" : "finite";
            throw new DkException(DkStatus.InvalidData,
                $"value {text} at row {position} of the stream, column {wrong} (counted from 0): every value must be {allowed}");
        }

        private Task<IReadOnlyList<Prediction>> Scored(List<double> batch, int rows, bool missing, CallOptions options)
        {
            return Ran(() =>
            {
                double[] flat = batch.ToArray();
                using (Dataset data = Dataset.From(flat, rows, flat.Length / rows, missing))
                    return Predictions(data, options);
            }, TaskCreationOptions.None);
        }

        private static CallOptions Asked(IProgress<double>? progress, CancellationToken cancellationToken)
        {
            return new CallOptions { Progress = progress, Cancellation = cancellationToken };
        }

        private static Task<Model> Learning(Dataset data, Parameters parameters, CallOptions? options,
            Func<NativeData, NativeParams, NativeControl, NativeModel> learn)
        {
            if (data == null) throw new ArgumentNullException(nameof(data));
            if (parameters == null) throw new ArgumentNullException(nameof(parameters));
            return Learned(data, parameters, options?.Copy(), learn);
        }

        private static async Task<Model> Learned(Dataset data, Parameters parameters, CallOptions? options,
            Func<NativeData, NativeParams, NativeControl, NativeModel> learn)
        {
            using (var d = data.Begin())
            using (NativeParams machine = parameters.Create())
            {
                NativeData rows = d.Native;
                return await Ran(() => Made(options, control => learn(rows, machine, control)),
                    TaskCreationOptions.LongRunning).ConfigureAwait(false);
            }
        }

        /// <summary>An async method, so that a cancelled call is a cancelled task, and no failed one.</summary>
        private static async Task<T> Ran<T>(Func<T> call, TaskCreationOptions creation)
        {
            return await Task<T>.Factory.StartNew(call, CancellationToken.None,
                creation | TaskCreationOptions.DenyChildAttach, TaskScheduler.Default).ConfigureAwait(false);
        }
    }
}
