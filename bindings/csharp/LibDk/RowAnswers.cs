// SPDX-License-Identifier: Apache-2.0
namespace LibDk
{
    /// <summary>What a model says of rows by one pass over its kernel, see <see cref="Model.PredictRows"/>.</summary>
    /// <param name="Predictions">as <see cref="Model.Predict(Dataset, CallOptions)"/> gives them</param>
    /// <param name="Decisions">rows x decision functions</param>
    /// <param name="Probabilities">rows x classes; null where the model was trained without probability=yes</param>
    public sealed record RowAnswers(double[] Predictions, double[,] Decisions, double[,]? Probabilities);
}
