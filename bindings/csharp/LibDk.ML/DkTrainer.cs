// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using Microsoft.ML;
using Microsoft.ML.Data;

namespace LibDk.ML
{
    /// <summary>
    /// Trains a machine of libdk on a column of features and one of labels. Rows whose label is missing are left out, as
    /// ML.NET's trainers do. Data are sparse where a row is, as after FeaturizeText, unless the parameter impute fills
    /// missing values, for which all rows become dense.
    /// </summary>
    public sealed class DkTrainer : IEstimator<DkTransformer>
    {
        private readonly IEstimator<ITransformer> shape;
        private readonly Labels labels;
        private readonly Parameters parameters;
        private readonly string label;
        private readonly string features;
        private readonly string? weight;
        private readonly CallOptions? options;

        /// <param name="shape">
        /// a trainer of ML.NET that adds the same columns: only it can say what they are before any row is known
        /// </param>
        /// <param name="labels">what labels of the task are</param>
        /// <param name="parameters">the machine</param>
        /// <param name="label">the column of labels</param>
        /// <param name="features">the column of features</param>
        /// <param name="weight">the column of weights, or null</param>
        /// <param name="options">of the training, or null</param>
        internal DkTrainer(IEstimator<ITransformer> shape, Labels labels, Parameters parameters, string label,
            string features, string? weight, CallOptions? options)
        {
            if (parameters.Task != labels.Task)
                throw new ArgumentException($"the machine learns {parameters.Task}; {labels.Task} is needed",
                    nameof(parameters));
            this.shape = shape;
            this.labels = labels;
            this.parameters = parameters;
            this.label = label;
            this.features = features;
            this.weight = weight;
            this.options = options;
        }

        /// <summary>Trains the machine on all rows.</summary>
        public DkTransformer Fit(IDataView input)
        {
            if (input == null) throw new ArgumentNullException(nameof(input));
            DataViewSchema.Column labelColumn = Columns.Find(input.Schema, label);
            using (Dataset data = Read(input, labelColumn))
            {
                return DkTransformer.Of(Model.Train(data, parameters, options),
                    model => labels.Outputs(model, labelColumn), features);
            }
        }

        private Dataset Read(IDataView input, DataViewSchema.Column labelColumn)
        {
            DataViewSchema.Column featureColumn = Columns.Features(input.Schema, features);
            var needed = new List<DataViewSchema.Column> { featureColumn, labelColumn };
            if (weight != null) needed.Add(Columns.Find(input.Schema, weight));
            using (DataViewRowCursor cursor = input.GetRowCursor(needed))
            {
                var rows = new RowReading(cursor, featureColumn);
                Labels.Reader reader = labels.Read(cursor, labelColumn);
                ValueGetter<float>? weighed = weight == null ? null : cursor.GetGetter<float>(needed[2]);
                var weights = new List<double>();
                while (cursor.MoveNext())
                {
                    if (!reader.Add()) continue;
                    rows.Add();
                    if (weighed == null) continue;
                    float value = 0;
                    weighed(ref value);
                    weights.Add(value);
                }
                bool missing = parameters["impute"] != "none";
                Dataset data = rows.Take(rows.IsSparse && !missing, missing);
                try
                {
                    reader.Set(data);
                    return weighed == null ? data : data.WithWeights(weights.ToArray());
                }
                catch
                {
                    data.Dispose();
                    throw;
                }
            }
        }

        /// <summary>The columns that the transformer will add.</summary>
        public SchemaShape GetOutputSchema(SchemaShape inputSchema) => shape.GetOutputSchema(inputSchema);
    }
}
