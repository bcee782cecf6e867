// SPDX-License-Identifier: Apache-2.0
namespace LibDk
{
    /// <summary>What a machine learns.</summary>
    public enum MachineTask
    {
        /// <summary>The classes of labelled rows.</summary>
        Classification = 0,
        /// <summary>Numbers from targets.</summary>
        Regression = 1,
        /// <summary>What rows alone are like.</summary>
        Novelty = 2,
        /// <summary>Any of these, as the data have it: the task of the machine auto, and of no model.</summary>
        Any = 3,
        /// <summary>The clusters that rows alone form.</summary>
        Clustering = 4,
        /// <summary>The labels of rows that may have several: of models of classifiers alone.</summary>
        Multilabel = 5,
    }
}
