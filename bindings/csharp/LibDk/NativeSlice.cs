// SPDX-License-Identifier: Apache-2.0
using System.Runtime.InteropServices;

namespace LibDk
{
    /// <summary>A pinned array on its way into the library; dk_csharp::Slice in C++.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal unsafe struct NativeSlice
    {
        private readonly void* data;
        private readonly long length;

        internal NativeSlice(void* data, long length)
        {
            this.data = data;
            this.length = length;
        }
    }
}
