// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using Microsoft.ML;
using Microsoft.ML.Data;

namespace LibDk.ML
{
    /// <summary>The columns of a task, and the numbers in them.</summary>
    internal abstract class Outputs
    {
        /// <summary>The task in files.</summary>
        internal abstract string Task { get; }

        /// <summary>The names of the classes in the order of their scores; empty for a regression.</summary>
        internal virtual IReadOnlyList<string> ClassNames => Array.Empty<string>();

        internal abstract IReadOnlyList<OutputColumn> Columns { get; }

        /// <summary>The scores of a row.</summary>
        internal abstract float[] Scores(ScoredRow row);

        /// <summary>Whether a model has probabilities.</summary>
        protected static bool HasProbabilities(Model model) => model.Report.Parameters["probability"] == "yes";

        /// <summary>Whether a model predicts the most probable class, and not the one that its decisions elect.</summary>
        protected static bool ElectsByProbability(Model model) =>
            HasProbabilities(model) && model.Report.Parameters.TryGetValue("elect", out string? elect) && elect == "probability";

        /// <summary>Annotations of a score, by which ML.NET knows columns of one task.</summary>
        protected static DataViewSchema.Annotations ScoreAnnotations(string task, string kind,
            Action<DataViewSchema.Annotations.Builder>? add = null)
        {
            var builder = new DataViewSchema.Annotations.Builder();
            builder.AddPrimitiveValue("ScoreColumnKind", TextDataViewType.Instance, task.AsMemory());
            builder.AddPrimitiveValue("ScoreValueKind", TextDataViewType.Instance, kind.AsMemory());
            add?.Invoke(builder);
            return builder.ToAnnotations();
        }
    }

    /// <summary>PredictedLabel, Score and perhaps Probability of the class "true".</summary>
    internal sealed class BinaryOutputs : Outputs
    {
        internal const string Name = "BinaryClassification";
        private readonly List<OutputColumn> columns;
        private readonly bool probabilities;

        internal BinaryOutputs(Model model)
        {
            probabilities = HasProbabilities(model);
            columns = new List<OutputColumn>
            {
                new OutputColumn<bool>("PredictedLabel", BooleanDataViewType.Instance,
                    ScoreAnnotations(Name, "PredictedLabel"), row => row.ClassName == BinaryLabels.ClassNames[1]),
                new OutputColumn<float>("Score", NumberDataViewType.Single, ScoreAnnotations(Name, "Score"),
                    row => row.Scores[0]),
            };
            if (!probabilities) return;
            columns.Add(new OutputColumn<float>("Probability", NumberDataViewType.Single,
                ScoreAnnotations(Name, "Probability",
                    builder => builder.AddPrimitiveValue("IsNormalized", BooleanDataViewType.Instance, true)),
                row => row.Scores[1]));
        }

        internal override string Task => Name;

        internal override IReadOnlyList<OutputColumn> Columns => columns;

        /// <summary>The decision, positive for "true", and its probability where the model has it.</summary>
        internal override float[] Scores(ScoredRow row)
        {
            double[,] decisions = row.Decisions;
            int last = decisions.GetLength(1) - 1; // a function for both classes, or one for each
            var decision = (float)(last == 0 ? decisions[0, 0] : decisions[0, last] - decisions[0, 0]);
            return probabilities ? new[] { decision, (float)row.Probabilities[0, 1] } : new[] { decision };
        }
    }

    /// <summary>Score, the value of a regression.</summary>
    internal sealed class TargetOutputs : Outputs
    {
        internal const string Name = "Regression";

        internal override string Task => Name;

        internal override IReadOnlyList<OutputColumn> Columns { get; } = new OutputColumn[]
        {
            new OutputColumn<float>("Score", NumberDataViewType.Single, ScoreAnnotations(Name, "Score"),
                row => row.Scores[0]),
        };

        internal override float[] Scores(ScoredRow row) => new[] { (float)row.Predicted };
    }
}
