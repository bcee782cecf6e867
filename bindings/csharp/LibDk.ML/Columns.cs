// SPDX-License-Identifier: Apache-2.0
using System;
using Microsoft.ML;
using Microsoft.ML.Data;

namespace LibDk.ML
{
    /// <summary>Finds columns of a data view and says which are needed where they are not there.</summary>
    internal static class Columns
    {
        internal static DataViewSchema.Column Find(DataViewSchema schema, string name)
        {
            return schema.GetColumnOrNull(name)
                ?? throw new ArgumentOutOfRangeException(nameof(schema), $"there is no column '{name}'");
        }

        /// <summary>A column of vectors of Single, all of one length.</summary>
        internal static DataViewSchema.Column Features(DataViewSchema schema, string name)
        {
            DataViewSchema.Column column = Find(schema, name);
            if (column.Type is VectorDataViewType { IsKnownSize: true } vector && vector.ItemType == NumberDataViewType.Single)
                return column;
            throw new ArgumentOutOfRangeException(nameof(schema),
                $"column '{name}' has {column.Type}; vectors of Single of one length are needed");
        }
    }
}
