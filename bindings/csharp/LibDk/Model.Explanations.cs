// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text.Json;

namespace LibDk
{
    // What a model tells people of its answers: why a row got its prediction, and pages.
    public sealed partial class Model
    {
        /// <summary>
        /// Why a row got its prediction and not the next best one: what prototypes, training rows and kernels add to the
        /// answer, what would turn it (Moosavi-Dezfooli et al. 2016), and what each training row did for it (Cook 1979,
        /// Cauwenberghs and Poggio 2000).
        /// </summary>
        /// <param name="data">with the features of the training data</param>
        /// <param name="row">the position of the row in the data, from 0</param>
        /// <param name="training">
        /// the rows that the model was trained with, or null: with them rows have their classes, and the nearest row of
        /// another class is known
        /// </param>
        /// <param name="options">threads, memory, progress and cancel; null for all processors</param>
        public RowExplanation ExplainRow(Dataset data, long row, Dataset? training = null, CallOptions? options = null)
        {
            string told = string.Empty;
            Run(data, training, options, (model, d, t, control) => told =
                t == null ? model.explain_row(d, row, control) : model.explain_row_with(d, row, t, control));
            using (JsonDocument document = JsonDocument.Parse(told)) return RowExplanation.Of(document.RootElement);
        }

        /// <summary>
        /// Whether rows come as known ones did, by a kernel two-sample test with 999 permutations (Gretton et al. 2012).
        /// </summary>
        /// <param name="data">with the features of the training data; labels are not looked at</param>
        /// <param name="reference">
        /// the known rows, such as the training rows; null for the training rows if the model keeps all
        /// </param>
        /// <param name="seed">draws at most 2000 rows of each side</param>
        /// <param name="options">threads, memory, progress and cancel; null for all processors</param>
        public DriftTest Drift(Dataset data, Dataset? reference = null, long seed = 1, CallOptions? options = null)
        {
            var found = new double[3];
            Run(data, reference, options, (model, d, r, control) =>
            {
                if (r == null) model.drift(found, d, seed, control);
                else model.drift_with(found, d, r, seed, control);
            });
            return new DriftTest(found[0], found[1], found[2]);
        }

        /// <summary>
        /// Writes a page about the model and its predictions, as HTML that any browser opens without a network: charts of
        /// its quality where the rows have labels or targets, kernels, prototypes, a map of the rows, its training, and
        /// the rows that are most wrong with their explanations. The same input gives the same bytes.
        /// </summary>
        /// <param name="path">the file</param>
        /// <param name="data">with the features of the training data</param>
        /// <param name="training">
        /// the rows that the model was trained with, or null: with them prototypes and nearest rows are shown
        /// </param>
        /// <param name="options">
        /// such as "image=32x32 rows=10 title=Faces": rows are pictures, so many wrong rows are shown, the heading, which
        /// comes last; with "for=manager" the page is for who decides what to do with predictions
        /// </param>
        /// <param name="callOptions">threads, memory, progress and cancel; null for all processors</param>
        public void WritePage(string path, Dataset data, Dataset? training = null, string options = "",
            CallOptions? callOptions = null)
        {
            string file = NativeText.Checked(path);
            string said = NativeText.Checked(options);
            Run(data, training, callOptions, (model, d, t, control) =>
            {
                if (t == null) model.report(file, d, said, control);
                else model.report_with(file, d, t, said, control);
            });
        }

        /// <summary>
        /// Writes a page that compares models of one task on the same rows, with intervals (Wilson 1927) and McNemar's
        /// exact test.
        /// </summary>
        /// <param name="path">the file</param>
        /// <param name="models">2 to 100</param>
        /// <param name="data">with labels or targets</param>
        /// <param name="options">as for <see cref="WritePage"/></param>
        /// <param name="callOptions">threads, memory, progress and cancel; null for all processors</param>
        public static void Compare(string path, IEnumerable<Model> models, Dataset data, string options = "",
            CallOptions? callOptions = null)
        {
            if (models == null) throw new ArgumentNullException(nameof(models));
            if (data == null) throw new ArgumentNullException(nameof(data));
            using (var list = new ModelList())
            using (var rows = data.Begin())
            {
                foreach (Model model in models)
                {
                    if (model == null) throw new ArgumentNullException(nameof(models), "one of the models is null");
                    using (var one = model.handle.Begin()) list.add(one.Native);
                }
                NativeData d = rows.Native;
                CallOptions.Run(callOptions, control =>
                    list.compare(NativeText.Checked(path), d, NativeText.Checked(options), control));
            }
        }

        private void Run(Dataset data, Dataset? training, CallOptions? options,
            Action<NativeModel, NativeData, NativeData?, NativeControl> call)
        {
            if (data == null) throw new ArgumentNullException(nameof(data));
            using (var model = handle.Begin())
            using (var rows = data.Begin())
            {
                NativeModel m = model.Native;
                NativeData d = rows.Native;
                if (training == null)
                {
                    CallOptions.Run(options, control => call(m, d, null, control));
                    return;
                }
                using (var known = training.Begin())
                {
                    NativeData t = known.Native;
                    CallOptions.Run(options, control => call(m, d, t, control));
                }
            }
        }
    }
}
