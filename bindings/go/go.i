// SPDX-License-Identifier: Apache-2.0
//
// Go: slices as they are; failures are kept on the thread and read after the call by the layer above, because panics
// that pass through C++ leak. Calls are cancelled by their context, so there are no callbacks.

%insert(cgo_comment_typedefs) %{
#cgo pkg-config: libdk
#cgo CXXFLAGS: -std=c++20
%}

%{
#include <utility>

namespace dk_go {
thread_local int failure_code = 0;
thread_local std::string failure_text;
thread_local std::int64_t callback_failure = 0;

void keep(int status, const char* message) {
  failure_code = status;
  failure_text = message;
}
}  // namespace dk_go
%}

%include <std_string.i>

%define SLICE(CTYPE, ELEMENT, GOTYPE)
%typemap(gotype) CTYPE "GOTYPE"
%typemap(in) CTYPE %{
  $1 = {static_cast<ELEMENT*>($input.array), static_cast<std::size_t>($input.len)};
%}
%enddef
SLICE(std::span<const double>, double, []float64)
SLICE(std::span<double>, double, []float64)
SLICE(std::span<const float>, float, []float32)
SLICE(std::span<float>, float, []float32)
SLICE(std::span<const std::int64_t>, std::int64_t, []int64)
SLICE(std::span<std::int64_t>, std::int64_t, []int64)
SLICE(std::span<const std::byte>, std::byte, []byte)
SLICE(std::span<std::byte>, std::byte, []byte)

// a call that failed has no object to give
%define OBJECT(TYPE)
%typemap(out) TYPE %{ *(TYPE**)&$result = dk_go::failure_code == 0 ? new TYPE($1) : nullptr; %}
%enddef
OBJECT(libdk::Control)
OBJECT(libdk::Data)
OBJECT(libdk::Model)

%rename(take) libdk::Data::select;
%ignore libdk::Progress;
%ignore libdk::Control::set_listener;

%noexception failure_status;
%noexception failure_message;
%noexception keep_callback_failure;
%noexception taken_callback_failure;
%noexception std::vector<std::string>;
%exception %{
  dk_go::failure_code = 0;
  try {
    $action
    dk_go::failure_code = 0;  // a similarity that called libdk itself may have left one
  } catch (const libdk::Error& error) {
    dk_go::keep(static_cast<int>(error.status()), error.what());
  } catch (const std::bad_alloc&) {
    dk_go::keep(DK_ERR_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    dk_go::keep(DK_ERR_INTERNAL, dk_told(error));
  }
%}

%inline %{
/// Of the last call on this thread; 0 where it did not fail.
int failure_status() {
  return dk_go::failure_code;
}
std::string failure_message() {
  return dk_go::failure_text;
}
/// The handle of the error that a callback gave; 0 for none. Taking it forgets it.
void keep_callback_failure(std::int64_t handle) {
  dk_go::callback_failure = handle;
}
std::int64_t taken_callback_failure() {
  return std::exchange(dk_go::callback_failure, 0);
}
%}
