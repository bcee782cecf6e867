// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.ML;
using Microsoft.ML.Data;

namespace LibDk.ML
{
    /// <summary>A data view with the answers of a transformer beside its columns.</summary>
    internal sealed class ScoredView : IDataView
    {
        private readonly DkTransformer transformer;
        private readonly Outputs outputs;
        private readonly IDataView input;

        internal ScoredView(DkTransformer transformer, Outputs outputs, IDataView input)
        {
            this.transformer = transformer;
            this.outputs = outputs;
            this.input = input;
            Schema = transformer.GetOutputSchema(input.Schema);
        }

        public DataViewSchema Schema { get; }

        /// <summary>Rows are read ahead by a cursor of their own, which has to meet them in the same order.</summary>
        public bool CanShuffle => false;

        public long? GetRowCount() => input.GetRowCount();

        public DataViewRowCursor GetRowCursor(IEnumerable<DataViewSchema.Column> columnsNeeded, Random? rand = null)
        {
            return new ScoredCursor(this, columnsNeeded.ToList());
        }

        public DataViewRowCursor[] GetRowCursorSet(IEnumerable<DataViewSchema.Column> columnsNeeded, int n,
            Random? rand = null) => new[] { GetRowCursor(columnsNeeded, rand) };

        /// <summary>
        /// Two cursors over the input: one gives the columns that pass, the other reads features ahead, so that a batch of
        /// rows is scored together.
        /// </summary>
        private sealed class ScoredCursor : DataViewRowCursor
        {
            private const int BatchRows = 1024;
            private readonly ScoredView view;
            private readonly DataViewRowCursor passing;
            private readonly DataViewRowCursor? ahead;
            private readonly RowReading? reading;
            private readonly AddedColumns added;
            private ScoredRows? scored;
            private int position;
            private int scoredCount;

            internal ScoredCursor(ScoredView view, IReadOnlyCollection<DataViewSchema.Column> needed)
            {
                this.view = view;
                int passed = view.input.Schema.Count;
                passing = view.input.GetRowCursor(
                    needed.Where(one => one.Index < passed).Select(one => view.input.Schema[one.Index]));
                added = new AddedColumns(view.outputs, passed, needed, () => (scored!, position));
                if (!added.Any) return;
                DataViewSchema.Column features = Columns.Features(view.input.Schema, view.transformer.FeatureColumnName);
                ahead = view.input.GetRowCursor(new[] { features });
                reading = new RowReading(ahead, features);
            }

            public override DataViewSchema Schema => view.Schema;

            public override long Position => passing.Position;

            public override long Batch => passing.Batch;

            public override ValueGetter<DataViewRowId> GetIdGetter() => passing.GetIdGetter();

            public override bool IsColumnActive(DataViewSchema.Column column) =>
                added.Has(column) ? added.IsActive(column) : passing.IsColumnActive(view.input.Schema[column.Index]);

            public override ValueGetter<TValue> GetGetter<TValue>(DataViewSchema.Column column) =>
                added.Has(column) ? added.Getter<TValue>(column)
                    : passing.GetGetter<TValue>(view.input.Schema[column.Index]);

            public override bool MoveNext()
            {
                if (!passing.MoveNext()) return false;
                if (ahead == null || ++position < scoredCount) return true;
                ScoreNext();
                return true;
            }

            private void ScoreNext()
            {
                while (reading!.Count < BatchRows && ahead!.MoveNext()) reading.Add();
                position = 0;
                scoredCount = reading.Count;
                scored?.Dispose();
                if (scoredCount == 0) throw new InvalidOperationException(
                    $"the input gave a row {passing.Position} to one cursor and not to the other");
                scored = view.transformer.Scored(reading);
            }

            protected override void Dispose(bool disposing)
            {
                if (disposing)
                {
                    scored?.Dispose();
                    ahead?.Dispose();
                    passing.Dispose();
                }
                base.Dispose(disposing);
            }
        }
    }
}
