// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.ML;
using Microsoft.ML.Data;

namespace LibDk.ML
{
    /// <summary>
    /// A data view with the answers of a transformer beside its columns. Each row is answered when it is met: a second
    /// cursor that read ahead could meet rows in another order.
    /// </summary>
    internal sealed class ScoredView : IDataView
    {
        private readonly RowMapper mapper;
        private readonly IDataView input;

        internal ScoredView(RowMapper mapper, IDataView input)
        {
            this.mapper = mapper;
            this.input = input;
        }

        public DataViewSchema Schema => mapper.OutputSchema;

        public bool CanShuffle => input.CanShuffle;

        public long? GetRowCount() => input.GetRowCount();

        public DataViewRowCursor GetRowCursor(IEnumerable<DataViewSchema.Column> columnsNeeded, Random? rand = null)
        {
            List<DataViewSchema.Column> needed = columnsNeeded.ToList();
            return new ScoredCursor(mapper, input.GetRowCursor(mapper.GetDependencies(needed), rand), needed);
        }

        public DataViewRowCursor[] GetRowCursorSet(IEnumerable<DataViewSchema.Column> columnsNeeded, int n,
            Random? rand = null)
        {
            List<DataViewSchema.Column> needed = columnsNeeded.ToList();
            return Array.ConvertAll<DataViewRowCursor, DataViewRowCursor>(
                input.GetRowCursorSet(mapper.GetDependencies(needed), n, rand),
                cursor => new ScoredCursor(mapper, cursor, needed));
        }

        /// <summary>A cursor of the input whose rows have their answers.</summary>
        private sealed class ScoredCursor : DataViewRowCursor
        {
            private readonly DataViewRowCursor input;
            private readonly DataViewRow row;

            internal ScoredCursor(RowMapper mapper, DataViewRowCursor input, IEnumerable<DataViewSchema.Column> needed)
            {
                this.input = input;
                row = mapper.GetRow(input, needed);
            }

            public override DataViewSchema Schema => row.Schema;

            public override long Position => row.Position;

            public override long Batch => row.Batch;

            public override ValueGetter<DataViewRowId> GetIdGetter() => row.GetIdGetter();

            public override bool IsColumnActive(DataViewSchema.Column column) => row.IsColumnActive(column);

            public override ValueGetter<TValue> GetGetter<TValue>(DataViewSchema.Column column) =>
                row.GetGetter<TValue>(column);

            public override bool MoveNext() => input.MoveNext();

            protected override void Dispose(bool disposing)
            {
                if (disposing) row.Dispose();
                base.Dispose(disposing);
            }
        }
    }
}
