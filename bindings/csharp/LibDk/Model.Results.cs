// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace LibDk
{
    // What a model tells of its training and of its answers, as values.
    public sealed partial class Model
    {
        /// <summary>What cross-validation found; null for a model that was trained alone.</summary>
        public Scores? Scores
        {
            get
            {
                using (JsonDocument info = JsonDocument.Parse(Info)) return LibDk.Scores.Of(info.RootElement);
            }
        }

        /// <summary>What was trained, and how its training went.</summary>
        public TrainingReport Report
        {
            get
            {
                using (JsonDocument info = JsonDocument.Parse(Info)) return TrainingReport.Of(info.RootElement);
            }
        }

        /// <summary>
        /// What whoever uses the model should know: what looked wrong with the training rows, how columns were scaled,
        /// whether training converged, and what its scores are worth. Empty where nothing is to be said.
        /// </summary>
        public IReadOnlyList<ModelWarning> Warnings
        {
            get
            {
                string told;
                using (var model = handle.Begin()) told = model.Native.warnings();
                using (JsonDocument document = JsonDocument.Parse(told))
                    return Array.AsReadOnly(document.RootElement.GetProperty("warnings").EnumerateArray()
                        .Select(one => new ModelWarning(one.Text("about")!, one.Text("text")!)).ToArray());
            }
        }

        /// <summary>What the model is and how its training went, with a line for each of the warnings.</summary>
        public override string ToString() => handle.IsClosed ? "a closed model"
            : string.Join(Environment.NewLine,
                new[] { Report.ToString() }.Concat(Warnings.Select(one => $"warning: {one}")));

        /// <summary>The prediction of each row with the name of its class.</summary>
        internal IReadOnlyList<Prediction> Predictions(Dataset data, CallOptions? options)
        {
            double[] values = Predict(data, options);
            if (values.LongLength != data.Rows)
                throw new DkException(DkStatus.Unsupported,
                    $"the model predicts {TargetCount} targets of a row, a prediction is of one; Predict(Dataset) gives all");
            string[]? names = Named(values);
            return values.Select((value, i) => new Prediction(value, names?[i])).ToList();
        }

        /// <summary>The names of the classes whose labels were predicted; null of a regression.</summary>
        private string[]? Named(double[] predicted)
        {
            if (Task == MachineTask.Multilabel)
                throw new DkException(DkStatus.Unsupported,
                    "the model predicts several labels a row; PredictLabelSets gives them");
            string[] names = ClassNames;
            long[] labels = Classes;
            return names.Length == 0 ? null
                : Array.ConvertAll(predicted, label => names[Array.BinarySearch(labels, (long)label)]);
        }

        /// <summary>Tells what each prototype says of one row, and what the model makes of it.</summary>
        /// <param name="row">the features of the training data</param>
        /// <param name="options">null for all processors</param>
        public Explanation Explain(ReadOnlySpan<double> row, CallOptions? options = null)
        {
            using (Dataset data = Dataset.From(row, 1, row.Length)) return Explain(data, 0, options);
        }

        /// <summary>Tells what each prototype says of one row of a dataset, and what the model makes of it.</summary>
        /// <param name="data">with the features of the training data, of any kind</param>
        /// <param name="row">the position of the row, from 0</param>
        /// <param name="options">null for all processors</param>
        public Explanation Explain(Dataset data, long row, CallOptions? options = null)
        {
            if (data == null) throw new ArgumentNullException(nameof(data));
            using (Dataset one = data.Select(row))
            {
                double[,] said = Explain(one, options);
                IReadOnlyList<Prototype> prototypes = Prototypes();
                return new Explanation(Predictions(one, options)[0],
                    Array.AsReadOnly(Decision(one, options).Cast<double>().ToArray()),
                    Array.AsReadOnly(prototypes.Select((prototype, p) => new Contribution(p, prototype.Function,
                        prototype.IsPositive, prototype.ClassName, said[0, p])).ToArray()),
                    Array.AsReadOnly(Offsets));
            }
        }
    }
}
