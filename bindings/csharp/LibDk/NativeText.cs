// SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text;

namespace LibDk
{
    /// <summary>Text from the library and lists of texts for it.</summary>
    internal static class NativeText
    {
        internal static unsafe string Read(IntPtr text)
        {
            if (text == IntPtr.Zero) return string.Empty;
            byte* bytes = (byte*)text;
            int length = 0;
            while (bytes[length] != 0) length++;
            return Encoding.UTF8.GetString(bytes, length);
        }

        internal static Strings List(IEnumerable<string> texts)
        {
            if (texts == null) throw new ArgumentNullException(nameof(texts));
            var list = new Strings();
            foreach (string text in texts) list.add(Checked(text));
            return list;
        }

        /// <summary>The library's texts end at a zero character, so none may hold one.</summary>
        internal static string Checked(string text)
        {
            if (text == null) throw new ArgumentNullException(nameof(text));
            if (text.IndexOf('\0') >= 0) throw DkException.InvalidArgument("a text holds a zero character");
            return text;
        }
    }
}
