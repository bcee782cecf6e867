// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using LibDk;
using Xunit;
using static Samples;

/// <summary>Calls that keep no thread waiting, how they are cancelled, and streams of rows.</summary>
public class AsyncTests
{
    /// <summary>Minutes of work where nobody cancels.</summary>
    private static readonly Parameters Hard =
        new Parameters("svm").Parse("C=1e6 tolerance=1e-9 kernel=rbf(gamma=10) folds=5");

    private static async IAsyncEnumerable<double[]> Stream(IEnumerable<double[]> rows, Action<int>? taken = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        int count = 0;
        foreach (double[] row in rows)
        {
            cancellationToken.ThrowIfCancellationRequested();
            await Task.Yield();
            taken?.Invoke(++count);
            yield return row;
        }
    }

    private static async Task<List<Prediction>> Collected(IAsyncEnumerable<Prediction> predictions)
    {
        var all = new List<Prediction>();
        await foreach (Prediction one in predictions) all.Add(one);
        return all;
    }

    [Fact]
    public async Task AsyncCallsGiveWhatTheOthersGive()
    {
        using Dataset data = Labelled();
        Parameters parameters = new Parameters("svm").Parse("C=10");
        using Model expected = Model.Train(data, parameters);
        var heard = new Heard();
        using Model model = await Model.TrainAsync(data, parameters, heard);
        Assert.NotEmpty(heard.Fractions);
        Assert.Equal(expected.ToBytes(), model.ToBytes());
        Assert.Equal(expected.Predict(data), await model.PredictAsync(data));
        Assert.Equal(expected.Predict(data), await model.PredictAsync(data, new CallOptions { Threads = 1 }));
        using Model validated = await Model.CrossValidateAsync(data, parameters);
        using Model same = Model.CrossValidate(data, parameters);
        Assert.Equal(same.Scores!.Best.Metrics["auc"].Folds, validated.Scores!.Best.Metrics["auc"].Folds);
    }

    [Fact]
    public async Task WorkIsCancelledInItsMiddle()
    {
        using Dataset data = Noise(6000, 2);
        foreach (Func<Dataset, IProgress<double>, CancellationToken, Task<Model>> learn in
            new Func<Dataset, IProgress<double>, CancellationToken, Task<Model>>[]
            {
                (rows, progress, token) => Model.TrainAsync(rows, Hard, progress, token),
                (rows, progress, token) => Model.CrossValidateAsync(rows, Hard, progress, token),
            })
        {
            using var source = new CancellationTokenSource();
            var heard = new Heard { Then = source.Cancel };
            Task<Model> running = learn(data, heard, source.Token);
            var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
            Assert.Equal(source.Token, cancelled.CancellationToken);
            Assert.True(running.IsCanceled);
            Assert.InRange(heard.Fractions.Last(), 0, 0.99);
        }
        using Model model = Model.Train(data, new Parameters("mean_of_class"));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => model.PredictAsync(data, cancellationToken: new CancellationToken(true)));
    }

    [Fact]
    public async Task FailuresComeOutOfTheTask()
    {
        using Dataset unlabelled = Dataset.From(Points(1));
        DkException error = await Assert.ThrowsAsync<DkException>(() => Model.TrainAsync(unlabelled, new Parameters("svm")));
        Assert.Equal(DkStatus.InvalidData, error.Status);
        Assert.Throws<ArgumentNullException>(() => { _ = Model.TrainAsync(null!, new Parameters("svm")); });
        Assert.Throws<ArgumentNullException>(() => { _ = Model.CrossValidateAsync(unlabelled, null!); });
        using Dataset data = Labelled();
        Model model = Model.Train(data, new Parameters("svm"));
        model.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => model.PredictAsync(data));
        Assert.Throws<ArgumentNullException>(() => { _ = model.PredictAsync((Dataset)null!); });
    }

    [Fact]
    public async Task CallsKeepWhatTheyWereGiven()
    {
        Parameters parameters = new Parameters("svm").Parse("C=10");
        using Dataset kept = Labelled();
        using Model expected = Model.Train(kept, parameters);
        foreach (Func<Dataset, Parameters, CallOptions, Task<Model>> learn in
            new Func<Dataset, Parameters, CallOptions, Task<Model>>[] { Model.TrainAsync, Model.CrossValidateAsync })
        {
            // many at once, so that most of them have to wait for a thread
            Task<Model>[] learning = Enumerable.Range(0, 50).Select(_ =>
            {
                Dataset data = Labelled();
                Parameters changing = new Parameters("svm").Parse("C=10");
                var options = new CallOptions { Threads = 1 };
                Task<Model> task = learn(data, changing, options);
                data.Dispose();
                changing.Add("C", 0.001);
                options.Cancellation = new CancellationToken(true);
                options.Threads = -1;
                return task;
            }).ToArray();
            foreach (Model model in await Task.WhenAll(learning))
            {
                Assert.Equal(expected.Predict(kept), model.Predict(kept));
                Assert.Equal("10", model.Report.Parameters["C"]);
                model.Dispose();
            }
        }
        double[] values = expected.Predict(kept);
        byte[] content = expected.ToBytes();
        Task<double[]>[] predicting = Enumerable.Range(0, 50).Select(_ =>
        {
            Model model = Model.FromBytes(content);
            Dataset data = Labelled();
            var options = new CallOptions { Threads = 1 };
            Task<double[]> task = model.PredictAsync(data, options);
            data.Dispose();
            model.Dispose();
            options.Threads = -1;
            return task;
        }).ToArray();
        foreach (double[] predicted in await Task.WhenAll(predicting)) Assert.Equal(values, predicted);
    }

    [Fact]
    public async Task StreamsMayReuseTheirRows()
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data, new Parameters("svm"));
        var row = new double[2];
        IEnumerable<double[]> Reused()
        {
            foreach (double[] one in Jagged(Points(2)))
            {
                one.CopyTo(row, 0);
                yield return row;
            }
        }
        using Dataset fresh = Dataset.From(Points(2));
        double[] expected = model.Predict(fresh);
        Assert.True(expected.Distinct().Count() > 1);
        List<Prediction> streamed = await Collected(model.PredictAsync(Stream(Reused()), 16));
        Assert.Equal(expected, streamed.Select(one => one.Value));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(Rows)]
    [InlineData(1024)]
    public async Task StreamsAreScoredInTheirOrder(int batchRows)
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data, new Parameters("svm"));
        List<Prediction> streamed = await Collected(model.PredictAsync(Stream(Jagged(Points(2))), batchRows));
        using Dataset fresh = Dataset.From(Points(2));
        Assert.Equal(model.Predict(fresh), streamed.Select(one => one.Value));
        Assert.Equal(model.PredictClasses(fresh), streamed.Select(one => one.ClassName));
        Assert.Empty(await Collected(model.PredictAsync(Stream(new double[0][]))));
    }

    [Fact]
    public async Task StreamsHoldOneBatchAtMost()
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data, new Parameters("svm"));
        int taken = 0, given = 0;
        await foreach (Prediction one in model.PredictAsync(Stream(Jagged(Points(2)), count => taken = count), 8))
        {
            given++;
            Assert.InRange(taken, given, 8 * ((given + 7) / 8));
        }
        Assert.Equal(Rows, given);
    }

    [Fact]
    public async Task StreamsAreCancelledAndNameWrongRows()
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data, new Parameters("svm"));
        IEnumerable<double[]> Endless() => Enumerable.Repeat(new double[2], int.MaxValue);
        using var source = new CancellationTokenSource();
        int given = 0;
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (Prediction one in model.PredictAsync(Stream(Endless()), 10).WithCancellation(source.Token))
                if (++given == 25) source.Cancel();
        });
        Assert.InRange(given, 25, 30);

        double[][] rows = Jagged(Points(2));
        rows[9] = new double[3];
        DkException error = await Assert.ThrowsAsync<DkException>(() => Collected(model.PredictAsync(Stream(rows), 4)));
        Assert.Equal("row 9 of the stream has 3 values, the model was trained on 2", error.Message);
        rows[9] = null!;
        error = await Assert.ThrowsAsync<DkException>(() => Collected(model.PredictAsync(Stream(rows), 4)));
        Assert.Equal("row 9 of the stream is null", error.Message);
        foreach (double value in new[] { double.NaN, double.PositiveInfinity })
        {
            rows[9] = new[] { 0, value };
            error = await Assert.ThrowsAsync<DkException>(() => Collected(model.PredictAsync(Stream(rows), 4)));
            Assert.Equal(DkStatus.InvalidData, error.Status);
            Assert.Contains("row 9 of the stream", error.Message);
        }
        Failure(DkStatus.InvalidArgument, () => model.PredictAsync(Stream(rows), 0));
        Assert.Throws<ArgumentNullException>(() => model.PredictAsync((IAsyncEnumerable<double[]>)null!));
    }

    [Fact]
    public async Task StreamsMayMissValuesThatTheModelFills()
    {
        using Dataset data = Labelled();
        using Model model = Model.Train(data, new Parameters("svm").Parse("impute=mean"));
        double[][] rows = { new[] { double.NaN, 1 }, new[] { 1, double.NaN }, new[] { 0, double.NegativeInfinity } };
        using Dataset missing = Dataset.From(rows.Take(2), true);
        List<Prediction> streamed = await Collected(model.PredictAsync(Stream(rows.Take(2))));
        Assert.Equal(model.Predict(missing), streamed.Select(one => one.Value));
        DkException error = await Assert.ThrowsAsync<DkException>(() => Collected(model.PredictAsync(Stream(rows), 2)));
        Assert.Contains("row 2 of the stream", error.Message);
    }

    [Fact]
    public async Task StreamsOfRegressionsHaveValuesAlone()
    {
        double[,] x = Points(1);
        using Dataset data = Dataset.From(x).WithTargets(Enumerable.Range(0, Rows).Select(i => x[i, 0] + 2 * x[i, 1]).ToArray());
        using Model model = Model.Train(data, new Parameters("svr").Parse("kernel=linear C=100"));
        List<Prediction> streamed = await Collected(model.PredictAsync(Stream(Jagged(x))));
        Assert.Equal(model.Predict(data), streamed.Select(one => one.Value));
        Assert.All(streamed, one => Assert.Null(one.ClassName));
    }
}
