// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.ML;
using Microsoft.ML.Data;

namespace LibDk.ML
{
    /// <summary>PredictedLabel, a key as the label is, and Score, with a number for each key.</summary>
    internal sealed class KeyOutputs : Outputs
    {
        internal const string Name = "MultiClassClassification";
        private readonly string[] names;
        private readonly string[] met; // in training
        private readonly int[] slots;
        private readonly ClassScores? scores; // where probabilities do not elect the class

        /// <param name="model">which knows the classes that it has met, in its own order</param>
        /// <param name="names">of all keys</param>
        /// <param name="label">the annotations of the label, whose key values the prediction has</param>
        internal KeyOutputs(Model model, string[] names, DataViewSchema.Annotations label)
        {
            this.names = names;
            scores = ElectsByProbability(model) ? null : new ClassScores(model);
            met = model.ClassNames;
            slots = Array.ConvertAll(met, name => Array.IndexOf(names, name));
            Dictionary<string, uint> keys = Enumerable.Range(0, names.Length).ToDictionary(k => names[k], k => (uint)k + 1);
            VBuffer<ReadOnlyMemory<char>> slotNames = KeyValues(names);
            Columns = new OutputColumn[]
            {
                new OutputColumn<uint>("PredictedLabel", new KeyDataViewType(typeof(uint), names.Length),
                    ScoreAnnotations(Name, "PredictedLabel", builder => builder.Add(label, one => one == "KeyValues")),
                    row => keys[row.ClassName]),
                new OutputColumn<VBuffer<float>>("Score", new VectorDataViewType(NumberDataViewType.Single, names.Length),
                    ScoreAnnotations(Name, scores == null ? "Probability" : "Score", builder => builder.Add(
                        "SlotNames", new VectorDataViewType(TextDataViewType.Instance, names.Length),
                        (ref VBuffer<ReadOnlyMemory<char>> value) => slotNames.CopyTo(ref value))),
                    row => new VBuffer<float>(names.Length, row.Scores)),
            };
        }

        /// <summary>Outputs whose key values are the names.</summary>
        internal static KeyOutputs OfNames(Model model, string[] names)
        {
            VBuffer<ReadOnlyMemory<char>> values = KeyValues(names);
            var builder = new DataViewSchema.Annotations.Builder();
            builder.Add("KeyValues", new VectorDataViewType(TextDataViewType.Instance, names.Length),
                (ref VBuffer<ReadOnlyMemory<char>> value) => values.CopyTo(ref value));
            return new KeyOutputs(model, names, builder.ToAnnotations());
        }

        private static VBuffer<ReadOnlyMemory<char>> KeyValues(string[] names)
        {
            return new VBuffer<ReadOnlyMemory<char>>(names.Length, names.Select(name => name.AsMemory()).ToArray());
        }

        internal override string Task => Name;

        internal override IReadOnlyList<string> ClassNames => names;

        internal override IReadOnlyList<OutputColumn> Columns { get; }

        /// <summary>
        /// In the place of each key its probability, or its score; keys that training did not meet are impossible.
        /// </summary>
        internal override float[] Scores(ScoredRow row)
        {
            double[] ofClasses = (scores == null ? row.Probabilities : row.Decisions).Cast<double>().ToArray();
            if (scores != null) ofClasses = scores.Of(ofClasses);
            float[] rounded = ClassScores.Rounded(ofClasses, Array.IndexOf(met, row.ClassName));
            float[] ofKeys = Enumerable.Repeat(scores == null ? 0 : float.NegativeInfinity, names.Length).ToArray();
            for (int c = 0; c < slots.Length; c++) ofKeys[slots[c]] = rounded[c];
            return ofKeys;
        }
    }
}
