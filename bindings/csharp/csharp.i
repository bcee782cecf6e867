// SPDX-License-Identifier: Apache-2.0
//
// C#: arrays as spans, pinned for the time of a call and not copied; failures as DkException. Managed exceptions must
// not unwind native frames: the listener of the layer above catches them.

%{
#include "csharp_support.hpp"
%}

// the proxies are seen by the assembly alone
%pragma(csharp) moduleclassmodifiers="internal static unsafe class"
%pragma(csharp) imclassclassmodifiers="internal unsafe class"
%typemap(csclassmodifiers) SWIGTYPE "internal unsafe class"

%define SPAN(CTYPE, ELEMENT, CSTYPE)
%typemap(ctype) CTYPE "dk_csharp::Slice"
%typemap(imtype) CTYPE "NativeSlice"
%typemap(cstype) CTYPE "CSTYPE"
%typemap(in) CTYPE %{ $1 = $input.view<ELEMENT>(); %}
%enddef

%define PINNED(CTYPE, ELEMENT)
%typemap(csin, pre="    fixed (ELEMENT* pinned_$csinput = $csinput) {", terminator="    }") CTYPE
  "new NativeSlice(pinned_$csinput, $csinput.Length)"
%enddef

SPAN(std::span<const double>, const double, global::System.ReadOnlySpan<double>)
SPAN(std::span<double>, double, global::System.Span<double>)
SPAN(std::span<const float>, const float, global::System.ReadOnlySpan<float>)
SPAN(std::span<float>, float, global::System.Span<float>)
SPAN(std::span<const std::int64_t>, const std::int64_t, global::System.ReadOnlySpan<long>)
SPAN(std::span<std::int64_t>, std::int64_t, global::System.Span<long>)
SPAN(std::span<const std::byte>, const std::byte, global::System.ReadOnlySpan<byte>)
SPAN(std::span<std::byte>, std::byte, global::System.Span<byte>)
PINNED(std::span<const double>, double)
PINNED(std::span<double>, double)
PINNED(std::span<const float>, float)
PINNED(std::span<float>, float)
PINNED(std::span<const std::int64_t>, long)
PINNED(std::span<std::int64_t>, long)
PINNED(std::span<const std::byte>, byte)
PINNED(std::span<std::byte>, byte)

%insert(runtime) %{
#include <cstdint>
typedef void (SWIGSTDCALL* DkFailureCallback)(std::int32_t status, const char* message);
static DkFailureCallback dk_failure = nullptr;
#ifdef __cplusplus
extern "C"
#endif
SWIGEXPORT void SWIGSTDCALL dk_register_failure_callback(DkFailureCallback callback) {
  dk_failure = callback;
}
%}

%pragma(csharp) imclasscode=%{
  private static class FailureHelper {
    [global::System.Runtime.InteropServices.UnmanagedFunctionPointer(
        global::System.Runtime.InteropServices.CallingConvention.Cdecl)]
    internal delegate void FailureDelegate(int status, global::System.IntPtr message);

    private static readonly FailureDelegate Callback = Set;

    [global::System.Runtime.InteropServices.DllImport("dkcsharp", EntryPoint = "dk_register_failure_callback")]
    private static extern void Register(FailureDelegate callback);

    private static void Set(int status, global::System.IntPtr message) {
      SWIGPendingException.Set(DkException.Of(status, NativeText.Read(message)));
    }

    internal static bool Install() {
      Register(Callback);
      return true;
    }
  }

  private static readonly bool failuresInstalled = FailureHelper.Install();
%}

// the word SWIG_CSharpSetPendingException tells SWIG to look for an exception after every call
%exception %{
  try {
    $action
  } catch (const libdk::Error& error) {
    dk_failure(static_cast<int>(error.status()), error.what());
    return $null;
  } catch (const std::bad_alloc&) {
    SWIG_CSharpSetPendingException(SWIG_CSharpOutOfMemoryException, "libdk: out of memory");
    return $null;
  } catch (const std::exception& error) {
    dk_failure(DK_ERR_INTERNAL, dk_told(error));
    return $null;
  }
%}

%include <std_string.i>
