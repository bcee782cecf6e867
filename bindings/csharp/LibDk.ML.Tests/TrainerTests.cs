// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using LibDk;
using LibDk.ML;
using Microsoft.ML;
using Microsoft.ML.Data;
using Xunit;
using static Samples;

/// <summary>Machines of libdk in pipelines of ML.NET answer what they answer without it.</summary>
public class TrainerTests
{
    private readonly MLContext context = new MLContext(1);

    [Fact]
    public void TwoClassesAreThoseOfTheModel()
    {
        var points = Points(2500);
        IDataView view = View(context, points);
        Parameters parameters = new Parameters("svm").Parse("C=10 kernel=rbf(gamma=1)");
        using DkTransformer transformer = context.BinaryClassification.Trainers.LibDk(parameters).Fit(view);
        using Dataset data = Data(points).WithLabels(points.Select(one => one.Label ? 1L : 0L).ToArray());
        using Model direct = Model.Train(data, parameters);
        IDataView scored = transformer.Transform(view);
        Assert.Equal(direct.Predict(data).Select(label => label == 1), Column<bool>(scored, "PredictedLabel"));
        Assert.Equal(direct.Decision(data).Cast<double>().Select(value => (float)value), Column<float>(scored, "Score"));
        Assert.Null(scored.Schema.GetColumnOrNull("Probability"));
        // columns of the input pass beside the answers
        Assert.Equal(points.Select(one => one.Height), Column<float>(scored, "Height"));
        BinaryClassificationMetrics metrics = context.BinaryClassification.EvaluateNonCalibrated(scored);
        Assert.Equal(direct.Score(data, "accuracy"), metrics.Accuracy, 9);
        Assert.Equal(direct.Score(data, "auc"), metrics.AreaUnderRocCurve, 3);
    }

    [Fact]
    public void ProbabilitiesAreAColumn()
    {
        var points = Points(200);
        IDataView view = View(context, points);
        using DkTransformer transformer =
            context.BinaryClassification.Trainers.LibDk(new Parameters("svm").Parse("probability=yes")).Fit(view);
        IDataView scored = transformer.Transform(view);
        using Dataset data = Data(points);
        double[,] expected = transformer.Model.Probability(data);
        Assert.Equal(Enumerable.Range(0, 200).Select(i => (float)expected[i, 1]), Column<float>(scored, "Probability"));
        Assert.True(context.BinaryClassification.Evaluate(scored).LogLoss < 0.5);
    }

    [Theory]
    [InlineData("multiclass=ovo")]
    [InlineData("multiclass=ovr")]
    [InlineData("multiclass=nearest")]
    [InlineData("probability=yes")]
    [InlineData("probability=yes elect=probability")]
    public void ClassesAreKeysAndTheLargestScoreWins(string settings)
    {
        var points = Points(300);
        IDataView view = View(context, points);
        var pipeline = context.Transforms.Conversion.MapValueToKey("Label", "Cloud")
            .Append(context.MulticlassClassification.Trainers.LibDk(new Parameters("svm").Parse(settings)))
            .Append(context.Transforms.Conversion.MapKeyToValue("Answer", "PredictedLabel"));
        IDataView scored = pipeline.Fit(view).Transform(view);
        using Dataset data = Data(points).WithLabels(points.Select(one => one.Cloud));
        using Model direct = Model.Train(data, new Parameters("svm").Parse(settings));
        Assert.Equal(direct.PredictClasses(data), Column<string>(scored, "Answer"));
        float[][] scores = Column<float[]>(scored, "Score");
        Assert.All(scores, one => Assert.Equal(3, one.Length));
        Assert.Equal(Column<uint>(scored, "PredictedLabel"),
            scores.Select(one => (uint)Array.IndexOf(one, one.Max()) + 1));
        MulticlassClassificationMetrics metrics = context.MulticlassClassification.Evaluate(scored);
        Assert.Equal(direct.Score(data, "accuracy"), metrics.MicroAccuracy, 9);
        // slots are named in the order of the keys, which is that of their first rows
        VBuffer<ReadOnlyMemory<char>> names = default;
        scored.Schema["Score"].GetSlotNames(ref names);
        Assert.Equal(new[] { "west", "north", "east" }, names.DenseValues().Select(name => name.ToString()));
    }

    [Theory]
    [InlineData("multiclass=ovo")]
    [InlineData("multiclass=ovr")]
    [InlineData("multiclass=nearest")]
    [InlineData("probability=yes")]
    [InlineData("probability=yes elect=probability")]
    public void TheLargestScoreWinsWhereSingleDoesNotTellScoresApart(string settings)
    {
        var points = Points(60);
        IDataView view = View(context, points);
        IDataView keyed = context.Transforms.Conversion.MapValueToKey("Label", "Cloud").Fit(view).Transform(view);
        using DkTransformer transformer =
            context.MulticlassClassification.Trainers.LibDk(new Parameters("svm").Parse(settings)).Fit(keyed);
        string Class(float[] x) => transformer.Model.PredictClasses(Dataset.From(new[] { x }))[0];
        // both sides of boundaries, where scores are the same to many digits
        var near = new List<Point>();
        for (int i = 0; i + 1 < points.Count; i++)
        {
            float[] from = points[i].Features, to = points[i + 1].Features;
            string first = Class(from);
            if (first == Class(to)) continue;
            for (int step = 0; step < 30; step++)
            {
                var middle = new[] { (from[0] + to[0]) / 2, (from[1] + to[1]) / 2 };
                if (Class(middle) == first) from = middle;
                else to = middle;
            }
            near.Add(new Point { Features = from, Cloud = "west" });
            near.Add(new Point { Features = to, Cloud = "west" });
        }
        Assert.NotEmpty(near);
        IDataView scored = transformer.Transform(View(context, near));
        Assert.Equal(Column<uint>(scored, "PredictedLabel"),
            Column<float[]>(scored, "Score").Select(one => (uint)Array.IndexOf(one, one.Max()) + 1));
    }

    [Fact]
    public void KeysThatTrainingHasNotMetAreImpossible()
    {
        var points = Points(90);
        IDataView keyed = context.Transforms.Conversion.MapValueToKey("Label", "Cloud").Fit(View(context, points))
            .Transform(View(context, points.Where(one => one.Cloud != "north")));
        using DkTransformer transformer = context.MulticlassClassification.Trainers.LibDk().Fit(keyed);
        Assert.Equal(new[] { "east", "west" }, transformer.Model.ClassNames);
        Assert.All(Column<float[]>(transformer.Transform(keyed), "Score"), one =>
        {
            Assert.Equal(float.NegativeInfinity, one[1]);
            Assert.Equal(one[0], -one[2]);
        });
    }

    [Fact]
    public void RegressionsAddTheirValue()
    {
        var points = Points(120);
        IDataView view = View(context, points);
        Parameters parameters = new Parameters("svr").Parse("kernel=linear C=100 epsilon=0.01");
        using DkTransformer transformer = context.Regression.Trainers.LibDk(parameters, "Height").Fit(view);
        using Dataset data = Data(points).WithTargets(points.Select(one => (double)one.Height).ToArray());
        using Model direct = Model.Train(data, parameters);
        IDataView scored = transformer.Transform(view);
        Assert.Equal(direct.Predict(data).Select(value => (float)value), Column<float>(scored, "Score"));
        Assert.True(context.Regression.Evaluate(scored, "Height").RSquared > 0.99);
    }

    [Fact]
    public void WeightsOfRowsCountAndMissingLabelsDoNot()
    {
        var points = Points(80);
        for (int i = 0; i < 80; i++) points[i].Weight = i % 5;
        IDataView view = View(context, points);
        Parameters parameters = new Parameters("svr").Parse("kernel=linear");
        using DkTransformer weighted =
            context.Regression.Trainers.LibDk(parameters, "Height", exampleWeightColumnName: "Weight").Fit(view);
        using Dataset data = Data(points).WithTargets(points.Select(one => (double)one.Height).ToArray())
            .WithWeights(points.Select(one => (double)one.Weight).ToArray());
        using Model direct = Model.Train(data, parameters);
        Assert.Equal(direct.ToBytes(), weighted.Model.ToBytes());

        for (int i = 0; i < 10; i++) points[i].Height = float.NaN;
        using DkTransformer fewer = context.Regression.Trainers.LibDk(parameters, "Height").Fit(View(context, points));
        Assert.Equal(70, fewer.Model.TrainingRows);
    }

    [Fact]
    public void MissingFeaturesAreFilledWhereTheMachineSaysHow()
    {
        var points = Points(60);
        points[7].Features[1] = float.NaN;
        IDataView view = View(context, points);
        DkException error = Assert.Throws<DkException>(() => context.BinaryClassification.Trainers.LibDk().Fit(view));
        Assert.Equal(DkStatus.InvalidData, error.Status);
        using DkTransformer filling =
            context.BinaryClassification.Trainers.LibDk(new Parameters("svm").Parse("impute=mean")).Fit(view);
        Assert.Equal(60, Column<bool>(filling.Transform(view), "PredictedLabel").Length);
    }

    [Fact]
    public void SparseRowsStaySparse()
    {
        var points = Points(120);
        IDataView view = context.Transforms.Text.FeaturizeText("Words", "Cloud")
            .Append(context.Transforms.Conversion.MapValueToKey("Label", "Cloud"))
            .Fit(View(context, points)).Transform(View(context, points));
        using DkTransformer sparse = context.MulticlassClassification.Trainers.LibDk(
            new Parameters("svm").Parse("kernel=linear"), featureColumnName: "Words").Fit(view);
        Assert.Equal("sparse", sparse.Model.Report.Data);
        IDataView scored = sparse.Transform(view);
        Assert.Equal(Column<uint>(view, "Label"), Column<uint>(scored, "PredictedLabel"));
        // the same as dense rows
        using Dataset dense = Dataset.From(Column<float[]>(view, "Words")).WithLabels(points.Select(one => one.Cloud));
        using Model direct = Model.Train(dense, new Parameters("svm").Parse("kernel=linear"));
        double[] expected = direct.Decision(dense).Cast<double>().ToArray();
        using Dataset rows = SparseOf(Column<float[]>(view, "Words"));
        double[] found = sparse.Model.Decision(rows).Cast<double>().ToArray();
        for (int i = 0; i < expected.Length; i++) Assert.Equal(expected[i], found[i], 6);
        // missing values need dense data
        using DkTransformer filling = context.MulticlassClassification.Trainers.LibDk(
            new Parameters("svm").Parse("kernel=linear impute=mean"), featureColumnName: "Words").Fit(view);
        Assert.Equal("dense", filling.Model.Report.Data);
        Assert.Equal(Column<uint>(view, "Label"), Column<uint>(filling.Transform(view), "PredictedLabel"));
    }

    /// <summary>A row of a view whose vectors are dense or sparse as they come.</summary>
    private sealed class Mixed
    {
        [VectorType(3)] public VBuffer<float> Features { get; set; }
        public bool Label { get; set; }
    }

    [Fact]
    public void DenseAndSparseRowsMayMix()
    {
        float[][] x = Points(60).Select((one, i) => new[] { one.Features[0], i % 2 == 0 ? one.Features[1] : 0, i }).ToArray();
        bool[] labels = x.Select(one => one[0] > 0).ToArray();
        IDataView view = context.Data.LoadFromEnumerable(x.Select((one, i) => new Mixed
        {
            Features = i % 2 == 0 ? new VBuffer<float>(3, one)
                : new VBuffer<float>(3, 2, new[] { one[0], one[2] }, new[] { 0, 2 }),
            Label = labels[i],
        }));
        Parameters parameters = new Parameters("svm").Parse("kernel=rbf(gamma=0.5)");
        using DkTransformer mixed = context.BinaryClassification.Trainers.LibDk(parameters).Fit(view);
        using Dataset data = SparseOf(x).WithLabels(labels.Select(one => one ? 1L : 0L).ToArray());
        using Model direct = Model.Train(data, parameters);
        Assert.Equal(direct.Decision(data).Cast<double>().Select(value => (float)value),
            Column<float>(mixed.Transform(view), "Score"));
    }

    private static Dataset SparseOf(float[][] rows)
    {
        var entries = rows.SelectMany((row, i) => row.Select((value, j) => (i, j, value))).Where(one => one.value != 0).ToList();
        return Dataset.Sparse(Enumerable.Range(0, rows.Length + 1).Select(i => (long)entries.Count(one => one.i < i)).ToArray(),
            entries.Select(one => (long)one.j).ToArray(), entries.Select(one => (double)one.value).ToArray(), rows[0].Length);
    }

    [Fact]
    public void MistakesAreNamed()
    {
        IDataView view = View(context, Points(30));
        var binary = context.BinaryClassification.Trainers;
        Assert.Contains("Regression; Classification is needed",
            Assert.Throws<ArgumentException>(() => binary.LibDk(new Parameters("svr"))).Message);
        Assert.Contains("'Target'", Assert.Throws<ArgumentOutOfRangeException>(() => binary.LibDk(null, "Target").Fit(view)).Message);
        Assert.Contains("vectors of Single",
            Assert.Throws<ArgumentOutOfRangeException>(() => binary.LibDk(null, "Label", "Height").Fit(view)).Message);
        Assert.Contains("MapValueToKey", Assert.Throws<ArgumentOutOfRangeException>(
            () => context.MulticlassClassification.Trainers.LibDk(null, "Cloud").Fit(view)).Message);
        Assert.Throws<ArgumentNullException>(() => binary.LibDk().Fit(null!));
        var cancelled = new CallOptions { Cancellation = new System.Threading.CancellationToken(true) };
        Assert.Throws<OperationCanceledException>(() => binary.LibDk(options: cancelled).Fit(view));
    }
}
