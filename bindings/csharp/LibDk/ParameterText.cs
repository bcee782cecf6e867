// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace LibDk
{
    /// <summary>Values of parameters as the library's text.</summary>
    internal static class ParameterText
    {
        internal static string Of(object? value)
        {
            switch (value)
            {
                case null: throw new ArgumentNullException(nameof(value), "a value of a parameter is null");
                case string text: return text;
                case bool truth: return truth ? "yes" : "no";
                case double number: return number.ToString("R", CultureInfo.InvariantCulture);
                case float number: return ((double)number).ToString("R", CultureInfo.InvariantCulture);
                case IEnumerable list:
                    return "[" + string.Join(", ", list.Cast<object?>().Select(one => Uncut(Of(one), ","))) + "]";
                case IFormattable other: return other.ToString(null, CultureInfo.InvariantCulture);
                default: return value.ToString() ?? string.Empty;
            }
        }

        /// <summary>The weight of each class, such as "a:2,b:1".</summary>
        internal static string OfPairs<T>(IEnumerable<KeyValuePair<string, T>> values) => string.Join(
            ",", values.Select(one => UncutAnywhere(one.Key, ":,") + ":" + UncutAnywhere(Of(one.Value), ":,")));

        /// <summary>Refuses a text that the library would read as several, since a separator is in it outside of all brackets.</summary>
        private static string Uncut(string text, string separators)
        {
            int depth = 0;
            foreach (char c in text)
            {
                if (depth <= 0) RequireNo(c, separators, text);
                if (c == '(' || c == '[') ++depth;
                if (c == ')' || c == ']') --depth;
            }
            return text;
        }

        /// <summary>Refuses a text with a separator, where the library does not look at brackets.</summary>
        private static string UncutAnywhere(string text, string separators)
        {
            foreach (char c in text) RequireNo(c, separators, text);
            return text;
        }

        private static void RequireNo(char c, string separators, string text)
        {
            if (separators.IndexOf(c) >= 0)
                throw new ArgumentException($"'{text}' cannot be one name or value: the library would cut it at '{c}'");
        }
    }
}
