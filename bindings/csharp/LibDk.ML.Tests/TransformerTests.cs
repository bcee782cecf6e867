// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using LibDk;
using LibDk.ML;
using Microsoft.ML;
using Microsoft.ML.Data;
using Xunit;
using static Samples;

/// <summary>Schemas, rows one by one, and files.</summary>
public class TransformerTests
{
    private readonly MLContext context = new MLContext(1);

    private DkTransformer Binary(string settings = "C=1") =>
        context.BinaryClassification.Trainers.LibDk(new Parameters("svm").Parse(settings)).Fit(View(context, Points(150)));

    [Fact]
    public void WhatIsPromisedIsAdded()
    {
        var points = Points(60);
        IDataView keyed = context.Transforms.Conversion.MapValueToKey("Key", "Cloud").Fit(View(context, points))
            .Transform(View(context, points));
        foreach (DkTrainer trainer in new[]
        {
            context.BinaryClassification.Trainers.LibDk(),
            context.BinaryClassification.Trainers.LibDk(new Parameters("svm").Parse("probability=yes")),
            context.MulticlassClassification.Trainers.LibDk(null, "Key"),
            context.Regression.Trainers.LibDk(null, "Height"),
        })
        {
            using DkTransformer transformer = trainer.Fit(keyed);
            DataViewSchema schema = transformer.GetOutputSchema(keyed.Schema);
            var shape = new EstimatorProbe(trainer).Of(context, keyed);
            foreach (string name in new[] { "PredictedLabel", "Score", "Probability" })
            {
                DataViewSchema.Column? column = schema.GetColumnOrNull(name);
                SchemaShape.Column promised = shape.FirstOrDefault(one => one.Name == name);
                Assert.Equal(promised.Name != null, column != null);
                if (column == null) continue;
                DataViewType type = column.Value.Type;
                Assert.Equal(promised.Kind == SchemaShape.Column.VectorKind.Vector, type is VectorDataViewType);
                Assert.Equal(promised.IsKey, type is KeyDataViewType);
                DataViewType item = type is VectorDataViewType vector ? vector.ItemType : type;
                Assert.Equal(promised.ItemType.RawType, item.RawType);
            }
        }
    }

    /// <summary>Hears the shape of the columns that a pipeline hands to its last estimator.</summary>
    private sealed class EstimatorProbe : IEstimator<DkTransformer>
    {
        private readonly DkTrainer trainer;
        private SchemaShape? shape;

        internal EstimatorProbe(DkTrainer trainer)
        {
            this.trainer = trainer;
        }

        internal SchemaShape Of(MLContext context, IDataView view)
        {
            context.Transforms.CopyColumns("Copy", "Height").Append(this).Fit(view);
            return shape!;
        }

        public DkTransformer Fit(IDataView input) => trainer.Fit(input);

        public SchemaShape GetOutputSchema(SchemaShape inputSchema) => shape = trainer.GetOutputSchema(inputSchema);
    }

    [Fact]
    public void RowsStayBesideTheirAnswersInAnyOrder()
    {
        using DkTransformer transformer = Binary();
        IDataView shuffled = context.Data.ShuffleRows(View(context, Points(3000)), 5);
        IDataView scored = transformer.Transform(shuffled);
        float[][] features = Column<float[]>(scored, "Features");
        Assert.NotEqual(Points(3000).Select(one => one.Features[0]), features.Select(one => one[0]));
        using Dataset data = Dataset.From(features);
        Assert.Equal(transformer.Model.Decision(data).Cast<double>().Select(value => (float)value),
            context.Data.CreateEnumerable<Answer>(scored, false).Select(one => one.Score));
        IDataView high = context.Data.FilterRowsByColumn(scored, "Height", 0);
        float[] heights = Column<float>(high, "Height");
        Assert.All(heights, one => Assert.True(one >= 0));
        Assert.Equal(heights.Length, Column<float>(high, "Score").Length);
    }

    [Fact]
    public void EnginesAnswerRowsOneByOne()
    {
        using DkTransformer transformer = Binary();
        var points = Points(40, 2);
        IDataView scored = transformer.Transform(View(context, points));
        float[] together = Column<float>(scored, "Score");
        using PredictionEngine<Point, Answer> engine = context.Model.CreatePredictionEngine<Point, Answer>(transformer);
        for (int i = 0; i < 40; i++)
        {
            Answer answer = engine.Predict(points[i]);
            Assert.Equal(together[i], answer.Score);
            Assert.Equal(together[i] >= 0, answer.PredictedLabel);
        }
    }

    [Fact]
    public void BadRowsLeaveEnginesAsTheyWere()
    {
        using DkTransformer transformer = Binary();
        var points = Points(4, 2);
        float[] together = Column<float>(transformer.Transform(View(context, points)), "Score");
        using PredictionEngine<Point, Answer> engine = context.Model.CreatePredictionEngine<Point, Answer>(transformer);
        for (int i = 0; i < 4; i++)
        {
            Assert.Equal(DkStatus.InvalidData,
                Assert.Throws<DkException>(() => engine.Predict(new Point { Features = new[] { float.NaN, 1 } })).Status);
            Assert.Equal(together[i], engine.Predict(points[i]).Score);
        }
    }

    /// <summary>A view whose cursors meet rows in another order each time, or all at once in a set.</summary>
    private sealed class Restless : IDataView
    {
        private readonly IDataView[] orders;
        private int given;

        internal Restless(params IDataView[] orders)
        {
            this.orders = orders;
        }

        public DataViewSchema Schema => orders[0].Schema;

        public bool CanShuffle => false;

        public long? GetRowCount() => null;

        public DataViewRowCursor GetRowCursor(IEnumerable<DataViewSchema.Column> needed, Random? rand = null) =>
            orders[given++ % orders.Length].GetRowCursor(needed, rand);

        public DataViewRowCursor[] GetRowCursorSet(IEnumerable<DataViewSchema.Column> needed, int n, Random? rand = null) =>
            Array.ConvertAll(orders, one => one.GetRowCursor(needed, rand));
    }

    [Fact]
    public void EachCursorAnswersTheRowsThatItMeets()
    {
        using DkTransformer transformer = Binary();
        var points = Points(30, 3);
        using Dataset data = Data(points);
        var expected = points.Zip(transformer.Model.Decision(data).Cast<double>(), (one, value) => (one.Height, value))
            .ToDictionary(one => one.Height, one => (float)one.value);
        IDataView scored = transformer.Transform(
            new Restless(View(context, points), View(context, Enumerable.Reverse(points))));
        var needed = new[] { scored.Schema["Height"], scored.Schema["Score"] };
        foreach (DataViewRowCursor cursor in scored.GetRowCursorSet(needed, 2)
            .Concat(new[] { scored.GetRowCursor(needed), scored.GetRowCursor(needed) }))
        {
            using (cursor)
            {
                ValueGetter<float> height = cursor.GetGetter<float>(needed[0]), score = cursor.GetGetter<float>(needed[1]);
                int rows = 0;
                for (float x = 0, answer = 0; cursor.MoveNext(); rows++)
                {
                    height(ref x);
                    score(ref answer);
                    Assert.Equal(expected[x], answer);
                }
                Assert.Equal(30, rows);
            }
        }
    }

    [Fact]
    public void ColumnsThatNobodyAskedForAreNotFound()
    {
        using DkTransformer transformer = Binary();
        IDataView scored = transformer.Transform(View(context, Points(20)));
        using DataViewRowCursor cursor = scored.GetRowCursor(new[] { scored.Schema["Score"] });
        Assert.True(cursor.IsColumnActive(scored.Schema["Score"]));
        Assert.False(cursor.IsColumnActive(scored.Schema["PredictedLabel"]));
        Assert.Throws<ArgumentException>(() => cursor.GetGetter<bool>(scored.Schema["PredictedLabel"]));
        Assert.Throws<InvalidOperationException>(() => cursor.GetGetter<double>(scored.Schema["Score"]));
        int rows = 0;
        while (cursor.MoveNext()) rows++;
        Assert.Equal(20, rows);
    }

    [Fact]
    public void OtherNumbersOfFeaturesAreRefused()
    {
        using DkTransformer transformer = Binary();
        IDataView wide = context.Transforms.Concatenate("Features", "Height", "Weight", "Height")
            .Fit(View(context, Points(9))).Transform(View(context, Points(9)));
        Assert.Contains("3 features, the model was trained on 2",
            Assert.Throws<ArgumentOutOfRangeException>(() => transformer.Transform(wide)).Message);
    }

    [Fact]
    public void FilesGiveTheSameTransformer()
    {
        var points = Points(90);
        IDataView view = View(context, points);
        IDataView keyed = context.Transforms.Conversion.MapValueToKey("Key", "Cloud").Fit(view).Transform(view);
        foreach (DkTransformer transformer in new[]
        {
            context.BinaryClassification.Trainers.LibDk(new Parameters("svm").Parse("probability=yes")).Fit(keyed),
            context.MulticlassClassification.Trainers.LibDk(null, "Key").Fit(keyed),
            context.Regression.Trainers.LibDk(null, "Height").Fit(keyed),
        })
        {
            string path = Path.GetTempFileName();
            transformer.Save(path);
            using DkTransformer loaded = DkTransformer.Load(path);
            File.Delete(path);
            Assert.Equal(transformer.Model.ToBytes(), loaded.Model.ToBytes());
            Assert.Equal(transformer.FeatureColumnName, loaded.FeatureColumnName);
            IDataView expected = transformer.Transform(keyed), answered = loaded.Transform(keyed);
            Assert.Equal(expected.Schema.Select(one => (one.Name, one.Type)), answered.Schema.Select(one => (one.Name, one.Type)));
            Assert.Equal(expected.Preview().RowView.Select(Text), answered.Preview().RowView.Select(Text));
            transformer.Dispose();
        }
    }

    private static string Text(Microsoft.ML.Data.DataDebuggerPreview.RowInfo row) =>
        string.Join(" ", row.Values.Select(one => $"{one.Key}={one.Value}"));

    [Fact]
    public void PredictedKeysHaveTheirValuesAfterLoading()
    {
        var points = Points(90);
        IDataView view = View(context, points);
        IDataView keyed = context.Transforms.Conversion.MapValueToKey("Label", "Cloud").Fit(view).Transform(view);
        using DkTransformer transformer = context.MulticlassClassification.Trainers.LibDk().Fit(keyed);
        using var stream = new MemoryStream();
        transformer.Save(stream);
        stream.Position = 0;
        using DkTransformer loaded = DkTransformer.Load(stream);
        IDataView answered = loaded.Transform(keyed);
        IDataView named = context.Transforms.Conversion.MapKeyToValue("Answer", "PredictedLabel").Fit(answered).Transform(answered);
        using Dataset data = Data(points);
        Assert.Equal(transformer.Model.PredictClasses(data), Column<string>(named, "Answer"));
    }

    [Fact]
    public void KeysOfNumbersKeepThemAndAreTextsInFiles()
    {
        var points = Points(90);
        for (int i = 0; i < 90; i++) points[i].Weight = i % 3 + 0.5f;
        IDataView view = View(context, points);
        IDataView keyed = context.Transforms.Conversion.MapValueToKey("Label", "Weight").Fit(view).Transform(view);
        using DkTransformer transformer = context.MulticlassClassification.Trainers.LibDk().Fit(keyed);
        Assert.Equal(new[] { "0.5", "1.5", "2.5" }, transformer.Model.ClassNames);
        using var stream = new MemoryStream();
        transformer.Save(stream);
        stream.Position = 0;
        using DkTransformer loaded = DkTransformer.Load(stream);
        T[] Values<T>(DkTransformer one)
        {
            IDataView scored = one.Transform(keyed);
            return Column<T>(context.Transforms.Conversion.MapKeyToValue("Answer", "PredictedLabel").Fit(scored)
                .Transform(scored), "Answer");
        }
        Assert.Equal(Values<float>(transformer).Select(one => one.ToString(CultureInfo.InvariantCulture)),
            Values<string>(loaded));
    }

    [Fact]
    public void WrongFilesAndFilesOfOthersAreErrors()
    {
        Assert.Throws<InvalidDataException>(() => DkTransformer.Load(new MemoryStream(new byte[100])));
        using var empty = new MemoryStream();
        using (new ZipArchive(empty, ZipArchiveMode.Create, true))
        {
        }
        empty.Position = 0;
        Assert.Contains("transformer.json", Assert.Throws<InvalidDataException>(() => DkTransformer.Load(empty)).Message);
        using DkTransformer transformer = Binary();
        IDataView view = View(context, Points(9));
        Assert.Contains("DkTransformer.Save", Assert.Throws<NotSupportedException>(
            () => context.Model.Save(transformer, view.Schema, new MemoryStream())).Message);
    }

    [Fact]
    public void FailuresLeaveTheOldFile()
    {
        string folder = Directory.CreateTempSubdirectory().FullName, path = Path.Combine(folder, "machine.zip");
        DkTransformer transformer = Binary();
        transformer.Save(path);
        byte[] first = File.ReadAllBytes(path);
        using (DkTransformer other = Binary("C=100")) other.Save(path);
        byte[] second = File.ReadAllBytes(path);
        Assert.NotEqual(first, second);
        transformer.Dispose();
        Assert.Throws<ObjectDisposedException>(() => transformer.Save(path));
        Assert.Equal(second, File.ReadAllBytes(path));
        Assert.Equal(new[] { path }, Directory.GetFileSystemEntries(folder));
        // what cannot be replaced leaves nothing beside it
        string taken = Directory.CreateDirectory(Path.Combine(folder, "taken")).FullName;
        using (DkTransformer other = Binary()) Assert.Throws<IOException>(() => other.Save(taken));
        Assert.Equal(new[] { path, taken }, Directory.GetFileSystemEntries(folder).OrderBy(name => name));
        Directory.Delete(folder, true);
    }

    /// <summary>The file of a transformer whose description is another.</summary>
    private static MemoryStream Described(DkTransformer transformer, Func<string, string> change)
    {
        var stream = new MemoryStream();
        transformer.Save(stream);
        using (var archive = new ZipArchive(stream, ZipArchiveMode.Update, true))
        {
            ZipArchiveEntry entry = archive.GetEntry("transformer.json")!;
            string description;
            using (var reader = new StreamReader(entry.Open())) description = reader.ReadToEnd();
            string changed = change(description);
            Assert.NotEqual(description, changed);
            entry.Delete();
            using var writer = new StreamWriter(archive.CreateEntry("transformer.json").Open());
            writer.Write(changed);
        }
        stream.Position = 0;
        return stream;
    }

    [Fact]
    public void WrongDescriptionsAreErrorsThatSayWhatIsWrong()
    {
        var points = Points(90);
        IDataView view = View(context, points);
        IDataView keyed = context.Transforms.Conversion.MapValueToKey("Key", "Cloud").Fit(view).Transform(view);
        using DkTransformer keys = context.MulticlassClassification.Trainers.LibDk(null, "Key").Fit(keyed);
        using DkTransformer binary = Binary();
        using DkTransformer regression = context.Regression.Trainers.LibDk(null, "Height").Fit(view);
        void Wrong(string expected, DkTransformer transformer, Func<string, string> change) => Assert.Contains(expected,
            Assert.Throws<InvalidDataException>(() => DkTransformer.Load(Described(transformer, change))).Message);
        const string classes = "[\"west\",\"north\",\"east\"]";
        Wrong("Classes", keys, text => text.Replace(classes, "null"));
        Wrong("Classes", keys, text => text.Replace("\"north\"", "null"));
        Wrong("'north' twice", keys, text => text.Replace("west", "north"));
        Wrong("'north'", keys, text => text.Replace("north", "south"));
        Wrong("version 7", keys, text => text.Replace("\"Version\":1", "\"Version\":7"));
        Wrong("version 0", keys, text => text.Replace("\"Version\":1,", ""));
        Wrong("Features", keys, text => text.Replace("\"Features\":\"Features\"", "\"Features\":null"));
        Wrong("'Clustering'", keys, text => text.Replace("MultiClassClassification", "Clustering"));
        Wrong("'false' and 'true'", keys, text => text.Replace("MultiClassClassification", "BinaryClassification"));
        Wrong("Classification", keys, text => text.Replace("MultiClassClassification", "Regression"));
        Wrong("Regression", regression, text => text.Replace("\"Task\":\"Regression\"", "\"Task\":\"BinaryClassification\""));
        Wrong("transformer.json", keys, text => text.Substring(1));
        Wrong("transformer.json", keys, text => "null");
        Wrong("transformer.json has more than", binary, text => text + new string(' ', 1 << 24));
        Assert.Contains("model.dk", Assert.Throws<InvalidDataException>(() => DkTransformer.Load(Archive("transformer.json",
            "{\"Version\":1,\"Task\":\"Regression\",\"Features\":\"Features\",\"Classes\":[]}"))).Message);
    }

    private static MemoryStream Archive(string name, string content)
    {
        var stream = new MemoryStream();
        using (var archive = new ZipArchive(stream, ZipArchiveMode.Create, true))
        using (var writer = new StreamWriter(archive.CreateEntry(name).Open())) writer.Write(content);
        stream.Position = 0;
        return stream;
    }
}
