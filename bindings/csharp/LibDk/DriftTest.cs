// SPDX-License-Identifier: Apache-2.0
namespace LibDk
{
    /// <summary>How far new rows lie from known ones in a model's feature space (Gretton et al. 2012).</summary>
    /// <param name="Distance">between the means of both</param>
    /// <param name="Usual">the median of the distance where both are mixed at random</param>
    /// <param name="P">how likely the distance is at least as large where both come from one source</param>
    public sealed record DriftTest(double Distance, double Usual, double P);
}
