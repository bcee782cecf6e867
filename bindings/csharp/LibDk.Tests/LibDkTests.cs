// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using LibDk;
using Xunit;
using static Samples;

public class LibDkTests
{
    [Fact]
    public void ParametersAreNumbersTruthsListsAndNames()
    {
        var parameters = new Parameters("svm")
        {
            { "C", 0.1 }, { "seed", 8999999999999999L }, { "probability", true },
            { "kernel", new[] { "linear", "poly(degree=2, gamma=1, coef0=1)" } },
            { "class_weight", new Dictionary<string, double> { { "3", 2 }, { "7", 0.5 } } },
        };
        Assert.Equal("0.1", parameters["C"]);
        Assert.Equal("yes", parameters["probability"]);
        Assert.Equal("8999999999999999", parameters["seed"]);
        Assert.Equal("[linear, poly(degree=2, gamma=1, coef0=1)]", parameters["kernel"]);
        Assert.Equal("3:2,7:0.5", parameters["class_weight"]);
        Assert.Throws<ArgumentException>(() => parameters.Add("kernel", new[] { "linear, rbf" }));
        Assert.Throws<ArgumentException>(() => parameters.Add("class_weight", new Dictionary<string, double> { { "a:b", 2 } }));
    }

    [Fact]
    public void TrainsPredictsWeighsAndExplains()
    {
        var parameters = new Parameters("svm") { { "C", 10 }, { "kernel", "[linear, rbf(gamma=0.5)]" } };
        using Dataset data = Labelled();
        using Model model = Model.Train(data, parameters);
        using Dataset fresh = Dataset.From(Points(2));
        double[] predicted = model.Predict(fresh);
        double[,] decisions = model.Decision(fresh);
        double[,] said = model.Explain(fresh);
        for (int i = 0; i < Rows; i++)
        {
            Assert.Equal(decisions[i, 0] >= 0 ? 7 : 3, predicted[i]);
            Assert.Equal(decisions[i, 0], said[i, 0] + said[i, 1] + model.Offsets[0], 9);
        }
        Assert.Equal(new[] { "3", "7" }, model.ClassNames);
        Assert.Equal(1, model.Weights.Sum(one => one.Weight), 12);
        IReadOnlyList<Prototype> prototypes = model.Prototypes();
        Assert.Equal(2, prototypes.Count);
        Assert.Equal("7", prototypes[0].ClassName);
        Assert.True(prototypes[0].IsPositive);
        Assert.All(prototypes, p => Assert.Equal(1, p.Coefficients.Sum(), 12));
        Assert.All(prototypes, p => Assert.Equal(5, p.NearestRows.Length));
        Assert.True(model.Score(data, "accuracy") > 0.7);
        Assert.Equal(Rows, model.Confusion(data).Cast<long>().Sum());
        var cancelled = new CallOptions { Cancellation = new CancellationToken(true) };
        Assert.Throws<OperationCanceledException>(() => model.Score(data, "accuracy", cancelled));
        Assert.Throws<OperationCanceledException>(() => model.Confusion(data, cancelled));
        Assert.Contains("\"machine\":\"svm\"", model.Info);
        Assert.Equal("10", parameters["C"]);
    }

    [Fact]
    public void ClassesHaveNamesInAnyAlphabet()
    {
        string[] names = Enumerable.Range(0, Rows).Select(i => i % 2 == 0 ? "größer" : "\U0001F600").ToArray();
        using Dataset data = Dataset.From(Points(1)).WithLabels(names);
        using Model model = Model.Train(data, new Parameters("mean_of_class") { { "kernel", "linear" } });
        Assert.Equal(new[] { "größer", "\U0001F600" }, model.ClassNames);
        Assert.All(model.PredictClasses(data), name => Assert.Contains(name, names));
    }

    [Fact]
    public void SpansArraysAndTablesGiveTheSame()
    {
        double[,] x = Points(1);
        double[] flat = x.Cast<double>().ToArray();
        using Dataset table = Labelled();
        using Dataset span = Dataset.From(flat, Rows, 2);
        using Model model = Model.Train(table, new Parameters("fisher"));
        Assert.Equal(x, span.Values());
        var result = new double[Rows + 2];
        model.Predict(result.AsSpan(1, Rows), span);
        Assert.Equal(model.Predict(table), result.Skip(1).Take(Rows));
        Assert.Equal(result[1], model.Predict(flat.AsSpan(0, 2)));
        Failure(DkStatus.InvalidArgument, () => model.Predict(new double[Rows - 1], span));
    }

    [Fact]
    public void LabelsBeyondTheWholeNumbersOfDoublesComeBack()
    {
        long[] labels = { 9007199254740993, 9007199254740995, 9, long.MinValue };
        using Dataset data = Dataset.From(new double[,] { { 0 }, { 2 }, { 4 }, { 6 } }).WithLabels(labels);
        var parameters = new Parameters("nearest_neighbours").Parse("voters=1 kernel=rbf(gamma=1)");
        using Model model = Model.Train(data, parameters);
        Assert.Equal(labels, model.PredictLabels(data));
        Assert.Equal(labels, data.Labels());
        Assert.Equal("9007199254740993", model.PredictClasses(data)[0]);
        // a part of the rows has small labels alone
        using Dataset part = Dataset.From(new double[,] { { 4 }, { 0 } }).WithLabels(new long[] { 9, 9 });
        Assert.Equal(0.5, model.Score(part, "accuracy"));
        using Dataset small = Dataset.From(new double[,] { { 0 }, { 2 } }).WithLabels(new long[] { -1, 5 });
        using Model plain = Model.Train(small, parameters);
        Assert.Equal(new long[] { -1, 5 }, plain.PredictLabels(small));
        using Dataset named = Dataset.From(new double[,] { { 0 }, { 2 } }).WithLabels(new[] { "left", "right" });
        using Model texts = Model.Train(named, parameters);
        Assert.Contains("left", Failure(DkStatus.Unsupported, () => texts.PredictLabels(named)).Message);
    }

    [Fact]
    public void ModelsAreKeptAsFilesAndBytes()
    {
        string file = Path.GetTempFileName();
        using Dataset data = Labelled();
        using Model model = Model.Train(data, new Parameters("svm"));
        model.Save(file);
        byte[] bytes = model.ToBytes();
        Assert.Equal(File.ReadAllBytes(file), bytes);
        using Model loaded = Model.Load(file);
        using Model again = Model.FromBytes(bytes);
        Assert.Equal(bytes, loaded.ToBytes());
        Assert.Equal(model.Predict(data), again.Predict(data));
        bytes[bytes.Length / 2] ^= 1;
        Failure(DkStatus.ModelFormat, () => Model.FromBytes(bytes));
        File.Delete(file);
    }

    [Fact]
    public void ModelsOfOtherProgramsAreReadAndWritten()
    {
        string file = Path.GetTempFileName();
        string exported = Path.GetTempFileName();
        File.WriteAllText(file, "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 5 2\nnr_feature 2\nbias 1\nw\n3\n-1\n0.5\n");
        using Dataset rows = Dataset.From(new double[,] { { 1, 2 }, { 0, 4 } });
        using Model model = Model.Import(file);
        double[] decisions = model.Decision(rows).Cast<double>().ToArray();
        Assert.Equal(3 - 2 + 0.5, decisions[0], 12);
        Assert.Equal(-4 + 0.5, decisions[1], 12);
        model.Export(exported, "libsvm");
        using Model again = Model.Import(exported, "libsvm features=2");
        double[] found = again.Decision(rows).Cast<double>().ToArray();
        Assert.Equal(decisions[0], found[0], 12);
        Failure(DkStatus.InvalidArgument, () => model.Export(exported, "pmml"));
        Failure(DkStatus.InvalidParameter, () => Model.Import(file, "thunder"));
        File.Delete(file);
        File.Delete(exported);
    }

    [Fact]
    public void MistakesAreNamed()
    {
        Assert.Contains("'svm'", Failure(DkStatus.InvalidParameter, () => new Parameters("swm")).Message);
        Failure(DkStatus.InvalidParameter, () => new Parameters("svm").Add("C", -1));
        Failure(DkStatus.InvalidKernel, () => new Parameters("svm").Add("kernel", "rbf("));
        Failure(DkStatus.InvalidData, () => Dataset.From(new[,] { { 1, double.NaN } }));
        Failure(DkStatus.InvalidArgument, () => Dataset.From(new double[3], 2, 2));
        Failure(DkStatus.InvalidArgument, () => Dataset.From(new double[0, 0]));
        Failure(DkStatus.Io, () => Model.Load("/no/such/file"));
        Failure(DkStatus.InvalidArgument, () => Model.Load("a\0b"));
        Assert.Throws<ArgumentNullException>(() => new Parameters(null!));
        Assert.Throws<ArgumentNullException>(() => Model.Train(null!, new Parameters("svm")));
        using Dataset data = Labelled();
        using Dataset narrow = Dataset.From(new[,] { { 1.0 } });
        using Model model = Model.Train(data, new Parameters("svm"));
        Failure(DkStatus.Dimension, () => model.Predict(narrow));
    }

    [Fact]
    public void DisposedObjectsSaySo()
    {
        Dataset data = Labelled();
        Model model = Model.Train(data, new Parameters("svm"));
        model.Dispose();
        model.Dispose();
        Assert.Throws<ObjectDisposedException>(() => model.Predict(data));
        data.Dispose();
        Assert.Throws<ObjectDisposedException>(() => data.Rows);
    }

    [Fact]
    public void ProgressIsHeardAndCallsAreCancelled()
    {
        using Dataset data = Labelled();
        var parameters = new Parameters("svm");
        var heard = new Heard();
        Model.Train(data, parameters, new CallOptions { Threads = 2, Progress = heard }).Dispose();
        Assert.NotEmpty(heard.Fractions);
        Assert.Equal(heard.Fractions.OrderBy(f => f), heard.Fractions);

        using var source = new CancellationTokenSource();
        heard.Then = source.Cancel;
        var cancelled = new CallOptions { Progress = heard, Cancellation = source.Token };
        Assert.Throws<OperationCanceledException>(() => Model.Train(data, parameters, cancelled));
        Assert.Throws<OperationCanceledException>(() => Model.Train(data, parameters, cancelled));

        var thrown = new InvalidTimeZoneException("from the listener");
        heard.Then = () => throw thrown;
        Assert.Same(thrown, Assert.Throws<InvalidTimeZoneException>(
            () => Model.Train(data, parameters, new CallOptions { Progress = heard })));
    }

    [Fact]
    public void ReadingIsCancelledAndAsksMemory()
    {
        string table = Path.GetTempFileName();
        string file = Path.GetTempFileName();
        File.WriteAllText(table, "a,b,label\n" + string.Concat(Enumerable.Repeat(
            "0.123456789,-9.87654321,1\n1.5,2.25,0\n", 80000)));
        using Dataset wide = Noise(2000, 100);
        using Model model = Model.Train(wide, new Parameters("mean_of_class") { { "kernel", "rbf(gamma=0.01)" } });
        model.Save(file);
        byte[] bytes = model.ToBytes();
        var enough = new CallOptions { Threads = 2, MemoryMegabytes = 1000 };
        using Dataset read = Dataset.Read(table, "format=csv label=label", enough);
        using Model loaded = Model.Load(file, enough);
        using Model again = Model.FromBytes(bytes, enough);
        Assert.Equal(160000, read.Rows);
        Assert.Equal(bytes, loaded.ToBytes());
        Assert.Equal(bytes, again.ToBytes());

        var readers = new Action<CallOptions>[]
        {
            options => Dataset.Read(table, "format=csv", options), options => model.Read(table, "format=csv", options),
            options => Model.Load(file, options), options => Model.FromBytes(bytes, options),
        };
        var cancelled = new CallOptions { Cancellation = new CancellationToken(true) };
        Assert.All(readers, reader => Assert.Throws<OperationCanceledException>(() => reader(cancelled)));
        // the bytes of the last are the caller's
        Assert.All(readers.SkipLast(1), reader => Failure(DkStatus.MemoryBudget,
            () => reader(new CallOptions { MemoryMegabytes = 1 })));
        Assert.All(readers, reader => Failure(DkStatus.InvalidArgument,
            () => reader(new CallOptions { MemoryMegabytes = -1 })));
        // a call that is cancelled when it has begun
        using var source = new CancellationTokenSource();
        var heard = new Heard { Then = source.Cancel };
        Assert.Throws<OperationCanceledException>(() => Dataset.Read(table, "format=csv",
            new CallOptions { Progress = heard, Cancellation = source.Token }));
        File.Delete(table);
        File.Delete(file);
    }

    [Fact]
    public async Task DisposingAndCancellingMayRaceWithPredicting()
    {
        const int rounds = 30, users = 4, rows = 2000;
        using Dataset kept = Noise(rows, 2);
        using Model first = Model.Train(kept, new Parameters("mean_of_class") { { "kernel", "rbf(gamma=0.5)" } });
        byte[] bytes = first.ToBytes();
        double[,] expected = first.Decision(kept);
        int answered = 0, cancelled = 0, disposed = 0;
        for (int round = 0; round < rounds; round++)
        {
            Model model = Model.FromBytes(bytes);
            Dataset data = Noise(rows, 2);
            using var source = new CancellationTokenSource();
            void Predict()
            {
                var options = new CallOptions { Threads = 1, Cancellation = source.Token };
                while (true)
                {
                    try
                    {
                        double[,] decisions = model.Decision(data, options);
                        Assert.True(decisions.Cast<double>().SequenceEqual(expected.Cast<double>()));
                        Interlocked.Increment(ref answered);
                    }
                    catch (OperationCanceledException)
                    {
                        Interlocked.Increment(ref cancelled);
                        options.Cancellation = default; // goes on until the model or the data are disposed of
                    }
                    catch (ObjectDisposedException)
                    {
                        Interlocked.Increment(ref disposed);
                        return;
                    }
                }
            }
            int answeredBefore = Volatile.Read(ref answered), cancelledBefore = Volatile.Read(ref cancelled);
            // threads of their own: the pool makes none while all processors are busy
            Task Start(Action action) => Task.Factory.StartNew(action, TaskCreationOptions.LongRunning);
            List<Task> running = Enumerable.Range(0, users).Select(_ => Start(Predict)).ToList();
            bool Ended() => running.Any(task => task.IsFaulted);
            SpinWait.SpinUntil(() => Volatile.Read(ref answered) > answeredBefore || Ended());
            running.Add(Start(source.Cancel));
            // in every other round somebody hears of the cancel first
            if (round % 2 == 0) SpinWait.SpinUntil(() => Volatile.Read(ref cancelled) > cancelledBefore || Ended());
            running.Add(Start(model.Dispose));
            running.Add(Start(data.Dispose));
            await Task.WhenAll(running);
        }
        Assert.Equal(rounds * users, disposed);
        Assert.True(cancelled >= rounds / 2);
    }

    [Fact]
    public async Task DisposingMayRaceWithPredicting()
    {
        using Dataset data = Labelled();
        using Model first = Model.Train(data, new Parameters("svm"));
        byte[] bytes = first.ToBytes();
        double[] expected = first.Predict(data);
        int answered = 0;
        for (int round = 0; round < 100; round++)
        {
            Model model = Model.FromBytes(bytes);
            Task[] users = Enumerable.Range(0, 8).Select(_ => Task.Run(() =>
            {
                try
                {
                    while (true)
                    {
                        Assert.Equal(expected, model.Predict(data, new CallOptions { Threads = 1 }));
                        Interlocked.Increment(ref answered);
                    }
                }
                catch (ObjectDisposedException)
                {
                    // as it should be
                }
            })).ToArray();
            int before = Volatile.Read(ref answered);
            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref answered) > before, 60000));
            model.Dispose();
            await Task.WhenAll(users);
        }
    }

    [Fact]
    public void OtherKindsOfData()
    {
        long[] labels = { 0, 1, 0, 1 };
        double[] expected = { 0, 1, 0, 1 };
        using Dataset series = Dataset.Series(new double[,] { { 0 }, { 1 }, { 2 } }, new double[,] { { 5 }, { 5 } },
            new double[,] { { 0 }, { 1 } }, new double[,] { { 5 }, { 6 }, { 5 } }).WithLabels(labels);
        using Model aligned = Model.Train(series, new Parameters("svm") { { "kernel", "gak" } });
        Assert.Equal(expected, aligned.Predict(series));
        using Dataset texts = Dataset.Strings(new[] { "aaa", "bbb", "aab", "bba" }).WithLabels(labels);
        using Model counted = Model.Train(texts, new Parameters("mean_of_class") { { "kernel", "spectrum(length=1)" } });
        Assert.Equal(expected, counted.Predict(texts));
        using Dataset similar = Dataset.Similarities(new double[,]
            { { 2, 0, 1, 0 }, { 0, 2, 0, 1 }, { 1, 0, 2, 0 }, { 0, 1, 0, 2 } }).WithLabels(labels);
        using Model known = Model.Train(similar, new Parameters("svm") { { "kernel", "gram(0)" } });
        Assert.Equal(expected, known.Predict(similar));
        // As many rows to predict as training rows are told from these: their diagonal is no similarity to themselves.
        double[,] others = { { 3, 0, 1, 0 }, { 1, 1, 0, 2 }, { 0, 1, 4, 0 }, { 0, 2, 0, 1 } };
        using Model normalized = Model.Train(similar, new Parameters("svm") { { "kernel", "normalize(gram(0))" } });
        using Dataset bare = Dataset.Similarities(others);
        Assert.Contains("self", Assert.Throws<DkException>(() => normalized.Predict(bare)).Message);
        using Dataset with = Dataset.Similarities(new[] { others }, new double[,] { { 4, 2, 5, 2 } });
        Assert.Equal(expected, normalized.Predict(with));
        using Dataset sparse = Dataset.Sparse(new long[] { 0, 1, 2 }, new long[] { 0, 2 }, new double[] { 1, 2 }, 3);
        Assert.Equal(new double[,] { { 1, 0 }, { 0, 4 } }, Library.Gram(sparse, null, "linear")[0]);
    }

    [Fact]
    public void FoldsDivideNoGroup()
    {
        using Dataset data = Dataset.From(new double[7, 1]).WithGroups(5, 9, 5, -2, 9, 9, -2);
        Assert.Equal(new long[] { 1, 0, 1, 1, 0, 0, 1 }, data.Folds(2, 1));
        Assert.Contains("3 groups", Assert.Throws<DkException>(() => data.Folds(4, 1)).Message);
        Assert.Throws<DkException>(() => data.WithGroups(1, 2));
    }

    [Fact]
    public void ClientsHaveThresholdsOfTheirOwn()
    {
        double[] scores = { .9, .7, .4, .8, .3, .2, .1, .6, .5, .55, .2, .1, 0 };
        bool[] genuine = { true, true, true, false, false, false, false, true, true, false, false, false, false };
        long[] clients = { 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2 };
        double[] far = { 0, 0.25 };
        double[] rejected = Library.VerificationCurve(far, scores, genuine, clients);
        Assert.Equal(7.0 / 12, rejected[0], 12);
        Assert.Equal(0, rejected[1], 12);
        Assert.Equal(0.8, Library.VerificationCurve(far, scores, genuine)[0], 12);
        Assert.Throws<DkException>(() => Library.VerificationCurve(far, scores, new bool[3], clients));
        Assert.Throws<DkException>(() => Library.VerificationCurve(new[] { 2.0 }, scores, genuine, clients));
        Assert.Throws<ArgumentException>(() => Library.VerificationCurve(far, scores, genuine, new long[0]));
    }

    [Fact]
    public void TheLibraryDescribesItself()
    {
        Assert.Matches("^[0-9]+\\.[0-9]+\\.[0-9]+$", Library.Version);
        Assert.Contains("\"machines\"", Library.Describe());
    }
}
