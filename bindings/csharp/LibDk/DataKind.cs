// SPDX-License-Identifier: Apache-2.0
namespace LibDk
{
    /// <summary>What the rows of a dataset are.</summary>
    public enum DataKind
    {
        /// <summary>Rows of numbers.</summary>
        Dense = 0,
        /// <summary>Rows of numbers of which most are zero.</summary>
        Sparse = 1,
        /// <summary>Similarities to the training rows.</summary>
        Gram = 2,
        /// <summary>Time series.</summary>
        Series = 3,
        /// <summary>Strings.</summary>
        Strings = 4,
        /// <summary>Graphs.</summary>
        Graphs = 5,
    }
}
