// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;

namespace LibDk
{
    /// <summary>A part of an answer.</summary>
    /// <param name="Contribution">what it adds to the answer</param>
    /// <param name="Percent">of the sign of the contribution; the magnitudes of all parts sum to 100</param>
    public sealed record AnswerShare(double Contribution, double Percent)
    {
        internal static AnswerShare Of(JsonElement part) => new AnswerShare(part.Number("contribution") ?? double.NaN,
            part.Number("share") ?? double.NaN);

        internal static AnswerShare Sum(IReadOnlyCollection<AnswerShare> parts) =>
            new AnswerShare(parts.Sum(one => one.Contribution), parts.Sum(one => one.Percent));
    }

    /// <summary>What pulls a row towards its prediction, or away from it.</summary>
    /// <param name="Source">the prototype, the training row or the kernel, from 0</param>
    /// <param name="Name">
    /// the class of a prototype, the class or target of a training row where these rows were given, the specification of
    /// a kernel; null where there is none
    /// </param>
    /// <param name="Share">what it adds to the answer</param>
    public sealed record Pull(long Source, string? Name, AnswerShare Share)
    {
        internal static Pull Of(JsonElement pull, string source) => new Pull((long)pull.Integer(source)!,
            pull.Text("text") ?? NameOf(pull), AnswerShare.Of(pull));

        /// <summary>The class of what is told of, or its target; null where there is neither.</summary>
        internal static string? NameOf(JsonElement told) =>
            told.Text("class") ?? told.Number("target")?.ToString("R", CultureInfo.InvariantCulture);
    }

    /// <summary>An answer taken apart: the shares of pulls, of others and the offset sum to it.</summary>
    /// <param name="Listed">the strongest first</param>
    /// <param name="Offset">what no source is the cause of</param>
    /// <param name="OtherCount">how many sources are not listed</param>
    /// <param name="Others">what these add together; null where all are listed</param>
    public sealed record Pulls(IReadOnlyList<Pull> Listed, AnswerShare Offset, long OtherCount, AnswerShare? Others)
    {
        internal static Pulls? Of(JsonElement? group, string source)
        {
            if (group == null) return null;
            JsonElement? others = group.Value.Member("others");
            return new Pulls(group.Value.List("pulls", one => Pull.Of(one, source)),
                AnswerShare.Of(group.Value.GetProperty("offset")), others?.Integer("count") ?? 0,
                others == null ? null : AnswerShare.Of(others.Value));
        }

        /// <summary>A table: the strongest, all others together, and the offset.</summary>
        public override string ToString()
        {
            List<string[]> lines = Listed.Take(RowExplanation.Printed)
                .Select(one => Line($"{one.Source}", one.Name, one.Share)).ToList();
            List<AnswerShare> left = Listed.Skip(RowExplanation.Printed).Select(one => one.Share).ToList();
            long count = left.Count + OtherCount;
            if (Others != null) left.Add(Others);
            if (count > 0) lines.Add(Line($"{count} others", null, AnswerShare.Sum(left)));
            lines.Add(Line("offset", null, Offset));
            return TextTable.Of("rlrr", lines);
        }

        private static string[] Line(string source, string? name, AnswerShare share) => new[] { source,
            name ?? string.Empty, TextTable.Cell(share.Contribution),
            share.Percent.ToString("+0.0' %';-0.0' %'", CultureInfo.InvariantCulture) };
    }

    /// <summary>A feature of a row that changes.</summary>
    /// <param name="Feature">its name</param>
    /// <param name="Column">its position, from 0</param>
    /// <param name="From">the value that the row has</param>
    /// <param name="To">the value with which the prediction turns</param>
    /// <param name="Deviations">the change in standard deviations of the feature</param>
    public sealed record FeatureChange(string Feature, int Column, double From, double To, double Deviations)
    {
        internal static FeatureChange Of(JsonElement change) => new FeatureChange(change.Text("feature")!,
            (int)change.Integer("column")!, change.Number("from") ?? double.NaN, change.Number("to") ?? double.NaN,
            change.Number("deviations") ?? double.NaN);
    }

    /// <summary>
    /// A small change of few features with which the prediction would be another one (Moosavi-Dezfooli, Fawzi, Frossard
    /// 2016, or towards the nearest row of another class).
    /// </summary>
    /// <param name="Prediction">the class of the changed row</param>
    /// <param name="Distance">the length of the change, in deviations of the features</param>
    /// <param name="Changes">the largest in deviations first</param>
    public sealed record Counterfactual(string Prediction, double Distance, IReadOnlyList<FeatureChange> Changes)
    {
        internal static Counterfactual Of(JsonElement found) => new Counterfactual(found.Text("prediction")!,
            found.Number("distance") ?? double.NaN, found.List("changes", FeatureChange.Of));

        /// <summary>A copy of a row with the changes, which the model takes for <see cref="Prediction"/>.</summary>
        /// <param name="row">its features</param>
        public double[] AppliedTo(ReadOnlySpan<double> row)
        {
            double[] changed = row.ToArray();
            foreach (FeatureChange change in Changes) changed[change.Column] = change.To;
            return changed;
        }

        /// <summary>A table of the strongest changes.</summary>
        public override string ToString()
        {
            var lines = new List<string[]> { new[] { "feature", "from", "to", "deviations" } };
            lines.AddRange(Changes.Take(RowExplanation.Printed).Select(one => new[] { one.Feature,
                TextTable.Cell(one.From), TextTable.Cell(one.To), TextTable.Cell(one.Deviations) }));
            int left = Changes.Count - RowExplanation.Printed;
            return TextTable.Of("lrrr", lines) + (left > 0 ? $"{Environment.NewLine}and {left} more" : string.Empty);
        }
    }

    /// <summary>The nearest training row that the model takes for another class.</summary>
    /// <param name="Row">from 0</param>
    /// <param name="Prediction">the class that the model gives it</param>
    /// <param name="Distance">in deviations of the features; of rows that are not dense in feature space</param>
    public sealed record NearestOther(long Row, string Prediction, double Distance)
    {
        internal static NearestOther Of(JsonElement other) => new NearestOther((long)other.Integer("row")!,
            other.Text("prediction")!, other.Number("distance") ?? double.NaN);
    }

    /// <summary>What a training row did for an answer.</summary>
    /// <param name="Row">from 0</param>
    /// <param name="Name">its class or target, where the training rows were given; null elsewhere</param>
    /// <param name="Change">by how much the answer is larger than it would be without the row</param>
    public sealed record Influence(long Row, string? Name, double Change)
    {
        internal static Influence Of(JsonElement told) => new Influence((long)told.Integer("row")!, Pull.NameOf(told),
            told.Number("change") ?? double.NaN);
    }

    /// <summary>
    /// By how much an answer is larger than it would be without each training row: of ridge machines in closed form
    /// (Cook 1979), of support vector machines what the rows on the margin make of it (Cauwenberghs, Poggio 2000).
    /// </summary>
    /// <param name="Exact">whether training anew without the row would give this</param>
    /// <param name="Rows">the strongest first</param>
    public sealed record Influences(bool Exact, IReadOnlyList<Influence> Rows)
    {
        internal static Influences Of(JsonElement told) =>
            new Influences(told.Flag("exact") == true, told.List("rows", Influence.Of));

        /// <summary>A table of the strongest.</summary>
        public override string ToString()
        {
            var lines = new List<string[]> { new[] { "row", string.Empty, "change" } };
            lines.AddRange(Rows.Take(RowExplanation.Printed).Select(one => new[] { $"{one.Row}",
                one.Name ?? string.Empty, TextTable.Cell(one.Change) }));
            return TextTable.Of("rlr", lines);
        }
    }

    /// <summary>Why a row is of its class, and not of the next best one. What a model does not know is null.</summary>
    /// <param name="Row">its position in the data, from 0</param>
    /// <param name="Prediction">the class; null of a regression, whose value is the answer</param>
    /// <param name="InsteadOf">the class that the row would be of otherwise; null of a regression</param>
    /// <param name="Answer">the decision between both, positive for the prediction; or the value of a regression</param>
    /// <param name="Distance">the answer as a distance in feature space</param>
    /// <param name="Probability">that of the class</param>
    /// <param name="Prototypes">what each prototype adds to the answer</param>
    /// <param name="TrainingRows">what each training row behind them adds</param>
    /// <param name="Kernels">what each kernel of the bank adds</param>
    /// <param name="Counterfactual">the change that would turn the prediction</param>
    /// <param name="NearestOther">known where the training rows were given</param>
    /// <param name="Influences">what training with each row did for the answer</param>
    public sealed record RowExplanation(long Row, string? Prediction, string? InsteadOf, double Answer, double? Distance,
        double? Probability, Pulls Prototypes, Pulls? TrainingRows, Pulls? Kernels, Counterfactual? Counterfactual,
        NearestOther? NearestOther, Influences? Influences)
    {
        internal const int Printed = 5;

        internal static RowExplanation Of(JsonElement told)
        {
            string? instead = told.Text("instead_of");
            T? Part<T>(string name, Func<JsonElement, T> of) where T : class =>
                told.Member(name) is JsonElement part ? of(part) : null;
            return new RowExplanation((long)told.Integer("row")!, instead == null ? null : told.Text("prediction"), instead,
                told.Number("answer") ?? double.NaN, told.Number("distance"), told.Number("probability"),
                Pulls.Of(told.Member("prototypes"), "prototype")!, Pulls.Of(told.Member("training_rows"), "row"),
                Pulls.Of(told.Member("kernels"), "kernel"), Part("counterfactual", LibDk.Counterfactual.Of),
                Part("nearest_other", LibDk.NearestOther.Of), Part("influences", LibDk.Influences.Of));
        }

        /// <summary>Small tables: the answer, what pulls, the counterfactual and the influences.</summary>
        public override string ToString()
        {
            var head = new List<string[]> { new[] { "row", $"{Row}" } };
            if (Prediction != null) head.Add(new[] { "prediction", Prediction });
            if (InsteadOf != null) head.Add(new[] { "instead of", InsteadOf });
            head.Add(new[] { "answer", TextTable.Cell(Answer) });
            if (Distance != null) head.Add(new[] { "distance", TextTable.Cell(Distance) });
            if (Probability != null) head.Add(new[] { "probability", TextTable.Cell(Probability) });
            var parts = new List<string> { TextTable.Of("ll", head) };
            void Add(string title, object? part)
            {
                if (part != null) parts.Add(title + Environment.NewLine + part);
            }
            Add("prototypes that pull", Prototypes);
            Add("training rows that pull", TrainingRows);
            Add("kernels that pull", Kernels);
            if (NearestOther != null)
                parts.Add($"nearest training row that is {NearestOther.Prediction}: {NearestOther.Row}, distance "
                    + TextTable.Cell(NearestOther.Distance));
            Add($"it would be {Counterfactual?.Prediction} with", Counterfactual);
            Add("training with these rows changed the answer by" + (Influences?.Exact == false ? " about" : string.Empty),
                Influences);
            return string.Join(Environment.NewLine + Environment.NewLine, parts);
        }
    }
}
