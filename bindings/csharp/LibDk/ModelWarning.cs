// SPDX-License-Identifier: Apache-2.0
namespace LibDk
{
    /// <summary>What whoever uses a model should know.</summary>
    /// <param name="About">such as "convergence", "leak" or "copied rows" (dk_model_warnings in dk.h)</param>
    /// <param name="Text">a sentence</param>
    public sealed record ModelWarning(string About, string Text)
    {
        /// <summary>What it is about, and the sentence.</summary>
        public override string ToString() => $"{About}: {Text}";
    }
}
