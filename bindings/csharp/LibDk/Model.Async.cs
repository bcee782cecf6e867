// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace LibDk
{
    // Calls that do not keep their thread waiting. What is cancelled ends within 0.2 s with an
    // OperationCanceledException; data and models must not be disposed of before a call has ended.
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
            return Learning(data, parameters, () => Train(data, parameters, options));
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
            return Learning(data, parameters, () => CrossValidate(data, parameters, options));
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
            return Ran(() => Predict(data, options), TaskCreationOptions.None);
        }

        /// <summary>
        /// Predicts the rows of a stream in their order. Rows are scored together, many at a time, so that no more than a
        /// batch of them is held in memory.
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
            var batch = new List<double[]>();
            long features = FeatureCount, position = 0;
            await foreach (double[] row in rows.WithCancellation(cancellationToken).ConfigureAwait(false))
            {
                batch.Add(Checked(row, features, position++));
                if (batch.Count < batchRows) continue;
                foreach (Prediction one in await Scored(batch, options).ConfigureAwait(false)) yield return one;
                batch.Clear();
            }
            if (batch.Count == 0) yield break;
            foreach (Prediction one in await Scored(batch, options).ConfigureAwait(false)) yield return one;
        }

        private static double[] Checked(double[] row, long features, long position)
        {
            if (row == null) throw DkException.InvalidArgument($"row {position} of the stream is null");
            if (row.Length == features) return row;
            throw new DkException(DkStatus.Dimension,
                $"row {position} of the stream has {row.Length} values, the model was trained on {features}");
        }

        private Task<IReadOnlyList<Prediction>> Scored(IEnumerable<double[]> batch, CallOptions options)
        {
            return Ran(() =>
            {
                using (Dataset data = Dataset.From(batch, FillsMissing)) return Predictions(data, options);
            }, TaskCreationOptions.None);
        }

        private static CallOptions Asked(IProgress<double>? progress, CancellationToken cancellationToken)
        {
            return new CallOptions { Progress = progress, Cancellation = cancellationToken };
        }

        private static Task<Model> Learning(Dataset data, Parameters parameters, Func<Model> learn)
        {
            if (data == null) throw new ArgumentNullException(nameof(data));
            if (parameters == null) throw new ArgumentNullException(nameof(parameters));
            return Ran(learn, TaskCreationOptions.LongRunning);
        }

        /// <summary>An async method, so that a cancelled call is a cancelled task, and no failed one.</summary>
        private static async Task<T> Ran<T>(Func<T> call, TaskCreationOptions creation)
        {
            return await Task<T>.Factory.StartNew(call, CancellationToken.None,
                creation | TaskCreationOptions.DenyChildAttach, TaskScheduler.Default).ConfigureAwait(false);
        }
    }
}
