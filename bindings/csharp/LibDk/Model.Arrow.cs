// SPDX-License-Identifier: Apache-2.0
using System;

namespace LibDk
{
    /// <content>Tables of Arrow by the addresses of their structs, as Apache.Arrow.C gives them.</content>
    public sealed partial class Model
    {
        /// <summary>A table of Arrow with the features of the training data, found by their names.</summary>
        /// <param name="schema">the address of an ArrowSchema, which is released, also where it fails</param>
        /// <param name="array">the address of an ArrowArray, which is released, too</param>
        /// <param name="options">as for <see cref="Dataset.FromArrow"/></param>
        /// <param name="callOptions">threads, memory, progress and cancel; null for all processors</param>
        public Dataset FromArrow(IntPtr schema, IntPtr array, string options = "", CallOptions? callOptions = null)
        {
            using (var model = handle.Begin())
            {
                NativeModel own = model.Native;
                return Dataset.Made(callOptions, control =>
                    own.rows_from_arrow((long)schema, (long)array, NativeText.Checked(options), control));
            }
        }

        /// <summary>All tables of a stream of Arrow with the features of the training data.</summary>
        /// <param name="stream">the address of an ArrowArrayStream, which is released, also where it fails</param>
        /// <param name="options">as for <see cref="Dataset.FromArrow"/></param>
        /// <param name="callOptions">threads, memory, progress and cancel; null for all processors</param>
        public Dataset FromArrowStream(IntPtr stream, string options = "", CallOptions? callOptions = null)
        {
            using (var model = handle.Begin())
            {
                NativeModel own = model.Native;
                return Dataset.Made(callOptions, control =>
                    own.rows_from_arrow_stream((long)stream, NativeText.Checked(options), control));
            }
        }

        /// <summary>
        /// Predicts rows and writes the answer as a table of Arrow into two structs of the caller, such as
        /// Apache.Arrow.C.CArrowSchema.Create and CArrowArray.Create make them, who releases them.
        /// </summary>
        /// <param name="schema">the address of the ArrowSchema to fill</param>
        /// <param name="array">the address of the ArrowArray to fill</param>
        /// <param name="data">with the features of the training data</param>
        /// <param name="what">prediction, decision, probability and explanation, with commas between them</param>
        /// <param name="options">null for all processors</param>
        public void PredictArrow(IntPtr schema, IntPtr array, Dataset data, string what = "prediction",
            CallOptions? options = null)
        {
            if (data == null) throw new ArgumentNullException(nameof(data));
            using (var model = handle.Begin())
            using (var rows = data.Begin())
            {
                NativeModel own = model.Native;
                NativeData given = rows.Native;
                CallOptions.Run(options, control =>
                    own.results_to_arrow((long)schema, (long)array, given, NativeText.Checked(what), control));
            }
        }
    }
}
