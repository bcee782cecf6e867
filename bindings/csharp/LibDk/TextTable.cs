// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace LibDk
{
    /// <summary>Small tables of text, as results print themselves.</summary>
    internal static class TextTable
    {
        /// <summary>Four significant digits, in the same form on every machine; an empty cell where there is no number.</summary>
        internal static string Cell(double? number) =>
            number?.ToString("G4", CultureInfo.InvariantCulture) ?? string.Empty;

        /// <summary>Lines of cells in columns that are two spaces apart.</summary>
        /// <param name="alignment">'l' or 'r' for each column, which stands left or right</param>
        /// <param name="lines">of as many cells each</param>
        internal static string Of(string alignment, IReadOnlyList<string[]> lines)
        {
            int[] widths = alignment.Select((_, column) => lines.Max(line => line[column].Length)).ToArray();
            IEnumerable<string> Padded(string[] line) => line.Select((cell, column) =>
                alignment[column] == 'r' ? cell.PadLeft(widths[column]) : cell.PadRight(widths[column]));
            return string.Join(Environment.NewLine, lines.Select(line => string.Join("  ", Padded(line)).TrimEnd()));
        }
    }
}
