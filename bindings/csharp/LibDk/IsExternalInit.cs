// SPDX-License-Identifier: Apache-2.0
#if NETSTANDARD2_0
namespace System.Runtime.CompilerServices
{
    /// <summary>The compiler asks for this type where records have properties that are set once; older runtimes lack it.</summary>
    internal static class IsExternalInit
    {
    }
}
#endif
