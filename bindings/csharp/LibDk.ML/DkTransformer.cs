// SPDX-License-Identifier: Apache-2.0
using System;
using System.IO;
using Microsoft.ML;
using Microsoft.ML.Data;

namespace LibDk.ML
{
    /// <summary>
    /// A trained machine of libdk that adds its answers to data views. Dispose of it when no data view or engine that it
    /// made is used any more.
    /// </summary>
    public sealed class DkTransformer : ITransformer, IDisposable
    {
        private readonly Outputs outputs;
        private readonly bool sparse;

        private DkTransformer(Model model, Outputs outputs, string features)
        {
            Model = model;
            this.outputs = outputs;
            FeatureColumnName = features;
            sparse = model.Report.Data == "sparse";
        }

        /// <summary>A transformer that has the model from now on; where it fails, the model is disposed of.</summary>
        internal static DkTransformer Of(Model model, Func<Model, Outputs> outputs, string features)
        {
            try
            {
                return new DkTransformer(model, outputs(model), features);
            }
            catch
            {
                model.Dispose();
                throw;
            }
        }

        /// <summary>The model itself, with its weights, prototypes and explanations.</summary>
        public Model Model { get; }

        /// <summary>The column of features that it reads.</summary>
        public string FeatureColumnName { get; }

        /// <summary>Each row is answered by itself.</summary>
        public bool IsRowToRowMapper => true;

        /// <summary>The columns of the input, and then those that are added.</summary>
        public DataViewSchema GetOutputSchema(DataViewSchema inputSchema)
        {
            if (inputSchema == null) throw new ArgumentNullException(nameof(inputSchema));
            DataViewSchema.Column features = Columns.Features(inputSchema, FeatureColumnName);
            int size = ((VectorDataViewType)features.Type).Size;
            if (size != Model.FeatureCount)
                throw new ArgumentOutOfRangeException(nameof(inputSchema),
                    $"column '{features.Name}' has {size} features, the model was trained on {Model.FeatureCount}");
            var builder = new DataViewSchema.Builder();
            builder.AddColumns(inputSchema);
            foreach (OutputColumn one in outputs.Columns) builder.AddColumn(one.Name, one.Type, one.Annotations);
            return builder.ToSchema();
        }

        /// <summary>A view that scores each row when it is read.</summary>
        public IDataView Transform(IDataView input)
        {
            if (input == null) throw new ArgumentNullException(nameof(input));
            return new ScoredView(new RowMapper(this, outputs, input.Schema), input);
        }

        /// <summary>Scores rows one by one, as prediction engines ask for it.</summary>
        public IRowToRowMapper GetRowToRowMapper(DataViewSchema inputSchema)
        {
            return new RowMapper(this, outputs, inputSchema);
        }

        /// <summary>Scores the row that was read.</summary>
        internal ScoredRow Scored(RowReading row) => new ScoredRow(Model, row.Take(sparse, Model.FillsMissing), outputs);

        /// <summary>
        /// Writes the transformer to a file: a ZIP archive with the model as every language of libdk reads it, and what
        /// ML.NET needs beside it. Key values of a predicted label are texts when it is loaded. A failure leaves the old file.
        /// </summary>
        public void Save(string path)
        {
            if (path == null) throw new ArgumentNullException(nameof(path));
            string beside = $"{path}.{Guid.NewGuid():N}";
            try
            {
                using (var file = new FileStream(beside, FileMode.CreateNew)) Save(file);
                if (File.Exists(path)) File.Replace(beside, path, null);
                else File.Move(beside, path);
            }
            catch
            {
                File.Delete(beside);
                throw;
            }
        }

        /// <summary>Writes what <see cref="Load(Stream)"/> reads.</summary>
        public void Save(Stream stream) => TransformerFile.Write(stream, Model, outputs, FeatureColumnName);

        /// <summary>Reads what <see cref="Save(string)"/> wrote.</summary>
        public static DkTransformer Load(string path)
        {
            using (FileStream file = File.OpenRead(path)) return Load(file);
        }

        /// <summary>Reads what <see cref="Save(Stream)"/> wrote.</summary>
        public static DkTransformer Load(Stream stream) => TransformerFile.Read(stream);

        /// <summary>ML.NET lets only its own assemblies write into its model files.</summary>
        void ICanSaveModel.Save(ModelSaveContext ctx)
        {
            throw new NotSupportedException("ML.NET's model files hold ML.NET's own transformers alone; "
                + "DkTransformer.Save writes a file for this one, and DkTransformer.Load reads it");
        }

        /// <summary>Frees the model.</summary>
        public void Dispose() => Model.Dispose();
    }
}
