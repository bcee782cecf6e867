// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.ML;
using Microsoft.ML.Data;

namespace LibDk.ML
{
    /// <summary>Answers rows one by one.</summary>
    internal sealed class RowMapper : IRowToRowMapper
    {
        private readonly DkTransformer transformer;
        private readonly Outputs outputs;

        internal RowMapper(DkTransformer transformer, Outputs outputs, DataViewSchema inputSchema)
        {
            this.transformer = transformer;
            this.outputs = outputs;
            InputSchema = inputSchema;
            OutputSchema = transformer.GetOutputSchema(inputSchema);
        }

        public DataViewSchema InputSchema { get; }

        public DataViewSchema OutputSchema { get; }

        private DataViewSchema.Column Features => Columns.Features(InputSchema, transformer.FeatureColumnName);

        public IEnumerable<DataViewSchema.Column> GetDependencies(IEnumerable<DataViewSchema.Column> dependingColumns)
        {
            return dependingColumns
                .Select(one => one.Index < InputSchema.Count ? InputSchema[one.Index] : Features).Distinct();
        }

        public DataViewRow GetRow(DataViewRow input, IEnumerable<DataViewSchema.Column> activeColumns)
        {
            if (input == null) throw new ArgumentNullException(nameof(input));
            return new AnsweredRow(this, input, activeColumns.ToList());
        }

        /// <summary>A row of the input with its answers, which are found when its position is another than before.</summary>
        private sealed class AnsweredRow : DataViewRow
        {
            private readonly RowMapper mapper;
            private readonly DataViewRow input;
            private readonly AddedColumns added;
            private readonly RowReading? reading;
            private ScoredRow? scored;
            private long scoredPosition = -1;

            internal AnsweredRow(RowMapper mapper, DataViewRow input, IReadOnlyCollection<DataViewSchema.Column> active)
            {
                this.mapper = mapper;
                this.input = input;
                added = new AddedColumns(mapper.outputs, mapper.InputSchema.Count, active, Current);
                if (added.Any) reading = new RowReading(input, mapper.Features);
            }

            private ScoredRow Current()
            {
                if (scored == null || scoredPosition != input.Position)
                {
                    scored?.Dispose();
                    scored = null; // where scoring fails
                    reading!.Add();
                    scored = mapper.transformer.Scored(reading);
                    scoredPosition = input.Position;
                }
                return scored;
            }

            public override DataViewSchema Schema => mapper.OutputSchema;

            public override long Position => input.Position;

            public override long Batch => input.Batch;

            public override ValueGetter<DataViewRowId> GetIdGetter() => input.GetIdGetter();

            public override bool IsColumnActive(DataViewSchema.Column column) =>
                added.Has(column) ? added.IsActive(column) : input.IsColumnActive(mapper.InputSchema[column.Index]);

            public override ValueGetter<TValue> GetGetter<TValue>(DataViewSchema.Column column) =>
                added.Has(column) ? added.Getter<TValue>(column)
                    : input.GetGetter<TValue>(mapper.InputSchema[column.Index]);

            protected override void Dispose(bool disposing)
            {
                if (disposing)
                {
                    scored?.Dispose();
                    input.Dispose();
                }
                base.Dispose(disposing);
            }
        }
    }
}
