// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace LibDk
{
    /// <summary>Reads values out of the JSON that the library writes; what it leaves out is null, or no number.</summary>
    internal static class JsonReading
    {
        internal static JsonElement? Member(this JsonElement parent, string name)
        {
            return parent.ValueKind == JsonValueKind.Object && parent.TryGetProperty(name, out JsonElement member)
                && member.ValueKind != JsonValueKind.Null ? member : (JsonElement?)null;
        }

        internal static string? Text(this JsonElement parent, string name) => parent.Member(name)?.GetString();

        internal static double? Number(this JsonElement parent, string name)
        {
            JsonElement? member = parent.Member(name);
            return member?.ValueKind == JsonValueKind.Number ? member.Value.GetDouble() : (double?)null;
        }

        internal static long? Integer(this JsonElement parent, string name) => (long?)parent.Number(name);

        internal static bool? Flag(this JsonElement parent, string name) => parent.Member(name)?.GetBoolean();

        /// <summary>The numbers of a list; a member that is absent has none.</summary>
        internal static IReadOnlyList<double> Numbers(this JsonElement parent, string name)
        {
            return parent.List(name, one => one.ValueKind == JsonValueKind.Number ? one.GetDouble() : double.NaN);
        }

        /// <summary>A value of each element of a list; a member that is absent has none.</summary>
        internal static IReadOnlyList<T> List<T>(this JsonElement parent, string name, Func<JsonElement, T> of)
        {
            JsonElement? list = parent.Member(name);
            return list == null ? Array.AsReadOnly(new T[0]) : Array.AsReadOnly(list.Value.EnumerateArray().Select(of).ToArray());
        }

        /// <summary>Parameters as the text that <see cref="Parameters.Parse"/> takes, such as "kernel=linear C=10".</summary>
        internal static string ParametersText(this JsonElement parameters)
        {
            return string.Join(" ", parameters.EnumerateObject().Select(one => $"{one.Name}={one.Value.GetString()}"));
        }
    }
}
