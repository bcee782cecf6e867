// SPDX-License-Identifier: Apache-2.0
using System;

namespace LibDk.ML
{
    /// <summary>Rows that a model has scored together; each kind of answer is asked for when a column needs it.</summary>
    internal sealed class ScoredRows : IDisposable
    {
        private readonly Dataset data;
        private readonly Lazy<double[]> predicted;
        private readonly Lazy<string[]> classes;
        private readonly Lazy<float[][]> scores;

        internal ScoredRows(Model model, Dataset data, Outputs outputs)
        {
            this.data = data;
            predicted = new Lazy<double[]>(() => model.Predict(data));
            classes = new Lazy<string[]>(() => model.PredictClasses(data));
            scores = new Lazy<float[][]>(() => outputs.Scores(model, data));
        }

        internal double[] Predicted => predicted.Value;

        internal string[] Classes => classes.Value;

        internal float[][] Scores => scores.Value;

        public void Dispose() => data.Dispose();
    }
}
