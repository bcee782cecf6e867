// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;

namespace LibDk
{
    // What a model is and what it learned: sizes, classes, weights, prototypes.
    public sealed partial class Model
    {
        /// <summary>The model as JSON: machine, kernel, parameters, classes, training report.</summary>
        public string Info
        {
            get
            {
                using (var model = handle.Begin()) return model.Native.info();
            }
        }

        /// <summary>The classes in the order of their labels; empty for a regression.</summary>
        public string[] ClassNames
        {
            get
            {
                using (var model = handle.Begin())
                {
                    var names = new string[model.Native.class_count()];
                    for (int c = 0; c < names.Length; c++) names[c] = model.Native.class_name(c);
                    return names;
                }
            }
        }

        /// <summary>The kernels of the bank with their weights, in the order of the bank.</summary>
        public KernelWeights Weights
        {
            get
            {
                using (var model = handle.Begin())
                {
                    var weights = new double[model.Native.kernel_count()];
                    model.Native.kernel_weights(weights);
                    var named = new KernelWeight[weights.Length];
                    for (int k = 0; k < weights.Length; k++)
                        named[k] = new KernelWeight(model.Native.kernel_name(k), weights[k]);
                    return new KernelWeights(named);
                }
            }
        }

        /// <summary>The prototypes: p+ and p- of each decision function in turn, or those the model learned.</summary>
        public IReadOnlyList<Prototype> Prototypes()
        {
            using (var model = handle.Begin())
            {
                NativeModel m = model.Native;
                int count = checked((int)m.prototype_count());
                int rows = checked((int)m.training_rows());
                int neighbours = checked((int)m.prototype_neighbours());
                bool pairs = m.prototypes_are_pairs();
                var classes = new long[count];
                m.prototype_classes(classes);
                var coefficients = new double[checked(count * rows)];
                m.prototype_coefficients(coefficients);
                var nearest = new long[count * neighbours];
                var distances = new double[count * neighbours];
                m.prototype_nearest(nearest, distances);
                var prototypes = new List<Prototype>(count);
                for (int p = 0; p < count; p++)
                {
                    bool named = classes[p] >= 0 && classes[p] < m.class_count();
                    prototypes.Add(new Prototype(pairs ? p / 2 : -1, !pairs || p % 2 == 0, named ? m.class_name(classes[p]) : null,
                        coefficients.AsSpan(p * rows, rows).ToArray(),
                        nearest.AsSpan(p * neighbours, neighbours).ToArray(),
                        distances.AsSpan(p * neighbours, neighbours).ToArray()));
                }
                return prototypes;
            }
        }

        /// <summary>
        /// The prototypes as points among the features, for linear kernels: prototypes x features, in the units of the
        /// training data.
        /// </summary>
        public double[,] PrototypeCoordinates()
        {
            using (var model = handle.Begin())
            {
                NativeModel m = model.Native;
                var values = new double[checked(m.prototype_count() * m.feature_count())];
                m.prototype_coordinates(values);
                return Dataset.Table(values, m.prototype_count());
            }
        }

        /// <summary>What completes <see cref="Explain(Dataset, CallOptions?)"/>: S / (2 t) of each decision function.</summary>
        public double[] Offsets => OfFunctions((m, offsets) => m.prototype_offsets(new double[offsets.Length], offsets));

        /// <summary>
        /// The shift S of each decision function, by which its prototypes stand aside from those of equal distance.
        /// </summary>
        public double[] Shifts => OfFunctions((m, shifts) => m.prototype_offsets(shifts, new double[shifts.Length]));

        /// <summary>The length |w| of each decision function's normal in feature space.</summary>
        public double[] Normals => OfFunctions((m, normals) => m.normals(normals));

        /// <summary>
        /// The decision functions as sums over training rows, functions x training rows: the coefficient of each row in
        /// each function, with the kernel on rows as the model scales them. Machines whose decisions are no such sums have
        /// none, which is an exception.
        /// </summary>
        public double[,] DualCoefficients()
        {
            using (var model = handle.Begin())
            {
                var values = new double[model.Native.decision_count() * model.Native.training_rows()];
                model.Native.dual_coefficients(values);
                return Dataset.Table(values, model.Native.decision_count());
            }
        }

        /// <summary>The offsets that complete the sums of <see cref="DualCoefficients"/>.</summary>
        public double[] DualOffsets => OfFunctions((m, offsets) => m.dual_offsets(offsets));

        private double[] OfFunctions(Action<NativeModel, double[]> fill)
        {
            using (var model = handle.Begin())
            {
                var values = new double[model.Native.decision_count()];
                fill(model.Native, values);
                return values;
            }
        }

        private long Count(Func<NativeModel, long> count)
        {
            using (var model = handle.Begin()) return count(model.Native);
        }

        /// <summary>The labels of the classes, ascending; positions from 0 where classes have names.</summary>
        public long[] Classes
        {
            get
            {
                using (var model = handle.Begin())
                {
                    var labels = new long[model.Native.class_count()];
                    model.Native.classes(labels);
                    return labels;
                }
            }
        }

        /// <summary>What the model learned.</summary>
        public MachineTask Task => (MachineTask)Count(m => m.task_number());

        /// <summary>Whether the model fills values that rows miss (parameter impute).</summary>
        public bool FillsMissing => Count(m => m.fills_missing() ? 1 : 0) == 1;

        /// <summary>The number of classes; 0 for a regression.</summary>
        public long ClassCount => Count(m => m.class_count());

        /// <summary>The number of columns that rows to predict have.</summary>
        public long FeatureCount => Count(m => m.feature_count());

        /// <summary>The number of decision functions.</summary>
        public long DecisionCount => Count(m => m.decision_count());

        /// <summary>Whether the model has probabilities, which it was trained with by probability=yes.</summary>
        public bool HasProbabilities
        {
            get
            {
                using (var model = handle.Begin()) return model.Native.has_probabilities();
            }
        }

        /// <summary>How many numbers are predicted for a row: the targets of a regression, the labels of which it may have several, else 1.</summary>
        public long TargetCount => Count(m => m.target_count());

        /// <summary>The number of kernels of the bank.</summary>
        public long KernelCount => Count(m => m.kernel_count());

        /// <summary>The number of prototypes.</summary>
        public long PrototypeCount => Count(m => m.prototype_count());

        /// <summary>The number of rows that the model was trained with.</summary>
        public long TrainingRows => Count(m => m.training_rows());

        /// <summary>The number of columns of <see cref="Transform"/>; 0 for models that have no features.</summary>
        public long TransformCount => Count(m => m.transform_count());
    }
}
