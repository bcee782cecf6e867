// SPDX-License-Identifier: Apache-2.0
using System;
using Microsoft.ML;

namespace LibDk.ML
{
    /// <summary>The machines of libdk beside ML.NET's own trainers of each task.</summary>
    public static class DkCatalog
    {
        /// <summary>
        /// A machine of libdk for two classes. It adds the columns PredictedLabel and Score, and Probability where
        /// the parameter probability is yes.
        /// </summary>
        /// <param name="trainers">of the task</param>
        /// <param name="parameters">the machine; null for "svm" with its defaults</param>
        /// <param name="labelColumnName">a column of Boolean</param>
        /// <param name="featureColumnName">a column of vectors of Single</param>
        /// <param name="exampleWeightColumnName">a column of Single; null where all rows weigh the same</param>
        /// <param name="options">threads, memory, progress and cancel of the training; null for all processors</param>
        public static DkTrainer LibDk(this BinaryClassificationCatalog.BinaryClassificationTrainers trainers,
            Parameters? parameters = null, string labelColumnName = "Label", string featureColumnName = "Features",
            string? exampleWeightColumnName = null, CallOptions? options = null)
        {
            if (trainers == null) throw new ArgumentNullException(nameof(trainers));
            Parameters machine = parameters ?? new Parameters("svm");
            IEstimator<ITransformer> shape = machine["probability"] == "yes"
                ? trainers.SdcaLogisticRegression(labelColumnName, featureColumnName)
                : trainers.LinearSvm(labelColumnName, featureColumnName);
            return new DkTrainer(shape, new BinaryLabels(), machine, labelColumnName, featureColumnName,
                exampleWeightColumnName, options);
        }

        /// <summary>
        /// A machine of libdk for any number of classes. It adds the columns PredictedLabel, a key as the label is, and
        /// Score, a vector with a number for each key: its probability where probability is yes and elect is probability.
        /// </summary>
        /// <param name="trainers">of the task</param>
        /// <param name="parameters">the machine; null for "svm" with its defaults</param>
        /// <param name="labelColumnName">a column of keys, as MapValueToKey makes it</param>
        /// <param name="featureColumnName">a column of vectors of Single</param>
        /// <param name="exampleWeightColumnName">a column of Single; null where all rows weigh the same</param>
        /// <param name="options">threads, memory, progress and cancel of the training; null for all processors</param>
        public static DkTrainer LibDk(this MulticlassClassificationCatalog.MulticlassClassificationTrainers trainers,
            Parameters? parameters = null, string labelColumnName = "Label", string featureColumnName = "Features",
            string? exampleWeightColumnName = null, CallOptions? options = null)
        {
            if (trainers == null) throw new ArgumentNullException(nameof(trainers));
            return new DkTrainer(trainers.SdcaMaximumEntropy(labelColumnName, featureColumnName), new KeyLabels(),
                parameters ?? new Parameters("svm"), labelColumnName, featureColumnName, exampleWeightColumnName, options);
        }

        /// <summary>A regression of libdk. It adds the column Score.</summary>
        /// <param name="trainers">of the task</param>
        /// <param name="parameters">the machine; null for "svr" with its defaults</param>
        /// <param name="labelColumnName">a column of Single</param>
        /// <param name="featureColumnName">a column of vectors of Single</param>
        /// <param name="exampleWeightColumnName">a column of Single; null where all rows weigh the same</param>
        /// <param name="options">threads, memory, progress and cancel of the training; null for all processors</param>
        public static DkTrainer LibDk(this RegressionCatalog.RegressionTrainers trainers,
            Parameters? parameters = null, string labelColumnName = "Label", string featureColumnName = "Features",
            string? exampleWeightColumnName = null, CallOptions? options = null)
        {
            if (trainers == null) throw new ArgumentNullException(nameof(trainers));
            return new DkTrainer(trainers.Sdca(labelColumnName, featureColumnName), new TargetLabels(),
                parameters ?? new Parameters("svr"), labelColumnName, featureColumnName, exampleWeightColumnName, options);
        }
    }
}
