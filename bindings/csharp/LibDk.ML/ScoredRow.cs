// SPDX-License-Identifier: Apache-2.0
using System;

namespace LibDk.ML
{
    /// <summary>A row that a model scores; what several columns may ask for is found once, when the first one asks.</summary>
    internal sealed class ScoredRow : IDisposable
    {
        private readonly Model model;
        private readonly Dataset data;
        private readonly Lazy<string> className;
        private readonly Lazy<float[]> scores;

        /// <param name="model">that scores the row</param>
        /// <param name="data">of the row alone; the scored row disposes of them</param>
        /// <param name="outputs">which know the scores of their task</param>
        internal ScoredRow(Model model, Dataset data, Outputs outputs)
        {
            this.model = model;
            this.data = data;
            className = new Lazy<string>(() => model.PredictClasses(data)[0]);
            scores = new Lazy<float[]>(() => outputs.Scores(this));
        }

        /// <summary>The name of the class; a regression has none.</summary>
        internal string ClassName => className.Value;

        /// <summary>The numbers that the columns of the task hold.</summary>
        internal float[] Scores => scores.Value;

        /// <summary>The value of a regression.</summary>
        internal double Predicted => model.Predict(data)[0];

        /// <summary>One row of decision values.</summary>
        internal double[,] Decisions => model.Decision(data);

        /// <summary>One row of the classes' probabilities.</summary>
        internal double[,] Probabilities => model.Probability(data);

        public void Dispose() => data.Dispose();
    }
}
