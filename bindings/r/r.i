// SPDX-License-Identifier: Apache-2.0
//
// R: vectors as they are, objects behind external pointers with a tag and a finalizer, failures as values that the
// R layer signals: no error of R jumps over C++ frames. The R layer calls the wrappers itself; what SWIG writes in R
// is not part of the package.

%{
#include "r_support.hpp"
%}

%typemap(in) std::span<const double> %{ $1 = {REAL($input), static_cast<std::size_t>(Rf_xlength($input))}; %}
%typemap(in) std::span<double> %{ $1 = {REAL($input), static_cast<std::size_t>(Rf_xlength($input))}; %}
%typemap(in) std::span<const std::int64_t> (dk_r::Integers integers) %{
  $1 = integers.take($input, false);
%}
%typemap(in) std::span<std::int64_t> (dk_r::Integers integers) %{
  $1 = integers.take($input, true);
%}
%typemap(in) std::span<const std::uint8_t>, std::span<std::uint8_t> %{
  $1 = {RAW($input), static_cast<std::size_t>(Rf_xlength($input))};
%}
%typemap(argout) std::span<double>, std::span<std::int64_t>, std::span<std::uint8_t> ""

%typemap(in) std::int64_t %{ $1 = static_cast<std::int64_t>(Rf_asReal($input)); %}
%typemap(out) std::int64_t %{ $result = Rf_ScalarReal(static_cast<double>($1)); %}
%typemap(in) const std::string& (std::string text) %{ text = dk_r::text_of(Rf_asChar($input)); $1 = &text; %}
%typemap(out) std::string %{ $result = dk_r::characters_of($1); %}
%typemap(in) const dk_facade::Strings& (dk_facade::Strings texts) %{ dk_r::fill(texts, $input); $1 = &texts; %}

%typemap(out) SEXP %{ $result = $1; %}

%define OBJECT(TYPE)
%typemap(in) TYPE*, const TYPE* %{ $1 = dk_r::object<TYPE>($input); %}
%typemap(in) TYPE* self, const TYPE* self, TYPE&, const TYPE& %{
  $1 = dk_r::object<TYPE>($input);
  if ($1 == nullptr) return dk_r::failure(DK_ERR_INVALID_ARGUMENT, "no native object, or one of another session");
%}
%typemap(out) TYPE* %{ $result = dk_r::external($1); %}
%enddef
OBJECT(dk_facade::NativeData)
OBJECT(dk_facade::NativeParams)
OBJECT(dk_facade::NativeModel)
OBJECT(dk_facade::NativeControl)

%exception %{
  try {
    $action
  } catch (const dk_facade::Failure& failure) {
    return dk_r::failure(failure.status(), failure.what());
  } catch (const std::exception& error) {
    return dk_r::failure(DK_ERR_INTERNAL, error.what());
  }
%}

%ignore dk_facade::Progress;
%ignore dk_facade::Strings;
%ignore dk_facade::NativeControl::set_progress;

%inline %{
/// A matrix whose numbers are still to be written; R's own constructors would set them to zero first.
SEXP unwritten(int rows, int cols) {
  return Rf_allocMatrix(REALSXP, rows, cols);
}

/// External pointers of another session, or from a file, are null.
bool alive(const dk_facade::NativeModel* model) {
  return model != nullptr;
}

/// A control whose calls the user can interrupt.
dk_facade::NativeControl* interruptible(int threads, std::int64_t megabytes) {
  auto control = std::make_unique<dk_r::InterruptibleControl>();
  control->set_threads(threads);
  control->set_memory(megabytes);
  return control.release();
}
%}
