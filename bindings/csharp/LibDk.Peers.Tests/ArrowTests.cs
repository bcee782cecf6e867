// SPDX-License-Identifier: Apache-2.0
// Tables go between Apache Arrow's own implementation and libdk, both ways.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Apache.Arrow;
using Apache.Arrow.C;
using Apache.Arrow.Ipc;
using Apache.Arrow.Types;
using Xunit;

namespace LibDk.Peers.Tests
{
    public class ArrowTests
    {
        private static readonly double?[] Ages = { 31.5, 28, null, 40.25, 19, 55 };
        private static readonly string[] Colours = { "red", "blue", "red", "a colour of many letters", "blue", "red" };
        private static readonly string[] Classes = { "no", "yes", "yes", "yes", "no", "no" };

        private static IArrowArray Texts(IEnumerable<string> texts) => new StringArray.Builder().AppendRange(texts).Build();

        private static IArrowArray Dictionary(string[] texts)
        {
            string[] levels = texts.Distinct().ToArray();
            var positions = new Int16Array.Builder().AppendRange(texts.Select(t => (short)System.Array.IndexOf(levels, t)));
            return new DictionaryArray(new DictionaryType(Int16Type.Default, StringType.Default, false), positions.Build(),
                Texts(levels));
        }

        private static RecordBatch Table(IArrowArray colours)
        {
            var ages = new DoubleArray.Builder();
            foreach (double? age in Ages) ages = age is double known ? ages.Append(known) : ages.AppendNull();
            return new RecordBatch.Builder()
                .Append("age", true, ages.Build())
                .Append("visits", false, new Int64Array.Builder().AppendRange(new long[] { 3, 1, 4, 1, 5, 9 }).Build())
                .Append("member", false,
                    new BooleanArray.Builder().AppendRange(new[] { true, false, true, true, false, false }).Build())
                .Append("colour", false, colours)
                .Append("class", false, Texts(Classes))
                .Build();
        }

        private static unsafe Dataset Taken(RecordBatch batch, Func<IntPtr, IntPtr, Dataset> take)
        {
            CArrowSchema* schema = CArrowSchema.Create();
            CArrowArray* array = CArrowArray.Create();
            try
            {
                CArrowSchemaExporter.ExportSchema(batch.Schema, schema);
                CArrowArrayExporter.ExportRecordBatch(batch, array);
                return take((IntPtr)schema, (IntPtr)array);
            }
            finally
            {
                CArrowSchema.Free(schema);
                CArrowArray.Free(array);
            }
        }

        private static Dataset Read(RecordBatch batch) =>
            Taken(batch, (schema, array) => Dataset.FromArrow(schema, array, "missing=keep"));

        private static string[] Names(Dataset data) =>
            Enumerable.Range(0, (int)data.Columns).Select(column => data.FeatureName(column)).ToArray();

        [Fact]
        public void TablesBecomeData()
        {
            foreach (IArrowArray colours in new[] { Texts(Colours), Dictionary(Colours) })
            {
                using Dataset data = Read(Table(colours));
                Assert.Equal(new[] { "age", "visits", "member", "colour=a colour of many letters", "colour=blue",
                    "colour=red" }, Names(data));
                double[,] values = data.Values();
                Assert.True(double.IsNaN(values[2, 0]));
                Assert.Equal(new[] { 40.25, 1, 1, 1, 0, 0 }, Enumerable.Range(0, 6).Select(column => values[3, column]));
                Assert.Equal(new long[] { 0, 1, 1, 1, 0, 0 }, data.Labels());
            }
        }

        private sealed class Batches : IArrowArrayStream
        {
            private readonly Queue<RecordBatch> left;

            internal Batches(params RecordBatch[] batches)
            {
                Schema = batches[0].Schema;
                left = new Queue<RecordBatch>(batches);
            }

            public Schema Schema { get; }

            public ValueTask<RecordBatch> ReadNextRecordBatchAsync(CancellationToken cancellation = default) =>
                new ValueTask<RecordBatch>(left.Count > 0 ? left.Dequeue() : null!);

            public void Dispose() { }
        }

        [Fact]
        public unsafe void AStreamOfSlicesIsTheTable()
        {
            RecordBatch batch = Table(Texts(Colours));
            using Dataset whole = Read(batch);
            CArrowArrayStream* stream = CArrowArrayStream.Create();
            CArrowArrayStreamExporter.ExportArrayStream(new Batches(batch.Slice(0, 1), batch.Slice(1, 3), batch.Slice(4, 2)),
                stream);
            using Dataset parts = Dataset.FromArrowStream((IntPtr)stream, "missing=keep");
            CArrowArrayStream.Free(stream);
            Assert.Equal(Names(whole), Names(parts));
            Assert.Equal(whole.Values().Cast<double>(), parts.Values().Cast<double>());
            Assert.Equal(whole.Labels(), parts.Labels());
        }

        [Fact]
        public unsafe void AnswersAreTables()
        {
            RecordBatch batch = Table(Texts(Colours));
            using Dataset data = Read(batch);
            using Model model = Model.Train(data,
                new Parameters("svm") { { "kernel", "rbf(gamma=1)" }, { "impute", "mean" }, { "probability", "yes" } });
            using Dataset rows = Taken(batch, (s, a) => model.FromArrow(s, a));
            CArrowSchema* schema = CArrowSchema.Create();
            CArrowArray* array = CArrowArray.Create();
            model.PredictArrow((IntPtr)schema, (IntPtr)array, rows, "prediction,probability,explanation");
            Schema types = CArrowSchemaImporter.ImportSchema(schema);
            using RecordBatch answer = CArrowArrayImporter.ImportRecordBatch(array, types);
            CArrowSchema.Free(schema);
            CArrowArray.Free(array);

            Assert.Equal(Ages.Length, answer.Length);
            var predicted = (DictionaryArray)answer.Column("prediction");
            var levels = (LargeStringArray)predicted.Dictionary;
            var positions = (Int32Array)predicted.Indices;
            Assert.Equal(model.PredictClasses(rows),
                Enumerable.Range(0, answer.Length).Select(i => levels.GetString(positions.GetValue(i)!.Value)));
            double[,] probable = model.Probability(rows);
            var yes = (DoubleArray)answer.Column("probability[yes]");
            for (int i = 0; i < answer.Length; ++i) Assert.Equal(probable[i, 1], yes.GetValue(i));
            Assert.NotNull(answer.Column("explanation[0]"));

            DkException error = Assert.Throws<DkException>(() => Dataset.FromArrowStream(IntPtr.Zero));
            Assert.Equal(DkStatus.InvalidArgument, error.Status);
            Assert.Throws<DkException>(() => model.FromArrowStream(IntPtr.Zero));
        }
    }
}
